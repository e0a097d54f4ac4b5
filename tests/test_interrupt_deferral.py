"""A block that must not stop in its middle: an interrupt comes at its end, wherever it came."""

import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import Any

import pytest

from wfnb import interrupt_deferral
from wfnb.interrupt_deferral import Deferral


@pytest.fixture(autouse=True)
def default() -> Iterator[None]:
    """As a kernel has it while a cell runs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def is_as_before() -> bool:
    """Whether an interrupt is raised at once, and the next block holds it."""
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    done = []
    with pytest.raises(KeyboardInterrupt), Deferral():  # noqa: PT012  what is tested
        interrupt()
        done.append("to its end")
    return bool(done) and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_comes_at_the_end_of_the_outermost_block():
    done = []

    with pytest.raises(KeyboardInterrupt), Deferral():  # noqa: PT012  what is tested
        with Deferral():
            interrupt()
            done.append("inner")
        done.append("between")
        with Deferral():
            done.append("next")
        done.append("outer")

    assert done == ["inner", "between", "next", "outer"]
    assert is_as_before()


def test_what_a_block_raises_gives_way_to_the_interrupt():
    with pytest.raises(KeyboardInterrupt) as raised, Deferral(), Deferral():  # noqa: PT012
        interrupt()
        raise ValueError

    assert isinstance(raised.value.__context__, ValueError)
    assert is_as_before()


def test_without_an_interrupt_it_raises_what_the_block_does():
    with pytest.raises(ValueError), Deferral(), Deferral():  # noqa: PT011
        raise ValueError

    assert is_as_before()


def test_a_block_in_another_thread_holds_nothing_and_lets_go_of_nothing():
    done = []

    def beside() -> None:
        with Deferral():
            done.append("beside")

    with pytest.raises(KeyboardInterrupt), Deferral():  # noqa: PT012  what is tested
        thread = Thread(target=beside)
        thread.start()
        thread.join()
        interrupt()
        done.append("to its end")

    assert done == ["beside", "to its end"]
    assert is_as_before()


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_what_no_function_handles_stays_so(handler: signal.Handlers):
    signal.signal(signal.SIGINT, handler)

    with Deferral(), Deferral():
        assert signal.getsignal(signal.SIGINT) is handler

    assert signal.getsignal(signal.SIGINT) is handler


def test_an_interrupt_at_any_line_of_it_leaves_nothing_held():
    places = {interrupt_deferral.__file__, signal.__file__, __file__}
    raised: list[bool] = []

    def blocks() -> None:
        with Deferral(), Deferral():
            pass

    def at_line(number: int) -> bool:
        """Whether there is such a line: an interrupt comes right before it is run."""
        left = number

        def trace(frame: FrameType, event: str, arg: Any) -> Any:
            nonlocal left
            if frame.f_code.co_filename not in places:
                return None
            if event == "line":
                left -= 1
                if left == 0:
                    sys.settrace(None)
                    interrupt()
            return trace

        came = True
        with suppress(KeyboardInterrupt):
            sys.settrace(trace)
            try:
                blocks()
            finally:
                sys.settrace(None)
            came = False
        raised.append(came)
        return left <= 0

    number = 1
    while at_line(number):
        assert is_as_before(), number
        number += 1

    assert number > 20
    assert all(raised[:-1])
