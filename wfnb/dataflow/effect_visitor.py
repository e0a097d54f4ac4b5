"""Syntax tree -> the effects of running it, by one walk that knows scopes and control flow.

At the top level and in class bodies each name has a mask: which of *not touched yet*, *bound* and
*deleted* it may be at this point. Branches join their masks by `or`. A name that may be untouched
when it is loaded is read from before the cell. A loop needs no second walk: a mask is either
replaced or widened, so going round again adds nothing to `entry | after one turn`; only functions
that the loop itself defines make it walk twice.

Function bodies are collected when they are defined, in names of the scope around them, and count
when their name is loaded: nobody knows when a function that was handed on is called, but not
before that. Locals of a function need no masks: a name that is bound anywhere in it is local.

Tried and given up: the standard `symtable` module (slower than the whole walk, and silent about
the order of events).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from wfnb.dataflow import known_functions, magic_parser
from wfnb.dataflow.construction_methods import base_methods, construction, methods
from wfnb.dataflow.effects import (
    CLASS,
    COMPREHENSION,
    FUNCTION,
    MODULE,
    Body,
    Effects,
    Key,
    Parameters,
    Scope,
    closure,
    unknown_body,
)

BEFORE: Final = "\0"  # marks the object that a name had before the cell, among names
CONTENT: Final = "\1"  # marks, among names, what lies in the container of a name
UNTOUCHED: Final = 1
BOUND: Final = 2
DELETED: Final = 4

MaskKey = str | tuple[Scope, str]  # a global name, or a name of a class body that is running
State = dict[MaskKey, int]
Node = (
    Any  # of the syntax tree; its kind is told by its class, which the type checker cannot follow
)

AT_NAME = re.compile(r"@([^\W\d]\w*)")
FROM_NAME = re.compile(r"\b(?:from|join)\s+([^\W\d]\w*)", re.IGNORECASE)
JUMPS = (ast.Return, ast.Raise, ast.Break, ast.Continue)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
# NumPy and pandas copy what a mask or a list of places selects: who changes that changes no other.
MASK_SUBSCRIPTS = (ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.List, ast.ListComp)


class Loop:
    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: list[State] = []
        self.continues: list[State] = []


def join(one: State | None, other: State | None) -> State | None:
    """What may hold after either; `None` is a path that does not come here. May change `one`."""
    if one is None:
        return other
    if other is None or one is other:
        return one
    for key in one.keys() | other.keys():
        # A path without a mask for a name has not touched it, which is one of the things that may
        # be so.
        one[key] = one.get(key, UNTOUCHED) | other.get(key, UNTOUCHED)
    return one


class Visitor:
    """Walks one cell. What it finds is in `module.effects`, `touched`, `state` and `functions`."""

    def __init__(self, walrus: bool) -> None:
        self.walrus = walrus  # without one no expression binds a name, and needs no masks
        self.module = self.scope = Scope(MODULE)
        self.result = self.module.effects
        self.functions = self.module.functions
        self.state: State | None = {}
        self.touched: set[str] = set()
        self.unsure: set[str] = set()  # deleted by a function, which may run at any time
        self.reached: set[str] = set()  # read by a function that may already run
        # `if c: x = 1` and then `x`: read from before the cell only where `c` was false. A name in
        # both sets is read or bound elsewhere, too, and that read proves nothing.
        self.read_if_unbound: set[str] = set()
        self.used_otherwise: set[str] = set()
        self.modules: set[str] = set()  # bound by `import` in this cell
        self.imported: set[str] = set()  # bound by `from … import` in this cell
        self.watched: list[dict[MaskKey, int]] = []  # masks inside `try`, for its handlers
        self.loops: list[Loop] = []
        # Names whose objects change, or are passed, in loops and in functions that may run. A later
        # turn or call does the same to the object that they are bound to by then.
        self.loop_effects: list[tuple[str, str]] = []
        self.function_effects: dict[str, set[str]] = {"mutates": set(), "passes": set()}
        self.depth = 0  # of statements that may not run, or run again
        self.private = ""
        self.lambdas: dict[int, Body] = {}  # by the `id` of their nodes,
        self.comprehensions: dict[int, set[str]] = {}  # whose parts they hold, by the same
        self.trees: list[ast.Module | None] = []  # which live as long
        self.defined = 0
        self.named_construction: ast.Call | None = None  # the call whose new object gets a name

    # ---- names

    def mangle(self, name: str) -> str:
        if self.private and name.startswith("__") and not name.endswith("__"):
            return f"_{self.private}{name}"
        return name

    def load(self, name: str) -> None:
        """Reads a name where Python finds it: outwards from this scope, class bodies only where the
        code stands directly in them."""
        if self.private:
            name = self.mangle(name)
        scope: Scope | None = self.scope
        inner = False
        while scope is not None:
            kind = scope.kind
            if kind == MODULE:
                self.load_global(name)
                return
            if kind == FUNCTION:
                target = scope.global_effects if name in scope.globals else scope.effects
                target.reads.add(name)
                return
            if kind == COMPREHENSION:
                if name in scope.locals:
                    return
                # Python hides the names of a class body from the scopes within it.
                inner = True
            elif not inner and name not in scope.globals:
                mask = (self.state or {}).get((scope, name), UNTOUCHED)
                if name in scope.functions and self.module_runs():
                    self.pull(scope.functions[name])
                if mask == BOUND:
                    return
                if name in scope.locals:  # then it is global, whatever a function around calls so
                    host = self.host(scope)
                    if host is not self.module:
                        host.global_effects.reads.add(name)
                        return
                    scope = host
                    continue
                inner = True
            scope = scope.parent

    def load_global(self, name: str) -> None:
        """Reads a global name: from before the cell where it may not be bound yet. A function of
        that name may run from here on."""
        state = self.state
        mask = UNTOUCHED if state is None else state.get(name, UNTOUCHED)
        if mask & UNTOUCHED:
            self.result.reads.add(name)
            # In a loop a later turn may bind what an earlier one has read from before.
            (
                self.read_if_unbound
                if mask == UNTOUCHED | BOUND and not self.loops
                else self.used_otherwise
            ).add(name)
            if name in known_functions.OPAQUE_NAMES or name in known_functions.OPAQUE_AT_TOP:
                self.result.opaque.add(name)
        if name in self.functions:
            self.pull(self.functions[name])

    def module_runs(self) -> bool:
        """Whether what is visited runs now, and not in a function that is called later."""
        scope: Scope | None = self.scope
        while scope is not None:
            if scope.kind == FUNCTION:
                return False
            scope = scope.parent
        return True

    def pull(self, bodies: Iterable[Body]) -> None:
        """A function may run from here on: what its body does may happen now."""
        todo = list(bodies)
        seen: set[int] = set()
        result = self.result
        while todo:
            body = todo.pop()
            if id(body) in seen:
                continue
            seen.add(id(body))
            effects = body.effects
            state = self.state if self.state is not None else {}
            # Nobody knows when the function runs: none of its names is surely read after it was
            # bound.
            self.used_otherwise |= effects.reads | effects.writes | effects.deletes
            for name in effects.reads:
                if state.get(name, UNTOUCHED) & UNTOUCHED:
                    result.reads.add(name)
                    if name in known_functions.OPAQUE_NAMES:
                        result.opaque.add(name)
                self.reached.add(name)
                if name in self.functions:
                    todo.extend(self.functions[name])
            for name in effects.writes:
                self.touched.add(name)
                self.event(name, state.get(name, UNTOUCHED) | BOUND)
            for name in effects.deletes:
                self.touched.add(name)
                self.unsure.add(name)
                self.event(name, state.get(name, UNTOUCHED) | DELETED)
            for what in ("mutates", "passes"):
                for name in getattr(effects, what):
                    self.function_effects[what].add(name)
                    self.mark_global(what, name)
            result.opaque |= effects.opaque
            if effects.calls:
                self.apply_calls_within(body)

    def event(self, key: MaskKey, mask: int) -> None:
        """The name is bound or deleted here, and has this mask from here on."""
        if key in self.read_if_unbound:
            # Bound again after the read: that it is bound at the end does not say that it was
            # before.
            self.used_otherwise.add(str(key))
        if self.state is not None:
            self.state[key] = mask
        for watched in self.watched:
            # An exception may come after any of these events, so none of them takes the place of
            # another.
            watched[key] = watched.get(key, 0) | mask

    def bind(
        self,
        name: str,
        origins: set[str] | None = None,
        bodies: list[Body] | None = None,
        contents: set[str] | None = None,
    ) -> None:
        """The name gets an object: one that `origins` have, or a new one in which objects of
        `contents` lie. `bodies` are the functions that run when the name is used."""
        name = self.mangle(name)
        scope = self.scope
        while scope.kind == COMPREHENSION and scope.parent is not None:
            scope = scope.parent  # a walrus binds in the scope around
        origins = origins or set()
        contents = contents or set()
        if scope.kind == FUNCTION:
            if name in scope.globals:
                scope.global_effects.writes.add(name)
            elif name not in scope.nonlocals:
                scope.locals.add(name)
                if bodies:
                    scope.functions.setdefault(name, []).extend(bodies)
            self.rename(scope, name, origins, contents)
            return
        if scope.kind == CLASS and name not in scope.globals:
            if name not in scope.nonlocals:
                self.event((scope, name), BOUND)
                scope.aliases.setdefault(name, set()).update(origins)
                if contents:
                    scope.aliases.setdefault(CONTENT + name, set()).update(contents)
                if bodies:
                    scope.functions[name] = bodies
            return
        if not self.module_runs():
            self.host(scope).global_effects.writes.add(name)
            return
        self.touched.add(name)
        self.modules.discard(name)
        self.imported.discard(name)
        if bodies is not None:
            self.defined += 1
            # On some path the name still holds the function from before.
            if self.depth or self.state is None:
                self.functions.setdefault(name, []).extend(bodies)
            else:
                self.replace(name)
                self.functions[name] = list(bodies)
            # A function that may run already calls this one by its name, from here on.
            if name in self.reached:
                self.pull(bodies)
        elif not self.depth:
            self.replace(name)
        self.event(name, BOUND)
        aliases = self.module.aliases
        for key, shared in ((name, origins), (CONTENT + name, contents)):
            if self.depth:
                shared = shared | aliases.get(key, set())
            if shared:
                aliases[key] = shared
            else:
                aliases.pop(key, None)
        for what, names in self.function_effects.items():
            if name in names:
                self.mark_aliases(what, name)

    def replace(self, name: str) -> None:
        """A function is gone; functions of earlier cells may have called it by its name."""
        if bodies := self.functions.pop(name, None):
            self.pull(bodies)

    def rename(self, scope: Scope, name: str, origins: set[str], contents: set[str]) -> None:
        """A local that is certain to be another object from here on is another name."""
        current = scope.renamed.get(name, name)
        if (
            not self.depth
            and current not in origins
            and (current in scope.parameters or current in scope.aliases)
        ):
            scope.renamed[name] = current = current + "'"
            scope.locals.add(current)
        if origins:
            scope.aliases.setdefault(current, set()).update(origins - {current})
        if contents:
            scope.aliases.setdefault(CONTENT + current, set()).update(contents)

    # `del x` fails where `x` is not there, so that it reads the name first.
    def unbind(self, name: str) -> None:
        """`del name`."""
        self.load(name)
        name = self.mangle(name)
        scope = self.scope
        if scope.kind == FUNCTION:
            if name in scope.globals:
                scope.global_effects.deletes.add(name)
            elif name not in scope.nonlocals:
                scope.locals.add(name)
            return
        if scope.kind == CLASS and name not in scope.globals:
            self.event((scope, name), DELETED)
            return
        if not self.module_runs():
            self.host(scope).global_effects.deletes.add(name)
            return
        self.touched.add(name)
        self.event(name, DELETED)
        if not self.depth:
            self.replace(name)
            self.module.aliases.pop(name, None)

    def host(self, scope: Scope) -> Scope:
        """The function, or the module, in which a class body or a comprehension runs."""
        while scope.kind in (CLASS, COMPREHENSION) and scope.parent is not None:
            scope = scope.parent
        return scope

    # ---- objects

    def sources_of(self, node: Node, part: bool = False) -> set[str]:
        """The names whose object, or a part of whose object, the expression may give.

        `x if c else y.rows[0]` has the sources `x` and `y`; `x + y` is new and has none.
        With `part`, the caller takes a part of the value, so that what lies in it counts as well.
        """
        found: set[str] = set()
        todo = [(node, part)]
        while todo:
            node, part = todo.pop()
            kind = node.__class__
            if kind is ast.Name:
                name = self.mangle(node.id)
                found.add(name)
                if part:
                    found.add(CONTENT + name)
            elif kind is ast.Attribute:
                todo.append((node.value, True))
            elif kind in (ast.Starred, ast.NamedExpr, ast.Await):
                todo.append((node.value, part))
            elif kind is ast.Subscript:
                whole = node.slice
                indices = whole.elts if whole.__class__ is ast.Tuple else [whole]
                if not any(isinstance(i, MASK_SUBSCRIPTS) and not negative(i) for i in indices):
                    todo.append((node.value, True))
            elif kind is ast.IfExp:
                todo += ((node.body, part), (node.orelse, part))
            elif kind is ast.BoolOp:
                todo += ((value, part) for value in node.values)
            elif kind is ast.Call:
                func = node.func
                if part:
                    found |= self.content_sources(node)
                if self.last_name(func) in known_functions.VIEW_FUNCTIONS and (
                    func.__class__ is ast.Name or self.module_name(func.value)
                ):
                    todo += ((arg, True) for arg in node.args)
                elif func.__class__ is ast.Attribute and func.attr in known_functions.PART_METHODS:
                    todo.append((func.value, True))
                elif func.__class__ is ast.Name and func.id in known_functions.PART_FUNCTIONS:
                    todo += ((arg, True) for arg in node.args)
            elif part and kind in COMPREHENSIONS:
                found |= self.comprehensions.get(id(node), set())
        return found

    def element_sources(self, node: Node) -> set[str]:
        """The names whose object has parts that iterating over the expression may give: `x` of `x`,
        of `sorted(x)` and of `[x]`."""
        return self.sources_of(node, part=True) | self.content_sources(node)

    def content_sources(self, node: Node) -> set[str]:
        """Where the expression makes a container: the names whose object is in it, or has a part in
        it. `[x]`, `list(x)` and `[row for row in x]` all give `x`; `x` itself gives none."""
        kind = node.__class__
        if kind in COMPREHENSIONS:
            return self.comprehensions.get(id(node), set())
        if kind is ast.BinOp:
            return self.element_sources(node.left) | self.element_sources(node.right)
        found = self.item_sources(node)
        if kind in (ast.List, ast.Tuple, ast.Set):
            for item in node.elts:
                found |= self.element_sources(item.value if item.__class__ is ast.Starred else item)
        elif kind is ast.Call:
            func = node.func
            if func.__class__ is ast.Attribute and func.attr in known_functions.ITERATING_METHODS:
                found |= self.element_sources(func.value)
            elif self.last_name(func) in known_functions.ITERATING_FUNCTIONS:
                for arg in node.args:
                    found |= self.element_sources(arg)
        return found

    def item_sources(self, node: Node) -> set[str]:
        """Where the expression makes a container: the names whose whole object is an item of it:
        `x` of `[x]` and of `{"a": x}`, and none of `list(x)`."""
        kind = node.__class__
        parts: Sequence[Node] = ()
        if kind in (ast.List, ast.Tuple, ast.Set):
            parts = node.elts
        elif kind is ast.Dict:
            parts = node.values
        elif kind in (ast.Starred, ast.NamedExpr, ast.Await):
            return self.item_sources(node.value)
        elif kind is ast.IfExp:
            return self.item_sources(node.body) | self.item_sources(node.orelse)
        elif kind is ast.Call:
            func = node.func
            if func.__class__ is ast.Name and func.id in known_functions.HOLDING_FUNCTIONS:
                parts = [word.value for word in node.keywords]
        found: set[str] = set()
        for part in parts:
            if part is not None and part.__class__ is not ast.Starred:
                found |= self.sources_of(part)
                found |= self.item_sources(part)
        return found

    def mark(self, what: str, names: Iterable[str], scope: Scope | None = None) -> None:
        """Objects of these names are changed in place (`mutates`), or passed on (`passes`)."""
        for name in names:
            self.mark_one(what, name, scope or self.scope)

    def mark_one(self, what: str, name: str, scope: Scope) -> None:
        """`mark`, in the function that the scope belongs to, or at the top level."""
        host = self.host(scope)
        if host is self.module and scope is host:
            self.mark_global(what, name)
            return
        for origin in self.origins((name,), scope):
            if host.kind == FUNCTION:
                inside = host.global_effects if origin in host.globals else host.effects
                getattr(inside, what).add(origin)
            else:
                self.mark_global(what, origin)

    def origins(self, names: Iterable[str], scope: Scope | None = None) -> set[str]:
        """Whose objects these names have now, in the function or module that runs.

        In a function that is the names of its variables; at the top level the names before the
        cell, with a mark. Inside branches and loops a name's own object may be yet another one
        when it matters, so there the name stands for itself too.
        """
        found: set[str] = set()
        scope = scope or self.scope
        for name in names:
            if name[0] == BEFORE:
                found.add(name)
            elif scope.kind == FUNCTION:
                mark, plain = (CONTENT, name[1:]) if name[0] == CONTENT else ("", name)
                found.add(mark + scope.renamed.get(plain, plain))
            elif scope.kind == COMPREHENSION and name in scope.locals:
                found |= scope.aliases.get(name, set())
            elif scope.parent is not None:
                if scope.kind == CLASS:
                    mask = (self.state or {}).get((scope, name.lstrip(CONTENT)), UNTOUCHED)
                    if mask & BOUND:
                        found |= scope.aliases.get(name, set())
                    if mask == BOUND:
                        continue
                outer = scope.parent
                while outer.kind == CLASS and outer.parent is not None:
                    outer = outer.parent  # inner scopes do not see the names of a class body
                found |= self.origins((name,), outer)
            else:
                if name[0] != CONTENT and (self.state or {}).get(name, 1) & UNTOUCHED:
                    found.add(BEFORE + name)
                found |= self.module.aliases.get(name, set())
                if self.depth:
                    found.add(name)
        return found

    def mark_global(self, what: str, name: str) -> None:
        """The object counts if it is one from before the cell; others the cell has made."""
        found: set[str] = getattr(self.result, what)
        if name[0] == BEFORE:
            found.add(name[1:])
            return
        if name[0] != CONTENT and (self.state or {}).get(name, UNTOUCHED) & UNTOUCHED:
            found.add(name)
        self.mark_aliases(what, name)
        if self.loops:
            self.loop_effects.append((what, name))

    def mark_aliases(self, what: str, name: str) -> None:
        """The object may be one that other names had before the cell: it counts for those, too."""
        aliases = self.module.aliases
        if name in aliases:
            reached = closure(aliases[name], aliases)
            getattr(self.result, what).update(n[1:] for n in reached if n[0] == BEFORE)

    # ---- calls of functions that the cell defines

    def apply_calls_within(self, body: Body) -> None:
        """A function runs: mark what its own calls do to the global names that it hands them."""
        mutated, passed = self.through_calls(body)
        own = body.parameters.all()
        self.mark("mutates", mutated - own, self.module)
        self.mark("passes", passed - own, self.module)

    def through_calls(self, body: Body) -> tuple[set[str], set[str]]:
        """Names of the body, parameters among them, that it or what it calls changes or passes."""
        known: dict[int, tuple[set[str], set[str]]] = {}
        size = -1
        # What functions that call each other do to an argument takes several rounds to come back.
        while size != (size := sum(len(m) + len(p) for m, p in known.values())):
            self.spread(body, known, set())
        return known[id(body)]

    def spread(
        self, body: Body, known: dict[int, tuple[set[str], set[str]]], active: set[int]
    ) -> tuple[set[str], set[str]]:
        """One round of `through_calls`: add to `known`, by body, what each called one changes or
        passes of its arguments. `active` are the bodies on the way down, which calls in a circle
        meet again: those give what the round before has found."""
        mutated, passed = known.setdefault(id(body), (set(body.mutated), set(body.passed)))
        if id(body) in active:
            return mutated, passed
        active.add(id(body))
        for name, arguments in body.effects.calls:
            bodies = self.functions.get(name)
            if not bodies:
                passed.update(argument for _, argument in arguments)
                continue
            for called in bodies:
                changes, passes = self.spread(called, known, active)
                for key, argument in arguments:
                    if called.parameters.reached(key, changes):
                        mutated.add(argument)
                    if called.parameters.reached(key, passes):
                        passed.add(argument)
        return mutated, passed

    def arguments(self, node: ast.Call) -> list[tuple[Key, set[str]]]:
        """Each argument with the names whose objects it hands over."""
        found: list[tuple[Key, set[str]]] = []
        unpacked = False
        for position, arg in enumerate(node.args):
            unpacked = unpacked or arg.__class__ is ast.Starred
            names = self.handed_names(arg)
            if names:
                found.append(("*" if unpacked else position, names))
        for word in node.keywords:
            names = self.handed_names(word.value)
            if names:
                found.append((word.arg or "**", names))
        return found

    def handed_names(self, node: Node) -> set[str]:
        """The names whose objects an argument hands over, in a new container too."""
        if node.__class__ in (ast.Constant, ast.BinOp, ast.Compare):
            return set()
        return self.sources_of(node) | self.item_sources(node) | self.content_sources(node)

    def apply_bodies(self, bodies: Iterable[Body], arguments: list[tuple[Key, set[str]]]) -> None:
        """One of these functions of the cell is called: mark what it does to its arguments."""
        for body in bodies:
            mutated, passed = self.through_calls(body)
            for key, names in arguments:
                if body.parameters.reached(key, mutated):
                    self.mark("mutates", names)
                if body.parameters.reached(key, passed):
                    self.mark("passes", names)

    def effect_on_argument(self, node: Node) -> str | None:
        """What a function does to what it is called with: `mutates`, `passes`, or None for neither.
        `node` is where the function is given to another one, as in `map(node, x)`."""
        if node is None or node.__class__ is ast.Constant:
            return None
        if node.__class__ is ast.Lambda:
            bodies = [self.lambdas[id(node)]] if id(node) in self.lambdas else []
        elif node.__class__ is ast.Name:
            name: str = node.id
            # The cell's own function goes first: it may have the name of one that changes nothing.
            bodies = self.functions.get(name, [])
            if not bodies and name in known_functions.PURE_FUNCTIONS:
                return None
        elif (
            node.__class__ is ast.Attribute
            and (node.attr in known_functions.PURE_METHODS or self.module_name(node.value))
        ) or (
            node.__class__ is ast.Call
            and self.last_name(node.func)
            in (
                "itemgetter",
                "attrgetter",
            )
        ):
            return None
        else:
            bodies = []
        if not bodies:
            return "passes"
        effect = None
        for body in bodies:
            mutated, passed = self.through_calls(body)
            own = body.parameters.all()
            if mutated & own:
                return "mutates"
            if passed & own:
                effect = "passes"
        return effect

    @staticmethod
    def last_name(node: Node) -> str:
        if node.__class__ is ast.Attribute:
            return node.attr
        return getattr(node, "id", "")

    def dotted_name(self, node: Node) -> str:
        """`a.b.c` as it is written; "" for anything else."""
        parts: list[str] = []
        while node.__class__ is ast.Attribute:
            parts.append(node.attr)
            node = node.value
        if node.__class__ is not ast.Name:
            return ""
        parts.append(node.id)
        return ".".join(reversed(parts))

    def module_name(self, node: Node) -> str:
        """The dotted name, if it begins with the name of a module."""
        dotted = self.dotted_name(node)
        root = dotted.partition(".")[0]
        if root in self.modules:
            return dotted
        # `np` of an earlier cell is NumPy by custom; a name that this cell bound may be anything.
        if root not in known_functions.MODULES or root in self.touched:
            return ""
        return dotted

    # ---- statements

    def block(self, statements: Sequence[ast.stmt]) -> State | None:
        """Walks them up to one that no path goes on from; the masks after them."""
        for position, statement in enumerate(statements, 1):
            if self.state is None:
                break
            VISIT[statement.__class__](self, statement)
            if statement.__class__ in JUMPS and self.scope.kind == FUNCTION:
                self.visit_unreachable(statements[position:])
                break
        return self.state

    def visit_unreachable(self, statements: Sequence[ast.stmt]) -> None:
        """In a function a name is local even if what binds it never runs."""
        scope = self.scope
        effects = scope.effects, scope.global_effects
        scope.effects, scope.global_effects = Effects(), Effects()
        self.block(statements)
        scope.effects, scope.global_effects = effects

    def visit(self, node: Node) -> None:
        VISIT.get(node.__class__, Visitor.children)(self, node)

    def children(self, node: Node) -> None:
        for field in node._fields:
            value = getattr(node, field, None)
            if value.__class__ is list:
                for item in value:
                    if isinstance(item, ast.AST):
                        self.visit(item)
            elif isinstance(value, ast.AST):
                self.visit(value)

    def nothing(self, node: Node) -> None:
        pass

    def optional(self, node: Node) -> None:
        if node is not None:
            self.visit(node)

    def ends(self) -> None:
        """No path goes on; functions are walked to their end all the same, for their locals."""
        if self.module_runs():
            self.state = None

    def value(self, node: Node) -> None:
        """An expression whose value is used."""
        if node.__class__ is ast.Call:
            self.visit_call(node, used=True)
        elif node is not None:
            self.visit(node)

    def expr_statement(self, node: ast.Expr) -> None:
        self.visit(node.value)

    def assign(self, node: ast.Assign) -> None:
        value: Node = node.value
        if value.__class__ is ast.Lambda and all(t.__class__ is ast.Name for t in node.targets):
            # A lambda with a name is as a `def`: it runs once the name is used, and not where it
            # stands.
            body = self.lambda_(value, deferred=True)
            names: list[Node] = node.targets
            for name in names:
                self.bind(name.id, None, [body])
            return
        bodies = None
        if self.scope is self.module and all(t.__class__ is ast.Name for t in node.targets):
            bodies = self.visit_named_value(value)
        else:
            self.value(value)
        items = self.item_sources(value)
        for target in node.targets:
            # Where `a, b = [x], y` has as many values as names, `targets` notes it for each of
            # them.
            if items and not (
                target.__class__ in (ast.Tuple, ast.List)
                and value.__class__ in (ast.Tuple, ast.List)
            ):
                self.mark("passes", items)
            self.target(target, value, bodies=bodies)

    def visit_named_value(self, node: Node) -> list[Body] | None:
        """Visits a value that gets a name. Returns the functions that run only when that name is
        used: of `g = f`, of `table = [f, g]`, and the methods of `model = Model()`."""
        kind = node.__class__
        if kind is ast.Name and node.id in self.functions:
            return self.load_uncalled(node.id)
        if kind in (ast.List, ast.Tuple):
            found = [body for item in node.elts for body in self.visit_named_value(item) or ()]
            return [unknown_body(body.effects) for body in found] or None
        bodies = self.functions.get(getattr(getattr(node, "func", None), "id", ""), [])
        if kind is ast.Call and bodies and all(body.construction for body in bodies):
            self.named_construction = node
        self.value(node)
        return (
            [unknown_body(body.effects) for body in bodies]
            if node is self.named_construction
            else None
        )

    def load_uncalled(self, name: str) -> list[Body]:
        """A global name is loaded, and what it holds is not called."""
        # A load pulls what the name may run: there is nothing to be found while it is gone.
        bodies = self.functions.pop(name)
        self.load_global(name)
        self.functions[name] = bodies
        return bodies

    def ann_assign(self, node: ast.AnnAssign) -> None:
        # Python never evaluates the annotations of a function's variables.
        if self.scope.kind != FUNCTION:
            self.visit(node.annotation)
        if node.value is not None:
            self.value(node.value)
            items = self.item_sources(node.value)
            if items:
                self.mark("passes", items)
            self.target(node.target, node.value)
        elif node.target.__class__ is ast.Name:
            # An annotation alone makes the name a local one, with no value.
            if self.scope.kind == FUNCTION:
                self.scope.locals.add(node.target.id)
        else:
            self.target_parts(node.target)

    def aug_assign(self, node: ast.AugAssign) -> None:
        target = node.target
        if target.__class__ is ast.Name:
            name: str = target.id
            self.load(name)
            # `+=` changes a list in place, under all of its names; of a number it makes another.
            self.mark("mutates", (self.mangle(name),))
            self.value(node.value)
            bodies = self.functions.get(name) if self.scope is self.module else None
            contents = self.origins({CONTENT + name, *self.element_sources(node.value)})
            self.bind(name, self.origins((name,)), bodies, contents)
        else:
            self.target_parts(target)
            self.mark("mutates", self.target_sources(target))
            self.value(node.value)

    def target(
        self,
        node: Node,
        value: Node,
        origins: set[str] | None = None,
        bodies: list[Body] | None = None,
    ) -> None:
        """Binds what an assignment, a loop or a `with` binds; `origins` of parts of a value."""
        kind = node.__class__
        if origins is None:
            origins = self.origins(self.sources_of(value)) if value is not None else set()
        if kind is ast.Name:
            if value.__class__ is ast.Name and self.scope is self.module:
                bodies = self.functions.get(value.id)
            contents = set() if value is None else self.content_origins(value)
            self.bind(node.id, origins, bodies, contents)
        elif kind in (ast.Tuple, ast.List):
            self.targets(node.elts, value, origins)
        elif kind is ast.Starred:
            self.target(node.value, None, origins)
        else:
            self.target_parts(node)
            self.mark("mutates", self.target_sources(node))
            for origin in origins:
                # It lies in another object now, through which later code may change it.
                self.mark_one("passes", origin, self.host(self.scope))

    def content_origins(self, value: Node) -> set[str]:
        """Whose objects lie in the value: in the new container that it is, or in that of a name."""
        return self.origins(
            self.content_sources(value) | {CONTENT + n for n in self.sources_of(value)}
        )

    def targets(self, parts: Sequence[Node], value: Node, origins: set[str]) -> None:
        """Binds `a, b = …`: item by item where the value is written as so many, else each name gets
        any part of the value."""
        values: Sequence[Node] = getattr(value, "elts", ())
        starred = any(part.__class__ is ast.Starred for part in (*values, *parts))
        if values and len(values) == len(parts) and not starred:
            shared = [self.origins(self.sources_of(item)) for item in values]
            for part, item, names in zip(parts, values, shared, strict=True):
                if items := self.item_sources(item):
                    self.mark("passes", items)
                self.target(part, item, names)
            return
        if value is not None:
            origins = origins | self.origins(self.element_sources(value))
        for part in parts:
            self.target(part, None, origins)

    def target_sources(self, node: Node) -> set[str]:
        """Of `x[mask].a` in a target: the mask gives no copy here."""
        while node.__class__ in (ast.Attribute, ast.Subscript):
            node = node.value
        return self.sources_of(node) | self.content_sources(node)

    def target_parts(self, node: Node) -> None:
        self.visit(node.value)
        if node.__class__ is ast.Subscript:
            self.visit(node.slice)

    def delete(self, node: ast.Delete) -> None:
        todo = list(node.targets)
        while todo:
            target = todo.pop(0)
            if target.__class__ is ast.Name:
                self.unbind(target.id)
            elif target.__class__ in (ast.Tuple, ast.List):
                todo[:0] = target.elts
            else:
                self.target_parts(target)
                self.mark("mutates", self.target_sources(target))

    def import_(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.bind(name)
            if self.scope is self.module:
                self.modules.add(name)
            if alias.name == "__main__":
                self.host(self.scope).effects.opaque.add("__main__")

    def import_from(self, node: ast.ImportFrom) -> None:
        if node.module == "__main__":
            self.host(self.scope).effects.opaque.add("__main__")
        for alias in node.names:
            if alias.name == "*":
                self.host(self.scope).effects.opaque.add("star import")
            else:
                name = alias.asname or alias.name
                self.bind(name)
                if self.scope is self.module and alias.asname is None:
                    self.imported.add(name)

    def global_(self, node: ast.Global) -> None:
        if self.scope.kind != MODULE:
            self.scope.globals.update(self.mangle(name) for name in node.names)

    def nonlocal_(self, node: ast.Nonlocal) -> None:
        self.scope.nonlocals.update(self.mangle(name) for name in node.names)

    def return_(self, node: ast.Return) -> None:
        if node.value is not None:
            self.value(node.value)
        self.ends()

    def raise_(self, node: ast.Raise) -> None:
        self.optional(node.exc)
        self.optional(node.cause)
        self.ends()

    def assert_(self, node: ast.Assert) -> None:
        self.visit(node.test)
        if node.msg is not None:
            with_message = self.fork()
            self.visit(node.msg)
            # The message is evaluated only where the assertion fails, and nothing goes on from
            # there.
            self.state = with_message

    def break_(self, node: Node) -> None:
        if self.loops and self.module_runs() and self.state is not None:
            frame = self.loops[-1]
            (frame.breaks if node.__class__ is ast.Break else frame.continues).append(self.state)
        self.ends()

    def fork(self) -> State | None:
        return None if self.state is None else self.state.copy()

    def if_(self, node: ast.If) -> None:
        self.visit(node.test)
        before = self.fork()
        self.depth += 1
        self.block(node.body)
        after, self.state = self.state, before
        self.block(node.orelse)
        self.depth -= 1
        self.state = join(self.state, after)

    def while_(self, node: ast.While) -> None:
        test = node.test
        forever = test.__class__ is ast.Constant and bool(test.value)

        def begin() -> None:
            self.visit(test)

        self.loop(node, begin, leaves=not forever, certain=False)

    def for_(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)

        def begin() -> None:
            # Asked in each turn, since the body may have bound the names of the iterable to others.
            self.target(node.target, None, self.origins(elements))

        elements = self.element_sources(node.iter)

        self.loop(node, begin, leaves=True, certain=self.not_empty(node.iter), binds_first=True)

    def not_empty(self, node: Node) -> bool:
        """Whether a loop over it is certain to run."""
        kind = node.__class__
        if kind in (ast.List, ast.Tuple, ast.Set):
            return any(item.__class__ is not ast.Starred for item in node.elts)
        if kind is ast.Constant:
            return isinstance(node.value, (str, bytes)) and bool(node.value)
        if (
            kind is ast.Call
            and node.func.__class__ is ast.Name
            and node.func.id == "range"
            and len(node.args) == 1
            and "range" not in self.touched
        ):
            count = getattr(node.args[0], "value", 0)
            return isinstance(count, int) and count > 0
        return False

    def loop(
        self,
        node: ast.For | ast.AsyncFor | ast.While,
        begin: Callable[[], None],
        leaves: bool,
        certain: bool,
        binds_first: bool = False,
    ) -> None:
        """Walks a loop; `begin` is what starts a turn: the test, or the binding of the target.

        `left` are the masks where no turn runs: of a `for` before its target is bound, of a `while`
        after its test has run. `end` are those after a turn. The loop is over with

            certain      `end` alone: a first turn runs (`for i in range(3)`), and each exit but a
                         `break` comes after a turn; nothing is left as it was at the start
            leaves       `left` or `end`
            neither      no way at all: of `while True` only a `break` leads out

        and with the masks of each `break`. Those were noted in the first turn. In

            while True:
                if done():
                    break
                x = 1

        the `break` has an `x` that was not touched, but in the second turn it is bound. So where a
        `break` is the only way out (`frame.breaks and not leaves`), `end` is joined as well; where
        the loop also `leaves`, `end` is in the result already.

        A body that defines a function is walked twice: in a second turn the lines above the
        definition can call it.
        """
        entry = self.fork()
        defined = self.defined
        # Each loop around another doubles the walks, so deep within loops there is one.
        for _ in range(2 if self.depth < 4 else 1):
            frame = Loop()
            self.loops.append(frame)
            self.depth += 1
            if not binds_first:
                begin()
                left = self.fork()
            else:
                left = self.fork()
                begin()
            self.block(node.body)
            self.depth -= 1
            self.loops.pop()
            end = self.state
            for state in frame.continues:
                end = join(end, state)
            # Functions that a class body defines are not counted in `defined`.
            if self.defined == defined and self.scope.kind != CLASS:
                break
            defined = self.defined
            self.state = join(None if end is None else end.copy(), entry)
            entry = self.fork()
        if certain:
            out = end
        elif leaves:
            out = join(left, None if end is None else end.copy())
        else:
            out = None
        self.state = out
        if node.orelse:
            self.depth += 1
            self.block(node.orelse)
            self.depth -= 1
        out = self.state
        if not self.loops and self.loop_effects and self.scope is self.module:
            for what, name in self.loop_effects:
                self.mark_aliases(what, name)
            self.loop_effects.clear()
        for state in frame.breaks:
            out = join(out, state)
        if frame.breaks and not leaves and end is not None:
            out = join(out, end)
        self.state = out if self.module_runs() else (out if out is not None else {})

    def with_(self, node: ast.With | ast.AsyncWith) -> None:
        transparent = True
        for item in node.items:
            context = item.context_expr
            self.value(context)
            if item.optional_vars is not None:
                self.target(item.optional_vars, context)
            func = context.func if context.__class__ is ast.Call else context
            transparent = (
                transparent and self.last_name(func) in known_functions.TRANSPARENT_CONTEXTS
            )
        if transparent:
            self.block(node.body)
            return
        # Another context may swallow an exception, as `suppress` does, wherever in the block it
        # comes.
        before = self.fork()
        watched: dict[MaskKey, int] = {}
        self.watched.append(watched)
        self.depth += 1
        self.block(node.body)
        self.depth -= 1
        self.watched.pop()
        self.state = join(self.state, self.raised_state(before, watched))

    @staticmethod
    def raised_state(before: State | None, watched: dict[MaskKey, int]) -> State:
        """The masks that an exception somewhere in the watched statements may leave."""
        state = {} if before is None else before.copy()
        for key, mask in watched.items():
            state[key] = state.get(key, UNTOUCHED) | mask
        return state

    def try_(self, node: ast.Try) -> None:
        """Walks `try`, `except`, `else` and `finally`, with the masks that each may begin with:

        handlers   any that the body had at any point (`body`, filled by `event`)
        else       those after the body
        finally    any that the body, the handlers or `else` had at any point (`whole`)
        """
        before = self.fork()
        whole: dict[MaskKey, int] = {}
        body: dict[MaskKey, int] = {}
        exits = [(frame, len(frame.breaks), len(frame.continues)) for frame in self.loops]
        # Handlers see what the body may have left; `finally` also what they and `else` have.
        self.watched += (whole, body)
        self.depth += 1
        self.block(node.body)
        self.watched.pop()
        self.block(node.orelse)
        out = self.state
        for handler in node.handlers:
            self.state = self.raised_state(before, body)
            self.handler(handler)
            out = join(out, self.state)
        self.watched.pop()
        self.state = out
        self.depth -= 1
        if node.finalbody:
            self.finally_(node, before, whole, exits)
        if self.state is None and not self.module_runs():
            self.state = {}

    def handler(self, node: ast.ExceptHandler) -> None:
        self.optional(node.type)
        if not node.name:
            self.block(node.body)
            return
        exits = [(frame, len(frame.breaks), len(frame.continues)) for frame in self.loops]
        self.bind(node.name)
        self.block(node.body)
        if self.scope.kind in (MODULE, CLASS):
            name = self.mangle(node.name)
            local = self.scope.kind == CLASS and name not in self.scope.globals
            key: MaskKey = (self.scope, name) if local else name
            # Python deletes the exception's name at the end of its handler, bound again or not.
            self.event(key, DELETED)
            for state in states_since(exits):
                state[key] = DELETED

    def finally_(
        self,
        node: ast.Try,
        before: State | None,
        whole: dict[MaskKey, int],
        exits: list[tuple[Loop, int, int]],
    ) -> None:
        """Walked once, for all ways into it; what it touches holds on all ways out of it."""
        out = self.state
        entry = self.raised_state(before, whole)
        outgoing = states_since(exits)
        for state in (*outgoing, out):
            join(entry, state)
        touched: dict[MaskKey, int] = {}
        self.state = entry
        self.watched.append(touched)
        after = self.block(node.finalbody)
        self.watched.pop()
        if after is None:
            return
        for state in (*outgoing, out):
            if state is not None:
                for key in touched:
                    state[key] = after.get(key, UNTOUCHED)
        self.state = out

    def match(self, node: ast.Match) -> None:
        self.visit(node.subject)
        subject = self.origins(self.element_sources(node.subject))
        out: State | None = None
        self.depth += 1
        for case in node.cases:
            failed = self.fork()
            self.pattern(case.pattern, subject)
            if case.guard is not None:
                # A guard may bind by `:=` and then fail, so the next case begins with either.
                self.visit(case.guard)
                failed = join(failed, self.fork())
            elif irrefutable(case.pattern):
                failed = None
            self.block(case.body)
            out = join(out, self.state)
            self.state = failed
            if failed is None:
                break
        self.depth -= 1
        self.state = join(out, self.state)
        if self.state is None and not self.module_runs():
            self.state = {}

    def pattern(self, node: Node, subject: set[str]) -> None:
        """Binds the names of a `case`: each to a part of `subject`, or to the whole of it."""
        kind = node.__class__
        name = None
        if kind in (ast.MatchAs, ast.MatchStar):
            name = node.name
        elif kind is ast.MatchMapping:
            name = node.rest
        for field in node._fields:
            value = getattr(node, field)
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, ast.pattern):
                    self.pattern(item, subject)
                elif isinstance(item, ast.expr):
                    self.visit(item)
        if name:
            self.bind(name, set(subject))

    def type_alias(self, node: Any) -> None:
        self.bind(node.name.id)
        self.with_type_params(node.type_params, lambda: self.visit(node.value))

    def with_type_params(self, params: Sequence[Any], inside: Callable[[], Any]) -> Any:
        """Names of type parameters are seen in what they stand before alone."""
        if not params:
            return inside()
        scope = self.scope = Scope(COMPREHENSION, self.scope)
        scope.locals.update(param.name for param in params)
        for param in params:
            self.optional(getattr(param, "bound", None))
            self.optional(getattr(param, "default_value", None))
        result = inside()
        self.scope = scope.parent or self.module
        return result

    # ---- functions and classes

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
            func = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(func, ast.Attribute):  # `@app.route("/")`
                self.mark("passes", self.sources_of(func.value))
        args = node.args
        for default in (*args.defaults, *args.kw_defaults):
            self.optional(default)

        def visit_function() -> Body:
            for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
                if arg is not None:
                    self.optional(arg.annotation)
            self.optional(node.returns)
            return self.body(args, node.body)

        body = self.with_type_params(getattr(node, "type_params", ()), visit_function)
        if (
            not all(is_deferring(decorator) for decorator in node.decorator_list)
            and self.module_runs()
        ):
            self.pull([body])
        self.bind(node.name, None, [body])

    def lambda_(self, node: ast.Lambda, deferred: bool = False) -> Body:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            self.optional(default)
        body = self.lambdas[id(node)] = self.body(node.args, node.body)
        if not deferred and self.module_runs():
            self.pull([body])
        return body

    def body(self, args: ast.arguments, statements: list[ast.stmt] | Node) -> Body:
        """Walks a function's body and gives its effects to the scope around it."""
        scope = self.scope = Scope(FUNCTION, self.scope)
        positional = (*args.posonlyargs, *args.args)
        parameters = Parameters(
            tuple(self.mangle(arg.arg) for arg in positional),
            frozenset(self.mangle(arg.arg) for arg in (*args.args, *args.kwonlyargs)),
            args.vararg.arg if args.vararg else "",
            args.kwarg.arg if args.kwarg else "",
        )
        scope.parameters = parameters.all()
        scope.locals |= scope.parameters
        outside = self.state, self.watched, self.loops, self.depth
        self.state, self.watched, self.loops, self.depth = {}, [], [], 0
        if isinstance(statements, list):
            self.block(statements)
        else:
            self.visit(statements)
        self.state, self.watched, self.loops, self.depth = outside
        self.scope = scope.parent or self.module
        return self.leave_function(scope, parameters)

    def leave_function(self, scope: Scope, parameters: Parameters) -> Body:
        """A function's body has been walked: what is left of its effects outside of it.

        Its locals mean nothing there. So what it does to `y` after `y = x` is said of `x`, what it
        does to a parameter goes into `mutated` and `passed` of the body, and the other locals are
        dropped. A function within another adds its effects to that one, which may call it.
        """
        local = scope.locals - scope.globals - scope.nonlocals
        effects = scope.effects
        for name, arguments in effects.calls:
            if name in local:
                self.apply_local_call(scope, name, arguments)
        effects.mutates = scope.with_aliases(effects.mutates)
        effects.passes = scope.with_aliases(effects.passes)
        for what in ("mutates", "passes"):
            names = getattr(effects, what)
            getattr(scope.global_effects, what).update(names & scope.globals)
            names.difference_update(scope.globals, [n for n in names if n[0] == CONTENT])
        body = Body(effects, parameters)
        body.mutated = effects.mutates & scope.parameters
        body.passed = effects.passes & scope.parameters
        effects.drop_names(local, kept=scope.parameters)
        # A lambda in a comprehension has its variable, which is no name of the scope around that.
        around = scope.parent
        while around is not None and around.kind == COMPREHENSION:
            effects.drop_names(around.locals)
            around = around.parent
        host = self.host(around or self.module)
        if host.kind == FUNCTION:
            self.merge(host, scope, body)
            return body
        effects.add(scope.global_effects)
        for name in effects.reads:
            if name in known_functions.OPAQUE_NAMES:
                effects.opaque.add(name)
        if around is not None and around.kind == CLASS:
            around.effects.add(effects)
        return body

    def merge(self, host: Scope, scope: Scope, body: Body) -> None:
        """What an inner function does, its outer function may do."""
        inner = Effects()
        inner.add(body.effects)
        inner.calls = [
            (name, tuple(pair for pair in pairs if pair[1] not in scope.parameters))
            for name, pairs in inner.calls
        ]
        if host.renamed:
            inner.mutates = {host.renamed.get(name, name) for name in inner.mutates}
            inner.passes = {host.renamed.get(name, name) for name in inner.passes}
        host.effects.add(inner)
        host.global_effects.add(scope.global_effects)

    def apply_local_call(
        self, scope: Scope, name: str, arguments: Iterable[tuple[Key, str]]
    ) -> None:
        """A function calls one that is its own local: an inner function, or what it was given."""
        bodies = scope.functions.get(name)
        for key, argument in arguments:
            if not bodies:
                scope.effects.passes.add(argument)
                continue
            for body in bodies:
                inner = {a for _, pairs in body.effects.calls for _, a in pairs}
                if body.parameters.reached(key, body.mutated):
                    scope.effects.mutates.add(argument)
                if body.parameters.reached(key, body.passed | inner):
                    scope.effects.passes.add(argument)

    def class_(self, node: ast.ClassDef) -> None:
        """A class: its body runs now, its methods when its name is used. A call of it is one of its
        `__init__`, without `self`."""
        for decorator in node.decorator_list:
            self.value(decorator)

        bases = [base_methods(base, self.functions) for base in node.bases]
        inherited: list[Body] = []

        def visit_class() -> Scope:
            for base, known in zip(node.bases, bases, strict=True):
                if known and self.scope is self.module and "__init_subclass__" not in known:
                    inherited.extend(self.load_uncalled(self.last_name(base)))
                else:
                    self.visit(base)
            for word in node.keywords:
                self.visit(word.value)
            scope = self.scope = Scope(CLASS, self.scope)
            scope.locals = bound_in(node.body)
            # Python mangles `__x` with the name of the class without its own underscores.
            private, self.private = self.private, node.name.lstrip("_")
            self.block(node.body)
            self.private = private
            self.scope = scope.parent or self.module
            return scope

        scope = self.with_type_params(getattr(node, "type_params", ()), visit_class)
        init = (scope.functions.get("__init__") or [None])[0]
        if init is None:
            body = unknown_body(scope.effects)
        else:
            body = Body(scope.effects, init.parameters.method())
            body.mutated, body.passed = set(init.mutated), set(init.passed)
        for base in inherited:
            body.effects.add(base.effects)
        body.methods = methods(node, scope.functions, bases)
        if body.methods is not None and (effects := construction(body.methods)) is not None:
            body.construction = Body(effects, body.parameters)
            body.construction.mutated, body.construction.passed = body.mutated, body.passed
        if not self.module_runs():
            body.effects = Effects()  # its methods have given theirs to the function around
        elif not all(is_deferring(decorator) for decorator in node.decorator_list):
            self.pull([body])
        if self.scope.kind == CLASS:
            self.scope.effects.add(body.effects)
        self.bind(node.name, None, [body])

    # ---- expressions

    def name(self, node: ast.Name) -> None:
        self.load(node.id)

    def attribute(self, node: ast.Attribute) -> None:
        self.value(node.value)

    def name_in_globals(self, node: ast.Subscript) -> None:
        """`globals()["x"]` reads x where it stands, as the name itself does."""
        match node:
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="globals"), args=[]),
                slice=ast.Constant(value=str() as name),
                ctx=ast.Load(),
            ) if self.module_runs():
                self.load_global(name)

    def subscript(self, node: ast.Subscript) -> None:
        self.name_in_globals(node)
        self.value(node.value)
        self.visit(node.slice)

    def binary(self, node: ast.BinOp) -> None:
        self.value(node.left)
        self.value(node.right)

    def named_expression(self, node: ast.NamedExpr) -> None:
        self.value(node.value)
        self.bind(
            node.target.id,
            self.origins(self.sources_of(node.value)),
            None,
            self.content_origins(node.value),
        )

    def short(self, first: Node, rest: Iterable[ast.expr]) -> None:
        """Operands after the first may not be evaluated."""
        self.visit(first)
        if not self.walrus:
            for item in rest:
                self.visit(item)
            return
        self.depth += 1
        for item in rest:
            skipped = self.fork()
            self.visit(item)
            self.state = join(self.state, skipped)
        self.depth -= 1

    def bool_op(self, node: ast.BoolOp) -> None:
        self.short(node.values[0], node.values[1:])

    def compare(self, node: ast.Compare) -> None:
        self.value(node.left)
        self.short(node.comparators[0], node.comparators[1:])

    def if_exp(self, node: ast.IfExp) -> None:
        self.visit(node.test)
        if not self.walrus:
            self.visit(node.body)
            self.visit(node.orelse)
            return
        before = self.fork()
        self.depth += 1
        self.visit(node.body)
        after, self.state = self.state, before
        self.visit(node.orelse)
        self.depth -= 1
        self.state = join(self.state, after)

    def comprehension(self, node: Node) -> None:
        """The first iterable belongs to the scope around; all else to one of its own. What a walrus
        binds may not be bound, as there may be no item."""
        first, *others = node.generators
        self.visit(first.iter)
        elements = self.origins(self.element_sources(first.iter))
        scope = Scope(COMPREHENSION, self.scope)
        for generator in node.generators:
            for part in ast.walk(generator.target):
                if part.__class__ is ast.Name and part.ctx.__class__ is ast.Store:
                    scope.locals.add(part.id)
        before = self.fork() if self.walrus else None
        self.depth += 1
        self.scope = scope
        self.comprehension_target(first.target, elements)
        for condition in first.ifs:
            self.visit(condition)
        for generator in others:
            self.visit(generator.iter)
            self.comprehension_target(
                generator.target, self.origins(self.element_sources(generator.iter))
            )
            for condition in generator.ifs:
                self.visit(condition)
        if node.__class__ is ast.DictComp:
            self.visit(node.key)
        element = node.value if node.__class__ is ast.DictComp else node.elt
        self.visit(element)
        if names := self.sources_of(element) | self.content_sources(element):
            self.comprehensions[id(node)] = self.origins(names)
        self.scope = scope.parent or self.module
        self.depth -= 1
        if self.walrus:
            self.state = join(self.state, before)

    def comprehension_target(self, node: Node, elements: set[str]) -> None:
        for part in ast.walk(node):
            if part.__class__ is ast.Name:
                if part.ctx.__class__ is ast.Load:
                    self.load(part.id)
                else:
                    self.scope.aliases.setdefault(part.id, set()).update(elements)
            elif part.__class__ in (ast.Attribute, ast.Subscript) and not isinstance(
                part.ctx,
                ast.Load,
            ):
                self.mark("mutates", self.target_sources(part))

    # ---- calls

    def unused_call(self, node: ast.Call) -> None:
        """A call that stands alone, or where nothing shows that its value is taken."""
        self.visit_call(node, used=False)

    def visit_call(self, node: ast.Call, used: bool) -> None:
        """Visits the function, then the arguments, then applies what the call does to them."""
        func: Node = node.func
        kind = func.__class__
        if kind is ast.Attribute and magic_parser.is_shell(func.value):
            self.magic(node, func.attr)
            return
        if kind is ast.Name:
            if (tree := self.written_code(node, func.id)) is not None:
                self.trees.append(tree)
                self.block(tree.body)
                return
            if node is self.named_construction:
                bodies = self.load_uncalled(func.id)
                self.pull(body.construction for body in bodies if body.construction)
            else:
                self.load(func.id)
        elif kind is ast.Attribute:
            self.value(func.value)
        else:
            self.visit(func)
        before = self.fork() if self.walrus else None
        if self.walrus:  # `f(x, x := [])`: as one that may not run, `x` keeps its first object, too
            self.depth += 1
        for arg in node.args:
            self.value(arg)
        for word in node.keywords:
            self.value(word.value)
        if self.walrus:
            self.depth -= 1
        if before is None:
            self.apply_call(node, used)
        else:
            # `x.append(x := [])` changes the object that x had before.
            after, self.state = self.state, before
            self.apply_call(node, used)
            self.state = after

    def written_code(self, node: ast.Call, name: str) -> ast.Module | None:
        """The code of `eval("…")`, which runs where it stands, and of `exec("…")` outside of
        functions."""
        if name == "eval" or (name == "exec" and self.host(self.scope) is self.module):
            match node.args, node.keywords:
                case [ast.Constant(value=str(text))], []:
                    return magic_parser.parse_magic(text)
        return None

    def apply_call(self, node: ast.Call, used: bool) -> None:
        """Marks what the call does to its receiver and its arguments."""
        func: Node = node.func
        kind = func.__class__
        if kind is ast.Name:
            self.apply_function_call(node, func.id)
        elif kind is ast.Attribute:
            self.apply_method_call(node, func, used)
        else:
            bodies = [self.lambdas[id(func)]] if id(func) in self.lambdas else []
            arguments = self.arguments(node)
            if bodies:
                self.apply_bodies(bodies, arguments)
            else:
                self.pass_on(arguments)
        for word in node.keywords:
            if word.arg == "out" or (word.arg == "file" and kind is ast.Name):
                self.mark("mutates", self.sources_of(word.value) | self.item_sources(word.value))

    def pass_on(self, arguments: list[tuple[Key, set[str]]]) -> None:
        for _, names in arguments:
            self.mark("passes", names)

    def apply_function_call(self, node: ast.Call, name: str) -> None:
        """`f(x)`: by the body of `f` where the cell defines it, else by the tables, else passed."""
        arguments = self.arguments(node)
        # Without an argument they give all names; in a function, those of the function alone.
        if name in ("vars", "dir", "locals") and not node.args:
            if self.host(self.scope) is self.module:
                self.result.opaque.add(name)
            return
        if not arguments:
            return
        scope = self.host(self.scope)
        if scope.kind == FUNCTION:
            # A parameter may be called as a function of the tables is.
            if not (self.apply_table_entry(node, name, arguments) and name not in scope.locals):
                self.note_later_call(scope, name, arguments)
        elif name in self.functions:
            self.apply_bodies(self.functions[name], arguments)
        # What the cell binds itself is not the function of the tables, but where it imports that.
        elif (name in self.touched and name not in self.imported) or not self.apply_table_entry(
            node, name, arguments
        ):
            self.pass_on(arguments)

    def note_later_call(
        self, scope: Scope, name: str, arguments: list[tuple[Key, set[str]]]
    ) -> None:
        """Inside a function: what the name is will be known when the function is called. Until
        then the call is noted, with each argument by the names of the scope around."""
        pairs: list[tuple[Key, str]] = []
        for key, names in arguments:
            for argument in names:
                for outer in self.origins((argument,)):
                    if outer[0] == CONTENT and outer not in scope.aliases:
                        continue
                    if outer in scope.aliases or "'" in outer:
                        # The arguments of a call keep no aliases: what is behind them is passed.
                        scope.effects.passes.add(outer)
                    else:
                        pairs.append((key, outer))
        scope.effects.calls.append((name, tuple(pairs)))

    def apply_table_entry(
        self, node: ast.Call, name: str, arguments: list[tuple[Key, set[str]]], module: str = ""
    ) -> bool:
        """Whether a function of this name is in a table; if so, its effects are marked."""
        position = known_functions.MUTATING_FUNCTIONS.get(name)
        if position is None and module.partition(".")[0] in ("np", "numpy"):
            position = known_functions.MUTATING_MODULE_FUNCTIONS.get(name)
        # PyTorch ends the names of what changes its tensor in place with `_`.
        if position is None and module and name.endswith("_") and not name.startswith("_"):
            position = 0
        if position is not None:
            for key, names in arguments:
                if key in (position, "*"):
                    self.mark("mutates", names)
                # What is put into the container can be changed through it.
                elif name in ("heappush", "heapreplace", "heappushpop", "setattr", "setitem"):
                    self.mark("passes", names)
            return True
        if name in known_functions.CALLING_FUNCTIONS and node.args:
            effect = self.effect_on_argument(node.args[0])
            if effect:
                for arg in node.args[1:]:
                    self.mark(effect, self.element_sources(arg))
            return True
        if name in known_functions.KEYED_FUNCTIONS:
            for word in node.keywords:
                if word.arg == "key" and (effect := self.effect_on_argument(word.value)):
                    for arg in node.args:
                        self.mark(effect, self.element_sources(arg))
            return True
        return name in known_functions.PURE_FUNCTIONS or (
            module.partition(".")[0] in known_functions.PURE_MODULES
        )

    def apply_method_call(self, node: ast.Call, func: ast.Attribute, used: bool) -> None:
        """`x.method(…)`, by the name of the method alone; the first of these that holds:

        `x` is a module      as a function of it
        it changes `x`       by table (`append`; `sort` only where its value is not used), by a
                             custom (`add_`, `set_title`), or as `inplace=True` says
        it calls a function  `x.map(f)`: what `f` does to an argument, it does to the parts of `x`
        it changes nothing   by table
        else                 nobody knows: `x` and all arguments are passed on
        """
        name = func.attr
        module = self.module_name(func.value)
        if name in ("query", "eval", "sql", "execute", "sqldf"):
            self.names_in_text(node, name)
        if module:
            arguments = self.arguments(node)
            if arguments and not self.apply_table_entry(node, name, arguments, module):
                self.pass_on(arguments)
            return
        receiver = self.sources_of(func.value)
        changes = known_functions.is_setter(name) or (
            name in known_functions.MUTATING_IF_UNUSED and not used
        )
        changes = changes or (name.endswith("_") and not name.startswith("_"))
        for word in node.keywords:
            # What is no literal may be true.
            if word.arg == "inplace" and getattr(word.value, "value", True) is not False:
                changes = True
        if changes:
            self.mark("mutates", receiver)
            if name in known_functions.ARGUMENTS_UNTOUCHED:
                return
            arguments = self.arguments(node)
            if name == "shuffle" or name in known_functions.MUTATING_FUNCTIONS:
                self.apply_table_entry(node, name, arguments)
            else:
                self.pass_on(arguments)
            return
        if name in known_functions.CALLING_METHODS:
            for value in (*node.args, *(word.value for word in node.keywords)):
                if value.__class__ in (ast.Lambda, ast.Name, ast.Attribute):
                    effect = self.effect_on_argument(value)
                    if effect:
                        self.mark(effect, receiver)
                        for arg in node.args[1:] if name == "map" else ():
                            self.mark(effect, self.element_sources(arg))
            return
        if name in known_functions.PURE_METHODS:
            return
        arguments = self.arguments(node)
        if arguments and name in known_functions.MUTATING_FUNCTIONS:
            self.apply_table_entry(node, name, arguments)
            return
        self.mark("passes", receiver)
        self.pass_on(arguments)

    def names_in_text(self, node: ast.Call, method: str) -> None:
        """Frames read `@name` of a query from the caller's names, and SQL engines its tables."""
        if method == "eval" and self.module_name(getattr(node.func, "value", None)):
            self.eval_of_module(node)
            return
        pattern = AT_NAME if method in ("query", "eval") else FROM_NAME
        for arg in node.args:
            for part in ast.walk(arg):
                text = getattr(part, "value", None)
                if part.__class__ is ast.Constant and isinstance(text, str):
                    for name in pattern.findall(text):
                        self.load(name)

    def eval_of_module(self, node: ast.Call) -> None:
        """`pandas.eval("a + b")` has the names of who calls it."""
        text = getattr(node.args[0], "value", None) if node.args else None
        tree = magic_parser.parse_magic(text.replace("@", "")) if isinstance(text, str) else None
        if tree is None:
            self.opaque("eval")
        else:
            self.block(tree.body)

    # ---- magics

    def magic(self, node: ast.Call, method: str) -> None:
        """`get_ipython().METHOD(…)`: what IPython makes of `%`, `%%`, `!` and `?`."""
        texts = [getattr(arg, "value", None) for arg in node.args]
        if method in ("system", "getoutput", "getoutputs", "system_piped", "system_raw"):
            if texts and isinstance(texts[0], str):
                self.expansions(texts[0])
            else:
                self.children(node)
            return
        if method not in ("run_line_magic", "run_cell_magic", "magic"):
            self.children(node)
            self.opaque("get_ipython")
            return
        if not texts or not all(isinstance(text, str) for text in texts):
            self.children(node)
            self.opaque("magic ?")
            return
        name, line, cell = (*map(str, texts), "", "")[:3]
        if method == "magic":
            name, _, line = name.lstrip("%").partition(" ")
        self.named_magic(name, line, cell if method == "run_cell_magic" else None)

    def named_magic(self, name: str, line: str, cell: str | None) -> None:
        if name in magic_parser.PYTHON:
            written = line if cell is None else cell
            # The line of `%step` is a title.
            if name in ("step", "branch") and cell is None:
                return
            if name == "prun" and cell is not None:
                written = magic_parser.statement(name, line) + "\n" + cell
            elif cell is None:
                written = magic_parser.statement(name, line)
            self.text(written, name)
        elif name in magic_parser.FUNCTION:
            setup = magic_parser.statement(name, line)
            self.text(setup if cell is None else f"{setup}\n{cell}", name, gone=True)
        elif name in magic_parser.SHELL:
            self.expansions(line if cell is None else f"{line}\n{cell}")
        elif name in magic_parser.INSPECTING:
            for found in magic_parser.names(line)[:1]:
                self.load(found)
        elif name in magic_parser.QUIET:
            self.expansions(line)
        else:
            self.expansions(line)
            self.opaque(f"magic {name}")
        if cell is not None:
            for output in magic_parser.outputs(name, line):
                self.bind(output)

    def opaque(self, what: str) -> None:
        self.host(self.scope).effects.opaque.add(what)

    def text(self, source: str, magic: str, gone: bool = False) -> None:
        """Python in a magic's text runs in place; of `%timeit` in a function of its own."""
        tree = magic_parser.parse_magic(source)
        self.trees.append(tree)
        if tree is None:
            # The body of a step may be Markdown (`--text`), which does not run.
            if magic not in ("step", "branch"):
                self.opaque(f"magic {magic}")
            return
        walrus, self.walrus = self.walrus, True
        if gone:
            self.pull([self.body(ast.arguments([], [], None, [], [], None, []), tree.body)])
        else:
            self.block(tree.body)
        self.walrus = walrus

    def expansions(self, text: str) -> None:
        for expression in magic_parser.expressions_in(text):
            try:
                tree = ast.parse(expression, mode="eval")
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            self.visit(tree.body)


