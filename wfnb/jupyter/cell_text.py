"""a cell's source -> what a step says of it: the words under its title, its code, its result."""

from __future__ import annotations

import ast
import re
import sys
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from inspect import cleandoc
from math import isfinite
from reprlib import Repr
from typing import Any

from wfnb.core.events import Outcome
from wfnb.core.step_magic_lines import lines_of, lines_under, marks, runs
from wfnb.render.text.escape import printable
from wfnb.safe_attributes import (
    class_attribute,
    is_asked_of_library,
    offer,
    runs_library_code,
)
from wfnb.type_names import base_names, is_a, local_name

from .input_transform import is_text

_DIRECTIVE = re.compile(r"#\s*(NBVAL_|noqa|type:|pylint:|fmt:|pragma|%%|!|-\*-)|#\|")
_IMPORT = re.compile(r"^[ \t]*(?:import|from)\s(?:[^\n(\\]|\\\n|\([^)]*\))*$", re.M)
_FUNCTIONS = ("print", "display", "len", "type", "repr", "dir", "help", "get_ipython")
_METHODS = ("head", "tail", "sample", "describe", "info")
SHOWING = frozenset((*_FUNCTIONS, *_METHODS))
"""What a cell may call that only shows something: functions and methods that change nothing."""
SHOWING_MAGICS = frozenset(("pinfo", "pinfo2", "psearch", "who", "whos", "who_ls", "lsmagic"))
_SHOWN = (
    ast.Expr | ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop
    | ast.Name | ast.Attribute | ast.Subscript | ast.Slice | ast.Constant | ast.Tuple | ast.List
    | ast.Compare | ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Call | ast.keyword
    | ast.JoinedStr | ast.FormattedValue
)  # fmt: skip
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{4,}")
_FEW = 12  # as many numbers of an array are read at a glance
_MAX_NUMBER = 10**300  # as far as JSON's readers go
_WRITTEN_OUT = (
    *(bool, int, float, complex, Decimal, Fraction),
    *(str, list, tuple, dict, set, frozenset, bytes),
)
_ATOMS = (str, int, float, bool, type(None))


class _Short(Repr):
    """Of what a class of the user's would have to say, no more than its name: it may change what
    it says, and sorts keys and elements as it likes."""

    def repr1(self, x: Any, level: int) -> str:
        kind = type(x)
        if any(kind is atom for atom in _ATOMS):
            return super().repr1(x, level)
        if class_attribute(kind, "__repr__") is object.__repr__:
            return str(object.__repr__(x))
        is_sorted = kind in (dict, set, frozenset)
        plain = is_sorted or kind in (list, tuple)
        if runs_library_code([*x] if is_sorted else None if plain else x):
            return super().repr1(x, level)
        return f"<{local_name(kind)}>"


_SHORT = _Short()
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxset = _SHORT.maxdict = 6
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 120


def body(source: str, title_words: str | None, before: int = 0) -> str | None:
    """The lines under the mark that says so, up to the next mark that is not indented; under a
    first line with `--text`, all of them. `before` such marks have opened their steps.

    None where no mark can be told to be the one: a program opened the step, or one is indented,
    so that it may run never or often.
    """
    found = marks(source)
    same = [mark for mark in found if mark.words == title_words]
    if before >= len(same) or any(mark.column for mark in same):
        return None
    mark = same[before]
    if mark is found[0] and is_text(mark.magic, mark.words):
        return "\n".join(lines_of(source)[mark.row + 1 :])
    return lines_under(source, found, mark)


def code_above_steps(source: str) -> str:
    r"""The code of a cell above its first step; all of it, where it has none.

    >>> code_above_steps("x = 1\n%step Next\ny = 2"), code_above_steps("# why\n%%step Next\ny = 2")
    ('x = 1', '')
    """
    if "%step" in source or "%branch" in source:
        found = marks(source)
        if found:
            source = "\n".join(lines_of(source)[: found[0].row])
    return source if runs(source) else ""


def words(code: str) -> str:
    r"""The leading comment lines of the body, else its docstring, as Markdown.

    >>> words("# If the sensor aged,\n# residuals grow.\n\nx = 1  # no")
    'If the sensor aged,\nresiduals grow.'
    """
    lines = []
    for line in code.strip().splitlines():
        if not line.startswith("#"):
            break
        if not _DIRECTIVE.match(line):
            lines.append(line.lstrip("#").removeprefix(" ").rstrip())
    return "\n".join(lines).strip() or _docstring(code)


