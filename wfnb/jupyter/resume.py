"""the cells of a notebook, in order -> which of them have to run, so that it ends as if all had.

    ask(cell)  ->  skip it      its steps are ✓, and all that they left behind was kept
               ->  run it       first what the cells that were skipped before it left is put back
               ->  go back      that cannot be put back: those cells have to run, after all

A wrong skip is worse than a needless run. So a cell is skipped only where nothing is in doubt:

* It has steps and nothing else, each with the code that the cell has now, ended well, not stale.
* What they read is what the cells above give here. A line goes by the numbers of its steps, and has
  those of cells that were deleted: ✓ there says nothing of a notebook in which cells were moved.
* All names that they wrote were kept. What is no name (a random seed, the environment, an option of
  pandas) cannot be put back, nor what code did that could not be observed.
* What they kept was made by the versions of Python and of libraries that are here.
* No call stands alone that might set something: `time.sleep(1)` and `model.fit(x)` are known,
  `sns.set_theme()` is not, so that it runs again; nothing is assigned to a part of a module, or of
  an object that comes back by its name, or that is in a container. Nor is there a call that gave
  nothing (`x = f()`) or is only asked whether it did (`f() or 3`), that says that it sets (`old =
  signal.signal(…)`), or that is of the standard library and not known to set nothing; nor a
  decorator that may register what it is over.
* Nothing that it wrote shares an object with a name that is in the kernel already: put back by
  itself it would be a copy.

A cell that is no step always runs. What is stale is asked of the session anew at each cell, since
those that ran may have made others so.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from IPython.core.getipython import get_ipython

from wfnb.core.data_flow import ABSENT, LIBRARY, OF
from wfnb.core.session import Session, Step
from wfnb.core.staleness import sharing
from wfnb.core.step_magic_lines import is_plain, marks
from wfnb.core.validation import source as kept_source
from wfnb.dataflow.harmless_stdlib_calls import is_harmless, may_set
from wfnb.dataflow.known_functions import (
    ATTRIBUTE_SETTERS,
    DEFERRING_DECORATORS,
    HARMLESS_IF_UNUSED,
    MODULES,
    MUTATING_IF_UNUSED,
    MUTATING_METHODS,
    PURE_FUNCTIONS,
    PURE_METHODS,
    SETTER,
)
from wfnb.dataflow.process_settings import ENVIRONMENT
from wfnb.errors import NothingKept, WfnbError
from wfnb.frozen_record import record
from wfnb.values.package_versions import version_differences
from wfnb.views.kept_value_words import now_kept
from wfnb.views.step_words import refer

from . import cell_text
from .input_transform import plain_python
from .ipython_extension import load
from .notebook import Notebook

_BUILTINS = ("__builtins__", "__builtin__")
_WHOLE = ("pandas", "numpy", "polars")
"""Libraries whose values have no parts but their own."""
_FUNCTIONS = PURE_FUNCTIONS | {"sleep"}
_OF_OBJECTS = MUTATING_METHODS | MUTATING_IF_UNUSED
"""What may be called for what it shows or writes: it sets nothing of the process. A method that
changes its object (`_OF_OBJECTS`) is seen, unless its object is a part of a module."""


class Resumption:
    """One way through a notebook. `skipped` are the steps that were skipped since a cell ran, and
    `given` the versions of what they would have left."""

    def __init__(self, notebook: Notebook) -> None:
        self._notebook = notebook
        self._skipped: list[Step] = []
        self._given: dict[str, str] = {}
        self._seen: set[int] = set()
        self._asked: set[int] = set()
        self._imports: dict[str, Mapping[str, str]] = {}

    def ask(
        self, id: str | None, source: str, shown: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """What to do with the next cell: `run`, else it is skipped; `back`: first run those that
        were skipped since one ran. `shown` are the marks of what is known that it showed (None:
        that stays where it is); `mark` is that of them which it has shown last. `why` in a few
        words."""
        steps, why = self._steps(id, source)
        why = why or self._obstacle(steps, source)
        mark = _mark(steps)
        if shown is not None and mark not in shown:
            why = why or "what it showed is not known"
        if not why:
            self._skipped += steps
            for step in steps:
                self._given |= _writes(step)
            many = "steps" if len(steps) > 1 else "step"
            said = f"✓ {many} {', '.join(refer(s, 'main') for s in steps)}"
            return {"run": False, "why": said, "mark": mark}
        lost = self._put_back()
        return {"run": True, "back": bool(lost), "why": lost or why}

    @property
    def has_plain_steps(self) -> bool:
        """Whether any step of the session is a plain cell."""
        known = self._notebook.known_session()
        steps = () if known is None else known[0].steps.values()
        cells = (step.current.cell for step in steps)
        return any(cell is not None and is_plain(cell.source) for cell in cells)

    def mark(self, id: str | None, source: str) -> dict[str, Any]:
        """The mark of what the cell, which ran last, has shown; empty where it is no step."""
        self._seen -= self._asked
        steps, why = self._steps(id, source)
        return {"mark": "" if why else _mark(steps)}

    def _steps(self, id: str | None, source: str) -> tuple[list[Step], str]:
        """The steps that the cell has recorded, as it is now; else why there are none."""
        notebook = self._notebook
        self._asked = set()
        if notebook.workspace is None and notebook.find_session() is None:
            return [], "no step yet"
        session = notebook.open().log.refresh()
        found = marks(source)
        if found and cell_text.code_above_steps(source):
            return [], "code above its step"
        if not found and not is_plain(source):
            return [], "no step"
        steps = []
        for part in range(len(found) or 1):
            step = self._step(session, id, kept_source(source.rstrip()), part)
            if step is None:
                is_step = found or (notebook.record_mode.is_on() and not self._shows(source))
                return [], "new" if is_step else "no step"
            steps.append(step)
        if any(
            s.current.cell is None or s.current.cell.source != kept_source(source.rstrip())
            for s in steps
        ):
            return [], "changed"
        return steps, ""

    def _shows(self, source: str) -> bool:
        return cell_text.only_shows(plain_python(self._notebook.shell, source))

    def _step(self, session: Session, id: str | None, source: str, part: int) -> Step | None:
        keys = session.sources.get((source, part), ())
        if id is not None:
            key = session.cells.get((id, part))
        else:  # of cells that are alike, the next
            key = next((key for key in keys if key not in self._seen), None)
        if key is None:
            return None
        self._seen.add(key)
        self._asked.add(key)
        return session.steps[key]

    def _obstacle(self, steps: list[Step], source: str) -> str:
        """Why they are not skipped, in a few words; empty where they can be."""
        if not self._sets_nothing(source, steps):
            return "it may set something of the process"
        pending = {name for step in self._skipped for name in _left(step)}
        session = self._notebook.open().session
        here = self._notebook.shell.user_ns.keys() - pending
        given = dict(self._given)
        for step in steps:
            if step.flow is not None and step.flow.sets:
                return f"what it calls may set something of the process: {step.flow.sets[0]}"
            if why := _unfit(step, imports=bool(self._imported(step))) or self._other_input(
                step, given
            ):
                return why
            given |= _writes(step)
            pending |= _left(step)
            if shared := sorted((sharing(session.staleness, _left(step)) - pending) & here):
                return f"it shares an object with {shared[0]}"
        return ""

    def _other_input(self, step: Step, given: Mapping[str, str]) -> str:
        """Which name is not here what the step has read, or was confirmed for, in a few words."""
        flow = step.flow
        assert flow is not None
        read = {name: version for name, (version, _) in {**flow.aliases, **flow.reads}.items()}
        read |= {**flow.apart, **flow.unsure, **dict.fromkeys(flow.absent, ABSENT)}
        confirmed = self._notebook.open().session.staleness.confirmed.get(step.key, ())
        right = {*read.items(), *((name, v) for key, _, name, v in confirmed if key == step.key)}
        for name in sorted(read):
            if (name, given.get(name) or self._notebook.observer.version(name)) not in right:
                return f"{name} is not what it read"
        return ""

    def _sets_nothing(self, source: str, cell: Sequence[Step]) -> bool:
        """Whether each call that stands alone is known, no other says or shows that it sets, no
        decorator may register, and nothing is assigned to what does not come back as a value."""
        try:
            tree = ast.parse(plain_python(self._notebook.shell, source))
        except (SyntaxError, ValueError, RecursionError):
            return False
        steps = self._notebook.open().session.steps.values()
        paths = {name: path for step in steps for name, path in self._imported(step).items()}
        modules = {*MODULES, *_BUILTINS, *paths}
        flows = [step.flow for step in steps if step.flow is not None]
        modules.update(n for f in flows for n in f.imports if f.writes[n].startswith(LIBRARY))
        own = {name for step in steps for name in _left(step)} - modules
        kept = [value for step in cell if (found := now_kept(step)) for value in found.values]
        there = modules | {one.name for one in kept if not one.is_held or one.type == "module"}
        nothing = {one.name for one in kept if one.type == "NoneType"}
        names = _Names(standing=there, own=own, whole=set(_whole(steps)), paths=paths)
        return all(_keeps_process(each, there, own, nothing) for each in ast.walk(tree)) and all(
            _is_known(each, names) for each in _run_at_once(tree)
        )

    def _imported(self, step: Step) -> Mapping[str, str]:
        """What its cell imports, also what a library has made so that no name leads back to it: by
        its name here, that with its module."""
        source = step.current.cell.source if step.current.cell else ""
        if source not in self._imports:
            found: dict[str, str] = {}
            if "import" in source:
                with suppress(SyntaxError, ValueError, RecursionError):
                    tree = ast.parse(plain_python(self._notebook.shell, source))
                    found = {name: path for node in ast.walk(tree) for name, path in _paths(node)}
            self._imports[source] = found
        return self._imports[source]

    def _put_back(self) -> str:
        """Put back what the skipped cells left; why that is not possible, where it is not."""
        skipped, self._skipped = self._skipped, []
        given, self._given = self._given, {}
        session = self._notebook.open().session
        parts = sharing(session.staleness, _never_whole(session.steps.values()))
        settings = {name for name in given if _is_variable(name)}
        for steps in _by_line(skipped):
            left = {name for step in steps for name in _left(step)} - settings
            names = dict.fromkeys(sorted(left))
            if not names:
                continue
            # What runs below may make the rest anew, of something that has lost what it shared.
            if torn := sorted(parts & names.keys()):
                return f"{torn[0]} shares something with what does not come back whole"
            last = max(steps, key=lambda step: step.number)
            try:
                values = self._notebook.open().values
                namespace = self._notebook.shell.user_ns
                prepared = values.prepare(last, names, namespace, whole=True)
            except NothingKept as error:  # its way on, `--keep`, is none here
                return f"what step {error.step} left was not kept"
            except WfnbError as error:
                return str(error).partition("\n")[0]
            if prepared.doubts:
                return prepared.doubts[0]
            # Where cells were moved, the line gives what another of them wrote.
            for name in names:
                read = prepared.versions.get(name)
                if read is None or read[0] != given[name]:
                    return f"{name} is not kept as it is here"
            # What a function needs besides came along: no cell above gives it.
            mine = {name: value for name, value in prepared.values.items() if name in names}
            self._notebook.put(replace(prepared, values=mine))
        is_set = self._notebook.observer.is_set
        other = sorted(name for name in settings if not is_set(name, given[name]))
        return f"{other[0]} is not as the import has set it" if other else ""


def _mark(steps: Sequence[Step]) -> str:
    """Stands for what steps showed: the same code over the same input, that left the same."""
    flows = [step.flow for step in steps if step.flow is not None]
    said = [
        (flow.code, sorted((n, v) for n, (v, _) in flow.reads.items()), sorted(flow.writes.items()))
        for flow in flows
    ]
    return blake2b(repr(said).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _writes(step: Step) -> Mapping[str, str]:
    return {} if step.flow is None else step.flow.writes


def _never_whole(steps: Iterable[Step]) -> set[str]:
    """The names that come back without something."""
    found = (value for step in steps if (kept := now_kept(step)) for value in kept.values)
    return {value.name for value in found if value.without}


def _left(step: Step) -> set[str]:
    """The names that a step left with another value."""
    return set(_writes(step))


def _is_variable(name: str) -> bool:
    """Whether it is one of the environment."""
    return name.startswith(f"{ENVIRONMENT}{OF}")


def _unfit(step: Step, imports: bool) -> str:
    """Why its values alone do not stand for it. Where it `imports`, a variable of the environment
    is set again as what it imported comes back: code that sets one is never skipped."""
    flow, kept = step.flow, now_kept(step)
    if step.outcome is None or step.outcome.status != "ok":
        return step.outcome.status if step.outcome else "not ended"
    if step.stale or step.is_withdrawn or step.unrecorded:
        return "stale" if step.stale else "withdrawn" if step.is_withdrawn else "not observed"
    if flow is None or flow.unseen or not step.certain:
        return "not all that it did was observed"
    there = () if kept is None else kept.names
    lost = [
        name
        for name, version in flow.writes.items()
        if (name not in there or version == ABSENT) and not (imports and _is_variable(name))
    ]
    if lost:
        return f"{lost[0]} was not kept"
    differs = version_differences({} if kept is None else kept.environment)
    return f"{differs[0].name} was {differs[0].then}" if differs else ""


def _keeps_process(
    node: ast.AST, modules: Container[str], own: Container[str], nothing: Container[str]
) -> bool:
    """Whether a part of a cell, without what is in it, sets nothing of the process. `modules` are
    there whatever cells run, `own` are names that the notebook gives, `nothing` those that are
    None."""
    match node:
        case ast.ImportFrom(module="__future__"):  # all cells below are compiled otherwise
            return False
        case ast.Expr():
            return _is_harmless(node.value, modules, own)
        case ast.Assign(value=ast.Call()):
            return not any(isinstance(n, ast.Name) and n.id in nothing for n in node.targets)
        case ast.Call(func=ast.Attribute(attr="run_line_magic"), args=[ast.Constant(value=v), *_]):
            return v in ("step", "branch", "time")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            is_known = _root(node) in own or name in PURE_METHODS
            return is_known or not SETTER.match(name)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return all(_defers(each, own) for each in node.decorator_list)
        case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
            return _is_own(node, modules, own)
    return True


@record
class _Names:
    """What names are when a cell is looked at: `standing` are there whatever cells run; the
    notebook gives its `own`; `whole` come back with all their parts; `paths` has what is imported,
    by its name here, with its module."""

    standing: Container[str]
    own: Container[str]
    whole: Container[str]
    paths: Mapping[str, str]

    def path(self, function: ast.expr) -> str:
        """The dotted name of what is called, where no other call is in it; else nothing."""
        chain = [*_chain(function)]
        if not all(isinstance(each, ast.Name | ast.Attribute) for each in chain):
            return ""
        parts = [each.attr for each in chain if isinstance(each, ast.Attribute)]
        return ".".join([self.paths.get(_root(function), ""), *reversed(parts)])


def _is_known(node: ast.AST, names: _Names) -> bool:
    """Whether a part of what a cell runs is known to set nothing of the process: what it calls of
    the standard library, what sets attributes, and what may give nothing, as what sets does."""
    match node:
        case ast.BoolOp():
            return all(_is_asked(each, names) for each in node.values[:-1])
        case ast.UnaryOp(op=ast.Not(), operand=asked) | ast.IfExp(test=asked):
            return _is_asked(asked, names)
        case ast.Compare(comparators=[ast.Constant(value=None)]):
            return _is_asked(node.left, names)
        case ast.Call():
            if any(_last(each) in ATTRIBUTE_SETTERS for each in node.args):
                return False  # `partial(setattr, log)`
            if _last(node.func) in ATTRIBUTE_SETTERS:
                return bool(node.args) and _is_own(node.args[0], names.standing, names.own)
            return not may_set(names.path(node.func))
        case ast.Attribute(value=ast.Attribute() | ast.Subscript()) if _is_set(node):
            # Of what is in a container nobody knows whether it is there whatever cells run.
            return _root(node) in names.whole
    return True


def _is_set(node: ast.Attribute) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _last(node: ast.AST) -> str:
    """The name that it ends with."""
    return str(getattr(node, "attr", None) or getattr(node, "id", ""))


def _is_own(node: ast.expr, there: Container[str], own: Container[str]) -> bool:
    """Whether what it is of comes back as a value."""
    root = _root(node)
    # What a function gives is no name's value: `get_ipython().…`.
    is_given = any(isinstance(each, ast.Call) for each in _chain(node))
    return root not in there and (root in own or not is_given)


def _is_asked(value: ast.expr, names: _Names) -> bool:
    """Whether what is only asked whether it is something is known to set nothing."""
    if isinstance(value, ast.Call) and is_harmless(names.path(value.func)):
        return all(_is_asked(each, names) for each in value.args)
    is_own = isinstance(value, ast.Call) and _root(value) in names.own
    return is_own or _is_harmless(value, names.standing, names.own)


def _run_at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts of code that run with it. What is in a function is looked for where it is called
    (`Flow.sets`)."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                waiting += [*node.decorator_list, node.args]
            case ast.Lambda():
                waiting.append(node.args)
            case _:
                waiting += ast.iter_child_nodes(node)


def _paths(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What an import binds, each with the module that it is of."""
    match node:
        case ast.Import():
            for one in node.names:
                first = one.name.partition(".")[0]
                yield one.asname or first, one.name if one.asname else first
        case ast.ImportFrom():
            for one in node.names:
                yield one.asname or one.name, f"{'.' * node.level}{node.module or ''}.{one.name}"


