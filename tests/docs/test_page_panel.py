"""The tables of the page of the panel are those of the panel; its pictures are of its screen."""

import json
import re
import struct
from pathlib import Path

import pytest
import screens
from make import DOCS

from tests.browser.lab import Lab
from tests.jupyter.panel.kernels import VERSIONS

ROOT = DOCS.parent
FRONT = ROOT / "labextension" / "src"
PICTURES = ("panel.png", "panel-dark.png")
KEYS = {"ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", " ": "Space"}


def table(head: str) -> list[list[str]]:
    """The rows of the table whose first columns are these."""
    page = (DOCS / "panel.md").read_text("utf-8")
    (found,) = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[- |]+\|\n((?:\|.*\n)+)", page, re.M)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines()]


def source(name: str) -> str:
    return (FRONT / name).read_text("utf-8")


def literal(text: str, name: str) -> dict[str, str]:
    """An object of texts in TypeScript."""
    (body,) = re.findall(rf"\b{name}\b[^=]*= \{{(.*?)\}}", text, re.S)
    pairs = re.findall(r"(?:'([^']+)'|(\w+)): '([^']+)'", body)
    return {quoted or bare: value for quoted, bare, value in pairs}


def keys(where: str) -> set[str]:
    """The keys that the page has for a part of the panel."""
    rows = [row for row in table("where | key") if row[0] == where]
    return {key for _, shown, _ in rows for key in re.findall("`(.+?)`", shown)}


def test_every_setting_is_in_the_page_as_its_schema_has_it():
    schema = json.loads((ROOT / "labextension" / "schema" / "plugin.json").read_text("utf-8"))
    settings = schema["properties"]

    assert table("setting | name") == [
        [spec["title"], f"`{name}`", f"`{json.dumps(spec['default'])}`", spec["description"]]
        for name, spec in settings.items()
    ]


def test_every_command_is_in_the_page_as_the_menu_has_it():
    commands = re.findall(
        r"(?:'(wfnb:[\w-]+)': \{|addCommand\((OPEN), \{)"
        r"\s*label: (?:paletteLabel\()?__\('(.+?)'\)+,\s*caption: __\('(.+?)'(?:, STEP)?\)",
        source("lab/commands.ts"),
    )
    (opens,) = re.findall(r"OPEN = '(.+?)'", source("lab/commands.ts"))
    listed = [
        [label, f"`{id or opens}`", caption.replace("%1", "%%step")]
        for id, _, label, caption in commands
    ]

    assert len(listed) == len(
        re.findall(r"\blabel: (?:paletteLabel\()?__\('", source("lab/commands.ts"))
    )
    assert sorted(table("command | name")) == sorted(listed)


def test_the_menu_has_every_command():
    schema = json.loads((ROOT / "labextension" / "schema" / "plugin.json").read_text("utf-8"))
    (menu,) = schema["jupyter.lab.menus"]["main"]
    named = [item["command"] for item in menu["items"] if "command" in item]

    assert [name.strip("`") for _, name, _ in table("command | name")] == named


def test_every_key_of_the_steps_is_in_the_page():
    known = {KEYS.get(key, key) for key in literal(source("render/timeline_keys.ts"), "INTENTS")}

    # a browser makes its `contextmenu` of the last two
    assert keys("steps") == known | {"Ctrl+Enter", "Shift+F10", "Menu"}


def test_every_key_of_the_tabs_is_in_the_page():
    (body,) = re.findall(
        r"function turned.*?\{(.*?)\}\[key\]", source("render/timeline_keys.ts"), re.S
    )
    known = {KEYS.get(key, key) for key in re.findall(r"(\w+): ", body)}

    assert keys("tabs") == known


@pytest.mark.parametrize(
    ("where", "module"),
    [("search", "render/filter_bar.ts"), ("a reason", "render/line_verdicts.ts")],
)
def test_every_key_of_a_field_is_in_the_page(where: str, module: str):
    known = set(re.findall(r"event\.key === '(\w+)'", source(module)))

    assert keys(where) == {KEYS.get(key, key) for key in known}


def test_every_sign_is_in_the_page_with_its_words():
    signs: dict[str, list[str]] = {}
    for word, sign in literal(source("render/state_signs.ts"), "SIGNS").items():
        signs.setdefault(sign, []).append(word)

    assert {sign: set(words.split(", ")) for sign, words in table("sign | word")} == {
        sign: set(words) for sign, words in signs.items()
    }


def test_every_tab_is_in_the_page_in_its_order():
    tabs = source("render/tabs.ts")
    modules = dict(re.findall(r"import \{ (\w+) \} from './(\w+)'", tabs))
    (order,) = re.findall(r"TABS: .*? = \[(.*?)\]", tabs)
    names = [
        re.findall(r"\n    name: __\('(\w+)'\),", source(f"render/{modules[tab]}.ts"))[0]
        for tab in order.split(", ")
    ]

    assert [name for name, *_ in table("tab | shows")] == names


def test_the_page_tells_of_every_ipykernel_that_the_panel_is_tested_with():
    named = [version for version, _ in table("ipykernel")]

    assert named == [version.rpartition(".")[0] for version in VERSIONS]


@pytest.mark.parametrize(
    "file", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda file: file.name
)
def test_no_stored_output_names_the_widget_of_a_kernel(file: Path):
    forms = {form for output in stored(file) for form in output}

    assert "application/vnd.jupyter.widget-view+json" not in forms


@pytest.mark.parametrize(
    "file", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda file: file.name
)
def test_no_stored_output_has_its_drawing_twice(file: Path):
    drawings = [re.findall("<svg.*?</svg>", json.dumps(output)) for output in stored(file)]

    assert all(len(set(found)) == len(found) for found in drawings)
    assert all("image/svg+xml" not in output for output in stored(file) if "text/html" in output)


def stored(file: Path) -> list[dict[str, object]]:
    """What its cells show, each in its forms."""
    cells = json.loads(file.read_text("utf-8"))["cells"]
    return [output.get("data", {}) for cell in cells for output in cell.get("outputs", ())]


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_of_one_size_and_small(name: str):
    picture = (DOCS / name).read_bytes()

    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == tuple(screens.SIZE.values())
    assert len(picture) <= 150_000


def test_without_a_browser_the_pictures_stay_and_it_is_said_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def missing(playwright: object) -> Lab:
        raise LookupError("There is none.")

    monkeypatch.setattr(screens, "DOCS", tmp_path)
    monkeypatch.setattr(screens, "chromium", missing)

    screens.main()

    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out.endswith(": There is none.\n")
