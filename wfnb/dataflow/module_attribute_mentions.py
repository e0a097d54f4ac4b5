"""Syntax trees -> what the code says of attributes of modules and of random seeds, word by word.

`effect_visitor` follows names. What hangs on a module (`config.rate`, `os.environ`) has no name of
its own and outlives every import, so it is noted as written: the name, and the attributes after it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Any, Final

from wfnb.core.data_flow import OF
from wfnb.dataflow import magic_parser
from wfnb.dataflow.known_functions import (
    GENERATOR_METHODS,
    LOADERS,
    LOOKUPS,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    MUTATING_MODULE_FUNCTIONS,
    OPAQUE_NAMES,
    words,
)
from wfnb.dataflow.process_settings import (
    ASKED,
    ENVIRONMENT,
    GIVES_BACK,
    SET,
    SETS_ENVIRONMENT,
    SHOWS,
    USES_FILES,
)
from wfnb.frozen_record import record

Pair = tuple[str, str]
"""A name, and what is written after it: `os` and `environ`, `a` and `b.rate`. Or a module, and what
is imported from it."""

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS: Final = (*_FUNCTIONS, ast.ClassDef)
_SETTERS: Final = ("setattr", "delattr")
_NAMED: Final = (*_SETTERS, "getattr", "hasattr")
_SEEDING: Final = ("setstate", "set_state", "set_rng_state")

TAKES_NAMES: Final = " names"
TAKES_SETTINGS: Final = " settings"
TAKES_STATE: Final = " state"
"""What words say, beside those that name a setting themselves; of TAKES_NAMES: the notebook's
names are taken as a whole, as `get_ipython().user_ns` and `sys.modules["__main__"]` give them; of
TAKES_SETTINGS: what a setting is or was is used where it is set, as in `old = np.seterr(…)`; of
TAKES_STATE: the state of a random generator is used, as by `random.getstate()`."""
RELOADS: Final = "reload"
_SETTINGS: Final = SET | {RELOADS}
LOOKS: Final = {"getcontext": "setcontext", "options": "set_option"}
"""Of these, what sets something where an attribute of it is bound alone; and what does the same."""
_SHOWING: Final = words(
    """
    print display repr str ascii format pprint pformat to_string to_html to_latex to_markdown
    array2string array_str array_repr info format_map warn __str__ __repr__ __format__
    """
)
_FILES: Final = words(
    """
    getcwd getcwdb cwd abspath absolute resolve realpath listdir scandir iterdir walk glob iglob
    rglob exists isfile isdir is_file is_dir open mkdir makedirs unlink rmdir touch stat getsize
    getmtime rmtree copyfile copy2 copytree connect genfromtxt fromfile memmap imread tofile
    """
)
_FILE_VERBS: Final = ("read_", "write_", "scan_", "save", "load", "to_csv", "to_excel")
_FILE_VERBS_OF_FRAMES: Final = ("to_parquet", "to_json", "to_pickle", "to_feather", "to_hdf")
_PROCESSES: Final = magic_parser.SHELL | words(
    """
    bash cat conda cp ldir less lf lk ll ls lx magic mamba man micromamba mkdir more mv perl pip
    pypy python python2 python3 rep rm rmdir ruby script sh uv
    """
)
_NAME_HOLDERS: Final = words(
    "user_ns user_global_ns user_module f_globals f_locals __globals__ __main__"
)
_LOOKUPS: Final = (ast.Compare, ast.Subscript, ast.Call)
_NAMESPACES: Final = ("globals", "locals", "vars", "dir")
_DIRECTORIES: Final = ("cd", "pushd", "popd")
_SCRIPTS: Final = (".py", ".ipy", ".ipynb")


@record
class Mentions:
    """What the text of code says of modules, settings and random generators."""

    attributes: frozenset[Pair] = frozenset()
    """What is read; after no name, of what functions and classes import."""
    renamed: frozenset[Pair] = frozenset()
    """Of these, what gets a name, and is used no otherwise."""
    assigned: frozenset[Pair] = frozenset()
    """What is bound, deleted or changed in place."""
    bare: frozenset[str] = frozenset()
    """Names of which the value is used otherwise than by an attribute."""
    reaches: frozenset[str] = frozenset()
    """Modules, and what may be one, that functions, classes and blocks import, and of which the
    value is used otherwise than by an attribute."""
    modules: frozenset[str] = frozenset()
    """Modules that it imports."""
    imported: frozenset[Pair] = frozenset()
    """What is taken from modules."""
    imports: frozenset[str] = frozenset()
    """Names that import statements alone bind, whatever happens."""
    stars: tuple[str, ...] = ()
    """Modules of which it imports all that they export."""
    begins_with_stars: bool = False
    """Whether it does that before anything else, but for scripts."""
    loaded: frozenset[str] = frozenset()
    """Names of which the value is used."""
    only_filled: frozenset[str] = frozenset()
    """Of these, those whose value is used to put something into it alone."""
    words: frozenset[str] = frozenset()
    """What shows that it sets or uses a setting of the process."""
    seeds: bool = False
    """Whether a random generator is given a state."""
    draws: bool = False
    """Whether the text draws from a generator before it gives one a state."""
    stores: bool = False
    """Whether it changes some object in place, if only a new one."""
    looked_up: frozenset[str] = frozenset()
    """Names asked for in `globals()`."""
    fetched: frozenset[str] = frozenset()
    """Of these, those whose values are taken from there."""
    before_setting: str = ""
    """The statements before the first that names a setting of the process."""
    scripts: tuple[str, ...] = ()
    """The files that `%run` runs."""
    stores_in_results: bool = False
    """Whether it changes in place what something gives that is called."""
    names: frozenset[str] = frozenset()
    """All that it says, in texts, too."""
    calls: frozenset[str] = frozenset()
    """The methods and names that it calls."""
    own: frozenset[str] = frozenset()
    """What it binds itself, parameters, too."""


def mentions(
    tree: ast.Module,
    others: Iterable[ast.Module | None] = (),
    called: Collection[str] = (),
    is_shown: bool = True,
) -> Mentions:
    """What a cell and the code in its magics (`others`) say, in functions that they define and use,
    too. Those of `called` are used by functions of other cells; `is_shown`: the last value is.

    >>> found = mentions(ast.parse("c.rate = 5; os.environ['A'] = c.name; c.n += 1"))
    >>> sorted(found.assigned), sorted(found.attributes)
    ([('c', 'n'), ('c', 'rate'), ('os', 'environ')], [('c', 'n'), ('c', 'name')])
    >>> found = mentions(ast.parse("def f(): c.rate = 5\\ndef g(): c.n = 1\\ng()"))
    >>> sorted(found.assigned)
    [('c', 'n')]
    """
    found, last = _Nodes(), None
    if is_shown and tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        name = _called_name(last.value) if isinstance(last.value, ast.Call) else ""
        found.words.update([SHOWS] if name not in SET - GIVES_BACK else ())
    for node in _nodes((tree, *others), called):
        kind = node.__class__
        if kind in _LOOKUPS:
            found.look_up(node)
        if kind is ast.Attribute or kind is ast.Subscript:
            found.place(node, kind is ast.Attribute)
        elif kind is ast.Name:
            (found.loaded if node.ctx.__class__ is ast.Load else found.bound).add(node.id)
            found.loads[node.id, ""] += node.ctx.__class__ is ast.Load
            found.bare += [(id(node), node.id)]
            found.words.update(_word(node.id))
        # A text made of values shows them, as `print` does: by what is set for numbers.
        elif kind is ast.JoinedStr or (kind is ast.BinOp and isinstance(node.op, ast.Mod)):
            found.words.add(SHOWS)
        elif kind in _DEFINITIONS:
            found.bound.add(node.name)
        elif kind is ast.keyword:
            found.names.update(filter(None, [node.arg]))
        elif kind is ast.arg:
            found.parameters.add(node.arg)
        elif kind is ast.Constant:
            found.names.update([node.value] if isinstance(node.value, str) else ())
        elif (kind is ast.Expr and node is not last) or (
            kind is ast.Assign and getattr(node.targets[0], "id", "") == "_"
        ):
            found.alone.add(id(node.value))
        elif kind is ast.Assign and node.value.__class__ is ast.Attribute:
            found.renamed[_chain(node.value)] += node.targets[0].__class__ is ast.Name
        elif kind is ast.AugAssign:
            found.stores = True
            found.words.update([TAKES_SETTINGS] if any(_set_through(node.target)) else ())
            found.loads[_chain(node.target)] += 2
        elif kind is ast.Call:
            found.call(node)
        elif kind is ast.ImportFrom and node.module and not node.level:
            found.imported.update((node.module, alias.name) for alias in node.names)
            found.taken.update(_bound_by(node))
            found.inner.update(_inner(node, tree.body))
            found.modules.add(node.module)
        elif kind is ast.Import:
            found.modules.update(alias.name for alias in node.names)
            found.inner.update(_inner(node, tree.body))
    # The name of a module that is loaded by a function may be joined of parts.
    if not LOADERS.isdisjoint(found.names | found.loaded):
        every = map(_joined_text, _nodes((tree, *others), called))
        found.names.update(text for text in every if text is not None)
    stars = tuple(_stars(tree.body))
    imports = {
        alias.asname or alias.name.partition(".")[0]
        for statement in tree.body
        if isinstance(statement, (ast.Import, ast.ImportFrom))
        for alias in statement.names
    }
    attributes = {pair for pair, count in found.loads.items() if count > 0 and pair[1]}
    if ("os", "environ") in found.assigned:
        attributes -= {*_variables_set_first(tree)}
    if found.inner:
        attributes |= {("", whole) for name, whole in found.inner if name in found.loaded}
        attributes.update(found.inside({*attributes}))
        found.assigned.update(found.inside({*found.assigned}))
    found.assigned |= {("", whole) for name, whole in found.taken if name in found.stored}
    bare = frozenset(name for node, name in found.bare if node not in found.dotted)
    return Mentions(
        attributes=frozenset(attributes),
        renamed=frozenset(p for p in attributes if found.loads[p] == found.renamed[p]),
        assigned=frozenset(found.assigned),
        bare=bare,
        reaches=frozenset(whole for name, whole in found.inner if name in bare),
        modules=frozenset(found.modules),
        imported=frozenset(found.imported),
        imports=frozenset(imports - found.bound - {"*"}),
        stars=stars,
        begins_with_stars=bool(stars or found.scripts) and _begins_with_stars(tree),
        loaded=frozenset(found.loaded),
        only_filled=frozenset(n for n in found.loaded if found.loads[n, ""] == 0),
        words=frozenset(found.words),
        seeds=bool(found.seeds),
        draws=bool(found.seeds and found.draws) and min(found.draws) < min(found.seeds),
        stores=found.stores,
        looked_up=frozenset(found.looked_up | found.fetched),
        fetched=frozenset(found.fetched),
        before_setting="" if _SETTINGS.isdisjoint(found.words) else _before_setting(tree),
        scripts=tuple(found.scripts),
        stores_in_results=found.stores_in_results,
        names=frozenset(found.names | found.loaded),
        calls=frozenset(found.calls),
        own=frozenset(found.bound | found.parameters),
    )


@dataclass
class _Nodes:
    """What the nodes say that were read so far."""

    loads: Counter[Pair] = field(default_factory=Counter)
    """How often each is loaded, without loads on the way to what is stored."""
    renamed: Counter[Pair] = field(default_factory=Counter)
    assigned: set[Pair] = field(default_factory=set)
    imported: set[Pair] = field(default_factory=set)
    inner: set[Pair] = field(default_factory=set)
    """Names that are bound by imports which do not stand alone in the cell, and of what."""
    taken: set[Pair] = field(default_factory=set)
    """Names that are bound by what is taken from modules, and of what."""
    stored: set[str] = field(default_factory=set)
    """Names in whose objects something is stored, or deleted."""
    bare: list[tuple[int, str]] = field(default_factory=list)
    dotted: set[int] = field(default_factory=set)
    """Ids of nodes of which an attribute is taken."""
    modules: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    loaded: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    seeds: list[tuple[int, int]] = field(default_factory=list)
    """Line and column of each call that gives a generator its state."""
    draws: list[tuple[int, int]] = field(default_factory=list)
    looked_up: set[str] = field(default_factory=set)
    fetched: set[str] = field(default_factory=set)
    scripts: list[str] = field(default_factory=list)
    alone: set[int] = field(default_factory=set)
    """Ids of nodes whose value nothing uses."""
    names: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    stores: bool = False
    stores_in_results: bool = False

    def place(self, node: Any, is_attribute: bool) -> None:
        """`a.b` or `a[b]`, which is loaded, bound or deleted."""
        is_load, pair = node.ctx.__class__ is ast.Load, _chain(node)
        if is_attribute:
            self.dotted.update([id(node.value)] if node.attr not in LOOKUPS else ())
            self.words.update(_word(node.attr))
        elif _is_main(node.slice) or _is_own_name(node.slice):
            self.words.add(TAKES_NAMES)
        if is_load:
            self.loads[pair] += is_attribute
        else:
            self.words.update(_set_through(node))
        self.names.add(getattr(node, "attr", ""))
        is_store = not is_load or getattr(node, "attr", "") in MUTATING_METHODS
        self.stores = self.stores or is_store
        self.stores_in_results = self.stores_in_results or (is_store and not pair[0])
        self.stored.update([pair[0]] if is_store else ())
        self.loads[pair[0], ""] -= not is_load and not pair[1]
        if not is_load and pair[1]:
            self.assigned.add(pair)
            # In `a.b.c = 1` Python loads `a.b`, which is no reading of what `b` was.
            self.loads.subtract(chain_prefixes(*pair, whole=not is_attribute))

    def look_up(self, node: Any) -> None:
        """The name in `"x" in globals()`, `globals()["x"]` and `globals().get("x")`; a variable of
        the environment that is asked for so, and then no other of it is read."""
        match node:
            case ast.Compare(left=asked, comparators=[where]):
                way = where
            case ast.Subscript(value=where, slice=asked, ctx=ast.Load()):
                way = where
            case ast.Call(func=ast.Attribute(value=where) as way, args=[asked, *_]):
                pass
            case _:
                return
        match where, asked:
            case ast.Call(func=ast.Name(id=called), args=[]), ast.Constant(value=str(name)):
                is_question = node.__class__ is ast.Compare
                found = self.looked_up if is_question else self.fetched
                found.update([name] if called in _NAMESPACES else ())
            case _, ast.Constant(value=str(name)):
                self.loads.update(variable_asked(*_chain(way), name, way is not where))

    def inside(self, pairs: Collection[Pair]) -> Iterator[Pair]:
        """Those that are of what functions and classes import."""
        for name, whole in self.inner:
            yield from (("", f"{whole}.{chain}") for root, chain in pairs if root == name)

    def call(self, node: ast.Call) -> None:
        name = _called_name(node)
        self.calls.add(name)
        is_question = name == "setlocale" and len(node.args) + len(node.keywords) < 2
        if is_question or (name in GIVES_BACK and id(node) not in self.alone):
            self.words.add(TAKES_SETTINGS)
        self.words.update([TAKES_NAMES] if _is_main(*node.args[:1]) else ())
        self.stores = self.stores or name in MUTATING_METHODS or name in MUTATING_FUNCTIONS
        self.stores = self.stores or len(node.args) > MUTATING_MODULE_FUNCTIONS.get(name, 99)
        if is_seeding(name):
            self.seeds.append((node.lineno, node.col_offset))
        elif name in GENERATOR_METHODS:
            self.draws.append((node.lineno, node.col_offset))
        pair = "", ""
        # `name.part.append(1)` changes a part, and `setattr(name, "part", 1)` binds it. A method of
        # the name itself may be any function of a module.
        match node.func, node.args:
            case ast.Attribute(value=value), _ if name in MUTATING_METHODS - GENERATOR_METHODS:
                pair = _chain(value)
            case ast.Name(), [owner, ast.Constant(value=str(attribute)), *_] if name in _NAMED:
                self.dotted.add(id(owner))
                named = _chain(ast.Attribute(owner, attribute))
                if name in _SETTERS:
                    pair = named
                else:
                    self.loads[named] += 1
            case ast.Name(), [owner, *_] if name in _SETTERS:
                self.dotted.add(id(owner))
        if pair[1]:
            self.assigned.add(pair)
        if name in _OF_SHELL and magic_parser.is_shell(getattr(node.func, "value", None)):
            self.words.update(_of_magic(name, node, self.imported))
            self.scripts += _scripts(node)
        # Where a relative path leads depends on the directory before.
        elif name == "chdir" and _is_relative(node.args):
            self.words.add(USES_FILES)


def _joined_text(node: Any) -> str | None:
    """A text that code puts together of texts, as Python's compiler does in functions.

    >>> [_joined_text(ast.parse(code).body[0].value) for code in ("'ma' + 't' + 'h'", "f'ma{1}'")]
    ['math', None]
    """
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [_joined_text(left), _joined_text(right)]
        case ast.JoinedStr(values=values):
            inner = (
                each.value if isinstance(each, ast.FormattedValue) else each for each in values
            )
            parts = [*map(_joined_text, inner)]
        case _:
            return None
    return None if None in parts else "".join(filter(None, parts))


def _inner(node: ast.Import | ast.ImportFrom, top: list[ast.stmt]) -> Iterator[Pair]:
    """The names that an import binds, and of what, unless it stands alone in the cell."""
    if not any(node is each for each in top):
        yield from _bound_by(node)


def _bound_by(node: ast.Import | ast.ImportFrom) -> Iterator[Pair]:
    """The names that an import binds, and of what."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        else:
            first = alias.name.partition(".")[0]
            yield alias.asname or first, alias.name if alias.asname else first


