"""JSON data -> a variable: the value a workflow is started with, or what it has to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_serializer
from pydantic import SerializerFunctionWrapHandler as Dumped

from .field_types import GIVEN, LISTED, Json, Model


class Absent:
    """The default of a variable that has none: it has to be given."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


class Variable(Model):
    """A value the workflow is started with."""

    default: Json = Field(
        default=ABSENT, description="Its value unless given. Left out: must be given."
    )
    secret: bool = Field(
        default=False, description="Never written to the journal, a report, a log or a widget."
    )
    description: str = Field(default="", description="What it is, for whoever starts the workflow.")
    choices: Annotated[tuple[Json, ...] | None, LISTED, GIVEN] = Field(
        default=None, min_length=1, description="The only values it may have."
    )
    type: Annotated[
        Literal["string", "number", "integer", "boolean", "array", "object"] | None, GIVEN
    ] = Field(default=None, description="What kind of value it has, as JSON names kinds.")

    @model_serializer(mode="wrap")
    def _short(self, dumped: Dumped) -> Any:
        data = dumped(self)
        bare = list(data) == ["default"] and not isinstance(self.default, Mapping)
        return data["default"] if bare else data

    @property
    def is_required(self) -> bool:
        return self.default is ABSENT


def spelled_out(value: Any) -> Any:
    """A mapping says what the variable is; anything else is its default."""
    return value if isinstance(value, Mapping | Variable) else {"default": value}
