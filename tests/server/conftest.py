"""A real Jupyter server on a folder, and what it answers."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

import wfnb
from wfnb.workspace import Workspace

TOKEN = "a-token-of-the-tests"


@dataclass
class Server:
    """`work` is the folder that it serves."""

    address: str
    work: Path

    def ask(
        self, word: str, path: str, token: str | None = TOKEN, **arguments: object
    ) -> tuple[int, Any]:
        """Status and answer."""
        query = urlencode({"path": path, **arguments}, doseq=True)
        return self.get(f"wfnb/{word}?{query}", token)

    def get(self, address: str, token: str | None = TOKEN, data: object = None) -> tuple[int, Any]:
        """With `data` it is posted."""
        headers = {} if token is None else {"Authorization": f"token {token}"}
        body = None if data is None else json.dumps(data).encode()
        request = Request(f"{self.address}/{address}", data=body, headers=headers)
        try:
            with urlopen(request, timeout=60) as reply:
                return reply.status, json.loads(reply.read())
        except HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())

    def snapshot(self, path: str, **arguments: object) -> Any:
        status, answer = self.ask("snapshot", path, **arguments)
        assert status == 200
        return answer


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[Server]:
    """A server on `folder / "work"`, enabled extensions and all, with nothing of whoever tests."""
    work = folder / "work"
    work.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {
        "HOME": str(folder / "home"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
    }
    inherited = {name: value for name, value in os.environ.items() if name != "WFNB_HOME"}
    command = [
        *(sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root"),
        *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0"),
        *(f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={work}", *options),
    ]
    log = folder / "server.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env=inherited | own | environment, stdin=subprocess.DEVNULL, stdout=out,
            stderr=out,
        )  # fmt: skip
        try:
            server = Server(f"http://127.0.0.1:{port}", work)
            _until_it_answers(server, process, log)
            yield server
        finally:
            process.terminate()
            process.wait(timeout=60)


def _until_it_answers(server: Server, process: "subprocess.Popen[bytes]", log: Path) -> None:
    while process.poll() is None:
        try:
            server.get("api/status")
        except (URLError, OSError):
            time.sleep(0.05)  # it needs the processor itself
            continue
        return
    pytest.fail(f"The server did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def folder(server: Server, request: pytest.FixtureRequest) -> Path:
    """A folder of the test's own in the one that is served."""
    name = re.sub(r"\W+", "-", str(request.node.name))[:100]
    made = server.work / name
    made.mkdir()
    return made


def session(folder: Path, name: str, *steps: str) -> Workspace:
    """A session beside a notebook, as the notebook's kernel would have it."""
    workspace = wfnb.open(name, home_folder=folder / ".wfnb")
    for step in steps:
        workspace.step(step)
    return workspace
