"""Files are counted as documented when the cell that documents them has ended."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

WRITE = """from pathlib import Path
_ = Path("pk/a.py").write_text("'A.'\\n\\ndef f():\\n    'F.'\\n")
"""


@pytest.fixture
def documenting(kernel: Kernel, tmp_path: Path) -> Kernel:
    (tmp_path / "pk").mkdir()
    (tmp_path / "pk" / "a.py").write_text("def f(): ...\n")
    kernel.ok(f"%cd -q {tmp_path}")
    kernel.ok(f"import os; os.environ['JPY_SESSION_NAME'] = {str(tmp_path / 'n.ipynb')!r}")
    kernel.ok("%wfnb start words --kind docgen")
    kernel.ok("%step Count --set path=pk")
    kernel.ok("%wfnb look undocumented pk")
    return kernel


@pytest.mark.parametrize("says", ["", " --done", " --done --set num_files_documented=1"])
def test_what_the_cell_documents_is_counted_at_its_end(documenting: Kernel, says: str):
    answer = documenting.ok(f"%%step Document a.py{says}\n{WRITE}").answer

    assert answer["total_steps"] == 2
    assert answer["end"] == "the last planned step"
    assert answer["fields"]["num_files_documented"] == 1
    assert answer["status"] == "documentation_analysis_complete"


def test_what_it_only_says_is_put_right(documenting: Kernel):
    answer = documenting.ok("%%step All --done --set num_files_documented=1\nlen('a')").answer

    assert answer["end"] == "not ended: 0 of 1 files are documented"
    assert answer["fields"]["num_files_documented"] == 0
