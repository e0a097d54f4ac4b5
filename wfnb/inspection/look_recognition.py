"""a cell's code -> whether it reads, runs or shows something that its own text does not fix.

`1`, `pass`, an import, a definition, `print("hello")` and `len("abc")` say nothing but themselves;
neither does a name that a cell gave such a value, the clock, or a die. A call of a function that is
not Python's own, a value that was computed, a file that is opened, a program: there something is to
be seen. Nothing is run here: it is what the text shows. Whether a branch was taken it does not, so
that what stands in one may be a look, but says neither what was called nor which file was read.
"""

from __future__ import annotations

import ast
import builtins
import re
import shlex
import sys
from collections.abc import Callable, Collection, Iterable
from typing import Literal

from wfnb.core.findings import ProgramRun
from wfnb.frozen_record import record

from .shell_commands import (
    ENDING,
    code_runs,
    commands,
    hides_failure,
    is_die,
    shows_tests,
    tells_of_itself,
    tests_in_python,
    word_set,
)
from .unread_opens import unread_opens

Nature = Literal["value", "module", "code", "none"]
"""What a name holds: data, a module, a function or class, or nothing."""

_LEAVES = (ast.Raise, ast.Return, ast.Break, ast.Continue)
"""Below them nothing of their block is run."""
_UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


_CLOCKS = word_set(
    "antigravity calendar cmath datetime getpass itertools "
    "math operator random secrets string this"
    " time uuid"
)
"""Modules that compute of what they are given, tell the time, or draw lots."""
_DICE = word_set(
    "default_rng get_count gethostname getloadavg getpid getrandom monotonic node now"
    " perf_counter process_time rand"
    " randint randn random random_sample RandomState thread_time times today urandom utcnow"
)
"""The same, by what is called of any other module: `numpy.random.rand`, `os.urandom`."""
_PURE = word_set("base64 html json re string textwrap")
"""Modules that compute of what they are given, and of nothing else."""
_PURE_PATHS = word_set("basename commonpath dirname isabs join normpath split splitext")
_STARTERS = word_set("run call check_call check_output popen system spawn")
_OUTSIDE = frozenset({"open", "eval", "exec", "compile", "__import__", "breakpoint"})
_ABOUT_CODE = frozenset({"help", "vars", "dir"})
"""Built-in functions that show something of a function or a module."""
_IDLE_MAGICS = word_set(
    "alias autoawait autocall automagic bookmark cd colors config env gui hist history"
    " html javascript js latex load_ext logon logoff logstart lsmagic magic markdown matplotlib"
    " notebook page pdb popd precision pushd pwd pylab quickref recall reload_ext"
    " rerun reset reset_selective set_env svg unalias unload_ext who who_ls whos writefile file"
    " wfnb step branch run_workflow xdel xmode autoreload"
)
_SCRIPTS = word_set("bash sh script zsh")
_SHELLS = _SCRIPTS | word_set("system sx ! !!")
_PROGRAMS = word_set("cat conda cp less ls mamba micromamba man more pip uv")
_PYTHONS = word_set("python python2 python3 pypy")
_TIMED = word_set("time timeit prun lprun memit mprun capture")
_READING = ("read", "load", "open", "scan", "imread", "connect", "from_file")
_RUN = word_set(
    "asyncio concurrent doctest multiprocessing runpy subprocess threading timeit unittest"
)
"""Of Python's own modules those that run what they are given."""
TEST_LIBRARIES = word_set("pytest _pytest unittest doctest nose")
TEST_RUNNERS = word_set(
    "main run testmod testfile textestrunner texttestrunner run_docstring_examples"
)
"""What of these libraries runs tests, in small letters."""
_HELD = frozenset({"_", "__", "___", "In", "Out", "_ih", "_oh", "_dh", "exit", "quit"})
_HELD_CELL = re.compile(r"_i{1,3}|_i?[0-9]+")


