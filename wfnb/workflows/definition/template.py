"""parameters with placeholders, values by name -> parameters with the values in their places.

Substitution happens once: what a value holds is never looked at again. A placeholder is a brace, a
name with dots, perhaps `!q`, a brace, and nothing else; not after a `$`. So `{print $1}`,
`{"a": 1}`, `{a,b}`, `{0}`, `{}` and `${HOME}` are text, and `{{name}}` means the text `{name}`.
Within a text a value loses the line breaks at its end, as in a shell's `$(…)`; a parameter that is
one placeholder has the value as it is. A parameter that is `verbatim` holds a program: it is passed
as it is written, braces and all.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wfnb.errors import NameUnknown, TextCut, ValuePrinted

from .name_rules import FIRST, LATER, is_path
from .truncation import Cut, Joined, TextKeyDict, is_kept, parts_in, source_of
from .value_form_types import Lost

HIDDEN = "•••"
"""What is shown in place of a secret."""
DEFINITION = "workflow_definition"
"""A parameter that is a workflow itself: its placeholders are its own, filled when it runs."""


class UnfilledValue(str):
    """Stands for a value that is not known yet: its placeholder stays as it is written."""


# Possessive (`*+`, `++`): a long text of letters and dots is read once, whatever comes after it.
_NAME = rf"{FIRST}{LATER}*+(?:\.{LATER}++)*+"
_PLACE = re.compile(
    rf"\{{\{{(?P<text>{_NAME})(?:!q)?\}}\}}|(?<!\$)\{{(?P<name>{_NAME})(?P<quoted>!q)?\}}"
)
_WHOLE = re.compile(rf"\{{({_NAME})\}}")
_NONE: frozenset[str] = frozenset()


def fill(
    params: Mapping[str, Any],
    scope: Mapping[str, Any],
    hidden: frozenset[str] = _NONE,
    verbatim: Collection[str] = _NONE,
    objects: Collection[str] | None = _NONE,
) -> dict[str, Any]:
    """The parameters with each placeholder replaced by its value in `scope`; those of `hidden`
    names (and of what is in them) by `•••`. A parameter that is one placeholder keeps the type.
    `objects` are the parameters (None: all) that may be what JSON cannot hold, where that is kept.

    Raises NameUnknown, which lists the names there are; TextCut for a value of which only a part
    was kept, ValuePrinted for one that is there only as it is printed.

    >>> fill({"count": "{n}", "text": "{n} of {names.0!q}"}, {"n": 3, "names": ["a b"]})
    {'count': 3, 'text': "3 of 'a b'"}
    """

    def value(name: str, path: str, alone: bool) -> Any:
        # Not looked up: the value of a secret must not come into an error either.
        if hidden and _is_hidden(name, hidden):
            return HIDDEN
        given = _look_up(name, scope, path)
        # Within a text such a value could only be printed.
        takes = alone and (objects is None or path.partition(".")[0] in objects)
        whole(given, f"{{{name}}}", name, takes, texts=True)
        return given

    return {
        key: _fill_item(item, key, value) if _is_template(key, item, verbatim) else item
        for key, item in params.items()
    }


def names(
    params: Mapping[str, Any], verbatim: Collection[str] = _NONE
) -> tuple[tuple[str, str], ...]:
    """The placeholders in the parameters, in order: where each is, and the name in it."""
    return tuple(
        pair
        for key, item in params.items()
        if _is_template(key, item, verbatim)
        for pair in _names_by_path(item, key)
    )


def names_in_keys(item: Any, path: str) -> Iterator[tuple[str, str]]:
    """What looks like a placeholder in the keys of mappings, which are passed as they are written.

    >>> list(names_in_keys([{"{name}": "{value}"}], "env"))
    [('env.0', 'name')]
    """
    match item:
        case Mapping():
            for key, part in item.items():
                yield from ((path, each.name) for each in placeholders(key) if "{" in key)
                yield from names_in_keys(part, f"{path}.{key}")
        case list() | tuple():
            for n, part in enumerate(item):
                yield from names_in_keys(part, f"{path}.{n}")


def used_scope(params: Mapping[str, Any], scope: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the scope that the parameters use, and no more: `fill` gives the same with it.
    Names that are unknown are left out.

    >>> scope = {"a": 1, "b": 2, "steps": {"x": {"out": 3, "err": 4}}}
    >>> used_scope({"text": "{a} {steps.x.out}"}, scope)
    {'a': 1, 'steps': {'x': {'out': 3}}}
    """
    part: dict[str, Any] = {}
    whole: set[tuple[str, ...]] = set()
    for name in dict.fromkeys(name for _, name in names(params)):
        if is_defined(name, scope):
            _keep(_route(name, scope), scope, part, whole)
    return part


