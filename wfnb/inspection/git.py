"""a folder -> what git says of it. Git itself is asked: nobody else knows all its rules.

A repository's own settings may name programs to run (fsmonitor, hooks, filters, a pager, ways to
show a difference, ways to fetch): none of them is run, and nothing is written or fetched.
"""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from threading import Event, Timer

from wfnb.errors import RepositoryNone

SECONDS = 10.0
"""How long git may take for one answer."""
MAX_ANSWER_LENGTH = 10_000_000
"""Characters of an answer that are kept."""
_CHUNK = 1 << 16

_SAFE = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat"),
    *("-c", "core.quotePath=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "protocol.allow=never"),  # a partial clone fetches what it has not
    "--no-optional-locks",
)
_OURS = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "WFNB_EMPTY": "",
    "WFNB_FALSE": "false",
}
_THEIRS = (
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
    "GIT_EXEC_PATH",
)
"""What of the user's environment git may know: no other repository, index, or tracing."""


def run(folder: Path, *words: str, seconds: float = SECONDS) -> str:
    """What `git WORDS` says in that folder; bytes that are no UTF-8 are kept as surrogates. Raises
    RepositoryNone with git's own first line where it says no, or where there is no git."""
    return run_truncated(folder, *words, seconds=seconds)[0]


def run_truncated(
    folder: Path,
    *words: str,
    seconds: float = SECONDS,
    most: int = MAX_ANSWER_LENGTH,
    errors: str = "surrogateescape",
) -> tuple[str, int]:
    """As `run`: the first `most` characters, and how many there were. It is read as it comes, so
    that an answer of any size takes no more memory than that."""
    # By increments: a letter of several bytes may be parted between two chunks.
    decoder = getincrementaldecoder("utf-8")(errors)
    kept: list[str] = []
    size = 0
    late = Event()
    # A file and not a pipe: nobody reads it meanwhile, and git would wait for room in a full pipe.
    with TemporaryFile() as stderr:
        try:
            process = Popen(
                ["git", "-C", os.fspath(folder), *_SAFE, *words],
                env=_environment(),
                # Git must never wait for an answer: nobody would see its question.
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=stderr,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise RepositoryNone(_display_path(folder), f"git cannot be asked: {why}") from None

        def end() -> None:
            late.set()
            process.kill()

        # `read` has no time limit: killing git ends the pipe that is read.
        clock = Timer(seconds, end)
        clock.daemon = True
        clock.start()
        try:
            assert process.stdout is not None
            while data := process.stdout.read(_CHUNK):
                text = decoder.decode(data)
                # Read on though nothing is kept: how much there was is told, and git ends with its
                # own code.
                kept += [text[: most - size]] if size < most else []
                size += len(text)
            code = process.wait()
        finally:
            clock.cancel()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        # Before the code: a killed git has one as well, which would tell nothing.
        if late.is_set():
            raise RepositoryNone(_display_path(folder), f"git did not answer in {seconds:g} s")
        if code:
            stderr.seek(0)
            said = stderr.read(10_000).decode("utf-8", "backslashreplace").strip().splitlines()
            first = said[0] if said else f"git ended with {code}"
            raise RepositoryNone(_display_path(folder), first.removeprefix("fatal: ").strip())
    rest = decoder.decode(b"", final=True)
    return "".join([*kept, rest[: max(0, most - size)]]), size + len(rest)


def top(folder: Path) -> Path:
    """The top of the repository that the folder is in. RepositoryNone where there is none."""
    return Path(run(folder, "rev-parse", "--show-toplevel").removesuffix("\n"))


def files(folder: Path, *patterns: str) -> tuple[str, ...]:
    """The files below the folder that git has or would take (`*.py`), by path from there: neither
    ignored ones nor those of other repositories. Bytes that are no UTF-8 are surrogates."""
    said = run(folder, "ls-files", "-z", "-co", "--exclude-standard", "--", *patterns)
    # A file in conflict is listed once for each side; a repository inside ends with a slash.
    return tuple(dict.fromkeys(name for name in said.split("\0") if name and name[-1] != "/"))


def filters(folder: Path) -> tuple[str, ...]:
    """The words for git that leave out the filters which the repository itself asks for: they are
    programs. Those of the user's own settings stay: they are needed to tell what differs."""
    said = run(folder, "config", "--null", "--show-scope", "--list").split("\0")
    names = {
        name.rpartition(".")[0]
        for scope, entry in zip(said[::2], said[1::2], strict=False)
        if scope in ("local", "worktree") and (name := entry.partition("\n")[0])[:7] == "filter."
    }
    return tuple(
        # Not `-c`: a filter's name may have an equals sign, which would end the name there.
        f"--config-env={name}.{key}={value}"
        for name in sorted(names)
        for key, value in (
            ("clean", "WFNB_EMPTY"),
            ("process", "WFNB_EMPTY"),
            ("smudge", "WFNB_EMPTY"),
            ("required", "WFNB_FALSE"),
        )
    )


def _environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_THEIRS)
    }
    return kept | _OURS


def _display_path(folder: Path) -> str:
    return os.fsencode(folder).decode("utf-8", "backslashreplace")
