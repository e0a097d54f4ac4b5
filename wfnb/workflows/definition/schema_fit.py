"""a value with placeholders, a JSON Schema -> what of the value does not fit.

Placeholders are not known yet: a value that is one fits everywhere, a text that holds one is some
text; in a program (`x-verbatim`) there are none. Keywords this page does not know are left to the
tool itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import ge, gt, le, lt
from typing import Annotated, Any

from pydantic import Field

from wfnb.errors import PatternInvalid, Refused, listing, nearest

from .json_equality import same
from .problem import Problem, place_text, value_text
from .python_syntax import mistake
from .regex_search import compile_pattern, search
from .template import has_placeholder, placeholder
from .time_parser import FORMAT, time_problem
from .verbatim_parameters import is_verbatim

Schema = Mapping[str, Any] | bool
Path = tuple[object, ...]

_SYSTEM = "system-text"
SystemText = Annotated[str, Field(json_schema_extra={"format": _SYSTEM})]
"""What the system is given as it is: a path, an argument, a variable of the environment. There a
NUL ends it."""
KIND_WORDS = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "null",
}
_ARGUMENTS = "Placeholders are not filled in in code: `arguments` gives it values by name"
_DEEPEST = 40


def is_of(kind: str, value: Any) -> bool:
    """Whether a value is of a kind, as JSON Schema names kinds: 3.0 is an integer, true is not."""
    match kind:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "array":
            return isinstance(value, list | tuple)
        case "object":
            return isinstance(value, Mapping)
        case "integer":
            whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            # For Python `True` is an int; for JSON it is none.
            return whole and not isinstance(value, bool)
        case _:
            return isinstance(value, int | float) and not isinstance(value, bool)


def misfits(
    value: Any, schema: Schema, path: Path, root: Schema | None = None
) -> Iterator[Problem]:
    """What of `value`, which stands at `path`, does not fit."""
    root = schema if root is None else root
    # A schema may refer to itself, and the value may be as deep as it likes.
    if schema is True or len(path) > _DEEPEST:
        return
    program = is_verbatim(schema)
    # A placeholder alone keeps the type of its value, which only the run knows.
    if placeholder(value) is not None and not program:
        return
    if isinstance(schema, bool):
        yield _problem(path, "false", f"is {value_text(value)}; nothing may stand here")
        return
    if "$ref" in schema:
        yield from misfits(value, _resolve_reference(schema["$ref"], root), path, root)
    for part in schema.get("allOf", ()):
        yield from misfits(value, part, path, root)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            yield from _of_any(value, schema[keyword], keyword, path, root)
    kinds = schema.get("type")
    if kinds is not None:
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if not any(is_of(kind, value) for kind in kinds):
            needs = " or ".join(KIND_WORDS.get(kind, kind) for kind in kinds)
            yield _problem(path, "type", f"is {value_text(value)}; it needs {needs}")
            return
    match value:
        case str():
            if "\0" in value and schema.get("format") in (_SYSTEM, "shell"):
                yield _problem(path, "format", "holds a NUL, which the system cannot be given")
            if program or not has_placeholder(value):
                yield from _of_choices(value, schema, path)
                yield from _of_text(value, schema, path)
        case Mapping():
            yield from _of_choices(value, schema, path)
            yield from _of_mapping(value, schema, path, root)
        case list() | tuple():
            yield from _of_choices(value, schema, path)
            yield from _of_list(value, schema, path, root)
        case _:
            yield from _of_choices(value, schema, path)
            if is_of("number", value):
                yield from _of_number(value, schema, path)


def _of_any(
    value: Any, schemas: list[Schema], keyword: str, path: Path, root: Schema
) -> Iterator[Problem]:
    likely = (schema for schema in schemas if _is_likely(value, schema))  # no words for the others
    if any(next(misfits(value, schema, path, root), None) is None for schema in likely):
        return
    tried = [list(misfits(value, schema, path, root)) for schema in schemas]
    # Of several alternatives the one that got furthest is meant: its words help most.
    near = [
        found
        for found in tried
        if not all(p.rule == "type" and p.path == place_text(path) for p in found)
    ]
    if len(near) == 1:
        yield from near[0]
        return
    needs = " or ".join(dict.fromkeys(_kinds(schema, root) for schema in schemas))
    yield _problem(path, keyword, f"is {value_text(value)}; it needs {needs}")


def _is_likely(value: Any, schema: Schema) -> bool:
    """Whether a value is of a kind that a schema asks for, where it asks for one."""
    kinds = schema.get("type") if isinstance(schema, Mapping) else None
    return not isinstance(kinds, str) or is_of(kinds, value)


def _kinds(schema: Schema, root: Schema) -> str:
    if isinstance(schema, bool):
        return "nothing"
    if "$ref" in schema:
        schema = _resolve_reference(schema["$ref"], root)
        if isinstance(schema, bool):
            return "nothing"
    for keyword in ("enum", "const"):
        if keyword in schema:
            return _choices(schema)
    kinds = schema.get("type", "something else")
    return " or ".join(KIND_WORDS.get(k, k) for k in ([kinds] if isinstance(kinds, str) else kinds))


def _choices(schema: Mapping[str, Any]) -> str:
    values = schema["enum"] if "enum" in schema else [schema["const"]]
    return " or ".join(value_text(value) for value in values[:12])


def _of_choices(value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    for keyword, choices in (("enum", schema.get("enum")), ("const", [schema.get("const")])):
        if keyword in schema and not any(same(value, choice) for choice in choices or ()):
            yield _problem(path, keyword, f"is {value_text(value)}; it can be {_choices(schema)}")


def _of_text(value: str, schema: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    if len(value) < schema.get("minLength", 0):
        yield _problem(path, "minLength", f"is {value_text(value)}; it is too short")
    if len(value) > schema.get("maxLength", len(value)):
        most = f"{schema['maxLength']:,}"
        yield _problem(
            path, "maxLength", f"has {len(value):,} characters; it may have {most} at most"
        )
    # A schema's pattern may stand anywhere in the text, as JSON Schema has it.
    if "pattern" in schema and not _is_found(schema["pattern"], value):
        yield _problem(
            path, "pattern", f"is {value_text(value)}; it has to match {schema['pattern']}"
        )
    if schema.get("format") == "regex":
        try:
            compile_pattern(value)
        except PatternInvalid as error:
            yield _problem(path, "format", f"is no regular expression: {error.what}")
    if schema.get("format") == FORMAT and (wrong := time_problem(value)):
        yield _problem(path, "format", f"is no time: {wrong}")
    if schema.get("format") == "python" and (wrong := mistake(value)):
        way = f". {_ARGUMENTS}" if has_placeholder(value) else ""
        yield _problem(path, "format", f"is no Python: {wrong}{way}")


def _is_found(pattern: str, text: str) -> bool:
    try:
        return search(pattern, text) is not None
    # A pattern that takes too long says nothing of the value: the tool has the last word.
    except Refused:
        return True


_LIMITS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "minimum": (ge, "at least"),
    "maximum": (le, "at most"),
    "exclusiveMinimum": (gt, "more than"),
    "exclusiveMaximum": (lt, "less than"),
}


def _of_number(value: float, schema: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    for keyword, (holds, words) in _LIMITS.items():
        # In old drafts of JSON Schema the last two are true or false, and say what `minimum` means.
        known = keyword in schema and not isinstance(schema[keyword], bool)
        if known and not holds(value, schema[keyword]):
            limit = f"{words} {schema[keyword]:g}"
            yield _problem(path, keyword, f"is {value_text(value)}; it has to be {limit}")


def _of_list(
    value: list[Any] | tuple[Any, ...], schema: Mapping[str, Any], path: Path, root: Schema
) -> Iterator[Problem]:
    if len(value) < schema.get("minItems", 0):
        yield _problem(path, "minItems", f"has {len(value)} items; it needs {schema['minItems']}")
    if len(value) > schema.get("maxItems", len(value)):
        most = schema["maxItems"]
        yield _problem(path, "maxItems", f"has {len(value)} items; it may have {most} at most")
    first, rest = schema.get("prefixItems", ()), schema.get("items", True)
    if isinstance(rest, list | tuple):  # as old drafts write it
        first, rest = rest, schema.get("additionalItems", True)
    # Where the rest may be anything, a list of a million need not be gone through.
    for n, item in enumerate(value if rest is not True else value[: len(first)]):
        part = first[n] if n < len(first) else rest
        yield from misfits(item, part, (*path, n), root)


def _of_mapping(
    value: Mapping[str, Any], schema: Mapping[str, Any], path: Path, root: Schema
) -> Iterator[Problem]:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield Problem(
                place_text((*path, name)),
                "required",
                f"{place_text(path)} has no {name!r}, which it needs",
            )
    others = schema.get("additionalProperties", True)
    for name in value if "propertyNames" in schema else ():
        yield from misfits(name, schema["propertyNames"], (*path, name), root)
    patterns = schema.get("patternProperties", {})
    for name, item in value.items():
        found = [part for pattern, part in patterns.items() if _is_found(pattern, name)]
        found += [known[name]] if name in known else []
        for part in found:
            yield from misfits(item, part, (*path, name), root)
        if found:
            continue
        if others is False:
            near = nearest(name, tuple(known)).strip() if len(name) <= 40 else ""
            there_are = f"Keys: {listing(known, 'none')}"
            what = f"has no key {value_text(name)}. {near or there_are}"
            yield Problem(
                place_text((*path, name)), "additionalProperties", f"{place_text(path)} {what}"
            )
        else:
            yield from misfits(item, others, (*path, name), root)


def _resolve_reference(reference: str, root: Schema) -> Schema:
    here: Any = root
    for part in reference.removeprefix("#").split("/")[1:]:
        here = here.get(part, True) if isinstance(here, Mapping) else True
    return here if isinstance(here, bool | Mapping) else True


def _problem(path: Path, rule: str, what: str) -> Problem:
    return Problem(place_text(path), rule, f"{place_text(path)} {what}")