def is_defined(name: str, scope: Mapping[str, Any]) -> bool:
    """Whether the scope has something of that name.

    >>> is_defined("a.out", {"a": {"out": 1}}), is_defined("a.err", {"a": {"out": 1}})
    (True, False)
    """
    try:
        _look_up(name, scope, "")
    except NameUnknown:
        return False
    return True


def placeholder(value: object) -> str | None:
    """The name, where the value is exactly one placeholder."""
    match = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    return match[1] if match and is_path(match[1]) else None


def has_placeholder(text: str) -> bool:
    """Whether a text changes when it is filled."""
    return any(_places(text))


class Placeholder(NamedTuple):
    """As a text has it from `start` on; `is_quoted`: its value is quoted for the shell."""

    start: int
    text: str
    name: str
    is_quoted: bool


def placeholders(text: str) -> Iterator[Placeholder]:
    """Those in a text."""
    for match in _places(text):
        if match["name"]:
            yield Placeholder(match.start(), match[0], match["name"], bool(match["quoted"]))


def list_place(part: str, items: Sequence[Any]) -> int | None:
    """The place in a list that a part of a name says, which the digits 0 to 9 do and no others;
    None: the list has none such.

    >>> list_place("1", "ab"), list_place("2", "ab"), list_place("١", "ab")
    (1, None, None)
    """
    # A list has no place of ten digits, and `int` of a million digits takes long.
    is_number = part.isascii() and part.isdecimal() and len(part) < 10
    return int(part) if is_number and int(part) < len(items) else None


def as_text(value: Any) -> str:
    """A value within a text: text as it is, true and false, nothing for null, numbers as Python
    writes them, lists and mappings as compact JSON."""
    match value:
        case str():
            return value
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case _:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _places(text: str) -> Iterator[re.Match[str]]:
    return filter(_is_place, _PLACE.finditer(text))


def _is_place(match: re.Match[str]) -> bool:
    return is_path(match["text"] or match["name"])


def _is_template(key: str, value: Any, verbatim: Collection[str]) -> bool:
    return key not in verbatim and (key != DEFINITION or not isinstance(value, Mapping))


def _fill_item(item: Any, path: str, value: Callable[[str, str, bool], Any]) -> Any:
    match item:
        case str():
            # Most texts have none, and are spared the pattern.
            if "{" not in item:
                return item
            name = placeholder(item)
            # Alone it is no text: a number stays one, and what JSON cannot hold may pass.
            if name is not None:
                return value(name, path, True)
            parts: list[tuple[str, Callable[[str], str]]] = []
            end = 0
            for match in _PLACE.finditer(item):
                parts += [(item[end : match.start()], str), _part(match, path, value)]
                end = match.end()
            parts.append((item[end:], str))
            text = "".join(change(part) for part, change in parts)
            # A text with a cut text in it is cut, too; its parts allow to make it whole where it is
            # used.
            cut = next((part for part, _ in parts if isinstance(part, Cut)), None)
            if cut is None:
                return text
            joined = Joined(text, cut.size, cut.kept, cut.action, cut.field)
            joined.parts = tuple(parts)
            return joined
        case Mapping():
            return {key: _fill_item(part, f"{path}.{key}", value) for key, part in item.items()}
        case list() | tuple():
            return [_fill_item(part, f"{path}.{n}", value) for n, part in enumerate(item)]
        case _:
            return item


