"""Which run is meant, what it asks, what it came to: the verbs say it, or refuse and say how."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import MIME, Kernel, running

pytestmark = pytest.mark.kernel

ASKS = """%%run_workflow asks --background --no-save
steps:
- {id: confirm, tool: ask, args: {question: 'Go on?', choices: ['yes', 'no']}}
- {id: told, tool: shell, args: {command: 'echo {steps.confirm.answer}'}}
"""
CALLS = """%%run_workflow calls --background --no-save
steps:
- {id: below, tool: run_workflow, args: {workflow_definition: {name: inner, steps: [
    {id: sure, tool: ask, args: {question: 'Sure?'}}]}}}
"""
MADE = """%%run_workflow made --background --no-save
rollback_on_cancel: true
steps:
- id: one
  tool: shell
  args: {command: touch one}
  compensation: {tool: shell, args: {command: rm one}}
- id: two
  tool: shell
  args: {command: touch two}
  compensation: {tool: shell, args: {command: rm two}}
- {id: wait, tool: shell, args: {command: 'touch waits; exec sleep 600'}, timeout: 700}
"""
LEAVE = """from contextlib import suppress
while run := wfnb.open('demo').runs.running():
    with suppress(wfnb.errors.Refused): run.stop(rollback=False)
    run.wait()
