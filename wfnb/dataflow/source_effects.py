"""Python source -> the global names that running it reads, binds, deletes and changes in place.

The source is what IPython's transform gives. Nothing is run and nothing is imported, so this is
what the code shows; where it cannot be sure it says more names rather than fewer. It cannot see
objects that two names of different cells share, what unknown functions do to their arguments
(`passes` says which objects they get), and what `opaque` names.

Built-in names count as any other: a notebook may have bound them. A module that a method is called
on counts as its object; who knows the value can drop it from `passes` and `mutates`, and likewise
numbers and texts, which nothing changes.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Any

from wfnb.dataflow.bytecode_effects import Uses
from wfnb.dataflow.constant_names import FIXED_FIRST, fixed_names
from wfnb.dataflow.effect_visitor import BOUND, DELETED, UNTOUCHED, Visitor
from wfnb.dataflow.effects import Body, Effects, Key, unknown_body
from wfnb.dataflow.known_functions import (
    PURE_FUNCTIONS,
    PURE_METHODS,
    SEEN_FUNCTIONS,
    words,
)
from wfnb.dataflow.module_attribute_mentions import Mentions, mentions
from wfnb.frozen_record import record

NOTHING: frozenset[str] = frozenset()
Callees = tuple[tuple[str, tuple[str, ...]], ...]
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError, UnicodeError)


@record
class DeferredEffects:
    """What calling a function, a class or a lambda of the cell may do to global names.

    `mutated_parameters` holds each parameter as callers may write it: its position, its name,
    `"*"` for all further positions, `"**"` for all further keywords.
    """

    reads: frozenset[str] = NOTHING
    may_write: frozenset[str] = NOTHING
    mutates: frozenset[str] = NOTHING
    passes: frozenset[str] = NOTHING
    mutated_parameters: tuple[int | str, ...] = ()
    opaque: frozenset[str] = NOTHING


@record
class Code:
    """What running the code does to global names."""

    reads: frozenset[str] = NOTHING
    """Their value from before matters."""
    late: frozenset[str] = NOTHING
    """Those of `reads` that are read only after what may have bound them, so that it matters only
    where that has not."""
    writes: frozenset[str] = NOTHING
    """Bound on every path that ends normally."""
    may_write: frozenset[str] = NOTHING
    """Bound or deleted on some path."""
    deletes: frozenset[str] = NOTHING
    """Certainly gone at the end; of `may_write`."""
    mutates: frozenset[str] = NOTHING
    """Their object changes in place."""
    passes: frozenset[str] = NOTHING
    """Their object goes to code that may change or keep it."""
    functions: Mapping[str, DeferredEffects] = field(default_factory=lambda: MappingProxyType({}))
    """What is defined and runs when its name is used."""
    fixed: frozenset[str] = NOTHING
    """Of `writes`, those that it binds to the same, whatever it reads."""
    mentions: Mentions = Mentions()
    """What it says of attributes of modules, and of random seeds."""
    opaque: frozenset[str] = NOTHING
    """What cannot be seen."""
    syntax: bool = True
    normal: str = ""
    """The code without comments, quotes and layout."""

    def calls_unseen(self, called: Iterable[Uses], names: Mapping[str, Any]) -> bool:
        """Whether it, or code of the notebook that it may call, calls what is not seen, and may
        get its data from elsewhere. One that calls a function of a library, or of a module, may
        read a file, a database, a clock; and a name is all that is known.

        >>> [analyze(text).calls_unseen((), {}) for text in ("x = sorted([2])", "x = load(1)")]
        [False, True]
        """
        own_mentions, uses = self.mentions, [*called]
        own = own_mentions.own.union((each.name for each in uses), *(each.writes for each in uses))
        calls = own_mentions.calls.union(*(each.calls for each in uses))
        loaded = own_mentions.loaded.union(*(each.reads for each in uses))
        attributes = own_mentions.attributes.union(*(each.attributes for each in uses))
        # What is only named may be called by what it is handed to: `map(load, paths)`.
        more = {n for n in loaded if callable(names[n] if n in names else vars(builtins).get(n))}
        # Where a call is unseen already, it makes no difference what else is.
        for root, chain in attributes if calls <= SEEN_FUNCTIONS | own else ():
            value = names.get(root)
            parts = chain.split(".") if type(value) is ModuleType else ()
            for part in parts:
                value = vars(value).get(part) if type(value) is ModuleType else None
            more |= {parts[-1]} if parts and callable(value) else set()
        return not (self.syntax and calls | more <= SEEN_FUNCTIONS | own)


@lru_cache(maxsize=2048)
def analyze(code: str, callees: Callees = ()) -> Code:
    """What the code does to global names. Never raises: unreadable code has `syntax=False`.
    `callees` are names that hold functions of other cells, each with the names that it reads: it
    may call what this code defines, and read what it has bound by then."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # running the cell gives them
            tree = ast.parse(code)
        normal = normalize(tree)
        visitor = Visitor(walrus=":=" in code)
        visitor.functions.update((name, [unknown_body(Effects(reads))]) for name, reads in callees)
        visitor.block(tree.body)
        called = {name for _, reads in callees for name in reads}
        is_shown = not code.rstrip().endswith(";")  # as IPython has it
        tree_mentions = mentions(tree, visitor.trees, called, is_shown)
        first = next(iter(tree.body), None)
        # Code in a text, and all that a module has, may bind any of them again.
        is_fixed = isinstance(getattr(first, "value", first), FIXED_FIRST)
        is_fixed = is_fixed and not (visitor.trees or tree_mentions.stars)
        return _result(visitor, tree_mentions, normal, fixed_names(tree) if is_fixed else NOTHING)
    except UNREADABLE:
        return Code(opaque=frozenset({"syntax"}), syntax=False, normal=code)


