"""a cell that runs, and the step that it has open."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import get_ident
from typing import Any

from wfnb.dataflow.observer import Segment
from wfnb.workspace import KeepRequest, Workspace

from .opened_files import Watch
from .shown_figures import ShownFigures


@dataclass
class OpenStep:
    """A step whose code runs: the attempt it will end, what is to be told then, and kept. `segment`
    is its code, observed, `watch` what it opens in an investigation, `code` its text, and `shown`
    the figures that it showed so far, if it did."""

    workspace: Workspace
    attempt: int
    key: int
    values: tuple[str, ...]
    form: str
    since: float
    wanted: KeepRequest | None = None
    segment: Segment | None = None
    watch: Watch | None = None
    code: str = ""
    shown: ShownFigures | None = None


@dataclass(eq=False)
class Running:
    """A cell that runs. `outer` is the cell whose code ran this one; `info` is IPython's word for
    this run, None where IPython did not say that it began; `request` is the front end's; `lines`
    are those of the steps that it opened (None: a verb's); `since` is the session's position when
    it began, `tried` whether a step was recorded in it, or tried to be; `aside`: it is no cell of
    the notebook but the front end's own code, as what lists variables; `segment` is the code above
    its first step, observed, `watch` what it opens, where there may be an investigation; `whole`:
    all of it is one step, though no line says so."""

    id: str | None
    source: str
    info: Any = None
    request: str | None = None
    outer: Running | None = None
    lines: list[str | None] = field(default_factory=list)
    step: OpenStep | None = None
    since: int = 0
    tried: bool = False
    aside: bool = False
    whole: bool = False
    segment: Segment | None = None
    watch: Watch | None = None
    thread: int = field(default_factory=get_ident)
