"""Which notebook a program runs, where nobody has said so."""

import json
from pathlib import Path

from wfnb.identity.notebook_file_search import find_notebook_files


def test_a_link_that_leads_in_a_circle_is_no_notebook(tmp_path: Path):
    cell = {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": [], "id": "a"}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "real.ipynb").write_text(json.dumps(notebook))
    (tmp_path / "loop.ipynb").symlink_to("loop.ipynb")

    assert find_notebook_files(["x = 1"], tmp_path) == [tmp_path / "real.ipynb"]
