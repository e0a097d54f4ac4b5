"""conditions, what the fields of results may hold -> comparisons that have one answer for ever.

`success == "true"`, `{exit_code: "0"}` and an answer that is none of the choices never hold, and
`!=` of them always does: the run would go one way whatever happens, and call it a success. `Kinds`
says of a field the JSON types that it may have, or the values. A field of which nothing is known,
and null, which any field may be that a failure lacks, are never remarked on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from wfnb.errors import listing

from .condition import Condition
from .expression import CONSTANTS, as_number, equal, name_path, parse_expression
from .json_equality import same
from .problem import Problem, brief, place_text, value_text
from .template import bare

Path = tuple[object, ...]
Kind = str | tuple[Any, ...]
"""The JSON types that a field may have (`"integer"`, `"string number"`), or its values."""
Kinds = Mapping[str, Kind]
NOTHING_KNOWN: Kinds = {}
_WORDS = {
    "string": "a text",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
}
_HAS_PARTS = frozenset({"string", "array", "object"})


def fixed_fields(condition: Condition, path: Path, kinds: Kinds) -> Iterator[Problem]:
    """What a condition itself asks of fields, its parts and its expression apart."""
    for name, wanted in (condition.field_equals or {}).items():
        if (kind := kinds.get(name)) is not None and not _may_be(kind, wanted, _equal_fields):
            yield _problem((*path, "field_equals"), name, wanted, kind)
    for name in condition.field_contains or ():
        kind = kinds.get(name)
        if isinstance(kind, str) and _HAS_PARTS.isdisjoint(kind.split()):
            place = place_text((*path, "field_contains"))
            words = f"{place}: {brief(name)} is {_named(kind)}, which contains nothing"
            yield Problem(place, "conditions", words)


def constant_comparisons(
    text: str, path: Path, kind_of: Callable[[tuple[str, ...]], Kind | None]
) -> Iterator[Problem]:
    """What an expression compares; `kind_of` says what a name may hold (None: not known)."""
    for node in ast.walk(parse_expression(text)):
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
            equals = same if isinstance(op, ast.Is | ast.IsNot) else equal
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
        return True
    if not isinstance(kind, str):
        return any(equals(each, value) for each in kind)
    reads_numbers = equals is equal
    match value:
        case bool():
            wanted = {"boolean"}
        case int() | float():
            wanted = {"integer", "number", *(["string"] if reads_numbers else [])}
        case str():
            number = reads_numbers and as_number(value) is not None
            wanted = {"string", *(["integer", "number"] if number else [])}
        case Mapping():
            wanted = {"object"}
        case _:
            wanted = {"array"}
    return not wanted.isdisjoint(kind.split())


def _equal_fields(one: Any, other: Any) -> bool:
    return same(*(bare(each) if isinstance(each, str) else each for each in (one, other)))


def _problem(path: Path, name: str, value: Any, kind: Kind, always: bool = False) -> Problem:
    place, answer = place_text(path), "always holds" if always else "never holds"
    what = f"{brief(name)} is {_named(kind)}, and never {value_text(value)}: that {answer}"
    return Problem(place, "conditions", f"{place}: {what}")


def _named(kind: Kind) -> str:
    if isinstance(kind, str):
        return " or ".join(dict.fromkeys(_WORDS[each] for each in kind.split()))
    values: Sequence[str] = [value_text(each) for each in kind]
    return values[0] if len(values) == 1 else f"one of {listing(values, 'none')}"
