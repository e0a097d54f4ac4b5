"""Advisers are asked side by side; whatever one does, it is told as advice."""

import asyncio
import os
import signal
import threading

import pytest

import wfnb
from tests.investigations.server import Server
from wfnb.investigations.advisers import consultation
from wfnb.investigations.advisers.adviser import ADVISERS, Adviser, Reply, Request, adviser_of
from wfnb.investigations.advisers.endpoint import check_endpoint
from wfnb.investigations.core.events import Advice

REQUEST = Request(prompt="Warn at 695 cm?")


def told(*asked: str) -> list[Advice]:
    return consultation.ask(
        [(name, REQUEST) for name in asked], lambda name: ADVISERS.registered_advisers[name]
    )


def only(function: object, **says: object) -> Advice:
    """What one adviser says, without the time it took."""
    one = adviser_of(function, name="one", **says)  # type: ignore[arg-type]
    (advice,) = consultation.ask([("one", REQUEST)], lambda name: one)
    assert advice.seconds is not None
    return advice


def test_three_endpoints_are_asked_side_by_side(server: Server):
    says = {"url": server.url, "model": "side-by-side", "key": None}
    made = {name: check_endpoint({"name": name, **says}).adviser for name in "abc"}

    advice = consultation.ask([(name, REQUEST) for name in "abc"], made.__getitem__)

    assert [(each.adviser, each.verdict) for each in advice] == [
        ("a", "neutral"),
        ("b", "neutral"),
        ("c", "neutral"),
    ]


def test_functions_are_asked_side_by_side_and_told_in_the_order_of_asking():
    first = threading.Event()

    @wfnb.adviser
    def slow(request: Request) -> str:
        assert first.wait(30)
        return "slow"

    @wfnb.adviser
    async def quick(request: Request) -> str:
        first.set()
        return "quick"

    assert [each.text for each in told("slow", "quick")] == ["slow", "quick"]


REPLIES = {
    "text": ("It holds.\nVerdict: for", ("It holds.\nVerdict: for", "for")),
    "a reply": (Reply(text="It holds.", verdict="later"), ("It holds.", "later")),
    "a reply without a keyword": (Reply("It holds."), ("It holds.", None)),
    "a verdict in capitals": ({"text": "Yes.", "verdict": "FOR"}, ("Yes.", "for")),
    "a verdict with its mark": (Reply(text="No.", verdict="Against."), ("No.", "against")),
    "words of its own": (Reply(text="A", verdict="for now"), ("A", "for now")),
    "a mapping": ({"text": "It holds.", "verdict": "against"}, ("It holds.", "against")),
    "no verdict": ("It holds.", ("It holds.", None)),
    "odd signs": ("a\x00b\r\nc\ud800", ("a\ufffdb\nc?", None)),
}


@pytest.mark.parametrize("name", REPLIES)
def test_a_reply_is_text_a_reply_or_a_mapping(name: str):
    given, (text, verdict) = REPLIES[name]

    advice = only(lambda request: given)

    assert (advice.text, advice.verdict, advice.error) == (text, verdict, None)


def raising(error: BaseException):
    def ask(request: Request) -> str:
        raise error

    return ask


async def cancelled(request: Request) -> str:
    raise asyncio.CancelledError


async def late(request: Request) -> str:
    await asyncio.Event().wait()
    return ""


def busy(request: Request) -> str:
    while True:
        pass


FAILURES = {
    "an exception": (raising(ValueError("no data\nat all")), "ValueError: no data at all"),
    "its own timeout": (raising(TimeoutError("too slow")), "TimeoutError: too slow"),
    "an exit": (raising(SystemExit(3)), "SystemExit: 3"),
    "an interrupt": (raising(KeyboardInterrupt()), "KeyboardInterrupt"),
    "an address": (raising(ValueError(f"{object()!r}")), "ValueError: <object object>"),
    "a cancelled one": (cancelled, "CancelledError"),
    "a number": (lambda request: 3, "it returned int, and no text"),
    "nothing": (lambda request: None, "it returned NoneType, and no text"),
    "white space": (lambda request: " \n", "its reply is empty"),
    "signs alone": (lambda request: "... !", "its reply has no words"),
    "a verdict that is none": (
        lambda request: {"text": "a", "verdict": 3},
        "its verdict is int, and no word",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failing_adviser_is_advice_with_an_error(name: str):
    function, error = FAILURES[name]

    advice = only(function)

    assert (advice.text, advice.error) == (None, error)


@pytest.mark.parametrize("function", [late, busy], ids=["a coroutine", "a loop"])
def test_one_that_takes_too_long_is_stopped(function: object):
    assert only(function, timeout=0.05).error == "no reply in 0.05 s"


def test_one_that_does_not_stop_is_left_behind_and_said():
    begun, go = threading.Event(), threading.Event()

    def deaf(request: Request) -> str:
        begun.set()
        return str(go.wait(60))

    while not begun.is_set():  # its time was over before it began: then there is nothing to leave
        advice = only(deaf, timeout=0.05)
    go.set()

    assert advice.error == "no reply in 0.05 s, and it has not stopped"


def test_a_long_reply_is_cut_and_says_so():
    text = only(lambda request: "x" * 150_000).text

    assert text is not None
    assert len(text) == 100_000
    assert text.endswith("x … cut: 150,000 characters in all")


async def others_replied() -> None:
    """Until one adviser is left: its call, who waits for that, and who waits for all."""
    while len(asyncio.all_tasks()) > 3:
        await asyncio.sleep(0)


INTERRUPTS = {
    "to the process": lambda: os.kill(os.getpid(), signal.SIGINT),
    "to a thread that does not wait": lambda: signal.pthread_kill(
        threading.get_ident(), signal.SIGINT
    ),
}


@pytest.mark.parametrize("comes", INTERRUPTS)
def test_an_interrupt_keeps_what_came(comes: str):
    @wfnb.adviser
    def quick(request: Request) -> str:
        return "quick"

    @wfnb.adviser
    async def slow(request: Request) -> str:
        await others_replied()
        INTERRUPTS[comes]()
        await asyncio.Event().wait()
        return ""

    advice = told("quick", "slow")

    assert [(each.text, each.error) for each in advice] == [
        ("quick", None),
        (None, "it was interrupted before it replied"),
    ]


def test_an_interrupt_before_anybody_was_asked_is_told_of_all():
    work = consultation._Consultation([("one", REQUEST)], lambda name: pytest.fail(name))

    work.interrupt()
    work.run()

    assert [each.error for each in work.done.result()] == ["it was interrupted before it replied"]


def test_many_advisers_are_asked_each_in_its_time():
    async def ask(request: Request) -> str:
        await asyncio.sleep(0)
        return request.stance

    one = Adviser(name="one", ask=ask)
    advice = consultation.ask([("one", REQUEST)] * (3 * consultation.AT_ONCE), lambda name: one)

    assert {each.text for each in advice} == {"neutral"}


def test_nobody_is_asked_where_none_is_named():
    assert consultation.ask([], lambda name: pytest.fail(name)) == []
