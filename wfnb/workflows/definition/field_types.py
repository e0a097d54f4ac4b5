"""what a field may hold -> the type that says so, to pydantic and to the published schema.

Values are read as JSON has them: `"3"` is no number and `1` is not true. A key that has no value
is left out; null is no value.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
)
from pydantic_core import CoreSchema, PydanticCustomError

from wfnb.errors import PatternInvalid

from .expression import MAX_LENGTH as MAX_EXPRESSION
from .expression import ExpressionSyntaxError, parse_expression
from .name_rules import STATE, STEP, TOOL, WORKFLOW, NameRule
from .regex_search import MAX_LENGTH, compile_pattern

Json: TypeAlias = Any
"""Anything JSON can hold; `read.parse` sees to it that it is nothing else."""


class Model(BaseModel):
    """A part of a definition: never changed, and without keys that mean nothing."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _NonNull:
    """None stands for a key that was left out, and cannot be written."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        # Of `X | None` pydantic makes a nullable schema around that of X: the inner one alone
        # refuses null.
        return handler(source)["schema"]  # type: ignore[no-any-return]


class OrBare:
    """In the published schema: the field may also be written in a shorter form."""

    def __init__(self, **schema: Any) -> None:
        self.schema = schema

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        whole = handler(core)
        shorter = [self.schema]
        return whole if whole.get("anyOf", [])[:1] == shorter else {"anyOf": [*shorter, whole]}


GIVEN = _NonNull()
LISTED = Strict(False)
"""A JSON list is read as a tuple."""


def _whole(value: Any) -> Any:
    # JSON has one kind of number: some programs write 3 as 3.0.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _compiles(pattern: str) -> str:
    try:
        compile_pattern(pattern)
    except PatternInvalid as error:
        raise PydanticCustomError("regex", "{why}", {"why": error.what}) from None
    return pattern


def reads(expression: str) -> str:
    """The text, where it is an expression."""
    try:
        parse_expression(expression)
    except ExpressionSyntaxError as error:
        raise PydanticCustomError("expression", "{why}", {"why": str(error)}) from None
    return expression


def _named(rule: NameRule) -> AfterValidator:
    """Refuses what the pattern of a kind of name lets pass and the rule does not: in ASCII both
    are the same."""

    def check(text: str) -> str:
        if not text.isascii() and (lacks := rule.lacks(text)) is not None:
            raise PydanticCustomError("name", "a name has {lacks}", {"lacks": lacks})
        return text

    return AfterValidator(check)


Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number, however it is written: 3 or 3.0."""
Pattern = Annotated[
    str,
    Field(max_length=MAX_LENGTH, json_schema_extra={"format": "regex"}),
    AfterValidator(_compiles),
]
Expression = Annotated[
    str,
    Field(min_length=1, max_length=MAX_EXPRESSION, json_schema_extra={"format": "expression"}),
    AfterValidator(reads),
]
"""The format tells editors where names are known without braces."""
StateName = Annotated[str, Field(pattern=STATE.pattern), _named(STATE)]
StepId = Annotated[str, Field(pattern=STEP.pattern), _named(STEP)]
VariableName = StepId
WorkflowName = Annotated[
    str, Field(pattern=WORKFLOW.pattern, max_length=WORKFLOW.longest), _named(WORKFLOW)
]
ToolName = Annotated[str, Field(pattern=TOOL.pattern, max_length=TOOL.longest), _named(TOOL)]
Fraction = Annotated[float, Field(ge=0, le=3600)]
StateSeconds = Annotated[float, Field(ge=0.1, le=300)]
Seconds = Annotated[float, Field(ge=0.1, le=7200)]
