"""a command line of a shell -> what its programs do: search, test, check, run; the files that they
read.

Programs are known by their names; what a shell does not say (aliases, scripts) is a program that
runs. A command that only prints its own words, or sets something, does nothing to look at.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from wfnb.core.findings import ProgramRun
from wfnb.frozen_record import record

from .digest import digest


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
    r"|phpunit|(python[\d.]*\s+(-[WX]\s*\S+\s+|-\w+\s+)*)?-m\s*(pytest|unittest|doctest|nose2"
    r"|tox|nox)|python[\d.]*\s+(-\w+\s+)*(\S*/)?(test_\w+\.py|\w+_test\.py|manage\.py\s+test)"
    r"|node\s+(-\S+\s+)*--test|((ba)?sh\s+)?(\S*/)?(run[-_]?)?tests?\.(ba)?sh"
    r"|(g?make|just|task|mage|rake|invoke|inv|doit|poe|mvnw?|gradlew?|ninja|sbt|lein|nx)\s+"
    r"(\S+\s+){0,20}(unit|integration)?[-_:]?(tests?|check)"
    r"|(npm|yarn|pnpm|bun|deno|cargo|go|pdm|stack|cabal|dune|swift|zig|meson|dotnet|bazel(isk)?|pants"
    r"|buck2?|mix|composer|hatch|turbo)\s+(-\S+\s+([^-\s]\S*\s+)?)*(run\s+)?"
    r"(nextest|(unit|integration)?[-_:]?tests?|check)"
    r"|npm\s+t)\b",
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
    r"|--(dry-run|just-print|no-run|notest|print-config|listTests|setup-only|cache-show)"
    r"|--(show|list)(-\w+)*|-{1,2}list|-D(skipTests|maven\.test\.skip)(=true)?"
)
"""Options with which a program tells of itself, or of what it would do, and does nothing."""
_STARTERS = word_set(
    "apptainer asdf bundle bunx bwrap chroot conda coverage cross-env devbox direnv distrobox doas"
    " docker docker-compose dotenv entr firejail flatpak flock flyctl guix hatch heroku incus"
    " ionice kubectl lxc mamba micromamba mise nerdctl nice nix nix-shell npx nsenter oc parallel"
    " pdm perf pipenv pixi podman podman-compose poetry pyenv python python3 runuser rye script"
    " setsid singularity srun ssh stdbuf strace su systemd-run timeout toolbox tmux screen sbatch"
    " unbuffer unshare uv uvx vagrant valgrind watch wsl xvfb-run"
)
"""What may start another program, which its words name: here, in a container, elsewhere."""
_NAMED = word_set(
    "add build download freeze info install list lock pull push remove search show sync tree"
    " uninstall update upgrade"
)
"""What these do with a program that they name and do not start: `uv add pytest`."""
_STARTED = word_set("dlx exec run x -- -m")
_MAX_WORDS = 60
"""Words of a line of which each may be a program that another one starts."""
_SILENT = re.compile(
    r"\b(unittest|doctest|nose2|nosetests|trial|ctest|rspec|phpunit|\w+\.py"
    r"|(go|cargo) (.* )?\w*test)$"
)
"""Programs that end well also where no test ran: only what they print can say that."""
_UNSEEN = re.compile(
    r"\bmake (.* )?-\w*[intq]\w*( |$)|--if-present"
    r"|\b(docker|podman|nerdctl)\b.* (-[it]*d[it]*|--detach)( |$)"
    r"|\b(tmux|screen|sbatch|systemd-run) "
)
"""The same, by what they are given; and programs that end before what they start does."""
_ALWAYS_WELL = re.compile(
    r"--exit-zero|--warn-only|--(suppress-(tests-failed|no-test)-exit-code|pass-?[wW]ith-?[nN]o-?[tT]ests)"
)
"""Options with which a program ends well whatever it finds."""
_TESTING = re.compile(
    r"\b(pytest|unittest|doctest|nose)\b.*\b(main|testmod|testfile|run|console_main) *\(", re.DOTALL
)
_ENTERS = word_set("cd pushd popd export source . activate")
"""What sets the folder, or variables, for what stands behind it."""
_NONE_RAN = re.compile(
    r"\bRan 0 tests\b|\bno tests (ran|were found)|\[no test files\]"
    r"|\btests? collected\b|^\S+\.py: \d+$",  # of `--collect-only`, which a file may set, too
    re.IGNORECASE | re.MULTILINE,
)
_FAILED = re.compile(r"\b[1-9]\d* failed\b|\b(failures|errors)=[1-9]")
_PASSED = re.compile(
    r"\b[1-9]\d* (passed|xfailed|xpassed|passing)\b|^ok\s+\S+\s|100% tests passed|^# pass [1-9]"
    r"|^OK \([1-9]\d* test",
    re.MULTILINE,
)
_RAN = re.compile(r"\bRan (\d+) tests?\b")
_SKIPPED = re.compile(r"\bskipped=(\d+)|\b\d+ (skipped|deselected)\b")
_SETTINGS = (
    *(
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
        "TOXENV",
        "TOX_SKIP_ENV",
    ),
    *("RUFF_CONFIG", "PYLINTRC"),
)
"""Variables by which programs of tests and linters are told what to run; not those that whoever
starts wfnb may have for itself, as `make` has `MAKEFLAGS`."""
_COLOURS = re.compile(r"\x1b\[[\d;]*[A-Za-z]")
_PYTHON = re.compile(r"\bpython[\d.]*\s+-m\s*")
_MAX_WORD = 120
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
_RUNS = ("test", "check")
ENDING = frozenset({"run", *_RUNS})
"""Acts whose end counts: they succeed or fail."""
_HIDES = frozenset({*_BLOCKS, *_BRANCHES, *_ENDS, *word_set("! ( ) || & eval trap set")})
"""With one of these in it, a line may end well though a program in it failed."""


@record
class Shell:
    """What a command line does. `looks`: it reads, runs or shows something. `acts` are of
    `kind.ACTS`; `words` are those that may name a file that it opens. `runs` are the tests and
    linters of it; `silent`: one of them may end well though no test ran."""

    looks: bool = False
    acts: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    runs: tuple[ProgramRun, ...] = ()
    silent: bool = False


def commands(line: str, looks_python: Callable[[str], bool] = lambda code: True) -> Shell:
    """`looks_python`: whether the code of `python -c` reads, runs or shows something.

    >>> commands("cat a.py | grep -n loop").acts, commands("echo a.py").looks
    (('search',), False)
    >>> commands("python -m pytest -q tests").acts, commands("cat a.py").words
    (('run', 'test'), ('a.py',))
    >>> commands("cat a.py || cat b.py; cat c.py").words
    ('a.py', 'c.py')
    >>> commands("cd src && docker run x pytest -q").runs
    (ProgramRun(act='test', program='cd src; docker run x pytest', given=('-q',)),)
    """
    looks, acts, words = False, dict[str, None](), dict[str, None]()
    runs, silent, place = dict[ProgramRun, None](), False, list[str]()
    fed_idly = False
    for command, sets, is_sure, piped, is_away in _parts(line):
        name, *rest = command
        name = name.rpartition("/")[2]
        # `echo $(cat a.py)` shows a file though `echo` itself opens none.
        inner = any(map(_shows, _substituted(rest)))
        if name in _ENTERS and is_sure and command != ["cd", "."]:
            place.append(shlex.join(command))
        before = (*place, *(shlex.join([word]) for word in sets if _ASSIGNED.fullmatch(word)))
        script = shell_script(command)
        if script is not None:
            within = commands(script, looks_python)
            looks |= within.looks
            if is_sure:
                acts |= dict.fromkeys(within.acts)
                words |= dict.fromkeys(within.words)
                runs |= dict.fromkeys(run_within(before, run) for run in within.runs)
                silent |= within.silent
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
        tests = code is not None and tests_in_python(code)
        # It may show something, but what was done cannot be said.
        if not is_sure:
            continue
        if name not in _NAMES and name not in _IDLE:
            words |= dict.fromkeys(word for word in rest if not word.startswith("-"))
        found = _acts([name, *rest], not _PREFIXES.isdisjoint(sets))
        reads = name in (*_READERS, *_NAMES, *_IDLE) or "search" in found or name == "git"
        upto = max((found[act] for act in ENDING if act in found), default=1)
        # `-h` of a program that starts another is its own: `docker run -h host image pytest`.
        about = [*rest[upto - 1 :], *(word for word in rest[: upto - 1] if word.startswith("--"))]
        if not reads and any(map(tells_of_itself, about)):
            acts |= dict.fromkeys(act for act in found if act == "versions")
            continue
        acts |= dict.fromkeys([*([] if reads or "versions" in found else ["run"]), *found])
        for act in _RUNS:
            if act in found:
                run = _program_run(act, [name, *rest], found[act])
                silent |= act == "test" and _is_silent(run)
                runs[run_within(before, run)] = None
        if tests:
            acts["test"] = None
            runs |= dict.fromkeys(run_within(before, run) for run in code_runs(["test"], str(code)))
        for at, text in _scripts([name, *rest]):
            within, outer = commands(text), shlex.join([name, *rest[: at - 1]])
            acts |= dict.fromkeys(act for act in within.acts if act in ENDING)
            runs |= dict.fromkeys(run_within((*before, outer), run) for run in within.runs)
            silent |= within.silent
    return Shell(looks=looks, acts=tuple(acts), words=tuple(words), runs=tuple(runs), silent=silent)


def _acts(words: list[str], is_started: bool) -> dict[str, int]:
    """What a command does by its words, and how many of them say so."""
    found = {act: many for act in _PATTERNS if (many := _matching_words(act, words))}
    readers = (*_READERS, *_NAMES, *_FILTERS, "git")
    if words[0] in _STARTERS or (is_started and words[0] not in readers):
        for at in range(1, min(len(words), _MAX_WORDS)):
            if words[at] in _NAMED and _STARTED.isdisjoint(words[1:at]):
                break
            if " " in words[at]:
                continue  # one of `_scripts`
            tail = [words[at].rpartition("/")[2], *words[at + 1 :]]
            for act in _RUNS:
                if many := _matching_words(act, tail):
                    found.setdefault(act, at + many)
    return {act: found[act] for act in _PATTERNS if act in found}


def _matching_words(act: str, words: list[str]) -> int:
    """How many of the first words are a program that does it; 0: they are none."""
    match = _PATTERNS[act].match(" ".join(words[:_MAX_WORDS]))
    if match is None:
        return 0
    return next(n for n in range(1, len(words) + 1) if len(" ".join(words[:n])) >= match.end())


def _program_run(act: str, words: list[str], upto: int) -> ProgramRun:
    program = _PYTHON.sub("", shlex.join(words[:upto]))
    return ProgramRun(act=act, program=program, given=tuple(map(_short_word, words[upto:])))


def _short_word(word: str) -> str:
    """A long text may be a secret, and nobody reads it: what stands for it is enough."""
    return word if len(word) <= _MAX_WORD else f"…{digest(word)}"


def code_runs(acts: Collection[str], *code: str) -> tuple[ProgramRun, ...]:
    """The tests and linters of Python code, and of what it is given."""
    called = digest(*code)
    return tuple(ProgramRun(act=act, program="", given=(called,)) for act in _RUNS if act in acts)


def tests_in_python(code: str) -> bool:
    """Whether the code of a program runs tests itself: it then ends well whatever they say.

    >>> tests_in_python("import pytest; pytest.main(['-q'])"), tests_in_python("import pytest")
    (True, False)
    """
    return _TESTING.search(code) is not None


def run_settings(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The variables among these by which tests and linters are told what to run.

    >>> run_settings({"HOME": "/", "PYTEST_ADDOPTS": "--lf"})
    ('PYTEST_ADDOPTS=--lf',)
    """
    told = [f"{name}={environment[name]}" for name in _SETTINGS if environment.get(name)]
    return tuple(shlex.join([_short_word(each)]) for each in told)


