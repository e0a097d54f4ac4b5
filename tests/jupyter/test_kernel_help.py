"""Help and completion: what can be written here, told before it is written wrong."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import MIME, Kernel, running
from wfnb.core.strategy import builtin_strategies
from wfnb.investigations.core.kind_reader import builtin_kinds as kinds

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory):
    """A session with a strategy, a field to be given, and two branches."""
    with running(tmp_path_factory.mktemp("kernel")) as kernel:
        kernel.ok("%wfnb start other")
        kernel.ok("%wfnb start demo --strategy react")
        for line in ("%step One", "%step Two", "%step Three"):
            kernel.ok(line)
        kernel.ok("%branch robust --from 1 Four")
        kernel.ok("%branch rough --from 2 Five")
        yield kernel


FLAGS = ["--branch", "--done", "--from", "--json", "--more", "--next", "--no-more", "--quiet"]
FLAGS += ["--revises", "--set", "--stage", "--text", "--total", "--value"]
FLAGS += ["--finding", "--hypothesis", "--confidence", "--file", "--relevant", "--context"]
FLAGS += ["--issue", "--model", "--backtrack", "--no-pause", "--keep", "--restore", "--number"]
FLAGS += ["--reads", "--writes", "--confirms", "--refutes", "--tag"]
BRANCHES = ["main", "robust", "rough"]
STRATEGIES = sorted(builtin_strategies())
VERBS = "abandon answer call cancel clear compare confirm diff export graph help list log merge"
VERBS += " redo resume revise runs score select show stages start status strategy switch timeline"
VERBS += " tools undo wait workflows kind look findings backtrack extend advise estimate"
VERBS += " keep restore gc trust panel why run-stale open rename copy forget sessions hypothesis"
VERBS += " hide unhide retitle note tag untag work plan record search"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%%step --", FLAGS),
        ("%step --", FLAGS),
        ("%%step 1/4 A title --", FLAGS),
        ("%%step --no", ["--no-more", "--no-pause"]),
        ("%%step --re", ["--reads", "--refutes", "--relevant", "--restore", "--revises"]),
        ("%%branch alt --f", ["--file", "--finding", "--from"]),
        ("%%branch ", [*BRANCHES, *(flag for flag in FLAGS if flag != "--branch")]),
        ("%%branch ro", ["robust", "rough"]),
        ("%%step --branch ", BRANCHES),
        ("%%step --branch=ro", ["--branch=robust", "--branch=rough"]),
        ("%%step --stage ", ["action_execution"]),
        ("%%step --stage=", ["--stage=action_execution"]),
        ("%%step --set ", ["action="]),
        ("%%step --set act", ["action="]),
        ("%%branch alt --from ", ["1", "2", "3"]),
        ("%%step --revises ", ["1", "2", "3"]),
        ("%wfnb ", VERBS.split()),
        ("%wfnb st", ["stages", "start", "status", "strategy"]),
        ("%wfnb help sc", ["score"]),
        ("%wfnb resume ", ["demo", "other"]),
        ("%wfnb resume de", ["demo"]),
        ("%wfnb switch ro", ["robust", "rough"]),
        ("%wfnb strategy ", ["--list", *STRATEGIES]),
        ("%wfnb start new --strategy ", STRATEGIES),
        ("%wfnb start new --kind ", sorted(kinds())),
        ("%wfnb stages self", ["self_ask", "self_consistency"]),
        ("%wfnb score ro", ["robust", "rough"]),
        ("%wfnb merge rough --into ", BRANCHES),
        ("%wfnb confirm ", ["1", "2", "3"]),
        ("%wfnb why ", ["--json", "1", "2", "3"]),
        ("%wfnb run-stale ", ["--dry-run", "1", "2", "3"]),
        ("%wfnb run", ["run-stale", "runs"]),
        ("%wfnb status --", ["--json"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tab_offers_what_can_stand_there(prepared: Kernel, line: str, words: list[str]):
    assert sorted(prepared.complete(line)) == sorted(words)


@pytest.mark.parametrize("line", ["%%step --stage nope", "%wfnb nope ", "%wfnb undo x"])
def test_where_nothing_of_ours_can_stand_tab_is_ipythons(prepared: Kernel, line: str):
    assert not {*FLAGS, *BRANCHES, "action_execution"} & set(prepared.complete(line))


def test_tab_elsewhere_is_ipythons(prepared: Kernel):
    prepared.ok("a_long_name = 'x'")

    assert prepared.complete("a_long_n") == ["a_long_name"]
    assert "a_long_name.upper" in prepared.complete("a_long_name.up")
    assert "%%timeit" in prepared.complete("%%timei")
    assert "--profile" not in prepared.complete("%%time --")


@pytest.mark.parametrize("name", ["%step", "%%step", "%branch", "%%branch", "%wfnb"])
def test_the_magics_themselves_are_offered(prepared: Kernel, name: str):
    assert name in prepared.complete(name[:-1])


TABS = ("%%step --stage ", "%%branch ", "%wfnb resume ", "%%step --set ", "%%step --revises ")


def test_tab_records_nothing(kernel: Kernel):
    before = kernel.ok("%wfnb log --json").shown

    for line in TABS:
        kernel.complete(line)

    assert kernel.ok("%wfnb log --json").shown == before


def test_tab_starts_no_session_and_offers_what_one_of_the_name_has(tmp_path: Path):
    with running(tmp_path / "kernel", tmp_path / "home") as kernel:
        for line in (*TABS, "%%step --branch "):
            kernel.complete(line)
        assert not (tmp_path / "home").exists()
        assert "main" not in kernel.complete("%%step --branch ")

        kernel.ok("%step One")
        kernel.ok("%branch alt Two")
        kernel.restart()

        assert kernel.complete("%%step --branch ") == ["alt", "main"]
        assert kernel.complete("%%step --revises ") == ["1", "2"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("%%step?", "Record this cell as a step; its body runs as this notebook's own code."),
        ("%step?", "--revises N            this step corrects step N"),
        ("%%branch?", "Record this cell as the first, or next, step of an alternative line."),
        ("%branch?", "%%branch robust --from 2 A robust loss instead"),
        ("%wfnb?", "  compare     Lines side by side (all, without ID)."),
    ],
)
def test_a_question_mark_explains(kernel: Kernel, line: str, says: str):
    ran = kernel.ok(line)

    (page,) = ran.reply["payload"]
    assert says in page["data"]["text/plain"]
    assert ran.published == []
    assert kernel.steps("number") == []


@pytest.mark.parametrize("name", ["%%step", "%step", "%%branch", "%wfnb"])
def test_shift_tab_explains(kernel: Kernel, name: str):
    assert "wfnb" in kernel.inspect(name)
    assert "Record this cell" in kernel.inspect(name) or name == "%wfnb"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("%step", "%%step [N[/TOTAL]] [TITLE …] [options]"),
        ("%%step", "%%step [N[/TOTAL]] [TITLE …] [options]"),
        ("%%step\n\n", "%%step [N[/TOTAL]] [TITLE …] [options]"),
        ("%branch", "%%branch ID [--from N] [TITLE …] [options]"),
        ("%%branch", "%%branch ID [--from N] [TITLE …] [options]"),
        ("%wfnb", "%%step [N[/TOTAL]] [TITLE …]"),
        ("%wfnb help start", "%wfnb start NAME [--strategy S] [--kind K] [--fresh | --scratch]"),
    ],
)
def test_alone_they_show_help_with_examples(kernel: Kernel, line: str, says: str):
    ran = kernel.ok(line)

    assert ran.text.startswith(says)
    assert "%%step" in ran.text or "examples:" in ran.text
    assert MIME not in ran.shown[0]
    assert kernel.steps("number") == []


def test_a_cell_without_a_title_is_a_step(kernel: Kernel):
    kernel.ok("%%step\nx = 1")
    kernel.ok("%%step\n# Why not\nx = 1")

    assert kernel.steps("description") == ["x = 1", "Why not"]
