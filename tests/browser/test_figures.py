"""What a step showed: in its card, as a thumbnail in its row, and larger under the pointer."""

from playwright.sync_api import expect

from .conftest import Screen
from .lab import Lab, notebook

NAME = "figures.ipynb"
CELLS = notebook(
    "%load_ext wfnb\n%wfnb start figures --fresh\n%matplotlib inline\n"
    "import matplotlib.pyplot as plt, pandas as pd",
    "%%step Draw the readings\nplt.plot([3, 1, 2])\nplt.title('Readings')\nplt.show()\n"
    "pd.DataFrame({'reading': [3, 1, 2], 'sensor': ['<b>a</b>', 'b', 'c']})",
    "%%step Look at the sensors\npd.DataFrame({'sensor': list('abc')})",
    "%%step Count them\n1 + 1",
    "%%step Hostile\nfrom IPython.display import SVG, display\n"
    'display(SVG(\'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"'
    ' onload="window.hacked=1"><script>window.hacked=1</script>'
    '<circle cx="20" cy="20" r="15" fill="green"/></svg>\'))',
)


def test_figures_are_seen_in_the_timeline_on_hover_and_in_the_card(lab: Lab, screen: Screen):
    lab.open(NAME, CELLS)
    lab.run_all()
    thumbs = lab.panel.locator(".wfnb-thumb:visible")
    preview = lab.panel.locator(".wfnb-preview")

    expect(lab.rows).to_have_count(4)
    expect(thumbs).to_have_count(3)
    expect(thumbs.nth(0)).to_contain_text("2 figures")

    thumbs.nth(0).hover()
    expect(preview.locator("img")).to_be_visible()
    screen("hover")
    lab.page.keyboard.press("Escape")
    expect(preview).to_be_hidden()

    lab.rows.filter(has_text="Draw the readings").click()
    figures = lab.panel.locator(".wfnb-card .wfnb-figure")
    expect(figures).to_have_count(2)
    expect(figures.nth(0).get_by_alt_text("figure 1 of 2 of step 1")).to_be_visible()
    expect(figures.nth(1).get_by_role("cell", name="<b>a</b>")).to_be_visible()
    screen("card")

    lab.rows.filter(has_text="Hostile").click()
    expect(figures.locator("img")).to_be_visible()
    assert lab.page.evaluate("() => window.hacked") is None


def test_figures_stay_where_the_cell_is_another_and_no_kernel_runs(lab: Lab, screen: Screen):
    lab.open(NAME, CELLS)
    lab.run_all()
    lab.page.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.model.getMetadata('wfnb')?.session"
    )
    lab.run("app.shell.currentWidget.content.model.sharedModel.cells[1].setSource('1')")
    lab.run("await app.shell.currentWidget.sessionContext.session.kernel.restart()")

    expect(lab.panel.get_by_text("no kernel has loaded it")).to_be_visible()
    lab.rows.filter(has_text="Draw the readings").click()
    expect(lab.panel.locator(".wfnb-card .wfnb-figure img")).to_be_visible()
    screen("journal")


def test_a_step_that_ran_again_shows_what_it_shows_now(lab: Lab):
    start = "%load_ext wfnb\n%wfnb start again --fresh\n%matplotlib inline\n"
    # It runs long enough to be seen as one that runs, with what it showed before.
    draw = "import time; time.sleep(1)\nshown.append(len(shown) % 2)\nplt.plot(shown)\nplt.show()"
    lab.open(
        "again.ipynb",
        notebook(
            f"{start}import matplotlib.pyplot as plt\nshown = [0, 3]", f"%%step Draw it\n{draw}"
        ),
    )
    lab.run_all()
    lab.rows.filter(has_text="Draw it").click()
    picture = lab.panel.get_by_alt_text("figure 1 of 1 of step 1")
    expect(picture).to_be_visible()
    before = picture.get_attribute("src")

    lab.run_cell(1)

    expect(picture).not_to_have_attribute("src", before or "")


def test_a_wide_table_scrolls_in_a_card_and_breaks_no_word(lab: Lab):
    frame = (
        "import pandas as pd\npd.DataFrame({f'column {n}': range(9) for n in 'abcdef'}).describe()"
    )
    start = "%load_ext wfnb\n%wfnb start wide --fresh"
    lab.open("wide.ipynb", notebook(start, f"%%step Describe it\n{frame}"))
    lab.run_all()
    lab.rows.filter(has_text="Describe it").click()
    count = lab.panel.get_by_role("row", name="count").get_by_role("rowheader")
    expect(count).to_be_visible()

    lines = "cell => { const all = document.createRange(); all.selectNodeContents(cell);"
    assert count.evaluate(f"{lines} return all.getClientRects().length; }}") == 1


BRANCHES = notebook(
    "%load_ext wfnb\n%wfnb start compared --fresh\n%matplotlib inline\n"
    "import matplotlib.pyplot as plt",
    "%%step Draw the readings\nplt.plot([3, 1, 2])\nplt.show()\n'rising'",
    "%%branch other --from 1 Draw them otherwise\nplt.plot([2, 1, 3])\nplt.show()\n'falling'",
)


def test_lines_are_compared_by_their_results_and_by_what_they_showed(lab: Lab, screen: Screen):
    lab.open("compared.ipynb", BRANCHES)
    lab.run_all()
    lab.panel.get_by_role("tab", name="Compare").click()

    result = lab.panel.get_by_role("row", name="result")
    expect(result.get_by_role("cell")).to_have_text(["'rising'", "'falling'"])
    shown = lab.panel.get_by_role("tabpanel").locator(".wfnb-figure img")
    expect(shown).to_have_count(2)
    expect(shown.nth(1)).to_have_attribute("alt", "figure 1 of 1 of step 2")
    shown.nth(1).scroll_into_view_if_needed()
    screen()


PLOT = "plt.plot([3, 1, 2])\nplt.show()"
DRAWN = notebook(
    "%load_ext wfnb\n%wfnb start drawn --fresh\n%matplotlib inline\n"
    f"import matplotlib.pyplot as plt\n{PLOT}",
    *(f"%%step Draw it, time {number}\n{PLOT}" for number in range(6)),
)


def test_a_figure_of_a_step_is_drawn_whole_while_the_panel_asks(lab: Lab):
    lab.open("drawn.ipynb", DRAWN)
    lab.run_all()
    expect(lab.rows).to_have_count(6)

    sizes = lab.run(
        """
        const {cells} = app.shell.currentWidget.content.model;
        return [...cells].map(cell => cell.outputs.toJSON().map(each => each.data?.['image/png'])
            .filter(Boolean).map(picture => picture.length));
        """
    )

    assert sizes == [sizes[0]] * 7
    assert len(sizes[0]) == 1


def test_a_wide_table_of_a_report_is_scrolled_in_its_step(lab: Lab):
    """On a telephone: the page itself is as wide as that."""
    step = "%%step Wide\nimport pandas as pd\npd.DataFrame({f'sensor {n}': [n] for n in range(20)})"
    lab.open("wide.ipynb", notebook("%load_ext wfnb\n%wfnb start wide --fresh", step))
    lab.run_all()
    lab.cell("%wfnb export wide.html")
    browser = lab.page.context.browser
    assert browser is not None

    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_content((lab.work / "wide.html").read_text())
    widths = page.evaluate(
        "() => [document.documentElement, document.querySelector('.step')]"
        ".map(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
    )
    page.close()

    assert widths[0] == 0
    assert widths[1] > 0
