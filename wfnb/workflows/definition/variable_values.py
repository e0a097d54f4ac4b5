"""variables of a workflow, values given for them -> what is missing, wrong or told to all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from wfnb.errors import BadValue, Refused
from wfnb.hints import Option

from .expression import as_number, as_whole
from .problem import Problem, brief, place_text
from .schema_fit import KIND_WORDS, is_of, misfits
from .template import UnfilledValue, has_placeholder
from .variable import Variable
from .verbatim_parameters import VERBATIM


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenValue:
    """A value as it was written on a line, and as YAML reads it; `wrong`: it does not."""

    words: str
    value: Any = None
    wrong: Refused | None = None


def as_declared(declared: Mapping[str, Variable], given: Any) -> Any:
    """The values that are given, as their variables are declared: 3.0 is a whole number where one
    is asked for; and of those that were written on a line a text is the words themselves, so that
    version 1.10 is not 1.1. Raises what is `wrong`, and BadValue for words of another kind than a
    default that says alone what the variable is."""
    if not isinstance(given, Mapping):
        return given  # refused by who reads it
    for name, value in given.items():
        if isinstance(value, WrittenValue) and name in declared:
            _check_kind(name, declared[name], value)
    return {name: _intended_value(declared.get(name), value) for name, value in given.items()}


def defaults(declared: Mapping[str, Variable]) -> dict[str, Any]:
    """The values of those that need not be given."""
    given = {name: spec.default for name, spec in declared.items() if not spec.is_required}
    return {name: _intended_value(declared[name], value) for name, value in given.items()}


def _intended_value(variable: Variable | None, given: Any) -> Any:
    value, words = given, ""
    if isinstance(given, WrittenValue):
        value, words = given.value, given.words
        if variable is not None and _is_text(variable):
            return words
        if given.wrong is not None:
            raise given.wrong
    if variable is None or variable.type != "integer" or not isinstance(value, float):
        return value
    # With all digits that were written: to YAML 1.00000000000000000001 is 1.0.
    exact = value if as_number(words) is None else words
    whole = as_whole(exact)
    return exact if whole is None else whole


def _check_kind(name: str, variable: Variable, given: WrittenValue) -> None:
    """Raises BadValue where a default is all that says what a variable is, and words are read as
    something else: `no` is a text, which code takes as true. A null that is written out is meant.
    """
    kinds = ("boolean", "number", "array", "object")
    kind = next((each for each in kinds if is_of(each, variable.default)), None)
    is_told = _is_text(variable) or variable.type is not None or variable.choices is not None
    is_null = given.value is None and bool(given.words.strip())
    if kind is None or is_told or given.wrong is not None or is_null or is_of(kind, given.value):
        return
    needs = f"{KIND_WORDS[kind]}, as its default is; `type` says otherwise in the definition"
    raise BadValue(f"Variable {name!r}", brief(given.words), needs)


def _is_text(variable: Variable) -> bool:
    """Whether a variable holds text: its type says so or, where it has none, its default or all of
    its choices. A secret is always one."""
    if variable.secret or variable.type is not None:
        return variable.secret or variable.type == "string"
    if isinstance(variable.default, str):
        return True
    return bool(variable.choices) and all(isinstance(each, str) for each in variable.choices or ())


def missing_or_wrong(
    declared: Mapping[str, Variable], given: Mapping[str, Any], nested: bool = False
) -> Iterator[Problem]:
    """Problems: a variable that has no value, a value or a default that is not what it has to be.
    The value of a secret is not looked at: it would be shown. What a `nested` workflow is given is
    written in a definition, where a placeholder stands for a value; only one that is not is given
    one on a command line, and values are what they are."""
    for name, variable in declared.items():
        path = ("variables", name)
        if not variable.is_required:
            yield from _value(variable, variable.default, (*path, "default"))
        if name in given:
            value = given[name]
            open_text = nested and isinstance(value, str) and has_placeholder(value)
            found = () if open_text else _value(variable, value, path)
            yield from (_variable_problem(name, wrong) for wrong in found)
        elif variable.is_required:
            what = f": {brief(variable.description)}" if variable.description else ""
            way = (
                f", by `{Option('secret', brief(name))}`" if variable.secret and not nested else ""
            )
            message = f"Variable '{name}' has to be given{way}{what}"
            yield Problem(place_text(path), "variables", message)


def _variable_problem(name: str, problem: Problem) -> Problem:
    """Whoever gave the value knows the variable, not its place in the definition."""
    what = problem.message.removeprefix(problem.path)
    return Problem(problem.path, problem.rule, f"Variable '{name}'{what}")


def _value(variable: Variable, value: Any, path: tuple[object, ...]) -> Iterator[Problem]:
    if variable.secret or isinstance(value, UnfilledValue):
        return
    schema: dict[str, Any] = {VERBATIM: True}
    if variable.type is not None:
        schema["type"] = variable.type
    if variable.choices is not None:
        schema["enum"] = list(variable.choices)
    yield from misfits(value, schema, path)


def secret_warnings(declared: Mapping[str, Variable]) -> Iterator[Problem]:
    """Warnings: secrets that the definition tells."""
    for name, variable in declared.items():
        if variable.secret and not variable.is_required:
            message = (
                f"Variable '{name}' is secret and has a default, which stands in the definition "
                "for all to read. Leave it out and give the value when the workflow is started"
            )
            yield Problem(place_text(("variables", name)), "secret", message)
