"""a call -> what its result stands on besides the names of its tool and of its parameters.

A kept result is that of the same call only while the code is the same: of a tool of one's own with
the functions, classes and data that it uses, of the step, the function or the names of the notebook
that `python` is told of, of the workflow that is called, and of all these in it. A path means
another file elsewhere. Where something cannot be read whole there is no key, and the call is made.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from types import CodeType, FunctionType
from typing import Any

from wfnb.workflows.definition.scope import NESTED
from wfnb.workflows.runner.run_context import RunContext
from wfnb.workflows.tools.evaluate import find_function
from wfnb.workflows.tools.registry import builtin_tools
from wfnb.workflows.tools.tool import Tool

_MAX_VALUES = 1000
"""Values that are followed from those that are called."""
_OBJECTS, _SCALE = 10_000_000, 1 << 20
"""Of all these values together: objects that are read, and how large arrays and texts may be, so
many times as usual."""


class NotReadable(Exception):
    """Something that the result may stand on cannot be read whole."""


def stands_on(around: RunContext, tool: Tool, params: Mapping[str, Any]) -> list[Any]:
    """As JSON has it: the same in every process where it is the same. Raises NotReadable, and
    Refused or ToolFailed where what the parameters name is not there."""
    # Both: shell commands run in the first, Python opens relative paths from the second.
    where = [os.path.abspath(around.folder), os.getcwd()]
    return [where, _of_call(around, tool, params, {})]


def _of_call(
    around: RunContext, tool: Tool, params: Mapping[str, Any], called: dict[str, Any]
) -> Any:
    if tool.name == NESTED:
        return list(_workflows(around, params, called))
    if tool.name == "python":
        return _python(around, params)
    return [] if tool.name in builtin_tools() else _content([("", tool.call)])


def _python(around: RunContext, params: Mapping[str, Any]) -> list[Any]:
    from wfnb.dataflow.source_effects import analyze  # noqa: PLC0415  heavy: only where results are kept

    code, step, name = params.get("code"), params.get("step"), params.get("function")
    if isinstance(step, int):
        code = around.code_of(step, params.get("branch")).code
    elif step is not None:  # a placeholder, of a workflow that is called
        raise NotReadable
    if isinstance(name, str):
        code = name
    known = analyze(code) if isinstance(code, str) else analyze("")
    if known.opaque:
        raise NotReadable
    space = around.namespace or {}
    names = dict(_names(space, known.reads, known.mentions.attributes))
    if isinstance(name, str):  # it may be of a module that nobody has imported yet
        names[name] = find_function(name, space)
    return [code, _content(names.items())]


def _content(waiting: Iterable[tuple[str, Any]]) -> list[Any]:
    """Values, and what functions among them use, by what they are made of."""
    from wfnb.dataflow import user_modules  # noqa: PLC0415  as above
    from wfnb.dataflow.fingerprint import Sharing, fingerprint  # noqa: PLC0415  as above
    from wfnb.values.class_digest import content  # noqa: PLC0415  as above

    found: list[tuple[str, str]] = []
    left, met, values = list(waiting), dict[int, Any](), list[tuple[str, Any]]()
    while left:
        name, value = left.pop()
        made = content(value)
        if made is None or len(found) > _MAX_VALUES:
            raise NotReadable
        found.append((name, made[0]))
        values.append((name, value))
        for part in made[1]:
            if id(part) not in met:
                # Kept by id, and the object with it: an id is free again once its object is gone.
                met[id(part)] = part
                if isinstance(part, FunctionType):
                    left += _used_values(part)
    # Beside what a pickle has, what it leaves out: attributes of a frame, what an exception came
    # of, whether two arrays lie in one memory.
    values.sort(key=itemgetter(0))
    seen = fingerprint(values, _OBJECTS, _SCALE, opens=True)
    if seen.unread:
        raise NotReadable
    found.append(("", seen.digest))
    for pair in user_modules.use_of(met.values()).reads:
        data = user_modules.content(pair)
        if data is not None and not data.complete:
            raise NotReadable
        found.append((".".join(pair), data.digest if data else ""))
    # Names of one object, or memory: what changes it under one is seen under the others.
    named = {f"{name}: {place}": value for place, (name, value) in enumerate(values)}
    sharing = Sharing(named, named, _OBJECTS)
    found += [(name, " ".join(sorted(sharing.of(name)))) for name in named]
    return [sorted(found), sorted(user_modules.sources(met.values()).items())]


def _used_values(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """What it has from its module, by name; of modules of the user's own their code counts."""
    from wfnb.dataflow import user_modules  # noqa: PLC0415  as above
    from wfnb.dataflow.bytecode_effects import NOTEBOOK, uses  # noqa: PLC0415  as above
    from wfnb.dataflow.known_functions import OPAQUE_NAMES  # noqa: PLC0415  as above

    code: CodeType = function.__code__
    if user_modules.owner(function) is not None:
        return
    known = uses(code)
    if OPAQUE_NAMES & known.reads or NOTEBOOK in known.imports:
        raise NotReadable
    for name, value in _names(function.__globals__, known.reads, known.attributes):
        yield f"{function.__qualname__}: {name}", value


def _names(
    space: Mapping[str, Any], reads: Iterable[str], attributes: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, Any]]:
    """The values of names, and what is named of modules of the user's own."""
    from wfnb.dataflow import user_modules  # noqa: PLC0415  as above

    yield from ((name, space[name]) for name in reads if name in space)
    for root, chain in attributes:
        end = user_modules.resolve_chain(space, root, chain)
        if end is not None and user_modules.is_own(end[0]):
            yield f"{root}.{chain}", user_modules.value_of(end)


def _workflows(around: RunContext, data: Any, called: dict[str, Any]) -> Iterator[Any]:
    """The calls that the data name, and the saved workflows, with the calls in these."""
    if isinstance(data, Mapping):
        saved, tool = data.get("workflow_name"), data.get("tool")
        # `called` ends the recursion: workflows may call each other.
        if isinstance(saved, str) and saved not in called:
            called[saved] = around.library.load(saved)
            yield [saved, called[saved]]
            yield from _workflows(around, called[saved], called)
        if isinstance(tool, str) and tool != NESTED:
            params = data.get("params") or data.get("args") or {}
            yield [tool, _of_call(around, around.tools.get(tool), params, called)]
    if isinstance(data, Mapping | list | tuple):
        for each in data.values() if isinstance(data, Mapping) else data:
            yield from _workflows(around, each, called)
