"""What ran and was not seen to succeed since, against a model that knows each single test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.story import done
from tests.investigations.core.investigating import LONG, found, gone
from wfnb.core.findings import Look, ProgramRun
from wfnb.core.validation import StepPlace
from wfnb.inspection.shell_commands import commands
from wfnb.investigations.core.commands import Backtrack, LookAt
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.missing_evidence import missing_looks
from wfnb.investigations.core.unresolved_failures import covers, unresolved

TESTS = ("a.py::x", "a.py::y", "sub/b.py::x", "sub/b.py::y")
PLACES = ("", "sub", "sub/b.py", "a.py", "a.py::x", "a.py sub", "sub/b.py::y a.py::x", ".")
STARTS = ("pytest", "docker run x pytest", "cd sub && pytest", "X=1 pytest", "uv run pytest")
OPTIONS = ("", "-q", "-x", "-k x", "--lf", "--runslow", "-n 4")
LINES = st.builds(
    lambda start, option, place: " ".join(f"{start} {option} {place}".split()),
    st.sampled_from(STARTS),
    st.sampled_from(OPTIONS),
    st.sampled_from(PLACES),
)


def single_tests(line: str) -> frozenset[tuple[str, str]]:
    """The single tests that a line may run, each with what it runs in: of a choice only those that
    are known to be run."""
    start = next(each for each in STARTS if line.startswith(f"{each} ") or line == each)
    words = line.removeprefix(start).split()
    slow = "--runslow" in words
    chosen = "x" if "-k" in words else ""
    words = [word for word in words if word not in ("-q", "--lf", "--runslow", "-n", "4", "-k")]
    places = [word for word in words if word not in ("-x", "x")] or ["."]
    named = [
        test
        for test in TESTS
        if any(
            place == "." or test == place or test.startswith((f"{place}/", f"{place}::"))
            for place in places
        )
        and test.endswith(chosen)
    ]
    slow_ones = [f"{test} slow" for test in named] if slow else []
    return frozenset((start, test) for test in (*named, *slow_ones))


def ran(line: str, failed: bool | None) -> Look:
    told = commands(line)
    return Look(kind="cell", what=f"!{line}", acts=told.acts, failed=failed, runs=told.runs)


@given(st.lists(st.tuples(LINES, st.sampled_from([True, False, None])), max_size=12))
def test_nothing_is_well_that_failed_and_did_not_run_again(story: list[tuple[str, bool | None]]):
    doubtful: set[tuple[str, str]] = set()
    for line, failed in story:
        # What `--lf` leaves out is not known: all of it may have failed, none may have succeeded.
        if failed is False and "--lf" not in line:
            doubtful -= single_tests(line)
        elif failed is not False:
            doubtful |= single_tests(line)

    left = unresolved(ran(*each) for each in story)

    assert left or not doubtful


@given(st.lists(st.tuples(LINES, st.sampled_from([True, False, None])), min_size=1, max_size=12))
def test_all_is_well_once_all_ran_again(story: list[tuple[str, bool | None]]):
    again = [(line, False) for line, _ in story]

    assert not unresolved(ran(*each) for each in (*story, *again))


COVERS = {
    ("pytest", "pytest -q tests/test_a.py -k loop"): True,
    ("pytest tests", "pytest -x tests/a/test_b.py::test_x[1]"): True,
    ("python -m pytest", "pytest --tb=short -rA a.py"): True,
    (".venv/bin/pytest", "python3 -m pytest a.py"): True,
    ("pytest -n 4 --cov=pkg", "pytest"): True,
    ("ruff check . && pytest", "pytest -q"): True,
    ("ruff check .", "ruff check pkg/a.py"): True,
    ("docker run x pytest", "docker run x pytest tests"): True,
    ("ssh host 'cd a && pytest'", "ssh host 'cd a && pytest b.py'"): True,
    ("python -m unittest", "python -m unittest -v test_parse"): True,
    ("python -m unittest test_parse", "python -m unittest test_parse.Test.test_a"): True,
    ("tox -e py -q", "tox -e py"): True,
    ("pytest test_a.py", "pytest"): False,
    ("pytest test_a.py", "pytest test_b.py"): False,
    ("pytest test_a.py", "pytest test_ab.py"): False,
    ("pytest --lf", "pytest"): False,
    ("pytest -k a", "pytest -k b"): False,
    ("pytest", "pytest --runslow"): False,
    ("pytest -m fast", "pytest"): False,
    ("pytest", "docker run x pytest"): False,
    ("docker run x pytest", "docker run y pytest"): False,
    ("docker run x pytest", "pytest"): False,
    ("ssh web pytest", "ssh web.other pytest"): False,
    ("ssh host 'cd a && pytest'", "ssh host 'cd b && pytest'"): False,
    ("cd a && pytest", "pytest"): False,
    ("X=1 pytest", "pytest"): False,
    ("export X=1; pytest", "pytest"): False,
    ("env X=1 pytest", "pytest"): False,
    ("uv run pytest", "pytest"): False,
    ("make test", "make check"): False,
    ("make test", "npm test"): False,
    ("nox -s lint", "nox -s tests"): False,
    ("nox", "nox -s tests"): False,
    ("tox", "tox -e py"): False,
    ("ruff format .", "ruff check ."): False,
    ("sudo -u a pytest", "sudo -u b pytest"): False,
}


def runs(line: str) -> Iterator[ProgramRun]:
    yield from commands(line).runs


@pytest.mark.parametrize(("lines", "is_so"), COVERS.items(), ids=map(" | ".join, COVERS))
def test_a_run_covers_what_is_part_of_it(lines: tuple[str, str], is_so: bool):
    line, other = lines

    assert any(covers(now, run) for now in runs(line) for run in runs(other)) == is_so


@pytest.mark.parametrize("withdrawn", [False, True])
@pytest.mark.parametrize("failed", [False, True, None])
def test_what_ran_is_known_though_its_step_is_withdrawn(withdrawn: bool, failed: bool | None):
    story = gone("precommit", 2, 9)
    story.do(LookAt(looks=(ran("pytest", failed),), since=story.session.position))
    story.do(done("tested", findings=found(LONG)))
    if withdrawn:
        story.do(Backtrack(place=StepPlace(number=3)))
        story.do(LookAt(looks=(ran("make", False),), since=story.session.position))
        story.do(done("built", findings=found(LONG)))

    lacks = missing_looks(story.session, investigation_of(story.session).found)

    assert bool(lacks) == (failed is not False)
