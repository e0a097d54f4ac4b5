"""words -> the real command `wfnb` in a process of its own -> what it printed and how it ended."""

import ctypes
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pexpect
import yaml

from tests.ahead import Forked, is_like_here
from wfnb.workflows.tools.terminal.screen import Screen

WFNB = [sys.executable, "-m", "wfnb"]
ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds for something that has to come


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def data(self) -> Any:
        """What it printed, as JSON: there is nothing else."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Desk:
    """A folder in which commands are typed. Its journal is in `.wfnb`."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("WFNB")}
        return kept | {"PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "80"} | self.env

    def wfnb(self, *words: object, **options: Any) -> Said:
        """The command, to its end. One that is given nothing is forked from one that was loaded."""
        if not options and is_like_here(self.environment):
            return self._forked([*map(str, words)])
        done = subprocess.run(
            [*WFNB, *map(str, words)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            **{"stdin": subprocess.DEVNULL} | options,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def _forked(self, words: list[str]) -> Said:
        with TemporaryFile() as out, TemporaryFile() as err:
            files = {"stdout": out.fileno(), "stderr": err.fileno()}
            process = Forked("wfnb", words, cwd=self.folder, env=self.environment, **files)
            try:
                code = process.wait(PATIENCE)
            except BaseException:
                process.kill()
                raise
            wrote = [os.pread(file, 1 << 30, 0).decode() for file in files.values()]
        return Said(code, *(text.replace("\r\n", "\n") for text in wrote))

    @contextmanager
    def begun(self, *words: object, **options: Any) -> Iterator[subprocess.Popen[str]]:
        """The command while it runs; killed at the end, if it is still there."""
        process = subprocess.Popen(
            [*WFNB, *map(str, words)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate(timeout=PATIENCE)

    @contextmanager
    def terminal(self, *words: object, size: tuple[int, int] = (24, 80)) -> Iterator[pexpect.spawn]:
        """The command at a terminal of so many rows and columns."""
        with self._typed(WFNB[0], [*WFNB[1:], *map(str, words)], size) as child:
            yield child

    @contextmanager
    def terminal_of_shell(self, line: str) -> Iterator[pexpect.spawn]:
        """The same, typed as a line of a shell (without the word `wfnb`)."""
        with self._typed("/bin/sh", ["-mc", f"{shlex.join(WFNB)} {line}"], (24, 80)) as child:
            yield child

    @contextmanager
    def _typed(
        self, program: str, words: list[str], size: tuple[int, int]
    ) -> Iterator[pexpect.spawn]:
        environment = {k: v for k, v in self.environment.items() if k not in ("COLUMNS", "LINES")}
        child = pexpect.spawn(
            program,
            words,
            cwd=str(self.folder),
            env=environment,
            dimensions=size,
            timeout=PATIENCE,
            encoding="utf-8",
        )
        try:
            yield child
        finally:
            child.close(force=True)

    def write(self, definition: Any, name: str = "work.yaml") -> Path:
        """A file with a workflow."""
        path = self.folder / name
        apart = json.loads(json.dumps(definition))  # YAML would name what is there twice
        path.write_text(yaml.safe_dump(apart, sort_keys=False), "utf-8")
        return path

    def gate(self, name: str = "gate") -> Path:
        """What a step can wait at: `cat NAME` ends when the test opens it."""
        path = self.folder / name
        os.mkfifo(path)
        return path


def open_gate(gate: Path) -> None:
    """Let what waits there go on; waits until it does."""
    gate.write_text("go\n")


def steps(*commands: str, name: str = "work", **more: Any) -> dict[str, Any]:
    """A workflow of shell commands, a, b, c, … in order."""
    made = [
        {"id": id, "tool": "shell", "args": {"command": command}}
        for id, command in zip("abcdefgh", commands, strict=False)
    ]
    return {"name": name, "steps": made, **more}


def asks(**args: Any) -> dict[str, Any]:
    """A workflow that asks, and says what it heard."""
    heard = {"id": "heard", "tool": "shell", "args": {"command": "echo heard {ask.answer!q}"}}
    return {"name": "asking", "steps": [{"id": "ask", "tool": "ask", "args": args}, heard]}


def events(lines: list[str]) -> list[str]:
    """The lines in which a command said what happened: the table at its end is left out."""
    if "" not in lines:
        return lines
    table = lines.index("")
    return lines[:table] + [line for line in lines[table:] if line.startswith("!")]


def until(process: subprocess.Popen[str], said: str) -> list[str]:
    """The lines that it prints, up to the one that has this in it."""
    lines = []
    for line in process.stdout or ():
        lines.append(line.rstrip("\n"))
        if said in line:
            return lines
    raise AssertionError(f"it ended without {said!r}: {lines}, {(process.stderr or []).read()}")


def ended(child: pexpect.spawn) -> tuple[int, str]:
    """The exit code of a command at a terminal, and all that it wrote since the last look."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, child.before


def hung_up(child: pexpect.spawn) -> int:
    """The exit code of a command whose terminal was closed."""
    child.ptyproc.fileobj.close()
    child.ptyproc.closed = True
    child.wait()
    return int(child.exitstatus)


def powerless() -> None:
    """Root may write everywhere; what is started after this may not."""
    if sys.platform == "linux" and os.geteuid() == 0:
        for capability in (1, 2):  # DAC_OVERRIDE, DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def seen(wrote: str, rows: int = 24, columns: int = 80) -> list[str]:
    """What a person sees of it in the end."""
    screen = Screen(rows, columns)
    screen.feed(wrote.encode())
    return [line.rstrip() for line in screen.text().splitlines() if line.strip()]
