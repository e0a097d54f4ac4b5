"""A notebook that is renamed, copied, moved or deleted, and what becomes of its history."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab, notebook

WORK = ("%load_ext wfnb", "%%step Load\nx = [1, 2]", "%%step Sum\nsum(x)")


@pytest.fixture
def own(lab: Lab) -> Iterator[Lab]:
    """JupyterLab whose kernels keep sessions beside the notebooks: in folder `identity` of its
    own."""
    folder = lab.work / "identity"
    (folder / "moved").mkdir(parents=True, exist_ok=True)
    (folder / ".wfnb").mkdir(exist_ok=True)
    yield lab
    lab.close()


def cells(*texts: str) -> str:
    """A notebook whose kernel keeps sessions beside it, whatever the server says."""
    return notebook("import os; os.environ.pop('WFNB_HOME', None)", *texts)


def path_of(lab: Lab) -> str:
    return str(lab.run("return app.shell.currentWidget.context.path"))


def uid_of(lab: Lab) -> str | None:
    """The session that the metadata of the open notebook name."""
    found = lab.run("return app.shell.currentWidget.context.model.getMetadata('wfnb') ?? null")
    return None if found is None else str(found["session"])


def written(lab: Lab, other_than: str | None = None) -> str:
    """The session's id, once the front end has written it."""
    for _ in range(200):
        uid = uid_of(lab)
        if uid not in (None, other_than):
            return str(uid)
        lab.page.wait_for_timeout(100)
    pytest.fail("The metadata name no session.")


def rename(lab: Lab, to: str) -> None:
    lab.run("await app.serviceManager.contents.rename(values[0], values[1])", path_of(lab), to)
    lab.page.wait_for_function(
        "(path) => jupyterapp.shell.currentWidget.context.path === path", arg=to
    )


def live(lab: Lab) -> None:
    """Until the panel is connected: the journal tells it before that."""
    undo = lab.panel.locator(".wfnb-root:not([hidden])").get_by_role("button", name="undo")
    expect(undo).not_to_have_attribute("title", re.compile("^This"))


def lines_of(text: Locator) -> int:
    """How many lines a text takes, in the panel as wide as it opens."""
    return int(
        text.evaluate(
            "text => new Set([...text.getClientRects()].map(({bottom}) => Math.round(bottom))).size"
        )
    )


def with_kernel_of(lab: Lab, other: str) -> None:
    """Give the open notebook the kernel that another one has."""
    lab.run(
        """
        const {sessions} = app.serviceManager;
        await sessions.refreshRunning();
        const {kernel} = [...sessions.running()].find(({path}) => path === values[0]);
        await app.shell.currentWidget.sessionContext.changeKernel({id: kernel.id});
        """,
        other,
    )


def activate(lab: Lab, path: str) -> None:
    """Go to a notebook that is open."""
    lab.run(
        """
        const open = [...app.shell.widgets('main')];
        app.shell.activateById(open.find(each => each.context?.path === values[0]).id);
        """,
        path,
    )


def save(lab: Lab) -> None:
    lab.run("await app.shell.currentWidget.context.save()")


def restart_and_run_all(lab: Lab) -> None:
    lab.run(
        """
        const {sessionContext} = app.shell.currentWidget;
        await sessionContext.session.kernel.restart();
        await sessionContext.session.kernel.info;
        """
    )
    lab.run_all()


def listed(lab: Lab) -> dict[str, tuple[list[str], int]]:
    """All sessions: their notebooks, and how many steps they have."""
    lab.cell("%wfnb sessions --json")
    outputs = json.loads(lab.output(-1))
    text = next(each["data"] for each in outputs if "data" in each)
    data = text.get("application/vnd.wfnb+json")
    data = data or json.loads(text["text/plain"])
    return {each["session"]: (each["notebooks"], each["steps"]) for each in data["sessions"]}


