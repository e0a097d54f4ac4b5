"""Settings of the process make steps stale as names do (rule 8): the environment, the working
folder, the context of decimal numbers, how pandas and NumPy show things, levels of loggers."""

import warnings
from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import IMPORT, Story, stale_steps
from tests.dataflow.kernel import Kernel
from wfnb.dataflow import process_settings
from wfnb.gc_pause import without_gc

SETTING = "import os\nos.environ['WFNB_TRIED'] = 'a'"
DECIMAL = "import decimal\nfrom decimal import Decimal\ndecimal.getcontext().prec = 5"
SHOW = "\ndef show(x): return f'{x}'"
FRAME = "import pandas as pd\ndf = pd.DataFrame({'a': [*range(99)]})" + SHOW
ARRAY = "import numpy as np\nv = np.ones(3) / 7" + SHOW
SETTINGS = (
    (
        FRAME,
        "pd.set_option('display.max_rows', 11)",
        "pd.set_option('display.max_rows', 12)",
        (
            "pd.get_option('display.max_rows')",
            "pd.options.display.max_rows",
            "df._repr_html_()",
            "'%s' % df",
            "df.__str__()",
            "show(df)",
        ),
    ),
    (
        ARRAY,
        "np.set_printoptions(precision=3)",
        "np.set_printoptions(precision=4)",
        ("np.get_printoptions()['precision']", "'%s' % v", "show(v)"),
    ),
    (ARRAY, "np.setbufsize(1600);", "np.setbufsize(3200);", ("np.getbufsize()",)),
    (
        "import locale",
        "_ = locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')",
        "pass",
        ("locale.setlocale(locale.LC_NUMERIC)", "locale.getlocale(locale.LC_NUMERIC)"),
    ),
    ("import gc", "gc.set_threshold(600)", "gc.set_threshold(500)", ("gc.get_threshold()",)),
    ("from gc import *", "set_threshold(600)", "set_threshold(500)", ("get_threshold()",)),
    (
        "import socket",
        "socket.setdefaulttimeout(7)",
        "socket.setdefaulttimeout(8)",
        ("socket.getdefaulttimeout()",),
    ),
    (
        "import sys",
        "sys.setrecursionlimit(3001)",
        "sys.setrecursionlimit(3002)",
        ("sys.getrecursionlimit()",),
    ),
    ("import sys", "sys.argv[1:] = ['a']", "sys.argv[1:] = ['b']", ("sys.argv[1:]",)),
    (
        "import signal",
        "_ = signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "_ = signal.signal(signal.SIGUSR1, lambda *_: None)",
        ("signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",),
    ),
    ("import os", "_ = os.umask(0o27)", "_ = os.umask(0o77)", ("os.umask(0o22)",)),
    (
        "import sklearn\nfrom sklearn.preprocessing import StandardScaler",
        "sklearn.set_config(transform_output='pandas')",
        "sklearn.set_config(transform_output='default')",
        (
            "StandardScaler().fit_transform([[1], [2]])",
            "sklearn.get_config()['transform_output']",
        ),
    ),
    (
        "import sklearn\nfrom sklearn.linear_model import Ridge\nm = Ridge()",
        "sklearn.set_config(print_changed_only=False)",
        "sklearn.set_config(print_changed_only=True)",
        ("repr(m)", "sklearn.get_config()['print_changed_only']"),
    ),
    (
        "import calendar",
        "calendar.setfirstweekday(6)",
        "calendar.setfirstweekday(1)",
        ("calendar.weekheader(2)", "calendar.month(2024, 1)"),
    ),
    (
        "import logging\nlog = logging.getLogger('wfnb_tried.part')",
        "logging.getLogger('wfnb_tried').setLevel(10)",
        "logging.getLogger('wfnb_tried').setLevel(40)",
        (
            *("log.isEnabledFor(20)", "log.getEffectiveLevel()"),
            "logging.getLogger('wfnb_tried').level",
        ),
    ),
    (
        "import logging\nlog = logging.getLogger('wfnb_tried')",
        "logging.getLogger('wfnb_tried').disabled = True",
        "logging.getLogger('wfnb_tried').disabled = False",
        ("log.disabled", "log.isEnabledFor(50)"),
    ),
    (
        "import logging\nlog = logging.getLogger('wfnb_tried.other')",
        "logging.disable(30)",
        "logging.disable(0)",
        ("log.isEnabledFor(20)", "logging.root.manager.disable"),
    ),
    (
        "import warnings, numpy as np\ndef tried(f):\n"
        "    try: return f()\n    except Warning: return 'error'",
        "warnings.simplefilter('error')",
        "warnings.simplefilter('ignore')",
        (
            "tried(lambda: 1 / np.zeros(1))",
            "tried(lambda: warnings.warn('old'))",
            "[each[0] for each in warnings.filters[:1]]",
        ),
    ),
)
PARTS = {
    "the environment": (
        "import os",
        "os.environ['WFNB_TRIED'] = '1'",
        "os.environ['WFNB_TRIED'] = '2'",
        "os.environ['WFNB_OTHER'] = '1'",
        "r = dict(os.environ)['WFNB_TRIED']",
    ),
    "how pandas shows frames": (
        FRAME,
        "pd.set_option('display.max_rows', 7)",
        "pd.set_option('display.max_rows', 8)",
        "pd.set_option('display.width', 70)",
        "r = repr(df)",
    ),
    "how numpy shows arrays": (
        ARRAY,
        "np.set_printoptions(precision=3)",
        "np.set_printoptions(precision=4)",
        "np.set_printoptions(threshold=3)",
        "r = repr(v)",
    ),
}
LOGGER = "import logging\nlog = logging.getLogger('wfnb_tried')"
ADDS = "log.addHandler(logging.StreamHandler())"
STORIES = {
    "another handler of a logger with each run": Story(
        {"a": LOGGER, "b": ADDS, "c": "log.error('it was so')", "d": "n = len(log.handlers)"},
        [*"abcd" * 2],
        {2, 3, 4},
    ),
    "a handler of a logger that has none": Story(
        {"a": LOGGER, "b": f"if not log.handlers:\n    {ADDS}", "c": "log.error('it was so')"},
        [*"abc" * 2],
        set(),
    ),
    "a dialect of csv": Story(
        {
            "a": "import csv\ncsv.register_dialect('wfnb_tried', delimiter=';')",
            "b": "n = [*csv.reader(['1;2,3'], dialect='wfnb_tried')]",
            "c": "csv.register_dialect('wfnb_tried', delimiter=',')",
        },
        [*"abcb"],
        {2},
    ),
    "two loggers": Story(
        {
            "a": f"{LOGGER}\nother = logging.getLogger('wfnb_tried.other')",
            "b": "log.setLevel(10)",
            "c": "other.setLevel(20)",
            "d": "n = log.level, other.level",
        },
        [*"abcd" * 2],
        set(),
    ),
    "the environment, by functions of a module": Story(
        {"a": IMPORT, "b": "settings_.try_it('a')", "c": "settings_.tried()"},
        ["a", "b", "c", ("b", "settings_.try_it('b')")],
        {3},
    ),
    "the environment, by a magic": Story(
        {"a": "%env WFNB_TRIED=1", "b": "import os\nos.environ['WFNB_TRIED']"},
        ["a", "b", ("a", "%env WFNB_TRIED=2")],
        {2},
    ),
    "the environment, by another magic, twice": Story(
        {"a": "%set_env WFNB_TRIED 1", "b": "import os\nos.environ['WFNB_TRIED']"},
        ["a", "b", "a", "b"],
        set(),
    ),
    "the environment, read by processes": Story(
        {
            "a": SETTING,
            "b": "x = !echo $WFNB_TRIED",
            "c": "import subprocess\nx = subprocess.check_output(['env'])",
            "d": "%%bash\necho $WFNB_TRIED",
            "e": "q = os.system('true')",
            "f": "from subprocess import run",
            "g": "q = run(['true'])",
            "h": "q = 1",
        },
        [*"abcdefgh", ("a", SETTING.replace("'a'", "'b'"))],
        {2, 3, 4, 5, 7},
    ),
    "the environment, set again by code that may bind names": Story(
        {
            "a": "import os",
            "b": "r = os.getenv('WFNB_TRIED')",
            "c": "os.environ['WFNB_TRIED'] = 'b'\nif r is None:\n    q = 1",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "the environment, set by a library": Story(
        {
            "p": "# plain\nfrom unittest.mock import patch",
            "a": "p = patch.dict('os.environ', WFNB_TRIED='1')\np.start()",
            "b": "import os\nos.environ['WFNB_TRIED']",
        },
        ["p", "a", "b", ("a", "p = patch.dict('os.environ', WFNB_TRIED='2')\np.start()")],
        {2},
    ),
    "the working directory": Story(
        {"a": "import os", "b": "os.path.exists('d')", "d": "x = 1", "c": "os.chdir('/')"},
        ["a", "b", "d", "c", "b", "d"],
        {2},
    ),
    "the working directory, by a magic": Story(
        {"a": "open('settings_.py').close()", "b": "%cd -q /"}, ["a", "b", "b"], set()
    ),
    "the working directory, there and back": Story(
        {"a": "import os\nhere = os.getcwd()", "b": "os.chdir('/')", "c": "os.chdir(here)"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "the working directory, further up": Story(
        {"a": "import os", "b": "os.chdir('..')"}, ["a", "b", "b"], {2}
    ),
    "a name of builtins": Story(
        {"a": "import builtins\nbuiltins.wfnb_tried = 1", "b": "wfnb_tried", "c": "len([1])"},
        ["a", "b", "c", ("a", "import builtins\nbuiltins.wfnb_tried = 2")],
        {2},
    ),
    "the context of decimal numbers": Story(
        {"a": DECIMAL, "b": "r = Decimal(1) / 3", "c": "q = 1 / 3"},
        ["a", "b", "c", ("a", DECIMAL.replace("5", "8"))],
        {2},
    ),
    "the context of decimal numbers, twice": Story(
        {"a": DECIMAL, "b": "r = [Decimal(1)]", "c": "q = sum(r) / 3"}, ["a", "b", "c"] * 2, set()
    ),
    "the context of decimal numbers, set later": Story(
        {
            "a": "from decimal import Decimal\nr = [Decimal(1)]",
            "b": "q = r[0] / 3",
            "c": "from decimal import getcontext\ngetcontext().prec = 5",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    "the context of decimal numbers, set after it was used": Story(
        {"a": "import decimal\nr = decimal.Decimal(1) / 3\ndecimal.getcontext().prec = 5"},
        ["a", "a"],
        {1},
    ),
    "the context of decimal numbers, set before it is used": Story(
        {"a": f"{DECIMAL}\nr = Decimal(1) / 3", "b": DECIMAL + "\ndecimal.getcontext().prec = 9"},
        ["a", "b", "a", "b"],
        set(),
    ),
    "the context of decimal numbers, of which a later step sets another part": Story(
        {"a": f"{DECIMAL}\nr = Decimal(1) / 3", "b": "decimal.getcontext().rounding = 'ROUND_UP'"},
        ["a", "b", "a"],
        {1},
    ),
    **{
        f"two parts of {what}, of which one is set otherwise": Story(
            {"a": imports, "b": one, "c": two, "d": read}, ["a", "b", "c", "d", ("b", other)], {4}
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    **{
        f"two parts of {what}, of which one is set in between": Story(
            {"a": imports, "b": one, "d": read, "c": two}, ["a", "b", "d", "c"] * 2, {3}
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    **{
        f"two parts of {what}, run twice": Story(
            {"a": imports, "b": one, "c": two, "d": read}, ["a", "b", "c", "d"] * 2, set()
        )
        for what, (imports, one, other, two, read) in PARTS.items()
    },
    "the context of decimal numbers, under a name": Story(
        {"a": "import decimal\nc = decimal.getcontext()\nc.prec = 5\nr = decimal.Decimal(1) / 3"},
        ["a", "a"],
        set(),
    ),
    "the context of decimal numbers, set by a function after it was used": Story(
        {
            "a": "import decimal\ndef fine(): decimal.getcontext().prec = 5",
            "b": "r = decimal.Decimal(1) / 3\nfine()",
        },
        ["a", "b", "b"],
        {2},
    ),
    "the context of decimal numbers, for a name that holds a text then": Story(
        {"a": f"{DECIMAL}\nx = Decimal(1)", "b": "x = str(x / 3)"},
        ["a", "b", ("a", f"{DECIMAL.replace('5', '8')}\nx = Decimal(1)")],
        {2},
    ),
    "how pandas shows frames": Story(
        {
            "a": "import pandas as pd\ndf = pd.DataFrame({'a': [1]})",
            "c": "pd.set_option('display.max_rows', 11)",
            "b": "df",
            "d": "n = df.a.sum()",
        },
        ["a", "c", "b", "d", ("c", "pd.options.display.max_rows = 12")],
        {3},
    ),
    "how numpy shows arrays": Story(
        {
            "a": "import numpy as np\nv = np.arange(3)",
            "c": "np.set_printoptions(precision=3)",
            "b": "print(v)",
            "d": "n = v.sum()",
        },
        ["a", "c", "b", "d", ("c", "np.set_printoptions(precision=4)")],
        {3},
    ),
    "how numpy takes errors": Story(
        {
            "a": "import numpy as np\nv = np.arange(3)",
            "c": "np.seterr(all='ignore');",
            "b": "n = 1 / v",
        },
        ["a", "c", "b", ("c", "np.seterr(divide='print');")],
        {3},
    ),
    **{
        f"{asked}, after {sets}, then {other}": Story(
            {"a": imports, "b": sets, "c": f"r = {asked}"}, ["a", "b", "c", ("b", other)], {3}
        )
        for imports, sets, other, asks in SETTINGS
        for asked in asks
    },
    **{
        f"{asked}, before {sets}, and again": Story(
            {"a": imports, "c": f"r = {asked}", "b": sets}, ["a", "c", "b", "c"], {2}
        )
        for imports, sets, _, asks in SETTINGS
        for asked in asks
    },
    **{
        f"{sets}, run twice with what reads it": Story(
            {"a": imports, "b": sets, "c": f"r = {asks[0]}"}, ["a", "b", "c"] * 2, set()
        )
        for imports, sets, _, asks in SETTINGS
    },
    "what a setting was, shown": Story(
        {"a": "import numpy as np", "b": "np.seterr(divide='call')"}, ["a", "b", "b"], {2}
    ),
    "what a setting was, not shown": Story(
        {"a": "import numpy as np", "b": "np.seterr(divide='call');"}, ["a", "b", "b"], set()
    ),
    "a setting that is asked for as it is set, by a function": Story(
        {
            "a": "import numpy as np\ndef ask(): return np.seterr(over='warn')",
            "b": "np.seterr(over='ignore');",
            "c": "r = ask()",
        },
        ["a", "b", "c", ("b", "np.seterr(over='raise');")],
        {3},
    ),
    "arrays deep in what is shown": Story(
        {
            "a": "import numpy as np\nclass C:\n    def __repr__(self): return f'{self.x}'\n"
            "c = C()\nc.x = {'k': [[np.ones(3)]]}",
            "b": "np.set_printoptions(precision=3)",
            "c": "c",
        },
        ["a", "b", "c", ("b", "np.set_printoptions(precision=4)")],
        {3},
    ),
    "the environment": Story(
        {"a": SETTING, "b": "import os\nr = os.getenv('WFNB_TRIED')", "c": "q = os.getcwd()"},
        ["a", "b", "c", ("a", SETTING.replace("'a'", "'b'"))],
        {2},
    ),
    "the environment, twice": Story(
        {"c": "import os\nq = os.getcwd()", "a": SETTING, "b": "r = os.environ['WFNB_TRIED']"},
        ["c", "a", "b"] * 2,
        set(),
    ),
    "set by a function of the notebook": Story(
        {
            "a": "import os\ndef put(v):\n    os.environ['WFNB_TRIED'] = v",
            "b": "put('a')",
            "c": "r = os.environ['WFNB_TRIED']",
        },
        ["a", "b", "c", ("b", "put('b')")],
        {3},
    ),
    "what a setting was": Story(
        {"a": "import numpy as np", "b": "old = np.seterr(divide='call')['divide']"},
        ["a", "b", "b"],
        {2},
    ),
    "a setting that is raised": Story(
        {"a": "import decimal", "b": "decimal.getcontext().prec += 1"}, ["a", "b", "b"], {2}
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_setting_of_the_process_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found


@pytest.mark.parametrize(
    ("kind", "matters"), [(UserWarning, True), (Warning, True), (RuntimeWarning, False)]
)
def test_a_filter_matters_where_it_keeps_a_warning_from_being_an_error(
    kind: type[Warning], matters: bool
):
    place = "the warnings that are errors"
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("error", UserWarning)
        before = process_settings.states({})[place]
        warnings.filterwarnings("ignore", "one that a library has", UserWarning)
        warnings.simplefilter("ignore", ResourceWarning, append=True)
        assert process_settings.states({})[place] == before

        warnings.simplefilter("always", kind)

        assert (process_settings.states({})[place] != before) is matters


def test_a_pause_of_garbage_collection_in_another_thread_is_nothing_that_a_cell_sets():
    place = "the garbage collector"
    before = process_settings.states({})[place]

    assert without_gc(lambda: process_settings.states({})[place]) == before
    assert process_settings.states({})[place] == before
