"""Names that share an object: what changes it under one of them changes it under all."""

import pytest

from tests.dataflow.kernel import Kernel

Cells = tuple[str, ...]

LIST = ("a = [1]", "b = a", "a.append(2)", "total = sum(b)")
FRAME = (
    "import pandas as pd\ndf = pd.DataFrame({'v': [1, 2]})",
    "parts = {'train': df}",
    "df['w'] = df['v'] * 2",
    "total = list(parts['train'])",
)
MODEL = (
    "cfg = {'lr': 0.1}",
    "class Model:\n    def __init__(self, cfg):\n        self.cfg = cfg\nm = Model(cfg)",
    "cfg['lr'] = cfg['lr'] / 2",
    "total = m.cfg['lr'] * 10",
)
LARGE = (
    "rows = [{'n': n} for n in range(9_000)]",
    "one = rows[8_000]",
    "rows[8_000]['n'] = 1",
    "total = one['n']",
)
INDEX = (
    "import pandas as pd\ntrain = pd.DataFrame({'v': [1, 2]}, index=[*'ab'])",
    "guess = pd.Series([5, 6], index=train.index)",
    "train.index.name = 'id'",
    "total = guess.reset_index().columns.tolist()",
)
RANGE = (
    "import pandas as pd\ndf = pd.DataFrame({'v': [1, 2]})",
    "rows = df.index",
    "df.index.name = 'n'",
    "total = rows.name",
)
LEVELS = (
    "import pandas as pd\npairs = pd.MultiIndex.from_tuples([(1, 2), (3, 4)])",
    "a = pd.Series([1, 2], pairs)\nb = pd.Series([3, 4], pairs)",
    "a.index.names = ['u', 'v']",
    "total = list(b.index.names)",
)
COLUMNS = (
    "import pandas as pd\ncolumns = pd.Index(['x', 'y'])",
    "a = pd.DataFrame([[1, 2]], columns=columns)\nb = pd.DataFrame([[3, 4]], columns=columns)",
    "a.columns.name = 'k'",
    "total = b.columns.name",
)
TIMES = (
    "import pandas as pd\ntimes = pd.date_range('2020', periods=2)",
    "a = pd.Series([1, 2], times)\nb = {'k': pd.Series([3, 4], times)}",
    "a.index.name = 't'",
    "total = b['k'].index.name",
)
NOTES = (
    "import pandas as pd\ndf = pd.DataFrame({'v': [1, 2]})",
    "notes = df.attrs",
    "notes['unit'] = 'm'",
    "total = df.attrs",
)
NAMED = (
    "import pandas as pd\ndf = pd.DataFrame({'v': [1, 2]})",
    "rows, columns = df.index, df.columns",
    "rows.name, columns.name = 'n', 'k'",
    "total = [df.index.name, df.columns.name]",
)
TREE = (
    "import xml.etree.ElementTree as ET\nroot = ET.fromstring('<r><a n=\"1\"/></r>')",
    "one = root.find('a')",
    "one.set('n', '5')",
    "total = ET.tostring(root).decode()",
)
INDEXES = {
    "an index": (INDEX, "['id', 0]"),
    "an index in a range": (RANGE, "n"),
    "levels": (LEVELS, "['u', 'v']"),
    "columns": (COLUMNS, "k"),
    "times": (TIMES, "t"),
}
STORIES = {
    **INDEXES,
    "in much": (LARGE, "1"),
    "a list": (LIST, "3"),
    "a frame": (FRAME, "['v', 'w']"),
    "a model": (MODEL, "0.5"),
    "what a frame notes": (NOTES, "{'unit': 'm'}"),
    "an index under its name": (NAMED, "['n', 'k']"),
    "a part of a tree": (TREE, '<r><a n="5" /></r>'),
}
ORDERS = ["12343", "1234131", "123413", "123412", "12341324", "123413124", "12343431"]
NOT_SEEN = {"an index", "in much"}
"""Stories in which a part is not known to be of an object that was made anew."""
RUNS = [(story, order) for story in STORIES for order in ORDERS]
RUNS += [(story, "12134") for story in STORIES if story not in NOT_SEEN]


def run(kernel: Kernel, cells: Cells, order: str) -> None:
    for letter in order:
        error = kernel.say(f"%%step {letter} Cell\n{cells[int(letter) - 1]}", f"cell-{letter}")
        assert error is None


def stale(kernel: Kernel) -> list[int]:
    return [step["number"] for step in kernel.marks() if step["stale"]]


