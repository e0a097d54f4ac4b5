"""two runs -> how they differ: in what was to be done, in what they began with, in what came."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from wfnb.errors import listing
from wfnb.frozen_record import record
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.tables import html_table
from wfnb.render.text.terminal_width import fit_table
from wfnb.views.step_words import short
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.problem import join_path
from wfnb.workflows.definition.scope import NESTED, TERMINAL_ID, TERMINALS
from wfnb.workflows.definition.truncation import Cut, PrintedValue, TextKeyDict, source_of
from wfnb.workflows.definition.used_fields import strings
from wfnb.workflows.definition.value_form_types import Form, Lost, Reference, Source

from .action_rows import Row, rows
from .run_words import run_sign, seconds, status_of

_TIMES = {
    NESTED: ("total_elapsed_time", "run"),
    **dict.fromkeys(TERMINALS, ("elapsed_time", "timestamp", "created_at")),
}
"""A tool -> what always differs of its results. A variable, or what Python gave, may have the same
name, and says something."""
_BESIDE = {
    "recursion_depth": _TIMES[NESTED],
    "session_id": _TIMES[TERMINALS[0]],
}
"""The same, by a field that such results have, as variables of a nested run: `b_run` is what a run
was called where there is `b_recursion_depth`, too."""
_KINDS = (
    (bool, "bool"),
    (str, "text"),
    (int | float, "number"),
    (Mapping, "mapping"),
    (Sequence, "list"),
    (object, "nothing"),
)
_UNORDERED = frozenset(("definition",))
"""Where the order of keys means nothing."""
MAX_ROWS = 60  # rows a cell shows
TOOK = "took"


@record
class Difference:
    """One fact that differs: where it belongs (`definition`, `variables`, `run`, or an action with
    the number of its turn), its name, and both values; None: not there, or null where the other is
    no text. `timed` ones differ whenever the same happens again; `cut` ones are not recorded whole,
    and what is is the same; of `order` ones it is the order of keys alone.
    """

    place: str
    name: str
    values: tuple[Any, Any]
    timed: bool = False
    cut: bool = False
    order: bool = False


@record
class Differences:
    """Two runs by name, and all that differs. What a notebook stores leaves times out."""

    runs: tuple[str, str]
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether it is known that nothing but times differs."""
        return all(each.timed for each in self.differences)

    def to_dict(self, times: bool = True) -> dict[str, Any]:
        """Place -> name -> the two values, as JSON data; what is `timed` apart from the rest."""
        data: dict[str, Any] = {"runs": list(self.runs), "same": self.same}
        data["differences"] = _by_place(self._chosen())
        if cut := self._cut_places():
            data["cut"] = cut
        if times:
            data["times"] = _by_place(self._chosen(timed=True))
        return data

    @property
    def text(self) -> str:
        return self.text_for_width(None)

    def text_for_width(self, width: int | None) -> str:
        """The same for a terminal of so many columns: nothing is wider."""
        return self._text(width, times=True)

    @property
    def html(self) -> str:
        shown = self._table_rows(timed=False)
        table = html_table(("", "", *self.runs), shown) if shown else ""
        return table + "".join(f"<div>{escape.html(line)}</div>" for line in self._sentences())

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            MIME: {"diff": self.to_dict(times=False)},
            "text/plain": self._text(None, times=False),
            "text/html": self.html,
        }

    def _text(self, width: int | None, times: bool) -> str:
        differ, took = self._table_rows(timed=False), self._table_rows(timed=True) if times else []
        heads = ("", "", *self.runs)
        lines = fit_table(heads, differ, width) if differ else []
        lines += map(escape.line, self._sentences())
        if took:
            shown = [(row[0], *row[2:]) for row in took]
            lines += ["", *fit_table(("took", *self.runs), shown, width)]
        return "\n".join(lines)

    def _sentences(self) -> Iterator[str]:
        if self.same:
            yield SAME
        if cut := self._cut_places():
            yield f"The same as far as it is recorded: {listing(cut, '')}."

    def _chosen(self, timed: bool = False) -> list[Difference]:
        return [each for each in self.differences if each.timed == timed and not each.cut]

    def _cut_places(self) -> list[str]:
        return [f"{each.place}.{each.name}" for each in self.differences if each.cut]

    def _table_rows(self, timed: bool) -> list[tuple[str, ...]]:
        """What differs or, `timed`, how long the actions took: a result's own times say no more."""
        chosen = self._chosen(timed)
        if timed:
            chosen = [each for each in chosen if each.name == TOOK]
        shown = [
            (each.place, each.name, *map(_short_value, each.values)) for each in chosen[:MAX_ROWS]
        ]
        if len(chosen) > MAX_ROWS:
            shown.append((f"… and {len(chosen) - MAX_ROWS} more", "", "", ""))
        return shown