def _is_import(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, (ast.Import, ast.ImportFrom))


def _begins_with_stars(tree: ast.Module) -> bool:
    """Whether it imports all that modules export, and runs scripts, before all else."""
    rest = [*dropwhile(lambda each: _is_import(each) or _is_script(each), tree.body)]
    calls = (node for each in rest for node in ast.walk(each) if isinstance(node, ast.Call))
    return not any(_stars(rest)) and not any(any(_scripts(call)) for call in calls)


def _is_script(statement: ast.stmt) -> bool:
    """Whether it is a `%run` that reads no names of the notebook."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not any(_scripts(call)):
        return False
    line = str(getattr(call.args[1], "value", ""))
    return "-i" not in line.split() and not {*"{$"} & {*line}


def _before_setting(tree: ast.Module) -> str:
    """The statements before the first that names a setting, as text. Empty where they are imports
    alone, which use none."""
    before: list[ast.stmt] = []
    looked = False
    for statement in tree.body:
        names = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(statement)}
        looked = looked or not names.isdisjoint(LOOKS)
        if not names.isdisjoint(_SETTINGS - LOOKS.keys()) or (
            looked and _stores_in_place(statement)
        ):
            break
        if not _takes_context(statement):
            before.append(statement)
    return (
        "" if all(map(_is_import, before)) else ast.unparse(ast.Module([*before, ast.Pass()], []))
    )


def _stores_in_place(statement: ast.stmt) -> bool:
    places = (n for n in ast.walk(statement) if isinstance(n, (ast.Attribute, ast.Subscript)))
    return any(not isinstance(place.ctx, ast.Load) for place in places)


def _set_through(node: Any) -> Iterator[str]:
    """What sets the same as a binding of `getcontext().prec` or of `pd.options.display.width`."""
    while node.__class__ in (ast.Attribute, ast.Subscript):
        node = node.value
        name = _called_name(node) if isinstance(node, ast.Call) else getattr(node, "attr", "")
        yield from filter(None, [LOOKS.get(name)])


def _takes_context(statement: ast.stmt) -> bool:
    """`context = getcontext()` uses nothing of it yet."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    return isinstance(value, ast.Call) and _called_name(value) in LOOKS


