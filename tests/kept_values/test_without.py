"""What of a value does not come back is said; what can come back does."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import pytest
import tblib.pickling_support

import wfnb
from wfnb.values import Keeper

from .notebook import namespace

CACHES = {
    "function": "@cache\ndef value(n):\n    return n\nvalue(1)",
    "method": "class value:\n    @cache\n    def total(self):\n        return 1\nvalue().total()",
    "in a list": "value = [lru_cache(maxsize=2)(lambda n: n)]\nvalue[0](1)",
    "partial": "@cache\ndef f(n):\n    return n\nvalue = partial(f, 1)\nvalue()",
}


@pytest.mark.parametrize("case", CACHES)
def test_of_a_cache_that_holds_results_it_is_said_that_these_are_lost(keeper: Keeper, case: str):
    code = f"from functools import *\n{CACHES[case]}"
    full = namespace(code)

    kept = keeper.keep({"value": full["value"]}, namespace=full)

    (said,) = kept.values[0].without
    assert said.startswith("the results in the cache of ")


def test_of_an_empty_cache_nothing_is_lost(keeper: Keeper):
    space = namespace("from functools import cache\n@cache\ndef value(n):\n    return n")

    assert keeper.keep({"value": space["value"]}, namespace=space).values[0].without == ()


RAISED = {
    "from": "raise ValueError('x') from KeyError(1)",
    "in the handling of another": "try:\n    1 / 0\nexcept Exception:\n    raise ValueError('x')",
    "from none": "try:\n    1 / 0\nexcept Exception:\n    raise ValueError('x') from None",
    "of a group": "raise ExceptionGroup('x', [ValueError(1)]) from OSError(2, 'no')",
    "of a class of its own": (
        "class Own(Exception):\n    def __init__(self, a, b):\n"
        "        super().__init__(a)\n        self.b = b\nraise Own(1, [2]) from KeyError(1)"
    ),
    "alone": "raise ValueError('x')",
}


@pytest.fixture(params=["plain", "tblib"])
def registered(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is registered for exceptions: tblib, which `import distributed` does for all of them."""
    with mock.patch.dict(copyreg.dispatch_table):
        if request.param == "tblib":
            tblib.pickling_support.install()
        yield


def chain(error: BaseException | None) -> Any:
    if error is None:
        return None
    more = chain(error.__cause__), chain(error.__context__), error.__suppress_context__
    return type(error).__name__, repr(error.args), {**vars(error)}, more


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("case", RAISED)
def test_an_exception_comes_back_with_those_before_it(keeper: Keeper, case: str):
    body = RAISED[case].replace("\n", "\n    ")
    code = f"try:\n    {body}\nexcept Exception as error:\n    value = error"
    # In a thread of its own, as what this one happens to handle would be its context, too.
    with ThreadPoolExecutor(1) as alone:
        space = alone.submit(namespace, code).result()

    back = keeper.restore(keeper.keep({"value": space["value"]}, namespace=space), namespace=space)

    assert chain(back.values["value"]) == chain(space["value"])


BAD_CHAINS = {
    "the one before": (
        "try:\n    raise KeyError((i for i in ()))\n"
        "except Exception:\n    raise ValueError('x') from OSError(2)",
        ["the KeyError that came before its ValueError"],
        ("ValueError", "('x',)", {}, (("OSError", "(2,)", {}, (None, None, False)), None, True)),
    ),
    "the cause": (
        "raise ValueError('x') from KeyError(lock())",
        ["the KeyError that came before its ValueError"],
        ("ValueError", "('x',)", {}, (None, None, True)),
    ),
    "the second": (
        "try:\n    try:\n        raise OSError(lock())\n"
        "    except Exception:\n        raise KeyError(1)\n"
        "except Exception:\n    raise ValueError('x')",
        ["the OSError that came before its KeyError"],
        (
            *("ValueError", "('x',)", {}),
            (None, ("KeyError", "(1,)", {}, (None, None, False)), False),
        ),
    ),
    "a ring": (
        "first, second = ValueError('x'), KeyError(lock())\n"
        "first.__cause__, second.__cause__ = second, first\nraise first",
        ["the KeyError that came before its ValueError"],
        ("ValueError", "('x',)", {}, (None, None, True)),
    ),
    "one that exits when it is pickled": (
        "class Own(Exception):\n    def __reduce__(self):\n        raise SystemExit\n"
        "raise ValueError('x') from Own()",
        ["the Own that came before its ValueError"],
        ("ValueError", "('x',)", {}, (None, None, True)),
    ),
}


@pytest.mark.parametrize("case", BAD_CHAINS)
def test_an_exception_is_kept_without_those_before_it_that_cannot_be(keeper: Keeper, case: str):
    code, without, is_left = BAD_CHAINS[case]
    body = code.replace("\n", "\n    ")
    code = (
        f"from threading import Lock as lock\ntry:\n    {body}\n"
        "except Exception as error:\n    value = [error, 1]"
    )
    with ThreadPoolExecutor(1) as alone:
        space = alone.submit(namespace, code).result()

    kept = keeper.keep({"value": space["value"]}, namespace=space)
    back = keeper.restore(kept, namespace=space)

    assert kept.values[0].without == tuple(without)
    assert chain(back.values["value"][0]) == is_left


def test_a_long_chain_of_exceptions_is_kept(keeper: Keeper):
    code = "value = OSError(print)\nfor i in range(300):\n    now = ValueError(i)\n" + (
        "    now.__context__ = value\n    value = now"
    )
    space = namespace(code)

    kept = keeper.keep({"value": space["value"]}, namespace=space)
    back = keeper.restore(kept, namespace=space)

    assert kept.values[0].without == ()
    last, before = back.values["value"], 0
    while last.__context__ is not None:
        last, before = last.__context__, before + 1
    assert before == 300


def test_a_restore_says_what_a_value_comes_back_without(tmp_path: Any):
    ws = wfnb.home(tmp_path).start("demo")
    space = namespace("from functools import cache\n@cache\ndef value(n):\n    return n\nvalue(1)")
    ws.step("Fit", keep={"value": space["value"]})

    told = ws.values.prepare(1, (), {}, whole=True)
    back = ws.restore(1)

    said = "value comes back without the results in the cache of value"
    assert told.doubts == (said,)
    assert told.put().notes == back.notes == [said]
