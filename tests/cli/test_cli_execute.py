"""`wfnb exec` goes on where a notebook failed, and skips only what is sure; in real kernels."""

import json
import os
import re
import shutil
import signal
import subprocess

import pytest

from .command import PATIENCE, ROOT, Desk

pytestmark = pytest.mark.kernel

LINE = re.compile(r"^\[\d+/\d+\] .* · (ran|skipped|failed)\b", re.MULTILINE)
Cells = dict[str, str]

LOAD = "x = [1, 2]\nprint('loaded')"
MEAN = "y = sum(x) / len(x)\nprint('mean', y)"
DAY: Cells = {"a": LOAD, "b": MEAN, "c": "1 / 0", "d": "z = y + x[0]\nprint('last', z)"}
MENDED: Cells = {**DAY, "c": "w = 1"}


def write(desk: Desk, cells: Cells, **tags: str) -> None:
    """A notebook with these code cells, by id."""
    code = [
        {
            "cell_type": "code",
            "id": id,
            "source": source,
            "metadata": {"tags": [tags[id]]} if id in tags else {},
            "outputs": [],
            "execution_count": None,
        }
        for id, source in cells.items()
    ]
    data = {"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (desk.folder / "day.ipynb").write_text(json.dumps(data), "utf-8")


def execute(desk: Desk, *words: str, code: int = 0) -> str:
    """What became of each cell: r(an), s(kipped) or f(ailed)."""
    said = desk.wfnb("exec", "day.ipynb", *words)
    assert said.code == code, said.err
    return "".join(word[0] for word in LINE.findall(said.err))


def printed(desk: Desk, name: str = "day.run.ipynb") -> dict[str, str]:
    """What each cell of the executed notebook has printed."""
    data = json.loads((desk.folder / name).read_text("utf-8"))
    return {
        each["id"]: "".join(
            "".join(out["text"]) for out in each["outputs"] if out["output_type"] == "stream"
        )
        for each in data["cells"]
    }


def test_it_goes_on_at_the_cell_that_failed_with_what_was_before_it(desk: Desk):
    write(desk, DAY)
    assert execute(desk, code=1) == "rrf"
    write(desk, MENDED)

    assert execute(desk) == "ssrr"

    assert printed(desk) == {"a": "loaded\n", "b": "mean 1.5\n", "c": "", "d": "last 2.5\n"}
    assert execute(desk) == "ssss"


def test_what_is_kept_of_it_is_kept_out_of_git(desk: Desk):
    subprocess.run(["git", "init", "-q", str(desk.folder)], check=True)
    write(desk, {"a": LOAD})

    execute(desk)

    status = ["git", "-C", str(desk.folder), "status", "--porcelain", "-uall"]
    found = subprocess.run(status, check=True, capture_output=True, text=True).stdout.split()
    assert [name for name in found if name.startswith(".wfnb/")] == [".wfnb/.gitignore"]


def test_a_link_in_the_place_of_what_keeps_it_out_of_git_is_not_followed(desk: Desk):
    folder = desk.folder / ".wfnb" / "executed"
    folder.mkdir(parents=True)
    (desk.folder / "mine.txt").write_text("mine", "utf-8")
    (folder / ".gitignore").symlink_to(desk.folder / "mine.txt")
    write(desk, {"a": LOAD})

    execute(desk)

    assert (desk.folder / "mine.txt").read_text("utf-8") == "mine"


def test_below_the_cell_that_failed_nothing_of_an_earlier_time_is_shown(desk: Desk):
    write(desk, MENDED)
    assert execute(desk) == "rrrr"
    ran = json.loads((desk.folder / "day.run.ipynb").read_text("utf-8"))
    ran["cells"][1]["source"] = "1 / 0"
    (desk.folder / "day.ipynb").write_text(json.dumps(ran), "utf-8")

    assert execute(desk, code=1) == "sf"

    assert printed(desk) == {"a": "loaded\n", "b": "", "c": "", "d": ""}
    write(desk, MENDED)
    assert execute(desk)[0] == "s"
    assert printed(desk) == {"a": "loaded\n", "b": "mean 1.5\n", "c": "", "d": "last 2.5\n"}


def test_a_cell_that_is_not_to_be_run_is_not_said_to_have_been(desk: Desk):
    write(desk, {"a": "print(1)", "b": "print(2)"}, b="skip-execution")

    assert execute(desk) == "r"

    assert printed(desk) == {"a": "1\n", "b": ""}


def test_a_line_calls_a_cell_by_the_heading_above_it(desk: Desk):
    write(desk, {"a": "x = 1", "b": "# More of it\ny = x"})
    path = desk.folder / "day.ipynb"
    data = json.loads(path.read_text("utf-8"))
    heading = {"cell_type": "markdown", "id": "m", "source": "## Load it", "metadata": {}}
    path.write_text(json.dumps({**data, "cells": [heading, *data["cells"]]}), "utf-8")

    said = desk.wfnb("exec", "day.ipynb").err

    assert "[1/2] Load it · ran" in said
    assert "[2/2] More of it · ran" in said


def test_a_list_made_anew_in_between_is_not_changed_by_what_changed_the_first(desk: Desk):
    cells = {"a": "x = []", "b": "y = x", "c": "n = 1", "d": "y.append(2)", "e": "print(len(x))"}
    write(desk, cells)
    execute(desk)
    write(desk, {**cells, "c": "x = []"})

    execute(desk)

    assert printed(desk)["e"] == "0\n"


def test_a_variable_that_an_import_sets_is_set_again_by_it(desk: Desk):
    code = "import os\nos.environ['WFNB_BY_IMPORT'] = '1'\ndef fit(n): return n * 2\n"
    (desk.folder / "helper.py").write_text(code, "utf-8")
    cells = {"a": "import os", "b": "from helper import fit\nm = fit(2)", "c": "1 / 0"}
    write(desk, cells)
    assert execute(desk, code=1) == "rrf"
    write(desk, {**cells, "c": "print(m, os.environ['WFNB_BY_IMPORT'])"})

    assert execute(desk) == "ssr"

    assert printed(desk)["c"] == "4 1\n"


def test_a_variable_that_no_import_sets_again_is_set_by_its_cell(desk: Desk):
    code = "import os\ndef fit(n):\n    os.environ['WFNB_BY_CALL'] = str(n)\n    return n\n"
    (desk.folder / "helper.py").write_text(code, "utf-8")
    cells = {"a": "import os", "b": "from helper import fit\nm = fit(2)", "c": "1 / 0"}
    write(desk, cells)
    assert execute(desk, code=1) == "rrf"
    write(desk, {**cells, "c": "print(m, os.environ['WFNB_BY_CALL'])"})

    execute(desk)

    assert printed(desk)["c"] == "2 2\n"


def test_a_changed_cell_and_all_that_read_it_run_again(desk: Desk):
    write(desk, MENDED)
    execute(desk)
    write(desk, {**MENDED, "a": LOAD.replace("1", "3")})

    assert execute(desk) == "rrsr"
    assert printed(desk)["d"] == "last 5.5\n"


ORDER: Cells = {"a": "x = 1", "b": "x = 2", "c": "y = x\nprint(y)", "d": "z = y\nprint(z)"}


@pytest.mark.parametrize(
    ("order", "became", "gives"),
    [
        ("bacd", "ssrrrr", "1"),  # moved: the line keeps the x of b, so that both run
        ("acbd", "srsr", "1"),
        ("acd", "srr", "1"),  # deleted
        ("abcd", "ssss", "2"),
    ],
)
def test_a_cell_that_reads_something_else_where_cells_were_moved_or_deleted_runs_again(
    desk: Desk, order: str, became: str, gives: str
):
    write(desk, ORDER)
    execute(desk)
    write(desk, {id: ORDER[id] for id in order})

    assert execute(desk) == became
    shown = printed(desk)
    assert (shown["c"], shown["d"]) == (f"{gives}\n", f"{gives}\n")


def test_what_is_put_back_is_what_the_cells_above_left_where_they_were_moved(desk: Desk):
    cells = {"a": "x = 1", "b": "y = x + 1", "c": "x = x + 10", "d": "w = 1"}
    write(desk, cells)
    execute(desk)
    moved = {id: cells[id] for id in "abdc"}
    write(desk, {**moved, "d": "w = 2\nprint(x)"})

    execute(desk)

    assert printed(desk)["d"] == "1\n"


def test_a_module_of_ones_own_that_was_edited_is_used_as_it_is_now(desk: Desk):
    cells = {"a": "from units import FEET", "b": "import heights\ny = heights.tall(2)\nprint(y)"}
    write(desk, {**cells, "c": "z = 1"})
    (desk.folder / "units.py").write_text("FEET = 3\n", "utf-8")
    text = "from units import FEET\ndef tall(n):\n    return n * FEET + {}\n"
    (desk.folder / "heights.py").write_text(text.format(0), "utf-8")
    execute(desk)
    assert execute(desk) == "sss"

    (desk.folder / "heights.py").write_text(text.format(1), "utf-8")
    assert execute(desk) == "srs"
    assert printed(desk)["b"] == "7\n"

    (desk.folder / "units.py").write_text("FEET = 30\n", "utf-8")
    assert execute(desk)[1:] == "rs"
    assert printed(desk)["b"] == "61\n"


def test_what_a_library_made_that_has_another_version_now_is_made_again(desk: Desk):
    installed = desk.folder / "site-packages"

    def install(version: int) -> None:
        code = (
            f"__version__ = '{version}.0'\nclass Rate:\n    def __init__(self): self.of = {version}"
        )
        metadata = f"Metadata-Version: 2.1\nName: rates\nVersion: {version}.0\n"
        shutil.rmtree(installed, ignore_errors=True)
        for name, text in (("rates/__init__.py", code), ("rates.dist-info/METADATA", metadata)):
            (installed / name).parent.mkdir(parents=True)
            (installed / name).write_text(text, "utf-8")

    desk = Desk(desk.folder, {**desk.env, "PYTHONPATH": f"{ROOT}{os.pathsep}{installed}"})
    write(desk, {"a": "import rates", "b": "r = rates.Rate()\nprint(r.of)", "c": "z = 1"})
    install(1)
    execute(desk)
    assert execute(desk) == "sss"

    install(20)

    assert execute(desk) == "rrs"
    assert printed(desk)["b"] == "20\n"
    assert execute(desk) == "sss"


def test_a_cell_that_is_no_step_runs_with_the_values_of_its_place(desk: Desk):
    cells = {"a": "x = 1", "p": "print('now', x)", "b": "x = 2", "q": "print('then', x)"}
    write(desk, cells)
    assert execute(desk) == "rrrr"

    assert execute(desk) == "srsr"
    assert printed(desk) == {"a": "", "p": "now 1\n", "b": "", "q": "then 2\n"}


UNSURE: Cells = {
    "a": "g = (i for i in range(3))",
    "b": "_p = 1",
    "c": "import os\nos.environ['DAY'] = '1'",
    "d": "import random\nrandom.seed(1)",
    "e": "import warnings\nwarnings.simplefilter('ignore')",
    "f": "import sys\nsys.path.append('here')",
    "g": "class A:\n    pass\ndef put():\n    A.n = 1\nput()",
    "h": "gone = 1\ndel gone",
    "i": "%cd .",
    "j": "exec('v = 2')",
    "k": "get_ipython().ast_node_interactivity = 'last_expr'",
    "l": "import logging\nlog = logging.getLogger('day')\nlog.disabled = True",
    "m": "import os\nold = os.umask(0o22)",
    "n": "import calendar\nassert calendar.setfirstweekday(0) is None",
    "o": "from IPython.core.magic import register_line_magic\n"
    "@register_line_magic\ndef hey(line):\n    return line",
    "p": "import wfnb\n@wfnb.tool\ndef take(n: int) -> int:\n    return n",
    "q": "import warnings\nfound = warnings.resetwarnings()",
    "r": "import gc\nfound = gc.freeze()",
    "s": "digits = %precision 3",
    "t": "from __future__ import annotations",
    "u": "a_config = loud()",
    "v": "import day_setup\nb_config = day_setup.quiet()",
    "w": "from day_setup import Model\nc_model = Model()\nc_size = c_model.fit().size",
    "x": "d_quiet = list(map(lambda f: f(), [loud]))",
    "y": "from functools import partial\ne_config = partial(widths, 80)()",
}
SURE: Cells = {
    "A": "import pandas as pd\nframe = pd.DataFrame({'a': [1]}).set_index('a')",
    "B": "import re\nat = re.search('b', 'abc').start()\nfound = set([at])",
    "C": "import functools\n@functools.lru_cache\ndef f(x):\n    return x",
    "D": "def twice(f):\n    return lambda x: f(f(x))\n@twice\ndef g(x):\n    return x + 1",
    "E": "class P:\n    def __init__(self):\n        self.n = {}\n        self.n['a'] = 1\np = P()",
    "F": "q = [0, 1]\nq[0] = 2\nfor q[1] in range(3):\n    pass",
    "G": "g_seen = counted([3, 1])",
    "H": "from day_setup import Model\nh_model = Model()\nh_size = h_model.size",
    "I": "frame.index.name = 'b'\ni_size = frame.size or 3",
    "J": "import os\nj_home = os.environ.get('DAY_NONE') or 3\nj_name = os.path.join('a', 'b')",
    "K": "import time\nk_then = time.time()\nk_all = not any([k_then is None])",
    "L": "class Node:\n    def link(self, other):\n        self.next.last = other\nl_node = Node()",
    "M": "m_size = os.path.getsize('.') or 3",
    "N": "import threading\nn_lock = type(threading.Lock()).__name__",
    "O": "o_text = named_text()",
}
SETUP: Cells = {
    "0": "import logging\nimport sys\nimport warnings\ndef loud():\n"
    "    logging.getLogger('day').disabled = True\n    return 1\n"
    "def widths(n):\n    import decimal as numbers\n    numbers.setcontext(numbers.Context(n))\n"
    "    return n\n"
    "def counted(rows):\n    rows = [*rows]\n    rows.sort()\n    logging.info('sorted')\n"
    "    with warnings.catch_warnings():\n        warnings.simplefilter('ignore')\n"
    "    return rows\n"
    "def named_text():\n    import os\n"
    "    return [os.getcwd() and '', os.path.basename('a')]",
}
"""Functions that are told of what they set by nothing that the cells say which call them."""
DAY_SETUP = """
import logging, sys
def quiet():
    sys.path.append("there")
    return 1
class Model:
    size = 3
    def fit(self):
        logging.captureWarnings(True)
        return self
"""


def test_what_cannot_be_put_back_for_sure_runs_again(desk: Desk):
    (desk.folder / "day_setup.py").write_text(DAY_SETUP, "utf-8")
    cells = {**SETUP, **UNSURE, **SURE}
    write(desk, {**cells, "z": "1 / 0"})
    execute(desk, code=1)
    write(desk, {**cells, "z": "print(1)\nt = 1"})

    assert execute(desk) == "r" * (1 + len(UNSURE)) + "s" * len(SURE) + "r"


SETS: Cells = {
    "1": "import logging\nfrom types import SimpleNamespace\n"
    "f_box = SimpleNamespace(log=logging.getLogger('day'))\n"
    "f_logs = {'day': f_box.log}\nimport calendar as f_unused\n"
    "def loud_in(box):\n    f_box.log.disabled = True\n    return 1\n"
    "def named():\n    import copyreg\n    return [copyreg.pickle(zip, repr), 1]\n"
    "def partly():\n    from functools import partial\n"
    "    return [partial(setattr, f_unused)('day', 1), 1]\n",
    "za": "f_box.log.disabled = True",
    "zb": "f_logs['day'].disabled = True\nf_x = 1",
    "zc": "__builtins__.__dict__['day'] = 1",
    "zd": "import builtins\nvars(builtins)['day'] = f_y = 1",
    "ze": "import threading\nf_z = 3\nthreading.current_thread().name = 'day'",
    "zf": "import copyreg\nf_level = copyreg.pickle(zip, repr) or 3",
    "zg": "import mimetypes\nf_types = mimetypes.add_type('a/b', '.day') or 1",
    "zh": "from mimetypes import add_type\nf_added = [add_type('a/b', '.day'), 1]",
    "zi": "from unittest import mock\nimport calendar\n"
    "f_patched = mock.patch.object(calendar, 'month', 3).start()",
    "zj": "import calendar\nf_set = object.__setattr__(calendar, 'day', 1) or 2",
    "zk": "import calendar\nfrom functools import partial\n"
    "f_partial = [partial(setattr, calendar, 'day')(1), 2]",
    "zl": "f_in_box = loud_in(f_box)",
    "zm": "f_named = named()",
    "zn": "f_by = partly()",
    "zo": "import socket\nf_timeout = (socket.setdefaulttimeout(9), 3)",
    "zp": "import csv\nf_limit = csv.field_size_limit(9999)",
}
"""After a cell that makes them, forms of setting that no list of setters has."""


def test_what_is_not_known_to_set_nothing_runs_again(desk: Desk):
    write(desk, {**SETS, "zz": "1 / 0"})
    execute(desk, code=1)
    write(desk, {**SETS, "zz": "t = 1"})

    assert execute(desk)[1:] == "r" * len(SETS)


def test_what_a_cell_set_in_the_shell_is_there_for_the_cells_below(desk: Desk):
    below = "1\n2\nt = 1"
    cells = {"a": "get_ipython().ast_node_interactivity = 'all'", "b": "1 / 0"}
    write(desk, cells)
    execute(desk, code=1)
    write(desk, {**cells, "b": below})
    execute(desk)

    data = json.loads((desk.folder / "day.run.ipynb").read_text("utf-8"))
    assert [out["data"]["text/plain"] for out in data["cells"][1]["outputs"]] == [["1"], ["2"]]


def test_an_object_that_has_two_names_is_one_object_afterwards(desk: Desk):
    cells = {"a": "x = []", "p": "print(x)", "b": "y = x", "c": "1 / 0"}
    write(desk, cells)
    execute(desk, code=1)
    write(desk, {**cells, "c": "y.append(1)\nprint(x)"})

    assert execute(desk) == "srrr"
    assert printed(desk)["c"] == "[1]\n"


def test_values_that_are_lost_are_made_again(desk: Desk):
    write(desk, DAY)
    execute(desk, code=1)
    write(desk, MENDED)
    shutil.rmtree(desk.folder / ".wfnb" / "values")

    # They were skipped first, and run when it is seen that nothing can be put back.
    assert execute(desk) == "ssrrrr"
    assert printed(desk)["d"] == "last 2.5\n"


def test_what_a_function_needs_is_not_put_back_where_no_cell_gives_it_any_more(desk: Desk):
    cells = {"a": "rate = 2", "b": "def price(n): return n * rate", "c": "y = 1"}
    write(desk, cells)
    execute(desk)
    del cells["a"]
    write(desk, {**cells, "c": "y = price(3)\nprint(y)"})

    assert execute(desk, code=1) == "sf"


def test_what_was_shown_is_found_by_another_run_that_writes_elsewhere(desk: Desk):
    write(desk, MENDED)
    execute(desk, "-o", "monday.ipynb")

    assert execute(desk, "-o", "tuesday.ipynb") == "ssss"
    assert printed(desk, "tuesday.ipynb") == printed(desk, "monday.ipynb")

    shutil.rmtree(desk.folder / ".wfnb" / "executed")
    assert execute(desk, "-o", "wednesday.ipynb") == "rrrr"


def test_parameters_are_set_after_their_defaults_and_what_read_another_runs_again(desk: Desk):
    cells = {"p": "n = 1\nname = 'a'", "a": "x = 5\nt = 1", "b": "print(n + x, name)\nm = n"}
    write(desk, cells, p="parameters")
    assert execute(desk, "-p", "n", "2", "-p", "name", "b c") == "rrrr"
    assert printed(desk)["b"] == "7 b c\n"

    assert execute(desk, "-p", "n", "2", "-p", "name", "b c") == "ssss"
    assert execute(desk, "-p", "n", "3", "-p", "name", "b c") == "srsr"
    assert printed(desk)["b"] == "8 b c\n"


def test_a_parameter_that_no_default_has_is_said(desk: Desk):
    write(desk, {"p": "n = 1\nname = 'a'", "b": "print(n)"}, p="parameters")

    found = desk.wfnb("exec", "day.ipynb", "-p", "m", "2", "-p", "n", "3")

    assert (found.code, found.err.splitlines()[0]) == (
        0,
        "wfnb exec: the cell tagged `parameters` has no 'm'. It has: n, name.",
    )


def test_numbers_that_have_no_literal_are_parameters_too(desk: Desk):
    write(desk, {"p": "n = 1", "b": "print(n)"}, p="parameters")

    execute(desk, "-p", "n", "[.inf, -.inf, .nan]")

    assert printed(desk)["b"] == "[inf, -inf, nan]\n"


def test_marked_steps_that_keep_their_values_need_no_recording(desk: Desk):
    top = "%load_ext wfnb\n%wfnb open day"
    cells = {"o": top, "a": f"%%step Load --keep x\n{LOAD}", "b": MEAN, "c": "1 / 0"}
    write(desk, cells)
    assert execute(desk, "--no-record", code=1) == "rrrf"

    assert execute(desk, "--no-record", code=1) == "rsrf"
    assert printed(desk)["a"].startswith("loaded")  # from the notebook that is written again
    assert not (desk.folder / ".wfnb" / "executed").exists()


def test_marked_steps_are_skipped_as_plain_cells_are(desk: Desk):
    later = "%step Twice\nw = 2 * x[0]\n%env WFNB_TRIED=1"
    cells = {"a": f"%%step Load\n{LOAD}", "b": f"%%branch alt\n{MEAN}", "c": later}
    write(desk, cells)
    assert execute(desk) == "rrr"

    assert execute(desk) == "ssr"
    assert printed(desk)["a"].startswith("loaded")


def test_all_runs_all_and_records_attempts(desk: Desk):
    write(desk, MENDED)
    execute(desk)

    assert execute(desk, "--all") == "rrrr"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no.ipynb",), "cannot be read"),
        (("day.ipynb", "-o", "day.ipynb"), "would replace the notebook"),
        (("day.ipynb", "-p", "1x", "2"), "'1x' cannot be a parameter"),
        (("day.ipynb", "--kernel", "none-such"), "there is no kernel 'none-such'"),
    ],
)
def test_mistakes_are_told_in_one_line(desk: Desk, words: tuple[str, ...], says: str):
    write(desk, MENDED)

    said = desk.wfnb("exec", *words)

    assert (said.code, says in said.err, len(said.err.splitlines())) == (2, True, 1), said.err