def run_within(before: Sequence[str], run: ProgramRun) -> ProgramRun:
    """The run behind what was set for it: a folder, a variable, another program."""
    return replace(run, program="; ".join((*before, run.program)))


def _is_silent(run: ProgramRun) -> bool:
    whole = " ".join((run.program, *run.given))
    return _SILENT.search(run.program) is not None or _UNSEEN.search(whole) is not None


def _scripts(words: list[str]) -> Iterator[tuple[int, str]]:
    """The lines among a program's words that it gives to a shell, each with its place there:
    `ssh host "cd a && pytest"`."""
    if words[0] in _STARTERS and not words[0].startswith("python"):
        for at, word in enumerate(words[:_MAX_WORDS]):
            if re.search(r"[ \n;&|]", word):
                yield at, word


def shows_tests(line: str, printed: str | None) -> bool:
    """Whether tests of the line that ended well are seen to have run and passed: by what it
    `printed` (None: that was not seen), else by its exit code, where that tells.

    >>> shows_tests("python -m unittest", "Ran 2 tests in 0.1s\\n\\nOK")
    True
    >>> [shows_tests("python -m unittest", said) for said in ("Ran 0 tests in 0.0s", None)]
    [False, False]
    >>> shows_tests("pytest", None), shows_tests("pytest", "2 skipped in 0.1s")
    (True, False)
    >>> [shows_tests("pytest", said) for said in ("2 tests collected in 0.1s", "test_a.py: 2")]
    [False, False]
    """
    told = commands(line)
    if "test" not in told.acts:
        return True
    said = _COLOURS.sub("", printed or "")
    if _NONE_RAN.search(said) or _FAILED.search(said):
        return False
    skipped = [int(found[1] or 0) for found in _SKIPPED.finditer(said)]
    ran = sum(int(found[1]) for found in _RAN.finditer(said)) - sum(skipped)
    if _PASSED.search(said) or ran > 0:
        return True
    return not (told.silent or skipped)


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
        scripts = [text for _, text in _scripts(part)] if script is None else [script]
        if any(map(hides_failure, scripts)):
            return True
        code = _python_code(part[0].rpartition("/")[2], part[1:])
        if any(map(_ALWAYS_WELL.fullmatch, part)) or (code and tests_in_python(code)):
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


