"""how a verb of `%wfnb` is written, over the function that it runs -> a row of the table of verbs.

    @verb("export", ExportOptions, "FILE [--force]", "Write the session to a file.", most=1)
    def export(notebook: Notebook, words: Words[ExportOptions]) -> Message: ...

No verb decides anything about sessions: it asks the workspace or the runner, and returns what there
is to show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias

from wfnb.frozen_record import record
from wfnb.jupyter.magic_grammar import Choices, Grammar, Said, Words
from wfnb.jupyter.notebook import Notebook

Run: TypeAlias = Callable[[Notebook, Words[Said]], Any]


@record
class Verb(Generic[Said]):
    name: str
    grammar: Grammar[Said]
    run: Run[Said]


def verb(
    name: str,
    options: type[Said],
    written: str,
    says: str,
    *,
    examples: tuple[str, ...] = (),
    choices: Choices = "",
    least: tuple[str, ...] = (),
    most: int | None = None,
) -> Callable[[Run[Said]], Verb[Said]]:
    """A decorator. `written` is what may follow the name; the others are those of Grammar."""
    usage = f"%wfnb {name} {written}".rstrip()
    grammar = Grammar(
        name=f"%wfnb {name}",
        usage=usage,
        says=says,
        options=options,
        examples=examples or (usage.partition(" [")[0],),
        choices=choices,
        least=least,
        most=most,
    )
    return lambda run: Verb(name=name, grammar=grammar, run=run)
