"""work -> another process at it, and the line to it."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

spawn = multiprocessing.get_context("spawn")


@contextmanager
def other_process(work: Callable[..., None], *args: object) -> Iterator[Connection]:
    """Another process at work, and the line to it. It is killed at the end if need be."""
    here, there = spawn.Pipe()
    process = spawn.Process(target=work, args=(there, *args))
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.join(timeout=10)
        process.kill()
        process.join()
        process.close()


def all_from(line: Connection) -> list[int]:
    """What a process says before it ends."""
    said: list[int] = []
    while True:
        try:
            said.append(line.recv())
        except (EOFError, OSError):
            return said