def states_since(exits: Iterable[tuple[Loop, int, int]]) -> list[State]:
    """The masks of each `break` and `continue` since; `exits` has how many each loop had then."""
    return [
        state
        for frame, breaks, continues in exits
        for state in (*frame.breaks[breaks:], *frame.continues[continues:])
    ]


def bound_in(statements: Sequence[ast.stmt]) -> set[str]:
    """The names that statements bind or delete, those of functions and classes within left out."""
    found: set[str] = set()
    waiting: list[Any] = list(statements)
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if kind in (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
            found.add(node.name)
        elif kind is ast.Name:
            found |= {node.id} if node.ctx.__class__ is not ast.Load else set()
        elif kind is ast.alias:
            found.add(node.asname or node.name.partition(".")[0])
        elif kind is not ast.Lambda:
            names = (
                getattr(node, name, None) for name in ("name", "rest")
            )  # of handlers, patterns
            found.update(name for name in names if name)
            waiting += ast.iter_child_nodes(node)
    return found


def negative(node: Node) -> bool:
    """`x[-1]` is an item; `x[~mask]` is a copy."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def irrefutable(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or irrefutable(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and irrefutable(pattern.patterns[-1])


def is_deferring(decorator: Node) -> bool:
    func = decorator.func if isinstance(decorator, ast.Call) else decorator
    return Visitor.last_name(func) in known_functions.DEFERRING_DECORATORS


VISIT: dict[type[ast.AST], Callable[[Visitor, Any], Any]] = {
    ast.Expr: Visitor.expr_statement,
    ast.Assign: Visitor.assign,
    ast.AnnAssign: Visitor.ann_assign,
    ast.AugAssign: Visitor.aug_assign,
    ast.Delete: Visitor.delete,
    ast.Import: Visitor.import_,
    ast.ImportFrom: Visitor.import_from,
    ast.Global: Visitor.global_,
    ast.Nonlocal: Visitor.nonlocal_,
    ast.Return: Visitor.return_,
    ast.Raise: Visitor.raise_,
    ast.Assert: Visitor.assert_,
    ast.Break: Visitor.break_,
    ast.Continue: Visitor.break_,
    ast.Pass: Visitor.nothing,
    ast.If: Visitor.if_,
    ast.While: Visitor.while_,
    ast.For: Visitor.for_,
    ast.AsyncFor: Visitor.for_,
    ast.With: Visitor.with_,
    ast.AsyncWith: Visitor.with_,
    ast.Try: Visitor.try_,
    ast.TryStar: Visitor.try_,
    ast.Match: Visitor.match,
    ast.FunctionDef: Visitor.function,
    ast.AsyncFunctionDef: Visitor.function,
    ast.ClassDef: Visitor.class_,
    ast.Lambda: Visitor.lambda_,
    ast.Name: Visitor.name,
    ast.Constant: Visitor.nothing,
    ast.Attribute: Visitor.attribute,
    ast.Subscript: Visitor.subscript,
    ast.BinOp: Visitor.binary,
    ast.NamedExpr: Visitor.named_expression,
    ast.BoolOp: Visitor.bool_op,
    ast.Compare: Visitor.compare,
    ast.IfExp: Visitor.if_exp,
    ast.ListComp: Visitor.comprehension,
    ast.SetComp: Visitor.comprehension,
    ast.DictComp: Visitor.comprehension,
    ast.GeneratorExp: Visitor.comprehension,
    ast.Call: Visitor.unused_call,
}
if hasattr(ast, "TypeAlias"):
    VISIT[ast.TypeAlias] = Visitor.type_alias
