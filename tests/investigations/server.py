"""A server on loopback that speaks the protocol of chat completions, well or badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-0123456789abcdefXYZ"


class Server(ThreadingHTTPServer):
    """Each `model` behaves as its name says. `asked` has what was asked, with its headers;
    `together` waits until so many are being asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Chat)
        self.asked: list[tuple[dict[str, Any], dict[str, str]]] = []
        self.ended = threading.Event()
        self.together = threading.Barrier(3)
        self.left = threading.Semaphore(0)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def models(self) -> list[str]:
        return [body["model"] for body, _ in self.asked]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is none of the server's mistakes."""


class Chat(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        times = self.server.models().count(body["model"])
        self.server.asked.append((body, dict(self.headers)))
        assert self.path.endswith("/v1/chat/completions"), self.path
        getattr(self, body["model"].replace("-", "_"))(body, times)

    def good(self, body: dict[str, Any], times: int) -> None:
        self._reply(f"You say: {body['messages'][-1]['content']}\n\nVerdict: for")

    def against(self, body: dict[str, Any], times: int) -> None:
        self._reply("It breaks at the change to summer time.\n\n**Verdict:** against")

    def plan(self, body: dict[str, Any], times: int) -> None:
        self._reply("7 steps: three parsers, and the clock.")

    def no_number(self, body: dict[str, Any], times: int) -> None:
        self._reply("As many as it takes.")

    def side_by_side(self, body: dict[str, Any], times: int) -> None:
        self.server.together.wait(30)  # nobody is answered before all are asked
        self._reply("All at once.\nVerdict: neutral")

    def busy_once(self, body: dict[str, Any], times: int) -> None:
        if times:
            self.good(body, times)
        else:
            self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "3"})

    def busy_long(self, body: dict[str, Any], times: int) -> None:
        self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "3600"})

    def broken(self, body: dict[str, Any], times: int) -> None:
        self._send(500, {"error": {"message": f"upstream said {self._key()} is bad"}})

    def unkind(self, body: dict[str, Any], times: int) -> None:
        said = f"Incorrect API key provided: {self._key()}"
        self._send(401, {"error": {"message": said}}, {"X-Key": self._key()})

    def nowhere(self, body: dict[str, Any], times: int) -> None:
        self._send(404, {"error": {"message": "no such model\x1b[31m"}})

    def elsewhere(self, body: dict[str, Any], times: int) -> None:
        where = f"{self.server.url}/elsewhere?key={self._key()}"
        self._send(302, {}, {"Location": where})

    def huge(self, body: dict[str, Any], times: int) -> None:
        self._reply("x" * 3_000_000)

    def endless(self, body: dict[str, Any], times: int) -> None:
        self._head(200, 1 << 40)
        while not self.server.ended.is_set():
            self.wfile.write(b" " * 65_536)

    def no_json(self, body: dict[str, Any], times: int) -> None:
        self._head(200, 40)
        self.wfile.write(f"<p>{self._key()}".encode().ljust(40))

    def no_choices(self, body: dict[str, Any], times: int) -> None:
        self._send(200, {"choices": []})

    def tool_call(self, body: dict[str, Any], times: int) -> None:
        self._send(200, {"choices": [{"message": {"content": None, "tool_calls": []}}]})

    def empty(self, body: dict[str, Any], times: int) -> None:
        self._reply(" \n")

    def echo(self, body: dict[str, Any], times: int) -> None:
        self._reply(f"Your key is {self._key()}, and a bell: \x07\ud800\nVerdict: for")

    def drop(self, body: dict[str, Any], times: int) -> None:
        self.close_connection = True

    def hang(self, body: dict[str, Any], times: int) -> None:
        self.rfile.read(1)  # until the client goes
        self.server.left.release()

    def trickle(self, body: dict[str, Any], times: int) -> None:
        self._head(200, 1 << 40)
        try:
            while not self.server.ended.wait(0.01):
                self.wfile.write(b" ")
        except OSError:
            self.server.left.release()

    def _key(self) -> str:
        return (self.headers["Authorization"] or "").removeprefix("Bearer ")

    def _reply(self, text: str) -> None:
        self._send(200, {"choices": [{"message": {"role": "assistant", "content": text}}]})

    def _send(self, status: int, data: Any, more: dict[str, str] | None = None) -> None:
        body = json.dumps(data).encode()
        self._head(status, len(body), more)
        self.wfile.write(body)

    def _head(self, status: int, length: int, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        for name, value in (more or {}).items():
            self.send_header(name, value)
        self.end_headers()


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.together.abort()
        server.shutdown()
        server.server_close()
        thread.join()