@record
class Sight:
    """What code shows. `calls` are the dotted names that it calls, or hands to what it calls;
    `names` those that it uses; `words` may name files that something outside of Python, or a
    reading function, opens. `fixed` are the names that it gives values which its text fixes,
    `free` those that it gives others. `unread` are the places (line, column) of calls that open a
    file of which nothing is read. `opaque`: what it shows depends on more than names. `hides`: what
    it runs may fail and the code raise nothing; `tests`: only what it ends with tells that. `runs`
    are the tests and linters of scripts, which no program of Python's shows."""

    looks: bool = False
    acts: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    fixed: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()
    unread: frozenset[tuple[int, int]] = frozenset()
    opaque: bool = False
    hides: bool = False
    tests: bool = False
    runs: tuple[ProgramRun, ...] = ()
    starts: bool = False
    """Whether it starts programs whose end it does not ask for itself."""


def sight(
    code: str,
    nature: Callable[[str], Nature] = lambda name: "value",
    fixed: Collection[str] = (),
    raised: int | None = None,
    paths: Collection[str] = (),
) -> Sight:
    """Of Python code, as IPython rewrites a cell. `nature` tells what a name holds before it runs,
    `fixed` are names whose values are fixed by the text of cells. `raised` is the line at which it
    raised an exception: what stands below was not run. `paths` are the names that hold a Path.

    >>> [sight(code).looks for code in ("1", "import os", "print('hi')", "x = 2\\nx", "1 / 0")]
    [False, False, False, False, False]
    >>> [sight(code).looks for code in ("data[-1:]", "parse('')", "open('a').read()")]
    [True, True, True]
    """
    try:
        tree = ast.parse(code)
    except _UNREADABLE:
        return Sight()
    unread = unread_opens(tree, paths)
    reader = _Reader(nature, fixed, unread)
    # By line: several statements may stand on the one that raised, and all of them are taken as
    # run.
    body = [each for each in tree.body if each.lineno <= raised] if raised else tree.body
    reader.block(body, shown=True)
    return Sight(
        looks=reader.looks,
        acts=tuple(reader.acts),
        calls=tuple(reader.calls),
        names=tuple(dict.fromkeys(name.rpartition(".")[2] for name in reader.names)),
        words=tuple(reader.words),
        fixed=frozenset(reader.fixed_here),
        free=frozenset(reader.free_here),
        unread=frozenset((call.lineno, call.col_offset) for call in unread),
        opaque=reader.opaque,
        hides=reader.hides or reader.tests > 1,
        tests=reader.tests > 0,
        runs=tuple(reader.runs),
        starts=reader.starts,
    )


def shows(code: str) -> bool:
    """Whether the code of `python -c` shows something: what it imports may not be there, and what
    it raises says how something is.

    >>> [shows(code) for code in ("import random; print(random.random())", "1", "import a")]
    [False, False, True]
    """
    try:
        parts = [*ast.walk(ast.parse(code))]
    except _UNREADABLE:
        return True
    named = [each.name for part in parts if isinstance(part, ast.Import) for each in part.names]
    named += [part.module or "." for part in parts if isinstance(part, ast.ImportFrom)]
    tops = {name.partition(".")[0] for name in named}
    ends = any(isinstance(part, ast.Raise | ast.Assert) for part in parts)
    return ends or not tops <= {*_CLOCKS, "sys"} or sight(code).looks


