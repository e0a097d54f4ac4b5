"""the first example notebook -> its executed copy, and its session's report as HTML and Markdown.

Runs without a browser, in a `.wfnb` of its own under build/demo; `make demo` calls it. The last
line it prints is the path of the report.
"""

import os
import shutil

import nbformat
from headless import NOTEBOOKS, executed

import wfnb

DEMO = NOTEBOOKS.parent / "build" / "demo"


def main() -> None:
    shutil.rmtree(DEMO, ignore_errors=True)
    DEMO.mkdir(parents=True)
    os.environ["WFNB_HOME"] = str(DEMO / ".wfnb")

    nbformat.write(executed("01-steps.ipynb"), DEMO / "01-steps.ipynb")

    (session,) = wfnb.home().sessions()
    ws = wfnb.open(session.name)
    print(ws.graph().text)
    ws.export(DEMO / "report.md")
    print(os.path.relpath(ws.export(DEMO / "report.html")))


if __name__ == "__main__":
    main()
