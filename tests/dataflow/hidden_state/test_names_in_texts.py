"""Names that stand in texts alone make steps stale as others do (rule 8): `eval`, `exec`, formats,
names as a dict."""

from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import Story, stale_steps
from tests.dataflow.kernel import Kernel

TRY, ELSE = "try: r = ", "\nexcept (NameError, KeyError): r = 0"
SET_IN_MAIN = "import sys\nsetattr(sys.modules[__name__], 'q', {})"
STORIES = {
    "a name as one of a dict, which a later step gives": Story(
        {"a": "n = 1", "b": "n = globals()['n'] + 1", "c": "n = 5"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "a name as one of a dict, which the code has bound before": Story(
        {"a": "n = 1\nr = globals()['n'] + 1", "b": "n = 5"}, ["a", "b", "a", "a"], set()
    ),
    "a name that is set in the notebook's module": Story(
        {"a": SET_IN_MAIN.format(6), "b": "r = q + 1"},
        ["a", "b", ("a", SET_IN_MAIN.format(7))],
        {2},
    ),
    "a name that is set in the notebook's module, under another name of that": Story(
        {"m": "import sys\nme = sys.modules['__main__']", "a": "me.q = 6", "b": "r = q + 1"},
        ["m", "a", "b", ("a", "me.q = 7")],
        {2, 3},
    ),
    **{
        f"a name of the notebook's module, in a function: {given}": Story(
            {"a": "k = 1", "f": f"def f():\n    {given}", "b": "r = f()"},
            ["a", "f", "b", ("a", "k = 2")],
            {3},
        )
        for given in (
            "from __main__ import k\n    return k",
            "import __main__\n    return __main__.k",
            "import __main__ as me\n    return me.k",
            "import sys\n    return sys.modules['__main__'].k",
            "import sys\n    return sys.modules[__name__].k",
            "from importlib import import_module\n    return import_module('__main__').k",
        )
    },
    "the name of the notebook's module": Story(
        {"a": "k = 1", "b": "import logging\nlog = logging.getLogger(__name__)"},
        ["a", "b", ("a", "k = 2")],
        set(),
    ),
    "a name that the shell is given": Story(
        {"s": "shell = get_ipython()", "a": "shell.push({'q': 6})", "b": "r = q + 1"},
        ["s", "a", "b", ("a", "shell.push({'q': 7})")],
        {2, 3},
    ),
    "a name of a function's module": Story(
        {"f": "def f(): pass", "a": "f.__globals__['q'] = 6", "b": "r = q + 1"},
        ["f", "a", "b", ("a", "f.__globals__['q'] = 7")],
        {3},
    ),
    "names in an expression of pandas": Story(
        {"a": "import pandas as pd", "b": "k = 1", "c": "r = pd.eval('k + 1')"},
        ["a", "b", "c", ("b", "k = 2")],
        {3},
    ),
    "names as a dict, without one that is deleted": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"}, ["a", "b", "c", "a", "c"], {3}
    ),
    "names as a dict, without one that is deleted no more": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"},
        ["a", "b", "c", "a", ("b", "y = 1")],
        {3},
    ),
    "names as a dict, one deleted each time": Story(
        {"a": "x = 1", "b": "del x", "c": "'x' in globals()"}, ["a", "b", "c"] * 2, set()
    ),
    "text that is code": Story(
        {"a": "k = 1", "b": "r = eval('k+1')"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    "text that becomes code": Story(
        {"a": "k = 1", "s": "s = 'k' + '+1'", "b": "r = eval(s)"},
        ["a", "s", "b", ("a", "k = 2")],
        {3},
    ),
    "text that becomes code, twice, over a later name": Story(
        {"a": "k = 1", "s": "s = 'k' + '+1'", "b": "r = eval(s)", "z": "z = 5"},
        ["a", "s", "b", "z"] * 2,
        set(),
    ),
    "names as a dict": Story(
        {"a": "k = 1", "b": "r = globals()['k']"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    **{
        f"a name that is not there yet: {asked}": Story(
            {"a": "j = 1", "b": f"r = {asked}"}, ["a", "b", ("a", "k = 2")], {2}
        )
        for asked in (
            "'k' in globals()",
            "'k' not in dir()",
            "globals().get('k')",
            "vars().get('k', 3)",
        )
    },
    **{
        f"a name that is gone, and was there again: {asked}": Story(
            {"a": "j = 1\nk = 2", "b": "del k", "c": f"r = {asked}"}, ["a", "b", "c", "a", "c"], {3}
        )
        for asked in ("'k' in globals()", "'k' in dir()", "'k' in [*dir()]")
    },
    "a value that is made where it is not there": Story(
        {"a": "j = 1", "b": "if 'k' not in globals():\n    k = j", "c": "k"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "names in a format": Story(
        {"a": "k = 1", "b": "r = '{k}'.format(**locals())"}, ["a", "b", ("a", "k = 2")], {2}
    ),
    "names as a dict, in a function": Story(
        {"a": "k = 1", "e": "def f(s): return globals()[s]", "b": "r = f('k')"},
        ["a", "e", "b", ("a", "k = 2")],
        {3},
    ),
    "what `eval` reads under another name": Story(
        {"a": "v = 1", "b": "e = eval", "c": "r = e('v') + 1"},
        ["a", "b", "c", ("a", "v = 2"), "b"],
        {3},
    ),
    "what `eval` reads under another name, in a function": Story(
        {"a": "v = 1", "b": "e = eval\ndef f(): return e('v')", "c": "r = f() + 1"},
        ["a", "b", "c", ("a", "v = 2"), "b"],
        {3},
    ),
    **{
        f"what `vars` gives of {what}": Story(
            {
                "a": f"import types, argparse\nclass C:\n    pass\na = {what}\na.k = 1",
                "b": "b = vars(a)",
                "c": "b['k'] = 5",
                "d": "r = a.k",
            },
            ["a", "b", "c", "d", "a", "b", "d"],
            {4},
        )
        for what in ("C()", "types.SimpleNamespace()", "argparse.Namespace()")
    },
    "what `vars` gives, in order": Story(
        {
            "a": "import types\na = types.SimpleNamespace(k=1)",
            "b": "b = vars(a)",
            "c": "b['k'] = 5",
            "d": "r = a.k",
        },
        ["a", "b", "c", "d"],
        set(),
    ),
    "a name bound to another object later": Story(
        {"b": "b = [1]", "a": "a = b", "c": "a = [1]", "d": "r = (a, b)"},
        ["b", "a", "c", "d"] * 2,
        set(),
    ),
    **{
        f"a name that a later step alone makes, read by {how}": Story(
            {"f": "def f(): return eval('zs' + '[0]')", "a": f"{TRY}{read}{ELSE}", "b": "zs = [1]"},
            ["f", "a", "b", "a"],
            {2},
        )
        for how, read in (
            ("eval", "eval('zs' + '[0]')"),
            ("format", "'{zs}'.format_map(globals())"),
            ("a function", "f()"),
        )
    },
    "names that code bound itself, where its text alone shows them": Story(
        {"a": "exec('q = ' + '3')"}, ["a", "a"], set()
    ),
    "what a function had that `exec` has made": Story(
        {
            "a": "ns = {}\nexec('k = [1]\\ndef f(): return len(k)', ns)\nf = ns['f']",
            "b": "r = f()",
            "c": "ns['k'].append(2)",
        },
        ["a", "b", "c", "b"],
        {2},
    ),
    **{
        f"what a cell makes where it is not there, {when}": Story(
            {"a": f"if 'm' not in {there}: m = [1]", "b": "r = [*m]", "c": other},
            runs,
            stale,
        )
        for there in ("globals()", "dir()")
        for when, other, runs, stale in (
            (f"by {there}, and it made", "q = 1", ["a", "b", "c"] * 2, set()),
            (f"by {there}, and another makes", "m = [2]", ["a", "b", "c", "a"], {1, 2}),
            (f"by {there}, and another changes", "m.append(2)", ["a", "b", "c", "a"], {1, 2, 3}),
        )
    },
    "what a cell makes where it is not there, and is to make otherwise now": Story(
        {"a": "if 'm' not in globals(): m = [1]"},
        ["a", ("a", "if 'm' not in globals(): m = [2]")],
        {1},
    ),
    "a value that a cell takes on from its own run": Story(
        {"a": "n = globals().get('n', 0) + 1", "b": "r = n"}, ["a", "b", "a"], {1, 2}
    ),
    "an object that a cell takes on from what it was before, twice": Story(
        {"a": "m = [1]"},
        ["a", *[("a", "m = globals().get('m', [])")] * 2],
        {1},
    ),
    "an object that a cell takes on from its own run": Story(
        {"a": "m = globals().get('m', [])", "b": "r = [*m]"}, ["a", "b", "a", "b"], set()
    ),
    "a dict that `exec` has run code in": Story(
        {"a": "ns = {}\nexec('z = 5', ns)", "b": "r = ns['z']", "c": "ns['z'] = 6", "d": "q = 1"},
        ["a", "b", "c", "d", "b"],
        {2},
    ),
    "a dict that `exec` has run code in, run from the top": Story(
        {"a": "ns = {}\nexec('z = 5', ns)", "b": "r = ns['z']", "c": "q = 1"},
        ["a", "b", "c"] * 2,
        set(),
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_a_name_in_a_text_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found
