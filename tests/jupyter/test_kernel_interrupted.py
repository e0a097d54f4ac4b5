"""An interrupt between two lines of wfnb leaves nothing running, and nothing half loaded."""

import sys
from contextlib import closing

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

    kernel.run(f"%%step A\ninterrupt('append', {when!r})")

    assert statuses(kernel) == ["interrupted" if when == "before" else "ok"]


def test_a_step_whose_cell_was_not_told_to_have_ended_ends_with_the_next_cell(kernel: Kernel):
    """As where the interrupt comes in IPython, right before that."""
    kernel.ok("%%step A\nends = get_ipython().events.callbacks['post_run_cell']\n"
              "told = ends[:]; ends.clear()")  # fmt: skip

    kernel.ok("ends += told")

    assert statuses(kernel) == ["interrupted"]


LINES = """
import linecache, signal, sys

class Arming:
    at, seen = 0, []
    def line(self, frame, event, _):
        file, line = frame.f_code.co_filename, frame.f_lineno
        # no signal is looked for where a block ends, and a trace would: its lock was not released
        if event == "line" and self.at and not linecache.getline(file, line).split()[0] == "with":
            self.seen.append(frame.f_code.co_name)
            if len(self.seen) == self.at:
                self.at = 0
                signal.raise_signal(signal.SIGINT)
        return self.line
    def __call__(self, frame, *_):
        return self.line if self.at and frame.f_code.co_filename.endswith(WHERE) else None
    def arm(self, at):
        self.at, self.seen = at, []
        sys.settrace(self)
    def off(self):
        self.at = 0
        sys.settrace(None)
        print(*self.seen)

arming = Arming()
""".replace(
    "WHERE",
    repr(
        tuple(
            f"wfnb/{file}.py"
            for file in ("jupyter/notebook", "session_log", "workspace/step_recorder",
                         "journal/database", "journal/sqlite", "journal/streams")
        )
    ),
)  # fmt: skip
STEP = "%%step S\nx = 1"


def test_an_interrupt_at_any_line_leaves_no_step_running(kernel: Kernel):
    """But at the first ones as a cell ends, of which only the next cell can tell."""

    def interrupted(at: int) -> tuple[list[str], list[str | None]]:
        """The functions of the lines up to that one, and what is told right after it."""
        kernel.ok(f"arming.arm({at})")
        kernel.run(STEP)
        found = statuses(kernel)
        while (told := kernel.run("arming.off()")).status == "aborted":
            pass
        return told.stdout.splitlines()[-1].split(), found

    kernel.ok(LINES)
    names, _ = interrupted(1_000_000)
    ends = names.index("post_run_cell", names.index("begin"))
    firsts = {name: at for at, name in reversed([*enumerate(names, 1)][ends:])}

    for at in times(0, 1) * [*range(1, len(names), 3)] or sorted(firsts.values()):
        lines, found = interrupted(at)
        assert None not in found or lines[-1] == "post_run_cell", (at, lines[-1])
        assert None not in statuses(kernel), (at, lines[-1])


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