@pytest.mark.parametrize(("story", "order"), RUNS)
def test_where_nothing_is_stale_any_more_the_last_cell_showed_what_the_line_gives(
    kernel: Kernel, story: str, order: str
):
    cells, wanted = STORIES[story]
    run(kernel, cells, order)

    assert kernel.say("%wfnb run-stale") is None

    assert stale(kernel) == []
    assert kernel.shell is not None
    assert str(kernel.shell.user_ns["total"]) == wanted


@pytest.mark.parametrize("story", STORIES)
def test_what_changes_under_another_name_is_seen_in_the_first_run_of_all(
    kernel: Kernel, story: str
):
    run(kernel, STORIES[story][0], "1234")

    assert stale(kernel) == []


def test_a_series_that_has_an_index_of_its_own_now_is_not_renamed_with_the_frame(kernel: Kernel):
    run(kernel, INDEX, "1234")

    run(kernel, (INDEX[0], "guess = pd.Series([5, 6], index=[*'ab'])"), "12")

    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert kernel.shell.user_ns["total"] == ["index", 0]


def test_a_large_series_is_not_changed_with_a_frame_that_has_its_index(kernel: Kernel):
    cells = (
        "import pandas as pd\ntrain = pd.DataFrame({'v': range(300_000)})",
        "guess = pd.Series(5, index=train.index)\nsame = guess.index is train.index",
        "train['w'] = 1",
        "total = guess.sum()",
    )
    run(kernel, cells, "12431")

    assert kernel.shell is not None
    assert kernel.shell.user_ns["same"] is True
    assert stale(kernel) == []


def test_what_is_restored_has_the_index_in_common_that_it_had(kernel: Kernel):
    keep = "%%step {0} Cell --keep {1}\n{2}"
    kernel.say(keep.format(1, "train", INDEX[0]), "cell-1")
    kernel.say(keep.format(2, "guess", INDEX[1]), "cell-2")
    kernel.restart()
    assert kernel.say("%wfnb restore 2") is None

    run(kernel, INDEX, "34")

    assert stale(kernel) == []
    assert kernel.shell is not None
    assert kernel.shell.user_ns["total"] == ["id", 0]


def test_a_name_that_is_made_to_share_later_is_changed_by_what_stands_below(kernel: Kernel):
    run(kernel, ("a = [1]", "b = [*a]", "a.append(2)", "total = sum(b)"), "1234")

    run(kernel, LIST, "13124")  # step 3 did not run since they share

    assert stale(kernel) == [4]
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert sum(kernel.shell.user_ns["b"]) == 3


@pytest.mark.parametrize("change", ["a.append(2)", "a += [2]"])
def test_what_holds_an_object_from_before_it_was_made_anew_misses_what_is_changed_since(
    kernel: Kernel, change: str
):
    cells = (LIST[0], LIST[1], change, LIST[3])

    run(kernel, cells, "12134")

    assert stale(kernel) == [4]
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert sum(kernel.shell.user_ns["b"]) == 3


FRAME_ALONE = "import pandas as pd\ndf = pd.DataFrame({'v': [1, 2]})"
CONFIG = "from configparser import ConfigParser\nc = ConfigParser()\nc.read_string('[a]\\nx=1')"
TREE = "import xml.etree.ElementTree as ET\nroot = ET.fromstring('<r><a n=\"1\"/></r>')"
PAGE = "from xml.dom import minidom\npage = minidom.parseString('<r/>')"
LABELS = "import pandas as pd\nlabels = pd.MultiIndex.from_tuples([(1, 2)], names=['u', 'v'])"
PLACE = "from types import SimpleNamespace\nplace = SimpleNamespace(x=1)"
PARTS = {
    "attrs": (FRAME_ALONE, "at = df.attrs", "at['u'] = 1", "total = df.attrs", "{'u': 1}"),
    "index": (FRAME_ALONE, "i = df.index", "i.name = 'z'", "total = df.index.name", "z"),
    "index of a frame": (FRAME_ALONE, "i = df.index", "df.index.name = 'z'", "total = i.name", "z"),
    "index in a list": (
        FRAME_ALONE,
        "i = [df.index]",
        "i[0].name = 'z'",
        "total = df.index.name",
        "z",
    ),
    "columns": (FRAME_ALONE, "c = df.columns", "c.names = ['z']", "total = df.columns.name", "z"),
    "columns of a frame": (
        FRAME_ALONE,
        "c = df.columns",
        "df.columns.name = 'z'",
        "total = c.name",
        "z",
    ),
    "two frames": (
        FRAME_ALONE,
        "e = pd.DataFrame({'w': [3, 4]}, index=df.index)",
        "e.index.name = 'z'",
        "total = df.index.name",
        "z",
    ),
    "levels": (
        f"{LABELS}\nw = pd.Series([1], labels)",
        "p = w.index",
        "p.names = ['x', 'y']",
        "total = list(w.index.names)",
        "['x', 'y']",
    ),
    "section": (CONFIG, "s = c['a']", "s['x'] = '5'", "total = c.get('a', 'x')", "5"),
    "section of a file": (CONFIG, "s = c['a']", "c['a']['x'] = '5'", "total = s['x']", "5"),
    "element": (TREE, "e = root.find('a')", "e.set('n', '5')", "total = root[0].get('n')", "5"),
    "element of a tree": (
        TREE,
        "e = root.find('a')",
        "root[0].set('n', '5')",
        "total = e.get('n')",
        "5",
    ),
    "attributes of an element": (
        TREE,
        "e = root[0].attrib",
        "e['n'] = '5'",
        "total = root[0].get('n')",
        "5",
    ),
    "node": (
        PAGE,
        "n = page.documentElement",
        "n.setAttribute('n', '5')",
        "total = page.toxml()[-9:]",
        '<r n="5"/>'[-9:],
    ),
    "node of a page": (
        PAGE,
        "n = page.documentElement",
        "page.documentElement.setAttribute('n', '5')",
        "total = n.toxml()",
        '<r n="5"/>',
    ),
    "attributes": (PLACE, "held = vars(place)", "held['x'] = 5", "total = place.x", "5"),
    "attributes of an object": (
        PLACE,
        "held = vars(place)",
        "place.x = 5",
        "total = held",
        "{'x': 5}",
    ),
}


