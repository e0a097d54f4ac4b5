"""A run that blocks its cell is watched, cancelled, answered and resumed from the panel."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab, notebook
from .test_looks import AXE

START = "%load_ext wfnb\n%wfnb start work --fresh"
UNDOES = """%%run_workflow move
rollback_on_cancel: true
steps:
  - {id: pack, tool: shell, args: {command: "echo packed"},
     compensation: {tool: sleep, args: {seconds: 600}}}
  - {id: drive, tool: sleep, args: {seconds: 600}}
"""
ASKS = """%%run_workflow release
steps:
  - {id: sure, tool: ask, args: {question: "Release it <b>now</b>?", choices: [yes, no]}}
  - {id: name, tool: ask, args: {question: "Under which name?"}}
  - {id: say, tool: shell, args: {command: "echo {sure.answer} {name.answer}"}}
"""
UNDONE = """%%run_workflow move
rollback_on_cancel: true
steps:
  - {{id: pack, tool: shell, args: {{command: "echo packed"}},
     compensation: {{tool: shell, args: {{command: "sleep 1; touch {file}"}}}}}}
  - {{id: drive, tool: sleep, args: {{seconds: 600}}}}
"""
AGAIN = """%%run_workflow again --background --no-save
initial_state: sure
states:
  sure:
    action: {tool: ask, params: {question: "Once more?", choices: ["yes", "no"]}}
    transitions:
      - {condition: {field_equals: {answer: "yes"}}, next_state: sure}
      - {condition: {success: true}, next_state: tag}
  tag:
    action: {tool: ask, params: {question: "Which tag?"}}
"""
SECRET = """%%run_workflow fetch --secret token --background
variables: {token: {secret: true}}
steps:
  - {id: look, tool: shell, args: {command: "[ {token} = none ]"}}
"""
WEIGHS = """%%run_workflow send --background
variables: {limit: {type: number, default: 3, description: in kg}, to: Morris}
steps:
  - {id: weigh, tool: shell, args: {command: "test {limit!q} = 5"}}
  - {id: send, tool: shell, args: {command: "echo {to!q}"}}
"""
NEEDS = """%%run_workflow fetch
steps:
  - {{id: tell, tool: shell, args: {{command: "echo looking"}}}}
  - {{id: look, tool: shell, args: {{command: "cat {file}"}}}}
"""
STANDS = """%%run_workflow move
rollback_on_cancel: true
steps:
  - {{id: pack, tool: shell, args: {{command: "echo pack >> {log}"}},
     compensation: {{tool: shell, args: {{command: "echo unpack >> {log}"}}}}}}
  - {{id: charge, tool: shell, args: {{command: "echo charge >> {log}"}}}}
  - {{id: send, tool: shell, args: {{command: "echo send >> {log}"}}}}
  - {{id: drive, tool: shell, args: {{command: "while [ ! -e {gate} ]; do sleep 0.05; done"}}}}
"""
TALKS = """%%run_workflow talk
steps:
  - id: say
    tool: shell
    args: {{command: "echo one; while [ ! -e {gate} ]; do sleep 0.05; done; echo two"}}
