"""What every error has: its facts as fields, and whether anything was recorded."""

from __future__ import annotations

from inspect import get_annotations
from typing import dataclass_transform


@dataclass_transform(eq_default=False)
class WfnbError(Exception):
    """Root of everything wfnb raises on purpose. What a subclass annotates are its facts: given by
    position, in that order, and kept as fields."""

    def __init__(self, *facts: object) -> None:
        # The facts are the arguments, so that an error can be pickled and sent to another process.
        super().__init__(*facts)
        # Strict: a fact that was forgotten shows where it is raised, and not when it is shown.
        for name, fact in zip(self.facts(), facts, strict=True):
            setattr(self, name, fact)

    @classmethod
    def facts(cls) -> tuple[str, ...]:
        return tuple(get_annotations(cls))


class Refused(WfnbError):
    """A command that cannot be done as asked. Nothing was recorded."""
