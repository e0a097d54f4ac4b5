"""An interrupt between two lines of wfnb leaves nothing running, and nothing half loaded."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.amount import times
from tests.jupyter.kernel import Kernel, running
from wfnb.home_folder import Home
from wfnb.journal import SqliteJournal

RUN = '%%run_workflow\n{"steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 60}}]}'
AT = """
import signal
from wfnb.journal import SqliteJournal as Journal

def interrupt(name, when):
    plain = getattr(Journal, name)
    def once(*args, **named):
        setattr(Journal, name, plain)
        when == "before" and signal.raise_signal(signal.SIGINT)
        found = plain(*args, **named)
        when == "after" and signal.raise_signal(signal.SIGINT)
        return found
    setattr(Journal, name, once)
"""


def statuses(kernel: Kernel) -> list[str | None]:
    """Of steps, then of runs, as another process sees them."""
    with closing(SqliteJournal(kernel.home / "journal.db")) as journal:
        (session,) = journal.sessions()
        steps = Home(kernel.home, journal).look(session).steps.values()
        told = [each.outcome.status if each.outcome else None for each in steps]
        return [*told, *(run.status for run in journal.runs())]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_step_that_an_interrupt_meets_as_it_is_recorded_is_not_left_running(
    kernel: Kernel, when: str
):
    kernel.ok(AT)
    kernel.ok(f"interrupt('append', {when!r})")

    ran = kernel.run("%%step A\nx = 1")

    assert ran.reply["ename"] == "KeyboardInterrupt"
    assert statuses(kernel) == ["interrupted"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_step_that_an_interrupt_meets_as_it_ends_is_not_left_running(kernel: Kernel, when: str):
    kernel.ok(AT)

    kernel.run(f"%%step A --keep x --value x\ninterrupt('append', {when!r})\nx = 1")

    assert statuses(kernel) == ["ok"]
    (step,) = kernel.status()["steps"]
    assert (step["kept"]["names"], step["values"]) == (["x"], {"x": 1})


@pytest.mark.parametrize(("code", "status"), [("x = 1", "ok"), ("1 / 0", "failed")])
def test_a_step_whose_cell_was_not_told_to_have_ended_ends_with_the_request(
    kernel: Kernel, code: str, status: str
):
    """As where the interrupt comes in IPython, right before that."""
    kernel.run("%%step A\nends = get_ipython().events.callbacks['post_run_cell']\n"
               f"told = ends[:]; ends.clear()\n{code}")  # fmt: skip

    found = statuses(kernel)
    kernel.ok("ends += told")
    assert found == [status]


LOOP = """
import time
n = 0
{}:
    for n in range(40):
        if n == 1:
            print("waiting")
        time.sleep(0.05)
{}:
    pass
"""
CATCHES = LOOP.format("try", "except KeyboardInterrupt")


@pytest.mark.parametrize("then", ["", "1 / 0"])
def test_a_step_that_catches_an_interrupt_and_goes_on_is_stale(kernel: Kernel, then: str):
    kernel.ok("%%step A\nn = 7", "a")
    step, read = f"%%step B\n{CATCHES}{then}", "%%step C\nn + 1"

    kernel.interrupted(step, cell_id="b")
    kernel.ok(read, "c")

    marks = kernel.steps("outcome", "stale_reason")
    ended = "failed" if then else "ok"
    assert marks[1:] == [
        (ended, "it was interrupted, and went on"),
        ("ok", "step 2, which it read, is stale"),
    ]


def test_a_step_that_was_interrupted_and_confirmed_is_stale_when_it_is_interrupted_again(
    kernel: Kernel,
):
    step = f"%%step A\n{CATCHES}"
    kernel.interrupted(step, cell_id="a")

    kernel.ok("%wfnb confirm 1")
    assert kernel.steps("stale") == [False]
    kernel.interrupted(step, cell_id="a")
    assert kernel.steps("stale") == [True]
    kernel.ok("%wfnb run-stale")
    assert kernel.steps("stale") == [False]


def test_a_step_that_catches_what_ends_its_waiting_is_stale(kernel: Kernel):
    step = CATCHES.replace("time.sleep", "await asyncio.sleep").replace("time", "asyncio")

    kernel.interrupted(f"%%step A\n{step.replace('KeyboardInterrupt', 'asyncio.CancelledError')}")

    assert kernel.steps("stale_reason") == ["it was interrupted, and went on"]


@pytest.mark.parametrize("ways", [("try", "except KeyboardInterrupt"), ("if True", "if True")])
def test_what_a_cell_that_is_no_step_was_making_when_it_was_interrupted_is_given_by_nobody(
    kernel: Kernel, ways: tuple[str, str]
):
    kernel.interrupted(LOOP.format(*ways), cell_id="plain")
    kernel.ok("%%step A\nn + 1", "a")

    why = "n is not what your cells that are no steps give, run in order"
    assert kernel.steps("stale_reason") == [why]
    kernel.ok(LOOP.format(*ways), "plain")
    kernel.ok("%%step A\nn + 1", "a")
    assert kernel.steps("stale") == [False]


def test_code_has_the_handlers_of_signals_that_a_plain_cell_has(kernel: Kernel):
    handler = "import signal\nsignal.getsignal(signal.SIGINT) is signal.default_int_handler"

    assert kernel.ok(f"%%step A\n{handler}").value == "True"


PLACES = """
import signal, sys

