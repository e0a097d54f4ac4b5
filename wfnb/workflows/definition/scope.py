"""a workflow and its tools -> which names a placeholder may use at which action.

What an action knows: the variables; of each action that comes before it, the fields of its result
as `{ACTION.FIELD}`, `{steps.ACTION.FIELD}` and `{ACTION_FIELD}`, and what patterns captured; and,
where actions do not run side by side, the fields of the last result under their own names. A
compensation knows its own action's besides, and that as `{result.FIELD}` too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from wfnb.errors import PatternInvalid, known_names, listing, nearest, no_placeholder

from .absent_fields import NO_FAILURE
from .condition import capturing_patterns
from .for_each import OWN, RESULTS
from .models import State, StatesWorkflow, StepOrder, StepsWorkflow, Work
from .problem import brief
from .regex_search import group_names
from .template import has_placeholder, is_defined

ALWAYS = ("success", "error", "error_type", "timeout_occurred")
"""Fields that any result may have."""
CAUGHT = "caught"
"""A field of the results of an action that a fallback did instead: why it had failed."""
END = ""
"""Stands for an action that comes after all that are not always done last."""
SKIPPED = "skipped"
"""A field of the results of an action that may be skipped."""
CAPTURES = "captures"
"""A field of what was captured by the tool's own parameter `pattern`."""
GROUP_RESULTS = ("count", "failed")
"""The fields of the result of a group of steps: how many there are, and how many failed."""
NESTED = "run_workflow"
TERMINALS = (
    *("open_terminal", "send_input", "await_output", "get_screen_content"),
    *("resize_terminal", "list_terminal_sessions", "exit_terminal"),
)
"""The tools that work in a terminal, by name."""
TERMINAL_ID = re.compile(r"session_[0-9a-f]{8}")
"""What a terminal is called, if nobody calls it otherwise."""
RENAMED = {"final_state": "workflow_final_state"}
"""Fields of a nested run that have another name as variables."""

_FIRST_NAMES = 400
"""Names among which a near one is looked for."""


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A name that is not known, in words; `surely`: it cannot be known by any luck. `hint`: how it
    is written where it was meant to be no placeholder."""

    message: str
    surely: bool
    hint: str = ""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that a placeholder may use. `kind`: a variable, an item's own, a field of a result, a
    capture, or a field of what the action itself `gave`, which is known once it has ended; `action`
    is who gave it."""

    name: str
    kind: Literal["variable", "item", "field", "capture", "gave"]
    action: str | None = None


