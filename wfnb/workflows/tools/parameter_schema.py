"""a JSON Schema -> what checks parameters by it, and says what is wrong without their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import Any

from wfnb.errors import BadParameters, ToolBroken

from .parameter_errors import unknown


def reader(
    name: str, schema: Mapping[str, Any], taken: frozenset[str] | None
) -> tuple[dict[str, Any], Callable[[Mapping[str, Any]], dict[str, Any]]]:
    """The schema as an object's, and the function that reads parameters by it: they are checked,
    not changed. `taken` are the parameters that the tool's function has; None: any.

    Raises ToolBroken for a schema that is none, or that has parameters the function has not.
    """
    import jsonschema  # type: ignore[import-untyped,unused-ignore]  # noqa: PLC0415  heavy: 0.3 s

    whole = {"type": "object", **schema}
    if whole["type"] != "object":
        raise ToolBroken(name, "the schema of its parameters is not that of an object")
    kind = jsonschema.validators.validator_for(whole, jsonschema.Draft202012Validator)
    try:
        kind.check_schema(whole)
    except jsonschema.SchemaError as error:
        where = ".".join(map(str, error.absolute_path)) or "parameters"
        raise ToolBroken(name, f"its schema is none ({where}: {error.message[:200]})") from None
    properties = whole.setdefault("properties", {})
    if taken is not None:
        whole.setdefault("additionalProperties", False)
        strange = [key for key in properties if key not in taken]
        if strange:
            raise ToolBroken(name, f"its schema has {strange[0]!r}, which the function does not")
    checks = kind(whole)

    def read(params: Mapping[str, Any]) -> dict[str, Any]:
        errors = sorted(checks.iter_errors(dict(params)), key=lambda error: error.json_path)
        if errors:
            said = [line for error in errors for line in _describe_error(error, tuple(properties))]
            raise BadParameters(name, tuple(dict.fromkeys(said)))
        return dict(params)

    return whole, read


def _describe_error(error: Any, known: tuple[str, ...]) -> list[str]:
    place = ".".join(map(str, error.absolute_path))
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return [f"{place}.{key}".lstrip(".") + " is missing" for key in missing]
    if error.validator == "additionalProperties" and not place:
        return [f"{key} {unknown(key, known)}" for key in error.instance if key not in known]
    rule = dumps(error.validator_value, ensure_ascii=False, default=str)
    return [f"{place or 'the whole'} does not follow {error.validator}: {rule[:200]}"]