"""


def begun(lab: Lab, text: str, name: str, start: str = START) -> Locator:
    """A notebook whose second cell runs a workflow, and blocks -> the run in the panel."""
    lab.open(f"{name}.ipynb", notebook(start, text))
    lab.run_cell(0)
    lab.begin(1)
    lab.panel.get_by_role("tab", name="Runs").click()
    run = lab.panel.get_by_role("listitem", name=f"{name}-1", exact=True)
    expect(run).to_be_visible()
    return run


def test_a_run_is_cancelled_in_the_middle_of_its_cell(lab: Lab, screen: Screen):
    run = begun(lab, UNDOES, "move")
    expect(run).to_contain_text("drive")

    run.get_by_role("button", name="Cancel").click()
    at_once = run.get_by_role("button", name="Stop at once")
    expect(at_once).to_be_visible()
    expect(run).to_contain_text("pack")
    screen("stopping")
    at_once.click()

    expect(run).to_contain_text("cancelled")
    lab.idle()
    assert "RunFailed" in lab.output(1)


def test_a_double_click_on_cancel_is_one_and_what_was_done_is_undone(lab: Lab, tmp_path: Path):
    file = tmp_path / "unpacked"
    run = begun(lab, UNDONE.format(file=file), "move")
    expect(run).to_contain_text("drive")

    run.get_by_role("button", name="Cancel").dblclick()

    expect(run).to_contain_text("cancelled")
    lab.idle()
    assert file.exists()


def test_a_double_click_answers_one_question_and_the_next_one_has_the_focus(
    lab: Lab, screen: Screen
):
    run = begun(lab, AGAIN, "again")

    run.get_by_role("button", name="yes").dblclick()
    expect(run).to_contain_text("1 done")
    expect(run.locator("form").get_by_role("status")).to_have_text("")
    expect(run.get_by_role("button", name="yes")).to_be_focused()
    screen()
    run.get_by_role("button", name="no").focus()
    lab.page.keyboard.press("Enter")
    expect(run.get_by_label("Which tag?")).to_be_focused()
    lab.page.keyboard.type("v1")
    lab.page.keyboard.press("Enter")

    expect(run).to_contain_text("3 done")
    expect(run).to_contain_text("success")


@pytest.mark.parametrize("ends", ["while it is closed", "when it is open again"])
def test_the_cell_of_a_run_in_a_notebook_that_was_closed_tells_the_end(
    lab: Lab, tmp_path: Path, screen: Screen, ends: str
):
    gate = tmp_path / "gate"
    begun(lab, TALKS.format(gate=gate).replace("talk", "talk --background", 1), "talk")
    lab.idle()
    assert "running" in lab.output(1)
    lab.leave(end=False)
    if ends == "while it is closed":
        gate.touch()
        wait_for_end(lab, "talk.ipynb")

    lab.open_again("talk.ipynb", kernel=True)
    gate.touch()

    shown = lab.page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")
    expect(shown).to_contain_text("✓ success")
    expect(shown).not_to_contain_text("running")
    screen()


def wait_for_end(lab: Lab, name: str) -> None:
    """Until the run of a notebook's kernel has ended; no notebook is open."""
    ended = """
        const path = values[0];
        await app.serviceManager.sessions.refreshRunning();
        const model = [...app.serviceManager.sessions.running()].find(one => one.path === path);
        const session = app.serviceManager.sessions.connectTo({model});
        const code = "_ = get_ipython().run_line_magic('wfnb', 'wait talk-1')";
        const done = await session.kernel.requestExecute({code, store_history: false}).done;
        if (done.content.status !== "ok") { throw new Error(JSON.stringify(done.content)); }
        session.dispose();
    """
    lab.run(ended, name)


def test_what_was_refused_is_said_at_the_run_until_something_else_is_done(lab: Lab, screen: Screen):
    knows = f"{START}\nimport os\nos.environ['token'] = 'hush-hush'"
    run = begun(lab, SECRET, "fetch", knows)
    refused = run.get_by_role("alert")
    resume = run.get_by_role("button", name="Resume")
    resume.click()
    token = run.get_by_label("token")
    expect(token).to_be_focused()

    resume.click()
    expect(refused).to_contain_text("token is not known: secrets are never kept.")
    expect(refused.locator("code")).to_have_text("--secret token")
    screen()
    run.get_by_role("button", expanded=False).click()
    expect(refused).to_be_hidden()

    resume.click()
    expect(refused).to_be_visible()
    token.fill("none")
    expect(refused).to_be_hidden()
    token.press("Enter")
    expect(run).to_contain_text("success")
    expect(token).to_have_count(0)


def test_what_a_run_asks_is_answered_while_its_cell_blocks(lab: Lab, screen: Screen):
    run = begun(lab, ASKS, "release")
    lab.panel.get_by_role("tab", name="Timeline").click()
    expect(lab.panel.locator(".wfnb-asked")).to_contain_text("Release it <b>now</b>?")

    lab.panel.get_by_role("button", name="Answer release-1").click()
    screen("choices")
    expect(run.get_by_role("button", name="yes")).to_be_focused()
    lab.page.keyboard.press("Enter")
    lab.asks_in_its_cell("Under which name?")
    field = run.get_by_label("Under which name?")
    field.fill("spring")
    screen("words")
    field.press("Enter")

    expect(run).to_contain_text("success")
    lab.idle()
    expect(lab.page.locator(".jp-Stdin")).to_have_count(0)
    assert "yes spring" in lab.output(1)
    lab.cell("'the next cell runs'")
    expect(lab.page.get_by_text("the next cell runs").last).to_be_visible()