SAME = "The runs do not differ: same steps, same results."


def _by_place(differences: Iterable[Difference]) -> dict[str, dict[str, list[Any]]]:
    data: dict[str, dict[str, list[Any]]] = {}
    for each in differences:
        data.setdefault(each.place, {})[each.name] = list(each.values)
    return data


def diff(one: Run, other: Run, first: str, second: str) -> Differences:
    """What differs from one run to the other (`first` and `second` are their names), in this
    order: how they ended, the definition, the variables they began with, then action by action,
    the n-th turn of each with the n-th."""
    return Differences(runs=(first, second), differences=tuple(_differences(one, other)))


def _differences(one: Run, other: Run) -> Iterator[Difference]:
    for name, values in (
        ("status", (run_sign(status_of(one)), run_sign(status_of(other)))),
        ("error", (one.error, other.error)),
        ("final state", (one.final_state, other.final_state)),
    ):
        yield from _value_difference("run", name, values)
    # As data: what was written, with nothing that reading it added.
    yield from _nested_differences("definition", "", one.workflow.data, other.workflow.data)
    yield from _entries("variables", "", one.initial, other.initial)
    first, second = _turns(one), _turns(other)
    ids = _terminal_ids(one), _terminal_ids(other)
    for key in dict.fromkeys((*first, *second)):
        for each in _action(key, first.get(key), second.get(key)):
            yield replace(each, timed=each.timed or _is_same_terminal(each.values, ids))


def _terminal_ids(run: Run) -> dict[str, int]:
    """The names that terminals were given, in the order in which they are met."""
    numbers: dict[str, int] = {}
    for row in rows(run):
        for call in (*row.calls, *row.undoing):
            for text in strings((dict(call.params), dict(call.result))):
                if TERMINAL_ID.fullmatch(text):
                    numbers.setdefault(text, len(numbers))
    return numbers


def _is_same_terminal(values: tuple[Any, Any], ids: tuple[dict[str, int], dict[str, int]]) -> bool:
    """Whether they name a terminal that was met in the same place of both runs: its name is drawn
    at random."""
    places = [known.get(each) for each, known in zip(values, ids, strict=True) if type(each) is str]
    return len(places) == 2 and places[0] is not None and places[0] == places[1]


def _turns(run: Run) -> dict[tuple[str, int], Row]:
    turns: dict[tuple[str, int], Row] = {}
    counts: dict[str, int] = {}
    for row in rows(run):
        counts[row.action] = counts.get(row.action, 0) + 1
        # A state may be entered several times, and no two runs need have entered it equally often.
        turns[row.action, counts[row.action]] = row
    return turns


def _action(key: tuple[str, int], one: Row | None, other: Row | None) -> Iterator[Difference]:
    name, turn = key
    place = name if turn == 1 else f"{name} ({turn})"
    if one is None or other is None:
        yield Difference(place=place, name="status", values=(_status(one), _status(other)))
        return
    yield from _value_difference(place, "status", (_status(one), _status(other)))
    yield from _value_difference(place, "attempts", (one.attempts, other.attempts))
    yield from _value_difference(place, "undo", (one.undo or None, other.undo or None))
    took = (seconds(one.duration), seconds(other.duration))
    # As they are told: a difference below what is shown would be a row of two equal cells.
    if took[0] != took[1]:
        yield Difference(place=place, name=TOOK, values=took, timed=True)
    for label, first, second in _pairs(one, other):
        times = {*_times(first.tool, dict(first.result), "result")}
        # The order of parameters means nothing: they are given by name.
        yield from _entries(place, f"{label}params", first.params, second.params)
        results = dict(first.result), dict(second.result)
        for each in _nested_differences(place, f"{label}result", *results):
            if not (each.order and first.tool == NESTED and _is_in_any_order(each.name)):
                yield replace(each, timed=each.name.removeprefix(label) in times)


def _is_in_any_order(name: str) -> bool:
    """Of the result of a run: variables are in the order in which actions happened to end."""
    return name.endswith(("result: order", "final_variables: order"))


def _times(tool: str, value: Any, path: str) -> Iterator[str]:
    """The paths of what always differs in a result, also in the variables of a run within it."""
    yield from (join_path(path, name) for name in _TIMES.get(tool, ()))
    if tool in _TIMES:
        yield from _times_within(value, path)


def _times_within(value: Any, path: str) -> Iterator[str]:
    if _is_list(value):
        for index, item in enumerate(value):
            yield from _times_within(item, join_path(path, index))
    elif isinstance(value, Mapping):
        for name, item in value.items():
            beside = next((each for each in _BESIDE if f"_{name}".endswith(f"_{each}")), "")
            if beside != "session_id" or TERMINAL_ID.fullmatch(str(item)):
                prefix = name.removesuffix(beside)
                yield from (join_path(path, prefix + each) for each in _BESIDE.get(beside, ()))
            yield from _times_within(item, join_path(path, name))