class _Reader:
    def __init__(
        self,
        nature: Callable[[str], Nature],
        fixed: Collection[str],
        unread: Collection[ast.Call] = (),
    ) -> None:
        self._nature, self._unread = nature, unread
        # `_`, `In` and `Out` are IPython's own: showing one again is no look at anything new.
        self._fixed = {*fixed} | _HELD
        self._modules: dict[str, str] = {}
        self._defined: dict[str, bool] = {}  # what the code itself defines: whether it does nothing
        self.fixed_here: set[str] = set()
        self.free_here: set[str] = set()
        self.looks = self.opaque = self.hides = self.starts = False
        self.tests = 0  # calls of Python's own test runners
        self._caught = 0  # how many places are around what is read that swallow exceptions
        self._branches = 0  # how many are around what is read
        self.acts: dict[str, None] = {}
        self.runs: dict[ProgramRun, None] = {}
        self.calls: dict[str, None] = {}
        self.names: dict[str, None] = {}
        self.words: dict[str, None] = {}

    # statements

    def block(self, body: list[ast.stmt], shown: bool = False) -> None:
        for at, said in enumerate(body):
            self._statement(said, shown and at == len(body) - 1)
            if isinstance(said, _LEAVES):
                break

    def _statement(self, said: ast.stmt, last: bool) -> None:
        match said:
            case ast.Import(names=names):
                for each in names:
                    name = each.asname or each.name.partition(".")[0]
                    self._modules[name] = each.name.partition(".")[0]
                    self._bind(name, free=True)
            case ast.ImportFrom(module=module, names=names):
                for each in names:
                    name = each.asname or each.name
                    top = (module or ".").partition(".")[0]
                    # The name may have been a module before in this cell: the later import counts.
                    self._modules.pop(name, None)
                    lots = each.name in _DICE or "random" in (module or "").split(".")
                    if lots or top in _CLOCKS:
                        self._modules[name] = "random" if lots else top
                    else:
                        self._defined[name] = False
                    self._bind(name, free=True)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                idle = _is_idle(said.body)
                self._defined[name] = idle
                self._bind(name, free=not idle)
            case ast.ClassDef(name=name):
                # A class with nothing but a docstring: making one shows nothing.
                idle = all(isinstance(each, ast.Pass | ast.Expr) for each in said.body)
                self._defined[name] = idle
                self._bind(name, free=not idle)
            case ast.Assign(targets=targets, value=value):
                free = self._free(value)
                for target in targets:
                    self._bind_to(target, free)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._bind_to(target, self._free(value))
            case ast.AugAssign(target=target, value=value):
                self._bind_to(target, self._free(value) or self._quiet(target))
            case ast.Expr(value=value):
                self._expression(value, last)
            case ast.Assert(test=test):
                self.looks |= self._free(test)
            case (
                ast.For(target=target, iter=each, body=body, orelse=other)
                | ast.AsyncFor(target=target, iter=each, body=body, orelse=other)
            ):
                self._bind_to(target, self._free(each))
                # A loop over what is written out and not empty runs; over anything else it is taken
                # to.
                self._branch(_truth(each) is not False, body)
                self._branch(None, other)
            case (
                ast.While(test=test, body=body, orelse=other)
                | ast.If(test=test, body=body, orelse=other)
            ):
                self._free(test)
                self._branch(_truth(test), body)
                self._branch(_truth(ast.UnaryOp(ast.Not(), test)), other)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    free = self._free(item.context_expr)
                    if item.optional_vars is not None:
                        self._bind_to(item.optional_vars, free)
                catches = any("suppress" in ast.unparse(each.context_expr) for each in items)
                self._caught += catches
                self.block(body)
                self._caught -= catches
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=final):
                self._caught += bool(handlers)
                self.block(body)
                self._caught -= bool(handlers)
                for inner in (*(handler.body for handler in handlers), other):
                    self._branch(None, inner)
                self.block(final)
            case ast.Raise(exc=value) | ast.Return(value=value) if value is not None:
                self._free(value)
            case _:
                pass

    def _branch(self, taken: bool | None, body: list[ast.stmt]) -> None:
        """Statements of which it is known whether they are run, or is not (None)."""
        if taken is not False:
            self._branches += taken is None
            self.block(body)
            self._branches -= taken is None

    def _choice(self, values: Iterable[tuple[bool | None, ast.expr]]) -> bool:
        """The same for expressions: whether what comes of them is free."""
        free = False
        for taken, value in values:
            if taken is not False:
                self._branches += taken is None
                free = self._free(value) or free
                self._branches -= taken is None
        return free

    def _expression(self, value: ast.expr, last: bool) -> None:
        free = self._free(value)
        if not (last and free):
            return
        if isinstance(value, ast.Await):
            value = value.value
        self.looks = True
        root = _dotted(value)
        if root is not None:
            self.names[root] = None

    def _bind_to(self, target: ast.expr, free: bool) -> None:
        for each in ast.walk(target):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self._bind(each.id, free)

    def _bind(self, name: str, free: bool) -> None:
        (self._fixed.discard if free else self._fixed.add)(name)
        (self.free_here if free else self.fixed_here).add(name)
        (self.fixed_here if free else self.free_here).discard(name)

    # expressions

    def _quiet(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Name) and self._name(value.id) == "value"

    def _name(self, name: str) -> Nature:
        if name in self._fixed or _HELD_CELL.fullmatch(name):
            return "none"
        if name in self._modules:
            return "module"
        if name in self._defined:
            return "code"
        if name in self.free_here:
            return "value"
        held = self._nature(name)
        # Nobody gave it a value: then it is Python's own `len`, not data.
        if held == "value" and hasattr(builtins, name):
            return "none"
        return held

    def _free(self, value: ast.AST) -> bool:
        """Whether its value depends on something that the text does not fix; what it calls is
        noted."""
        match value:
            case ast.Constant() | ast.Lambda():
                return False
            case ast.Name(id=name):
                return self._name(name) == "value"
            case ast.Attribute(value=inner):
                if isinstance(inner, ast.Name) and self._name(inner.id) in ("module", "code"):
                    idle = self._top(inner.id) in _CLOCKS or self._defined.get(inner.id) is True
                    is_told = value.attr in ("__version__", "version", "version_info")
                    if not idle and is_told and not self._branches:
                        self.acts["versions"] = None
                    return not idle
                return self._free(inner)
            case ast.Call():
                return self._call(value)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for each in value.generators:
                    self._bind_to(each.target, self._free(each.iter))
                # A list and not `any`: each part has to be visited, as its calls are noted.
                return True in [self._free(part) for part in ast.iter_child_nodes(value)]
            case ast.comprehension():
                return True in [self._free(part) for part in (value.iter, *value.ifs)]
            case ast.IfExp(test=test, body=body, orelse=other):
                free = self._free(test)
                truth = _truth(test)
                opposite = None if truth is None else not truth
                return self._choice([(truth, body), (opposite, other)]) or free
            case ast.BoolOp(op=op, values=[first, *rest]):
                goes_on = _truth(
                    first if isinstance(op, ast.And) else ast.UnaryOp(ast.Not(), first)
                )
                return self._choice([(True, first), *((goes_on, each) for each in rest)])
            case _:
                return True in [self._free(part) for part in ast.iter_child_nodes(value)]

    def _top(self, name: str) -> str:
        return self._modules.get(name, name)

    def _call(self, call: ast.Call) -> bool:
        arguments = [*call.args, *(each.value for each in call.keywords)]
        told = _shell_call(call)
        if told is not None:
            return self._read_escape(*told)
        # A list and not `any`, as below: each argument's own calls are noted.
        given = True in [self._free(each) for each in arguments]
        if call in self._unread:
            return False
        code = [name for each in arguments if (name := self._code(each)) is not None]
        function, name = call.func, _dotted(call.func)
        root = None if name is None else name.partition(".")[0]
        is_shown = True
        if isinstance(function, ast.Name) and self._name(function.id) == "none":
            runs = given or (function.id in _OUTSIDE and self._opens(call))
            runs = runs or (function.id in _ABOUT_CODE and bool(code))
        elif isinstance(function, ast.Name) and function.id in self._defined:
            runs = given or not self._defined[function.id]
        elif root is not None and self._name(root) == "none" and root in self._fixed:
            runs = given
        elif name is not None and root is not None and self._is_clock(root, name):
            runs, is_shown = given, False
        elif name is not None and root is not None and self._is_pure(root, name):
            runs = given
        elif name is not None:
            runs = self._name(root or "") in ("module", "code", "value") or given
            line = self._started_line(call, name)
            runs = runs and (line is None or commands(line, shows).looks)
        else:
            runs = self._free(function) or given
        self.looks |= runs and is_shown
        if runs:
            self._record_call(call, name, code)
        return runs

    def _is_clock(self, root: str, name: str) -> bool:
        """Whether it tells the time, or draws lots: what it shows is new each time."""
        if self._name(root) != "module":
            return False
        return self._top(root) in _CLOCKS or not _DICE.isdisjoint(name.split("."))

    def _is_pure(self, root: str, name: str) -> bool:
        """Whether it computes of what it is given, and looks at nothing else."""
        if self._name(root) != "module":
            return False
        *_, part, last = name.split(".")
        top = self._top(root)
        return top in _PURE or (top == "os" and part == "path" and last in _PURE_PATHS)

    def _is_pythons(self, name: str) -> bool:
        """Whether it is of Python's own modules, and none that runs what it is given."""
        root, _, rest = name.partition(".")
        top = self._top(root)
        runs = top in _RUN or (top == "os" and rest.startswith((*_STARTERS, "exec", "posix_spawn")))
        return self._name(root) == "module" and top in sys.stdlib_module_names and not runs

    def _started_line(self, call: ast.Call, name: str) -> str | None:
        """The program that a call starts, where its words are written out."""
        last = name.rpartition(".")[2].lower()
        if self._top(name.partition(".")[0]) not in ("subprocess", "os") or last not in _STARTERS:
            return None
        match call.args[:1]:
            case [ast.Constant(value=str(line))]:
                return line
            case [ast.List(elts=parts) | ast.Tuple(elts=parts)]:
                words = [each.value for each in parts if isinstance(each, ast.Constant)]
                if len(words) == len(parts) and all(isinstance(each, str) for each in words):
                    return shlex.join(map(str, words))
        return None

    def _record_call(self, call: ast.Call, name: str | None, code: list[str]) -> None:
        """A call that does something: what it uses, and what that may read."""
        if self._branches:
            return
        if name is not None and self._name(name.partition(".")[0]) != "none":
            if not self._is_pythons(name):
                self.acts["run"] = None
            self.hides |= self._caught > 0
            self.calls[name] = self.names[name] = None
        for each in [*code, *filter(None, map(_dotted, call.args))]:
            self.calls[each] = self.names[each] = None
        last = (name or "").rpartition(".")[2].lower()
        texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
        words = [each for each in texts if isinstance(each, str)]
        # A text counts as a file only where the call is one that reads files.
        if last.startswith(_READING) or last.endswith(("file", "dataset")):
            self.words |= dict.fromkeys(words)
        top = self._top((name or "").partition(".")[0])
        if top in ("subprocess", "os", "pexpect", "sh", "plumbum") and last not in ("getenv",):
            lists = [each for each in call.args if isinstance(each, ast.List | ast.Tuple)]
            words += [
                shlex.quote(each.value)
                for part in lists
                for each in part.elts
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            if last in _STARTERS:
                checks = (each.value for each in call.keywords if each.arg == "check")
                checked = any(_truth(each) for each in checks)
                self.starts |= not (checked or last.startswith("check_"))
                self._read_escape("shell", " ".join(words))
        self.hides |= last.startswith(("create_subprocess", "fork", "spawn"))
        listed = [each.value for each in ast.walk(call) if isinstance(each, ast.Constant)]
        runs = not any(isinstance(each, str) and tells_of_itself(each) for each in listed)
        if top in TEST_LIBRARIES and last in TEST_RUNNERS and runs:
            self.acts["test"] = None
            self.tests += 1

    def _opens(self, call: ast.Call) -> bool:
        """Whether a call of `open` reads; of `eval` and `exec`, whether their code looks."""
        first = call.args[0] if call.args else None
        text = first.value if isinstance(first, ast.Constant) else None
        if isinstance(call.func, ast.Name) and call.func.id == "open":
            modes = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "mode")]
            mode = modes[0].value if modes and isinstance(modes[0], ast.Constant) else "r"
            if isinstance(text, str) and is_die(text):
                return False
            # A mode that is computed may read: in doubt it is a look.
            return not isinstance(mode, str) or not set(mode) & {"w", "a", "x"}
        if isinstance(text, str):
            # Code in a text may itself call `eval`: each level has a text of its own, so it ends.
            return sight(text, self._nature, self._fixed).looks
        return False

    def _code(self, value: ast.expr) -> str | None:
        """The dotted name of a function, class or module that is handed on."""
        name = _dotted(value)
        if name is None:
            return None
        return name if self._name(name.partition(".")[0]) in ("code", "module") else None

    # what is not Python

    def _read_escape(self, way: str, text: str, body: str = "") -> bool:
        """A program or a magic: `way` is its name."""
        if way == "shell" or way in _SHELLS or way in _PROGRAMS:
            line = f"{way} {text}" if way in _PROGRAMS else "\n".join((text, body))
            if way in _SHELLS:
                line = body or text
            told = commands(line, shows)
            if not self._branches:
                self.acts |= dict.fromkeys(told.acts)
                # What a magic starts is given its options, and may be told to raise nothing.
                options = text.split() if body else []
                is_hidden = self._caught or any(map(_is_option, options)) or hides_failure(line)
                # Nobody sees what a script prints.
                is_hidden = is_hidden or (way in _SCRIPTS and not shows_tests(line, None))
                self.hides |= bool(is_hidden) and not ENDING.isdisjoint(told.acts)
                self.runs |= dict.fromkeys(told.runs if way in _SCRIPTS else ())
                self.words |= dict.fromkeys(told.words)
            self.opaque |= told.looks
            self.looks |= told.looks
            return told.looks
        if way in _IDLE_MAGICS:
            return False
        if way in _PYTHONS and not shows(body or text):
            return False
        if way in ("pinfo", "pinfo2", "psource", "pdoc", "pfile", "pycat"):
            name = text.strip()
            known = self._name(name.partition(".")[0]) in ("code", "module", "value")
            top = self._top(name.partition(".")[0])
            looks = known and top not in _CLOCKS and self._defined.get(name) is not True
            if looks and not self._branches:
                self.calls[name] = self.names[name] = None
            self.looks |= looks
            return looks
        if way in _TIMED:
            code = body or text
            # Options of the magic (`%timeit -n 1 f()`) stand before the code.
            while code.startswith("-"):
                code = code.partition(" ")[2].lstrip()
            try:
                inner = ast.parse(code).body
            except _UNREADABLE:
                return False
            before = self.looks
            self.block(inner, shown=True)
            # What was seen before this magic does not make the magic itself a look.
            return self.looks and not before
        if not self._branches:
            self.acts["run"] = None
            self.words |= dict.fromkeys(text.split())
            if way in _PYTHONS and tests_in_python(body or text):
                self.acts["test"], self.hides = None, True
                self.runs |= dict.fromkeys(code_runs(["test"], body or text))
        self.opaque = self.looks = True
        return True


