"""parameters that only together can be wrong -> what is wrong with them, in a sentence.

A check asks before the run, when some values are not known yet (`UnfilledValue`); the tool itself
asks when it is called. What is not known yet may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wfnb.workflows.definition.template import UnfilledValue

Joint = Callable[[Mapping[str, Any]], str | None]


def one_of(params: Mapping[str, Any], *names: str) -> str | None:
    """Exactly one of these has to be given.

    >>> one_of({"a": 1, "b": None}, "a", "b"), one_of({}, "a", "b")
    (None, 'Give one of `a` and `b`.')
    >>> one_of({"a": UnfilledValue(), "b": 1}, "a", "b")
    """
    given = [params[name] for name in names if params.get(name) is not None]
    sure = [value for value in given if is_known(value)]
    if given and len(sure) < 2:
        return None
    *some, last = (f"`{name}`" for name in names)
    return f"Give one of {', '.join(some)} and {last}."


def is_known(value: object) -> bool:
    return not isinstance(value, UnfilledValue)
