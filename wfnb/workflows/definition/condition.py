"""a condition, the result of an action -> whether it holds, and what its patterns captured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeGuard

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from wfnb.errors import ResultUnseen, TextAbsent, TextCut

from .absent_fields import NO_FAILURE, absent_field
from .expression import expression_holds, expression_names
from .field_types import GIVEN, LISTED, Expression, Json, Model, OrBare, Pattern
from .json_equality import same
from .regex_search import Match, group_names, search, sight
from .template import as_text, bare_value, list_place, used_scope, whole
from .truncation import Cut, PrintedValue, TextKeyDict, part_in, parts_in

TEXTS = ("match_text", "screen_content", "stdout", "stderr", "output", "text", "error")
"""The fields of a result in which patterns are looked for, in this order, as one text."""
ANSWERS = ("result", "answer")
"""The fields that are looked through after that, each for itself: what code gave, a person said."""


class Condition(Model):
    """What has to hold of a result. Its keys are ANDed, and so are the fields within a key."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    success: Annotated[bool | None, GIVEN] = Field(
        default=None, description="Whether the action succeeded: its tool says so, and in time."
    )
    pattern_match: Annotated[Pattern | None, GIVEN] = Field(
        default=None,
        description="A regular expression found in the result's text. Its named groups become "
        "variables.",
    )
    pattern_not_match: Annotated[Pattern | None, GIVEN] = Field(
        default=None, description="A regular expression that is nowhere in the result's text."
    )
    field_equals: Annotated[dict[str, Json] | None, GIVEN] = Field(
        default=None,
        min_length=1,
        description="Fields of the result and the value each has to have. Dots go into mappings.",
    )
    field_contains: Annotated[dict[str, Json] | None, GIVEN] = Field(
        default=None,
        min_length=1,
        description="Fields of the result and what each has to contain: a part of a text, an "
        "element of a list, a key of a mapping.",
    )
    timeout_occurred: Annotated[bool | None, GIVEN] = Field(
        default=None, description="Whether the action ran out of time."
    )
    any: Annotated[tuple[Asked, ...] | None, LISTED, GIVEN] = Field(
        default=None, min_length=1, description="Conditions of which at least one has to hold."
    )
    all: Annotated[tuple[Asked, ...] | None, LISTED, GIVEN] = Field(
        default=None, min_length=1, description="Conditions that all have to hold."
    )
    not_: Annotated[Asked | None, GIVEN] = Field(
        default=None, alias="not", description="A condition that must not hold."
    )

    expression: Annotated[Expression | None, GIVEN] = Field(
        default=None,
        description="An expression that has to hold. A condition that is a text is this alone.",
    )

    @model_validator(mode="before")
    @classmethod
    def _spell_out(cls, given: Any) -> Any:
        return {"expression": given} if isinstance(given, str) else given

    @model_serializer(mode="wrap")
    def _short(self, dumped: SerializerFunctionWrapHandler) -> Any:
        data = dumped(self)
        return data["expression"] if data and list(data) == ["expression"] else data

    @model_validator(mode="after")
    def _asks_something(self) -> Condition:
        # An empty condition would hold of everything, and is nearly always a forgotten line.
        if not self.model_fields_set:
            raise PydanticCustomError("empty", "a condition needs at least one key")
        return self


Asked: TypeAlias = Annotated[Condition, OrBare(type="string", format="expression")]
"""A condition, or an expression alone."""
Condition.model_rebuild()


def holds(
    condition: Condition,
    result: Mapping[str, Any],
    scope: Callable[[Condition], Mapping[str, Any]] = lambda condition: {},
    hidden: Collection[str] = (),
) -> bool:
    """Whether all keys of the condition hold of the result. A field the result does not have is
    null, or what leaving it out means (`absent_fields`). Texts are compared without the line breaks
    at their ends, as placeholders give them. `scope` says what the expression of a condition can
    name, which may be a part of this one; but for `hidden` names, which are secrets.

    Raises PatternTooSlow, ExpressionFailed; ResultUnseen where nobody knows what it asks for,
    TextAbsent where a success has no text in which a pattern could be looked for, TextCut where
    what is left of a text does not say it, and ValuePrinted where it asks for a value that JSON
    cannot hold.

    >>> holds(Condition(success=True, pattern_match="o+"), {"success": True, "stdout": "foo"})
    True
    """
    # Made at most once, and only if an expression asks: of a run with many actions it is large.
    whole = cache(lambda: scope(condition))
    return _holds(condition, result, whole, hidden)


def _holds(
    condition: Condition,
    result: Mapping[str, Any],
    scope: Callable[[], Mapping[str, Any]],
    hidden: Collection[str],
) -> bool:
    return all(_answers(condition, result, scope, hidden))


def is_success(result: Mapping[str, Any]) -> bool:
    """Whether an action with this result succeeded. A wait that ran out has not, whatever it says
    of itself.

    >>> is_success({"success": True, "timeout_occurred": True})
    False
    """
    return bool(result.get("success")) and not result.get("timeout_occurred")