def _pairs(one: Row, other: Row) -> Iterator[tuple[str, Call, Call]]:
    """The calls of both that belong together, each with what is told before its name: the last
    attempts, those before them, and those that undid them."""
    yield from (("", *pair) for pair in zip(one.calls[-1:], other.calls[-1:], strict=False))
    for first, second in zip(one.calls[:-1], other.calls[:-1], strict=False):
        yield f"attempt {first.attempt}: ", first, second
    for first, second in zip(one.undoing, other.undoing, strict=False):
        yield f"undoing, attempt {first.attempt}: ", first, second


def _status(row: Row | None) -> str | None:
    return None if row is None else row.shown_state


def _value_difference(place: str, name: str, values: tuple[Any, Any]) -> Iterator[Difference]:
    if not _equal(*values):
        yield Difference(place=place, name=name, values=values)


def _nested_differences(place: str, path: str, one: Any, other: Any) -> Iterator[Difference]:
    """Into mappings, and into lists of the same length. Nothing is in doubt of what is kept in the
    same files."""
    if (files := _files(source_of(one))) is not None and files == _files(source_of(other)):
        return
    has_difference = False
    for each in _differences_within(place, path, one, other):
        has_difference = True
        yield each
    if has_difference:
        return
    kinds = _kind(one), _kind(other)
    if kinds[0] != kinds[1]:  # a tuple is shown as the list that it is not
        yield Difference(place=place, name=f"{path}: type", values=kinds)
    elif not _is_known_same(one, other):
        yield Difference(place=place, name=path, values=(one, other), cut=True)
    elif place not in _UNORDERED and isinstance(one, Mapping) and list(one) != list(other):
        # Whoever prints it, or goes through it, sees that.
        orders = list(one), list(other)
        yield Difference(place=place, name=f"{path}: order", values=orders, order=True)


def _differences_within(place: str, path: str, one: Any, other: Any) -> Iterator[Difference]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        yield from _entries(place, path, one, other)
    # Of lists of other lengths nobody can say which entry is which: they are told whole.
    elif _is_list(one) and _is_list(other) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _nested_differences(place, join_path(path, index), *pair)
    elif not _equal(one, other):
        yield Difference(place=place, name=path, values=(one, other))


def _entries(
    place: str, path: str, one: Mapping[str, Any], other: Mapping[str, Any]
) -> Iterator[Difference]:
    for name in dict.fromkeys((*one, *other)):
        where = join_path(path, name) if path else name
        if name in one and name in other:
            yield from _nested_differences(place, where, one[name], other[name])
        else:
            values = (_entry(one, name), _entry(other, name))
            yield Difference(place=place, name=where, values=values)


def _entry(of: Mapping[str, Any], name: str) -> Any:
    """None where it is not there: one that is there and is null is said to be."""
    return "null" if name in of and of[name] is None else of.get(name)


def _kind(value: Any) -> str:
    """Of which type a value is, as far as its form tells."""
    source = source_of(value)
    if isinstance(source, Lost):
        return source.kind
    if isinstance(value, PrintedValue | TextKeyDict) and value.kind:
        return value.kind
    shown = next(name for kinds, name in _KINDS if isinstance(value, kinds))
    return f"shown as {shown}" if isinstance(value, Form) else shown


def _is_known_same(one: Any, other: Any) -> bool:
    """Whether two values are the same that are recorded alike. A text may only show one: two frames
    of three rows are printed alike, and lie in files whose names tell them apart; and two arrays of
    other types are one list."""
    sources = source_of(one), source_of(other)
    if any(isinstance(each, Reference) for each in sources):
        return False  # they are in other files
    if isinstance(one, Cut | TextKeyDict):  # which of its keys were texts is not recorded
        return False
    if isinstance(one, PrintedValue) and one.number is None:
        return False
    return all(each.is_shown_whole for each in sources if isinstance(each, Lost))


def _files(source: Source | None) -> tuple[object, ...] | None:
    return (source.pickle.blobs, source.at) if isinstance(source, Reference) else None


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _equal(one: Any, other: Any) -> bool:
    """As they are printed: true is not 1, nor is 1.0, and -0.0 is not 0.0; NaN is NaN, and not the
    text that says it."""
    if isinstance(one, float) and isinstance(other, float):
        return repr(float(one)) == repr(float(other))
    distinct = (bool, float, PrintedValue)
    return bool(one == other) and all(
        isinstance(one, kind) == isinstance(other, kind) for kind in distinct
    )


def _short_value(value: Any) -> str:
    if value is None or isinstance(value, str):
        return short(value, 80)
    return short(json.dumps(value, ensure_ascii=False), 80)
