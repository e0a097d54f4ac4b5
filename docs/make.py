"""program -> docs/: writes the generated pages and pictures, and in the pages written by hand the
tables of fields, the kinds of investigation, and what the cells show. Running it twice gives the
same bytes.

    make docs
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from making.agents import with_agents
from making.api import api
from making.cli import cli
from making.fields import with_tables
from making.kept import kept
from making.kinds import with_kinds
from making.magics import magics
from making.pictures import branches, run, stages
from making.refusals import refusals
from making.shown import page_as_shown
from making.strategies import strategies
from making.tools import tools

DOCS = Path(__file__).parent

MADE: Mapping[Path, Callable[[], str]] = {
    DOCS / "api.md": api,
    DOCS / "branches.svg": branches,
    DOCS / "cli.md": cli,
    DOCS / "errors.md": refusals,
    DOCS / "kept.md": kept,
    DOCS / "magics.md": magics,
    DOCS / "run.svg": run,
    DOCS / "stages.svg": stages,
    DOCS / "strategies.md": strategies,
    DOCS / "tools.md": tools,
}
SHOWN = (
    DOCS / "agents.md",
    DOCS / "investigations.md",
    DOCS / "panel.md",
    DOCS / "recipes.md",
    DOCS / "recording.md",
    DOCS / "rules.md",
    DOCS / "tour.md",
    DOCS / "values.md",
    DOCS / "workflows.md",
    DOCS.parent / "README.md",
)


def main() -> None:
    for file, made in MADE.items():
        _write(file, file.read_text("utf-8") if file.exists() else "", made())
    for file in SHOWN:
        page = file.read_text("utf-8")
        _write(file, page, page_as_shown(with_agents(with_kinds(with_tables(page)))))


def _write(file: Path, old: str, new: str) -> None:
    if new != old:
        file.write_text(new, "utf-8")
    print(f"{'as it was' if new == old else 'written':9}  {file.relative_to(DOCS.parent)}")


if __name__ == "__main__":
    main()
