"""What cannot be done is one line on stderr, without a traceback, and an exit code."""

import json
import subprocess
import sys

import pytest

from wfnb.cli import invocation as exits
from wfnb.cli.hints_as_commands import ShellSpelling
from wfnb.cli.program import program
from wfnb.errors import (
    CallNotAsked,
    CallStands,
    CallUncertain,
    JournalCorrupt,
    JournalFull,
    JournalLocked,
    JournalReadOnly,
    JournalUnreadable,
    NothingCalled,
    QuestionNone,
    QuestionSeveral,
    RunAlive,
    RunEndedAlready,
    RunGoesOn,
    RunNone,
    RunNotResumable,
    SecretMissing,
)
from wfnb.hints import use_spelling

from .command import Desk, steps

HOSTILE = "x\x1b[31m\n../../etc/$(reboot) `id` 'q' \"q\" --x \u202e"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rum"], "wfnb: No such command 'rum'."),
        (["run"], "wfnb run: Missing argument 'FILE|NAME'."),
        (["run", "work", "--frm", "a"], "wfnb run: No such option"),
        (["run", "work", "--timeout", "x"], "wfnb run: Invalid value for '--timeout'"),
        (["run", "nope"], "wfnb: Workflow 'nope' not found. Available: build_production, "),
        (["run", "nope.yaml"], "wfnb: nope.yaml cannot be read as a workflow: No such file"),
        (["run", "./no/x.yaml"], "wfnb: ./no/x.yaml cannot be read as a workflow: No such file"),
        (["workflows", "import", "no/x.yaml"], "wfnb: no/x.yaml cannot be read as a workflow: No"),
        (["run", "."], "wfnb: '.' cannot be read as a workflow: it is a folder."),
        (["run", ""], "wfnb: '' cannot be read as a workflow: it is a folder."),
        (["run", "work.yaml", "--var", "x"], "wfnb run: --var 'x' is no KEY=VALUE. Written: --var"),
        (["run", "work.yaml", "--var", "x=["], "wfnb: --var x is '['. It needs a YAML value ("),
        (["run", "work.yaml", "--var", "2x=1"], "wfnb: a variable's name is '2x'. It needs"),
        (["run", "work.yaml", "--secret", "nope"], "wfnb run: the environment has no nope. Set it"),
        (
            ["run", "work.yaml", "--timeout", "0"],
            "wfnb: timeout is '0.0'. It needs a number from 1",
        ),
        (["run", "work.yaml", "--timeout", "nan"], "wfnb: timeout is 'nan'. It needs a number"),
        (["run", "work.yaml", "--session", " "], "wfnb: session"),
        (["log", "nope"], "wfnb: No run is called 'nope'. Runs: none yet."),
        (["log", "x\udcff"], "wfnb: No run is called 'x\\udcff'."),
        (["log", "last"], "wfnb: No run is called 'last'. Runs: none yet."),
        (["show", "nope"], "wfnb: No run is called 'nope'."),
        (["runs", "--session", "nope"], "wfnb: No session is called 'nope'. Sessions: none yet."),
        (["graph", "nope"], "wfnb: No run and no saved workflow is called 'nope'. Runs: none yet."),
        (["tools", "nope"], "wfnb: No tool is called 'nope'."),
        (["cancel"], "wfnb: No run is going on."),
        (["answer", "yes"], "wfnb: No question is open."),
        (["workflows", "show", "nope"], "wfnb: Workflow 'nope' not found."),
        (["workflows", "delete", "simple_test"], "wfnb: Workflow 'simple_test' comes with wfnb"),
        (["workflows", "show", "../x"], "wfnb: workflow_name is '../x'. It needs up to 64 letters"),
        (["graph", "work.yaml", "-o", "x.gif"], "wfnb: --output is 'x.gif'. It needs one of the"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_and_leaves_no_journal(desk: Desk, words, said):
    desk.write(steps("true"))

    found = desk.wfnb(*words)

    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(said)
    assert found.err.count("\n") == 1
    assert not list(desk.folder.rglob("journal.db"))


@pytest.mark.parametrize("command", ["run", "check", "log", "show", "graph", "resume", "cancel"])
def test_a_hostile_name_is_shown_harmless_on_one_line(desk: Desk, command):
    found = desk.wfnb(command, "--", HOSTILE)

    assert (found.code, found.out) == (2, "")
    assert found.err.count("\n") == 1
    assert found.err.strip("\n").isprintable()


def test_hostile_words_reach_the_tool_as_they_are(desk: Desk):
    file = desk.write(steps("printf %s {text!q}"), "-a b'c.yaml")
    text = HOSTILE.replace("\x1b", "")

    said = desk.wfnb("run", "--var", f"text={json.dumps(text)}", "--json", "--", f"./{file.name}")

    assert said.code == 0
    assert said.data["execution_log"][0]["result"]["stdout"] == text


def test_all_problems_of_a_definition_are_said_at_once(desk: Desk):
    file = desk.write(
        {"steps": [{"tool": "shel", "args": {}}, {"tool": "shell", "args": {"comand": "ls"}}]}
    )

    said = desk.wfnb("run", file)

    assert said.code == 2
    first, *problems, way = said.err.splitlines()
    assert first == "wfnb: The workflow has 3 problems:"
    assert len(problems) == 3
    assert way == "`--tools FILE` brings tools of your own."


def test_an_option_is_suggested_only_where_it_is_near(desk: Desk):
    near, far = desk.wfnb("cancel", "--rolback"), desk.wfnb("run", "--frob", "x")

    assert "Did you mean '--rollback'?" in near.err
    assert far.err == "wfnb run: No such option '--frob'. `wfnb run --help` says what there is.\n"


def test_a_text_alone_is_no_workflow(desk: Desk):
    file = desk.folder / "text.yaml"
    file.write_text("just text")

    assert desk.wfnb("run", file).err == (
        f"wfnb: {file} cannot be read as a workflow: "
        "it has no `steps` or `states`, only the text 'just text'.\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        RunAlive("vm 1"),
        RunEndedAlready("success"),
        NothingCalled("work-9", ("work-1",), ("deploy",)),
        RunNone(("work-1",)),
        RunGoesOn("work-1"),
        RunNotResumable("success"),
        CallUncertain(("a",)),
        CallUncertain(("a (shell)", "work-2/b (shell)")),
        CallNotAsked("x", ("a",)),
        CallStands(("a",), "b", ("c",)),
        QuestionNone(),
        QuestionSeveral(("a", "b")),
        SecretMissing("work-1", ("token",)),
        JournalLocked("x"),
        JournalReadOnly("x"),
        JournalUnreadable("x"),
        JournalFull("x"),
        JournalCorrupt("x", "y"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_way_on_that_is_shown_is_one_of_a_notebook(error):
    use_spelling(ShellSpelling())

    said = str(error)

    assert [word for word in ("%", "cell", "--resume") if word in said] == []
    assert said.endswith(".")


def test_what_was_cut_off_is_not_called_again_and_taken_as_done(desk: Desk):
    said = desk.wfnb("resume", "work-1", "--again", "--done")

    assert said.code == 2
    assert "--again and --done contradict each other. Write one." in said.err


def test_help_is_shown_without_loading_what_runs_workflows(desk: Desk):
    modules = "import sys, wfnb.cli.program; print(*sorted(sys.modules))"

    loaded = set(python(desk, modules).split())

    assert not loaded & {"pydantic", "asyncio", "sqlite3", "yaml", "IPython", "wfnb.home_folder"}


@pytest.mark.parametrize("words", [["run", "x.yaml"], ["run", "--dry-run", "x.yaml"]])
def test_a_link_that_leads_in_a_circle_is_no_file(desk: Desk, words: list[str]):
    (desk.folder / "x.yaml").symlink_to("x.yaml")

    said = desk.wfnb(*words)

    assert (said.code, said.out, said.err) == (
        *(2, ""),
        "wfnb: x.yaml cannot be read as a workflow: Too many levels of symbolic links.\n",
    )


def test_nothing_is_loaded_before_an_interrupt_is_minded(desk: Desk):
    modules = "import sys; b = {*sys.modules}; import wfnb.cli; print(*sorted({*sys.modules} - b))"

    assert python(desk, modules).split() == ["__future__", "wfnb", "wfnb.cli"]


def test_a_log_is_read_without_what_runs_workflows(desk: Desk):
    desk.wfnb("run", desk.write(steps("true")))
    modules = (
        "import sys; from wfnb.cli.invocation import run_command; run_command(['log', 'last']); "
        "print(*sorted(sys.modules))"
    )

    loaded = set(python(desk, modules).splitlines()[-1].split())

    heavy = {
        "asyncio",
        "yaml",
        "IPython",
        "jsonschema",
        "pexpect",
        "regex",
        "wfnb.workflows.runner.runner",
    }
    assert not loaded & heavy


def python(desk: Desk, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=desk.folder,
        env=desk.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize("raised", [MemoryError(), RuntimeError("can't start new thread")])
def test_too_little_memory_is_one_line(raised, monkeypatch, capsys):
    def fails(context: object) -> None:
        raise raised

    monkeypatch.setattr(program, "invoke", fails)

    assert exits.run_command(["runs"]) == 1
    assert capsys.readouterr().err == (
        "wfnb: There is not enough memory for it. Allow more (`ulimit -v`).\n"
    )
