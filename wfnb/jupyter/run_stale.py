"""`%wfnb run-stale`: stale steps are run again, each after what it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.core.rerun_order import Rerun, next_stale, rerun, stale_steps
from wfnb.core.session import Session, Step
from wfnb.core.step_magic_lines import runs
from wfnb.core.validation import MAX_SOURCE
from wfnb.errors import StaleFailed, StaleNotRun
from wfnb.render.message import Message
from wfnb.views.staleness import reason
from wfnb.views.step_words import refer, title_of

from . import cell_text
from .notebook import Notebook

_MAX_RUNS_OF_STEP = 2
"""So often a step is run for another one: of lines that were merged, one may undo what another one
has made of the same names, and both would be run for ever."""
_NAMED = 8
"""Steps that are named of those that are stale still."""


def rerun_stale(notebook: Notebook, places: Sequence[str], dry: bool) -> Message:
    """Run the stale steps of these places (all, without one). StaleNotRun where the code of one
    cannot be run, or names are missing that cells make which are no steps; StaleFailed where one
    fails."""
    workspace = notebook.open()
    session = workspace.log.refresh()
    wanted = [workspace.log.find(place) for place in places]
    if dry:
        return _plan(notebook, stale_steps(session, wanted))
    ran: list[Step] = []
    done: set[int] = set()
    refused: list[StaleNotRun] = []
    before: Counter[tuple[int, int]] = Counter()
    # Asked anew each time: a step that ran may have settled others, or made new ones stale.
    while (target := next_stale(workspace.session, wanted, done)) is not None:
        try:
            step = first_to_run(notebook, target)
            before[target.key, step.key] += 1
            if before[target.key, step.key] > _MAX_RUNS_OF_STEP:
                why = f"the steps that it rests on overwrite what step {refer(step, 'main')} makes"
                raise StaleNotRun(refer(target, "main"), why)
        except StaleNotRun as refusal:
            refused.append(refusal)
            done.add(target.key)
            continue
        if step.key == target.key:
            done.add(target.key)
        # One cell may have several steps: all that ran with it are told.
        attempts = {key: each.attempts for key, each in workspace.session.steps.items()}
        _run(notebook, step)
        steps = workspace.log.refresh().steps.values()
        ran += [each for each in steps if each.attempts != attempts.get(each.key)]
    if refused and not ran:
        raise refused[0]
    return _result(workspace.session, ran, refused)


def first_to_run(notebook: Notebook, target: Step) -> Step:
    """What to run now so that the target is fresh in the end: itself, or a step that it rests on.
    StaleNotRun where names are missing that cells make which are no steps, or something is not as
    it was when the kernel started."""
    plan = _rerun(notebook, target)
    for why in _obstacles(plan):
        raise StaleNotRun(refer(plan.steps[-1], "main"), why)
    return plan.steps[0]


def obstacle(notebook: Notebook, step: Step) -> str:
    """Why it cannot be run again now, with what it rests on; empty where it can."""
    return next(_obstacles(_rerun(notebook, step)), "")


def _rerun(notebook: Notebook, step: Step) -> Rerun:
    """What to run in this kernel so that the step is fresh."""
    return rerun(notebook.open().session, step, notebook.observer.held)


def _obstacles(plan: Rerun) -> Iterator[str]:
    if plan.missing:
        come = "comes" if len(plan.missing) == 1 else "come"
        yield f"{', '.join(plan.missing)} {come} from a cell that is no step: run that first"
    if plan.derived:
        come = "comes" if len(plan.derived) == 1 else "come"
        names = f"{', '.join(plan.derived)} {come} from a cell that is no step"
        yield f"{names}, out of what steps made: put that cell's code into a step"
    if plan.foreign:
        yield f"no step of its line makes {', '.join(plan.foreign)}: add one that does"
    if plan.changed:
        yield f"{', '.join(plan.changed)} changed since the kernel started: restart it first"


def _run(notebook: Notebook, step: Step) -> None:
    """Run the step's cell as it was last run; it is another attempt."""
    place, cell = refer(step, "main"), step.current.cell
    if cell is None or not runs(cell.source):
        raise StaleNotRun(place, "its code is not known")
    if len(cell.source) > MAX_SOURCE:
        raise StaleNotRun(place, "its code was too long to be kept")
    shell: Any = notebook.shell
    # The loop of this cell is running: IPython cannot run another one in it and wait for its end.
    if shell.should_run_async(cell.source, transformed_cell=shell.transform_cell(cell.source)):
        raise StaleNotRun(place, "its code awaits something: run its cell instead")
    with notebook.mark_rerun(step):
        # Without history: the numbers `In [3]` of the notebook stay those of what a person ran.
        result = shell.run_cell(cell.source, store_history=False, cell_id=step.cell_id)
    cell_text.check_result(result, place, StaleFailed)


def _plan(notebook: Notebook, targets: list[Step]) -> Message:
    session = notebook.open().session
    steps: dict[int, Step] = {}
    missing: dict[str, None] = {}
    obstacles: dict[str, None] = {}
    for target in targets:
        plan = _rerun(notebook, target)
        steps |= {step.key: step for step in plan.steps}
        missing |= dict.fromkeys((*plan.missing, *plan.derived, *plan.foreign, *plan.changed))
        obstacles |= dict.fromkeys(_obstacles(plan))
    if steps:
        lines = ["would run:", *_lines(session, list(steps.values()))]
    else:
        still = list(_still_stale(session))
        lines = ["nothing would be run" if still else "nothing is stale", *still]
    lines += obstacles
    data = {"steps": [_data(step) for step in steps.values()], "missing": list(missing)}
    return Message("\n".join(lines), data, block=True)


def _lines(session: Session, steps: list[Step]) -> Iterator[str]:
    for step in steps:
        why = reason(session, step) or "its values are not here as its line gives them"
        yield f"{refer(step, 'main')} {title_of(step.current.description, 60)} · {why}"


def _data(step: Step) -> dict[str, Any]:
    return {"number": step.number, "branch": step.branch, "cell_id": step.cell_id}


def _result(session: Session, ran: list[Step], refused: list[StaleNotRun]) -> Message:
    places = [refer(step, "main") for step in ran]
    left = _stale(session)
    many = "s" * (len(places) != 1)
    lines = [f"ran step{many} {', '.join(places)}" if places else "nothing was run"]
    lines += map(str, refused)
    lines += _still_stale(session)
    data = {"ran": places, "stale": [refer(step, "main") for step in left]}
    return Message("\n".join(lines), data, block=len(lines) > 1)


def _stale(session: Session) -> list[Step]:
    """All of them: also those that cannot be run, as words alone, or were decided against."""
    return [step for step in session.steps.values() if step.stale]


def _still_stale(session: Session) -> Iterator[str]:
    left = _stale(session)
    for step in left[:_NAMED]:
        yield f"still stale: {refer(step, 'main')} · {reason(session, step)}"
    if len(left) > _NAMED:
        yield f"… and {len(left) - _NAMED} more"
