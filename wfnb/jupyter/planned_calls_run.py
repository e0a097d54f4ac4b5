"""the plan of a session's strategy -> a run of its calls, attended; the evidence as variables."""

from __future__ import annotations

from wfnb.core.planned_calls import plan
from wfnb.errors import PlanNone
from wfnb.workflows.runner.planned_call_workflow import gathered, plan_workflow

from .cell_output import show
from .notebook import Notebook
from .run_display import Live


def run_plan(notebook: Notebook, dry_run: bool) -> None:
    """Call what was planned; what each call gave is a variable named by its label, and a value of
    the step that this cell has open. A call that failed gives None, and stops only what needs it.
    Raises PlanNone."""
    workspace = notebook.open(for_recording=True)
    session = workspace.log.refresh()
    calls = plan(session, session.lines[workspace.log.line])
    if not calls:
        raise PlanNone
    runner, what = notebook.runner(), plan_workflow(calls)
    if dry_run:
        show(notebook.shell, runner.plan(what))
        return
    with runner.attending():
        running = runner.start(what, save=False, step=notebook.step_key(), origin=notebook.origin())
        live = Live(notebook, running, quiet=False)
        running.attend(live.attend)
    live.end(runner.result(running))
    notebook.take_evidence(gathered(calls, running.run.results))
