"""a function -> a tool: a name, a schema of its parameters, and how it may be called.

`tool_of` makes one and leaves it at that, as the built-in tools need it;
`wfnb.workflows.tools.registry.tool` (`@wfnb.tool`) also registers it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from functools import partial
from keyword import iskeyword
from math import inf
from typing import Any

from wfnb.errors import BadValue, ToolBroken
from wfnb.frozen_record import record
from wfnb.stoppable_calls.threads import GRACE
from wfnb.workflows.definition.absent_fields import ANY_RESULT
from wfnb.workflows.definition.name_rules import TOOL
from wfnb.workflows.definition.verbatim_parameters import verbatim

from .parameter_conflicts import Joint
from .result_fields import ToolFailed as ToolFailed
from .result_fields import outcome as outcome
from .signature import signature_of, split_docstring

Patience = Callable[[Mapping[str, Any]], float | None] | float | None
_ALWAYS = ("error", "error_type")


@record
class Tool:
    """Something that a workflow may call."""

    name: str
    call: Callable[..., Any]
    """A function or coroutine function, called with keyword parameters."""
    coroutine: bool
    """Whether it is a coroutine function."""
    says: str
    """What it does, in one line."""
    parameters: Mapping[str, Any]
    """The JSON Schema of its parameters."""
    read: Callable[[Mapping[str, Any]], dict[str, Any]]
    """Parameters as they are written -> as the function takes them. Raises BadParameters."""
    about: str = ""
    """What else there is to say of it: the rest of the docstring."""
    results: tuple[str, ...] | None = None
    """The names of the fields that its result may have; None: not known before."""
    kinds: Mapping[str, str] = field(default_factory=dict)
    """Of fields of its result the types of JSON that each may have, beside null."""
    opaque: Mapping[str, str] = field(default_factory=dict)
    """Fields of its result of a type that JSON cannot hold, with the name of the type."""
    failures: frozenset[str] = frozenset()
    """Names of fields that only the result of a failure may have."""
    idempotent: bool = False
    """May be called again when it is not known whether it was done."""
    travels: bool = False
    """May run on another machine."""
    patience: Patience = field(default=30.0)
    """How many seconds an attempt may take where the workflow does not say, possibly by its
    parameters; None: as long as the workflow has."""
    grace: float | None = GRACE
    """How many seconds a coroutine has for ending when it is cancelled; None: it does end, and has
    the time that it takes to end what it began."""
    context: str | None = None
    """The parameter that takes the Context of the call."""
    process: bool = False
    """A function to be run in a process of its own, which can be killed."""
    sees: str | None = None
    """The parameter that names a file which a call reads: an investigation counts it."""
    waits: bool = False
    """All that it does is wait: called again after its process was gone, it goes on with the wait
    that was begun then (`Context.since`)."""
    verbatim: frozenset[str] = frozenset()
    """The parameters that hold a program: no placeholder in them is filled in."""
    objects: frozenset[str] | None = frozenset()
    """The parameters that may be any value of Python, and not only one that JSON can hold; None:
    all of them."""
    joint: Joint | None = None
    """What is wrong with its parameters together, though none is by itself."""
    away: Callable[[Mapping[str, Any]], bool] = lambda params: False
    """Whether a call with these parameters is made in a process of its own."""

    def takes(self, parameter: str) -> bool:
        """Whether that parameter may be any value of Python."""
        return self.objects is None or parameter in self.objects

    @property
    def takes_context(self) -> bool:
        """Whether a call has the Context: only such a call can start what bears the run's mark."""
        return self.context is not None or self.process

    def seconds(self, params: Mapping[str, Any]) -> float | None:
        """How long an attempt with these parameters may take, where the workflow does not say.
        Raises BadValue for what is no time."""
        if not callable(self.patience):
            return self.patience
        found = self.patience(params)
        return found if found is None else seconds("timeout", found)


def seconds(field: str, value: Any) -> float:
    """A time that a tool says of itself. Raises BadValue for what is none."""
    if not isinstance(value, bool) and isinstance(value, int | float) and 0 < value < inf:
        return float(value)
    raise BadValue(field, str(value)[:80], "a number of seconds above 0, or None")


def tool_of(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    idempotent: bool = False,
    travels: bool = False,
    timeout: Patience = 30.0,
    results: Sequence[str] | Mapping[str, str] | None = None,
    parameters: Mapping[str, Any] | None = None,
    process: bool = False,
    grace: float | None = GRACE,
    sees: str | None = None,
    waits: bool = False,
    objects: Collection[str] | None = (),
    away: Callable[[Mapping[str, Any]], bool] | None = None,
    joint: Joint | None = None,
) -> Tool:
    """The tool that a function is. Its name, text, parameters and results are those of the
    function where they are not given; results with their types (`{"code": "integer"}`, `""`: any)
    are all that there are, those of failures too. `timeout` and `grace` are in seconds; `sees` is
    the parameter that names a file which is read.

    Raises BadValue for a name that cannot be one, ToolBroken for a function that cannot be a tool.
    """
    name = name if name is not None else str(getattr(_bare(function), "__name__", ""))
    if (lacks := TOOL.lacks(name)) is not None:
        raise BadValue("the tool's name", name[:80], lacks)
    signature = signature_of(function, name, parameters)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise ToolBroken(name, "it is a generator; a tool returns its result")
    if process and inspect.iscoroutinefunction(function):
        raise ToolBroken(name, "a coroutine function cannot run in a process of its own")
    if signature.context and (travels or process):
        # A Context has the run, its clock and its files: nothing of it can be sent.
        what = "one that travels or runs in a process of its own"
        raise ToolBroken(name, f"{what} cannot take the Context, which stays here")
    known = results if results is not None else signature.results
    kinds: dict[str, str] = {}
    if isinstance(results, Mapping):
        kinds = {**ANY_RESULT, **{name: kind for name, kind in results.items() if kind}}
    says, _, about = split_docstring(inspect.getdoc(_bare(function)) or "")[0].partition("\n\n")
    return Tool(
        name=name,
        call=function,
        coroutine=inspect.iscoroutinefunction(function),
        says=" ".join(says.split()),
        about=about.strip(),
        parameters=signature.parameters,
        read=signature.read,
        results=None if known is None else tuple(dict.fromkeys(("success", *known, *_ALWAYS))),
        idempotent=idempotent,
        travels=travels,
        patience=timeout,
        grace=grace,
        context=signature.context,
        process=process,
        sees=sees,
        waits=waits,
        verbatim=verbatim(signature.parameters),
        objects=None if objects is None else frozenset(objects),
        away=away or (lambda params: process),
        joint=joint,
        failures=frozenset() if kinds else _failures(getattr(_bare(function), "__code__", None)),
        kinds=kinds,
        opaque=signature.opaque,
    )


def _failures(code: Any) -> frozenset[str]:
    """The keywords by which a function, or one within it, may call `ToolFailed`: all that it calls
    anything by, since which call they belong to is nothing that a code object tells."""
    consts = getattr(code, "co_consts", ())
    # Functions within it count: a tool often leaves the call that fails to a helper inside.
    inner = frozenset[str]().union(
        *(_failures(each) for each in consts if hasattr(each, "co_code"))
    )
    if ToolFailed.__name__ not in getattr(code, "co_names", ()):
        return inner
    # What the annotations of a function within it are, `return` among them, is a tuple, too.
    keywords = (each for each in consts if isinstance(each, tuple) and all(map(_is_name, each)))
    return inner.union(*keywords)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and not iskeyword(value)


def _bare(function: Callable[..., Any]) -> Callable[..., Any]:
    return _bare(function.func) if isinstance(function, partial) else function
