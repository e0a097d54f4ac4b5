"""the options of a magic or a verb, as a class -> the table of their flags; a line of words and
options -> their values, by that table: one line of refusal for a mistake.

    class ExportOptions(Options):
        force: bool = switch("--force", "also over a file that is not of wfnb")

Parsing, help, completion and the pages read `ExportOptions.table`. What a line says is an
`ExportOptions`: the type checker knows `options.force`, and refuses a name that is none.

Options are split as a shell splits them, but an apostrophe inside a word stays an apostrophe
(`Don't panic`), a backslash before a letter a backslash (`$\\alpha$`), and nothing is expanded.
"""

from __future__ import annotations

import argparse
import re
import shlex
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, NoReturn, TypeVar, dataclass_transform

from wfnb.errors import BadOption, nearest
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

    def __init__(self, **values: Any) -> None:
        for name in values:
            getattr(type(self), name)  # AttributeError for a name that is none
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"options are values: {name} cannot be set")


class NoOptions(Options):
    """It takes none."""


Said = TypeVar("Said", bound=Options)


class QuotedWord(str):
    """A word that began with a quote: it is taken as it stands, so that "17" is a title."""

    __slots__ = ()


HELP = "--help"
NAMES = "NAMES"
"""What an option takes whose value is names with commas."""
MAX_OPTIONS = 20
"""Options that a refusal lists: more make a line that nobody reads."""
_QUOTED = re.compile(r"""("(?:\\.|[^"\\])*")|((?<!\w)'[^']*')|(?<=\w)'|\\(?=\w)""")
_QUOTE = "\ufdd0"
"""Stands before what is quoted while a line is split: no text can hold this character."""


@record
class Words(Generic[Said]):
    """What a line says: its words in order (those after `--` as well), its options, and the line
    itself where it was read from one."""

    words: tuple[str, ...]
    options: Said
    line: str | None = None