def test_a_run_that_failed_is_resumed(lab: Lab, tmp_path: Path, screen: Screen):
    file = tmp_path / "found.txt"
    run = begun(lab, NEEDS.format(file=file), "fetch")
    expect(run).to_contain_text("failed")
    screen("failed")
    file.write_text("here")

    run.get_by_role("button", name="Resume").click()

    expect(run).to_contain_text("success")


def test_a_run_is_resumed_with_another_value_by_two_clicks(lab: Lab, screen: Screen):
    run = begun(lab, WEIGHS, "send")
    expect(run).to_contain_text("failed")
    resume = run.get_by_role("button", name="Resume: send-1")

    resume.click()
    expect(run.get_by_label("limit")).to_be_focused()
    expect(run.get_by_role("textbox", name="to")).to_have_value("Morris")
    screen()
    lab.page.evaluate(AXE.read_text())
    assert (
        lab.page.evaluate("async () => (await axe.run('#wfnb-panel')).violations.map(e => e.id)")
        == []
    )
    lab.page.keyboard.type("5")  # over what is selected
    resume.click()

    expect(run).to_contain_text("success")
    expect(run.get_by_label("limit")).to_have_count(0)


def test_a_run_goes_on_when_each_call_is_answered_that_may_not_be_made_twice(
    lab: Lab, tmp_path: Path, screen: Screen
):
    log, gate = tmp_path / "log", tmp_path / "gate"
    run = begun(lab, STANDS.format(log=log, gate=gate), "move")
    expect(run).to_contain_text("3 of 4")
    run.get_by_role("button", name="Cancel").click()
    resume = run.get_by_role("button", name="Resume: move-1")
    resume.click()

    charge, send = (run.get_by_role("group", name=call, exact=True) for call in ("charge", "send"))
    expect(charge.get_by_label("Call it again")).to_be_focused()
    expect(run.get_by_role("alert").filter(visible=True)).to_contain_text("charge (shell)")
    lab.page.keyboard.press("ArrowRight")
    expect(charge.get_by_label("It was done")).to_be_checked()
    resume.click()
    expect(send.get_by_label("Call it again")).to_be_focused()
    lab.page.keyboard.press("Space")
    screen()
    gate.touch()
    lab.page.keyboard.press("Tab")
    expect(resume).to_be_focused()
    lab.page.keyboard.press("Enter")

    expect(run).to_contain_text("success")
    expect(charge).to_have_count(0)
    assert log.read_text().split() == ["pack", "charge", "send", "unpack", "pack", "send"]


def test_an_opened_run_shows_what_is_printed_as_it_is_printed(
    lab: Lab, tmp_path: Path, screen: Screen
):
    gate = tmp_path / "gate"
    run = begun(lab, TALKS.format(gate=gate), "talk")

    run.get_by_role("button", expanded=False).click()
    log = run.get_by_label("Output of talk-1")
    expect(log).to_contain_text("one")
    expect(log).not_to_contain_text("two")
    screen("opened")
    gate.touch()

    expect(log).to_contain_text("two")
    expect(run).to_contain_text("success")
    lab.idle()


@pytest.mark.parametrize("deed", ["cancel", "answer"])
def test_the_widget_does_the_same_while_a_cell_blocks(lab: Lab, deed: str, screen: Screen):
    lab.open("cell.ipynb", notebook(START, "%wfnb panel", UNDOES if deed == "cancel" else ASKS))
    lab.run_cell(0)
    lab.run_cell(1)
    widget = lab.page.locator(".jp-OutputArea-output .wfnb-in-cell")
    expect(widget).to_be_visible()
    lab.begin(2)
    widget.get_by_role("tab", name="Runs").click()

    if deed == "cancel":
        widget.get_by_role("button", name="Cancel: move-1").click()
        widget.get_by_role("button", name="Stop at once: move-1").click()
    else:
        widget.get_by_role("button", name="no").click()
        lab.asks_in_its_cell("Under which name?")
        widget.get_by_label("Under which name?").fill("x")
        widget.get_by_label("Under which name?").press("Enter")

    expect(widget.get_by_role("listitem").first).to_contain_text(
        "cancelled" if deed == "cancel" else "success"
    )
    screen(deed)
    lab.idle()
