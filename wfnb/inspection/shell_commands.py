"""a command line of a shell -> what its programs do: search, test, check, run; the files that they
read.

Programs are known by their names; what a shell does not say (aliases, scripts) is a program that
runs. A command that only prints its own words, or sets something, does nothing to look at.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from itertools import takewhile

from wfnb.frozen_record import record


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IDLE = word_set(
    ": [ alias cal cd clear command date echo "
    "exit export false hash hostname id printf pwd read set "
    "shift shopt sleep sync test time touch true "
    "tty type ulimit umask unalias uname unset uptime uuidgen"
    " wait whoami yes which seq jot mcookie expr factor nproc arch logname"
)
"""What shows nothing but its own words, the clock or this machine."""
_DICE = re.compile(r"(if=)?/(dev/(u?random|zero|null)|proc/(uptime|loadavg|sys/kernel/random/.*))")
_DRAWS = re.compile(
    r"openssl rand|(head|tail) (\S+ )*-[cn] ?0( |$)|shuf (\S+ )*(-i|--input-range|-e)\b"
    r"|[gm]?awk (-v \S+ |-\S+ )*BEGIN *\{((?!getline|system|\}|\|).)*\}$"
)
"""Files, and programs, that are new each time or always the same."""
_TOLD = word_set(
    "BASHPID EPOCHREALTIME EPOCHSECONDS LINENO OLDPWD PPID PWD RANDOM SECONDS SHLVL SRANDOM UID"
)
"""Variables of the shell that show no more than `_IDLE` does."""
_FILTERS = word_set("awk base64 column cut egrep fgrep fold grep rev sed tr")
_CHANGES = word_set("chmod chown cp ln mkdir mkfifo mv rm rmdir tee truncate")
"""What changes files and reads none to show it."""
_NAMES = word_set("ls dir stat file find tree du realpath readlink basename dirname locate")
"""What shows names and sizes of files, and opens none."""
_ACTS = {
    "search": r"(git\s+grep|[ef]?grep|rg|ag|ack|find)\b",
    "test": r"(pytest3?|py\.test|tox|nox|nosetests|nose2|trial|ctest|jest|vitest|mocha|rspec"
    r"|phpunit|(python[\d.]*\s+(-[WX]\s*\S+\s+|-\w+\s+)*)?-m\s*(pytest|unittest|doctest|nose2)"
    r"|python[\d.]*\s+(-\w+\s+)*(\S*/)?(test_\w+\.py|manage\.py\s+test)"
    r"|((ba)?sh\s+)?(\S*/)?(run[-_]?)?tests?\.(ba)?sh"
    r"|(npm|yarn|pnpm|cargo|go|make|just|task|rake|mvn|gradle|dotnet|bazel|mix|hatch)"
    r"\s+(-\S+\s+)*(run\s+)?(nextest|tests?|check)|npm\s+t)\b",
    "check": r"(ruff\s+(-\S+\s+)*(check|format)|pre-commit\s+run|safety\s+(check|scan)|black|"
    r"flake8|pylint|mypy|pyright|isort|bandit|pyflakes|pycodestyle|eslint|prettier|tsc|gofmt|"
    r"shellcheck|hadolint|yamllint|pip-audit|vulture|cargo\s+(clippy|fmt)|go\s+vet|python[\d.]*\s+-m\s*("
    r"ruff\s+(-\S+\s+)*(check|format)|black|flake8|pylint|mypy|compileall|py_compile))\b",
    "versions": r"((python[\d.]*\s+-m\s*)?pip[\d.]*\s+(list|freeze|show|check)|conda\s+list|"
    r"pip-audit|uv\s+pip\s+(list|freeze|show)|npm\s+(ls|list|audit|outdated)|cargo\s+tree|"
    r"\S+\s+(--version|-V))\b",
}
_ABOUT = re.compile(
    r"-h|-N|-V|--?help|--version|--co(llect-only)?|--fixtures(-per-test)?|--markers|--setup-plan"
    r"|--(dry-run|just-print|no-run|print-config|listTests)|--(show|list)(-\w+)*|-{1,2}list"
)
"""Options with which a program tells of itself, or of what it would do, and does nothing."""
_STARTERS = word_set(
    "bunx conda coverage hatch ionice mamba micromamba nice npx parallel pdm pipenv pixi poetry"
    " python python3 rye setsid stdbuf timeout uv uvx watch xvfb-run"
)
"""What may start another program, which its words name."""
_PATTERNS = {act: re.compile(pattern) for act, pattern in _ACTS.items()}
_READERS = word_set("cat head tail less more nl bat od xxd hexdump strings wc diff cmp awk sed")
_BLOCKS = word_set("if case while until for select {")
_LISTS = word_set("for select")
"""Whose body is run for each word; that of others may not be."""
_ENDS = word_set("fi esac done }")
_BRANCHES = word_set("then elif else do")
_LEAVES = word_set("exit return")
_STOPS = (("&&", "false"), ("||", "true"), ("||", ":"))
_ASSIGNED = re.compile(r"\w+=.*", re.DOTALL)
_PREFIXES = word_set("sudo env nice nohup time exec command xargs timeout builtin")
_SHELLS = word_set("bash dash ksh sh zsh")
ENDING = word_set("run test check")
"""Acts whose end counts: they succeed or fail."""
_HIDES = frozenset({*_BLOCKS, *_BRANCHES, *_ENDS, *word_set("! ( ) || & eval trap set")})
"""With one of these in it, a line may end well though a program in it failed."""


@record
class Shell:
    """What a command line does. `looks`: it reads, runs or shows something. `acts` are of
    `kind.ACTS`; `words` are those that may name a file that it opens."""

    looks: bool = False
    acts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def commands(line: str, looks_python: Callable[[str], bool] = lambda code: True) -> Shell:
    """`looks_python`: whether the code of `python -c` reads, runs or shows something.

    >>> commands("cat a.py | grep -n loop").acts, commands("echo a.py").looks
    (('search',), False)
    >>> commands("python -m pytest -q tests").acts, commands("cat a.py").words
    (('run', 'test'), ('a.py',))
    >>> commands("cat a.py || cat b.py; cat c.py").words
    ('a.py', 'c.py')
    """
    looks, acts, words = False, dict[str, None](), dict[str, None]()
    fed_idly = False
    for command, is_sure, piped, is_away in _parts(line):
        name, *rest = command
        name = name.rpartition("/")[2]
        told = " ".join((name, *rest))
        # `echo $(cat a.py)` shows a file though `echo` itself opens none.
        inner = any(map(_shows, _substituted(rest)))
        script = shell_script(command)
        if script is not None:
            within = commands(script, looks_python)
            looks |= within.looks
            if is_sure:
                acts |= dict.fromkeys(within.acts)
                words |= dict.fromkeys(within.words)
            fed_idly = not within.looks
            continue
        code = _python_code(name, rest)
        fed_idly = not inner and (
            _is_idle(name, rest)
            or not (code is None or looks_python(code))
            or (piped and fed_idly and _filters(name, rest))
        )
        if fed_idly:
            continue
        if name in _CHANGES or (is_away and name in _READERS | _FILTERS | _NAMES):
            continue
        looks = True
        # It may show something, but what was done cannot be said.
        if not is_sure:
            continue
        if name not in _NAMES and name not in _IDLE:
            words |= dict.fromkeys(word for word in rest if not word.startswith("-"))
        found = _acts(name, told)
        reads = name in (*_READERS, *_NAMES, *_IDLE) or "search" in found or name == "git"
        if not reads and any(map(tells_of_itself, rest)):
            acts |= dict.fromkeys(act for act in found if act == "versions")
            continue
        acts |= dict.fromkeys([*([] if reads or "versions" in found else ["run"]), *found])
    return Shell(looks=looks, acts=tuple(acts), words=tuple(words))


def _acts(name: str, told: str) -> list[str]:
    """What a command does by its words."""
    found = [act for act, pattern in _PATTERNS.items() if pattern.match(told)]
    if name in _STARTERS:
        tails = [told[at.end() :] for at in re.finditer(r"\s+", told)]
        found += [act for act in ENDING if any(_matches(act, tail) for tail in tails)]
    return [act for act in _PATTERNS if act in found]


def _matches(act: str, told: str) -> bool:
    return act in _PATTERNS and _PATTERNS[act].match(told) is not None


def hides_failure(line: str) -> bool:
    """Whether a program of the line may fail without the line failing. Known not to are programs
    alone, with `&&` between them, or behind `set -e`; and their pipes behind `set -o pipefail`.

    >>> [hides_failure(line) for line in ("cd src && pytest", "pytest | tail", "pytest || true")]
    [False, True, True]
    >>> hides_failure("set -eo pipefail; pytest | tail"), hides_failure("pytest; true")
    (False, True)
    """
    if not _ends(line):
        return False
    try:
        lines = [_signs(text) for text in line.replace("\\\n", " ").splitlines()]
    except ValueError:
        return True
    parts = _split([word for each in lines for word in (*each, ";")], ";")
    stops = pipes = False
    while parts and parts[0][:1] == ["set"]:
        options = parts.pop(0)[1:]
        if not all(word.startswith("-") or word == "pipefail" for word in options):
            return True
        stops |= any(re.fullmatch("-[a-z]*e[a-z]*", word) for word in options)
        pipes |= "pipefail" in options
    for part in parts:
        piped = _split(part, "|")
        if not _HIDES.isdisjoint(part) or any("`" in word or word[:2] == "()" for word in part):
            return True
        script = shell_script(part)
        if script is not None and hides_failure(script):
            return True
        if not pipes and any(map(_ends, map(_shell_line, piped[:-1]))):
            return True
        # Of what is told one after the other, only the last tells its end; and `set -e` does not
        # stop where `&&` follows.
        if part is not parts[-1] and (not stops or "&&" in part) and _ends(_shell_line(part)):
            return True
    return False


def _ends(line: str) -> bool:
    return not ENDING.isdisjoint(commands(line).acts)


def shell_script(command: list[str]) -> str | None:
    """What a shell is given to run by `sh -c`."""
    if not command or command[0].rpartition("/")[2] not in _SHELLS:
        return None
    flags = list(takewhile(lambda word: word.startswith("-"), command[1:]))
    if not flags or "c" not in flags[-1]:
        return None
    return next(iter(command[1 + len(flags) :]), "")


def _signs(text: str) -> list[str]:
    """The words of a line; a sign of the shell is one of its own."""
    # `shlex.split` would leave `a;b` and `a|b` one word.
    lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    return list(lexer)


def _split(words: list[str], sign: str) -> list[list[str]]:
    """The words between these signs, where there are any."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in (sign, f"{sign}&"):
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def _shell_line(words: list[str]) -> str:
    return " ".join(word if not word.strip("();<>|&") else shlex.quote(word) for word in words)


