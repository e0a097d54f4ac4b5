"""a shell command -> which of its programs may fail without the command failing.

A shell goes on after what failed, and its exit code is that of the last line, and of a pipe that of
the last program. Who wrote the lines of a script that stops at the first failure expects otherwise:

    pytest -q           →  ✓, whatever the tests say
    echo done

    pytest -q | tail    →  ✓ likewise

What looks meant is left alone: `;` on one line, `|| …`, `&`, `$?`, an end by `true` or `exit`. So
is what is within `if`, loops, functions and parentheses: that it fails may be ordinary there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .shell_quoting import contexts

_TOKENS = re.compile(
    r"\n|;;|&&|\|\||\|&?|;|\d*(?:[<>]{1,2}[&|]?|&>{1,2})\s*[^\s;&|()<>]*|&|[()]|[^\s;&|()<>]+"
)
_ENDS = frozenset({"\n", ";", "&", ";;"})
_JOINS = frozenset({"&&", "||", "|", "|&"})
_OPENING = frozenset({"if", "for", "while", "until", "case", "select", "{", "{{"})
_CLOSING = frozenset({"fi", "done", "esac", "}", "}}"})
_LEADING = frozenset({"if", "then", "else", "elif", "while", "until", "do", "{", "!", "time"})
"""Words after which a command begins."""
_STOPS = re.compile(r"(?:^|[\n;&])\s*set\s[^\n;&|]*(?:-[a-z]*e|errexit)")
_SAFE = re.compile(
    r"(?:(?:true|echo|printf|set|export|unset|readonly|umask|trap|sleep|wait|shift|alias|exit)\b|:"
    r"|mkdir -p\b|rm -[a-zA-Z]*f|(?:\w+=[^$`\s]*\s*)+$|[<>]|.*<<|$)",
    re.DOTALL,
)
"""What does not fail by what it is; setting a variable is such, and writing a here-document."""
_SHOWS = re.compile(
    r"(basename|cat|column|comm|cut|date|df|dirname|du|env|fold|head|hostname|ls|nl|paste|printenv"
    r"|ps|pwd|rev|sed|seq|sort|tac|tail|tr|uname|uniq|wc|whoami|yes|[gm]?awk)\b"
)
"""What only shows or filters something."""
_FINDS = re.compile(r"([ef]?grep|rg)\b")
"""What fails itself where nothing comes."""
_ANSWERS = re.compile(r"(diff|find|git|id|pgrep|which)\b")
"""What shows something, too, at the front of a pipe: that it fails may be its answer."""


@dataclass
class _Line:
    """Commands, and what stands behind each: `&&` or `|`, at the end a line break or `;`."""

    commands: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)

    @property
    def is_meant(self) -> bool:
        """Whether its failure is handled, or may be ordinary."""
        asks = self.commands[0].startswith(("[", "test ")) and "&&" in self.signs
        return asks or not {"||", "&"}.isdisjoint(self.signs)


def hidden_exit_codes(command: str) -> Iterator[str]:
    """What of a command may fail unseen, each with what to write.

    >>> [*hidden_exit_codes("set -e\\npytest -q\\necho done"), *hidden_exit_codes("ls | wc -l")]
    []
    """
    script = _script(command)
    lines = list(_lines(script))
    if "$?" in command or "PIPESTATUS" in command or not lines:
        return  # it looks for itself
    if not _STOPS.search(script) and not re.match(r"(true|exit)\b|:", lines[-1].commands[-1]):
        failing = (
            one
            for line in lines[:-1]
            if line.signs[-1] == "\n" and not line.is_meant
            for one in line.commands
            if not _SAFE.match(one) and not _SHOWS.match(one)
        )
        if (one := next(failing, None)) is not None:
            what = f"its exit code is that of its last line, whether or not {_name(one)} failed"
            yield f"{what}: begin it with `set -e`, or join its lines by `&&`"
    if "pipefail" not in script:
        for one, taker in _pipes(lines):
            known = any(kind.match(_program(one)) for kind in (_SAFE, _SHOWS, _FINDS, _ANSWERS))
            if not known and not _FINDS.match(taker):
                what = f"a pipe has the exit code of its last program, whether or not {_name(one)}"
                yield f"{what} failed: give `command` as [bash, -eo, pipefail, -c, …]"
                return


def _script(command: str) -> str:
    """The command without comments and here-documents, with a NUL for each letter that the
    shell does not read as its own: in quotes, in `$(…)` and other parentheses."""
    command = command.replace("\\\n", "  ")
    places = dict(contexts(command, frozenset(range(len(command)))))
    left = {"comment": "", "heredoc": ""}
    letters = (
        letter if places.get(n) == "bare" else left.get(places.get(n, ""), "\0")
        for n, letter in enumerate(command)
    )
    return re.sub(r"`[^`]*`", "`", "".join(letters))


def _lines(script: str) -> Iterator[_Line]:
    """The commands of a script one after the other; one that has others in it counts as nothing."""
    line, words, depth, begins = _Line(), list[str](), 0, True
    compound = False
    for token in (*_TOKENS.findall(script), "\n"):
        if token in _OPENING and (begins or token[0] == "{"):
            depth, compound = depth + 1, True
        elif token in _CLOSING and begins and depth:
            depth -= 1
        elif token == "(":
            compound = True
        begins = token in _ENDS | _JOINS or (begins and token in _LEADING)
        if depth or token not in _ENDS | _JOINS:
            words.append(token)
            continue
        if not words and not compound:
            continue  # an empty line, or one that goes on after `&&`
        line.commands.append("" if compound or words[:1] == ["!"] else " ".join(words))
        line.signs.append(token)
        words, compound = [], False
        if token in _ENDS:
            yield line
            line = _Line()


def _program(command: str) -> str:
    """A command without the variables that are set for it."""
    return re.sub(r"^(?:\w+=\S*\s+)+", "", command)


def _name(command: str) -> str:
    name = re.sub("[\"']?\0+", "…", _program(command).split()[0])
    return f"`{name[:40]}`"


def _pipes(lines: list[_Line]) -> Iterator[tuple[str, str]]:
    """Each program of a pipe but the last, with the last."""
    for line in lines:
        pipe: list[str] = []
        for one, sign in zip(line.commands, line.signs, strict=True):
            if sign in ("|", "|&"):
                pipe.append(one)
            else:
                yield from ((before, one) for before in pipe)
                pipe = []
