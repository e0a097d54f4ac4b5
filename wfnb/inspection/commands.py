"""a command line of a shell -> what its programs do: search, test, check, run; the files that they
read.

Programs are known by their names; what a shell does not say (aliases, scripts) is a program that
runs. A command that only prints its own words, or sets something, does nothing to look at.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from wfnb.record import record


def _words(text: str) -> list[str]:
    return text.split()


_IDLE = frozenset(
    _words(
        ": [ alias cal cd clear command date echo "
        "exit export false hash hostname id printf pwd read set"
        "shift shopt sleep sync test time touch true "
        "tty type ulimit umask unalias uname unset uptime"
        " wait whoami yes which seq"
    )
)
"""What shows nothing but its own words, the clock or this machine."""
_CHANGES = frozenset(_words("chmod chown cp ln mkdir mkfifo mv rm rmdir tee truncate"))
"""What changes files and reads none to show it."""
_NAMES = frozenset(
    _words("ls dir stat file find tree du realpath readlink basename dirname locate")
)
"""What shows names and sizes of files, and opens none."""
_ACTS = {
    "search": r"(git\s+grep|[ef]?grep|rg|ag|ack|find)\b",
    "test": r"(pytest|py\.test|tox|nox|nosetests|ctest|jest|vitest|mocha|rspec|phpunit"
    r"|python[\d.]*\s+(-\w+\s+)*-m\s*(pytest|unittest|doctest)|(npm|yarn|pnpm|cargo|go|make|mvn|"
    r"gradle|dotnet|bazel|mix)\s+(run\s+)?(test|check)\b|hatch\s+test|uv\s+run\s+pytest)\b",
    "check": r"(ruff|black|flake8|pylint|mypy|pyright|isort|bandit|pyflakes|pycodestyle|eslint|"
    r"prettier|tsc|gofmt|shellcheck|hadolint|yamllint|pre-commit|pip-audit|safety|vulture|"
    r"cargo\s+(clippy|fmt)|go\s+vet|python[\d.]*\s+-m\s*(ruff|black|flake8|pylint|mypy|compileall|"
    r"py_compile))\b",
    "versions": r"((python[\d.]*\s+-m\s*)?pip[\d.]*\s+(list|freeze|show|check)|conda\s+list|"
    r"pip-audit|uv\s+pip\s+(list|freeze|show)|npm\s+(ls|list|audit|outdated)|cargo\s+tree|"
    r"\S+\s+(--version|-V))\b",
}
_PATTERNS = {act: re.compile(pattern) for act, pattern in _ACTS.items()}
_READERS = frozenset(
    _words("cat head tail less more nl bat od xxd hexdump strings wc diff cmp awk sed")
)
_BLOCKS = frozenset(_words("if case while until for select {"))
_LISTS = frozenset(_words("for select"))
"""Whose body is run for each word; that of others may not be."""
_ENDS = frozenset(_words("fi esac done }"))
_BRANCHES = frozenset(_words("then elif else do"))
_LEAVES = frozenset(_words("exit return"))
_ASSIGNED = re.compile(r"\w+=.*", re.DOTALL)
_PREFIXES = frozenset(_words("sudo env nice nohup time exec command xargs timeout builtin"))


@record
class Shell:
    """What a command line does. `looks`: it reads, runs or shows something. `acts` are of
    `kind.ACTS`; `words` are those that may name a file that it opens."""

    looks: bool = False
    acts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def commands(line: str) -> Shell:
    """
    >>> commands("cat a.py | grep -n loop").acts, commands("echo a.py").looks
    (('search',), False)
    >>> commands("python -m pytest -q tests").acts, commands("cat a.py").words
    (('run', 'test'), ('a.py',))
    >>> commands("cat a.py || cat b.py; cat c.py").words
    ('a.py', 'c.py')
    """
    looks, acts, words = False, dict[str, None](), dict[str, None]()
    for command, is_sure in _parts(line):
        name, *rest = command
        name = name.rpartition("/")[2]
        told = " ".join((name, *rest))
        # `echo $(cat a.py)` shows a file though `echo` itself opens none.
        inner = any("$(" in word or "`" in word or word.startswith("$") for word in rest)
        if name in _IDLE and not inner:
            continue
        if name in _CHANGES:
            continue
        looks = True
        # It may show something, but what was done cannot be said.
        if not is_sure:
            continue
        if name not in _NAMES and name not in _IDLE:
            words |= dict.fromkeys(word for word in rest if not word.startswith("-"))
        found = [act for act, pattern in _PATTERNS.items() if pattern.match(told)]
        reads = name in (*_READERS, *_NAMES, *_IDLE) or "search" in found or name == "git"
        acts |= dict.fromkeys([*([] if reads or "versions" in found else ["run"]), *found])
    return Shell(looks=looks, acts=tuple(acts), words=tuple(words))


def _parts(line: str) -> Iterator[tuple[list[str], bool]]:
    """The commands of a line, each in words, and whether it is surely run: not what comes after a
    failure, in a branch, in a function or behind `exit`. What is written into a file is no word of
    it."""
    blocks = _Blocks()
    for text in line.splitlines():
        # `shlex.split` would leave `a;b` and `a|b` one word.
        lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        command: list[str] = []
        skip, is_sure, alone = False, True, True
        try:
            for word in lexer:
                if word and not word.strip("();|&"):
                    yield from blocks.command(command, is_sure, alone)
                    blocks.defines, alone = word == "()", word == ";"
                    fails = word == "&&" and command[:1] == ["false"]
                    # What comes after `&&` is taken as run: mostly the command before it succeeds.
                    is_sure = word == ";" or (is_sure and word != "||" and not fails)
                    command, skip = [], False
                elif word and not word.strip("<>&"):
                    skip = ">" in word
                elif skip:
                    skip = False
                else:
                    command.append(word)
        except ValueError:  # a quote that is not closed
            command += text.split()[:1]
        yield from blocks.command(command, is_sure, alone)


class _Blocks:
    """The blocks that a place of a script is in, and whether what stands there is surely run."""

    def __init__(self) -> None:
        self.defines = False  # what comes next is the body of a function
        self._open: list[tuple[str, bool]] = []  # their words, and whether it is in a branch
        self._is_over = False

    def command(
        self, words: list[str], is_sure: bool, alone: bool
    ) -> Iterator[tuple[list[str], bool]]:
        """Without what only says where it is, what is set for it, and the programs that only start
        another. `alone`: it depends on no other command."""
        while words and words[0] in _BLOCKS | _BRANCHES | _ENDS:
            self._enter(words[0])
            if words[0] in _LISTS:
                break  # what it goes through are its words
            # `for x in a b` has no command of its own, `if grep …` has: the words after it are one.
            words = [] if words[0] == "case" else words[1:]
        while words and (_ASSIGNED.fullmatch(words[0]) or words[0].rpartition("/")[2] in _PREFIXES):
            words = words[1:]
            while words and words[0].startswith("-"):
                words = words[1:]
        if words:
            is_sure = is_sure and not self._is_over and not any(branch for _, branch in self._open)
            yield words, is_sure
            self._is_over = self._is_over or (is_sure and alone and words[0] in _LEAVES)

    def _enter(self, word: str) -> None:
        if word in _ENDS:
            del self._open[-1:]
        elif word in _BLOCKS:
            self._open.append((word, word == "case" or (word == "{" and self.defines)))
        elif self._open:
            kind, _ = self._open[-1]
            self._open[-1] = kind, kind not in _LISTS
        self.defines = False