def _python_code(name: str, rest: list[str]) -> str | None:
    """The code of `python -c`."""
    options = list(takewhile(lambda word: word.startswith("-") and word != "-m", rest))
    if not re.fullmatch(r"python[\d.]*", name) or options[-1:] != ["-c"]:
        return None
    return next(iter(rest[len(options) :]), "")


def tells_of_itself(option: str) -> bool:
    """Whether with it a program runs nothing.

    >>> tells_of_itself("--collect-only"), tells_of_itself("-q")
    (True, False)
    """
    return _ABOUT.fullmatch(option) is not None


def is_die(path: str) -> bool:
    """Whether a file shows something new each time, or nothing.

    >>> is_die("/dev/urandom"), is_die("/dev/shm/a.csv")
    (True, False)
    """
    return _DICE.fullmatch(path) is not None


def _is_idle(name: str, rest: list[str]) -> bool:
    files = _operands(rest)
    if _DRAWS.match(" ".join((name, *rest))):
        return True
    if name in _READERS | _FILTERS or name == "dd":
        return bool(files) and all(map(is_die, files))
    return name in _IDLE


def _filters(name: str, rest: list[str]) -> bool:
    """Whether a program shows only what comes through its pipe."""
    return name in _FILTERS or (name in _READERS and not _operands(rest))


