"""an object that cannot be kept, or an error of pickling -> why, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from wfnb.type_names import base_names, full_name

REFUSED: Mapping[str, str] = {
    "_asyncio.Future": "a task that may not be done",
    "_ctypes._Pointer": "a pointer",
    "_hashlib.HASH": "a hash that is being computed",
    "_io._IOBase": "an open file",
    "_multiprocessing.SemLock": "a lock",
    "_thread.RLock": "a lock",
    "_thread._local": "values of one thread",
    "_thread.lock": "a lock",
    "asyncio.events.AbstractEventLoop": "an event loop",
    "builtins.async_generator": "a generator",
    "builtins.coroutine": "a coroutine",
    "builtins.frame": "a frame of running code",
    "builtins.generator": "a generator",
    "builtins.memoryview": "a view of another object's memory",
    "builtins.traceback": "a traceback",
    "concurrent.futures._base.Executor": "threads or processes that work",
    "concurrent.futures._base.Future": "a task that may not be done",
    "cupy.ndarray": "an array on a GPU",
    "distributed.client.Client": "a connection to a cluster",
    "IPython.core.interactiveshell.InteractiveShell": "the shell",
    "mmap.mmap": "memory of a file",
    "numpy.memmap": "an array in a file",
    "multiprocessing.pool.Pool": "threads or processes that work",
    "multiprocessing.process.BaseProcess": "a process",
    "_queue.SimpleQueue": "a queue between threads",
    "queue.Queue": "a queue between threads",
    "select.epoll": "an open file",
    "_socket.socket": "a socket",
    "_sqlite3.Connection": "a connection to a database",
    "sqlite3.Connection": "a connection to a database",
    "sqlite3.Cursor": "a connection to a database",
    "ssl.SSLContext": "an SSL context",
    "_ssl._SSLContext": "an SSL context",
    "subprocess.Popen": "a process",
    "tempfile._TemporaryFileWrapper": "an open file",
    "tempfile.TemporaryDirectory": "a temporary folder",
    "threading.Barrier": "a lock",
    "threading.Condition": "a lock",
    "threading.Event": "a lock",
    "threading.Semaphore": "a lock",
    "threading.Thread": "a thread",
    "weakref.ReferenceType": "a weak reference",
    "weakref.finalize": "a weak reference",
}
"""What a class, or one of its bases, is to a person. These live outside of what can be written."""
_IN_MEMORY = ("_io.BytesIO", "_io.StringIO")


class NotKept(Exception):
    """Raised while pickling: what was met, and that object itself."""

    def __init__(self, what: str, met: object) -> None:
        super().__init__(what)
        self.what, self.met = what, met


def refusal_reason(kind: type) -> str | None:
    """What objects of this class are, where they cannot be kept.

    >>> refusal_reason(type(x for x in "")), refusal_reason(dict)
    ('a generator', None)
    """
    bases = base_names(kind)
    # These are files by their base, and can be pickled all the same.
    if any(base in _IN_MEMORY for base in bases):
        return None
    return next((REFUSED[base] for base in bases if base in REFUSED), None)


def failure_reason(error: BaseException, value: object) -> str:
    """In words that follow a name.

    >>> failure_reason(TypeError("cannot pickle 're.Match' object"), {})
    'it holds a re.Match, which cannot be pickled'
    """
    if isinstance(error, NotKept):
        return f"it {'is' if error.met is value else 'holds'} {error.what}"
    line = short_error(error)
    # Pickle raises an error of its own, which says so in its text alone.
    if isinstance(error, RecursionError) or "recursion" in line:
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    if found := re.match(r"\w+: cannot pickle '?([\w.]+)'?(?: object)?", line):
        name = found[1]
        own = full_name(type(value))
        is_it = name in (own, own.rpartition(".")[2])
        article = "an" if name[0] in "aeiouAEIOU" else "a"
        return f"it {'is' if is_it else 'holds'} {article} {name}, which cannot be pickled"
    return f"it cannot be pickled ({line})"


@contextmanager
def collect_refusals(values: Mapping[str, object], reasons: dict[str, str]) -> Iterator[None]:
    """Whatever the code of a value does in this block, only that value is not kept: `reasons` gets
    why. A value's class may raise anything, and exit. KeyboardInterrupt is the person's."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        reasons.update((name, failure_reason(error, value)) for name, value in values.items())


def short_error(error: BaseException) -> str:
    """An error in one line of a length that can be read.

    >>> short_error(ValueError("no\\nway"))
    'ValueError: no'
    """
    try:
        first = (str(error).splitlines() or [""])[0]
    except BaseException:  # of a class of the user's
        first = ""
    line = f"{type(error).__name__}: {first}" if first else type(error).__name__
    return line if len(line) <= 160 else f"{line[:159]}…"
