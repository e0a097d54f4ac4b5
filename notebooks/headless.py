"""a notebook's file -> the notebook as it is after all its cells ran, without a browser."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parent
WIDGET = "application/vnd.jupyter.widget-view+json"
"""Names the widget of one kernel by chance: what was saved has its picture."""


def executed(name: str) -> nbformat.NotebookNode:
    """The notebook of that name with today's outputs, and nothing in it of when they were made."""
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    where = {"metadata": {"path": str(NOTEBOOKS)}}
    NotebookClient(
        notebook, kernel_name="python3", resources=where, record_timing=False, coalesce_streams=True
    ).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET, None)
    notebook.metadata = {
        "kernelspec": {
            "display_name": "Python 3 (ipykernel)",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
    }
    return notebook
