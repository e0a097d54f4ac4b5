"""Whole lines of what calls write can be read on from where one has read."""

from wfnb.workflows.runner.active_run import TAIL
from wfnb.workflows.runner.runner import Runner

from .place import ran


def test_lines_are_read_on_from_where_one_was(runner: Runner):
    running = ran(runner)

    running.add_output(running.name, "a", "one\ntwo\nthr")
    first, lines = running.lines()
    running.add_output(running.name, "a", "ee\nfour\n")

    assert (first, lines) == (2, (("a", "one"), ("a", "two")))
    assert running.lines(first) == (4, (("a", "three"), ("a", "four")))
    assert running.lines(4) == (4, ())


def test_of_more_lines_than_are_kept_the_last_are_read(runner: Runner):
    running = ran(runner)

    running.add_output(running.name, "a", "".join(f"{n}\n" for n in range(TAIL + 50)))
    count, lines = running.lines(10)

    assert count == TAIL + 50
    assert lines[0] == ("a", "50")
    assert len(lines) == TAIL
