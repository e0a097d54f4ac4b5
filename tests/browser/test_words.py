"""In a JupyterLab in Chinese the panel, the commands and the settings are Chinese, and there is
room for their words."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from .conftest import SIZE, Screen
from .lab import SLOW, Lab, notebook, serving
from .test_looks import width

WORKFLOW = "steps:\n  - {id: hello, tool: shell, args: {command: echo hello}}\n"
LOAD = "%%step 1/4 Load the readings\nreadings = [1, 2, 3]"
WORK = notebook(
    "%load_ext wfnb\n%wfnb start work --fresh",
    LOAD,
    "%%step Fit a line\nsum(readings)",
    "%%branch robust --from 1 Leave out the largest\nmax(readings)",
    "%%run_workflow greet\nsteps:\n  - {id: hello, tool: shell, args: {command: 'echo hello'}}\n",
)
NAMES = {
    *("work", "main", "robust", "robust ⟵ 1", "greet", "greet-1", "hello", "shell", LOAD),
    *("Load the readings", "Fit a line", "Leave out the largest", "--done"),
}
CODE = {"%%step", "%wfnb start NAME", "%wfnb resume work"}
"""Of sentences that the panel showed before there was a step: one of them, whoever was first."""
TOOLTIP = "shell(command=echo hello) · 1: ok"
"""Of a box in a drawing: the kernel made it."""
TABS = ("时间线", "比较", "运行")
"""Those that have something to show; the others are not there."""
PACK = "jupyterlab_language_pack_zh_CN"
LANGUAGE = {"locale": "zh_CN"}
OURS = """
    const said = [];
    for (const each of document.querySelectorAll(`${values[0]}, ${values[0]} *`)) {
        said.push(each.getAttribute('aria-label'), each.getAttribute('title'), each.placeholder);
        const texts = [...each.childNodes].filter(({nodeType}) => nodeType === Node.TEXT_NODE);
        said.push(...texts.map(({data}) => data));
    }
    return said.filter(words => /[a-z]{2}/i.test(words ?? '') && !/[\\u4e00-\\u9fff]/.test(words));
"""
"""Every text of a part of the page, seen or heard, that has Latin letters and no Chinese."""


@pytest.fixture(scope="module")
def chinese(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A page of a JupyterLab that was set to Chinese, with a language pack that has no words."""
    folder = tmp_path_factory.mktemp("chinese")
    packages = folder / "packages"
    (packages / PACK).mkdir(parents=True)
    (packages / PACK / "__init__.py").touch()
    about = packages / f"{PACK}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {PACK}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[jupyterlab.languagepack]\nzh_CN = {PACK}\n")
    chosen = folder / "settings" / "@jupyterlab" / "translation-extension"
    chosen.mkdir(parents=True)
    (chosen / "plugin.jupyterlab-settings").write_text(json.dumps(LANGUAGE))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(packages), prepend=":")
        with serving(folder) as address:
            context = browser.new_context(viewport=SIZE)
            context.set_default_timeout(SLOW)
            lab = Lab(page=context.new_page(), address=address, work=folder / "work")
            lab.start()
            yield lab
            context.close()


@pytest.fixture
def page(chinese: Lab) -> Iterator[Lab]:
    yield chinese
    chinese.close()
    assert chinese.dismiss() == []


def english(lab: Lab, where: str = "#wfnb-panel") -> set[str]:
    return {str(said).strip() for said in lab.run(OURS, where)} - CODE


def test_every_view_of_the_panel_is_chinese_but_for_names(page: Lab):
    page.open("steps.ipynb", WORK)
    page.command("notebook:run-all-cells")
    expect(page.rows).to_have_count(3)
    page.rows.first.click()
    expect(page.panel.get_by_role("button", name="从此处分支")).to_be_visible()
    run = page.panel.get_by_role("listitem", name="greet-1", exact=True)
    screen = Screen(page, "words")

    width(page, 300)
    tabs = page.panel.get_by_role("tab")
    expect(tabs).to_have_text(TABS)
    for place, name in enumerate(TABS):
        tabs.nth(place).click()
        if name == "运行":
            expect(run).to_contain_text("成功")
            run.get_by_role("button", expanded=False).click()
            expect(run.get_by_role("table", name="动作")).to_be_visible()
        screen(f"{place}")
        for part in (".wfnb-tabs", ".wfnb-foot"):
            for bar in page.panel.locator(f"{part}:visible").all():
                assert bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth"), (name, part)

    assert {said for said in english(page) if not said.startswith(TOOLTIP)} == NAMES


def test_an_empty_panel_says_in_chinese_what_begins_a_history(page: Lab):
    page.open("empty.ipynb", notebook("1 + 1"))
    start = page.panel.get_by_role("button", name="开始")

    expect(start).to_be_visible()

    expect(page.panel).to_contain_text("此笔记本尚无历史。在单元格中运行 %%step 即可开始。")
    Screen(page, "words")("empty")
    start.click()
    expect(page.panel.get_by_text("尚无步骤。")).to_be_visible()
    assert english(page) <= {"empty", "main"}


def test_every_command_is_chinese(page: Lab):
    labels = page.run(
        """
        const ours = app.commands.listCommands().filter(id => id.startsWith('wfnb:'));
        return ours.flatMap(id => [app.commands.label(id), app.commands.caption(id)]);
        """
    )

    assert len(labels) > 40
    assert [said for said in labels if not re.search("[\u4e00-\u9fff]", said)] == []


def test_the_settings_are_chinese_before_and_after_a_change(page: Lab):
    page.command("settingeditor:open", query="wfnb")
    follow = page.page.get_by_role("checkbox", name="跟随笔记本")

    follow.click()

    about = page.page.locator(".jp-FormGroup-description", has_text="标明其所含的步骤")
    expect(about).to_be_visible()
    expect(follow).not_to_be_checked()
    follow.click()
    expect(page.page.get_by_text("Follow the notebook")).to_have_count(0)
    page.command("application:close-all")


def test_the_editor_of_a_workflow_is_chinese_but_for_what_the_kernel_says(page: Lab):
    (page.work / "greet.workflow.yaml").write_text(WORKFLOW)
    page.run("await app.commands.execute('docmanager:open', {path: 'greet.workflow.yaml'})")
    editor = page.page.locator(".wfnb-editor")
    editor.locator(".wfnb-action").first.click()
    expect(editor.get_by_role("form", name="动作 hello")).to_be_visible()
    expect(editor.get_by_text("可以运行。")).to_be_visible()
    Screen(page, "words")("editor")

    for part in (".wfnb-editor-bar", ".wfnb-problems", ".react-flow__controls"):
        assert english(page, f".wfnb-editor {part}") == set()
    page.run("app.shell.currentWidget.dispose()")