def _part(
    match: re.Match[str], path: str, value: Callable[[str, str, bool], Any]
) -> tuple[str, Callable[[str], str]]:
    """What stands in place of a placeholder in a text, and what is done to it there."""
    if not _is_place(match):
        return match[0], str
    if match["text"]:
        return match[0][1:-1], str
    one = value(match["name"], path, False)
    if isinstance(one, UnfilledValue):
        return match[0], str
    text = one if isinstance(one, Cut) else as_text(one)
    # ••• is recorded without quotes: it stands for the value, and is read by people.
    return text, _quoted if match["quoted"] and one is not HIDDEN else bare


def bare(text: str) -> str:
    """Without the line breaks at its end.

    >>> bare("ok\\r\\n"), bare("50%\\r")
    ('ok', '50%\\r')
    """
    # A `\r` alone at the end is no line break: programs that draw progress end so.
    return text.rstrip("\r\n") if text.endswith("\n") else text


def bare_value(value: Any) -> Any:
    """A text without the line breaks at its end; what was cut, and any other value, as it is."""
    return bare(value) if isinstance(value, str) and not isinstance(value, Cut) else value


def _quoted(text: str) -> str:
    return shlex.quote(bare(text))


def _names_by_path(item: Any, path: str) -> Iterator[tuple[str, str]]:
    match item:
        case str() if "{" in item:
            for each in placeholders(item):
                yield path, each.name
        case Mapping():
            for key, part in item.items():
                yield from _names_by_path(part, f"{path}.{key}")
        case list() | tuple():
            for n, part in enumerate(item):
                yield from _names_by_path(part, f"{path}.{n}")


def holds_text(value: Any, text: str) -> bool:
    """Whether a text is somewhere in a value, at any depth.

    >>> holds_text({"a": ["token •••"]}, HIDDEN)
    True
    """
    match value:
        case str():
            return text in value
        case Mapping():
            return any(holds_text(item, text) for item in (*value, *value.values()))
        case list() | tuple():
            return any(holds_text(item, text) for item in value)
        case _:
            return False


def _is_hidden(name: str, hidden: frozenset[str]) -> bool:
    parts = name.split(".")
    return any(".".join(parts[:n]) in hidden for n in range(1, len(parts) + 1))


def _route(name: str, scope: Mapping[str, Any]) -> tuple[str, ...]:
    # A variable may have a dot in its own name.
    return (name,) if name in scope else tuple(name.split("."))


def whole(value: Any, written: str, name: str, takes: bool = False, texts: bool = False) -> None:
    """Raises TextCut, ValuePrinted for a value, called `said`, that is not what was made; `takes`:
    and cannot be made that. `texts`: a text alone that was cut can."""
    for place, part in parts_in(value, ours=takes):
        if isinstance(part, Cut):
            if texts and part is value and is_kept(part):
                continue
            raise TextCut(part.field or name, part.action, part.kept, part.size, part.why)
        lost = isinstance(source_of(part), Lost)
        about: Any = part.source if lost else part
        raise ValuePrinted(
            f"{place} in {written}" if place else written,
            about.kind,
            isinstance(part, TextKeyDict),
            getattr(about, "why", ""),
            is_kept(part),
        )


def _look_up(name: str, scope: Mapping[str, Any], path: str) -> Any:
    value: Any = scope
    route = _route(name, scope)
    for depth, part in enumerate(route):
        match value:
            case Mapping() if part in value:
                value = value[part]
            case list() | tuple() if (place := list_place(part, value)) is not None:
                value = value[place]
            case _:
                raise NameUnknown(name, path, _names_below(value, route[:depth]), "")
    return value


def _names_below(value: Any, route: tuple[str, ...]) -> tuple[str, ...]:
    match value:
        case Mapping():
            parts = [str(key) for key in value]
        case list() | tuple():
            parts = [str(n) for n in range(len(value))]
        case _:
            return (".".join(route),)
    return tuple(".".join((*route, part)) for part in parts)


def _keep(
    route: tuple[str, ...], scope: Any, part: dict[str, Any], whole: set[tuple[str, ...]]
) -> None:
    """Put what is at the end of a route into `part`; a list on the way is taken as a whole."""
    for depth, key in enumerate(route, start=1):
        if route[:depth] in whole:
            return
        scope = scope[key]
        if depth == len(route) or not isinstance(scope, Mapping):
            whole.add(route[:depth])
            part[key] = scope
            return
        part = part.setdefault(key, {})
