"""What modules of the user hold, and what their functions change, makes steps stale as names do
(rule 8)."""

from pathlib import Path

import pytest

from tests.dataflow.hidden_state.story import (
    AUTORELOAD,
    BROKEN,
    IMPORT,
    PLUS,
    RATE,
    RESTART,
    Story,
    stale_steps,
)
from tests.dataflow.kernel import Kernel

CONFIG = {"a": "import settings_", "b": "settings_.rate = 5"}
PLUS_ONE = {"b": "settings_.plus(1)", "c": "settings_.plus(2)"}
STAR = {"a": "from math import *\nv = sqrt(4)", "b": "r = v + pi", "c": "pi = 3"}
RELOAD = "import importlib, settings_\nimportlib.reload(settings_)"
STORIES = {
    "a module that is handed on": Story(
        {"a": IMPORT + "\nsettings_.rate = 2", "b": "def f(m): return m.rate\nr = f(settings_)"},
        ["a", "b", ("a", IMPORT + "\nsettings_.rate = 3")],
        {2},
    ),
    "a register of a module, filled again by a function": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "settings_.total()"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a register of a module, filled once": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "settings_.total()"}, ["a", "b", "c"], set()
    ),
    "a register of a module, read by itself": Story(
        {"a": IMPORT, "b": "settings_.add(5)", "c": "sum(settings_.ITEMS)"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a register of a module, by imported functions": Story(
        {"a": "from settings_ import add, total", "b": "add(5)", "c": "total()"},
        ["a", "b", "c", "a", "b", "c"],
        {2, 3},
    ),
    "a register, filled where its function is imported": Story(
        {"b": "from settings_ import add\nadd(5)", "c": "from settings_ import total\ntotal()"},
        ["b", "c", "b", "c"],
        {1, 2},
    ),
    "a counter of a module": Story(
        {"a": IMPORT, "b": "settings_.count()", "c": "settings_.count()"},
        ["a", "b", "c", "b"],
        {2},
    ),
    "a counter of a module, imported": Story(
        {"a": "from settings_ import count", "b": "count()", "c": "count()"},
        ["a", "b", "c", "c"],
        {3},
    ),
    "what a function of a module sets": Story(
        {"a": IMPORT, "b": "settings_.put(2)", "c": "settings_.inner()"},
        ["a", "b", "c", ("b", "settings_.put(5)")],
        {3},
    ),
    "what a function of a module sets, twice": Story(
        {"a": IMPORT, "b": "settings_.put(2)", "c": "settings_.inner()"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "what a function of the notebook has a module set": Story(
        {"a": IMPORT, "d": "def f(): settings_.put(2)", "b": "f()", "c": "settings_.rate"},
        ["a", "d", "b", "c", ("b", "settings_.put(5)")],
        {4},
    ),
    "a class of a module, filled by its method": Story(
        {"a": "from settings_ import Store", "b": "Store.put(5)", "c": "len(Store.held)"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module, filled and asked by methods": Story(
        {"a": IMPORT, "b": "settings_.Store.put(5)", "c": "settings_.Store.size()"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module that counts its objects": Story(
        {"a": IMPORT, "b": "s = settings_.Counter()", "c": "settings_.Counter.made"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a class of a module, used and run from the top": Story(
        {"a": IMPORT, "b": "s = settings_.Counter", "c": "import json\nr = json.dumps([1])"},
        ["a", "b", "c"] * 2,
        set(),
    ),
    "a module loaded anew": Story({"a": RELOAD, **PLUS_ONE}, ["a", "b", "c", PLUS, "a"], {2, 3}),
    "a module loaded anew, then used": Story(
        {"a": RELOAD, **PLUS_ONE}, ["a", "b", PLUS, "a", "c"], {2}
    ),
    "a module loaded anew, all run again": Story(
        {"a": RELOAD, **PLUS_ONE}, ["a", "b", "c", PLUS, "a", "b", "c"], set()
    ),
    "a module loaded anew, by a function": Story(
        {"a": f"{RELOAD}\nfrom settings_ import plus", "b": "plus(1)"}, ["a", "b", PLUS, "a"], {2}
    ),
    "a module loaded anew, and a function from before": Story(
        {"a": "from settings_ import plus", "b": "plus(1)", "c": RELOAD, "d": "plus(2)"},
        ["a", "b", PLUS, "c", "d"],
        {1, 2, 4},
    ),
    "a module loaded anew by a cell that is no step": Story(
        {"a": IMPORT, **PLUS_ONE, "p": f"# plain\n{RELOAD}"}, ["a", "b", PLUS, "p"], {1, 2}
    ),
    "a module written anew, after a restart": Story(
        {"a": IMPORT, **PLUS_ONE}, ["a", "b", "c", PLUS, RESTART, "a", "c"], {2}
    ),
    "a module as it was, after a restart": Story(
        {"a": IMPORT, **PLUS_ONE}, ["a", "b", "c", RESTART, "a", "c"], set()
    ),
    "a module that loads itself anew": Story(
        {
            "p": AUTORELOAD,
            "a": "from settings_ import plus",
            "b": "u = plus(1)\nu",
            "c": "u + plus(2)",
        },
        ["p", "a", "b", PLUS, "c"],
        {1, 2, 3},
    ),
    "a module that loads itself anew, all run again": Story(
        {
            "p": AUTORELOAD,
            "a": "from settings_ import plus",
            "b": "u = plus(1)\nu",
            "c": "u + plus(2)",
        },
        ["p", "a", "b", "c", PLUS, "c", "a", "b", "c"],
        set(),
    ),
    "a module that loads itself anew, and nobody names": Story(
        {"p": AUTORELOAD, "a": "from settings_ import plus", "b": "plus(1)", "q": "# plain\n1"},
        ["p", "a", "b", PLUS, "q"],
        {1, 2},
    ),
    "data of a module that loads itself anew": Story(
        {"p": AUTORELOAD, **CONFIG, "b": "r = settings_.rate", "q": "# plain\n1"},
        ["p", "a", "b", RATE, "q"],
        {1, 2},
    ),
    "data of a module that loads itself anew, and is looked at": Story(
        {"p": AUTORELOAD, **CONFIG, "b": "r = settings_.rate", "q": "# plain\nsettings_.rate"},
        ["p", "a", "b", RATE, "q", "a", "b"],
        set(),
    ),
    "data of a module that loads itself anew, by name": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", RATE, "b"],
        {1, 2},
    ),
    "data of a module that loads itself anew, by name, all run again": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", RATE, "a", "b"],
        set(),
    ),
    "a module that cannot be loaded anew": Story(
        {"p": AUTORELOAD, "a": "from settings_ import rate", "b": "r = rate"},
        ["p", "a", "b", BROKEN, "b"],
        set(),
    ),
    "an attribute of a module": Story(
        {**CONFIG, "c": "r = settings_.rate"}, ["a", "b", "c", ("b", "settings_.rate = 6")], {3}
    ),
    "run twice": Story({**CONFIG, "c": "r = settings_.rate"}, ["a", "b", "c"] * 2, set()),
    "through a function of the module": Story(
        {**CONFIG, "c": "r = settings_.inner()"}, ["a", "b", "c", ("b", "settings_.rate = 6")], {3}
    ),
    "through an imported function": Story(
        {
            "a": "import settings_\nfrom settings_ import rated",
            "b": CONFIG["b"],
            "c": "r = rated()",
        },
        ["a", "b", "c", ("b", "settings_.rate = 6")],
        {3},
    ),
    "imported by name": Story(
        {**CONFIG, "c": "from settings_ import rate\nr = rate"},
        ["a", "b", "c", ("b", "settings_.rate = 6")],
        {3},
    ),
    "set by setattr": Story(
        {"a": "import settings_\nsetattr(settings_, 'rate', 5)", "c": "r = settings_.rate"},
        ["a", "c", ("a", "import settings_\nsetattr(settings_, 'rate', 6)")],
        {2},
    ),
    "set before, by a step that comes in between": Story(
        {"a": "import settings_", "c": "r = settings_.rate", "b": "settings_.rate = 7"},
        ["a", "c", "b", "c"],
        {2},
    ),
    "changed in place, again": Story(
        {"a": "import settings_", "b": "settings_.ITEMS.append(5)", "c": "r = settings_.ITEMS[:]"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    "a module that a function of the notebook imports": Story(
        {
            "a": "def go():\n    import settings_\n    return settings_.plus(1)",
            "b": "r = go()",
            "c": "q = go() + 1",
        },
        ["a", "b", "c", PLUS, RESTART, "a", "b"],
        {3},
    ),
    "all that a module exports, run from the top": Story(STAR, ["a", "b", "a", "b"], set()),
    "all that a module exports, and a name that another step makes": Story(
        STAR, ["a", "b", "c", "b"], {2}
    ),
    "all that a module exports, once more over another step": Story(
        STAR, ["a", "b", "c", "b", "a", "b"], set()
    ),
    "all that a module exports, over a name that was read before": Story(
        {"a": "e = 1", "b": "v = e\nfrom math import *", "c": "r = v"},
        ["a", "b", "c", "b", "c"],
        {2, 3},
    ),
    **{
        f"{what}, where a function is only defined that sets it": Story(
            {"a": made, "d": f"def f(): {sets}", "b": f"r = {read}", "e": other},
            ["a", "d", "b", "e", "d", "b"],
            {3},
        )
        for what, made, sets, read, other in (
            (
                "data of a module",
                f"{IMPORT}\nsettings_.rate = 3",
                "settings_.rate = 5",
                "settings_.rate",
                "settings_.rate = 7",
            ),
            (
                "a setting",
                "import decimal\ndecimal.getcontext().prec = 5",
                "decimal.getcontext().prec = 6",
                "decimal.Decimal(1) / 3",
                "decimal.getcontext().prec = 7",
            ),
            (
                "a generator",
                "import random\nrandom.seed(1)",
                "random.seed(2)",
                "random.random()",
                "random.seed(3)",
            ),
        )
    },
    **{
        f"{what} of a script": Story(
            {"a": "%run settings_.py", "b": read, "c": change},
            ["a", "b", "c", "b"],
            {2},
        )
        for what, read, change in (
            ("a list", "r = total()", "ITEMS.append(5)"),
            ("a list that a function changes", "r = total()", "add(5)"),
            ("a number that a function binds", "r = rated()", "put(5)"),
            ("a number within a function within", "r = inner()", "put(5)"),
            ("a counter", "r = count()", "q = count()"),
        )
    },
    "a list that a script made anew, as it was": Story(
        {"a": "%run settings_.py", "b": "p = [*ITEMS]"}, ["a", "b", "a"], set()
    ),
    "a list that a script made anew, beside what holds the old one": Story(
        {
            "a": "%run settings_.py",
            "b": "p = [ITEMS]",
            "c": "q = [ITEMS]",
            "d": "p[0].append(1)\nr = [*q]",
        },
        ["a", "b", "a", "c", "d"],
        {4},
    ),
    "an exception that its module has made anew": Story(
        {
            "a": "import settings_",
            "b": "from settings_ import Failed",
            "c": "r = 0\ntry: settings_.fail()\nexcept Failed: r = 1\nexcept Exception: ...",
            "d": "# plain\nimport importlib, settings_\nimportlib.reload(settings_)",
        },
        ["a", "b", "c", "d", "c"],
        {3},
    ),
    "a number of a script, which the notebook binds for itself": Story(
        {"a": "%run settings_.py", "b": "r = rated()", "c": "rate = 9"}, ["a", "b", "c", "b"], set()
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_state_of_a_module_makes_a_step_stale(kernel: Kernel, tmp_path: Path, name: str):
    story = STORIES[name]

    found = stale_steps(kernel, tmp_path, story)

    assert found.keys() == story.stale, found