class NamesInScope:
    """The names of one workflow. Actions are bits: a set of them is a number."""

    def __init__(
        self,
        workflow: StatesWorkflow | StepsWorkflow,
        results: Mapping[str, tuple[str, ...] | None],
        variables: Mapping[str, Any],
        ran: Mapping[str, Any] = {},
        failures: Mapping[str, Collection[str]] = {},
    ) -> None:
        """`results`: for each tool the fields of its result; None, or no tool: not known. `ran`:
        the scope of a run that is to go on with this workflow. `failures`: for each tool fields
        that only its failures may have."""
        self._ran = ran
        self._variables = {**workflow.variables, **variables}
        # For each of 5,000 steps all that come before it: as sets of names that would be 12
        # million.
        self._bits = {name: 1 << n for n, name in enumerate(workflow.actions)}
        self._before = actions_before(workflow)
        self._before[END] = sum(b for n, b in self._bits.items() if n not in workflow.always)
        self._fields: dict[str, frozenset[str] | None] = {}
        # What is offered of an action, as its tool says it: no guess from the code of its failures.
        self._order: dict[str, tuple[str, ...]] = {}
        self._calls: dict[str, frozenset[str] | None] = {}
        # What is in each of `results`; at the item itself the tool's own captures are known, too.
        self._items: dict[str, frozenset[str] | None] = {}
        self._each = {name for name, work in workflow.actions.items() if work.for_each}
        self._makers: dict[str, int] = {}
        self._written: dict[str, list[str]] = {}  # a name -> fields that are written so, `a.b`
        self._own: dict[str, int] = {}
        self._captured: set[str] = set()
        # The actions of which not all fields are known: after one of them a name may be anything.
        self._open = 0
        self._workflow = workflow
        for name, work in workflow.actions.items():
            order = workflow.order_of(name)
            side_by_side = order is not None and not order.in_sequence
            tools = (work.tool, *(each.tool for each in work.on_error if each.tool))
            # A fallback's tool gives the result, too: only what all of them tell is known.
            of_tools = [GROUP_RESULTS if work.is_group else results.get(tool) for tool in tools]
            fields = None if None in of_tools else tuple(n for each in of_tools for n in each or ())
            guesses = failures.get(work.tool, ())
            more = [n for each in work.on_error for n in (*(each.result or ()), CAUGHT)]
            self._order[name] = (*(fields or ()), *RESULTS, *ALWAYS, SKIPPED, *more)
            self._learn(name, work, fields, [*guesses, *more], side_by_side)

    def _learn(
        self,
        action: str,
        work: Work,
        fields: tuple[str, ...] | None,
        failures: Collection[str],
        side_by_side: bool,
    ) -> None:
        bit = self._bits[action]
        captured = known_captures(work, fields)
        always = (*ALWAYS, SKIPPED) if work.may_be_skipped else ALWAYS
        calls = None if fields is None else frozenset((*fields, *always, *failures))
        if work.for_each is not None:  # what its items gave is in `results`
            self._items[action] = calls
            fields, failures = RESULTS, ()
            # What the tool itself captured is known at the item alone.
            calls = None if calls is None or captured is None else calls | {*captured}
            captured = tuple(captures(work))
        self._calls[action] = calls
        self._fields[action] = None if fields is None else frozenset((*fields, *always, *failures))
        if fields is None or captured is None:
            self._open |= bit
        for name in (*(fields or ()), *always, *failures):
            whole = f"{action}_{name}"
            self._makers[whole] = self._makers.get(whole, 0) | bit
            self._written.setdefault(whole, []).append(f"{action}.{name}")
            # Side by side nobody can say whose result was the last: such a field has no name of its
            # own.
            several = work.for_each or work.is_group
            if not (side_by_side or work.always or several or name == SKIPPED):
                name = RENAMED.get(name, name)
                self._own[name] = self._own.get(name, 0) | bit
        for name in captured or ():
            self._own[name] = self._own.get(name, 0) | bit
            self._captured.add(name)

    def unknown(
        self, name: str, action: str, undoing: bool = False, whole: bool = False
    ) -> UnknownName | None:
        """What is wrong with a name at an action, or in its compensation; None: nothing. `whole`:
        at all items of it, and not at one."""
        each = action in self._each and not whole
        gave = (self._fields if whole else self._calls)[action] if undoing else ()
        first, *rest = name.split(".")
        before = self._before[action] | (self._ended(action) if undoing else 0)
        if first in self._variables or is_defined(name, self._ran):
            return None
        both = self._makers.get(first, 0) & before
        if both & (both - 1) and first not in self._own:  # two actions
            ways = " or ".join(f"{{{'.'.join([each, *rest])}}}" for each in self._written[first])
            sentence = f"is a field of two actions, and means the one that ended last: write {ways}"
            return UnknownName(sentence, False)
        if (self._own.get(first, 0) | self._makers.get(first, 0)) & before:
            giver = first.removesuffix(f"_{RESULTS[0]}")
            lists = giver != first and giver in self._each and first not in self._own
            return (
                self._no_field(giver, [RESULTS[0], *rest], self._fields[giver]) if lists else None
            )
        if each and first in OWN:
            return None
        if each and undoing and first == action:
            return self._no_field(action, rest, gave)
        if undoing and first in (gave or ()):
            return None
        if undoing and first == "result":
            return self._no_field(action, rest, gave)
        if first == "steps":
            return self._of_action(rest[0], rest[1:], action, before) if rest else None
        if first in self._bits:
            return self._of_action(first, rest, action, before)
        # An action before it may give names that cannot be known, or its own call, which of an item
        # is none of `before`: then it is only odd.
        surely = not (before & self._open or gave is None)
        if first in self._own or first in self._makers:
            what = f"comes only from what runs after {self._kind(action)} '{action}' or beside it"
        else:
            what = "names nothing that is known here"
        near, listed = self._names_text(name, before, undoing, each)
        # A result of which nothing is known may have any field; nearly a known name is a typo.
        if gave is None and not near and first not in self._own:
            return None
        return UnknownName(f"{what}. {near}{listed}", surely, no_placeholder(brief(name)))

    def fields(self, action: str) -> frozenset[str] | None:
        """The fields of what an action gives; None: not known."""
        return self._fields[action]

    def known(self, action: str) -> Iterator[KnownName]:
        """The names that are known at an action, or at the END, each as it says best what it means:
        the nearest actions first."""
        before = self._before[action]
        if action in self._each:
            yield from (KnownName(name, "item", action) for name in OWN)
        yield from (KnownName(name, "variable") for name in self._variables)
        for name in sorted(self._captured):
            by = self._own[name] & before
            if by and name not in self._variables:
                giver = next(each for each, bit in self._bits.items() if bit & by)
                yield KnownName(name, "capture", giver)
        if action != END:
            yield from self._fields_known("result", "gave", action, self._calls[action])
        # In the order they were written, backwards: mostly the nearest are meant.
        for giver in reversed(self._bits):
            if self._bits[giver] & before:
                yield from self._fields_known(giver, "field", giver, self._fields[giver], action)

    def _fields_known(
        self,
        stem: str,
        kind: Literal["field", "gave"],
        giver: str,
        fields: Collection[str] | None,
        action: str | None = None,
    ) -> Iterator[KnownName]:
        order = dict.fromkeys(each for each in self._order[giver] if each in (fields or ()))
        for name in [stem] if fields is None else [f"{stem}.{each}" for each in order]:
            hidden = action is not None and self.shadows(name, action) is not None
            yield KnownName(f"steps.{name}" if hidden else name, kind, giver)

    def _kind(self, action: str) -> str:
        return "state" if self._workflow.order_of(action) is None else "step"

    def _ended(self, action: str) -> int:
        """What is known besides once an action has ended: it, and the steps of a group."""
        workflow = self._workflow
        steps = workflow.group_of(action) if isinstance(workflow, StatesWorkflow) else ()
        return _all(self._bits[name] for name in (action, *steps))

    def is_only_field(self, name: str) -> bool:
        """Whether a plain name is a field of results, and nothing else: of one that has no such
        field, no condition can name it."""
        return name in self._own and name not in (self._variables.keys() | self._captured)

    def outlives_success(self, name: str) -> bool:
        """Whether a plain name says of a failure what the success of a later action, which has
        null there or nothing, does not take away."""
        first = name.partition(".")[0]
        return first in (*NO_FAILURE, CAUGHT) and self.is_only_field(first)

    def hides(self, name: str) -> bool:
        """Whether something else may have the name of an action."""
        return any(name in there for there in (self._variables, self._own, self._makers, OWN))

    def is_captured(self, name: str) -> bool:
        """Whether a pattern may find what has that name."""
        return name in self._captured

    def is_set_by_actions(self, name: str) -> bool:
        """Whether something that an action gives may take the place of a variable."""
        return bool(self._open) or name in self._own or name in self._makers

    def field_instead(self, name: str, action: str) -> str | None:
        """The action before this one whose field may have taken the place of a variable of that
        name."""
        first = name.partition(".")[0]
        if first not in self._variables or first in self._captured:
            return None
        by = self._own.get(first, 0) & self._before[action]
        return next((giver for giver, bit in self._bits.items() if bit & by), None)

    def shadows(self, name: str, action: str, undoing: bool = False) -> str | None:
        """The action whose field this name seems to mean, and does not: there is a variable, or
        something captured, with the action's name."""
        first, *rest = name.split(".")
        before = self._before[action] | (self._ended(action) if undoing else 0)
        if not rest or not self._bits.get(first, 0) & before:
            return None
        fields = self._fields[first]
        if fields is not None and rest[0] not in fields:
            return None
        hides = first in self._variables or self._own.get(first, 0) & before
        return first if hides else None

    def _of_action(
        self, action: str, rest: list[str], here: str, before: int
    ) -> UnknownName | None:
        if action not in self._bits:
            near = nearest(action, tuple(self._bits)[:_FIRST_NAMES]).strip()
            kind = self._kind(next(iter(self._bits)))
            there_are = f"{kind.title()}s: {listing(self._bits, 'none')}"
            return UnknownName(f"names no {kind}. {near or there_are}", surely=True)
        if not self._bits[action] & before:
            what = (
                f"names {self._kind(action)} '{action}', which does not come before "
                f"{here or 'its end'!r}"
            )
            return UnknownName(what, surely=True)
        return self._no_field(action, rest, self._fields[action])

    def _no_field(
        self, action: str, rest: list[str], fields: Collection[str] | None
    ) -> UnknownName | None:
        whose = f"{self._kind(action)} '{action}'"
        if fields is not None and rest[:1] == [RESULTS[0]] and action in self._each:
            whose, rest, fields = f"an item of {whose}", rest[2:], self._items[action]
        if not rest or fields is None or rest[0] in fields:
            return None
        names = tuple(sorted(fields))
        near = nearest(rest[0], names).strip()
        there_are = f"Fields: {listing(names, 'none')}"
        message = f"names no field of what {whose} gives. {near or there_are}"
        if rest[0] in captures(self._workflow.actions[action]):
            message += f". What a pattern captured is a variable: {rest[0]}"
        elif action in self._each and rest[0] in (self._items[action] or ()):
            message += f". What each item gave is {action}.results.0.{rest[0]} and so on"
        return UnknownName(message, surely=True)

    def _names_text(self, name: str, before: int, undoing: bool, each: bool) -> tuple[str, str]:
        plain = [
            *(OWN if each else ()),
            *self._variables,
            *(own for own, by in self._own.items() if by & before),
        ]
        if undoing:
            plain.append("result")
        more = islice((own for own, by in self._makers.items() if by & before), _FIRST_NAMES)
        first = name.partition(".")[0]
        near = nearest(first, (*plain[:_FIRST_NAMES], *more)) if len(first) <= 40 else ""
        return near, known_names(brief(name), dict.fromkeys(plain))