def _result(visitor: Visitor, mentions: Mentions, normal: str, fixed: frozenset[str]) -> Code:
    result = visitor.result
    state = visitor.state
    touched = visitor.touched
    writes, deletes = set(), set()
    # Otherwise no path comes to the end of the code, and nothing is surely bound there.
    if state is not None:
        for name in touched:
            mask = state.get(name, UNTOUCHED)
            if mask == BOUND and name not in visitor.unsure:
                writes.add(name)
            elif mask == DELETED:
                deletes.add(name)
    return Code(
        reads=frozenset(result.reads),
        late=frozenset(visitor.read_if_unbound - visitor.used_otherwise),
        writes=frozenset(writes),
        may_write=frozenset(touched - writes),
        deletes=frozenset(deletes),
        mutates=frozenset(result.mutates),
        passes=frozenset(result.passes),
        functions=MappingProxyType(
            {
                name: _deferred_effects(visitor, bodies)
                for name, bodies in visitor.functions.items()
                if name in touched
            }
        ),
        fixed=fixed & writes,
        mentions=mentions,
        opaque=frozenset(result.opaque),
        normal=normal,
    )


_GIVE_NO_PART = words("print display len str repr int float isinstance type")
_KEEPERS = (
    *(ast.Starred, ast.Lambda, ast.NamedExpr, ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor),
    *(ast.withitem, ast.comprehension, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Call, ast.Return, ast.Yield, ast.YieldFrom, ast.Match),
)
"""What may go on using what a function gave."""
_Calls = frozenset[tuple[str, Key]]


