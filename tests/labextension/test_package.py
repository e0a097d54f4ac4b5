"""What labextension/ says of itself, and what is built from it."""

import gzip
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.version import Version

import wfnb
from wfnb.render.drawing.svg_style import LANE_COLOURS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "labextension"
LOCKS = [each / "package-lock.json" for each in (SOURCE, ROOT / "tests" / "mcp" / "clients")]
STATIC = ROOT / "wfnb" / "jupyter" / "panel" / "static"


def read(name: str) -> Any:
    return json.loads((SOURCE / name).read_text())


def test_python_and_the_lock_file_have_the_version_of_the_front_end():
    version = read("package.json")["version"]

    assert wfnb.__version__ == str(Version(version))
    assert read("package-lock.json")["version"] == version


def test_no_other_place_has_a_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert "version" not in project
    assert re.findall(r"__version__\s*=", (ROOT / "wfnb" / "__init__.py").read_text()) == []


def test_the_extension_manager_of_jupyterlab_finds_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert "Framework :: Jupyter :: JupyterLab :: Extensions :: Prebuilt" in project["classifiers"]
    assert read("install.json")["packageName"] == project["name"]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.parent.name)
def test_a_lock_file_names_no_host_and_every_package_by_its_hash(lock: Path):
    said = lock.read_text()
    packages = {name: each for name, each in json.loads(said)["packages"].items() if name}

    assert re.findall(r"https?:", said) == []
    assert [name for name, each in packages.items() if "integrity" not in each] == []


def test_a_lane_has_the_colour_in_the_panel_that_it_has_in_a_drawing():
    style = (SOURCE / "style" / "wfnb.css").read_text()
    pairs = re.findall(r"--wfnb-l\d: light-dark\((#\w+), (#\w+)\);", style)
    counts = [
        int(re.findall(r"COLOURS = (\d+)", (SOURCE / "src" / "render" / name).read_text())[0])
        for name in ("lanes.ts", "confidence_chart.ts")
    ]

    assert tuple(pairs) == LANE_COLOURS
    assert counts == [len(LANE_COLOURS)] * 2


def test_every_command_of_a_menu_is_one():
    commands = (SOURCE / "src" / "lab" / "commands.ts").read_text()
    known = set(re.findall(r"'(wfnb:[a-z-]+)'", commands))

    named = set(
        re.findall(r'"command": "([^"]+)"', (SOURCE / "schema" / "plugin.json").read_text())
    )

    assert named <= known
    assert known - named == set()


def test_the_widget_saves_a_small_loader_that_loads_nothing_from_elsewhere():
    loader = (STATIC / "widget.js").read_text()

    assert len(loader) < 20_000
    assert re.findall(r"https?:|(?:^|[;}])\s*import\b(?!\()", loader) == []


def test_the_renderer_stands_alone():
    renderer = (STATIC / "renderer.js").read_text()

    assert re.findall(r"(?:^|[;}])\s*import\b|\bimport\(", renderer) == []
    assert re.findall(r"https?://(?!www\.w3\.org/)", renderer) == []
    assert re.findall(r"@import|url\(", (STATIC / "wfnb.css").read_text()) == []


def test_the_extension_adds_little_to_the_start_of_jupyterlab():
    """The panel and the editor come when they are opened; what comes before names the plugins."""
    scripts = {path: path.read_bytes() for path in (SOURCE / "dist" / "static").glob("*.js")}
    sizes = {path.name: len(gzip.compress(script)) for path, script in scripts.items()}
    first = {
        path.name
        for path, script in scripts.items()
        if b"wfnb:workflow-editor" in script or path.name.startswith(("remoteEntry", "style"))
    }

    editor = {path.name for path, script in scripts.items() if b"react-flow__" in script}

    assert len(first) == 3
    assert sum(sizes[name] for name in first) <= 23_000
    assert len(editor) == 2
    assert sum(sizes[name] for name in editor) <= 160_000
    assert sum(sizes[name] for name in sizes if name not in editor) <= 62_800
