"""What CONTRIBUTING.md says of where to change something is so."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CELLS = """
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "wfnb")
shell.run_cell('%%step 1 Load --owner "Ada L."').raise_error()

import wfnb

wfnb.open("other").step("By hand", number=1, owner="Eve")
"""
REPLAY = """
import wfnb

for info in wfnb.home().sessions():
    print(wfnb.open(info.name).views.show(1))
"""


def insert(file: Path, *lines: tuple[str, str]) -> None:
    """Each line before the one that begins so."""
    text = file.read_text("utf-8")
    for line, anchor in lines:
        assert text.count(anchor) == 1, f"{file.name}: {anchor!r}"
        text = text.replace(anchor, f"{line}\n{anchor}")
    file.write_text(text, "utf-8")


def printed(folder: Path, code: str) -> str:
    own = {"PYTHONPATH": str(folder), "WFNB_HOME": str(folder / ".wfnb"), "HOME": str(folder)}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=folder, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_option_that_is_recorded_and_shown_takes_four_files(tmp_path: Path):
    (recipe,) = re.findall(
        r"One that is recorded and\nshown, .*?(?=\nThen `make docs`)", PAGE, re.S
    )
    (option,) = re.findall(r"`(owner: .*\(.*\))`", recipe)
    (shown,) = re.findall(r"`(parts .*)`", recipe)
    (field,) = re.findall(r"`(owner: .*)` twice", recipe)
    events, workspace, card = re.findall(r"`wfnb/([\w/]+\.py)`", recipe)
    copy = Path(shutil.copytree(ROOT / "wfnb", tmp_path / "wfnb"))

    insert(
        copy / "jupyter/magic_options.py",
        (f"    {option}", "    total: int | str | None = one_val"),
    )
    remark = (f"    {field}", "\n\nREMARKS = ")
    insert(copy / events, remark, (f"    {field}", "\n\n@record\nclass StepAdded(Version):"))
    insert(copy / workspace, (f"        {field},", "        step_description: str | None = None,"))
    insert(copy / card, (f"    {shown}", '    parts += ["hidden"] if step.hidden else []'))

    printed(tmp_path, CELLS)
    found = re.findall(r" · of (.*)$", printed(tmp_path, REPLAY), re.M)
    assert sorted(found) == ["Ada L.", "Eve"]


def defines(text: str, word: str) -> bool:
    """Whether a file of Python, TypeScript or CSS has a line that begins to say what it is."""
    kind = "(?:export )?(?:(?:def|class|function|interface|const) )?"
    return re.search(rf"^\s*{kind}{word} ?[(:={{]", text, re.M) is not None


def test_what_the_table_of_changes_names_is_in_the_file_before_it():
    table = PAGE[PAGE.index("## Where to change") : PAGE.index("## How to add")]
    rows = re.findall(r"^\| (?!I want|-)(.*?) \| (.*) \|$", table, re.M)
    assert 10 < len(rows) <= 30

    folder, missing = ROOT, []
    for change, places in rows:
        files = re.findall(r"`([\w./]+\.\w+)`(?: \((.*?)\))?", places)
        assert files, change
        for name, inside in files:
            folder = (ROOT / name).parent if "/" in name else folder
            text = (folder / Path(name).name).read_text("utf-8")
            words = re.findall(r"`([\w-]+)`", inside)
            missing += [(name, word) for word in words if not defines(text, word)]
    assert missing == []
