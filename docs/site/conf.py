"""the pages, as they are on a repository's page -> a site: `make site`.

The root of the repository is the root of the site, so that a link between two pages leads to the
same place in both. What only a site needs is here and not in the pages: the order of the pages, and
an `index.html`. Notebooks show what is stored in them; nothing is run, nothing comes from the
network.
"""

import shutil
import sys
from pathlib import Path

from pygments.lexer import bygroups, using
from pygments.lexers.data import YamlLexer
from pygments.lexers.python import Python3Lexer
from pygments.token import Comment
from sphinx.application import Sphinx
from sphinx.highlighting import lexers

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

project = "wfnb"
author = "The wfnb developers"
html_title = "wfnb"
extensions = ["myst_nb"]
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "notebooks/*.ipynb", "notebooks/data/**.md"]
exclude_patterns = [".*", "build", "dist", "labextension", "mutants", "tests", "wfnb"]
html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False

myst_heading_anchors = 6
nb_execution_mode = "off"
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
nb_render_error_lexer = "text"  # a refusal is a sentence
suppress_warnings = ["mystnb.unknown_mime_type"]  # what programs read stands beside the HTML

PAGES = {
    "Begin": """
        docs/tour
        docs/recording
        docs/panel
        docs/values
        docs/recipes
        docs/troubleshooting
        """,
    "Examples": "notebooks/*",
    "Histories": """
        docs/rules
        docs/strategies
        docs/investigations
        docs/kept
        docs/agents
        """,
    "Workflows": """
        docs/workflows
        docs/tools
        docs/editor
        """,
    "Look up": """
        docs/magics
        docs/api
        docs/cli
        docs/errors
        """,
    "About": """
        docs/comparison
        docs/accessibility
        SECURITY
        CHANGELOG
        CONTRIBUTING
        RELEASING
        AGENTS
        GLOSSARY
        CODE_OF_CONDUCT
        notebooks/data/README
        notebooks/data/LICENSE-agridat
        notebooks/data/tides/README
        """,
}
"""What stands at the left, in order; a page that is missing here fails the build."""


class CellLexer(Python3Lexer):
    """Python, or the YAML of a workflow, under the line of a magic."""

    name = "cell"
    tokens = {  # noqa: RUF012  as Pygments wants it
        **Python3Lexer.tokens,
        "root": [
            (r"(%%run_workflow.*\n)((?:.|\n)*)", bygroups(Comment.Preproc, using(YamlLexer))),
            (r"(?m)^%.*$", Comment.Preproc),
            *Python3Lexer.tokens["root"],
        ],
    }


def for_the_site(app: Sphinx, page: str, source: list[str]) -> None:
    """Contents for the front page; a drawing for each text that only a script could draw."""
    if page == "docs/strategies":
        from making.strategies import drawings  # noqa: PLC0415  heavy: only where it is read

        for text, svg in drawings().items():
            source[0] = source[0].replace(text, f"```{{raw}} html\n{svg}\n```")
    if page == root_doc:
        source[0] += "".join(map(contents, PAGES, PAGES.values()))


def contents(caption: str, pages: str) -> str:
    """A tree of contents, in MyST."""
    listed = "\n".join(pages.split())
    return f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {caption}\n\n{listed}\n```\n"


def add_index(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    lexers.update(dict.fromkeys(("python", "ipython", "ipython3"), CellLexer()))
    app.connect("source-read", for_the_site)
    app.connect("build-finished", add_index)