def condition_captures(condition: Condition, result: Mapping[str, Any]) -> dict[str, str]:
    """The named groups of the patterns that are found, those under `not` apart.
    Raises PatternTooSlow, TextCut."""
    return pattern_captures(capturing_patterns(condition), result)


def pattern_captures(patterns: Iterable[str], result: Mapping[str, Any]) -> dict[str, str]:
    """The named groups of the patterns that are found in the result's text.
    Raises PatternTooSlow, TextCut, ValuePrinted."""
    groups: dict[str, str] = {}
    for pattern in patterns:
        found = _match(pattern, result, first=bool(group_names(pattern)))
        if found:
            groups |= {k: v for k, v in found.groupdict().items() if v is not None}
    return groups


def has_text(fields: Iterable[str]) -> bool:
    """Whether patterns look in one of these fields."""
    return not {*TEXTS, *ANSWERS}.isdisjoint(fields)


def texts_of(result: Mapping[str, Any]) -> Iterator[tuple[str, list[Cut]]]:
    """The texts of a result: what is in its text fields, one under the other; then what it gave as
    its value, as it is written in a text. Each with what was cut in it. Raises ValuePrinted after
    these, where something is there only as it is printed: nobody knows whether that has what is
    looked for."""
    texts: list[str] = [value for name in TEXTS if _is_text(value := result.get(name))]
    if texts:
        yield "\n".join(texts), _cuts_in(texts)
    answers = [value for name in ANSWERS if (value := result.get(name)) is not None]
    yield from ((as_text(value), _cuts_in(value)) for value in answers if not _is_printed(value))
    for name in (*TEXTS, *ANSWERS):
        if _is_printed(value := result.get(name)):
            whole(value, f"Field {name!r}", name)
    if not (texts or answers):
        yield "", []


def _is_text(value: Any) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value) and not isinstance(value, PrintedValue)


def _is_printed(value: Any) -> bool:
    """Whether a value, or something in it, is there only as it is printed."""
    found = part_in(value)
    return found is not None and isinstance(found[1], PrintedValue | TextKeyDict)


def _cuts_in(value: Any) -> list[Cut]:
    return [part for _, part in parts_in(value) if isinstance(part, Cut)]


def _match(pattern: str, result: Mapping[str, Any], first: bool = False) -> Match | None:
    """A match in the texts of a result; `first`: the first one, and all of it. What is found in a
    part of a text is there; of what is not found there nobody knows. Raises TextCut then."""
    missing: list[Cut] = []
    for text, cuts in texts_of(result):
        match = search(pattern, text)
        if match is not None and not (first and missing) and _is_certain(match, text, cuts, first):
            return match
        missing += cuts
    for cut in missing:
        raise _missing(cut)
    return None


def _is_certain(match: Match, text: str, cuts: Sequence[Cut], first: bool) -> bool:
    """Whether a match is one of the whole text, too, of which this has but a part."""
    sees = sight(match.re.pattern) if cuts else 0
    seams = [*_seams(text, cuts)]
    apart = max(1, sees) if first else sees
    return len(seams) >= len(cuts) and all(
        match.end() <= start - apart or (not first and end + apart <= match.start())
        for start, end in seams
    )


def _seams(text: str, cuts: Iterable[Cut]) -> Iterator[tuple[int, int]]:
    """Where parts of a text are missing, also in one that JSON has written."""
    for seam in {line for cut in cuts for line in (f"\n{cut.seam}\n", f"\\n{cut.seam}\\n")}:
        at = text.find(seam)
        while at >= 0:
            yield at, at + len(seam)
            at = text.find(seam, at + 1)


def _missing(cut: Cut, name: str = "") -> TextCut:
    return TextCut(cut.field or name, cut.action, cut.kept, cut.size, cut.why)


def fields_of(condition: Condition) -> Iterator[str]:
    """The fields of a result in which a condition looks for a part of a text, or asks of all of it
    what it is."""
    for part in parts_of(condition):
        if part.pattern_match is not None or part.pattern_not_match is not None:
            yield from (*TEXTS, *ANSWERS)
        yield from (*(part.field_equals or ()), *(part.field_contains or ()))


def parts_of(condition: Condition) -> Iterator[Condition]:
    """The condition, and those in it."""
    yield condition
    for part in (*(condition.any or ()), *(condition.all or ()), condition.not_):
        if part is not None:
            yield from parts_of(part)


def looked_at(
    conditions: Iterable[Condition],
    patterns: Iterable[str],
    result: Mapping[str, Any],
    scope: Mapping[str, Any],
) -> Iterator[Any]:
    """What conditions, and patterns besides, see of a result: fields, values that expressions name;
    what a pattern matched, or all in which it was not found. Raises PatternTooSlow, TextCut,
    ValuePrinted."""
    patterns = [*patterns]
    for part in (part for condition in conditions for part in parts_of(condition)):
        for name in (*(part.field_equals or ()), *(part.field_contains or ())):
            yield _value(result, name)
        patterns += filter(None, (part.pattern_match, part.pattern_not_match))
        asked = () if part.expression is None else expression_names(part.expression)
        yield used_scope({"asked": [f"{{{name}}}" for name in asked]}, scope)
    for pattern in patterns:
        found = _match(pattern, result)
        yield [text for text, _ in texts_of(result)] if found is None else found.group()


