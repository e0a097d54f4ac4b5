"""Random programs: what the analysis says of each is compared with what happened when it ran."""

import re
import sys
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.amount import times
from tests.dataflow.observed import Observed, observe
from tests.dataflow.programs import FUNCTIONS, SIZES, VARIABLES, program
from wfnb.dataflow.bytecode_effects import reach, uses
from wfnb.dataflow.source_effects import Code, analyze

NAMES = {*VARIABLES, *FUNCTIONS, "K"}
# For the measure of precision: a read is needless if no values from before lead to it.
PROGRAMS = times(50, 300)
INPUTS = 12


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=times(25, 150))
def test_what_a_program_really_does_is_in_what_the_analysis_says(random):
    source = program(random)
    assume(compiles(source))

    code = analyze(source)

    for sizes in SIZES:
        seen = observe(source, sizes)
        reads, writes, changes, called = by_functions(code, seen)
        assert named(seen.reads) - code.reads - reads == set()
        assert named(seen.binds) - code.writes - code.may_write - writes == set()
        # Whose objects the names of a function have, that an older function calls, is not known.
        assert called or seen.changed - code.mutates - code.passes - changes == set()
        if seen.ended:
            assert code.writes - seen.bound - writes == set()
            assert code.deletes & seen.bound - writes == set()


def test_of_the_reads_that_are_found_at_most_a_tenth_is_needless():
    found = needless = 0
    for seed in range(PROGRAMS):
        random = Random(seed)
        source = program(random)
        if not compiles(source):
            continue
        inputs = [*SIZES, *([random.randrange(4) for _ in VARIABLES] for _ in range(INPUTS))]
        runs = [observe(source, sizes) for sizes in inputs]
        if any(run.ended for run in runs):
            reads = named(analyze(source).reads)
            found += len(reads)
            needless += len(reads - set().union(*(run.reads for run in runs)))

    assert needless <= found / 10


@given(random=st.randoms(use_true_random=False))
@settings(max_examples=times(25, 150))
def test_source_and_compiled_code_agree_on_what_functions_read_and_write(random):
    source = program(random)
    assume(compiles(source))
    namespace: dict[str, Any] = {"__name__": "__main__"}
    text = as_function(source)
    # Compiled code still holds functions that nothing reaches, and less of class bodies is known.
    assume("class " not in text and compiles(text))

    exec(text, namespace)

    compiled = uses(namespace["function"].__code__)
    deferred = analyze(text).functions["function"]
    assert compiled.reads <= deferred.reads
    assert compiled.writes | compiled.deletes == deferred.may_write
    assert compiled.mutates <= deferred.mutates | deferred.passes


def as_function(source: str) -> str:
    """The program as a body, without what ends it early and what makes its names global. What is
    deleted is there before and afterwards: the code below is dead where it is not."""
    lines = ["def function(p=(), q=()):"]
    for line in source.splitlines():
        ends = line.split()[0] in ("return", "raise", "break", "continue", "global")
        line = re.sub(r"\bdel (\w+)$", r"\1 = 0; del \1; \1 = 0", line)
        lines.append("    " + (line[: -len(line.lstrip())] + "pass" if ends else line))
    return "\n".join(lines) + "\n"


def compiles(source: str) -> bool:
    """Some programs are refused: `global` after use, or names that a class body may not bind."""
    try:
        compile(source, "<cell>", "exec")
    except SyntaxError:
        return False
    return True


def named(names: set[str] | frozenset[str]) -> set[str]:
    return set(names) & NAMES


def by_functions(code: Code, seen: Observed) -> tuple[set[str], set[str], set[str], bool]:
    """What functions of earlier cells read, write and change, and whether the cell rebinds one
    that they call."""
    reads: set[str] = set()
    writes: set[str] = set()
    changes: set[str] = set()
    called = False
    todo = list(code.reads)
    done: set[str] = set()
    while todo:
        name = todo.pop()
        if name in done:
            continue
        done.add(name)
        if name in code.functions:
            called = called or name not in code.reads
            deferred = code.functions[name]
            reads |= deferred.reads
            writes |= deferred.may_write
            changes |= deferred.mutates | deferred.passes
            todo += deferred.reads
        for use in reach(seen.before.get(name)):
            reads |= use.reads
            writes |= use.writes | use.deletes
            changes |= use.mutates
            todo += use.reads
    return reads, writes, changes, called


@pytest.fixture(autouse=True)
def _no_trace():
    """Coverage and debuggers trace too; a watched program replaces their function for a while."""
    before = sys.gettrace()
    yield
    sys.settrace(before)