def only_shows(code: str) -> bool:
    """Whether the code, as IPython rewrites a cell, does nothing but show what is there.

    >>> [only_shows(text) for text in ("df.head(3)", "print(x); x.shape", "x.pop()", "y = x")]
    [True, True, False, False]
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    nodes = (node for statement in body for node in ast.walk(statement))
    return all(isinstance(node, _SHOWN) and _is_shown(node) for node in nodes)


def _is_shown(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return True
    match node.func, node.args:
        case ast.Attribute(attr="run_line_magic"), [ast.Constant(value=str(name)), *_]:
            return name in SHOWING_MAGICS
        case ast.Call(), []:  # `get_ipython()`
            return False
        case ((ast.Name(id=name) | ast.Attribute(attr=name)), _):
            return name in SHOWING
    return False


def title_line(code: str) -> str:
    r"""What a cell is called that has no title: its first line that does something; an import, a
    magic of the whole cell or a comment only where it does nothing else.

    >>> title_line("# why\nfrom math import (\n    cos,\n    pi,\n)\nimport re\ncos(pi)")
    'cos(pi)'
    >>> title_line("%%time\nimport re"), title_line("%%html\n# a"), title_line(" ")
    ('import re', '%%html', '')
    """
    for text in (_IMPORT.sub("", code), code):
        doing = (line for line in _lines(text) if not line.startswith(("#", "%%")))
        if found := next(doing, ""):
            return found
    return next(_lines(code), "")


def _lines(code: str) -> Iterator[str]:
    return filter(None, map(str.strip, code.splitlines()))


def brief(value: Any) -> str | None:
    """A result in a few words, the same in every run: no addresses, no tables, no times."""
    if value is None:
        return None
    try:
        return scrub_text(_words(value))
    except Exception:  # its own code fails: a `__repr__`, a `shape`, an int too long to print
        return local_name(type(value)).rpartition(".")[2]


def check_result(result: Any, place: str, failed: Callable[[str, str], Exception]) -> None:
    """Raises what `failed` makes of the place and of why its code has failed, which was run in the
    middle of a cell; an interrupt is that of the cell."""
    error = result.error_before_exec or result.error_in_exec
    if isinstance(error, KeyboardInterrupt):
        raise error
    if error is not None:
        raise failed(place, problem(error))


def problem(error: BaseException) -> str:
    """An error by its name and, where it can say something, its words."""
    name = type(error).__name__
    try:
        if (
            isinstance(error, SyntaxError) and error.msg and error.lineno
        ):  # not the name of its file
            return scrub_text(f"{name}: {error.msg} (line {error.lineno})")
        return scrub_text(f"{name}: {error}".rstrip(": "))
    except Exception:  # its own `__str__` fails
        return name


def outcome_of(result: Any) -> Outcome:
    """How a cell ended, from IPython's result: None for a cell that awaited and was cancelled."""
    if result is None:
        cancelled = isinstance(sys.exception(), CancelledError | KeyboardInterrupt)
        return Outcome(status="interrupted" if cancelled else "unknown")
    error = result.error_before_exec or result.error_in_exec
    if error is None:
        return Outcome(result=brief(result.result))
    status = "interrupted" if isinstance(error, KeyboardInterrupt | CancelledError) else "failed"
    return Outcome(status=status, error=problem(error))  # type: ignore[arg-type]


def plain(value: Any) -> Any:
    """A named value as JSON holds it: a number, a bool or a short text (of a small array what is in
    it, of a Decimal or a Fraction its digits); None: there is none."""
    # Numbers of NumPy, and arrays or tensors that hold a single one.
    if not any(type(value) is atom for atom in _ATOMS):
        size = offer(value, "size")
        if (item := offer(value, "item")) is not None and (size is None or size == 1):
            value = item()
    kind = type(value)
    if value is None or kind is bool:
        return value
    # By the types of Python, as a class of the user's may count what it is asked.
    if issubclass(kind, int) and abs(whole := int.__int__(value)) < _MAX_NUMBER:
        return whole
    if issubclass(kind, float):
        # NaN and the infinite ones, which JSON does not hold.
        return number if isfinite(number := float.__float__(value)) else str(number)
    if is_a(value, Decimal, Fraction) and is_asked_of_library(kind):
        # Cut, or in words, it would be another number.
        digits = str(value)
        return digits if len(digits) <= 200 else brief(value)
    array = getattr(sys.modules.get("numpy"), "ndarray", None)
    if array is not None and type(value) is array and value.size <= _FEW:
        return " ".join(str(value).split()) if value.dtype.kind in "biufc" else brief(value)
    return _printable_text(str.__str__(value)[:200]) if issubclass(kind, str) else brief(value)


def scrub_text(text: str) -> str:
    """Without memory addresses, which differ in every run; at most 300 characters."""
    shown = _ADDRESS.sub("0x…", _printable_text(text))
    return shown if len(shown) <= 300 else f"{shown[:299]}…"


def _words(value: Any) -> str:
    # Only plain kinds are written out: the repr of a frame is a table, and takes its time.
    kind = type(value)
    if any(kind is atom for atom in _ATOMS):
        return Repr.repr1(_SHORT, value, 1)
    is_written = is_a(value, *_WRITTEN_OUT) or "numpy.generic" in base_names(kind)
    if is_written and is_asked_of_library(kind):
        return _SHORT.repr(value)
    shape = offer(value, "shape")
    name = local_name(kind).rpartition(".")[2]
    return f"{name} {shape}" if is_a(shape, tuple) else name


def _printable_text(text: str) -> str:
    """The text with what UTF-8 cannot hold (a lone surrogate) written out, and what cannot be
    seen (a control character, a change of direction) shown as a sign."""
    return printable(text.encode("utf-8", "backslashreplace").decode())


def _docstring(code: str) -> str:
    # A look before `ast.parse`, which takes longer than all else here: few cells begin with a text.
    if not re.match(r"\s*[rRuU]?['\"]", code):
        return ""
    try:
        first = ast.parse(code).body[0]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return cleandoc(first.value.value) if isinstance(first.value.value, str) else ""
    return ""