def captures(work: Work) -> list[str]:
    """Names that an action's own patterns capture where they are found, those of its transitions
    among them."""
    names = [name for pattern in work.capture for name in group_names(pattern)]
    if isinstance(work, State):
        for transition in work.transitions:
            for pattern in capturing_patterns(transition.condition):
                names += group_names(pattern)
    return names


def known_captures(work: Work, fields: Sequence[str] | None) -> tuple[str, ...] | None:
    """Names that patterns of an action may capture, that of its tool too; None: they cannot be
    known. `fields` are those of the tool's results."""
    captured = captures(work)
    if fields is not None and CAPTURES in fields:
        pattern = work.params.get("pattern")
        # What a placeholder puts into the pattern may name any group.
        if not isinstance(pattern, str) or has_placeholder(pattern):
            return None
        try:
            captured += group_names(pattern)
        except PatternInvalid:
            return None
    return tuple(captured)


def actions_before(workflow: StatesWorkflow | StepsWorkflow) -> dict[str, int]:
    """Action -> those that may have run when it begins."""
    bits = {name: 1 << n for n, name in enumerate(workflow.actions)}
    last = dict.fromkeys(workflow.always)
    before = sum(bit for name, bit in bits.items() if name not in last)
    before_each = _before_others(workflow, bits)
    for name in last:
        before_each[name] = before
        before |= bits[name]
    return before_each


