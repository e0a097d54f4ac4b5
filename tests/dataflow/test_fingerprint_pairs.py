"""Values that an expression of Python, NumPy or pandas tells apart have different digests."""

import decimal
import json
import os
import subprocess
import sys
import warnings
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wfnb.dataflow.fingerprint import fingerprint

LINES = Path(__file__).with_name("pairs.txt").read_text("utf-8").splitlines()
BEFORE = """
import array, ast, collections, contextvars, copy, dataclasses, datetime, decimal, enum, fractions
import functools, io, ipaddress, itertools, logging, operator, pathlib, random, re, statistics
import string, struct, sys, types, typing, urllib.parse, uuid, weakref, zoneinfo
import numpy as np, pandas as pd
"""
WITH_SCIPY = "sp."


def pairs(sign: str) -> list[tuple[str, str]]:
    """The cells, and without what says why."""
    found = [line.partition("  # ")[0].split(f"  {sign}  ") for line in LINES if line[:1] != "#"]
    return [(cell(one), cell(other)) for one, other in (two for two in found if len(two) == 2)]


def cell(written: str) -> str:
    return written.replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")


def value(code: str) -> Any:
    names = {"__name__": "__main__"}
    with warnings.catch_warnings(), decimal.localcontext():
        warnings.simplefilter("ignore")
        exec(BEFORE, names)
        if WITH_SCIPY in code:
            names["sp"] = pytest.importorskip("scipy.sparse")
        exec(code, names)
    return names["v"]


def digest(code: str) -> str:
    return fingerprint(value(code)).digest


def in_an_array(held: Any) -> Any:
    array = np.empty(1, object)
    array[0] = held
    return array


def in_an_attribute(held: Any) -> Any:
    found = value("class C:\n  pass\nv = C()")
    found.held = held
    return found


HOLDERS: tuple[Callable[[Any], Any], ...] = (
    lambda held: [held],
    lambda held: (1, held),
    lambda held: {"a": held},
    lambda held: deque([held]),
    lambda held: SimpleNamespace(a=held),
    lambda held: [held, held],
    in_an_array,
    in_an_attribute,
    lambda held: pd.Series(in_an_array(held)),
)


@pytest.mark.parametrize(("one", "other"), pairs("≠"))
def test_what_an_expression_tells_apart_has_another_digest(one: str, other: str):
    assert digest(one) != digest(other)
    assert digest(one) == digest(one)


@given(st.sampled_from(pairs("≠")), st.lists(st.sampled_from(HOLDERS), min_size=1, max_size=3))
@settings(deadline=None)
def test_and_so_has_what_holds_it(pair: tuple[str, str], holders: list[Callable[[Any], Any]]):
    one, other = map(value, pair)
    for holder in holders:
        one, other = holder(one), holder(other)

    assert fingerprint(one).digest != fingerprint(other).digest


@pytest.mark.parametrize(("one", "other"), pairs("="))
def test_what_is_no_content_has_the_same_digest(one: str, other: str):
    assert digest(one) == digest(other)


def test_another_process_with_other_hashes_of_texts_finds_the_same_digests():
    code = [one for one, _ in pairs("≠") if WITH_SCIPY not in one]
    program = (
        "import json, sys\n"
        "from tests.dataflow.test_fingerprint_pairs import digest\n"
        "print(json.dumps([digest(code) for code in json.load(sys.stdin)]))"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(code),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "4321", "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert dict(zip(code, json.loads(ran.stdout), strict=True)) == {
        one: digest(one) for one in code
    }
