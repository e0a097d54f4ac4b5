"""steps -> their code run once more in the notebook, for values that cannot be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from wfnb.core.session import Step
from wfnb.core.step_magic_lines import is_plain, lines_under, marks, runs
from wfnb.core.validation import MAX_SOURCE
from wfnb.core.yaml_header import split_header
from wfnb.errors import RerunFailed, RerunImpossible
from wfnb.views.restore_result import Restoration, place_of

from . import cell_text
from .notebook import Notebook


def steps_named(notebook: Notebook, words: Iterable[str]) -> dict[str, str]:
    """`["2,3", "alt:3"]` -> the code of each step by its place, in that order. StepUnknown, and
    RerunImpossible where there is none that can be run."""
    places = [place.strip() for word in words for place in word.split(",") if place.strip()]
    steps = [notebook.open().log.find(place) for place in places]
    return {place_of(step): _code(notebook, step) for step in steps}


def rerun_steps(notebook: Notebook, steps: dict[str, str], found: Restoration) -> None:
    """Run the steps again, and tell what they made of what did not come back."""
    namespace = notebook.shell.user_ns
    lost = [entry.name for entry in found.names if entry.way == "cannot"]
    for place, code in steps.items():
        before = {name: id(namespace[name]) for name in lost if name in namespace}
        _rerun(notebook, place, code)
        made = [name for name in lost if name in namespace]
        found.again |= {name: place for name in made if before.get(name) != id(namespace[name])}
    found.notes.append(f"ran again: step{'s' * (len(steps) > 1)} {', '.join(steps)}")


def _rerun(notebook: Notebook, place: str, code: str) -> None:
    """Run it as this notebook's own code; it is no attempt of the step. RerunFailed."""
    run: Callable[..., Any] = notebook.shell.run_cell
    # Not stored: it is no cell that the user ran, and `In`/`Out` stay as they are.
    result = run(code, store_history=False)
    cell_text.check_result(result, place, RerunFailed)


def _code(notebook: Notebook, step: Step) -> str:
    place, cell = place_of(step), step.current.cell
    if cell is None or not cell.source:
        raise RerunImpossible(place, "its code is not known")
    if len(cell.source) > MAX_SOURCE:
        raise RerunImpossible(place, "its code was too long to be kept")
    found = marks(cell.source)
    if cell.part == 0 and is_plain(cell.source):
        code = cell.source
    elif cell.part >= len(found):
        raise RerunImpossible(place, "where its code begins is not known")
    else:
        code = split_header(lines_under(cell.source, found, found[cell.part]))[1]
    if not runs(code):
        raise RerunImpossible(place, "it has no code")
    transform: Callable[[str], str] = notebook.shell.transform_cell
    if notebook.shell.should_run_async(code, transformed_cell=transform(code)):
        raise RerunImpossible(place, "its code awaits something; run its cell instead")
    return code