def test_the_metadata_get_the_id_of_the_session_and_nothing_else(own: Lab):
    own.open("identity/one.ipynb", cells(*WORK))
    before = own.run("return app.shell.currentWidget.context.model.toJSON().metadata")
    own.run_all()

    uid = written(own)

    after = own.run("return app.shell.currentWidget.context.model.toJSON().metadata")
    assert len(uid) == 16
    assert after.pop("wfnb") == {"session": uid}
    assert {**after, "language_info": 0} == {**before, "language_info": 0}
    save(own)
    assert uid not in json.dumps(json.loads((own.work / "identity/one.ipynb").read_text())["cells"])


def test_a_history_goes_along_when_its_notebook_is_renamed_and_a_new_one_does_not_inherit(
    own: Lab,
):
    own.open("identity/Untitled.ipynb", cells(*WORK))
    own.run_all()
    expect(own.rows).to_have_count(2)
    uid = written(own)

    rename(own, "identity/penguins.ipynb")
    restart_and_run_all(own)

    expect(own.rows).to_have_count(2)
    assert uid_of(own) == uid
    assert listed(own)["Untitled"] == (["penguins.ipynb"], 2)
    save(own)
    own.close()

    own.open(
        "identity/Untitled.ipynb",
        cells("%load_ext wfnb", "%%step Another\n1").replace("cell-", "new-"),
    )
    own.run_all()
    assert "session 'Untitled-2' begins: 'Untitled' belongs to penguins.ipynb" in own.output(2)
    expect(own.rows).to_have_count(1)
    assert written(own) != uid


COPY = "This notebook is a copy of edits.ipynb: its first step asks which history to use."
MAX_LINES = 3


def test_a_copy_gets_a_history_of_its_own_and_the_original_is_unchanged(own: Lab, screen: Screen):
    own.open("identity/edits.ipynb", cells("%load_ext wfnb\n%wfnb start edits", *WORK[1:]))
    own.run_all()
    uid = written(own)
    save(own)
    before = listed(own)["edits"]
    own.close()
    text = (own.work / "identity/edits.ipynb").read_text()

    own.run(
        "const made = await app.serviceManager.contents.copy('identity/edits.ipynb', 'identity');"
        "await app.serviceManager.contents.rename(made.path, 'identity/edits-Copy9.ipynb');"
    )
    own.open("identity/edits-Copy9.ipynb")
    expect(own.panel.get_by_text(COPY)).to_be_visible()
    assert lines_of(own.panel.get_by_text(COPY)) <= MAX_LINES
    expect(own.rows).to_have_count(2)
    screen("of-the-journal")
    own.run_cell(0)
    own.cell("%load_ext wfnb")
    live(own)
    expect(own.panel.get_by_text(COPY)).to_be_visible()
    screen("of-the-kernel")
    own.begin(1)
    own.page.locator(".jp-Stdin input").press("Enter")
    own.idle()
    own.run(
        "app.shell.currentWidget.content.model.cells.get(2).sharedModel.setSource(values[0])",
        "%%step Load\nx = [1, 2, 3]",
    )
    own.run_cell(2)

    copied = written(own, other_than=uid)
    assert copied != uid
    expect(own.panel.get_by_text(COPY)).to_be_hidden()
    expect(own.rows).to_have_count(2)
    sessions = listed(own)
    assert sessions["edits"] == before
    assert sessions["edits-Copy9"] == (["edits-Copy9.ipynb"], 2)
    assert (own.work / "identity/edits.ipynb").read_text() == text
    save(own)
    restart_and_run_all(own)
    assert uid_of(own) == copied
    expect(own.rows).to_have_count(2)


def test_the_user_of_a_copy_may_go_on_with_the_history_of_the_original(own: Lab):
    own.open("identity/shared.ipynb", cells(*WORK))
    own.run_all()
    uid = written(own)
    save(own)
    own.close()
    path = own.work / "identity/shared-Copy1.ipynb"
    path.write_text((own.work / "identity/shared.ipynb").read_text())

    own.open("identity/shared-Copy1.ipynb")
    own.run_cell(0)
    own.run_cell(1)
    own.begin(2)
    field = own.page.locator(".jp-Stdin input")
    field.fill("here")
    field.press("Enter")
    own.idle()

    assert uid_of(own) == uid
    assert listed(own)["shared"][0] == ["shared.ipynb", "shared-Copy1.ipynb"]


