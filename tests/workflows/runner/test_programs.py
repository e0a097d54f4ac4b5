"""Code of a workflow means what it means anywhere else: no brace of it is a placeholder."""

from __future__ import annotations

import ast
from typing import Annotated, Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from wfnb.workflows.runner.runner import Runner
from wfnb.workflows.tools.registry import tool
from wfnb.workflows.tools.result_fields import plain

from .place import step, steps

NAMES = ("name", "n", "result", "stdout", "success", "a", "x", "version", "steps")
"""Each is known where the code runs: a variable, a field, a step."""


def expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions of Python that have braces in all their roles."""
    name = st.sampled_from(NAMES)
    return st.one_of(
        st.builds("f'{{{}}}'".format, name),
        st.builds('f"<{{{}}}|{{{{{}}}}}>"'.format, name, name),
        st.builds("f'{{{}!r:>{{{}}}}}'".format, name, st.sampled_from(("n", "x"))),
        st.builds("{{{0}}} and len({{{0}}})".format, name),
        st.builds("{{'{}': {}}}".format, name, inner),
        st.builds("'{{{}}} {{}}'.format('p', {}='q')".format, name, name),
        st.builds("sorted({{{0}: k for k, {0} in enumerate('ab')}})".format, name),
        st.builds("[f'{{{0}}}' for {0} in ('p', 'q')]".format, name),
        st.builds("'%s {{{}}}' % {}".format, name, name),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds(
            "type('K', (), {{'{0}': 7, '__repr__': lambda s: f'{{s.{0}}}'}})().{0}".format, name
        ),
    )


EXPRESSIONS = st.recursive(st.sampled_from(NAMES), expressions, max_leaves=6)
PROGRAMS = st.builds(
    (
        "{}\nclass K:\n    d = {{'{}': {{n}}}}\n"
        "    def __str__(self): return f'{{self.d}}'\n({}, str(K()))"
    ).format,
    st.builds("{} = {}".format, st.sampled_from(NAMES), EXPRESSIONS),
    st.sampled_from(NAMES),
    EXPRESSIONS,
)
BEFORE = "name, n, result, stdout, success, a, x, version, steps = 'p', 3, 5, 'q', 1, 2, 4, 6, 8\n"


def value_of(program: str) -> Any:
    """What plain Python makes of it; None where it raises."""
    tree, names = ast.parse(BEFORE + program), {"__name__": "__main__"}
    last = ast.Expression(tree.body.pop().value)  # type: ignore[attr-defined]
    try:
        exec(compile(tree, "<p>", "exec"), names)
        return plain(eval(compile(last, "<p>", "eval"), names))
    except Exception:
        return None


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(programs=st.lists(PROGRAMS, min_size=1, max_size=6))
def test_any_code_gives_in_a_workflow_what_it_gives_to_python(runner: Runner, programs: list[str]):
    made = [
        step(f"s{n}", "python", args={"code": BEFORE + program}, on_failure="continue")
        for n, program in enumerate(programs)
    ]
    first = step("a", "python", args={"code": "print('printed'); 41"})

    done = runner.run(
        {**steps(first, *made), "variables": {"name": "world", "n": 10, "x": 3}}, save=False
    )

    results = runner.log(done.run).run.results
    assert [results[f"s{n}"].get("result") for n in range(len(programs))] == [
        value_of(program) for program in programs
    ]


def test_code_is_called_as_it_is_written_by_hand_too_and_in_a_compensation(runner: Runner):
    seen: list[str] = []

    @tool
    def query(
        sql: Annotated[str, Field(json_schema_extra={"x-verbatim": True})], name: str = ""
    ) -> None:
        seen.append(f"{sql} {name}")

    undo = {"tool": "query", "args": {"sql": "undo {name}", "name": "{name}"}}
    runner.run(
        {
            **steps(
                step(
                    "a", "query", args={"sql": "{name} {{n}}", "name": "{name}"}, compensation=undo
                ),
                step("b", "shell", args={"command": "exit 1"}),
            ),
            "variables": {"name": "world"},
        }
    )

    assert seen == ["{name} {{n}} world", "undo {name} world"]
    assert runner.call("query", sql="{name}")["success"]
    assert seen[-1] == "{name} "


def test_a_variable_that_only_code_seems_to_use_is_told_to_be_unused(runner: Runner):
    done = runner.run(
        steps(step("a", "python", args={"code": "n = 1; f'{n}'"})), variables={"n": 3}
    )

    assert [line for line in done.warnings if "'n'" in line] == [
        "No placeholder or condition uses 'n'"
    ]
    assert done.final_variables["a_result"] == "1"
