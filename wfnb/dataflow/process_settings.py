"""what cells set for the whole process -> what it is now, and which code sets and uses it.

The environment, the working directory, the context of decimal numbers, options of NumPy, pandas,
scikit-learn, Polars and PyTorch, the locale, loggers, dialects, warnings that are errors. Each
counts from where a cell changes it, until it is again what it was when it was first met: before,
all is as a new process has it. Its state is looked at before and after each cell, so that it does
not matter how it was set; `set_option`, which sets what is set already, is known by its name.

A row of the table is data: whoever finds a setting that is not here adds one. `sets` and `asks` are
names as they stand in code; where the name alone may be that of many things, the module and a dot
before it.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from wfnb.core.data_flow import OF
from wfnb.frozen_record import record
from wfnb.gc_pause import PAUSES

from .known_functions import words

SHOWS: Final = " shows"
USES_FILES: Final = " files"
SETS_ENVIRONMENT: Final = " environment"
USES: Final = " uses"
USES_ANY: Final = " uses any"
ASKS: Final = " asks"
"""What shows that code shows something, uses files, sets the environment; or uses a library, any
library, or one of which it asks something."""

ENVIRONMENT: Final = "os.environ"
DIRECTORY: Final = "the working directory"
_OF_CONTEXT: Final = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp", "traps")
_OF_DIALECT: Final = (
    *("delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting"),
    *("skipinitialspace", "strict"),
)
_DISPLAY: Final = ("display", "styler")
_TAKEN: Final = ("SIGINT", "SIGCHLD", "SIGWINCH")
"""Signals for which IPython and the terminal set functions of their own."""
_SIGNALS: Final = sorted(signal.valid_signals() - {getattr(signal, name, 0) for name in _TAKEN})


@record
class Setting:
    """A place in the process. `state` gives what it is, or its parts, of the module that `library`
    names, which has to be loaded."""

    library: str
    state: Callable[[Any], Any]
    sets: frozenset[str]
    """Names in code that may set it."""
    asks: frozenset[str] = frozenset()
    """Names in code that give what it is set to."""
    users: str = ""
    """Who reads it besides: all code that uses the library (USES), or of this what shows something
    (SHOWS); what uses any library (USES_ANY); or what uses files. ASKS: what asks reads it
    only where it uses the library."""
    is_seen_by_name: bool = False
    """Whether it is looked at only beside code that names it, as to look is to set it."""
    restores: frozenset[str] = frozenset()
    """Names in code that puts back in the end what it sets."""
    adds: frozenset[str] = frozenset()
    """Names in code that adds to what is there."""


def _pandas(module: Any, is_display: bool) -> Mapping[str, Any]:
    groups = ((n, each) for n, each in module.options.d.items() if (n in _DISPLAY) is is_display)
    return {f"{n}.{name}": repr(part) for n, each in groups for name, part in each.items()}


def _umask(module: Any) -> int:
    before: int = module.umask(0)
    module.umask(before)
    return before


def _sklearn(module: Any, is_display: bool) -> Mapping[str, Any]:
    shown = ("display", "print_changed_only")
    return {n: repr(part) for n, part in module.get_config().items() if (n in shown) is is_display}


def _torch(module: Any) -> Mapping[str, Any]:
    return {
        "dtype": repr(module.get_default_dtype()),
        "device": repr(module.get_default_device()),
        "grad": module.is_grad_enabled(),
        "deterministic": module.are_deterministic_algorithms_enabled(),
    }


def _loggers(module: Any) -> Iterator[tuple[str, Any]]:
    yield "root", module.root
    # A name that others have a part of may stand for none.
    yield from (
        (n, one) for n, one in [*module.root.manager.loggerDict.items()] if hasattr(one, "level")
    )


def _handlers(module: Any, logger: Any) -> list[tuple[str, int]]:
    """Those of a logger, and its filters."""
    held = [one for one in logger.handlers if type(one) is not module.NullHandler]
    if (
        logger is module.root
        and held
        and type(held[0]) is module.StreamHandler
        and not held[0].level
    ):
        del held[0]  # the first message adds one that writes all it gets to stderr
    return [(type(one).__name__, getattr(one, "level", 0)) for one in (*held, *logger.filters)]


_MESSAGES: Final = words(
    """
    getEffectiveLevel isEnabledFor hasHandlers debug info warning error critical exception
    """
)
"""What tells a logger something, and asks what becomes of it."""
GIVES_BACK: Final = words("seterr seterrcall setbufsize umask signal")
"""What sets something, and gives what it was before."""
SETTINGS: Final[Mapping[str, Setting]] = {
    ENVIRONMENT: Setting(
        library="os",
        # The dict under it: `os.environ` itself decodes each variable, before and after each cell.
        state=lambda module: {
            module.fsdecode(name): text
            for name, text in getattr(module.environ, "_data", module.environ).items()
        },
        sets=frozenset({SETS_ENVIRONMENT}),
    ),
    DIRECTORY: Setting(
        library="os",
        state=lambda module: module.getcwd(),
        sets=words("chdir fchdir"),
        users=USES_FILES,
    ),
    "the context of decimal": Setting(
        library="decimal",
        state=lambda module: {n: repr(getattr(module.getcontext(), n)) for n in _OF_CONTEXT},
        sets=words("getcontext setcontext"),
        users=USES,
    ),
    "the error handling of numpy": Setting(
        library="numpy",
        state=lambda module: module.geterr(),
        sets=words("seterr"),
        asks=words("geterr"),
        users=USES,
    ),
    "the print options of numpy": Setting(
        library="numpy",
        state=lambda module: module.get_printoptions(),
        sets=words("set_printoptions"),
        asks=words("get_printoptions"),
        users=SHOWS,
    ),
    "the buffer size of numpy": Setting(
        library="numpy",
        state=lambda module: module.getbufsize(),
        sets=words("setbufsize"),
        asks=words("getbufsize"),
    ),
    "the options of pandas": Setting(
        library="pandas",
        state=lambda module: _pandas(module, False),
        sets=words("options set_option reset_option"),
        asks=words("options get_option describe_option"),
        users=USES,
    ),
    "the display options of pandas": Setting(
        library="pandas",
        state=lambda module: _pandas(module, True),
        sets=words("options set_option reset_option set_eng_float_format"),
        asks=words("options get_option describe_option"),
        users=SHOWS,
    ),
    "the configuration of scikit-learn": Setting(
        library="sklearn",
        state=lambda module: _sklearn(module, False),
        sets=words("set_config"),
        asks=words("get_config"),
        users=USES,
    ),
    "the display configuration of scikit-learn": Setting(
        library="sklearn",
        state=lambda module: _sklearn(module, True),
        sets=words("set_config"),
        asks=words("get_config"),
        users=SHOWS,
    ),
    "the configuration of polars": Setting(
        library="polars",
        state=lambda module: module.Config.state(),
        sets=words("polars.Config"),
        asks=words("polars.Config"),
        users=SHOWS,
    ),
    "the defaults of torch": Setting(
        library="torch",
        state=_torch,
        sets=words(
            """
            set_default_dtype set_default_tensor_type set_default_device set_grad_enabled
            use_deterministic_algorithms
            """
        ),
        asks=words("get_default_dtype get_default_device is_grad_enabled"),
        users=USES,
    ),
    "the levels of loggers": Setting(
        library="logging",
        state=lambda module: {  # of most loggers nothing is set
            "disable": module.root.manager.disable,
            **{name: one.level for name, one in _loggers(module) if one.level},
        },
        sets=words("setLevel basicConfig dictConfig fileConfig logging.disable"),
        asks=_MESSAGES | words("level disable"),
        users=ASKS,
    ),
    "the loggers that are switched off": Setting(
        library="logging",
        state=lambda module: {
            name: (one.disabled, one.propagate)
            for name, one in _loggers(module)
            if one.disabled or not one.propagate
        },
        sets=words("disabled propagate dictConfig fileConfig"),
        asks=_MESSAGES | words("disabled propagate"),
        users=ASKS,
    ),
    "the handlers of loggers": Setting(
        library="logging",
        state=lambda module: {
            name: found
            for name, one in _loggers(module)
            if (one.handlers or one.filters) and (found := _handlers(module, one))
        },
        sets=words(
            """
            addHandler removeHandler addFilter removeFilter basicConfig dictConfig fileConfig
            """
        ),
        asks=_MESSAGES | words("handlers filters"),
        users=ASKS,
        adds=words("addHandler addFilter"),
    ),
    "the warnings that are errors": Setting(
        library="warnings",
        # The filters that make warnings errors, and those before them that keep them from some:
        # what the others do changes no value. Those for a module alone are of libraries, which set
        # them as they are imported.
        state=lambda module: [
            tuple(map(str, each[:3]))
            for at, each in enumerate(module.filters)
            if each[3] is None
            and (
                each[0] == "error"
                or (
                    each[1] is None
                    and any(
                        each[2] in behind[2].__mro__ or behind[2] in each[2].__mro__
                        for behind in module.filters[at + 1 :]
                        if behind[0] == "error" and behind[3] is None
                    )
                )
            )
        ],
        sets=words("simplefilter filterwarnings resetwarnings"),
        asks=words("warn warn_explicit warnings.filters"),
        users=USES_ANY,
        restores=words("catch_warnings warnings.catch_warnings"),
    ),
    "the locale": Setting(
        library="locale",
        # Asked for, and not set: there is no second argument.
        state=lambda module: module.setlocale(module.LC_ALL),
        sets=words("setlocale"),
        asks=words("strftime strptime day_name month_name"),
        users=USES,
    ),
    "the dialects of csv": Setting(
        library="csv",
        state=lambda module: {
            name: tuple(repr(getattr(module.get_dialect(name), each)) for each in _OF_DIALECT)
            for name in module.list_dialects()
            if name not in ("excel", "excel-tab", "unix")
        },
        sets=words("register_dialect unregister_dialect"),
        asks=words("get_dialect list_dialects"),
        users=USES,
    ),
    "the first day of the week": Setting(
        library="calendar",
        state=lambda module: module.firstweekday(),
        sets=words("setfirstweekday"),
        asks=words("firstweekday"),
        users=USES,
    ),
    "the time zone of the process": Setting(
        library="time",
        state=lambda module: (module.timezone, module.tzname),
        sets=words("tzset"),
        asks=words(
            "localtime mktime ctime strftime fromtimestamp timestamp astimezone tzname timezone"
        ),
    ),
    "the garbage collector": Setting(
        library="gc",
        state=lambda module: (
            # Asked twice: a pause may end in between.
            module.isenabled() or bool(PAUSES) or module.isenabled(),
            module.get_threshold(),
            module.get_debug(),
        ),
        sets=words("gc.enable gc.disable gc.set_threshold gc.set_debug"),
        asks=words("gc.isenabled gc.get_threshold gc.get_debug"),
    ),
    "the time limit of sockets": Setting(
        library="socket",
        state=lambda module: module.getdefaulttimeout(),
        sets=words("setdefaulttimeout"),
        asks=words("getdefaulttimeout"),
        users=USES,
    ),
    "the functions for signals": Setting(
        library="_signal",
        state=lambda module: [
            getattr(getattr(each, "__code__", None), "co_code", getattr(each, "__name__", each))
            for each in map(module.getsignal, _SIGNALS)
        ],
        sets=words("signal.signal"),
        asks=words("signal.getsignal signal.raise_signal signal.alarm signal.setitimer os.kill"),
    ),
    "the limit of recursion": Setting(
        library="sys",
        state=lambda module: module.getrecursionlimit(),
        sets=words("setrecursionlimit"),
        asks=words("getrecursionlimit"),
    ),
    "the arguments of the process": Setting(
        library="sys",
        state=lambda module: dict(enumerate(module.argv)),
        sets=words("sys.argv"),
        asks=words("sys.argv parse_args parse_known_args"),
    ),
    "the mask of new files": Setting(
        library="os",
        state=_umask,
        sets=words("umask"),
        asks=words("umask"),
        is_seen_by_name=True,
    ),
}
_NO_LIBRARIES: Final = frozenset(("builtins", "__main__"))
whole: Final = partial(re.compile(f"{OF}.*", re.DOTALL).sub, "")
"""The setting that a part is of; of another name, that."""
SET: Final = frozenset(n for each in SETTINGS.values() for n in each.sets if n[0].isalpha())
"""What sets a setting."""
ASKED: Final = frozenset(name for each in SETTINGS.values() for name in each.asks)
"""What gives a setting."""


def states(last: Mapping[str, Any], words: Collection[str] = ()) -> dict[str, Any]:
    """What each setting is now, each part of those that have some; those of libraries that are not
    loaded are left out. What cannot be looked at is as it was `last`, as a directory that has been
    removed; so are those that are looked at only beside code which names them, where none of these
    words does."""
    found: dict[str, Any] = {}
    for place, setting in SETTINGS.items():
        module = sys.modules.get(setting.library)
        if module is None:
            continue
        try:
            if setting.is_seen_by_name and setting.sets.isdisjoint(words):
                raise LookupError
            state = setting.state(module)
        except Exception:  # it is being loaded, or another than it is named for
            found.update((each, was) for each, was in last.items() if whole(each) == place)
            continue
        if isinstance(state, dict):
            found.update((f"{place}{OF}{name}", part) for name, part in state.items())
        else:
            found[place] = state
    return found


def is_named(place: str, spoken: Iterable[str]) -> bool:
    """Whether a text says the name of a part.

    >>> is_named("the display options of pandas: display.width", ["width"])
    True
    """
    last = place.partition(OF)[2].rpartition(".")[2]
    return any(last in text for text in spoken)


def setting(words: Collection[str]) -> set[str]:
    """The settings that code with these words sets, or may set."""
    return {place for place, each in SETTINGS.items() if not each.sets.isdisjoint(words)}


def names_of(values: Iterable[object]) -> set[str]:
    """The names by which the process knows these, of which code says another: of loggers."""
    kind = getattr(sys.modules.get("logging"), "Logger", ())
    return {vars(value)["name"] for value in values if issubclass(type(value), kind)}


def settings_used(words: Collection[str], libraries: set[str]) -> set[str]:
    """The settings that code with these words uses, which uses these libraries."""
    found = set()
    for place, each in SETTINGS.items():
        is_user = each.users in words or (
            each.users == USES_ANY and bool(libraries - _NO_LIBRARIES)
        )
        asks = not each.asks.isdisjoint(words)
        if each.users in (USES, SHOWS, ASKS):
            is_user = each.library in libraries and (each.users == USES or is_user)
            asks = asks and (each.users != ASKS or each.library in libraries)
        if is_user or asks:
            found.add(place)
    return found