def _whole(steps: Iterable[Step]) -> Iterator[str]:
    """The names whose values have no parts but their own, as those of a frame are."""
    for step in steps:
        kept = now_kept(step)
        for one in () if kept is None else kept.values:
            if one.type.partition(".")[0] in _WHOLE:
                yield one.name


def _defers(decorator: ast.expr, own: Container[str]) -> bool:
    """Whether a decorator is one of the notebook's own, or known to register nothing."""
    found = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = getattr(found, "attr", None) or getattr(found, "id", "")
    return name in DEFERRING_DECORATORS or _root(decorator) in own


def _is_harmless(value: ast.expr, modules: Container[str], own: Container[str]) -> bool:
    """Whether an expression that stands alone sets nothing of the process. `own` are names that the
    notebook gives: its function `print` may do anything."""
    match value:
        case ast.Await() | ast.Yield() | ast.YieldFrom():
            return False
        case ast.Call(
            func=ast.Attribute(attr="run_line_magic"),
            args=[ast.Constant(value="step" | "branch"), *_],
        ):  # what a line `%%step …` becomes
            return True
    for call in (node for node in ast.walk(value) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id=name) if name in _FUNCTIONS and name not in own:
                pass
            case ast.Attribute(attr=name) if name in HARMLESS_IF_UNUSED:
                pass
            case ast.Attribute(attr=name) if name in _OF_OBJECTS and _root(call) not in modules:
                pass
            case _:
                return False
    return True