def _stars(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Modules of which all is imported; a notebook has no package for `from .x`."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            yield statement.module or ""


def is_seeding(name: str) -> bool:
    """Whether a function of this name gives a random generator its state.

    >>> is_seeding("manual_seed"), is_seeding("set_seed"), is_seeding("default_rng")
    (True, True, False)
    """
    return "seed" in name.lower() or name in _SEEDING


def words_among(names: Iterable[str]) -> frozenset[str]:
    """What names in code say of settings of the process.

    >>> sorted(words_among(("set_option", "to_csv", "total", "print")))
    [' files', ' shows', 'set_option']
    """
    return frozenset(word for name in names for word in _word(name))


def _word(name: str) -> tuple[str, ...]:
    if name in _SETTINGS or name in ASKED:
        return (name,)
    if name in _SHOWING or name.startswith("_repr_"):
        return (SHOWS,)
    if name in _NAME_HOLDERS:
        return (TAKES_NAMES,)
    if name in ("getstate", "get_state"):
        return (TAKES_STATE,)
    is_file = name in _FILES or name.startswith(_FILE_VERBS) or name in _FILE_VERBS_OF_FRAMES
    return (USES_FILES,) if is_file else ()


_OF_SHELL: Final = words(
    "system getoutput getoutputs system_piped system_raw run_line_magic run_cell_magic"
)


def _of_magic(method: str, node: ast.Call, imported: set[Pair]) -> Iterator[str]:
    """What a magic says; one that starts a process reads the environment."""
    texts = [str(getattr(arg, "value", "")) for arg in node.args]
    name, line = (*texts, "", "")[:2]
    if not method.startswith("run_") or name in _PROCESSES:
        imported.add(("os", "environ"))
        yield USES_FILES
    if name in ("env", "set_env"):
        if "=" in line or " " in line.strip():
            yield SETS_ENVIRONMENT
        else:
            imported.add(("os", "environ"))
    if name in _DIRECTORIES:
        yield "chdir"
        # `%cd` alone goes home.
        path = line.split()[-1:] or ["~"]
        if not path[0].startswith(("/", "~")):
            yield USES_FILES


def _scripts(node: ast.Call) -> Iterator[str]:
    """The files with code that `%run` names."""
    name, line, *_ = (*(str(getattr(arg, "value", "")) for arg in node.args), "", "")
    for word in line.split() if name == "run" else ():
        # `%run` adds the `.py` that was left out.
        yield from (path for path in (word.strip("'\""), f"{word}.py") if path.endswith(_SCRIPTS))


def _is_relative(args: list[ast.expr]) -> bool:
    path = getattr(args[0], "value", None) if args else None
    return isinstance(path, str) and not path.startswith(("/", "~"))


def _nodes(trees: Iterable[ast.Module | None], called: Collection[str]) -> Iterator[Any]:
    """All, but for the bodies of functions that are defined and not used: they do nothing yet."""
    waiting: list[ast.AST] = []
    functions: dict[str, list[ast.stmt]] = {}
    for statement in (each for tree in trees if tree is not None for each in tree.body):
        # A decorator may call the function at once.
        if isinstance(statement, _FUNCTIONS) and not statement.decorator_list:
            yield statement
            waiting.append(statement.args)
            body = waiting if statement.name in called else functions.setdefault(statement.name, [])
            body.extend(statement.body)
        else:
            waiting.append(statement)
    while waiting:
        for node in ast.walk(waiting.pop()):
            yield node
            if node.__class__ is ast.Name and functions:
                name = getattr(node, "id", "")
                # `eval` may call any of them.
                for used in [*functions] if name in OPAQUE_NAMES else [name]:
                    waiting += functions.pop(used, ())


def chain_prefixes(name: str, chain: str, whole: bool) -> Iterator[Pair]:
    """What is loaded on the way to the end of a chain; `whole`: and at its end.

    >>> list(chain_prefixes("a", "b.c", False)), list(chain_prefixes("a", "b.c", True))
    ([('a', 'b')], [('a', 'b'), ('a', 'b.c')])
    """
    parts = chain.split(".")
    for end in range(1, len(parts) + whole):
        yield name, ".".join(parts[:end])


def _variables_set_first(tree: ast.Module) -> Iterator[Pair]:
    """Variables of the environment that the code sets before it says their names otherwise."""
    known_texts: set[object] = set()
    for statement in tree.body:
        texts = {each.value for each in ast.walk(statement) if isinstance(each, ast.Constant)}
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=where, slice=ast.Constant(value=str(name)))],
                value=value,
            ) if _chain(where) == ("os", "environ") and name not in known_texts:
                if not any(getattr(each, "value", None) == name for each in ast.walk(value)):
                    yield "os", f"environ{OF}{name}"
        known_texts |= texts


