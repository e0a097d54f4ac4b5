"""a cell that runs, and the step that it has open."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import get_ident
from typing import Any

from wfnb.dataflow.observer import Segment
from wfnb.workspace import KeepRequest, Workspace

from .figure_capture import ShownFigures
from .opened_files import Watch


@dataclass
class OpenStep:
    """A step whose code runs."""

    workspace: Workspace
    attempt: int
    """The one that it will end."""
    key: int
    values: tuple[str, ...]
    """The expressions whose values are told then."""
    form: str
    since: float
    wanted: KeepRequest | None = None
    """What is kept then."""
    segment: Segment | None = None
    """Its code, observed."""
    watch: Watch | None = None
    """What it opens in an investigation."""
    code: str = ""
    """The text of its code."""
    shown: ShownFigures | None = None
    """The figures that it showed so far, if it did."""


@dataclass(eq=False)
class Running:
    """A cell that runs."""

    id: str | None
    source: str
    info: Any = None
    """IPython's word for this run; None where IPython did not say that it began."""
    request: str | None = None
    """The front end's."""
    outer: Running | None = None
    """The cell whose code ran this one."""
    lines: list[str | None] = field(default_factory=list)
    """Those of the steps that it opened; None: a verb's."""
    step: OpenStep | None = None
    since: int = 0
    """The session's position when it began."""
    tried: bool = False
    """Whether a step was recorded in it, or tried to be."""
    is_front_ends_own: bool = False
    """Whether it is no cell of the notebook but the front end's own code, as what lists
    variables."""
    whole: bool = False
    """Whether all of it is one step, though no line says so."""
    segment: Segment | None = None
    """The code above its first step, observed."""
    watch: Watch | None = None
    """What that opens, where there may be an investigation."""
    thread: int = field(default_factory=get_ident)
