"""JSON data -> what states and steps share: calls, retries, compensations."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    model_serializer,
    model_validator,
)
from pydantic import SerializerFunctionWrapHandler as Dumped
from pydantic_core import PydanticCustomError

from .condition import Asked
from .expression import expression_names
from .field_types import (
    GIVEN,
    LISTED,
    Expression,
    Fraction,
    Json,
    Model,
    OrBare,
    Pattern,
    Seconds,
    ToolName,
    Whole,
)
from .for_each import ForEachField, names_item
from .regex_search import group_names

MAX_ATTEMPTS = 100
MAX_WAIT = 300.0
"""Seconds between two attempts, where nothing else is said."""


def _expand_attempts(value: Any) -> Any:
    # For Python a bool is an int: `retry: true` must not mean one attempt.
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return {"attempts": value} if plain else value


def _from_zero(value: Any) -> Any:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return (0.0, value) if plain else value


class Waiting(Model):
    """How long is waited between two attempts."""

    wait: Fraction = Field(default=0.0, description="Seconds before the first further attempt.")
    backoff: Literal["constant", "linear", "exponential"] = Field(
        default="constant",
        description="How the wait grows: not, by `wait` each time, or times `factor` each time.",
    )
    factor: float = Field(
        default=2.0, ge=1, le=10, description="What exponential backoff multiplies by."
    )
    jitter: Annotated[
        tuple[Fraction, Fraction],
        LISTED,
        BeforeValidator(_from_zero),
        OrBare(type="number", minimum=0, maximum=3600),
    ] = Field(
        default=(0.0, 0.0),
        description="Seconds added at random to each wait: from and to, or one number for 0 to it.",
    )
    max_wait: Annotated[Fraction | None, GIVEN] = Field(
        default=None,
        description="The longest single wait in seconds. Left out: 300, or `wait` and its jitter "
        "where they are longer.",
    )

    @model_validator(mode="after")
    def _goes_up(self) -> Self:
        low, high = self.jitter
        if low > high:
            raise PydanticCustomError(
                "order",
                "jitter goes from {low} to {high}: the first number is the smaller one",
                {"low": low, "high": high},
            )
        if self.max_wait is not None and self.max_wait < self.wait:
            raise PydanticCustomError(
                "order",
                "max_wait ({most} s) is less than wait ({wait} s)",
                {"most": self.max_wait, "wait": self.wait},
            )
        return self

    @property
    def longest_wait(self) -> float:
        """Seconds: no single wait is longer."""
        if self.max_wait is not None:
            return self.max_wait
        # Whoever writes a wait of an hour means it, without having to allow it a second time.
        return max(MAX_WAIT, self.wait + self.jitter[1])

    def bounds(self, attempt: int) -> tuple[float, float]:
        """Seconds to wait before further attempt number `attempt`, from 1: at least, at most.
        Which of them is the matter of whoever has randomness.

        >>> Waiting(wait=2, backoff="exponential", jitter=(0, 1)).bounds(3)
        (8.0, 9.0)
        """
        wait = self.wait and self.wait * self._growth(attempt)  # 0 times infinity is no number
        low, high = (wait + more for more in self.jitter)
        return min(low, self.longest_wait), min(high, self.longest_wait)

    def _growth(self, attempt: int) -> float:
        match self.backoff:
            case "constant":
                return 1.0
            case "linear":
                return float(attempt)
            case "exponential":
                try:
                    return self.factor ** (attempt - 1)
                except OverflowError:  # twice as long a thousand times
                    return inf


class Retry(Waiting):
    """How often, when and after which failures an action is tried again."""

    attempts: Whole = Field(
        ge=0, le=MAX_ATTEMPTS, description="Further attempts after the first one failed."
    )
    max_total: Annotated[float | None, GIVEN] = Field(
        default=None,
        ge=0,
        le=7200,
        description="Seconds after which no further attempt starts, waits and attempts together.",
    )
    when: Annotated[Asked | None, GIVEN] = Field(
        default=None, description="Only failures of which this holds are tried again."
    )
    unless: Annotated[Asked | None, GIVEN] = Field(
        default=None, description="Failures of which this holds are not tried again."
    )

    @model_serializer(mode="wrap")
    def _short(self, dumped: Dumped) -> Any:
        data = dumped(self)
        # Written back as it is usually typed; `exclude_defaults` has left out all else.
        return data["attempts"] if list(data) == ["attempts"] else data


class Repeat(Waiting):
    """Until when a successful action is done again, and how often at most."""

    until: Asked = Field(description="What has to hold of the result: then it is done no more.")
    at_most: Whole = Field(
        default=100, ge=1, le=10_000, description="Times that it is done: then it has failed."
    )


Retrying = Annotated[
    Retry,
    BeforeValidator(_expand_attempts),
    OrBare(type="integer", minimum=0, maximum=MAX_ATTEMPTS),
]
ONCE = Retry(attempts=0)


class Call(Model):
    """A tool, and what it is called with."""

    tool: ToolName = Field(description="The tool to call.")
    params: dict[str, Json] = Field(
        default_factory=dict,
        validation_alias=AliasChoices("params", "args"),
        description="What the tool is called with, by parameter. Placeholders are filled in.",
    )


class Compensation(Call):
    """The call that undoes an action. `{result.FIELD}` is what the action gave."""

    retry: Retrying = Field(
        default=ONCE, description="Further attempts: a number, or when and how."
    )
    timeout: Annotated[Seconds | None, GIVEN] = Field(
        default=None, description="Seconds one attempt may take. Left out: the tool's own limit."
    )
    idempotent: Annotated[bool | None, GIVEN] = Field(
        default=None,
        description="Whether it may be called again when it is not known if it was done. "
        "Left out: what the tool says.",
    )


class Fallback(Model):
    """What is done instead of an action that has failed: a call, or nothing but a result."""

    when: Annotated[Asked | None, GIVEN] = Field(
        default=None, description="What has to hold of the failure. Left out: any."
    )
    tool: Annotated[ToolName | None, GIVEN] = Field(default=None, description="The tool to call.")
    params: dict[str, Json] = Field(
        default_factory=dict,
        validation_alias=AliasChoices("args", "params"),
        serialization_alias="args",
        description="What the tool is called with, by parameter. Placeholders are filled in.",
    )
    timeout: Annotated[Seconds | None, GIVEN] = Field(
        default=None, description="Seconds the call may take. Left out: the tool's own limit."
    )
    compensation: Annotated[Compensation | None, GIVEN] = Field(
        default=None, description="The call that undoes this one when the run is rolled back."
    )
    result: Annotated[dict[str, Json] | None, GIVEN] = Field(
        default=None, description="The result that the action has then, where nothing is called."
    )

    @model_validator(mode="after")
    def _does_one_thing(self) -> Fallback:
        if (self.tool is None) == (self.result is None):
            raise PydanticCustomError("needs", "it needs a tool, or a result: one of both")
        if self.result is not None and (self.params or self.timeout or self.compensation):
            raise PydanticCustomError("needs", "it has a result, so that nothing is called")
        said = self.result or {}
        # The run puts the first two in, and what ran out of time has not succeeded.
        plain = said.get("success", True) is True and said.get("timeout_occurred", False) is False
        if not plain or "caught" in said:
            raise PydanticCustomError(
                "needs",
                "with its result the action has succeeded: leave out `success`, `caught` and "
                "`timeout_occurred`",
            )
        return self


def _as_tuple(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _names_something(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if not group_names(pattern):
            raise PydanticCustomError(
                "regex",
                "the pattern {pattern} names no group: write (?P<name>…) around what is captured",
                {"pattern": repr(pattern)},
            )
    return patterns


class Work(Model):
    """What every action may have, whichever form it is written in."""

    _EARLIER: ClassVar[tuple[str, ...]] = ("compensation",)
    """What an action cannot have that is always done last."""
    is_group: ClassVar[bool] = False
    """Whether it is a group of steps, and calls no tool itself."""

    description: str = Field(default="", description="What the action is for.")
    when: Annotated[Expression | None, GIVEN] = Field(
        default=None,
        description="An expression: where it does not hold as the action is to begin, it is "
        "skipped, and the run goes on as if it had succeeded.",
    )
    for_each: Annotated[ForEachField | None, GIVEN] = Field(
        default=None,
        description="It is done for each item of a list, and has succeeded when all have.",
    )
    retry: Retrying = Field(
        default=ONCE, description="Further attempts after a failure: a number, or when and how."
    )
    on_error: Annotated[tuple[Fallback, ...], LISTED] = Field(
        default=(),
        max_length=20,
        description="What is done instead when it has failed for good: the first that holds.",
    )
    repeat: Annotated[Repeat | None, GIVEN] = Field(
        default=None, description="It is done again, as long as it succeeds, until something holds."
    )
    timeout: Annotated[Seconds | None, GIVEN] = Field(
        default=None, description="Seconds one attempt may take. Left out: the tool's own limit."
    )
    idle_timeout: Annotated[Seconds | None, GIVEN] = Field(
        default=None, description="Seconds one attempt may be without any sign of life."
    )
    compensation: Annotated[Compensation | None, GIVEN] = Field(
        default=None, description="The call that undoes this action when the run is rolled back."
    )
    compensate_on_failure: bool = Field(
        default=False,
        description="The compensation runs also when this action itself failed, was stopped, or "
        "was not seen to end.",
    )
    idempotent: Annotated[bool | None, GIVEN] = Field(
        default=None,
        description="Whether it may be called again when it is not known if it was done. "
        "Left out: what the tool says.",
    )
    capture: Annotated[
        tuple[Pattern, ...],
        LISTED,
        BeforeValidator(_as_tuple),
        AfterValidator(_names_something),
        OrBare(type="string", maxLength=2000, format="regex"),
    ] = Field(
        default=(),
        description="Regular expressions; where one is found in the result's text, its named "
        "groups become variables.",
    )
    cache: bool = Field(
        default=False, description="A result is used again for the same tool and parameters."
    )
    always: bool = Field(
        default=False,
        description="It is done last, however the run ends: after all others, and after the "
        "rollback.",
    )

    @model_validator(mode="after")
    def _is_only_last(self) -> Self:
        if self.always and (key := next((key for key in self._EARLIER if getattr(self, key)), "")):
            raise PydanticCustomError(
                "always",
                "it has always and {key}: what is always done comes last, and is not undone",
                {"key": key},
            )
        return self

    @property
    def despite_failure(self) -> bool:
        """Whether it begins also where the run is failing."""
        return False

    @property
    def may_be_skipped(self) -> bool:
        """Whether its result says if it was skipped."""
        return self.when is not None

    def instead(self, fallback: int) -> Self:
        """The same with another call: that of a fallback."""
        chosen = self.on_error[fallback]
        other: dict[str, Any] = {"tool": chosen.tool, "params": chosen.params}
        # A state has its call in a part of its own, a step has it beside the rest.
        if "action" in type(self).model_fields:
            other = {"action": Call.model_construct(**other)}
        own = {"timeout": chosen.timeout, "compensation": chosen.compensation}
        # A fallback is tried once, and has no fallback: what is said of the action is of its own
        # call.
        plain = {"retry": ONCE, "cache": False, "on_error": (), "repeat": None, "idempotent": None}
        plain["idle_timeout"] = None
        return self.model_copy(update={**other, **own, **plain})

    @property
    def names_before(self) -> tuple[str, ...]:
        """The names that are asked for before it is called: is it, and for which items."""
        asked = () if self.when is None else expression_names(self.when)
        return asked if self.for_each is None else (*asked, *self.for_each.names())

    @property
    def asks_each(self) -> bool:
        """Whether `when` is asked for each item, and not for the action."""
        return self.for_each is not None and self.when is not None and names_item(self.when)

    if TYPE_CHECKING:

        @property
        def tool(self) -> str: ...
        @property
        def params(self) -> dict[str, Json]: ...
