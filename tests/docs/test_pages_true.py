"""What the pages say of the repository is so."""

import re
import tomllib
from pathlib import Path

import pytest

import wfnb

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("notebooks/data/**/*.md")])
BY_HAND = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "RELEASING.md", "AGENTS.md")),
    *(ROOT / "docs" / name for name in ("panel.md", "tour.md")),
]
FENCED = re.compile(r"^```.*?^```$", re.M | re.S)


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def words(page: Path) -> str:
    """The page without its blocks of code."""
    return FENCED.sub("", page.read_text("utf-8"))


def anchors(page: Path) -> set[str]:
    """The names of its headings, as a link has them."""
    titles = re.findall(r"^#+ (.*)$", words(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def leads(page: Path, link: str) -> bool:
    """Whether a link of the page leads somewhere. Links to other hosts are not followed."""
    if re.match(r"https?:", link):
        return True
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchor in anchors(target))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_leads_somewhere(page: Path):
    links = re.findall(r"\]\(([^()\s]+)\)", words(page))

    assert [link for link in links if not leads(page, link)] == []


@pytest.mark.parametrize("page", BY_HAND, ids=named)
def test_every_command_of_make_exists(page: Path):
    known = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", page.read_text("utf-8"), re.M))

    assert named
    assert named <= known


@pytest.mark.parametrize("page", BY_HAND, ids=named)
def test_every_file_that_is_named_exists(page: Path):
    paths = re.findall(
        r"(?<![\w.])(?:wfnb|labextension|tests|docs|notebooks)/[\w./-]*\w",
        page.read_text("utf-8"),
    )

    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_layers_are_drawn_as_the_contract_has_them():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = (found["layers"] for found in contracts["contracts"] if found["type"] == "layers")

    drawn = "\n".join(layer.replace("wfnb.", "") for layer in layers)
    assert f"```\n{drawn}\n```" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_map_says_how_big_the_folders_are():
    rows = re.findall(
        r"^\| (`.+?`) \| (\d+) \|", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    )
    said = {tuple(re.findall(r"`(\w+)/`", folders)): int(thousands) for folders, thousands in rows}

    assert len(said) > 8
    for folders, thousands in said.items():
        files = [file for folder in folders for file in (ROOT / "wfnb" / folder).rglob("*.py")]
        lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
        assert abs(lines / 1000 - thousands) < 1, folders
    every = (ROOT / "wfnb").rglob("*.py")
    whole = sum(len(file.read_text("utf-8").splitlines()) for file in every)
    told = re.search(r"its (\d+),000 lines", (ROOT / "README.md").read_text("utf-8"))
    assert told
    assert abs(whole / 1000 - int(told[1])) < 3


def test_the_newest_version_of_the_changelog_is_the_version_of_the_program():
    versions = re.findall(
        r"^## \[?(\d+\.\d+\.\d+)\]? - \d{4}-\d\d-\d\d$",
        (ROOT / "CHANGELOG.md").read_text("utf-8"),
        re.M,
    )

    assert versions[0] == wfnb.__version__
