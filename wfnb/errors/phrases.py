"""names, and which of them was meant -> words for a sentence."""

from __future__ import annotations

from wfnb.hints import Option


def listing(names: object, none: str) -> str:
    """Names as a readable list, cut after twelve; `none` where there are none."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    shown = ", ".join(words[:12])
    return f"{shown}, … ({len(words)} in all)" if len(words) > 12 else shown or none


def known_names(name: str, names: object) -> str:
    """The names there are; where there are none, how this one is given a value."""
    first = name.partition(".")[0]
    way = f"nothing yet: `variables` or `{Option('var', f'{first}=VALUE')}` gives it a value"
    return f"Known: {listing(names, way)}"


def no_placeholder(name: str) -> str:
    """How a text is written that was meant to be no placeholder."""
    return f"{{{{{name}}}}} means the text itself"


def spoken(status: str) -> str:
    """A status, which programs compare, as people read it.

    >>> spoken("certain_confidence_proceed_with_fix")
    'certain confidence proceed with fix'
    """
    return status.replace("_", " ")


NEAR = 0.65
"""How much of two words has to be the same for one to be meant by the other."""


def nearest(name: str, names: tuple[str, ...]) -> str:
    """`Did you mean 'x'? ` where something close exists, else nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (wanted only for a mistake)

    close = get_close_matches(name, names, n=1, cutoff=NEAR)
    return f"Did you mean {close[0]!r}? " if close else ""


def nearest_first(name: str, names: tuple[str, ...]) -> list[str]:
    """The names, those that are close to one before the others; else in their order."""
    from difflib import get_close_matches  # noqa: PLC0415  (as above)

    close = get_close_matches(name, names, n=len(names) or 1, cutoff=NEAR)
    return [*close, *(other for other in names if other not in close)]
