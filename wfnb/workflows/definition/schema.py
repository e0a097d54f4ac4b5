"""the models -> the published JSON Schema, which editors and other programs read.

It is kept as a file beside this one; `python -m wfnb.workflows.definition.schema` prints what
belongs there.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import AliasChoices
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from .field_types import Model
from .models import (
    ABSENT,
    NOT_OF_GROUPS,
    Call,
    Compensation,
    Fallback,
    StatesWorkflow,
    Step,
    StepOrder,
    StepsWorkflow,
)
from .reader import SCHEMA

NAME = "urn:wfnb:workflow:1"
FILE = "workflow.schema.json"


class _Generator(GenerateJsonSchema):
    """Titles are left to the models, and null stands for nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        # A default of null would make editors offer to write `null`, which is refused.
        if schema.get("default", ABSENT) in (ABSENT, None):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        if made.get("additionalProperties") is True:
            del made["additionalProperties"]
        return made | ({"additionalProperties": False} if "patternProperties" in made else {})

    def encode_default(self, dft: Any) -> Any:
        if isinstance(dft, Model):
            return dft.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return super().encode_default(dft)


def workflow_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a workflow of either form."""
    forms = (StatesWorkflow, StepsWorkflow)
    _, made = models_json_schema(
        [(form, "validation") for form in forms], schema_generator=_Generator
    )
    parts = made["$defs"]
    for model in (Call, Compensation, Fallback, Step):
        _spell_both(parts[model.__name__], model)
    _tell_groups_apart(parts["State"])
    for form in forms:
        # Editors find a file's schema by this key, which a workflow itself does not read.
        own = {"type": "string", "description": "The schema that an editor checks this file with."}
        part = parts[form.__name__]
        part["properties"] = {SCHEMA: own} | part["properties"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": NAME,
        "title": "Workflow",
        "description": "Calls of tools: states with conditions, or steps with needs.",
        "oneOf": [{"$ref": f"#/$defs/{form.__name__}"} for form in forms],
        "$defs": parts,
    }


def _tell_groups_apart(part: dict[str, Any]) -> None:
    """A state has an action, or a group of steps."""
    both = [*StepOrder.model_fields]
    part["oneOf"] = [
        {"required": ["action"], "not": {"anyOf": [{"required": [key]} for key in both]}},
        {
            "required": ["steps"],
            "properties": {
                "steps": {"minItems": 1, "items": {"properties": {"always": {"const": False}}}}
            },
            "not": {"anyOf": [{"required": [key]} for key in NOT_OF_GROUPS]},
        },
    ]


def _spell_both(part: dict[str, Any], model: type[Call | Fallback | Step]) -> None:
    """Parameters may be called `params` or `args`, but not both at once."""
    alias = model.model_fields["params"].validation_alias
    assert isinstance(alias, AliasChoices)
    first, second = map(str, alias.choices)
    part["properties"][second] = {
        **part["properties"][first],
        "description": f"The same as `{first}`, of which it is another name.",
    }
    part["not"] = {"required": [first, second]}


def text() -> str:
    """The file's content."""
    return json.dumps(workflow_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(text(), end="")
