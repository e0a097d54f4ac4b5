"""hints -> magics, as they are written in a cell: for a kernel, and for the server of its panel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wfnb.hints import Option, Verb, with_dashes

_MAGICS: Mapping[Verb, str] = {
    "branch": "%%branch",
    "resume": "%run_workflow --resume",
    "resume-session": "%wfnb resume",
    "step": "%%step",
}
"""The others are verbs of `%wfnb`."""


class MagicSpelling:
    """What is typed into a cell."""

    again = "run the cell again"
    new_run = "without --resume it runs anew"
    first_step = "Write `%%step` over a cell."

    def command(self, verb: Verb, parts: Iterable[object]) -> str:
        return " ".join((_MAGICS.get(verb, f"%wfnb {verb}"), *map(with_dashes, parts)))

    def options(self, parts: Iterable[Option]) -> str:
        return " ".join(map(with_dashes, parts))
