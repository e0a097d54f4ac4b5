"""Cells that are edited, split, merged, copied, moved, deleted: what becomes of their steps."""

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Screen
from .lab import Lab, notebook

SOURCES = (
    "%load_ext wfnb\n%wfnb start cells --fresh",
    "%%step Load the readings\n# Hourly means.\nreadings = [1, 2, 3]\nlimit = 2",
    "%%step Fit a line\nfit = sum(readings)",
    "print(fit)",
)
CELLS = notebook(*SOURCES)


@pytest.fixture
def cells(lab: Lab) -> Lab:
    """Two steps in the panel, of cell-1 and cell-2; cell-3 is no step."""
    lab.open("cells.ipynb", CELLS)
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    expect(badge(lab, 1)).to_have_text("step 1 · ✓ ok")
    return lab


def badge(lab: Lab, at: int) -> Locator:
    return lab.page.locator(".jp-Notebook .jp-Cell").nth(at).locator(":scope > .wfnb-badge")


def write(lab: Lab, at: int, text: str) -> None:
    lab.run(
        """
        const {model} = app.shell.currentWidget.content;
        model.sharedModel.getCell(values[0]).setSource(values[1]);
        """,
        at,
        text,
    )


def select(lab: Lab, at: int) -> None:
    lab.run(
        """
        const notebook = app.shell.currentWidget.content;
        notebook.deselectAll();
        notebook.activeCellIndex = values[0];
        await notebook.activeCell.ready;
        """,
        at,
    )


def split(lab: Lab, at: int, line: int) -> None:
    """Split a cell before a line."""
    select(lab, at)
    lab.run(
        """
        const notebook = app.shell.currentWidget.content;
        notebook.mode = 'edit';
        const editor = notebook.activeCell.editor;
        editor.focus();
        editor.setCursorPosition({line: values[0], column: 0});
        await app.commands.execute('notebook:split-cell-at-cursor');
        """,
        line,
    )


def save(lab: Lab) -> None:
    lab.run("await app.shell.currentWidget.context.save()")


def steps(lab: Lab) -> list[tuple[int, int, int]]:
    """Number, attempts and versions of each step, as the kernel has them."""
    found = lab.run(
        """
        const {kernel} = app.shell.currentWidget.sessionContext.session;
        const code = `
from wfnb.jupyter.ipython_extension import _LOADED
_session = _LOADED[get_ipython()].notebook.open().session
print([(s.number, s.attempts, len(s.versions)) for s in _session.steps.values()])`;
        const future = kernel.requestExecute({code, store_history: false, silent: false});
        let text = '';
        future.onIOPub = ({content}) => { text += content.text ?? ''; };
        await future.done;
        return text;
        """
    )
    return [tuple(each) for each in eval(str(found))]


def test_a_cell_that_is_edited_says_so_until_it_is_run(cells: Lab, screen: Screen):
    write(cells, 1, "%%step Load the readings\nreadings = [1, 2]\nlimit = 2")

    expect(badge(cells, 1)).to_have_text("step 1 · ✎ edited")
    screen()
    cells.run_cell(1)
    expect(badge(cells, 1)).to_have_text("step 1 · ✓ ok")


def test_white_space_at_the_end_is_no_edit(cells: Lab):
    write(cells, 2, "%%step Fit a line  \nfit = sum(readings)\n\n ")
    write(cells, 1, "%%step Load\n")

    expect(badge(cells, 1)).to_contain_text("edited")
    expect(badge(cells, 2)).to_have_text("step 2 · ✓ ok")


def test_a_cell_that_is_no_step_any_more_has_no_badge(cells: Lab):
    write(cells, 2, "fit = sum(readings)")
    expect(badge(cells, 2)).to_have_count(0)
    cells.run_cell(2)

    expect(badge(cells, 1)).to_have_count(1)
    expect(badge(cells, 2)).to_have_count(0)


def test_a_cell_that_becomes_markdown_has_no_badge_and_its_step_has_no_cell(
    cells: Lab, screen: Screen
):
    select(cells, 2)
    cells.command("notebook:change-cell-to-markdown")

    expect(badge(cells, 2)).to_have_count(0)
    expect(cells.rows.nth(1).get_by_text("no cell")).to_be_visible()
    screen()
    cells.command("notebook:change-cell-to-code")
    expect(cells.rows.nth(1).get_by_text("no cell")).to_be_hidden()
    cells.run_cell(2)
    assert [number for number, _, _ in steps(cells)] == [1, 2]


def test_a_badge_opens_its_step_in_the_panel(cells: Lab):
    badge(cells, 2).get_by_role("button").click()

    expect(cells.panel.locator(".wfnb-card")).to_have_attribute("aria-label", "Step 2")


