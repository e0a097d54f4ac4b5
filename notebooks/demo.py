"""the first example notebook -> its executed copy, and its session's report as HTML and Markdown.

Runs without a browser, in a `.wfnb` of its own under build/demo; `make demo` calls it. The last
line it prints is the path of the report.
"""

import os
import shutil
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import wfnb

NOTEBOOKS = Path(__file__).parent
DEMO = NOTEBOOKS.parent / "build" / "demo"


def main() -> None:
    shutil.rmtree(DEMO, ignore_errors=True)
    DEMO.mkdir(parents=True)
    os.environ["WFNB_HOME"] = str(DEMO / ".wfnb")

    notebook = nbformat.read(NOTEBOOKS / "01-steps.ipynb", as_version=4)
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(notebook, kernel_name="python3", resources=where).execute()
    nbformat.write(notebook, DEMO / "01-steps.ipynb")

    (session,) = wfnb.home().sessions()
    ws = wfnb.open(session.name)
    print(ws.graph().text)
    ws.export(DEMO / "report.md")
    print(os.path.relpath(ws.export(DEMO / "report.html")))


if __name__ == "__main__":
    main()
