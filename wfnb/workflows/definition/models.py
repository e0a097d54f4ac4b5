"""JSON data -> a workflow definition: states with transitions, or steps with needs.

Two forms, one engine: both are `actions`, name -> work, in the order they were written. The
descriptions of the fields are those an editor shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AliasChoices, BeforeValidator, Field, model_serializer, model_validator
from pydantic import SerializerFunctionWrapHandler as Dumped
from pydantic_core import PydanticCustomError

from .action_parts import Call, Compensation, Fallback, Repeat, Retry, Waiting, Work
from .condition import Asked, Condition
from .field_types import (
    GIVEN,
    LISTED,
    Json,
    Model,
    OrBare,
    StateName,
    StateSeconds,
    StepId,
    ToolName,
    VariableName,
    Whole,
    WorkflowName,
)
from .for_each import ForEach
from .name_rules import STEP
from .outputs import Output, spell_output_out
from .variable import ABSENT, Variable, spelled_out

__all__ = [
    "ABSENT",
    "Call",
    "Compensation",
    "Condition",
    "Fallback",
    "ForEach",
    "Need",
    "Output",
    "Repeat",
    "Retry",
    "State",
    "StatesWorkflow",
    "Step",
    "StepsWorkflow",
    "Transition",
    "Variable",
    "Waiting",
    "Work",
    "Workflow",
]

GROUP = "steps"
"""What stands for the tool of a group of steps."""
RUN_TIMEOUT = 1800.0
"""Seconds that a run may be performed where nobody said how long it may take."""
_FIRST = ("id", "tool", "args", "action", "steps", "mode", "max_parallel", "transitions")
"""Keys of an action that are written before all others."""


class Transition(Model):
    """Where to go on: the first transition whose condition holds is taken."""

    condition: Asked = Field(description="What has to hold of the action's result.")
    next_state: StateName = Field(description="The state that comes next.")


class Need(Model):
    """A step that is waited for, and how it may have ended. Written as a text it is an id: that
    step has to succeed."""

    id: StepId = Field(description="The step that is waited for.")
    even_if: Annotated[Literal["failed"] | None, GIVEN] = Field(
        default=None, description="It may have failed: it has to have ended."
    )
    only_if: Annotated[Literal["failed"] | None, GIVEN] = Field(
        default=None,
        description="It has to have failed. Where it succeeded, what needs it so is skipped.",
    )

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Need:
        if self.even_if and self.only_if:
            raise PydanticCustomError(
                "needs", "it has both even_if and only_if: the step may have failed, or has to"
            )
        return self

    @model_serializer(mode="wrap")
    def _short(self, dumped: Dumped) -> Any:
        return dumped(self) if self.may_fail else self.id

    @property
    def may_fail(self) -> bool:
        return bool(self.even_if or self.only_if)


def _expand_id(value: Any) -> Any:
    return {"id": value} if isinstance(value, str) else value


class Step(Work):
    """A tool to call, and the steps it waits for."""

    _EARLIER = (*Work._EARLIER, "needs")

    id: StepId = Field(
        default="", description="The step's name. Left out: step_1, step_2, … by its place."
    )
    tool: ToolName = Field(description="The tool to call.")
    params: dict[str, Json] = Field(
        default_factory=dict,
        validation_alias=AliasChoices("args", "params"),
        serialization_alias="args",
        description="What the tool is called with, by parameter. Placeholders are filled in.",
    )
    needs: Annotated[
        tuple[
            Annotated[
                Need, BeforeValidator(_expand_id), OrBare(type="string", pattern=STEP.pattern)
            ],
            ...,
        ],
        LISTED,
    ] = Field(
        default=(),
        description="The steps that this one waits for: ids of those that have to succeed, or "
        "mappings that say more.",
    )
    on_failure: Literal["stop", "continue"] = Field(
        default="stop",
        description="What a failure means for the rest: nothing new starts, or all goes on.",
    )

    @property
    def despite_failure(self) -> bool:
        return any(need.may_fail for need in self.needs)

    @property
    def may_be_skipped(self) -> bool:
        return super().may_be_skipped or any(need.only_if for need in self.needs)


class StepOrder(Model):
    """Steps one after the other, or side by side as far as their needs allow."""

    steps: Annotated[tuple[Step, ...], LISTED] = Field(
        default=(), max_length=1000, description="In place of `action`: a group of steps."
    )
    mode: Annotated[Literal["sequence", "parallel"] | None, GIVEN] = Field(
        default=None,
        description="One step after the other, or side by side as far as `needs` allow. "
        "Left out: parallel where any step has needs.",
    )
    max_parallel: Whole = Field(
        default=8, ge=1, le=256, description="Steps that run side by side at most."
    )

    @cached_property
    def in_sequence(self) -> bool:
        """Whether each step waits for the one before it."""
        if self.mode is None:
            return not any(step.needs for step in self.steps)
        return self.mode == "sequence"

    @cached_property
    def needs(self) -> Mapping[str, tuple[str, ...]]:
        """Step id -> the ids it waits for: in sequence also the one before it. Not those that are
        always done last."""
        before: tuple[str, ...] = ()
        found = {}
        for step in self.steps:
            # What is always done last waits for all others, and nothing in a sequence waits for it.
            if step.always:
                continue
            found[step.id] = tuple(dict.fromkeys((*(need.id for need in step.needs), *before)))
            before = (step.id,) if self.in_sequence else ()
        return found


class _Called(Work):
    """The call of a state; of its own so that it is told before the group."""

    action: Annotated[Call | None, GIVEN] = Field(
        default=None, description="The tool to call, and with what."
    )


class State(StepOrder, _Called):
    """An action, or a group of steps, and what may come after it."""

    _EARLIER = (*Work._EARLIER, "transitions", "on_timeout")

    transitions: Annotated[tuple[Transition, ...], LISTED] = Field(
        default=(), max_length=20, description="Asked in order; where none holds the run ends here."
    )
    timeout: Annotated[StateSeconds | None, GIVEN] = Field(
        default=None, description="Seconds one attempt may take. Left out: the tool's own limit."
    )
    on_timeout: Annotated[StateName | None, GIVEN] = Field(
        default=None, description="The state that comes next when the action runs out of time."
    )

    @model_validator(mode="after")
    def _is_one_of_both(self) -> State:
        if (self.action is None) == (not self.steps):
            what = "neither `action` nor `steps`" if self.action is None else "both"
            raise PydanticCustomError("needs", f"it has {what}: it needs `action`, or `steps`")
        wrong = NOT_OF_GROUPS if self.steps else StepOrder.model_fields
        if extra := [key for key in wrong if key in self.model_fields_set]:
            what = (
                "the steps of a group have, and not the group" if self.steps else "goes with steps"
            )
            raise PydanticCustomError(
                "needs", "it has {key}, which {what}", {"key": extra[0], "what": what}
            )
        if any(step.always for step in self.steps):
            raise PydanticCustomError("always", "a step of it has always, which is for states")
        return self

    @property
    def is_group(self) -> bool:  # type: ignore[override]
        return bool(self.steps)

    @property
    def tool(self) -> str:
        return GROUP if self.action is None else self.action.tool

    @property
    def params(self) -> dict[str, Json]:
        return {} if self.action is None else self.action.params


_OF_GROUPS = (*StepOrder.model_fields, "description", "when", "transitions")
NOT_OF_GROUPS = tuple(key for key in State.model_fields if key not in _OF_GROUPS)
"""Fields of a state that a group has not: its steps have them."""


def _order_fields(work: dict[str, Any]) -> dict[str, Any]:
    """What is done, before how."""
    # A mapping keeps the place of a key that is already in it.
    return {key: work[key] for key in _FIRST if key in work} | work


def _text(value: Any) -> Any:
    # YAML reads `version: 1.0` as a number.
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if plain else value


class Workflow(Model):
    """What both forms have."""

    name: Annotated[WorkflowName | None, GIVEN] = Field(
        default=None, description="What the workflow is called, and saved as."
    )
    description: str = Field(default="", max_length=500, description="What the workflow is for.")
    version: Annotated[str, BeforeValidator(_text), OrBare(type="number")] = Field(
        default="1.0", description="The definition's own version; free text."
    )
    variables: dict[
        VariableName,
        Annotated[
            Variable,
            BeforeValidator(spelled_out),
            OrBare(type=["string", "number", "boolean", "array", "null"]),
        ],
    ] = Field(
        default_factory=dict,
        description="The values the workflow is started with, by name: a default, or a mapping "
        "that says more.",
    )
    outputs: dict[
        VariableName,
        Annotated[
            Output, BeforeValidator(spell_output_out), OrBare(type="string", format="expression")
        ],
    ] = Field(default_factory=dict, description="The values that a run hands on, by name.")
    rollback: bool = Field(
        default=True, description="Whether a failure runs the compensations of what had succeeded."
    )
    rollback_on_cancel: bool = Field(default=False, description="Whether cancelling runs them too.")
    max_states: Whole = Field(
        default=100, ge=1, le=1000, description="States a run enters at most, loops included."
    )
    timeout: float = Field(
        default=RUN_TIMEOUT, ge=1, le=7200, description="Seconds the whole run may take."
    )

    @cached_property
    def data(self) -> dict[str, Any]:
        """The workflow as JSON data, without what is so by default; `parse` reads it again.

        It is made once and shared by the check, the journal and the library: who wants to change
        it takes a copy."""
        data: dict[str, Any] = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        # What was filled in goes out again: the data are those that somebody would write.
        for group, part in (("", data), *data.get("states", {}).items()):
            for place, step in enumerate(part.get("steps", ()), start=1):
                if step["id"] == place_id(place, group):
                    del step["id"]
            if "steps" in part:
                part["steps"] = [_order_fields(step) for step in part["steps"]]
        if "states" in data:
            data["states"] = {name: _order_fields(state) for name, state in data["states"].items()}
        return data

    @cached_property
    def always(self) -> tuple[str, ...]:
        """The actions that are done last, in the order they were written."""
        return tuple(name for name, work in self.actions.items() if work.always)

    if TYPE_CHECKING:
        form: ClassVar[Literal["states", "steps"]]

        @property
        def actions(self) -> Mapping[str, Work]: ...

        def order_of(self, action: str) -> StepOrder | None: ...


def place_id(place: int, group: str = "") -> str:
    """The id of a step that has none of its own; places count from 1. In the group of a state it
    begins with that one's name."""
    return f"{group or 'step'}_{place}"