def _root(node: ast.AST) -> str:
    """The name that it begins with: `sys` of `sys.path[0]`."""
    *_, last = _chain(node)
    return last.id if isinstance(last, ast.Name) else ""


def _chain(node: ast.AST) -> Iterator[ast.AST]:
    """It, and what it is a part of, down to the first."""
    while True:
        yield node
        match node:
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Starred(value=inner):
                node = inner
            case ast.Call(func=inner):
                node = inner
            case _:
                return


def _by_line(steps: list[Step]) -> Iterator[list[Step]]:
    """Steps in their order, those of one line that follow each other together."""
    found: list[Step] = []
    for step in steps:
        if found and found[-1].branch != step.branch:
            yield found
            found = []
        found.append(step)
    if found:
        yield found


class Reply(dict[str, Any]):
    """What a front end or a program gets that evaluates `ask(…)` as an expression."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"application/json": dict(self), "text/plain": repr(dict(self))}


_GOING: dict[int, Resumption] = {}
"""The way through each kernel's notebook that was begun last."""


def ask(said: str) -> Reply:
    """`said` is JSON: `{"begin": …}`, whether plain cells are to be recorded (null: if any was), or
    `{"ask": …}` or `{"mark": …}` with the arguments of these methods of `Resumption`, or `{"end":
    …}`. wfnb is loaded where it is not."""
    shell: Any = get_ipython()
    asked = json.loads(said)
    notebook = load(shell).notebook
    if "begin" in asked:
        going = Resumption(notebook)
        notebook.keeps_going = (
            going.has_plain_steps if asked["begin"] is None else bool(asked["begin"])
        )
        _GOING[id(shell)] = going
        return Reply()
    if "end" in asked:
        notebook.keeps_going = False
        return Reply()
    going = _GOING[id(shell)]
    return Reply(going.ask(**asked["ask"]) if "ask" in asked else going.mark(**asked["mark"]))
