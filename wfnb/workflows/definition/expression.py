"""a text such as `count.stdout > 1000 and region in ["de", "at"]`, values by name -> what it says.

Theory of operation
-------------------

An expression is written as in Python, because those who write workflows in notebooks know that. It
is no Python: it reads values, and does nothing. It may have:

    names         those that a placeholder can name, without braces: `limit`, `fetch.result.rows`,
                  `steps["build-image"].exit_code`, `rows[0]`
    values        numbers, "texts", true, false, null (True, False, None too), [lists]
    words         and, or, not, ==, !=, <, <=, >, >=, in, not in, is, A if TEST else B
    arithmetic    +, -, *, /, //, % of numbers
    functions     `FUNCTIONS`

There are no loops, no methods and no definitions, so that each expression ends at once. All of it
is read before a run: the tree has only parts of `_PARTS`, its functions are known, and its names
are checked as those of placeholders are (`expression_names`).

Most values of a run are texts that a program printed. So they are compared as people mean it:

 * A text has no line breaks at its end, as in a placeholder.
 * A text that reads as a number is that number beside a number: `count.stdout > 3`. Beside a text
   it stays a text for `==`; `<` compares two texts as numbers where both read as such, so that
   "9" < "10". What is compared is the number that is written, with all its digits, and not the
   nearest one that a float has: "1e-400" > 0. A float is what it is printed as: "0.1" == 0.1.
 * true and false are no numbers, and null is nothing but null.
 * What cannot be compared is refused and not false: `"many" > 3`.
 * The answer of a condition has to be true or false, and so has what `not`, `and`, `or` and `if`
   ask. The text "false" would count as true in Python; here it is refused, with what to write.

Example: `expression_holds("a.stdout > 3", {"a": {"stdout": "12\n"}})` is True.

Taken: simpleeval, which walks the tree, with our names, operators and functions. Not taken: CEL,
the language of this kind that other engines use. There, `"12" > 3` is an error of types and has to
be written `int(a.stdout) > 3`, `and` is `&&`, and its packages for Python import a command line
(150 ms), or have no wheel for each platform.
"""

from __future__ import annotations

import ast
import json
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import isfinite, isinf
from typing import Any, NamedTuple

from simpleeval import InvalidExpression, SimpleEval

from wfnb.errors import ExpressionFailed, PatternInvalid, listing, nearest

from .json_equality import same
from .json_limits import foreign
from .regex_search import compile_pattern, search
from .template import as_text, bare, bare_value, whole
from .truncation import SCALAR_TYPES, PrintedValue, WholeText, source_of

