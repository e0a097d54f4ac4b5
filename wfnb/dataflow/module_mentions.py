"""Syntax trees -> what the code says of attributes of modules and of random seeds, word by word.

`visitor` follows names. What hangs on a module (`config.rate`, `os.environ`) has no name of its
own and outlives every import, so it is noted as written: the name, and the attributes after it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import dropwhile
from typing import Any, Final

from wfnb.dataflow import magics
from wfnb.dataflow.known_functions import (
    GENERATOR_METHODS,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    MUTATING_MODULE_FUNCTIONS,
    OPAQUE_NAMES,
    words,
)
from wfnb.record import record

Pair = tuple[str, str]
"""A name, and what is written after it: `os` and `environ`, `a` and `b.rate`. Or a module, and what
is imported from it."""

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS: Final = (*_FUNCTIONS, ast.ClassDef)
_SETTERS: Final = ("setattr", "delattr")
_SEEDING: Final = ("setstate", "set_state", "set_rng_state")

SHOWS: Final = " shows"
USES_FILES: Final = " files"
SETS_ENVIRONMENT: Final = " environment"
TAKES_NAMES: Final = " names"
TAKES_SETTINGS: Final = " settings"
TAKES_STATE: Final = " state"
"""What words say, beside those that name a setting themselves; of TAKES_NAMES: the notebook's
names are taken as a whole, as `get_ipython().user_ns` and `sys.modules["__main__"]` give them; of
TAKES_SETTINGS: what a setting was is used where it is set, as in `old = np.seterr(…)`; of
TAKES_STATE: the state of a random generator is used, as by `random.getstate()`."""
RELOADS: Final = "reload"
_SETTINGS: Final = words(
    """
    getcontext setcontext seterr set_printoptions options set_option reset_option setlocale
    chdir fchdir reload
    """
)
LOOKS: Final = {"getcontext": "setcontext", "options": "set_option"}
"""Of these, what sets something where an attribute of it is bound alone; and what does the same."""
_SHOWING: Final = words(
    """
    print display repr str ascii format pprint pformat to_string to_html to_latex to_markdown
    array2string array_str array_repr info
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
_PROCESSES: Final = magics.SHELL | words(
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
    """What is read."""
    assigned: frozenset[Pair] = frozenset()
    """What is bound, deleted or changed in place."""
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
    tree: ast.Module, others: Iterable[ast.Module | None] = (), called: Collection[str] = ()
) -> Mentions:
    """What a cell and the code in its magics (`others`) say, in functions that they define and use,
    too. Those of `called` are used by functions of other cells.

    >>> found = mentions(ast.parse("c.rate = 5; os.environ['A'] = c.name; c.n += 1"))
    >>> sorted(found.assigned), sorted(found.attributes)
    ([('c', 'n'), ('c', 'rate'), ('os', 'environ')], [('c', 'n'), ('c', 'name')])
    >>> found = mentions(ast.parse("def f(): c.rate = 5\\ndef g(): c.n = 1\\ng()"))
    >>> sorted(found.assigned)
    [('c', 'n')]
    """
    loads: Counter[Pair] = Counter()
    assigned: set[Pair] = set()
    imported: set[Pair] = set()
    bound: set[str] = set()
    loaded: set[str] = set()
    said: set[str] = {SHOWS} if tree.body and isinstance(tree.body[-1], ast.Expr) else set()
    seeds: list[tuple[int, int]] = []
    draws: list[tuple[int, int]] = []
    stores = False
    looked_up: set[str] = set()
    fetched: set[str] = set()
    scripts: list[str] = []
    alone: set[int] = set()
    in_results = False
    names: set[str] = set()
    calls: set[str] = set()
    parameters: set[str] = set()
    for node in _nodes((tree, *others), called):
        kind = node.__class__
        if kind in _LOOKUPS:
            (looked_up if kind is ast.Compare else fetched).update(_looked_up(node))
        if kind is ast.Attribute or kind is ast.Subscript:
            is_main = kind is ast.Subscript and (_is_main(node.slice) or _is_own_name(node.slice))
            said.update([TAKES_NAMES] if is_main else ())
            pair = _chain(node)
            said.update(_word(node.attr) if kind is ast.Attribute else ())
            if node.ctx.__class__ is ast.Load:
                loads[pair] += kind is ast.Attribute
            else:
                stores = True
                said.update(_set_through(node))
            names.add(getattr(node, "attr", ""))
            changes = getattr(node, "attr", "") in MUTATING_METHODS
            stores = stores or changes
            is_store = changes or node.ctx.__class__ is not ast.Load
            in_results = in_results or (is_store and not _chain(node)[0])
            if node.ctx.__class__ is not ast.Load and pair[1]:
                assigned.add(pair)
                # In `a.b.c = 1` Python loads `a.b`, which is no reading of what `b` was.
                loads.subtract(chain_prefixes(*pair, whole=kind is ast.Subscript))
        elif kind is ast.Name:
            (loaded if node.ctx.__class__ is ast.Load else bound).add(node.id)
            said.update(_word(node.id))
        elif kind is ast.JoinedStr:
            said.add(SHOWS)
        elif kind in _DEFINITIONS:
            bound.add(node.name)
        elif kind is ast.arg:
            parameters.add(node.arg)
        elif kind is ast.Constant:
            names.update([node.value] if isinstance(node.value, str) else ())
        elif kind is ast.Expr:
            alone.add(id(node.value))
        elif kind is ast.AugAssign:
            stores = True
            said.update([TAKES_SETTINGS] if any(_set_through(node.target)) else ())
            loads[_chain(node.target)] += 2
        elif kind is ast.Call:
            called = _called_name(node)
            calls.add(called)
            if called == "seterr" and id(node) not in alone:
                said.add(TAKES_SETTINGS)
            said.update([TAKES_NAMES] if _is_main(*node.args[:1]) else ())
            stores = stores or called in MUTATING_METHODS or called in MUTATING_FUNCTIONS
            stores = stores or len(node.args) > MUTATING_MODULE_FUNCTIONS.get(called, 99)
            if is_seeding(called):
                seeds.append((node.lineno, node.col_offset))
            elif called in GENERATOR_METHODS:
                draws.append((node.lineno, node.col_offset))
            pair = _changed_by_call(node, called)
            if pair[1]:
                assigned.add(pair)
            if called in _OF_SHELL and magics.is_shell(getattr(node.func, "value", None)):
                said.update(_of_magic(called, node, imported))
                scripts += _scripts(node)
            # Where a relative path leads depends on the directory before.
            elif called == "chdir" and _is_relative(node.args):
                said.add(USES_FILES)
        elif kind is ast.ImportFrom and node.module and not node.level:
            imported.update((node.module, alias.name) for alias in node.names)
    stars = tuple(_stars(tree.body))
    return Mentions(
        attributes=frozenset(pair for pair, count in loads.items() if count > 0 and pair[1]),
        assigned=frozenset(assigned),
        imported=frozenset(imported),
        imports=frozenset(_imports(tree)) - bound - {"*"},
        stars=stars,
        begins_with_stars=bool(stars or scripts) and _begins_with_stars(tree),
        loaded=frozenset(loaded),
        words=frozenset(said),
        seeds=bool(seeds),
        draws=bool(seeds and draws) and min(draws) < min(seeds),
        stores=stores,
        looked_up=frozenset(looked_up | fetched),
        fetched=frozenset(fetched),
        before_setting="" if _SETTINGS.isdisjoint(said) else _before_setting(tree),
        scripts=tuple(scripts),
        stores_in_results=in_results,
        names=frozenset(names | loaded),
        calls=frozenset(calls),
        own=frozenset(bound | parameters),
    )