def _operands(words: list[str]) -> list[str]:
    return [word for word in words if not re.fullmatch(r"-.*|[0-9]+\w?|(bs|count|of)=.*", word)]


def _substituted(words: list[str]) -> Iterator[str]:
    """What the shell puts in place of words: commands with their sign, and variables."""
    text = " ".join(words)
    yield from re.findall(r"`[^`]*`?|\$\(.*\)?", text)
    yield from (word for word in words if re.match(r"\$\{?\w", word))


def _shows(said: str) -> bool:
    if said.startswith("`"):
        return commands(said.strip("`")).looks
    if said.startswith("$("):
        return not said.startswith("$((") and commands(said[2:].removesuffix(")")).looks
    return re.split(r"\W", said.lstrip("${"))[0] not in _TOLD


def _parts(line: str) -> Iterator[tuple[list[str], bool, bool, bool]]:
    """The commands of a line, each in words, whether it is surely run: not what comes after a
    failure, in a branch, in a function or behind `exit`; whether a pipe leads to it, and whether
    what it prints goes into a file. What is written there is no word of it."""
    blocks = _Blocks()
    for text in line.splitlines():
        # `shlex.split` would leave `a;b` and `a|b` one word.
        lexer = shlex.shlex(text, posix=True, punctuation_chars="();<>|&")
        lexer.whitespace_split = True
        command: list[str] = []
        skip, is_sure, alone, piped, sums, never = False, True, True, False, False, False
        is_away = False
        try:
            for word in lexer:
                if sums or (word.startswith("((") and command[-1:] == ["$"]):
                    sums, word = "))" not in word, word.partition("))")[2]
                    if not word:  # `$((1 + 1))` runs nothing
                        continue
                if word and not word.strip("();|&"):
                    for part in () if never else blocks.command(command, is_sure, alone):
                        yield *part, piped, is_away
                    piped = word in ("|", "|&")
                    # Nothing that is known to end otherwise lets the next one run.
                    never = (never and word in ("&&", "|", "|&")) or (word, *command) in _STOPS
                    blocks.defines, alone = word == "()", word == ";"
                    fails = word == "&&" and command[:1] == ["false"]
                    # What comes after `&&` is taken as run: mostly the command before it succeeds.
                    is_sure = word == ";" or (is_sure and word != "||" and not fails)
                    command, skip, is_away = [], False, False
                elif word and not word.strip("<>&"):
                    skip = ">" in word
                    errors = command[-1:] == ["2"] and not word.startswith("&")
                    command = command[:-1] if errors else command
                    is_away |= skip and not errors and word != ">&"
                elif skip:
                    skip = False
                else:
                    command.append(word)
        except ValueError:  # a quote that is not closed
            command += text.split()[:1]
        for part in () if never else blocks.command(command, is_sure, alone):
            yield *part, piped, is_away


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
            while words and re.match("-|[0-9]", words[0]):  # `timeout -k 5 60 pytest`
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