@pytest.mark.parametrize("order", ["12134", "1213124", "123414", "1213414"])
@pytest.mark.parametrize("part", PARTS)
def test_a_part_that_is_taken_from_what_is_made_anew_misses_what_is_changed_since(
    kernel: Kernel, part: str, order: str
):
    *cells, wanted = PARTS[part]

    run(kernel, tuple(cells), order)

    assert kernel.shell is not None
    assert 4 in stale(kernel) or str(kernel.shell.user_ns["total"]) == wanted
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert str(kernel.shell.user_ns["total"]) == wanted


@pytest.mark.parametrize("order", ["12134", "1234134", "123414"])
@pytest.mark.parametrize("change", ["df['w'] = 1", "df.loc[0, 'v'] = 9", "df.attrs['u'] = 1"])
def test_labels_that_no_step_renames_are_right_beside_a_frame_that_is_made_anew(
    kernel: Kernel, change: str, order: str
):
    cells = (FRAME_ALONE, "c, i = df.columns, df.index", change, "total = [*c], [*i]")

    run(kernel, cells, order)

    assert stale(kernel) == []


DATA_CLASS = "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass P:\n    x: int = 1"
ENUM = "from enum import Enum\nclass P(Enum):\n    A = 1"
OLD_BESIDE_NEW = {
    "two objects of a class": (DATA_CLASS, "p = P()", "q = P()", "same = p == q"),
    "a key": (DATA_CLASS, "d = {P(): 1}", "k = [P()]", "same = k[0] in d"),
    "members": (ENUM, "p = P.A", "d = {P.A: 1}", "same = p in d"),
    "a class in a dict": ("class P: pass", "d = {P: 1}", "p = P()", "same = type(p) in d"),
    "two classes": (
        "class P: pass",
        "class Q(P): pass",
        "p = P()",
        "same = type(p) is Q.__mro__[1]",
    ),
    "two containers": (
        "a = [1]",
        "d = {'k': a}",
        "e = [a]",
        "d['k'].append(2)\nsame = len(e[0]) == 2",
    ),
    "what code makes that does not show it": (
        "exec('a = ' + '[1]')",
        "d = {'k': a}",
        "e = [a]",
        "d['k'].append(2)\nsame = len(e[0]) == 2",
    ),
    "what was made of the old one": (
        "class P: pass",
        "p = P()",
        "k = [p]",
        "same = type(k[0]) is P",
    ),
    "another object of the old class": (
        DATA_CLASS,
        "p = P()",
        "from dataclasses import replace\nq = replace(p, x=1)",
        "same = q == P()",
    ),
}


@pytest.mark.parametrize("story", OLD_BESIDE_NEW)
def test_what_holds_an_old_object_is_stale_beside_what_holds_the_new_one(
    kernel: Kernel, story: str
):
    cells = OLD_BESIDE_NEW[story]

    run(kernel, cells, "12134")

    assert stale(kernel) == [4]
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert kernel.shell.user_ns["same"] is True