def names_handed(code: str) -> dict[str, _Calls]:
    """Names that code which can be read uses only as arguments of functions: which function, and
    which argument. Where the function may give what it got, and the code goes on using that, it is
    no such argument. None where magics have texts of their own.

    >>> names_handed("y = draw(df.x, ax, m=m)\\nz = top(b)\\nax.plot(z)")
    {'m': frozenset({('draw', 'm')}), 'df': frozenset({('draw', 0)})}
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(code)
    every = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    loads = {node.id for node in every if node.ctx.__class__ is ast.Load}
    if "get_ipython" in loads:
        return {}
    found: dict[str, _Calls] = {}
    otherwise: set[str] = set()
    # Beside each node the calls that it is handed to; None: used otherwise, and so is all below it.
    waiting: list[tuple[ast.AST, _Calls | None]] = [(tree, frozenset())]
    while waiting:
        node, calls = waiting.pop()
        parts = ast.iter_child_nodes(node)
        match node:
            case ast.Name(id=name):
                otherwise |= set() if calls else {name}
                found[name] = found.get(name, frozenset()) | (calls or frozenset())
                continue
            case ast.Call(func=ast.Name(id=name)) if calls is not None and (
                name not in PURE_FUNCTIONS or name in _GIVE_NO_PART
            ):
                arguments: list[tuple[Key, ast.AST]] = [*enumerate(node.args)]
                arguments += [(word.arg or "**", word.value) for word in node.keywords]
                waiting += [(part, calls | {(name, key)}) for key, part in arguments]
                continue
            case ast.Call(func=ast.Attribute(attr=name)) if name in PURE_METHODS:
                pass
            case ast.Assign(targets=targets) if not any(
                getattr(each, "id", "") in loads or isinstance(each, (ast.Attribute, ast.Subscript))
                for target in targets
                for each in ast.walk(target)
            ):
                pass
            case ast.Assign():
                calls = None
            case _ if isinstance(node, _KEEPERS):
                calls = None
        waiting += [(part, calls) for part in parts]
    return {name: calls for name, calls in found.items() if name not in otherwise}


def _deferred_effects(visitor: Visitor, bodies: list[Body]) -> DeferredEffects:
    together = Effects()
    mutated: list[Key] = []
    for body in bodies:
        changes, passes = visitor.through_calls(body)
        own = body.parameters.all()
        effects = body.effects
        together.reads |= effects.reads
        together.writes |= effects.writes | effects.deletes
        together.mutates |= effects.mutates | (changes - own)
        together.passes |= effects.passes | (passes - own)
        together.opaque |= effects.opaque
        mutated += body.parameters.keys(changes)
    return DeferredEffects(
        reads=frozenset(together.reads),
        may_write=frozenset(together.writes),
        mutates=frozenset(together.mutates),
        passes=frozenset(together.passes),
        mutated_parameters=tuple(dict.fromkeys(mutated)),
        opaque=frozenset(together.opaque),
    )


def normalize(tree: ast.Module) -> str:
    """The tree as text, without positions, and without texts that stand alone as comments do."""
    out: list[str] = []
    for statement in tree.body:
        match statement:
            case ast.Expr(value=ast.Constant(value=str())):
                continue
        _write(statement, out)
    return " ".join(out)


def _write(node: Any, out: list[str]) -> None:
    """Fields that are absent or empty are left out: newer versions of Python have more of them."""
    kind = node.__class__
    if kind is ast.Name:
        out.append(node.id)
        return
    if kind is ast.Constant:
        out.append(repr(node.value))
        return
    if kind is ast.Attribute:
        out.append("(.")
        _write(node.value, out)
        out.append(node.attr)
        out.append(")")
        return
    out.append("(" + kind.__name__)
    for name in node._fields:
        value = getattr(node, name, None)
        if value is None or name == "ctx":
            continue
        if isinstance(value, ast.AST):
            out.append(name)
            _write(value, out)
        elif value.__class__ is list:
            if value:
                out.append("[" + name)
                for item in value:
                    if isinstance(item, ast.AST):
                        _write(item, out)
                    else:  # no default, `**`: nothing that an expression is written as
                        out.append("-" if item is None else repr(item))
                out.append("]")
        else:
            out.append(f"{name}={value!r}")
    out.append(")")