def test_a_cell_that_was_split_is_one_step_with_less_code(cells: Lab):
    split(cells, 1, 3)
    expect(badge(cells, 2)).to_have_count(0)

    cells.run_cell(1)
    cells.run_cell(2)

    expect(badge(cells, 1)).to_contain_text("step 1")
    expect(badge(cells, 2)).to_have_count(0)
    assert [number for number, _, _ in steps(cells)] == [1, 2]


def test_cells_that_were_merged_are_the_step_whose_title_is_there(cells: Lab):
    """The last has the id that stays: it was no step."""
    cells.run(
        """
        const notebook = app.shell.currentWidget.content;
        notebook.deselectAll();
        notebook.activeCellIndex = 3;
        notebook.extendContiguousSelectionTo(2);
        await app.commands.execute('notebook:merge-cells');
        """
    )
    expect(cells.rows.nth(1).get_by_text("no cell")).to_be_visible()  # the kernel knows it, too

    cells.run_cell(2)

    expect(badge(cells, 2)).to_contain_text("step 2")
    assert [number for number, _, _ in steps(cells)] == [1, 2]


def test_a_cell_that_was_copied_is_a_step_of_its_own_and_says_what_it_copies(
    cells: Lab, screen: Screen
):
    select(cells, 1)
    cells.command("notebook:copy-cell")
    cells.command("notebook:paste-cell-below")
    expect(badge(cells, 2)).to_have_count(0)

    cells.run_cell(2)

    expect(badge(cells, 2)).to_have_text("step 3 · ✓ ok")
    assert "same words as step 1; copied?" in cells.output(2)
    screen()
    cells.run_cell(1)
    assert steps(cells) == [(1, 2, 1), (2, 1, 1), (3, 1, 1)]


def test_a_cell_that_was_cut_and_pasted_is_its_step(cells: Lab):
    select(cells, 1)
    cells.command("notebook:cut-cell")
    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_visible()
    select(cells, 2)
    cells.command("notebook:paste-cell-below")

    cells.run_cell(3)

    expect(badge(cells, 3)).to_contain_text("step 1")
    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_hidden()
    assert steps(cells) == [(1, 2, 1), (2, 1, 1)]


def test_a_cell_that_was_moved_is_its_step(cells: Lab):
    select(cells, 1)
    cells.command("notebook:move-cell-down")
    cells.command("notebook:move-cell-down")

    expect(badge(cells, 3)).to_have_text("step 1 · ✓ ok")
    cells.run_cell(3)
    assert [each[:1] for each in steps(cells)] == [(1,), (2,)]


def test_a_cell_that_was_deleted_comes_back_by_undo_or_from_its_step(cells: Lab, screen: Screen):
    select(cells, 1)
    cells.command("notebook:delete-cell")
    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_visible()
    cells.command("notebook:undo-cell-action")
    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_hidden()
    expect(badge(cells, 1)).to_have_text("step 1 · ✓ ok")

    select(cells, 1)
    cells.command("notebook:delete-cell")
    cells.rows.nth(0).click()
    expect(cells.panel.get_by_text("Its cell is not in this notebook.")).to_be_visible()
    screen()
    cells.panel.get_by_role("button", name="insert its cell below").click()
    cells.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel"
        ".getSource().startsWith('%%step Load the readings')"
    )
    cells.command("notebook:run-cell")

    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_hidden()
    assert steps(cells) == [(1, 2, 1), (2, 1, 1)]


def test_a_cell_that_comes_back_at_once_is_not_said_to_be_missing(cells: Lab):
    """The panel is drawn between the two, for a reason of its own."""
    select(cells, 1)
    cells.run(
        """
        const panel = document.querySelector('#wfnb-panel');
        const key = new KeyboardEvent('keydown', {key: 'Home'});
        await app.commands.execute('notebook:delete-cell');
        panel.querySelector('.wfnb-list').dispatchEvent(key);
        if (panel.querySelector('.wfnb-lost').hidden) {
            throw new Error('It was not drawn between.');
        }
        await app.commands.execute('notebook:undo-cell-action');
        """
    )

    expect(badge(cells, 1)).to_have_text("step 1 · ✓ ok")
    expect(cells.rows.nth(0).get_by_text("no cell")).to_be_hidden()


def test_after_a_restart_a_copy_does_not_take_the_step_of_its_original(cells: Lab):
    select(cells, 1)
    cells.command("notebook:copy-cell")
    cells.command("notebook:paste-cell-above")
    cells.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    cells.cell("%load_ext wfnb\n%wfnb resume cells")
    expect(cells.panel.get_by_role("button", name="undo")).to_be_enabled()  # it is connected

    cells.run_cell(1)
    cells.run_cell(2)

    expect(badge(cells, 2)).to_contain_text("step 1")
    expect(badge(cells, 1)).to_contain_text("step 3")


