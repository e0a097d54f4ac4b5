"""parameters of the tool that asks a person -> what would keep its question from being asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wfnb.errors import listing

from .action_parts import Fallback, Work
from .problem import Problem, place_text, value_text
from .template import has_placeholder

ASK = "ask"


def unaskable(params: Mapping[str, Any], path: tuple[object, ...]) -> Iterator[Problem]:
    """A default that is none of the choices, where both are known already."""
    choices, default = params.get("choices"), params.get("default")
    if default is None or not isinstance(choices, list | tuple) or not choices:
        return
    if default in choices or any(_unknown(value) for value in (default, *choices)):
        return
    place = place_text((*path, "default"))
    known = listing((value_text(choice) for choice in choices), "none")
    message = f"{place} is {value_text(default)}, which is none of the choices: {known}"
    yield Problem(place, "choices", message)


def known_choices(params: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """The answers that there are, where they are written out."""
    choices = params.get("choices")
    if not isinstance(choices, list | tuple) or not choices or any(map(_unknown, choices)):
        return None
    return tuple(choices)


def secrets_asked(work: Work, path: tuple[object, ...]) -> Iterator[Problem]:
    """A secret that is asked where its answer, which is kept nowhere, could not be handed on."""
    calls: list[tuple[Work | Fallback, tuple[object, ...]]] = [(work, path)]
    calls += ((each, (*path, "on_error", n)) for n, each in enumerate(work.on_error))
    for call, place in calls:
        asks = call.tool == ASK and call.params.get("secret", False) is not False
        if asks and (call is not work or work.for_each is not None):
            where = "for each item" if call is work else "where something failed"
            message = (
                f"{place_text(place)} asks for a secret {where}, and a secret is kept nowhere: "
                "have an action of its own ask for it"
            )
            yield Problem(place_text(place), "secret", message)


def _unknown(value: Any) -> bool:
    return isinstance(value, str) and has_placeholder(value)