class Places:
    # where Python looks for signals: as a function begins, and after each call
    at, seen, begun = 0, [], False
    def profile(self, frame, event, arg):
        code = frame.f_code
        if not code.co_filename.endswith(WHERE):
            return
        if event == "return":
            self.at *= not (self.begun and code.co_name == "run_cell")  # not in the next cell
        if event in ("return", "c_call"):  # before `lock.__exit__` is called, none is looked for
            return
        self.begun = self.begun or code.co_name == "pre_run_cell"
        if self.at and self.begun:
            self.seen.append(code.co_name)
            if len(self.seen) == self.at:
                self.at = 0
                del frame, arg  # the traceback has this frame: a cursor of SQLite would stay open
                signal.raise_signal(signal.SIGINT)
    def arm(self, at):
        self.at, self.seen, self.begun = at, [], False
        sys.setprofile(self.profile)
    def off(self):
        self.at = 0
        sys.setprofile(None)
        print(*self.seen)

places = Places()
""".replace(
    "WHERE",
    repr(
        (
            *("/IPython/core/events.py", "/IPython/core/interactiveshell.py"),
            *(
                f"/wfnb/{file}.py"
                for file in ("deferral", "jupyter/magics", "jupyter/notebook",
                             "jupyter/step_command", "session_log", "workspace/step_recorder",
                             "journal/database", "journal/sqlite", "journal/streams")
            ),
        )
    ),
)  # fmt: skip
STEPS = "%step A\nx = 1\n%step B\nx = 2"


def test_an_interrupt_anywhere_in_a_cell_of_two_steps_leaves_none_running(kernel: Kernel):
    """Be it in IPython, right before or after it tells that the cell has ended."""

    def interrupted(at: int) -> list[str]:
        """The functions of the places up to that one, at which none is left running."""
        kernel.ok(f"places.arm({at})")
        list(kernel.published(kernel.send(STEPS)))  # where all was cut off, there is no reply
        found = statuses(kernel)
        while (told := kernel.run("places.off()")).status == "aborted":
            pass
        names = told.stdout.splitlines()[-1].split()
        assert None not in found, (at, names[-1])
        return names

    kernel.ok(PLACES)
    interrupted(1_000_000)  # the first time more is imported and prepared
    names = interrupted(1_000_000)
    ends = {at for at, name in enumerate(names, 1) if name in ("trigger", "post_run_cell")}
    some = sorted({*range(1, len(names), 80), *ends})

    for at in times(0, 1) * [*range(1, len(names) + 1)] or some:
        interrupted(at)


def test_an_interrupt_as_a_step_ends_stops_the_cell_before_its_next_one(kernel: Kernel):
    kernel.ok(AT)

    ran = kernel.run("%step A\ninterrupt('append', 'after')\n%step B\nx = 1")

    assert ran.reply["ename"] == "KeyboardInterrupt"
    assert statuses(kernel) == ["ok"]


def test_a_terminal_closes_a_step_whose_cell_was_not_told_to_have_ended(tmp_path: Path):
    """It has no requests, so that the next cell does."""
    ran = subprocess.run(
        [sys.executable, "-c", TERMINAL],
        cwd=tmp_path, env=os.environ | {"WFNB_HOME": str(tmp_path)},
        check=True, capture_output=True, text=True,
    )  # fmt: skip

    assert ran.stdout.splitlines()[-1] == "[1, 0]"


@pytest.mark.parametrize("code", [RUN, "%wfnb call sleep seconds=60"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_an_interrupt_meets_as_it_begins_is_stopped(
    kernel: Kernel, code: str, when: str
):
    kernel.ok(AT)
    kernel.ok(f"interrupt('begin_run', {when!r})")

    ran = kernel.run(code)

    assert ran.status == "error"
    assert statuses(kernel) == ["cancelled"]


TERMINAL = """
from IPython.core.interactiveshell import InteractiveShell
from wfnb.jupyter.ipython_extension import _LOADED, load

shell = InteractiveShell.instance()
load(shell)
shell.run_cell("%step A\\nends = get_ipython().events.callbacks['post_run_cell']\\n"
               "told = ends[:]; ends.clear()")
session = _LOADED[shell].notebook.workspace.session
running = [len(session.running)]
shell.run_cell("ends += told")
print([*running, len(session.running)])
"""
IMPORTS = """
import signal, sys
class Interrupts:
    def find_spec(self, name, *_):
        if name == WHAT:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
"""


@pytest.mark.parametrize("module", ["yaml.loader", "wfnb.workflows.runner.run_loop"])
def test_what_an_interrupt_meets_as_it_is_loaded_is_loaded(tmp_path, module: str):
    with running(tmp_path, KERNEL_PYTHON=sys.executable) as kernel:
        kernel.ok(IMPORTS.replace("WHAT", repr(module)))
        code = "%%run_workflow\nsteps:\n- {id: a, tool: sleep, args: {seconds: 0}}"

        assert kernel.run(code).reply["ename"] == "KeyboardInterrupt"
        kernel.ok(f"import sys; assert {module!r} in sys.modules")
        kernel.ok(code)