@pytest.mark.parametrize("saved", [True, False])
def test_restart_and_run_all_tells_a_copy_from_its_original(lab: Lab, saved: bool):
    """No panel is connected when they run."""
    name = f"copies-{saved}.ipynb"
    lab.open(name, notebook(f"%load_ext wfnb\n%wfnb open copies-{saved}", *SOURCES[1:]))
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    select(lab, 1)
    lab.command("notebook:copy-cell")
    lab.command("notebook:paste-cell-above")
    if saved:
        save(lab)

    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.run_all()

    expect(badge(lab, 1)).to_have_text("step 3 · ✓ ok")
    expect(badge(lab, 2)).to_have_text("step 1 · ✓ ok")
    assert steps(lab) == [(1, 2, 1), (2, 2, 1), (3, 1, 1)]


@pytest.mark.parametrize("saved", [True, False])
def test_restart_and_run_all_goes_on_with_a_cell_that_was_cut_and_pasted(lab: Lab, saved: bool):
    name = f"cuts-{saved}.ipynb"
    lab.open(name, notebook(f"%load_ext wfnb\n%wfnb open cuts-{saved}", *SOURCES[1:]))
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    select(lab, 2)
    lab.command("notebook:cut-cell")
    lab.command("notebook:paste-cell-above")
    if saved:
        save(lab)

    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.run_all()

    expect(badge(lab, 2)).to_have_text("step 2 · ✓ ok")
    assert steps(lab) == [(1, 2, 1), (2, 2, 1)]


@pytest.mark.parametrize("saved", [True, False])
def test_restart_and_run_all_goes_on_with_the_half_of_a_split_cell(lab: Lab, saved: bool):
    """The half without the title has the id that the cell had, which the file says is the step."""
    name = f"halves-{saved}.ipynb"
    lab.open(name, notebook(f"%load_ext wfnb\n%wfnb open halves-{saved}", *SOURCES[1:]))
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    save(lab)
    split(lab, 1, 3)
    if saved:
        save(lab)

    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.run_all()

    expect(badge(lab, 1)).to_have_text("step 1 · ✓ ok")
    expect(badge(lab, 2)).to_have_count(0)
    assert steps(lab) == [(1, 2, 2), (2, 2, 1)]


@pytest.mark.parametrize("saved", [True, False])
def test_restart_and_run_all_goes_on_with_cells_that_were_merged(lab: Lab, saved: bool):
    name = f"merges-{saved}.ipynb"
    sources = ("%%step Load\nx = [1, 2]", "y = [4]", "%%step Sum\nsum(x + y)")
    lab.open(name, notebook(f"%load_ext wfnb\n%wfnb open merges-{saved}", *sources))
    lab.run_all()
    expect(lab.rows).to_have_count(2)
    save(lab)
    lab.run(
        """
        const notebook = app.shell.currentWidget.content;
        notebook.deselectAll();
        notebook.activeCellIndex = 1;
        notebook.extendContiguousSelectionTo(2);
        await app.commands.execute('notebook:merge-cells');
        """
    )
    if saved:
        save(lab)

    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")
    lab.run_all()

    expect(badge(lab, 1)).to_have_text("step 1 · ✓ ok")
    assert steps(lab) == [(1, 2, 2), (2, 2, 1)]


def test_a_notebook_that_is_reloaded_from_disk_has_its_badges_and_cells(lab: Lab):
    """The cell that is active is a step: the panel asks of it while the cells are made anew."""
    lab.open("reloaded.ipynb", notebook("%load_ext wfnb\n%wfnb start reloaded", *SOURCES[1:3]))
    lab.run_all()
    expect(badge(lab, 2)).to_have_text("step 2 · ✓ ok")
    save(lab)

    lab.run("await app.shell.currentWidget.context.revert()")

    expect(badge(lab, 1)).to_have_text("step 1 · ✓ ok")
    expect(badge(lab, 2)).to_have_text("step 2 · ✓ ok")
    for row in lab.rows.all():
        expect(row.get_by_text("no cell")).to_be_hidden()


def test_a_step_is_hidden_and_shown_again_from_its_card(cells: Lab, screen: Screen):
    cells.rows.nth(0).click()
    cells.panel.get_by_role("button", name="hide", exact=True).click()

    expect(cells.rows).to_have_count(1)
    assert cells.titles == ["Fit a line"]
    expect(badge(cells, 1)).to_have_count(0)
    cells.panel.get_by_role("button", name="1 hidden").click()
    expect(cells.rows.locator(".wfnb-title")).to_have_text(["Load the readings"])
    screen()
    cells.rows.nth(0).click()
    cells.panel.get_by_role("button", name="show again").click()

    expect(cells.rows).to_have_count(2)
    expect(cells.panel.get_by_role("button", name="hidden")).to_be_hidden()