def test_a_history_goes_along_when_its_notebook_is_moved_to_another_folder(own: Lab):
    own.open("identity/far.ipynb", cells(*WORK))
    own.run_all()
    uid = written(own)
    save(own)
    own.close()
    (own.work / "identity/far.ipynb").rename(own.work / "identity/moved/far.ipynb")

    own.open("identity/moved/far.ipynb")
    own.run_all()

    expect(own.rows).to_have_count(2)
    assert uid_of(own) == uid
    assert listed(own)["far"] == (["moved/far.ipynb"], 2)
    assert not (own.work / "identity/moved/.wfnb").exists()


def test_a_history_stays_when_its_notebook_is_deleted_and_the_next_of_its_name_begins_anew(
    own: Lab,
):
    own.open("identity/gone.ipynb", cells(*WORK))
    own.run_all()
    uid = written(own)
    own.close()
    own.run("await app.serviceManager.contents.delete('identity/gone.ipynb')")

    own.open("identity/gone.ipynb", cells(*WORK).replace("cell-", "later-"))
    own.run_all()

    assert written(own) != uid
    assert listed(own)["gone"][1] == 2
    assert listed(own)["gone-2"] == (["gone.ipynb"], 2)


def test_another_session_is_opened_from_a_list(own: Lab):
    own.open("identity/picked.ipynb", cells("%load_ext wfnb\n%wfnb open first", *WORK[1:]))
    own.run_all()
    first = written(own)
    own.cell("%wfnb open second")
    second = written(own, other_than=first)

    own.command_begun("wfnb:sessions")
    chosen = own.page.locator(".jp-Dialog select, .jp-Dialog input")
    expect(chosen.first).to_be_visible()
    options = own.page.locator(".jp-Dialog option")
    wanted = next(text for text in options.all_text_contents() if text.startswith("first · "))
    assert "picked.ipynb · 2 steps" in wanted
    own.page.locator(".jp-Dialog select").select_option(wanted)
    own.page.locator(".jp-Dialog .jp-mod-accept").click()

    expect(own.rows).to_have_count(2)
    assert written(own, other_than=second) == first


def test_a_step_of_another_notebook_is_not_said_to_be_deleted(own: Lab):
    own.open("identity/here.ipynb", cells("%load_ext wfnb\n%wfnb open both", *WORK[1:]))
    own.run_all()
    own.close()
    own.open(
        "identity/there.ipynb", cells("%load_ext wfnb\n%wfnb open both").replace("cell-", "b-")
    )
    own.run_all()
    expect(own.rows).to_have_count(2)

    own.rows.first.click()
    own.page.keyboard.press("Control+Enter")

    expect(own.page.get_by_text("The cell of this step is not in this notebook.")).to_be_visible()


def test_a_notebook_with_the_kernel_of_another_says_so_and_what_to_do(own: Lab, screen: Screen):
    own.open("identity/host.ipynb", cells(*WORK).replace("cell-", "h-"))
    own.run_all()
    expect(own.rows).to_have_count(2)
    own.open("identity/guest.ipynb", cells("%%step Mine\n1").replace("cell-", "g-"))

    with_kernel_of(own, "identity/host.ipynb")

    shown = own.panel.locator(".wfnb-root:not([hidden])")
    says = shown.get_by_text(
        "This kernel records for host.ipynb, not for this notebook. Choose another kernel, or run "
    )
    expect(says).to_be_visible()
    assert lines_of(says) <= MAX_LINES
    expect(shown.get_by_text("in host", exact=True)).to_have_count(2)
    expect(shown.get_by_text("no cell")).to_have_count(0)
    screen("refused")
    own.cell("%%step Mine\n1")
    assert "This kernel records into session 'host' of host.ipynb" in own.output(-1)
    own.cell("%wfnb open guest")
    own.cell("%%step Mine\n1")
    expect(says).to_be_hidden()
    expect(shown.get_by_role("row")).to_have_count(1)
    activate(own, "identity/host.ipynb")
    expect(shown.get_by_text("This kernel records for guest.ipynb")).to_be_visible()
    screen("the-other")