MAX_LENGTH = 1_000
DEEPEST = 60
"""Parts within parts of an expression."""
CONSTANTS = {"true": True, "false": False, "null": None}
"""Names that mean a value, as JSON writes it."""
_MAX_BITS = 4_096
"""Bits of a whole number."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")

_PARTS = (
    *(ast.Name, ast.Load, ast.Attribute, ast.Subscript, ast.Constant, ast.List, ast.Tuple),
    *(ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.UAdd, ast.IfExp, ast.Call),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod),
    *(ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    *(ast.In, ast.NotIn, ast.Is, ast.IsNot),
)
"""What a tree may be made of."""
_MEANT = (
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("{", "names stand without braces"),
    ("!", "write `not`, or `!=`"),
    ("=", "write `==`"),
    ("$", "names stand without $"),
)
"""What other languages write, and what is written here."""


class ExpressionSyntaxError(Exception):
    """A text is no expression; the message says why."""


@lru_cache(maxsize=512)
def parse_expression(text: str) -> ast.expr:
    """The tree of an expression. Raises ExpressionSyntaxError.

    >>> parse_expression("a && b")
    Traceback (most recent call last):
    ...
    wfnb.workflows.definition.expression.ExpressionSyntaxError: '&&' is not read here: write `and`
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionSyntaxError(
            f"it has {len(text):,} characters; {MAX_LENGTH:,} are read at most"
        )
    try:
        # ast.parse raises ValueError for a NUL and MemoryError for some that are nested very deep.
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionSyntaxError(_why_not(text)) from None
    # By levels, since the tree may be deeper than a recursion may go.
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            _check_part(node, text)
            if isinstance(node, ast.Constant) and isinstance(node.value, float):
                node.value = _written_value(node, text)
        level = [part for node in level for part in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise ExpressionSyntaxError("it is nested too deep")


def _written_value(node: ast.Constant, text: str) -> Any:
    """The number of a constant with all the digits that are written."""
    written = (ast.get_source_segment(text.strip(), node) or "").replace("_", "")
    number = as_number(written)
    is_value = number is None or (number == node.value and not isinstance(number, WrittenNumber))
    return node.value if is_value else number


def _why_not(text: str) -> str:
    outside = re.sub(r"""'[^']*'|"[^"]*"|[<>=!]=""", "", text)
    for sign, meant in _MEANT:
        if sign in outside:
            return f"{sign!r} is not read here: {meant}"
    return "it does not read as an expression"


def _check_part(node: ast.AST, text: str) -> None:
    """Raises ExpressionSyntaxError for what has no place in an expression."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name not in FUNCTIONS:
            near = nearest(name, tuple(FUNCTIONS)).strip()
            there_are = f"Functions: {', '.join(FUNCTIONS)}"
            raise ExpressionSyntaxError(f"there is no function {name!r}. {near or there_are}")
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            _check_call(name, args)
        # `1e999`, which JSON could not record.
        case ast.Constant(value=float() as number) if isinf(number):
            raise ExpressionSyntaxError("a number in it is too large")
        # To Python true and false are of a kind of int.
        case ast.Constant(value=str() | int() | float() | None):
            pass
        case ast.Subscript(slice=ast.Slice()) | ast.Constant() | ast.Call():
            raise ExpressionSyntaxError(_no_part(node, text))
        case ast.expr() if not isinstance(node, _PARTS):
            raise ExpressionSyntaxError(_no_part(node, text))
        case _ if not isinstance(node, _PARTS):
            raise ExpressionSyntaxError(_why_not(text))


def _check_call(name: str, args: list[ast.expr]) -> None:
    _, least, most = FUNCTIONS[name]
    if not least <= len(args) <= most:
        count = f"{least}" if least == most else f"{least} to {most}"
        raise ExpressionSyntaxError(f"{name}() takes {count} values, and is given {len(args)}")
    if name == "matches" and isinstance(args[1], ast.Constant):
        try:
            compile_pattern(str(args[1].value))
        except PatternInvalid as invalid:
            raise ExpressionSyntaxError(str(invalid)) from None


def _no_part(node: ast.expr, text: str) -> str:
    said = ast.get_source_segment(text.strip(), node) or text
    if isinstance(node, ast.Set | ast.Dict | ast.JoinedStr):
        return _why_not("{")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return f"{said[:60]!r} calls a method. Functions: {', '.join(FUNCTIONS)}"
    return f"{said[:60]!r} has no place in an expression"


def expression_names(text: str) -> tuple[str, ...]:
    """The names that an expression asks for, with dots, as placeholders have them, each once.

    >>> expression_names('a.stdout > limit and steps["b-1"].rows[0] == a.stdout')
    ('a.stdout', 'limit', 'steps.b-1.rows.0')
    """
    return tuple(dict.fromkeys(_names(parse_expression(text))))


def normalized_names(text: str) -> Iterator[str]:
    """The names that Python reads in another form than they are written in: in their normal form.

    >>> list(normalized_names("ａ.stdout > 3 and b.größe > 1"))
    ['a']
    """
    for node in () if text.isascii() else ast.walk(parse_expression(text)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                written = ast.get_source_segment(text.strip(), node) or name
                if not written.endswith(name):
                    yield name


def _names(node: ast.AST) -> Iterator[str]:
    path = name_path(node)
    if path:
        if path[0] not in CONSTANTS:
            yield ".".join(path)
        return
    for part in ast.iter_child_nodes(node):
        # What is called is a function of ours, and no value.
        if not (isinstance(node, ast.Call) and part is node.func):
            yield from _names(part)


def name_path(node: ast.AST) -> tuple[str, ...]:
    """The parts of a name; nothing, where it is none or is worked out."""
    match node:
        case ast.Name(id=name):
            return (name,)
        case ast.Attribute(value=base, attr=part) if path := name_path(base):
            return (*path, part)
        case ast.Subscript(value=base, slice=ast.Constant(value=str() | int() as part)) if (
            path := name_path(base)
        ):
            return (*path, str(part))
        case _:
            return ()


def expression_holds(text: str, scope: Mapping[str, Any], hidden: Collection[str] = ()) -> bool:
    """Whether an expression holds. `hidden` are names of secrets, which are no values here.

    Raises ExpressionFailed where it cannot be evaluated, or the answer is not true or false;
    TextCut, ValuePrinted for a value that is not whole.

    >>> expression_holds("rows > 9 and name != 'x'", {"rows": "10\\n", "name": "y"})
    True
    """
    answer = evaluate(text, scope, hidden)
    try:
        return _true_or_false(answer, "it")
    except _Failure as failure:
        raise ExpressionFailed(text, str(failure)) from None


def evaluate(
    text: str, scope: Mapping[str, Any], hidden: Collection[str] = (), takes: bool = False
) -> Any:
    """The value of an expression. `takes`: what JSON cannot hold may be its value, or in a list
    that is, where it is only named. Raises what `expression_holds` raises, apart from its last."""
    try:
        parsed = parse_expression(text)
        evaluation = _Evaluation(scope, hidden)
        return evaluation.named(parsed) if takes else evaluation.eval(text, parsed)
    except (_Failure, ExpressionSyntaxError, InvalidExpression) as failure:
        raise ExpressionFailed(text, str(failure)) from None


class _Evaluation(SimpleEval):  # type: ignore[misc]  # it has no types
    """simpleeval's walk through the tree, with values that are looked up as placeholders are."""

    def __init__(self, scope: Mapping[str, Any], hidden: Collection[str]) -> None:
        # Ours only: those of simpleeval include random numbers, and an answer has to be the same
        # again.
        functions = {name: function.call for name, function in FUNCTIONS.items()}
        super().__init__(operators=_OPERATORS, functions=functions, names={})
        self._scope, self._hidden = scope, hidden
        self.nodes |= dict.fromkeys((ast.Name, ast.Attribute, ast.Subscript), self._value)
        self.nodes |= dict.fromkeys((ast.List, ast.Tuple), self._items)

    def _check_disallowed_items(self, item: Any) -> None:
        """Values are those of JSON, and the functions are ours: there is nothing to look for."""

    def _items(self, node: ast.List | ast.Tuple) -> list[Any]:
        return [self._eval(item) for item in node.elts]

    def _truth_of(self, node: ast.expr) -> bool:
        return _true_or_false(self._eval(node), ast.unparse(node))

    def _eval_boolop(self, node: ast.BoolOp) -> bool:
        # `any` stops at the first that decides: what is behind it may not be known yet.
        decides = isinstance(node.op, ast.Or)
        found = any(self._truth_of(value) is decides for value in node.values)
        return found is decides

    def _eval_ifexp(self, node: ast.IfExp) -> Any:
        return self._eval(node.body if self._truth_of(node.test) else node.orelse)

    def _eval_unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            # Python's `not` takes anything, and a text "false" would be true.
            return not self._truth_of(node.operand)
        return super()._eval_unaryop(node)

    def named(self, node: ast.expr) -> Any:
        """The value of what is named, or of a list of such, as it is."""
        if isinstance(node, ast.List | ast.Tuple):
            return [self.named(item) for item in node.elts]
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return self._value(node, takes=True)
        return self._eval(node)

    def _value(self, node: ast.expr, takes: bool = False) -> Any:
        value = self._reach(node)
        name = ast.unparse(node)
        whole(value, name, name, takes)
        plain = isinstance(value, str) and source_of(value) is None
        plain = isinstance(value, WholeText) or (plain and not isinstance(value, PrintedValue))
        return bare(value) if plain else value

    def _reach(self, node: ast.expr) -> Any:
        """What is named, which need not be whole: only what is used of it has to be."""
        match node:
            case ast.Name(id=name) if name in CONSTANTS:
                return CONSTANTS[name]
            case ast.Name(id=name):
                if name in self._hidden:
                    raise _Failure(f"{name} is a secret, and what comes of it would be recorded")
                return _item(self._scope, name, "", "")
            case ast.Attribute(value=base, attr=name):
                key: Any = name
            case ast.Subscript(value=base, slice=part):
                key = self._eval(part)
            case _:
                return self._eval(node)
        return _item(self._reach(base), key, ast.unparse(base), ast.unparse(node))


class _Failure(Exception):
    """Why a value cannot be worked out."""


def _true_or_false(value: Any, said: str) -> bool:
    if isinstance(value, bool):
        return value
    what = "nothing (null)" if value is None else shown(value)
    raise _Failure(f"{said} gives {what} and not true or false: compare it, with ==")


def _item(base: Any, key: Any, said: str, node: str) -> Any:
    """What is under a key of a mapping, or at a place of a list."""
    place = isinstance(key, int) and not isinstance(key, bool)
    match base:
        case Mapping():
            if key in base:
                return base[key]
            there = tuple(map(str, base))
            # A key that was worked out may be any text: only a short one is a slip of the pen.
            near = nearest(str(key), there).strip() if len(str(key)) <= 40 else ""
            there_are = f"There is: {listing(there, 'nothing')}"
            what = f"{said} has no {key!r}" if said else f"nothing is called {key!r}"
            raise _Failure(f"{what}. {near or there_are}".rstrip("."))
        case list() | tuple() if place:
            if -len(base) <= key < len(base):
                return base[key]
            raise _Failure(f"{said} has {len(base)} items, and none at [{key}]")
        case _:
            raise _Failure(f"{said} is {shown(base)}, and {node} asks for something in it")


class WrittenNumber(float):
    """The float nearest to a number that is written and that no float is printed as."""

    def __new__(cls, text: str) -> WrittenNumber:
        number = super().__new__(cls, text)
        number.text = text
        return number

    text: str

    def __repr__(self) -> str:
        return self.text

    def __neg__(self) -> WrittenNumber:
        sign = "" if self.text.startswith("-") else "-"
        return WrittenNumber(sign + self.text.lstrip("+-"))

    def __pos__(self) -> WrittenNumber:
        return self

    def __abs__(self) -> WrittenNumber:
        return WrittenNumber(self.text.lstrip("+-"))

    def is_integer(self) -> bool:
        """Never: a whole one is an int."""
        return False


def as_number(value: Any) -> int | float | None:
    """A number, or the number as which a text reads."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    # A longer text is the number of nobody, and `int` refuses one of some thousand digits.
    if isinstance(value, str) and len(value) <= 400 and _NUMBER.fullmatch(value.strip()):
        text = value.strip()
        digits, _, rest = text.partition(".")
        if re.fullmatch(r"[+-]?\d+", digits) and not rest.strip("0"):
            return int(digits)  # also one that is too large for a float to tell from the next
        number = float(text)
        if repr(number) == text:
            return number
        if isinf(number):
            return None
        exact = Fraction(text)
        if Fraction(repr(number)) == exact:
            return number
        return int(exact) if exact.denominator == 1 else WrittenNumber(text)
    return None


def as_whole(value: Any) -> int | None:
    """The whole number that a number is, or as which a text reads; None where it is none."""
    number = as_number(value)
    if isinstance(number, float) and number.is_integer():
        return int(Fraction(value.strip()) if isinstance(value, str) else number)
    return number if isinstance(number, int) else None


def _need_number(value: Any) -> int | float:
    number = as_number(value)
    if number is None:
        raise _Failure(f"{shown(value)} is no number")
    return number


_Exact = int | float | Fraction


def _exact_pair(one: Any, other: Any) -> tuple[_Exact, _Exact] | None:
    """Two numbers to compare, each as it is written; None where one is none."""
    first, second = as_number(one), as_number(other)
    if first is None or second is None:
        return None
    if type(one) in SCALAR_TYPES and type(other) in SCALAR_TYPES:
        return first, second  # as Python compares them
    pair = _as_written(one, first), _as_written(other, second)
    return _beside(pair[0], pair[1]), _beside(pair[1], pair[0])


def _as_written(value: Any, number: float) -> _Exact:
    if isinstance(value, WrittenNumber):
        return Fraction(value.text)
    return Fraction(value.strip()) if isinstance(value, str) else number


def _beside(number: _Exact, other: _Exact) -> _Exact:
    """A float, as exactly as what is beside it. A large one that is whole is both what it is and
    what it is printed as: 1152921504606846976, and 1.152921504606847e+18."""
    if not isinstance(number, float) or not isfinite(number):
        return number
    printed = Fraction(repr(number))
    return int(number) if number.is_integer() and printed != other else printed


def shown(value: Any) -> str:
    """A value, with what it is."""
    text = as_text(value)
    cut = f"{text[:40]}…" if len(text) > 40 else text
    match value:
        case str():
            return f"the text {cut!r}"
        case None:
            return "null"
        case list() | tuple():
            return f"the list {cut}"
        case Mapping():
            return f"the mapping {cut}"
        case _:
            return cut


def equal(one: Any, other: Any) -> bool:
    """Equal as `same_values`, and a text that reads as a number is that beside a number."""
    kinds = isinstance(one, str) != isinstance(other, str)
    if kinds or any(isinstance(each, WrittenNumber) for each in (one, other)):
        pair = _exact_pair(one, other)
        return pair is not None and pair[0] == pair[1]
    return same_values(one, other)


def same_values(one: Any, other: Any) -> bool:
    """Equal as JSON values are, texts without the line breaks at their ends: also one that is
    written out, since what is named has none."""
    return same(bare_value(one), bare_value(other))


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compared(one: Any, other: Any) -> bool:
        if (pair := _exact_pair(one, other)) is not None:
            return compare(*pair)
        if isinstance(one, str) and isinstance(other, str):
            return compare(bare(one), bare(other))
        raise _Failure(f"{shown(one)} and {shown(other)} have no order")

    return compared


def _contains(wanted: Any, value: Any) -> bool:
    match value:
        case str() if isinstance(wanted, str) or as_number(wanted) is not None:
            return as_text(wanted) in value
        case Mapping():
            return isinstance(wanted, str) and wanted in value
        case list() | tuple():
            return any(equal(wanted, item) for item in value)
        case _:
            raise _Failure(f"{shown(wanted)} cannot be in {shown(value)}")


def _of_numbers(work: Callable[..., Any]) -> Callable[..., Any]:
    """Arithmetic that ends: no number grows without end."""

    def worked_out(*values: Any) -> Any:
        try:
            found = work(*map(_need_number, values))
        except ZeroDivisionError:
            raise _Failure("it divides by zero") from None
        except OverflowError:
            raise _Failure("a number gets too large") from None
        # Products of products double their digits: a short expression could hold the loop up.
        if isinstance(found, int) and found.bit_length() > _MAX_BITS:
            raise _Failure("a number gets too large")
        if found != found or found in (float("inf"), float("-inf")):
            raise _Failure("a number gets too large")
        return found

    return worked_out


_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Eq: equal,
    ast.NotEq: lambda one, other: not equal(one, other),
    ast.Is: same_values,
    ast.IsNot: lambda one, other: not same_values(one, other),
    ast.Lt: _ordered(operator.lt),
    ast.LtE: _ordered(operator.le),
    ast.Gt: _ordered(operator.gt),
    ast.GtE: _ordered(operator.ge),
    ast.In: _contains,
    ast.NotIn: lambda wanted, value: not _contains(wanted, value),
    ast.USub: _of_numbers(operator.neg),
    ast.UAdd: _of_numbers(operator.pos),
    ast.Add: _of_numbers(operator.add),
    ast.Sub: _of_numbers(operator.sub),
    ast.Mult: _of_numbers(operator.mul),
    ast.Div: _of_numbers(operator.truediv),
    ast.FloorDiv: _of_numbers(operator.floordiv),
    ast.Mod: _of_numbers(operator.mod),
}


def _text_of(value: Any) -> str:
    if not isinstance(value, str) and as_number(value) is None:
        raise _Failure(f"{shown(value)} is no text")
    return as_text(value)


def _size(value: Any) -> int:
    if not isinstance(value, str | Mapping | list | tuple):
        raise _Failure(f"{shown(value)} has no length")
    return len(value)


def _items_of(values: Any) -> list[Any]:
    """Those of a list: a text and a mapping could be gone through as well."""
    if not isinstance(values, list | tuple):
        raise _Failure(f"{shown(values)} is no list")
    return list(values)


def _list_of(values: tuple[Any, ...]) -> list[Any]:
    """What a function of many values is given: a list, or the values themselves."""
    # `max(rows)` and `max(a, b)`, as in Python.
    found = list(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else values
    if not found:
        raise _Failure("the list is empty")
    return list(found)


def _first_by(before: Callable[[Any, Any], bool], values: list[Any]) -> int | float:
    """The first of some numbers, in the order in which conditions have them."""
    comes_before = _ordered(before)
    first, number = values[0], _need_number(values[0])
    for value in values[1:]:
        other = _need_number(value)
        # Numbers of one kind have the order of what is written; else all digits of both count.
        alike = type(other) is type(number) and type(number) in SCALAR_TYPES
        if before(other, number) if alike else comes_before(value, first):
            first, number = value, other
    return number


def _truth(values: Any) -> list[bool]:
    if not isinstance(values, list | tuple) or not all(isinstance(each, bool) for each in values):
        raise _Failure(f"{shown(values)} is no list of true and false")
    return list(values)


def _lines(text: Any) -> list[str]:
    """Those that a program printed: no other character ends one."""
    return _text_of(text).replace("\r\n", "\n").split("\n")


def _read_json(text: Any) -> Any:
    """The value that a text of JSON holds, which no other part of a workflow could not hold."""
    try:
        value = json.loads(_text_of(text))
    except (ValueError, RecursionError):
        raise _Failure(f"{shown(text)} is no JSON") from None
    if found := foreign(value):
        raise _Failure(f"{shown(text)} is no JSON that can be passed on: {found[0]}")
    return value


class _Function(NamedTuple):
    """What it does, and how many values it takes."""

    call: Callable[..., Any]
    least: int = 1
    most: int = 1


FUNCTIONS: Mapping[str, _Function] = {
    "abs": _Function(_of_numbers(abs)),
    "all": _Function(lambda values: all(_truth(values))),
    "any": _Function(lambda values: any(_truth(values))),
    "endswith": _Function(lambda text, end: _text_of(text).endswith(_text_of(end)), 2, 2),
    "json": _Function(_read_json),
    "len": _Function(_size),
    "lines": _Function(lambda text: [line for line in _lines(text) if line.strip()]),
    "lower": _Function(lambda text: _text_of(text).lower()),
    "matches": _Function(
        lambda text, pattern: search(_text_of(pattern), _text_of(text)) is not None, 2, 2
    ),
    "max": _Function(lambda *values: _first_by(operator.gt, _list_of(values)), 1, 99),
    "min": _Function(lambda *values: _first_by(operator.lt, _list_of(values)), 1, 99),
    "number": _Function(_need_number),
    "round": _Function(_of_numbers(round)),
    "startswith": _Function(lambda text, begin: _text_of(text).startswith(_text_of(begin)), 2, 2),
    "sum": _Function(lambda values: _of_numbers(lambda *each: sum(each))(*_items_of(values))),
    "text": _Function(as_text),
    "upper": _Function(lambda text: _text_of(text).upper()),
}
"""The functions of an expression, by name."""