def test_the_cell_after_which_a_kernel_answers_no_json_is_named(desk: Desk):
    broken = "import json\njson.dumps = lambda *given, **more: 'no JSON'"
    write(desk, {"a": "x = 1", "b": broken, "c": "x"})

    found = desk.wfnb("exec", "day.ipynb")

    assert found.code == 1
    assert "[2/3] import json · its answer cannot be read" in found.err
    assert "wfnb: what the kernel answers is no JSON" in found.err
    assert "Traceback" not in found.err


def test_the_cell_in_which_a_kernel_died_is_named(desk: Desk):
    write(desk, {"a": "x = 1", "b": "import os\nos._exit(3)", "c": "x"})

    found = desk.wfnb("exec", "day.ipynb")

    assert found.code != 0
    assert "[2/3] import os · the kernel died in it" in found.err


def test_a_cell_that_was_skipped_and_runs_after_all_says_why_in_words_of_its_own(desk: Desk):
    cells = {
        "a": "import itertools, random, collections",
        "b": "random.seed(3)\nids = itertools.count(5)",
        "c": "def new(): return {'id': next(ids), 'w': random.random()}",
        "d": "items = [new() for _ in range(3)]\nprint(items)",
        "e": "by = {i['id']: i for i in items}",
        "f": "by[6]['w'] = 9",
        "g": "print(items[1], sum(i['w'] for i in items))",
        "h": "nxt = new()\nprint(nxt)",
        "i": "q = collections.deque(items, maxlen=3)\nq.append(nxt)\nprint(q[0] is items[1])",
        "j": "print(by[7] is q[1])\nraise ValueError",
    }
    write(desk, cells)
    execute(desk, code=1)
    write(desk, {**cells, "j": "by[7]['w'] = 1\nprint(items, q, new())"})

    said = desk.wfnb("exec", "day.ipynb").err

    assert "--keep" not in said
    assert re.search(r"ran in .* · after all: what step \d+ left was not kept", said), said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_a_signal_that_comes_after_the_last_cell_does_not_change_the_code(desk: Desk, number: int):
    write(desk, {"a": "x = 1"})

    with desk.begun("exec", "day.ipynb") as running:
        while not LINE.match(running.stderr.readline()):
            assert running.poll() is None
        running.send_signal(number)
        running.wait(PATIENCE)

    assert running.returncode == 0
    assert (desk.folder / "day.run.ipynb").exists()
