from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.workflows.views.runs_table import runs_table


@record
class Info:
    name: str
    workflow: str
    status: str
    events: int = 3
    started: float = 0.0
    changed: float = 61.5
    process: str | None = None


RUNS = (
    Info(name="deploy-1", workflow="deploy", status="rolled_back", events=9),
    Info(name="deploy-2", workflow="deploy", status="running", process="4711@here"),
    Info(name="checks-1", workflow="checks", status="running"),
    Info(name="checks-2", workflow="checks", status="success"),
)


def test_runs_are_listed_with_their_state_and_what_can_be_done():
    table = runs_table(RUNS, lost={"deploy-2"}, asks={"checks-1"})

    assert repr(table).splitlines() == [
        "run       workflow  state          events",
        "deploy-1  deploy    ↶ rolled back  9       %run_workflow --resume deploy-1",
        "deploy-2  deploy    ◐ interrupted  3       %run_workflow --resume deploy-2",
        "checks-1  checks    ▶ running      3       asks: %wfnb answer TEXT",
        "checks-2  checks    ✓ success      3",
    ]
    assert table._repr_mimebundle_()[MIME]["runs"][1] == {
        "name": "deploy-2",
        "workflow": "deploy",
        "status": "interrupted",
    }


def test_times_and_processes_are_shown_where_they_are_wanted():
    heads, row = repr(runs_table(RUNS[1:2], times=True)).splitlines()

    assert heads.split() == [
        "run",
        "workflow",
        "state",
        "events",
        "started",
        "(UTC)",
        "changed",
        "(UTC)",
        "process",
    ]
    assert " ".join(row.split()).endswith(" 3 1970-01-01 00:00:00 1970-01-01 00:01:01 4711@here")


def test_a_run_that_no_process_has_while_it_waits_is_parked():
    parked = Info(name="days-1", workflow="days", status="running", process="(parked) 1.5")

    assert "◷ parked" in repr(runs_table([parked]))
