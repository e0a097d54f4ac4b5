"""conditions, what the fields of results may hold -> comparisons that have one answer for ever.

`success == "true"`, `{exit_code: "0"}` and an answer that is none of the choices never hold, and
`!=` of them always does: the run would go one way whatever happens, and call it a success. `Kinds`
says of a field the JSON types that it may have, or the values. A field of which nothing is known,
and null, which any field may be that a failure lacks, are never remarked on. So it is with what is
asked for in a text or a number, `stdout.0`, and of the end of a text, which is no line break.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from wfnb.errors import listing

from .condition import Condition, contains
from .expression import (
    CONSTANTS,
    as_number,
    as_whole,
    equal,
    name_path,
    parse_expression,
    same_values,
)
from .problem import Problem, brief, place_text, value_text
from .template import bare_value

Path = tuple[object, ...]
Kind = str | tuple[Any, ...]
"""The JSON types that a field may have (`"integer"`, `"string number"`), or its values."""
WHOLE = "result"
"""The kind of all that an action gave: a mapping, which nothing that can be written equals."""
Kinds = Mapping[str, Kind]
NOTHING_KNOWN: Kinds = {}
_WORDS = {
    "string": "a text",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    WHOLE: "a mapping of all that an action gave (ask for one of its fields)",
}
_HAS_FIELDS = ("array", "object", WHOLE)


def fixed_fields(condition: Condition, path: Path, kinds: Kinds) -> Iterator[Problem]:
    """What a condition itself asks of fields, its parts and its expression apart."""
    for name, wanted in (condition.field_equals or {}).items():
        if (kind := kinds.get(name)) is not None and not _may_be(kind, wanted, same_values):
            yield _problem((*path, "field_equals"), name, wanted, kind)
    for name, wanted in (condition.field_contains or {}).items():
        if (kind := kinds.get(name)) is not None and not _may_contain(kind, wanted):
            what = f"which never contains {value_text(wanted)}"
            yield _field_problem((*path, "field_contains"), name, kind, what)
    for key in ("field_equals", "field_contains"):
        for name in getattr(condition, key) or ():
            parts = () if name in kinds else tuple(name.split("."))
            yield from _part_problems(parts, (*path, key), lambda part: kinds.get(".".join(part)))


def constant_comparisons(
    text: str, path: Path, kind_of: Callable[[tuple[str, ...]], Kind | None]
) -> Iterator[Problem]:
    """What an expression compares; `kind_of` says what a name may hold (None: not known)."""
    tree = parse_expression(text)
    longest = {name for node in ast.walk(tree) for name in [name_path(node)] if name}
    for name in sorted(longest):
        yield from _part_problems(name, path, kind_of)
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="endswith"), args=[named, ast.Constant(value=end)]):
                kind = kind_of(name_path(named))
                if kind is not None and bare_value(end) != end:
                    yield _field_problem(
                        path, ast.unparse(named), kind, "and never ends in a line break"
                    )
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
            continue
        op, sides = node.ops[0], (node.left, node.comparators[0])
        pairs: list[tuple[ast.expr, list[ast.expr]]] = []
        if isinstance(op, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
            pairs = [(sides[0], [sides[1]]), (sides[1], [sides[0]])]
        elif isinstance(op, ast.In | ast.NotIn) and isinstance(sides[1], ast.List | ast.Tuple):
            pairs = [(sides[0], sides[1].elts)]
        for named, others in pairs:
            kind = kind_of(name_path(named))
            values = [_written(other) for other in others]
            if kind is None or not values or _UNKNOWN in values:
                continue
            equals = same_values if isinstance(op, ast.Is | ast.IsNot) else equal
            if not any(_may_be(kind, value, equals) for value in values):
                always = isinstance(op, ast.NotEq | ast.NotIn | ast.IsNot)
                shown = values[0] if len(values) == 1 else values
                yield _problem(path, ast.unparse(named), shown, kind, always)


_UNKNOWN = object()


def _written(node: ast.expr) -> Any:
    """The value that is written out; `_UNKNOWN`, where it is worked out or named."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            values = [_written(part) for part in parts]
            return _UNKNOWN if _UNKNOWN in values else values
        case _:
            return _UNKNOWN


def _may_be(kind: Kind, value: Any, equals: Callable[[Any, Any], bool]) -> bool:
    """Whether what has this kind may equal a value."""
    if value is None:
        return kind != WHOLE
    if not isinstance(kind, str):
        return any(equals(each, value) for each in kind)
    reads_numbers = equals is equal
    match value:
        case bool():
            wanted = {"boolean"}
        case int() | float():
            wanted = {*_numbers(value), *(["string"] if reads_numbers else [])}
        case str():
            wanted = {"string", *(_numbers(value) if reads_numbers else [])}
        case Mapping():
            wanted = {"object"}
        case _:
            wanted = {"array"}
    return not wanted.isdisjoint(kind.split())


def _numbers(value: Any) -> Iterator[str]:
    """The types of the number that a value is, or as which a text reads."""
    if as_number(value) is not None:
        yield "number"
    if as_whole(value) is not None:
        yield "integer"


def _may_contain(kind: Kind, wanted: Any) -> bool:
    """Whether what has this kind may contain something, as `field_contains` asks."""
    if not isinstance(kind, str):
        return any(contains(each, wanted) for each in kind)
    is_text = isinstance(wanted, str)
    holders = ["array", *(["string"] if is_text or as_number(wanted) is not None else [])]
    return not {*holders, *(["object"] if is_text else [])}.isdisjoint(kind.split())


def _part_problems(
    name: Collection[str], path: Path, kind_of: Callable[[tuple[str, ...]], Kind | None]
) -> Iterator[Problem]:
    """What asks for something in what has nothing in it."""
    *above, part = name or [""]
    kind = kind_of(tuple(above)) if above else None
    if kind is not None and not _has_fields(kind):
        yield _field_problem(path, ".".join(above), kind, f"which has no part {part!r}")


def _has_fields(kind: Kind) -> bool:
    if isinstance(kind, str):
        return any(each in _HAS_FIELDS for each in kind.split())
    return any(isinstance(each, list | tuple | Mapping) for each in kind)


def _problem(path: Path, name: str, value: Any, kind: Kind, always: bool = False) -> Problem:
    answer = "always holds" if always else "never holds"
    return _field_problem(path, name, kind, f"and never {value_text(value)}: that {answer}")


def _field_problem(path: Path, name: str, kind: Kind, what: str) -> Problem:
    place = place_text(path)
    return Problem(place, "conditions", f"{place}: {brief(name)} is {_named(kind)}, {what}")


def _named(kind: Kind) -> str:
    if isinstance(kind, str):
        return " or ".join(dict.fromkeys(_WORDS[each] for each in kind.split()))
    values: Sequence[str] = [value_text(each) for each in kind]
    return values[0] if len(values) == 1 else f"one of {listing(values, 'none')}"
