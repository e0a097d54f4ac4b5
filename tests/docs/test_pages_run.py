"""The cells of the pages run, and show what the pages say they show."""

import re
from pathlib import Path

import pytest
import yaml
from make import DOCS, SHOWN
from making.agents import with_agents
from making.fields import with_tables
from making.kinds import with_kinds
from making.shown import CellFailed, answer_line, holds, page_as_shown

import wfnb
from wfnb.investigations.core.kind_reader import kind_from


@pytest.mark.kernel
@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.name)
def test_every_cell_of_a_page_shows_what_the_page_says(file: Path):
    page = file.read_text("utf-8")

    assert page_as_shown(page) == page, f"`make docs` writes what the cells of {file.name} show"


@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.name)
def test_every_table_of_fields_is_that_of_the_schema(file: Path):
    page = file.read_text("utf-8")

    assert with_tables(page) == page, f"`make docs` writes the tables of {file.name}"


@pytest.mark.parametrize("file", SHOWN, ids=lambda file: file.name)
def test_the_kinds_of_investigation_are_those_of_the_data(file: Path):
    page = file.read_text("utf-8")

    assert with_kinds(page) == page, f"`make docs` writes the kinds of {file.name}"


def test_the_tools_of_an_agent_are_those_of_the_code():
    page = (DOCS / "agents.md").read_text("utf-8")

    assert "`record_step`" in page
    assert with_agents(page) == page, "`make docs` writes the tools of agents.md"


def test_all_between_the_marks_of_the_kinds_is_replaced():
    page = "a\n<!-- kinds -->\nold\n<!-- end of kinds -->\nb\n"

    once = with_kinds(page)

    assert "\nold\n" not in once
    assert "\n### `debug`\n" in once
    assert with_kinds(once) == once


def test_the_kind_that_the_page_writes_can_be_followed():
    page = (DOCS / "investigations.md").read_text("utf-8")
    _, _, own = page.partition("## Your own kinds")
    written = re.search(r"```yaml\n(.*?)```", own, re.S)

    assert written is not None
    assert kind_from(yaml.safe_load(written[1]), "the page").name == "postmortem"


def test_a_table_of_fields_is_replaced_as_a_whole():
    page = "<!-- fields of Transition -->\n| old |\n| --- |\n\nAnd on.\n"

    assert with_tables(page).splitlines() == [
        "<!-- fields of Transition -->",
        "| field | may be | default | what it means |",
        "| --- | --- | --- | --- |",
        "| `condition` | text, or [Condition](#condition) | needed | "
        "What has to hold of the action's result. |",
        "| `next_state` | name | needed | The state that comes next. |",
        "",
        "And on.",
    ]


@pytest.mark.kernel
def test_a_cell_that_fails_has_to_say_so_on_the_page():
    failing = "```python\n1/0\n```\n"
    shown = "\n```text\n…\nZeroDivisionError: division by zero\n```\n"

    assert page_as_shown(failing + shown) == failing + shown
    with pytest.raises(CellFailed, match="ZeroDivisionError"):
        page_as_shown(failing)


@pytest.mark.kernel
def test_cells_share_a_kernel_until_a_new_one_is_asked_for():
    page = """
```python
x = 1
```

```python no-run
x = 2
```

```python
x
```

```text
1
```

<!-- new kernel -->

```python
"x" in globals()
```

```text
False
```
"""

    assert page_as_shown(page) == page


@pytest.mark.parametrize(
    ("wanted", "shown", "does"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a  \nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\nb\nc\n", True),
        ("…\nb\n…\n", "b\n", True),
        ("a …\n", "a b\n", False),
        ("", "a\n", False),
        (".\n", "a\n", False),
    ],
)
def test_a_block_holds_where_its_lines_are_the_ones_shown(wanted: str, shown: str, does: bool):
    assert holds(wanted, shown) is does


def test_an_answer_is_read_as_the_line_that_a_notebook_shows():
    ws = wfnb.open("line", scratch=True)
    ws.step("Load the readings", total=3)
    answer = ws.step("Fit <it>", revises=1, values={"rmse": 0.25})

    assert answer_line(answer._repr_mimebundle_()["text/html"]) == (
        "2/3 · Fit <it> · ↻ revises 1 · ✓ ok · rmse 0.25 · main"
    )
