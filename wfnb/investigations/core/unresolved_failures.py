"""looks in the order in which they came -> what ran and was not seen to succeed since.

What ran last counts. Of tests and linters each run counts for itself, for one that succeeds says
nothing of another that failed: a failure stands until the same ran again, or more of the same
program did, and succeeded. `pytest` says all that `pytest -q test_a.py` could; `pytest test_b.py`
does not, nor `pytest` of another folder, container or machine. What succeeded has to run again,
too, once a source file is another than it was then. A look says so that ran nothing and has
`sources`. That a step is withdrawn changes nothing: what it found is given up, what ran has ended
as it did.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from wfnb.core.findings import Look, ProgramRun

from .kind import ENDS

_ALONE = ("test", "check")
"""Of these each run counts for itself."""
_QUIET = re.compile(r"-[qv]+|--(quiet|verbose)")
_QUIET_OF_PYTEST = re.compile(
    r"-[qvxsl]+|-r\w+|-n\w+|--(ff|failed-first|nf|new-first|exitfirst|no-header|no-summary"
    r"|showlocals|cov|no-cov)|--(tb|color|maxfail|durations|cov[\w-]*)=\S+"
)
"""Options that change what is told of a run, its order or its speed, and not what runs."""
_CHOICES = frozenset({"-k", "--lf", "--last-failed", "--sw", "--stepwise"})
"""Options by which a part of the tests runs: without them all do."""
_PYTHON = re.compile(r"\bpython[\d.]*\s+-m\s+")


def is_change(look: Look) -> bool:
    """Whether it says that source files changed, and nothing ran by it."""
    return bool(look.sources) and look.failed is None and not look.acts


def has_end(look: Look) -> bool:
    """Whether something ran by it that succeeds or fails, or is older than its files by it."""
    return look.failed is not None or not ENDS.isdisjoint(look.acts) or is_change(look)


def runs_of(look: Look) -> tuple[ProgramRun, ...]:
    """What of it ended.

    >>> runs_of(Look(kind="cell", what="!make", acts=("run",), failed=False))
    (ProgramRun(act='run', program='!make', given=()),)
    """
    if is_change(look) or not has_end(look):
        return ()
    acts = [act for act in _ALONE if act in look.acts]
    if not acts:
        return (ProgramRun(act="run", program=look.what),)
    # Where its runs are not known, what it is called is all that tells them from others.
    is_program = look.what.startswith("!")
    words = _PYTHON.sub("", look.what[1:]).split() if is_program else ["", look.what]
    program, *given = words or [""]
    named = [ProgramRun(act=act, program=program, given=tuple(given)) for act in acts]
    return look.runs or tuple(named)


def unresolved(looks: Iterable[Look]) -> dict[ProgramRun, Look]:
    """What was not seen to succeed, or succeeded before a source file changed; the last at the
    end."""
    return _replay(looks)[0]


def is_outdated(looks: Iterable[Look], sources: str) -> bool:
    """Whether something of this succeeded when the source files were others."""
    return bool(_outdated(*_replay(looks), sources))


def is_news(look: Look, looks: Sequence[Look]) -> bool:
    """Whether it ended in another way than what ran last of its act among these, or was another; or
    makes that older than its files."""
    if is_change(look):
        return is_outdated(looks, look.sources)
    last = {run.act: (run, each.failed, each.sources) for each in looks for run in runs_of(each)}
    return any(last.get(run.act) != (run, look.failed, look.sources) for run in runs_of(look))


def _replay(looks: Iterable[Look]) -> tuple[dict[ProgramRun, Look], dict[ProgramRun, Look]]:
    """What is unresolved, and what succeeded and no file has changed since."""
    left, done = dict[ProgramRun, Look](), dict[ProgramRun, Look]()
    for look in looks:
        if is_change(look):
            for run in _outdated(left, done, look.sources):
                left[run] = done.pop(run)
        for now in runs_of(look):
            for table in (left, done):
                for run, before in [*table.items()]:
                    if run.act == now.act and (run == now or _answers(now, look, run, before)):
                        del table[run]
            (done if look.failed is False else left)[now] = look
    return left, done


def _outdated(
    left: Mapping[ProgramRun, Look], done: Mapping[ProgramRun, Look], sources: str
) -> list[ProgramRun]:
    tested = any(run.act in _ALONE for run in (*left, *done))
    return [
        run
        for run, look in done.items()
        # Where there are tests or linters, nothing else has to run again.
        if look.sources not in ("", sources) and (run.act in _ALONE or not tested)
    ]


def _answers(now: ProgramRun, look: Look, run: ProgramRun, before: Look) -> bool:
    """Whether nothing has to be known any more of how the run of the look `before` ended."""
    if now.act not in _ALONE:
        return True
    if look.failed is not False:
        return False
    # Code that hides how it ended may never show it; a call of a tool was known by the tool alone.
    unnamed = before.kind == "tool" and not before.runs
    hides = before.failed is None and not run.program
    return unnamed or hides or covers(now, run)


def covers(run: ProgramRun, other: ProgramRun) -> bool:
    """Whether a run did all that the other one did.

    >>> def of(words): return ProgramRun(act="test", program="pytest", given=tuple(words.split()))
    >>> covers(of(""), of("-x tests/test_a.py -k loop")), covers(of("test_b.py"), of(""))
    (True, False)
    >>> covers(of("tests -q"), of("tests/test_a.py::test_x")), covers(of(""), of("--runslow"))
    (True, False)
    """
    if run.program != other.program:
        return False
    options, places = _words(run)
    other_options, other_places = _words(other)
    if not any(option[0] in _CHOICES for option in options):
        other_options = {option for option in other_options if option[0] not in _CHOICES}
    if options != other_options:
        return False
    if not places:
        return True
    return bool(other_places) and all(
        any(_is_within(word, place) for place in places) for word in other_places
    )


def _words(run: ProgramRun) -> tuple[set[tuple[str, ...]], list[str]]:
    """The options of a run that change what runs, each with the word that may be its value, and
    what else it was given: files, folders, names."""
    is_pytest = run.program.endswith(("pytest", "py.test"))
    options, places = set[tuple[str, ...]](), list[str]()
    quiet = _QUIET_OF_PYTEST if is_pytest else _QUIET
    option: tuple[str, ...] = ()
    for word in (each for each in run.given if not quiet.fullmatch(each)):
        if word.startswith("-"):
            option = (word,)
            options.add(option)
        elif option:
            # It may be the option's value, or not: in doubt only the same words are the same.
            options.remove(option)
            options.add((*option, word))
            option = ()
        else:
            places.append(word)
    return {each for each in options if not (is_pytest and each[0] == "-n")}, places


def _is_within(word: str, place: str) -> bool:
    """Whether a file, a test or a module is the place, or within it."""
    if place in (".", "./"):
        return not word.startswith(("/", ".."))
    place = place.rstrip("/")
    return word == place or (word.startswith(place) and word[len(place) :][:1] in "/.:")