def _add_ids(steps: Any, group: str = "") -> Any:
    """A step that is written without an id has that of its place."""
    if not isinstance(steps, list | tuple):
        return steps
    return [_add_id(step, place_id(place, group)) for place, step in enumerate(steps, start=1)]


def _add_id(step: Any, name: str) -> Any:
    match step:
        case dict() if "id" not in step:
            return {"id": name, **step}
        # Made in Python: a model has its default where data would have no key.
        case Step(id=""):
            return step.model_copy(update={"id": name})
        case _:
            return step


def _add_group_ids(states: Any) -> Any:
    if not isinstance(states, dict):
        return states
    return {
        name: {**state, "steps": _add_ids(state["steps"], str(name))}
        if isinstance(state, dict) and "steps" in state
        else state
        for name, state in states.items()
    }


class StatesWorkflow(Workflow):
    """States with conditions: what comes next depends on what an action gave."""

    form: ClassVar[Literal["states", "steps"]] = "states"

    name: WorkflowName = Field(description="What the workflow is called, and saved as.")
    initial_state: StateName = Field(description="The state that comes first.")
    states: Annotated[dict[StateName, State], BeforeValidator(_add_group_ids)] = Field(
        min_length=1, max_length=100, description="The states by name."
    )

    @cached_property
    def actions(self) -> Mapping[str, Work]:
        """Every state by its name, and after it the steps of its group by their ids."""
        found: dict[str, Work] = {}
        for name, state in self.states.items():
            found |= {name: state, **{step.id: step for step in state.steps}}
        return found

    @cached_property
    def groups(self) -> Mapping[str, str]:
        """Step id -> the state that it is a step of."""
        return {step.id: name for name, state in self.states.items() for step in state.steps}

    def state_of(self, action: str) -> str:
        """The state that an action is, or is a step of."""
        return self.groups.get(action, action)

    def group_of(self, state: str) -> tuple[str, ...]:
        """The steps of a state; none where it is no group, or no state."""
        return tuple(self.states[state].needs) if state in self.states else ()

    def order_of(self, action: str) -> StepOrder | None:
        """The group that a step is in; None: the action is in none."""
        group = self.groups.get(action)
        return None if group is None else self.states[group]


class StepsWorkflow(StepOrder, Workflow):
    """Steps one after the other, or side by side as far as their needs allow."""

    form: ClassVar[Literal["states", "steps"]] = "steps"

    steps: Annotated[tuple[Step, ...], LISTED, BeforeValidator(partial(_add_ids, group=""))] = (
        Field(min_length=1, max_length=5000, description="The steps.")
    )

    @cached_property
    def actions(self) -> Mapping[str, Work]:
        """Every step by its id, in the order they were written."""
        return {step.id: step for step in self.steps}

    def order_of(self, action: str) -> StepOrder:
        return self