def _parts(line: str) -> Iterator[tuple[list[str], list[str], bool, bool, bool]]:
    """The commands of a line, each in words, with what is set for it; whether it is surely run: not
    what comes after a failure, in a branch, in a function or behind `exit`; whether a pipe leads to
    it, and whether what it prints goes into a file. What is written there is no word of it."""
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
    ) -> Iterator[tuple[list[str], list[str], bool]]:
        """Without what only says where it is; what is set for it, and the programs that only start
        another, beside it. `alone`: it depends on no other command."""
        sets: list[str] = []
        while words and words[0] in _BLOCKS | _BRANCHES | _ENDS:
            self._enter(words[0])
            if words[0] in _LISTS:
                break  # what it goes through are its words
            # `for x in a b` has no command of its own, `if grep …` has: the words after it are one.
            words = [] if words[0] == "case" else words[1:]
        while words and (_ASSIGNED.fullmatch(words[0]) or words[0].rpartition("/")[2] in _PREFIXES):
            if words[:2] in (["command", "-v"], ["command", "-V"]):
                break  # it says where a program is
            sets.append(words[0].rpartition("/")[2] if "=" not in words[0] else words[0])
            words = words[1:]
            while words and re.match("-|[0-9]", words[0]):  # `timeout -k 5 60 pytest`
                words = words[1:]
        if words:
            is_sure = is_sure and not self._is_over and not any(branch for _, branch in self._open)
            yield words, sets, is_sure
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
