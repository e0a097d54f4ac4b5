"""a function, or an endpoint -> an adviser: somebody who is asked and replies."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from importlib.metadata import EntryPoint, entry_points
from threading import Lock
from typing import Any, Literal, TypeVar, overload

from wfnb.core import validation
from wfnb.errors import AdviserKey, BadValue
from wfnb.frozen_record import record
from wfnb.redaction import HIDDEN as HIDDEN
from wfnb.redaction import redaction

GROUP = "wfnb.advisers"
"""The entry points by which an installed package offers advisers: each is an Adviser, an endpoint,
a function (marked by `@wfnb.adviser` or not: then its entry point names it), or several."""
REPLY_TIMEOUT = 60.0
"""Seconds that a reply may take, where nothing else is said."""

_NAME = re.compile(r"\w[\w.+/@-]{0,79}")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]{0,59}")  # what is none may be the key itself: never shown

F = TypeVar("F", bound=Callable[..., Any])


@record
class Request:
    """What is asked: `prompt` is what a reply is wanted to, `system` how to reply to it. A model
    takes a `stance` (for, against, neutral) to a proposal."""

    prompt: str
    system: str = ""
    role: Literal["model", "reviewer", "planner"] = "model"
    stance: str = "neutral"
    kind: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """`verdict` is for, against, neutral, or a word of the adviser's; None: the one in the text."""

    text: str
    _: KW_ONLY
    verdict: str | None = None


@record
class Adviser:
    """`ask` takes a Request and gives a Reply, text, or `{"text", "verdict"}`, now or awaited.
    `timeout` is in seconds; `key` names the environment variable that has what it needs to be
    asked, and that nobody is to see; `says` is a line about it."""

    name: str
    ask: Callable[[Request], Any]
    timeout: float = REPLY_TIMEOUT
    key: str | None = None
    says: str = ""


def adviser_of(
    function: Callable[[Request], Any],
    name: str | None = None,
    timeout: float = REPLY_TIMEOUT,
    key: str | None = None,
) -> Adviser:
    """Raises BadValue for a name that cannot be one, a function that takes no request, a time."""
    named = checked_name(getattr(function, "__name__", "") if name is None else name)
    needs = "a function of one parameter, the request"
    if not callable(function):
        raise BadValue(f"adviser {named!r}", type(function).__name__, needs)
    try:
        # Tried now: one that takes no request would fail only when it is asked.
        inspect.signature(function).bind(None)
    except TypeError:
        raise BadValue(f"adviser {named!r}", getattr(function, "__name__", named), needs) from None
    except ValueError:  # one that is written in C says nothing of itself
        pass
    return Adviser(
        name=named,
        ask=function,
        timeout=checked_time(timeout),
        key=checked_variable(key),
        says=(inspect.getdoc(function) or "").partition("\n")[0][:200],
    )


def checked_name(name: Any) -> str:
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    needs = "up to 80 letters, digits or . _ + / @ -, beginning with a letter or digit"
    raise BadValue("adviser", str(name)[:60], needs)


def checked_time(seconds: Any) -> float:
    read = validation.number("timeout", seconds)
    if not 0 < read <= 3600:
        raise BadValue("timeout", f"{read:g}", "seconds, up to 3600")
    return read


def checked_variable(variable: Any) -> str | None:
    """What is no name of a variable may be the key itself, so the refusal does not show it."""
    if variable is None or (isinstance(variable, str) and _VARIABLE.fullmatch(variable)):
        return variable
    needs = "the name of an environment variable, as OPENAI_API_KEY is; the key itself stays there"
    raise BadValue("key", HIDDEN, needs)


def secret(adviser: Adviser) -> str | None:
    """What its variable holds now; None where it needs none. AdviserKey where nothing is in it,
    BadValue for what no key can be."""
    if adviser.key is None:
        return None
    found = os.environ.get(adviser.key, "").strip()
    if not found:
        raise AdviserKey(adviser.name, adviser.key)
    if not found.isascii() or not found.isprintable() or " " in found:
        raise BadValue(adviser.key, HIDDEN, "a key: letters, digits and signs, without a space")
    return found


def hide_key(text: str, key: str | None) -> str:
    """The text without the key, however it is written there."""
    return redaction([key])(text) if key else text


class Registry:
    """The advisers of this process. Packages are looked through when a name is not known yet, or
    all are asked for."""

    def __init__(
        self,
        offered: Callable[[], Iterable[EntryPoint]] = lambda: entry_points(group=GROUP),
    ) -> None:
        self._offered = offered
        self._registered: dict[str, Adviser] = {}
        self._installed: dict[str, Adviser] | None = None
        self._broken: dict[str, tuple[str, str]] = {}
        self._lock = Lock()

    @property
    def registered_advisers(self) -> Mapping[str, Adviser]:
        return dict(self._registered)

    def register(self, adviser: Adviser) -> None:
        """Take one in; it replaces one of its name, as a cell that runs again does."""
        self._registered[adviser.name] = adviser

    def installed_advisers(self) -> Mapping[str, Adviser]:
        """Those of installed packages; the first of a name counts."""
        with self._lock:
            if self._installed is None:
                self._installed = {}
                # Sorted, so that of two packages the same one has a name each time.
                for point in sorted(self._offered(), key=lambda point: (point.name, point.value)):
                    self._load(point, self._installed)
            return dict(self._installed)

    def broken_advisers(self) -> Mapping[str, tuple[str, str]]:
        """What packages offer and cannot be used: name -> where it is, and why."""
        self.installed_advisers()
        return dict(self._broken)

    def _load(self, point: EntryPoint, installed: dict[str, Adviser]) -> None:
        try:
            for adviser in _advisers(point.load(), point.name):
                installed.setdefault(adviser.name, adviser)
        except BaseException as error:  # a package may do anything when it is loaded
            why = f"{type(error).__name__}: {error}"[:300]
            self._broken[point.name] = (point.value, why)


def _advisers(offer: Any, name: str) -> Iterator[Adviser]:
    if isinstance(offer, Adviser):
        yield offer
    elif isinstance(made := getattr(offer, "adviser", None), Adviser):
        yield made
    elif callable(offer):
        yield adviser_of(offer, name=name)
    else:
        for one in offer:
            yield from _advisers(one, getattr(one, "__name__", name))


ADVISERS = Registry()


@overload
def adviser(function: F, /) -> F: ...
@overload
def adviser(
    *, name: str | None = None, timeout: float = REPLY_TIMEOUT, key: str | None = None
) -> Callable[[F], F]: ...
def adviser(function: Any = None, /, **says: Any) -> Any:
    """`@wfnb.adviser`: make a function one that investigations may ask.

        @wfnb.adviser
        def sceptic(request: wfnb.Request) -> str: ...

    It gets a Request (`prompt`, `stance`, `role`, …) and returns text, a `wfnb.Reply`, or
    `{"text": …, "verdict": …}`; it may be a coroutine function. An exception is recorded as why
    there is no reply. `timeout` in seconds; `key` names an environment variable without which it
    is not asked, and whose value is kept out of all that is recorded. Raises BadValue.
    """

    def register_function(function: Any) -> Any:
        one = adviser_of(function, **says)
        ADVISERS.register(one)
        function.adviser = one
        return function

    return register_function if function is None else register_function(function)
