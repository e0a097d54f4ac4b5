"""A front end that is gone leaves nothing in the kernel, whether it says so or not; one that is
there stays, or comes back."""

from ast import literal_eval
from collections.abc import Iterator

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel import kernels
from tests.jupyter.panel.front import FrontEnd, page

pytestmark = pytest.mark.kernel

OWNED = """\
import comm
from wfnb.jupyter.panel.comms import channel_of
_manager = getattr(getattr(get_ipython().kernel, "shell_channel_thread", None), "manager", None)
def owned():
    ours = [each for each in comm.get_comm_manager().comms.values() if "wfnb" in each.target_name]
    threads = [] if _manager is None else _manager.list_subshell()
    return len(ours) - 1, len(threads), len(channel_of(get_ipython()).publisher._listeners)
"""
IMPATIENT = """\
import wfnb.jupyter.panel.front_ends as front_ends, wfnb.jupyter.panel.publisher as publisher
front_ends.ANSWER_TIMEOUT, publisher.MAX_FRONT_ENDS = {seconds}, {most}
"""
NOTHING = (0, 0, 0)

shared = kernels.of_every_python


@pytest.fixture
def waited(kernel: Kernel) -> Iterator[Kernel]:
    """A kernel in which nobody has to be waited for."""
    kernel.ok("%step One")
    kernel.ok(OWNED)
    kernel.ok(IMPATIENT.format(seconds=0.0, most=32))
    yield kernel
    kernel.ok(IMPATIENT.format(seconds=20.0, most=32))


def all_of(fronts: int, front: FrontEnd) -> tuple[int, int, int]:
    """What a kernel has where there are so many front ends like that: comms, threads, listeners."""
    return 2 * fronts, 0 if front.subshell is None else fronts, fronts


def owned(kernel: Kernel, wanted: tuple[int, int, int]) -> tuple[int, int, int]:
    """What the kernel has of front ends, as soon as it is that, or in the end. Asked again and
    again, since some kernels read what a front end sends between two cells only."""
    told = (literal_eval(kernel.ok("owned()").value or "") for _ in range(5_000))
    found: tuple[int, int, int] | None = next(filter(wanted.__eq__, told), None)
    return found or literal_eval(kernel.ok("owned()").value or "")


def test_a_front_end_that_hangs_up_leaves_nothing(waited: Kernel):
    with page(waited) as front:
        assert owned(waited, all_of(1, front)) == all_of(1, front)

    assert owned(waited, NOTHING) == NOTHING


def test_a_front_end_that_does_not_answer_is_let_go_when_others_come(waited: Kernel):
    dead, living = FrontEnd(waited).connect(), FrontEnd(waited).connect()
    dead.lives = False

    for number in range(1, 4):
        with page(waited):
            living.until(lambda number=number: living.pinged == number)

    dead.until(lambda: dead.closed >= {dead.state_comm, dead.control_comm})
    assert owned(waited, all_of(1, living)) == all_of(1, living)
    assert not living.closed & {living.state_comm, living.control_comm}
    assert living.ask("undo") == "undone: step 1 added: One"
    living.close()
    assert owned(waited, NOTHING) == NOTHING
    for front in (dead, living):
        front.leave()


def test_a_front_end_that_does_not_answer_is_let_go_though_nobody_comes_any_more(waited: Kernel):
    waited.ok("import wfnb.jupyter.panel.comms as channel\nchannel.AGAIN = 0.2")
    dead = FrontEnd(waited).connect()
    dead.lives = False
    living = FrontEnd(waited).connect()

    if living.subshell is not None:  # else nothing is heard of it while a cell runs
        dead.until(lambda: dead.closed >= {dead.state_comm, dead.control_comm})

        assert owned(waited, all_of(1, living)) == all_of(1, living)
    else:
        dead.close()
    assert not living.closed & {living.state_comm, living.control_comm}
    living.close()
    assert owned(waited, NOTHING) == NOTHING
    waited.ok("channel.AGAIN = 11.0")
    for front in (dead, living):
        front.leave()


def test_where_there_are_too_many_it_is_the_one_that_was_silent_for_longest(waited: Kernel):
    waited.ok(IMPATIENT.format(seconds=20.0, most=2))
    used, unused = FrontEnd(waited).connect(), FrontEnd(waited).connect()
    used.ask("rows", first=0, count=1)

    with page(waited) as newest:
        unused.until(lambda: unused.closed >= {unused.state_comm, unused.control_comm})
        assert owned(waited, all_of(2, newest)) == all_of(2, newest)
        waited.ok("%step Two")
        used.until(lambda: used.state.titles == ["One", "Two"])

    assert unused.state.gone == (
        "32 other views of this session are in use. Come back to this one to go on with it."
    )
    used.close()
    assert owned(waited, NOTHING) == NOTHING
    for front in (used, unused):
        front.leave()


def test_a_front_end_to_which_nothing_can_be_sent_is_let_go_and_the_others_are_told(
    waited: Kernel,
):
    lost, living = FrontEnd(waited).connect(), FrontEnd(waited).connect()
    waited.ok(
        "import zmq\nimport wfnb.jupyter.panel.comms as channel\nkept = channel.send\n"
        "def send(to, data):\n"
        f"    if to.comm_id == {lost.state_comm!r}: raise zmq.ZMQError(zmq.ENOTSOCK)\n"
        "    kept(to, data)\n"
        "channel.send = send"
    )

    waited.ok("%step Two")
    living.until(lambda: living.state.titles[-1:] == ["Two"])

    assert living.state.titles == ["One", "Two"]
    assert owned(waited, all_of(1, living)) == all_of(1, living)
    assert living.ask("undo") == "undone: step 2 added: Two"
    waited.ok("channel.send = kept")
    living.close()
    assert owned(waited, NOTHING) == NOTHING
    for front in (lost, living):
        front.leave()


def test_after_a_restart_it_says_how_to_go_on(kernel: Kernel):
    kernel.ok("%wfnb start drift")
    kernel.ok("%step One")
    kernel.restart()
    kernel.ok(f"import os; os.environ['WFNB_HOME'] = {str(kernel.home)!r}")

    with page(kernel) as front:
        told = front.state.gone
        kernel.ok("%wfnb resume drift")
        front.until(lambda: front.state.titles == ["One"])

    assert told == (
        "No session is in use yet. `%wfnb resume drift` goes on with the last one; also kept: demo."
    )


def test_a_run_that_has_ended_shows_what_it_kept_of_its_output(kernel: Kernel):
    kernel.ok(
        "%%run_workflow talk\nsteps:\n"
        '  - {id: say, tool: shell, args: {command: "echo one; echo two; echo bad >&2"}}\n'
        '  - {id: more, tool: shell, args: {command: "echo three"}}'
    )

    with page(kernel) as front:
        detail = front.ask("run", run="talk-1")
        cancelled = front.ask("cancel", run="talk-1")

    assert [(line["who"], line["text"]) for line in detail["tail"]] == [
        ("say", "one"),
        ("say", "two"),
        ("say", "bad"),
        ("more", "three"),
    ]
    assert cancelled == "Run talk-1 had ended: ✓ success."