def test_of_two_old_objects_each_made_before_another_run_of_their_class_the_older_is_old(
    kernel: Kernel,
):
    cells = (DATA_CLASS, "p = P()", "q = P()", "same = p == q")

    run(kernel, cells, "121314")
    assert stale(kernel) == [4]
    run(kernel, cells, "24")

    assert stale(kernel) == [4]  # p is of the last run, q is not
    run(kernel, cells, "34")
    assert stale(kernel) == []


def test_what_two_containers_share_is_missed_by_the_one_that_was_made_later(kernel: Kernel):
    run(kernel, ("a = [1]", "d = {'k': a}", "e = [a]", "d['k'].append(2)", "e[0]"), "121345")

    assert stale(kernel) == [5]
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    assert kernel.shell is not None
    assert kernel.shell.user_ns["e"] == [[1, 2]]


def test_old_objects_of_one_run_are_right_beside_each_other(kernel: Kernel):
    run(kernel, (DATA_CLASS, "p = P()", "q = P()", "same = p == q", "1 + 1"), "12314")

    assert stale(kernel) == []


@pytest.mark.parametrize("change", ["a = [9]\na += [2]", "a = a + [2]", "a = [*a]\na.append(2)"])
def test_what_binds_a_name_first_changes_no_object_that_another_name_holds(
    kernel: Kernel, change: str
):
    run(kernel, (LIST[0], LIST[1], change, LIST[3]), "12134")

    assert stale(kernel) == []


def test_names_that_do_not_share_any_more_are_apart(kernel: Kernel):
    run(kernel, LIST, "1234")
    cells = ("a = [1]", "b = [*a]", "a.append(2)", "total = sum(b)")

    for _ in range(2):
        run(kernel, cells, "1234")
        assert stale(kernel) == []


@pytest.mark.parametrize("made_anew", ["b = [0]", "b = [*a]", "b = a[:0]"])
def test_what_is_changed_under_another_name_rests_on_what_it_was_before(
    kernel: Kernel, made_anew: str
):
    run(kernel, LIST, "1234")

    run(kernel, (LIST[0], made_anew), "2")

    assert 4 in stale(kernel)
    assert kernel.say("%wfnb run-stale") is None
    assert stale(kernel) == []
    names: dict[str, list[int]] = {}
    exec("\n".join((LIST[0], made_anew, *LIST[2:])), names)
    assert kernel.shell is not None
    assert kernel.shell.user_ns["total"] == names["total"]


def test_a_step_that_ran_before_over_the_same_gives_what_it_gave_to_the_other_name(kernel: Kernel):
    run(kernel, LIST, "1234")
    run(kernel, (LIST[0], "b = [0]"), "2")

    run(kernel, LIST, "12")  # as it was; step 3 has not run since

    assert stale(kernel) == []


def test_what_a_plain_cell_changes_under_another_name_rests_on_what_it_was_before(kernel: Kernel):
    total = f"%%step Sum\n{LIST[3]}"
    for id, text in enumerate((*LIST[:3], total)):
        kernel.say(text, f"cell-{id}")
    assert stale(kernel) == []

    kernel.say("b = [0]", "cell-1")

    assert stale(kernel) == [1]
    for id, text in enumerate((LIST[0], "b = [0]", LIST[2], total)):
        kernel.say(text, f"cell-{id}")
    assert stale(kernel) == []


def test_a_name_that_no_step_makes_any_more_is_not_made_by_who_changes_its_object(kernel: Kernel):
    run(kernel, LIST, "1234")

    assert kernel.say("%wfnb hide 2") is None

    (reason,) = (step["stale_reason"] for step in kernel.marks() if step["stale"])
    assert reason == "read b of step 3, which no longer makes it"


def test_a_name_that_a_plain_cell_made_out_of_steps_stays_so_when_a_step_changes_its_object(
    kernel: Kernel,
):
    run(kernel, LIST, "1")
    kernel.say(LIST[1], "cell-plain")

    run(kernel, LIST, "34")

    assert stale(kernel) == [4]


def test_a_restored_name_shares_as_it_did(kernel: Kernel):
    cells = (LIST[0], LIST[1], LIST[2], LIST[3])
    for letter, keeps in zip("1234", (" --keep a", " --keep b", "", ""), strict=True):
        kernel.say(f"%%step {letter} Cell{keeps}\n{cells[int(letter) - 1]}", f"cell-{letter}")
    kernel.restart()
    assert kernel.say("%wfnb restore 2") is None

    for letter, keeps in zip("34", ("", ""), strict=True):
        kernel.say(f"%%step {letter} Cell{keeps}\n{cells[int(letter) - 1]}", f"cell-{letter}")

    assert stale(kernel) == []
    assert kernel.shell is not None
    assert sum(kernel.shell.user_ns["b"]) == 3
