"""A kernel whose cells may set what a process has: all of it is put back."""

from __future__ import annotations

import builtins
import calendar
import csv
import decimal
import gc
import locale
import logging
import os
import random
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn

from tests.dataflow.hidden_state.story import MODULE
from tests.dataflow.kernel import Kernel

_TRIED = logging.getLogger("wfnb_tried")
SHOWN = "display.max_rows", 60, "display.width", 80


def _dialects() -> set[str]:
    return {"wfnb_tried"} & {*csv.list_dialects()}


GETS_AND_SETS: tuple[tuple[Callable[[], Any], Callable[[Any], Any]], ...] = (
    (gc.get_threshold, lambda state: gc.set_threshold(*state)),
    (socket.getdefaulttimeout, socket.setdefaulttimeout),
    (sys.getrecursionlimit, sys.setrecursionlimit),
    (np.getbufsize, np.setbufsize),
    (lambda: signal.getsignal(signal.SIGUSR1), lambda state: signal.signal(signal.SIGUSR1, state)),
    (lambda: locale.setlocale(locale.LC_ALL), lambda state: locale.setlocale(locale.LC_ALL, state)),
    (lambda: os.umask(0o22), os.umask),
    (sklearn.get_config, lambda state: sklearn.set_config(**state)),
    (lambda: logging.root.manager.disable, logging.disable),
    (lambda: 0, _TRIED.setLevel),
    (lambda: 0, lambda _: csv.unregister_dialect("wfnb_tried") if _dialects() else None),
    (calendar.firstweekday, calendar.setfirstweekday),
    (list, lambda handlers: setattr(_TRIED, "handlers", handlers)),
    (lambda: False, lambda disabled: setattr(_TRIED, "disabled", disabled)),
)


@contextmanager
def _kept(one: tuple[Callable[[], Any], Callable[[Any], Any]]) -> Iterator[None]:
    get, put = one
    state = get()
    yield
    put(state)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    monkeypatch.setenv("WFNB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WFNB_TRIED", "before")
    monkeypatch.setenv("WFNB_OTHER", "before")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "settings_.py").write_text(MODULE)
    states = random.getstate(), np.random.get_state()
    monkeypatch.setattr(sys, "argv", ["wfnb"])
    of_numpy = decimal.localcontext(), np.errstate(), np.printoptions(), pd.option_context(*SHOWN)
    with ExitStack() as stack:
        for each in (*of_numpy, *map(_kept, GETS_AND_SETS)):
            stack.enter_context(each)
        kernel = Kernel("hidden")
        yield kernel
        kernel.stop()
    vars(builtins).pop("wfnb_tried", None)
    for name in ("wfnb_tried", "wfnb_other"):
        if name in vars(Fraction):
            delattr(Fraction, name)
    sys.modules.pop("settings_", None)
    random.setstate(states[0])
    np.random.set_state(states[1])