def _is_option(word: str) -> bool:
    """Whether it is an option of a magic; `-e` is one of the shell."""
    return word.startswith("-") and not re.fullmatch("-[eux]+", word)


def _truth(value: ast.expr) -> bool | None:
    """Whether a value that is written out counts as true; None: it is none.

    >>> [_truth(ast.parse(code).body[0].value) for code in ("0", "not 0", "[]", "[x]", "x")]
    [False, True, False, True, None]
    """
    match value:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            truth = _truth(inner)
            return None if truth is None else not truth
        case ast.Constant(value=constant):
            return bool(constant)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return bool(parts)
        case ast.Dict(keys=keys):
            return bool(keys)
        case _:
            return None


def _shell_call(call: ast.Call) -> tuple[str, str, str] | None:
    """What IPython makes of `!ls`, `%magic` and `%%magic`: its name, its line, its body."""
    function = call.func
    if not (isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call)):
        return None
    if not (isinstance(function.value.func, ast.Name) and function.value.func.id == "get_ipython"):
        return None
    texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
    words = [str(each) for each in texts]
    if function.attr in ("system", "getoutput"):
        return "shell", " ".join(words), ""
    if function.attr in ("run_line_magic", "run_cell_magic") and words:
        return (*words, "", "")[0], (*words, "", "")[1], (*words, "", "")[2]
    return None


def _dotted(value: ast.AST) -> str | None:
    """`pkg.parse.read`, where it is written so."""
    parts: list[str] = []
    while isinstance(value, ast.Attribute):
        parts.append(value.attr)
        value = value.value
    if not isinstance(value, ast.Name):
        return None
    return ".".join((value.id, *reversed(parts)))


def _is_idle(body: list[ast.stmt]) -> bool:
    """Whether a function does nothing: it gives back a constant or what it got."""
    return all(_idle_parts(each) for each in body)


def _idle_parts(said: ast.stmt) -> bool:
    if isinstance(said, ast.Pass):
        return True
    value: ast.AST | None
    if isinstance(said, ast.Expr | ast.Return | ast.Assign):
        value = said.value
        return value is None or not any(map(_works, ast.walk(value)))
    return False


def _works(part: ast.AST) -> bool:
    if isinstance(part, ast.Call):
        return not (isinstance(part.func, ast.Name) and part.func.id == "print")
    return isinstance(
        part, ast.BinOp | ast.Compare | ast.Subscript | ast.Attribute | ast.ListComp | ast.Await
    )
