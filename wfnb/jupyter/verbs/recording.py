"""Record mode: whether plain cells are steps."""

from __future__ import annotations

from wfnb.errors import BadOption
from wfnb.jupyter.magic_grammar import Options, Words, switch
from wfnb.jupyter.notebook import Notebook
from wfnb.render.message import Message

from .verb_declaration import verb


class RecordOptions(Options):
    quiet: bool = switch("--quiet", "the cells show no answer")


@verb(
    "record",
    RecordOptions,
    "[off] [--quiet]",
    "From here on each plain cell is a step; `off`: none is.",
    examples=("%wfnb record", "%wfnb record off"),
    most=1,
)
def record(notebook: Notebook, words: Words[RecordOptions]) -> Message:
    said = words.words[0] if words.words else "on"
    if said not in ("on", "off"):
        raise BadOption("%wfnb record", f"{said[:60]!r} is neither on nor off", "Written: off")
    on = said == "on"
    notebook.open(for_recording=True).steps.record_cells(on, words.options.quiet)
    shown = "plain cells are steps from here on" if on else "plain cells are no steps"
    return Message(shown, {"recording": on})