def _before_others(
    workflow: StatesWorkflow | StepsWorkflow, bits: Mapping[str, int]
) -> dict[str, int]:
    """Without those that are always done last."""
    if isinstance(workflow, StatesWorkflow):
        return _before_states(workflow)
    return _before_steps(workflow, bits, 0)


def _before_steps(order: StepOrder, bits: Mapping[str, int], first: int) -> dict[str, int]:
    """Of steps that begin when those `first` have run."""
    before_each: dict[str, int] = {}
    needs = order.needs
    if order.in_sequence:
        before = first
        for name in needs:
            before_each[name] = before
            before |= bits[name]
        return before_each
    for name in needs:
        # No recursion: a chain of 5,000 needs is deeper than Python goes.
        stack = [name]
        while stack:
            step = stack[-1]
            missing = [need for need in needs[step] if need not in before_each]
            if missing:
                stack += missing
            else:
                of_needs = _all(before_each[n] | bits[n] for n in needs[step])
                before_each.setdefault(stack.pop(), first | of_needs)
    return before_each


def _all(sets: Iterator[int]) -> int:
    union = 0
    for one in sets:
        union |= one
    return union


def following(state: State) -> tuple[str, ...]:
    """The states that may come after a state, in the order they are named."""
    named_there = [transition.next_state for transition in state.transitions]
    if state.on_timeout is not None:
        named_there.append(state.on_timeout)
    return tuple(dict.fromkeys(named_there))


def _before_states(workflow: StatesWorkflow) -> dict[str, int]:
    bits = {name: 1 << n for n, name in enumerate(workflow.actions)}
    before_each = dict.fromkeys(workflow.states, 0)
    own = {name: _all(bits[n] for n in (name, *workflow.group_of(name))) for name in before_each}
    # States may lead back, so nothing is known after one pass: passes until nothing is new.
    changed = True
    while changed:
        changed = False
        for name, state in workflow.states.items():
            for target in following(state):
                union = before_each[target] | before_each[name] | own[name]
                changed = changed or union != before_each[target]
                before_each[target] = union
    for name, state in workflow.states.items():
        # A group that comes round again has forgotten what its steps gave the last time.
        before_each |= _before_steps(state, bits, before_each[name] & ~(own[name] & ~bits[name]))
    return before_each
