"""What calls write comes in pieces; what is kept of it to be shown is lines."""

from wfnb.workflows.runner.active_run import MAX_LINE_LENGTH
from wfnb.workflows.runner.runner import Runner

from .place import ran, step, steps


def test_pieces_become_lines_of_who_wrote_them(runner: Runner):
    running = ran(runner)

    for action, piece in [("a", "on"), ("b", "tw"), ("a", "e\nthr"), ("b", "o\n\n"), ("a", "ee")]:
        running.add_output(running.name, action, piece)

    assert running.tail == (("a", "one"), ("b", "two"), ("b", ""), ("a", "three"))


def test_of_a_nested_run_it_is_said_which(runner: Runner):
    running = ran(runner)

    running.add_output("inner-1", "x", "hi\n")

    assert running.tail == (("inner-1/x", "hi"),)


def test_a_line_without_an_end_keeps_its_last_part(runner: Runner):
    running = ran(runner)

    for _ in range(3):
        running.add_output(running.name, "a", "10 %\r" * MAX_LINE_LENGTH)

    assert [len(line) for _, line in running.tail] == [MAX_LINE_LENGTH]


def test_what_one_attempt_began_to_write_is_not_gone_on_with_by_the_next(runner: Runner):
    tries = step(
        "a", "shell", args={"command": "printf no; exit 1"}, retry={"attempts": 1, "wait": 0}
    )

    running = runner.start(steps(tries))
    running.wait()

    assert running.tail == (("a", "no"), ("a", "no"))