"""
DONE = "%%run_workflow done\nsteps: [{id: a, tool: shell, args: {command: echo hi}}]"


@pytest.fixture
def kernel(shared: Kernel, kernel: Kernel):
    """Its folder is empty, and nothing goes on in it afterwards."""
    yield kernel
    kernel.ok(LEAVE)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory):
    with running(tmp_path_factory.mktemp("choice")) as kernel:
        kernel.ok("import wfnb")
        yield kernel


def asked(kernel: Kernel, *cells: str, questions: int | None = None) -> None:
    """The cells, until as many questions are open."""
    for cell in cells:
        kernel.ok(cell)
    kernel.ok(
        f"while len(wfnb.open('demo').runs.open_questions()) < {questions or len(cells)}: pass"
    )


def test_an_answer_goes_to_the_run_that_asks_and_to_none_of_several(kernel: Kernel):
    asked(kernel, ASKS, ASKS)

    refusal = kernel.run("%wfnb answer yes").refusal
    named = kernel.ok("%wfnb answer no --run asks-2").text
    kernel.ok("%wfnb wait asks-2")
    only = kernel.ok("%wfnb answer yes").text

    way = "Say which: %wfnb answer TEXT --run asks-2."
    assert refusal == f"Several runs may be meant: asks-1, asks-2. {way}"
    assert (named, only) == ("asks-2: answered no", "asks-1: answered yes")


def test_a_question_of_a_run_within_a_run_is_answered_by_the_name_of_either(kernel: Kernel):
    asked(kernel, CALLS, CALLS)

    said = kernel.ok("%wfnb runs").text
    outer = kernel.ok("%wfnb answer yes --run calls-1").text
    inner = kernel.ok("%wfnb answer yes --run inner-2").text

    assert "sure asks: Sure?: %wfnb answer TEXT --run inner-1" in said
    assert (outer, inner) == ("inner-1: answered yes", "inner-2: answered yes")


def test_of_several_runs_that_go_on_none_is_cancelled_without_its_name(kernel: Kernel):
    asked(kernel, ASKS, ASKS)

    refusal = kernel.run("%wfnb cancel").refusal
    named = kernel.ok("%wfnb cancel asks-1").text
    only = kernel.ok("%wfnb cancel").text

    way = "Say which: %wfnb cancel asks-2."
    assert refusal == f"Several runs may be meant: asks-1, asks-2. {way}"
    assert (named, only) == ("asks-1 cancelled", "asks-2 cancelled")


def test_runs_shows_what_a_run_asks(kernel: Kernel):
    asked(kernel, ASKS)

    shown = kernel.ok("%wfnb runs").shown[0]

    question = "confirm asks: Go on? (yes · no): %wfnb answer yes"
    assert shown["text/plain"].splitlines()[-1].endswith(question)
    assert shown[MIME]["runs"][0]["asks"] == [question]


def test_runs_shows_that_a_run_which_asked_when_its_kernel_died_is_to_be_resumed(tmp_path: Path):
    with running(tmp_path) as kernel:
        kernel.ok("import wfnb\n%wfnb start demo")
        asked(kernel, ASKS)
        kernel.kill()
        kernel.restart()
        kernel.ok("%wfnb resume demo")

        shown = kernel.ok("%wfnb runs").shown[0]

    last = shown["text/plain"].splitlines()[-1].split(maxsplit=5)
    assert last[2:4] == ["◐", "interrupted"]
    assert last[5] == "%run_workflow --resume asks-1"
    assert "asks" not in shown[MIME]["runs"][0]


def begun(kernel: Kernel) -> None:
    for path in map(kernel.folder.joinpath, ("waits", "one", "two")):
        path.unlink(missing_ok=True)
    kernel.ok(MADE)
    while not (kernel.folder / "waits").exists():
        pass


def test_what_a_cancelled_run_undid_is_said(kernel: Kernel):
    begun(kernel)

    assert kernel.ok("%wfnb cancel").text == "made-1 cancelled · 2 undone"

    notes = [action["note"] for action in kernel.ok("%wfnb show made-1").shown[0][MIME]["actions"]]
    assert notes[:2] == ["undone", "undone"]


def test_what_was_not_undone_is_said(kernel: Kernel):
    begun(kernel)

    assert kernel.ok("%wfnb cancel --no-rollback").text == "made-1 cancelled · 2 not undone"


def test_what_is_undone_of_a_run_whose_kernel_died_is_said(tmp_path: Path):
    with running(tmp_path) as kernel:
        begun(kernel)
        kernel.kill()
        kernel.restart()

        assert kernel.ok("%wfnb cancel").text == "made-1 cancelled · 2 undone"


def test_where_no_run_failed_there_is_none_to_go_on_with(kernel: Kernel):
    none = kernel.run("%run_workflow --resume last").refusal
    kernel.ok(DONE)
    all_well = kernel.run("%run_workflow --resume last").refusal

    fact = "%%run_workflow: no run of this session failed or was stopped."
    assert none == f"{fact} Write a workflow under %%run_workflow, or name a saved one."
    assert all_well == f"{fact} `--resume done-1 --from STATE` does a part again. Runs: done-1."
    assert "✓ success" in kernel.ok("%run_workflow --resume done-1 --from a").text


@pytest.mark.parametrize(
    ("line", "usage"),
    [
        ("%wfnb call shell command=ls --help", "%wfnb call TOOL [KEY=VALUE …]"),
        ("%wfnb start --help", "%wfnb start NAME [--strategy S]"),
        ("%run_workflow --help", "%%run_workflow [NAME | FILE] [options]"),
        ("%%run_workflow --help\nsteps: []", "%%run_workflow [NAME | FILE] [options]"),
        ("%%step --help", "%%step [N[/TOTAL]] [TITLE …] [options]"),
        ("%%branch alt --help", "%%branch ID [--from N] [TITLE …] [options]"),
        ("%wfnb --help", "%%step [N[/TOTAL]] [TITLE …]    record this cell as a step"),
    ],
)
def test_help_is_an_option_of_all(kernel: Kernel, line: str, usage: str):
    assert kernel.ok(line).text.startswith(usage)
    assert kernel.steps("step_number") == []


def test_after_two_dashes_help_is_a_word(kernel: Kernel):
    kernel.ok("%step -- What --help says")

    assert kernel.steps("description") == ["What --help says"]


@pytest.mark.parametrize(
    ("value", "fact"),
    [
        ("false", "command is false; it needs text or a list."),
        ("10", "command is 10; it needs text or a list."),
        ("""'["a", 1]'""", "command.1 is 1; it needs text."),
        (r'''"{a: \"it's\"}"''', "command is a mapping; it needs text or a list."),
    ],
)
def test_a_text_that_reads_as_something_else_is_shown_how_to_be_quoted(
    kernel: Kernel, value: str, fact: str
):
    said, _, way = kernel.run(f"%wfnb call shell command={value}").refusal.partition(" As text: ")

    assert said == f"%wfnb call: {fact}"
    assert "exit code" in kernel.run(f"%wfnb call shell {way}").refusal


def test_the_versions_of_a_workflow_are_told_from_the_newest_on(kernel: Kernel):
    for word in ("one", "two", "three"):
        kernel.ok(DONE.replace("hi", word), "cell-1")
    kernel.ok("%run_workflow done")

    shown = kernel.ok("%wfnb workflows versions done").shown[0]

    told = [line.split() for line in shown["text/plain"].splitlines()[1:]]
    newest, oldest = shown[MIME]["versions"]
    assert told[-3:] == [["done", "current", "2×"], [newest, "1×"], [oldest, "1×"]]
    assert "echo two" in kernel.ok(f"%wfnb workflows show {newest}").text
    assert kernel.run("%wfnb workflows versions nope").refusal.startswith("Workflow 'nope' not")


def test_a_call_is_shown_while_it_goes_on_and_an_interrupt_stops_it(kernel: Kernel):
    request = kernel.send("%wfnb call shell command='echo waiting; exec sleep 600'", "cell-1")
    published = []
    for message in kernel.published(request):
        published.append(message)
        if "│ waiting" in str(message["content"].get("data")) and len(published) < 1000:
            kernel.interrupt()
            break
    published += kernel.published(request)
    reply = kernel.reply(request)

    assert published[0]["content"]["data"]["text/plain"].startswith("call-1 · ▶ running")
    assert published[-2]["msg_type"] == "update_display_data"
    assert reply["evalue"].startswith("Run shell cancelled")