def _answers(
    condition: Condition,
    result: Mapping[str, Any],
    scope: Callable[[], Mapping[str, Any]],
    hidden: Collection[str],
) -> Iterator[bool]:
    """One answer for each key, the patterns late: they may take long. The expression is the last:
    it may name what they captured."""
    if condition.success is not None:
        yield is_success(result) is condition.success
    if condition.timeout_occurred is not None:
        yield bool(result.get("timeout_occurred")) is condition.timeout_occurred
    for name, wanted in (condition.field_equals or {}).items():
        yield _same(_field(result, name), wanted)
    for name, wanted in (condition.field_contains or {}).items():
        yield contains(_field(result, name), wanted)
    if condition.all is not None:
        yield all(_holds(part, result, scope, hidden) for part in condition.all)
    if condition.any is not None:
        yield any(_holds(part, result, scope, hidden) for part in condition.any)
    if condition.not_ is not None:
        yield not _holds(condition.not_, result, scope, hidden)
    for key in ("pattern_match", "pattern_not_match"):
        if getattr(condition, key) is not None:
            _check_text(result, key)
    if condition.pattern_match is not None:
        yield _match(condition.pattern_match, result) is not None
    if condition.pattern_not_match is not None:
        yield _match(condition.pattern_not_match, result) is None
    if condition.expression is not None:
        yield expression_holds(condition.expression, scope(), hidden)


def expressions(condition: Condition) -> Iterator[str]:
    """The expressions in a condition, those in its parts too."""
    return (part.expression for part in parts_of(condition) if part.expression is not None)


def capturing_patterns(condition: Condition) -> Iterator[str]:
    """The patterns of a condition whose named groups become variables where they are found."""
    if condition.pattern_match is not None:
        yield condition.pattern_match
    # Not those under `not`: what must not be found has captured nothing.
    for part in (*(condition.all or ()), *(condition.any or ())):
        yield from capturing_patterns(part)


def _check_text(result: Mapping[str, Any], asked: str) -> None:
    """Raises ResultUnseen where nobody knows what the action gave, TextAbsent where a success has
    fields and none of them is a text in which a pattern could be looked for: to find nothing there
    would say nothing of them."""
    if any(map(result.get, (*TEXTS, *ANSWERS))):
        return
    _check_seen(result, asked)
    given = tuple(
        name
        for name, value in result.items()
        if name != "success" and value is not None and value is not False
    )
    if is_success(result) and given and not has_text(name for name in result if name != "error"):
        raise TextAbsent(asked, given)


def _check_seen(result: Mapping[str, Any], asked: str) -> None:
    """Raises ResultUnseen where nobody knows what the action gave."""
    if result.get("taken_as_done"):
        raise ResultUnseen(f"`{asked}`")


def _field(result: Mapping[str, Any], name: str) -> Any:
    """A field of the result; dots go into mappings and lists where no field has the whole name.
    Raises ValuePrinted, ResultUnseen."""
    value = _value(result, name)
    if value is None and name.partition(".")[0] not in (*result, *NO_FAILURE):
        _check_seen(result, name)
    if _is_printed(value):
        whole(value, f"Field {name!r}", name)
    return value


def _value(result: Mapping[str, Any], name: str) -> Any:
    # A name with dots in it may be a key as it stands, as `a.b` in JSON that a tool gave.
    if name in result:
        return result[name]
    if (meant := absent_field(result, name)) is not None:
        return meant
    here: Any = result
    for part in name.split("."):
        match here:
            case Mapping():
                here = here.get(part)
            case list() | tuple() if (place := list_place(part, here)) is not None:
                here = here[place]
            case _:
                return None
    return here


def _same(value: Any, wanted: Any) -> bool:
    """Raises TextCut where `wanted` is so long that it may be what was cut."""
    for cut in _cuts_in(value):
        if len(as_text(wanted)) >= cut.least:
            raise _missing(cut)
    return same(bare_value(value), bare_value(wanted))


def contains(value: Any, wanted: Any) -> bool:
    """Whether something is in a field with that value. Raises TextCut where a part is missing that
    may have it."""
    match value:
        case str():
            # `true` in a text would be found as "True" nowhere, and "1" everywhere.
            number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
            if not (isinstance(wanted, str) or number):
                return False
            sought = as_text(wanted)
            if not isinstance(value, Cut):
                return sought in value
            if any(sought in part for part in value.split(f"\n{value.seam}\n")):
                return True
            raise _missing(value)
        case Mapping():
            return isinstance(wanted, str) and wanted in value
        case list() | tuple():
            return any(_same(item, wanted) for item in value)
        case _:
            return False
