"""`outputs` of a workflow, values by name -> what a run of it hands on at its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_serializer
from pydantic import SerializerFunctionWrapHandler as Dumped

from wfnb.errors import BadOutput, Refused

from .expression import as_number, as_whole, evaluate
from .field_types import GIVEN, Expression, Model
from .schema_fit import misfits
from .verbatim_parameters import VERBATIM


class Output(Model):
    """A value that a run hands on at its end. Written as a text it is the expression."""

    value: Expression = Field(description="An expression, evaluated when all actions have ended.")
    type: Annotated[
        Literal["string", "number", "integer", "boolean", "array", "object"] | None, GIVEN
    ] = Field(
        default=None,
        description="What kind of value it has to be. A text that reads as a number is one then.",
    )
    description: str = Field(default="", description="What it is, for whoever uses it.")

    @model_serializer(mode="wrap")
    def _short(self, dumped: Dumped) -> Any:
        return self.value if self.is_short else dumped(self)

    @property
    def is_short(self) -> bool:
        """Whether its expression alone says all of it."""
        return self.type is None and not self.description


def spell_output_out(value: Any) -> Any:
    return {"value": value} if isinstance(value, str) else value


def output_values(
    outputs: Mapping[str, Output], scope: Mapping[str, Any], hidden: Collection[str]
) -> dict[str, Any]:
    """The outputs by name. Raises BadOutput for one that cannot be made, or is of another type;
    `hidden` are names of secrets, which are none."""
    return {name: _value(name, each, scope, hidden) for name, each in outputs.items()}


def _value(name: str, output: Output, scope: Mapping[str, Any], hidden: Collection[str]) -> Any:
    try:
        value = evaluate(output.value, scope, hidden, takes=True)
    except Refused as refusal:
        raise BadOutput(name, str(refusal)) from None
    if output.type in ("number", "integer") and (number := as_number(value)) is not None:
        whole = as_whole(value) if output.type == "integer" else None
        value = number if whole is None else whole
    schema = {VERBATIM: True} | ({} if output.type is None else {"type": output.type})
    for wrong in misfits(value, schema, ("value",)):
        raise BadOutput(name, f"{wrong.message}.")
    return value