def variable_asked(root: str, chain: str, name: str, is_call: bool) -> Counter[Pair]:
    """What asking for a variable of the environment by its name adds to what is loaded, and takes
    from it: nothing for what asks for something else.

    >>> variable_asked("os", "environ", "HOME", is_call=False)
    Counter({('os', 'environ: HOME'): 1, ('os', 'environ'): -1})
    >>> variable_asked("os", "environ.copy", "HOME", is_call=True)
    Counter()
    """
    whole = f"{root}.{chain}".lstrip(".")
    if whole not in (_ASKED_BY_CALLS if is_call else (ENVIRONMENT,)) or "." in name:
        return Counter()
    before = chain.removesuffix("environ.get").removesuffix("getenv").removesuffix("environ")
    found = Counter({(root, f"{before}environ{OF}{name}"): 1})
    found.subtract(pair for pair in chain_prefixes(root, chain, True) if pair[1] != before[:-1])
    return found


_ASKED_BY_CALLS: Final = (f"{ENVIRONMENT}.get", "os.getenv")


def _is_main(expression: ast.expr | None = None) -> bool:
    """Of `sys.modules["__main__"]` and `import_module("__main__")` what is asked for."""
    return isinstance(expression, ast.Constant) and expression.value == "__main__"


def _is_own_name(expression: ast.expr) -> bool:
    """Of `sys.modules[__name__]`; a call with it, as of `getLogger`, is of another kind."""
    return isinstance(expression, ast.Name) and expression.id == "__name__"


def _chain(node: Any) -> Pair:
    """Of `name.a.b[1].c` the pair of `name` and `a.b`; an empty chain where there is none."""
    chain: list[str] = []
    while node.__class__ is ast.Attribute or node.__class__ is ast.Subscript:
        chain = [node.attr, *chain] if isinstance(node, ast.Attribute) else []
        node = node.value
    return (node.id, ".".join(chain)) if node.__class__ is ast.Name else ("", "")


def _called_name(node: ast.Call) -> str:
    func: Any = node.func
    return str(getattr(func, "attr", None) or getattr(func, "id", ""))
