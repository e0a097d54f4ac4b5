from wfnb.views.compare import Comparison, Row

FOLDERS = Row(name="folder", cells=("src/ *", "src/"))
ERRORS = Row(name="rmse", cells=(4, 2), best=(1,))
SECONDS = Row(name="seconds", cells=(1.0, 2.0), timed=True)


def compared(*rows: Row) -> Comparison:
    return Comparison(lines=("main", "alt ⟵ 1"), rows=rows)


def test_the_best_value_has_a_star_that_the_last_line_explains():
    assert compared(SECONDS, FOLDERS, ERRORS).text == (
        "         main    alt ⟵ 1\n"
        "seconds  1       2\n"
        "folder   src/ *  src/\n"
        "rmse     4       2 *\n"
        "* best"
    )


def test_without_a_best_value_no_star_is_explained():
    assert "* best" not in compared(FOLDERS).text


def test_the_best_value_is_bold_and_a_star_of_ones_own_stays_a_star():
    both = compared(SECONDS, FOLDERS, ERRORS)

    assert both.markdown.splitlines()[2:] == [
        "| folder | src/ \\* | src/ |",
        "| rmse | 4 | **2** |",
    ]
    assert ">src/ *</td>" in both.html
    assert ">4</td>" in both.html
    assert "><b>2</b></td>" in both.html
    assert both.html.count("<b>") == 1
