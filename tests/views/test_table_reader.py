"""Tables in HTML, as `DataFrame` and others show themselves: read as texts, and no more."""

import pandas as pd

from wfnb.render.text.html_table_reader import COLUMNS, CUT, ROWS, WIDTH, TableText, read_table


def test_a_frame_is_its_index_its_columns_and_its_cells():
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "<y>"]})

    assert read_table(frame._repr_html_()) == TableText(
        ("", "a", "b"), (("0", "1", "x"), ("1", "2", "<y>"))
    )


def test_a_large_frame_is_its_ends_and_says_how_large_it_is():
    found = read_table(pd.DataFrame({f"c{n}": range(200) for n in range(30)})._repr_html_())

    assert found is not None
    assert len(found.rows) <= ROWS
    assert {len(row) for row in (found.heads, *found.rows)} == {COLUMNS}
    assert found.heads[:2] == ("", "c0")
    assert found.heads[-1] == "c29"
    assert CUT in found.heads
    assert found.says == "200 rows × 30 columns"


def test_cells_that_reach_over_rows_and_columns_leave_the_others_in_their_place():
    index = pd.MultiIndex.from_tuples([("p", 1), ("p", 2)], names=["u", "v"])
    frame = pd.DataFrame({("x", "a"): [1, 2], ("x", "b"): [3, 4]}, index=index)

    assert read_table(frame._repr_html_()) == TableText(
        ("u", "v", "x a", "b"), (("p", "1", "1", "3"), ("", "2", "2", "4"))
    )


def test_tags_attributes_scripts_and_styles_are_no_part_of_a_text():
    html = (
        "<style>td{color:red}</style><table><tr><td onclick=x()>a<script>alert(1)</script>"
        "<img src=x onerror=alert(2)>&lt;b&gt;</td><td>c<!-- <i> -->d</td></tr></table>"
    )

    assert read_table(html) == TableText(("a<b>", "cd"), ())


def test_a_long_text_is_cut_and_what_has_no_cell_is_no_table():
    (head,) = read_table(f"<table><tr><td>{'x' * 999}</td></tr></table>").heads

    assert len(head) == WIDTH
    assert head.endswith(CUT)
    assert read_table("<table></table>") is None
    assert read_table("a <table") is None