@record
class Grammar(Generic[Said]):
    """A magic or a verb: how it is written, what it does, the class of its options, examples to
    copy; `least` names the words it cannot do without, `most` says how many it takes."""

    name: str
    usage: str
    says: str
    options: type[Said]
    examples: tuple[str, ...] = ()
    choices: Choices = ""
    least: tuple[str, ...] = ()
    most: int | None = None

    def read(self, line: str) -> Words[Said]:
        """Raises BadOption: what is wrong, and what is possible."""
        tokens = self._split(line)
        cut = tokens.index("--") if "--" in tokens else len(tokens)
        self._check_names(tokens[:cut])
        self._check_switches(tokens[:cut])
        # Known only: words of a title may begin with a dash, and are sorted out below.
        parsed, extra = _parser(self).parse_known_args(tokens[:cut])
        for token in extra:
            if re.match(r"--?[^\W\d]", token):
                self._refuse(
                    f"there is no option {token.partition('=')[0]}", self._known_options(token)
                )
        words = (*extra, *tokens[cut + 1 :])
        if len(words) < len(self.least):
            self._refuse(f"it needs {' and '.join(self.least)}", f"Written: {self.usage}")
        if self.most is not None and len(words) > self.most:
            self._refuse(f"{words[self.most]!r} is one word too many", f"Written: {self.usage}")
        read = {name: value for name, value in vars(parsed).items() if value is not None}
        several = {name: tuple(value) for name, value in read.items() if type(value) is list}
        return Words(words=words, options=self.options(**read | several), line=line.strip())

    def explains(self, line: str) -> bool:
        """Whether the line asks for `help`, instead of what it says else."""
        tokens = self._split(line)
        return HELP in tokens[: tokens.index("--") if "--" in tokens else None]

    def help(self) -> str:
        """How it is written, its options and examples, as text."""
        lines, options = [f"{self.usage}", f"    {self.says}"], self.options.table
        width = max((len(_option_usage(option)) for option in options), default=0)
        lines += [f"  {_option_usage(option):<{width}}  {option.says}" for option in options]
        if self.examples:
            lines += ["examples:", *(f"  {example}" for example in self.examples)]
        return "\n".join(lines)

    def option(self, flag: str) -> Option | None:
        return next((option for option in self.options.table if option.flag == flag), None)

    def _split(self, line: str) -> list[str]:
        # Marked before the split, which takes the quotes away: afterwards nobody knows what was
        # quoted.
        kept = _QUOTED.sub(
            lambda found: f"{_QUOTE if found[1] or found[2] else chr(92)}{found[0]}", line
        )
        try:
            return list(map(_word, shlex.split(kept)))
        except ValueError as error:
            if "quot" in str(error):
                way = "Close it, or write \\' or \\\" for the sign itself."
                self._refuse("a quote is not closed", way)
            self._refuse("a backslash stands at the end", "Write two for the sign itself.")

    def _check_names(self, tokens: list[str]) -> None:
        """Names go with commas and without spaces: what stands after a space is another word."""
        flags = [option.flag for option in self.options.table if option.takes == NAMES]
        for at, token in enumerate(tokens):
            flag, equals, first = token.partition("=")
            if flag not in flags:
                continue
            parts = [first, *tokens[at + 1 :]] if equals else tokens[at + 1 :]
            end = 1
            while end < len(parts) and (parts[end - 1].endswith(",") or parts[end].startswith(",")):
                end += 1
            if end > 1 or (parts and parts[0].endswith(",")):
                names = ",".join(filter(None, "".join(parts[:end]).split(",")))
                what = f"there is a space among the names of {flag}"
                if end == 1:
                    what = f"{flag} {parts[0]} ends with a comma"
                self._refuse(what, f"Written: {flag} {names}")

    def _check_switches(self, tokens: list[str]) -> None:
        """Two options that say the contrary of each other cannot both be meant."""
        first_options: dict[str, Option] = {}
        for option in filter(None, map(self.option, tokens)):
            if option.takes:
                continue
            before = first_options.setdefault(option.field, option)
            if before.value != option.value:
                self._refuse(f"{before.flag} and {option.flag} contradict each other", "Write one.")

    def _known_options(self, token: str) -> str:
        flags = tuple(option.flag for option in self.options.table)
        near = nearest(token.partition("=")[0], flags)
        more = f", … ({self.name}? has all)" if len(flags) > MAX_OPTIONS else ""
        known = (
            f"Options: {', '.join(flags[:MAX_OPTIONS])}{more}." if flags else "It takes no options."
        )
        return f"{near}{known} Words that begin with a dash go after --."

    def _refuse(self, what: str, way: str) -> NoReturn:
        raise BadOption(self.name, what, way)


def _word(token: str) -> str:
    word = token.replace(_QUOTE, "")
    return QuotedWord(word) if token.startswith(_QUOTE) else word


class _Parser(argparse.ArgumentParser):
    def __init__(self, grammar: Grammar[Any]) -> None:
        super().__init__(prog=grammar.name, add_help=False, allow_abbrev=False)
        self.grammar = grammar

    def error(self, message: str) -> NoReturn:
        flag = message.removeprefix("argument ").partition(":")[0].partition("/")[0]
        option = self.grammar.option(flag)
        if option is not None and option.takes:
            message = f"{flag} needs one value: {flag} {option.takes}"
        elif option is not None:
            message = f"{flag} takes no value"
        raise BadOption(
            self.grammar.name, message, self.grammar._known_options(flag if option is None else "")
        )


_PARSERS: dict[str, _Parser] = {}


def _parser(grammar: Grammar[Any]) -> _Parser:
    """Built once for each grammar: building takes longer than parsing."""
    if grammar.name not in _PARSERS:
        parser = _Parser(grammar)
        for option in grammar.options.table:
            settings: dict[str, Any] = {"dest": option.field, "default": None}
            if option.takes:
                settings["action"] = "append" if option.many else "store"
                if option.takes.startswith("["):
                    settings |= {"nargs": "?", "const": option.value}
            else:
                settings |= {"action": "store_const", "const": option.value}
            parser.add_argument(option.flag, **settings)
        _PARSERS[grammar.name] = parser
    return _PARSERS[grammar.name]


def _option_usage(option: Option) -> str:
    return f"{option.flag} {option.takes}".rstrip()
