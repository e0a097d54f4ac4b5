"""A call that is being made somewhere -> a meeting with it: who makes it, and what it is told."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

from .place import SOON


def attend(port: int, name: str = "", before: str = "") -> dict[str, object]:
    """Say who makes this call, and stay until told a word. `before` is a command for the shell,
    begun first and left running."""
    if before:
        os.system(before)
    with socket.create_connection(("127.0.0.1", port)) as there:
        there.sendall(f"{name} {os.getpid()} {os.getppid()}\n".encode())
        word = there.recv(1000).decode()
    if word == "die":
        os._exit(3)
    return {"pid": os.getpid(), "worker": os.getppid(), "word": word}


@dataclass
class Guest:
    name: str
    pid: int
    worker: int
    there: socket.socket

    def tell(self, word: str) -> None:
        self.there.sendall(word.encode())


class Meeting:
    """Where calls come to while they are made, in order."""

    def __init__(self) -> None:
        self.door = socket.create_server(("127.0.0.1", 0))
        self.door.settimeout(SOON)
        self.port = self.door.getsockname()[1]
        self.guests: list[Guest] = []

    def __enter__(self) -> Meeting:
        return self

    def __exit__(self, *error: object) -> None:
        self.door.close()
        for guest in self.guests:
            guest.there.close()

    def next(self) -> Guest:
        there, _ = self.door.accept()
        there.settimeout(SOON)
        with there.makefile() as lines:
            name, pid, worker = lines.readline().rstrip("\n").rsplit(" ", 2)
        guest = Guest(name, int(pid), int(worker), there)
        self.guests.append(guest)
        return guest

    def is_over(self) -> bool:
        """Whether nobody else is at the door."""
        self.door.settimeout(0)
        try:
            self.door.accept()
        except BlockingIOError:
            return True
        return False
