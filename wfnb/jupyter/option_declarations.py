"""the options of a magic or a verb, as a class -> the table of their flags, and their values.

    class ExportOptions(Options):
        force: bool = switch("--force", "also over a file that is not of wfnb")

Parsing, help, completion and the pages read `ExportOptions.table`. What a line says is an
`ExportOptions`: the type checker knows `options.force`, and refuses a name that is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, dataclass_transform

from wfnb.frozen_record import record

Choices = Literal[
    "actions",
    "advisers",
    "branches",
    "compared",
    "fields",
    "files",
    "kept",
    "kinds",
    "levels",
    "looks",
    "names",
    "runs",
    "sessions",
    "severities",
    "stages",
    "steps",
    "strategies",
    "tools",
    "variables",
    "workflows",
    "",
]


@record
class Option:
    """`flag` sets `field`. With `takes` it has a value (named so in the help), else it sets
    `value`; where what it takes stands in brackets, it does one or the other. `many`: it may be
    said again, and all its values count. `choices` completes it."""

    flag: str
    field: str = ""
    says: str
    takes: str = ""
    value: Any = True
    many: bool = False
    choices: Choices = ""


@dataclass(frozen=True)
class _Declaration:
    """What a field of a class of options is until the class is made: its flags, and its default."""

    flags: tuple[Option, ...]
    default: Any


def switch(flag: str, says: str, value: bool = True) -> Any:
    """A bool: `value` where the flag is said, else its contrary."""
    return _Declaration((Option(flag=flag, says=says, value=value),), not value)


def one_of(*flags: tuple[str, Any, str]) -> Any:
    """The value of the flag that is said (flag, value, what it does), None without one. Two of them
    contradict each other."""
    options = tuple(Option(flag=flag, says=says, value=value) for flag, value, says in flags)
    return _Declaration(options, None)


def one_value(flag: str, takes: str, says: str, choices: Choices = "") -> Any:
    """A str, or None. With `takes` in brackets it may be said alone, which means ""."""
    alone: Any = "" if takes.startswith("[") else True
    option = Option(flag=flag, says=says, takes=takes, choices=choices, value=alone)
    return _Declaration((option,), None)


def many_values(flag: str, takes: str, says: str, choices: Choices = "") -> Any:
    """A tuple of str: the flag may be said again."""
    option = Option(flag=flag, says=says, takes=takes, choices=choices, many=True)
    return _Declaration((option,), ())


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Options:
    """The values of a line's options. `vars(options)` has those that the line says, the class the
    defaults of the others. Not a `dataclass`, which takes long to make: there are thirty of them,
    and all are made as the extension is loaded."""

    table: ClassVar[tuple[Option, ...]] = ()

    def __init_subclass__(cls, without: str = "") -> None:
        cls.table = tuple(option for option in cls.table if option.flag != without)
        for name, declared in tuple(vars(cls).items()):
            if isinstance(declared, _Declaration):
                cls.table += tuple(replace(option, field=name) for option in declared.flags)
                setattr(cls, name, declared.default)

    def __init__(self, **said: Any) -> None:
        for name in said:
            getattr(type(self), name)  # AttributeError for a name that is none
        self.__dict__.update(said)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"options are values: {name} cannot be set")


class NoOptions(Options):
    """It takes none."""