@pytest.mark.parametrize("last", ["owner", "asker"])
def test_after_a_reload_a_shared_kernel_records_for_the_notebook_that_it_did(own: Lab, last: str):
    """Whichever of both connects first."""
    owner, asker = f"identity/owner-{last}.ipynb", f"identity/asker-{last}.ipynb"
    opened = [
        (owner, cells(*WORK).replace("cell-", f"o{last}-")),
        (asker, cells("%%step Mine\n1").replace("cell-", f"a{last}-")),
    ]
    for path, text in opened if last == "asker" else opened[::-1]:
        own.open(path, text)
    activate(own, owner)
    own.run_all()
    shown = own.panel.locator(".wfnb-root:not([hidden])")
    expect(shown.get_by_role("row")).to_have_count(2)
    uid = written(own)
    save(own)
    activate(own, asker)
    with_kernel_of(own, owner)
    says = shown.get_by_text(f"This kernel records for owner-{last}.ipynb")
    expect(says).to_be_visible()
    save(own)

    for at_front in (asker, owner):
        activate(own, at_front)
        own.again()
        activate(own, asker)
        live(own)
        expect(says).to_be_visible()
        expect(shown.get_by_role("row")).to_have_count(2)
        own.run_cell(1)
        assert "This kernel records into session" in own.output(1)
        activate(own, owner)
        live(own)
        expect(says).to_be_hidden()
        own.run_cell(3)
        expect(shown.get_by_role("row")).to_have_count(2)
        assert uid_of(own) == uid


def test_a_session_that_is_not_kept_says_so(own: Lab, screen: Screen):
    own.open(
        "identity/passing.ipynb", cells("%load_ext wfnb\n%wfnb start passing --scratch", WORK[1])
    )
    own.run_all()

    says = own.panel.get_by_text("This session is in memory only: it ends with its kernel. ")
    expect(says).to_be_visible()
    assert lines_of(says) <= MAX_LINES
    screen()
    own.cell("%wfnb start lasting")
    expect(says).to_be_hidden()
    assert written(own)


def test_a_notebook_has_a_shared_kernel_for_itself_once_the_other_is_closed(own: Lab):
    own.open("identity/leaves.ipynb", cells(*WORK).replace("cell-", "l-"))
    own.run_all()
    written(own)
    save(own)
    own.open("identity/stays.ipynb", cells("%%step Mine\n1").replace("cell-", "s-"))
    with_kernel_of(own, "identity/leaves.ipynb")
    shown = own.panel.locator(".wfnb-root:not([hidden])")
    expect(shown.get_by_text("This kernel records for leaves.ipynb")).to_be_visible()

    activate(own, "identity/leaves.ipynb")
    own.leave(end=False)
    activate(own, "identity/stays.ipynb")

    expect(shown.get_by_text("This kernel records for leaves.ipynb")).to_be_hidden()
    own.run_cell(1)
    expect(shown.get_by_role("row")).to_have_count(1)
    sessions = listed(own)
    assert sessions["leaves"] == (["leaves.ipynb"], 2)
    assert sessions["stays"] == (["stays.ipynb"], 1)


def test_a_step_of_another_notebook_of_the_session_says_which(own: Lab, screen: Screen):
    own.open(
        "identity/first.ipynb",
        cells("%load_ext wfnb\n%wfnb open together", *WORK[1:]).replace("cell-", "f-"),
    )
    own.run_all()
    own.open(
        "identity/second.ipynb",
        cells("%load_ext wfnb\n%wfnb open together", "%%step Third\n3").replace("cell-", "b-"),
    )
    own.run_all()

    shown = own.panel.locator(".wfnb-root:not([hidden])")
    expect(shown.get_by_role("row")).to_have_count(3)
    expect(shown.get_by_text("in first", exact=True)).to_have_count(2)
    expect(shown.get_by_text("no cell")).to_have_count(0)
    shown.get_by_role("row").first.click()
    expect(shown.get_by_text("Its cell is in first.ipynb.")).to_be_visible()
    expect(shown.get_by_role("button", name="insert its cell below")).to_be_hidden()
    screen()
    activate(own, "identity/first.ipynb")
    expect(shown.get_by_text("in second", exact=True)).to_have_count(1)