def _imports(tree: ast.Module) -> Iterator[str]:
    """Names that the statements of a cell import, those within others left out."""
    for statement in tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                yield alias.asname or alias.name.partition(".")[0]


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
        said = {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(statement)}
        looked = looked or not said.isdisjoint(LOOKS)
        if not said.isdisjoint(_SETTINGS - LOOKS.keys()) or (
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
    if name in _SETTINGS:
        return (name,)
    if name in _SHOWING:
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


def _is_main(asked: ast.expr | None = None) -> bool:
    """Of `sys.modules["__main__"]` and `import_module("__main__")` what is asked for."""
    return isinstance(asked, ast.Constant) and asked.value == "__main__"


def _is_own_name(asked: ast.expr) -> bool:
    """Of `sys.modules[__name__]`; a call with it, as of `getLogger`, is of another kind."""
    return isinstance(asked, ast.Name) and asked.id == "__name__"


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


def _changed_by_call(node: ast.Call, called: str) -> Pair:
    """`name.part.append(1)` changes a part, and `setattr(name, "part", 1)` binds it. A method of
    the name itself may be any function of a module."""
    if node.func.__class__ is ast.Attribute and called in MUTATING_METHODS - GENERATOR_METHODS:
        return _chain(node.func.value)
    match node.func, node.args:
        case ast.Name(id=name), [owner, ast.Constant(value=str(attribute)), *_] if name in _SETTERS:
            return _chain(ast.Attribute(owner, attribute))
    return "", ""


def _looked_up(node: Any) -> Iterator[str]:
    """The names in `"x" in globals()`, `globals()["x"]` and `globals().get("x")`."""
    match node:
        case ast.Compare(left=asked, comparators=[where]):
            pass
        case ast.Subscript(value=where, slice=asked, ctx=ast.Load()):
            pass
        case ast.Call(func=ast.Attribute(value=where), args=[asked, *_]):
            pass
        case _:
            return
    match where, asked:
        case ast.Call(func=ast.Name(id=called), args=[]), ast.Constant(value=str(name)):
            if called in _NAMESPACES:
                yield name
