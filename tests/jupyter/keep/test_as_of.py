"""`%wfnb restore N` and `--restore`: the newest values of a line up to a step, in a real kernel and
in a fresh one."""

import pytest

from tests.jupyter.kernel import MIME, Kernel
from tests.kept_values import child

pytestmark = pytest.mark.kernel


@pytest.fixture(autouse=True)
def session(kernel: Kernel, request: pytest.FixtureRequest):
    kernel.ok(f"%wfnb start {abs(hash(request.node.name))}x")


def again(kernel: Kernel) -> None:
    """A fresh kernel that goes on with the session."""
    name = kernel.status()["session"]
    kernel.restart()
    kernel.ok(f"%wfnb resume {name}")


def ways(kernel: Kernel, line: str) -> dict[str, str]:
    told = kernel.ok(f"{line} --json").shown[0][MIME]
    return {one["name"]: one["way"] for one in told["names"]}


def test_a_fresh_kernel_goes_on_from_a_step_with_all_that_the_line_kept(kernel: Kernel):
    kernel.ok("%%step Imports --keep all\nimport math\ndef area(r): return math.pi * r * r")
    kernel.ok(
        "%%step Load --keep all\nrows = [1, 2]\nclass Own:\n    def n(self): return len(rows)"
    )
    kernel.ok("%%step Use --keep all\nown = Own()\nrows = [1, 2, 3]")
    kernel.ok("%%step Later --keep all\nrows = []\nlate = 1")
    again(kernel)

    ran = kernel.ok(
        "%%branch alt2 --from 3 --restore Go on\n"
        "assert (own.n(), round(area(1)), rows, type(own) is Own) == (3, 3, [1, 2, 3], True)\n"
        "assert 'late' not in globals()"
    )
    assert ran.shown[0]["text/plain"].startswith("step 3 · Use · 5 back")


def test_what_a_step_of_a_fresh_kernel_did_not_have_was_not_deleted(kernel: Kernel):
    kernel.ok("%%step One --keep a,gone\na = [1]\ngone = 1")
    kernel.ok("del gone")
    kernel.ok("%%step Two --keep b\nb = a")
    again(kernel)
    kernel.ok("%%step Three --keep c\nc = 3")
    again(kernel)

    ways_now = ways(kernel, "%wfnb restore last")

    assert ways_now == {"c": "comes back", "b": "comes back", "a": "comes back"}
    kernel.ok("assert a is b and c == 3 and 'gone' not in globals()")


def test_a_program_is_given_functions_with_what_they_look_up(kernel: Kernel):
    kernel.ok("%%step One --keep area\nimport math\nFACTOR = 2\ndef area(r): return circle(r)")
    kernel.ok(
        "%%step Two --keep circle,Own\ndef circle(r): return math.floor(math.pi * r) * FACTOR\n"
        "class Own:\n    def of(self, n): return area(n) if n else self.of(1)"
    )

    said = child.asked(
        """
        import json, sys, wfnb
        back = wfnb.open(sys.argv[1]).restore()
        print(json.dumps([back["area"](1), back["Own"]().of(0), "area" in globals()]))
        """,
        kernel.status()["session"],
        WFNB_HOME=str(kernel.home),
        XDG_DATA_HOME=kernel.environment["XDG_DATA_HOME"],
    )

    assert said == [6, 6, False]


def test_names_share_across_steps_as_they_did(kernel: Kernel):
    kernel.ok("%%step One --keep a,c\na = [1]\nc = {'a': a}\nother = 1")
    kernel.ok("%%step Two --keep b\nb = a\nb.append(2)")
    again(kernel)

    kernel.ok("%wfnb restore 2")

    kernel.ok("assert a is b is c['a'] and a == [1, 2], (a, b, c)")
    kernel.ok("%wfnb restore 1")
    kernel.ok("assert a is c['a'] and a == [1] and b == [1, 2], (a, b, c)")


def test_names_share_across_steps_also_after_a_step_ran_again(kernel: Kernel):
    kernel.ok("%%step One --keep a\na = [1]", "c1")
    for _ in range(2):
        kernel.ok("%%step Two --keep b\nb = a", "c2")
    again(kernel)

    kernel.ok("%wfnb restore 2")

    kernel.ok("assert a is b and a == [1]")


def test_one_steps_values_alone_are_an_option(kernel: Kernel):
    kernel.ok("%%step One --keep a\na = [1]")
    kernel.ok("%%step Two --keep b\nb = [2]")
    kernel.ok("del a, b")

    assert ways(kernel, "%wfnb restore 2 --alone --dry-run") == {"b": "comes back"}
    assert ways(kernel, "%wfnb restore 2 --dry-run") == {"b": "comes back", "a": "comes back"}
    kernel.ok("%wfnb restore 2 --alone")
    kernel.ok("assert 'a' not in globals()")
    assert kernel.run("%wfnb restore 2 --alone a").refusal == (
        "Step 2 did not keep 'a'. Step 1 did: `%wfnb restore 1 a`."
    )


def test_a_branch_has_what_the_line_that_it_left_kept_before(kernel: Kernel):
    kernel.ok("%%step One --keep a\na = 1")
    kernel.ok("%%step Two --keep a\na = 2")
    kernel.ok("%%branch alt --from 1 Other --keep b\nb = 3")
    again(kernel)

    kernel.ok("%wfnb restore alt:2")

    kernel.ok("assert (a, b) == (1, 3)")


def test_what_a_later_step_deleted_does_not_come_back(kernel: Kernel):
    kernel.ok("%%step One --keep all\na = [1]; b = [2]")
    kernel.ok("%%step Two --keep all\ndel a\nc = 3")
    again(kernel)

    assert ways(kernel, "%wfnb restore 2") == {"c": "comes back", "b": "comes back"}


def test_what_a_step_of_another_line_deleted_comes_back(kernel: Kernel):
    kernel.ok("%%step One --keep all\na = [1]; b = [2]")
    kernel.ok("%%branch other --from 1 Away --keep all\ndel a")
    kernel.ok("%%step Two --keep all\nc = 3")
    again(kernel)

    assert ways(kernel, "%wfnb restore other:2") == {"b": "comes back"}
    assert ways(kernel, "%wfnb restore 2") == {
        "c": "comes back",
        "b": "same",
        "a": "comes back",
    }


def test_a_branch_does_not_begin_with_what_was_changed_since_it_was_kept(kernel: Kernel):
    kernel.ok("%%step One --keep all\na = [1]")
    kernel.ok("%%step Two --keep b\na.append(2)\nb = 3")

    refused = kernel.run("%%branch alt --from 2 --restore Other\npass").refusal
    told = kernel.ok("%wfnb restore 2").text

    assert refused == (
        "a of step 2 cannot be restored: step 2 changed it after it was kept, and did not keep "
        "it. Nothing was changed. `%wfnb restore 2` brings back the others; then go on without "
        "--restore."
    )
    assert "! a: of step 1" in told
    assert "! a was changed by step 2, which did not keep it" in told


def test_what_was_restored_as_of_a_step_makes_no_step_stale(kernel: Kernel):
    kernel.ok("%%step One --keep all\na = [1]")
    kernel.ok("%%step Two --keep all\nb = [a, 2]")
    kernel.ok("%%step Three --keep all\nc = len(b) + len(a)")
    kernel.ok("a = b = None")

    kernel.ok("%wfnb restore 2")
    kernel.ok("%%step 3 Three --keep all\nc = len(b) + len(a)")

    assert kernel.steps("stale") == [False, False, False]