def test_an_opened_card_has_a_long_title_whole(cells: Lab):
    title = "Readings of the year that was missing, " * 5 + "with the leap day"
    cells.cell(f"%%step {title}\n# From two files.\n1")

    cells.rows.nth(2).click()

    expect(cells.panel.locator(".wfnb-card")).to_contain_text(title)
    expect(cells.panel.locator(".wfnb-card")).to_contain_text("From two files.")


def test_title_reason_and_tags_are_edited_in_the_card(cells: Lab, screen: Screen):
    cells.rows.nth(0).click()
    cells.panel.get_by_role("button", name="edit title").click()
    cells.panel.get_by_role("textbox", name="Title").fill("Load both years")
    cells.panel.get_by_role("textbox", name="Reason").fill("The second was missing.")
    cells.panel.get_by_role("textbox", name="Tags").fill("data, slow")
    screen("form")
    cells.panel.get_by_role("button", name="Save").click()

    expect(cells.rows.locator(".wfnb-title").nth(0)).to_have_text("Load both years")
    expect(cells.panel.locator(".wfnb-card")).to_contain_text("The second was missing.")
    expect(cells.panel.locator(".wfnb-card")).to_contain_text("#data · #slow")
    expect(badge(cells, 1)).to_have_text("step 1 · ✓ ok")
    screen("saved")
    cells.run_cell(1)
    cells.panel.get_by_label("Search steps").fill("tag:slow")
    expect(cells.rows).to_have_count(1)
    assert cells.titles == ["Load both years"]


def test_an_earlier_version_is_put_back_into_its_cell_as_one_edit(cells: Lab, screen: Screen):
    earlier, now = "%%step Load the readings\nreadings = [1, 2]", "%%step Load\nreadings = [2]"
    write(cells, 1, earlier)
    cells.run_cell(1)
    write(cells, 1, now)
    cells.run_cell(1)
    cells.rows.first.locator(".wfnb-title").click()
    version = cells.panel.locator(".wfnb-version").nth(1)
    cells.unfold(version)
    screen()

    version.get_by_role("button", name="put version 2 back into its cell").click()

    expect(badge(cells, 1)).to_have_text("step 1 · ✎ edited")
    assert cells.source() == earlier
    expect(cells.page.locator(".jp-Notebook .cm-focused")).to_be_visible()
    cells.page.keyboard.press("Control+z")
    assert cells.source() == now


def test_the_source_of_a_step_is_copied(cells: Lab, screen: Screen):
    cells.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    cells.rows.first.locator(".wfnb-title").click()
    version = cells.panel.locator(".wfnb-version")
    cells.unfold(version)
    screen()

    version.get_by_role("button", name="copy the source of version 1").click()

    says = cells.page.locator(".jp-toast-message, .Toastify__toast")
    expect(says.filter(has_text="The source is copied.")).not_to_have_count(0)
    assert cells.page.evaluate("() => navigator.clipboard.readText()") == SOURCES[1]


def test_branch_and_revise_begin_with_the_code_of_the_step(cells: Lab):
    cells.rows.nth(1).click()
    cells.panel.get_by_role("button", name="branch from here").click()
    cells.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel"
        ".getSource().startsWith('%%branch NAME')"
    )
    branch = cells.source()
    cells.panel.get_by_role("button", name="revise", exact=True).click()
    cells.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel"
        ".getSource().startsWith('%%step --revises')"
    )

    assert branch == "%%branch NAME --from 2 \nfit = sum(readings)"
    assert cells.source() == "%%step --revises 2 \nfit = sum(readings)"


def test_the_row_of_the_active_cell_is_marked(cells: Lab, screen: Screen):
    marked = cells.panel.locator("[role=row][data-active]")

    select(cells, 1)
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("Load the readings")
    expect(marked).to_contain_text("its cell is the active one")
    screen("marked")

    select(cells, 3)
    expect(marked).to_have_count(0)


PRINTS = "for _ in range(25):\n    sys.stdout.write('x' * 200_000 + '\\n')\n    sys.stdout.flush()"


def test_a_step_that_prints_more_than_a_server_passes_on_is_shown_as_it_ended(lab: Lab):
    """What the kernel tells of it is dropped with its output."""
    lab.open("much.ipynb", notebook("%load_ext wfnb\nimport sys", f"%%step Print\n{PRINTS}"))

    lab.run_all()

    expect(lab.rows.first).to_have_attribute("data-state", "ok")
    expect(badge(lab, 1)).to_have_text("step 1 · ✓ ok")
