"""comms that a front end opens -> the session told to it, and its requests answered.

    wfnb.hello     opened by the kernel, for as long as wfnb is here: a front end may connect
    wfnb.state     opened by a front end: it is told a snapshot, then what changes
    wfnb.control   opened by a front end: it asks, and gets an answer to each request

Theory of operation: comms while a cell runs
--------------------------------------------

A kernel handles one message of the shell channel after the other. A cell that runs for an hour is
one message, so that a comm message which arrives meanwhile waits for an hour. The panel must do
better: it shows a run while it goes on, stops it, and answers its questions.

ipykernel 7 has subshells: further threads that read the shell channel. A front end creates one for
itself and sends its comm messages there, so that they are handled beside the cell. There are two
comms, so that what is asked never waits for what is told.

What follows from it:

 * Everything here may run on a thread that is not the main one, while a cell runs. The session is
   read under its lock; nothing touches the user's namespace.
 * Answers go to the subshell that published last, if ipykernel 7.4 is left to itself. That may be
   the busy one. `clear_reply_route` takes that note off the comm after each message.
 * A front end that is gone leaves its thread behind. `end_subshell` ends it when its comms close.
 * Without subshells (older kernels, other kernels) the same comms work, between cells.

The opening message of `wfnb.hello` is sent by hand and as nobody's reply. Otherwise it would belong
to the cell with `%load_ext wfnb`, and nbclient warns of comms in a cell that it does not know.

Who is still there? A page that was closed hangs up; a machine that sleeps does not, and what a page
sends while it is reloaded may be lost. When a front end connects, all others are pinged on the
first comm (`{kind: "ping"}`), and whatever they send back says that they live. Who is silent is
pinged again by a timer, which lives as long as an answer is missing. Who is silent twice is
dropped, and may come back by itself (`front_ends.py`).

Example: a page connects (state, then control), gets a snapshot, and a run of ten minutes begins in
a cell. Each change goes out as a delta on `wfnb.state`. "Stop" arrives on `wfnb.control`, in the
page's own subshell; its answer goes out there while the cell runs on.

Not taken: a server of our own beside the kernel (a port, and rights to guard it), ipywidgets' comms
(one per widget, and none before a cell shows it), and polling by `execute_request` (it waits, too).
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from IPython.core.interactiveshell import InteractiveShell

from wfnb.jupyter.ipython_compat import (
    announce_comm,
    clear_reply_route,
    end_subshell,
    hear,
    kernel_of,
    log_of,
    send_from_thread,
    send_replies_by_stream,
    subshell_of,
)
from wfnb.jupyter.notebook import Notebook

from .front_ends import AGAIN, FrontEnd, FrontEnds

if TYPE_CHECKING:
    from .publisher import Publisher

HELLO, STATE, CONTROL = "wfnb.hello", "wfnb.state", "wfnb.control"
UNLOADED = "wfnb was unloaded from this kernel. `%load_ext wfnb` brings it back."


_OPEN: dict[InteractiveShell, Channel] = {}


def channel_of(shell: InteractiveShell) -> Channel | None:
    """The comms of a shell into which wfnb is loaded."""
    return _OPEN.get(shell)


def send(comm: Any, data: dict[str, Any]) -> None:
    """Publish on a comm, from whatever thread."""
    send_from_thread(comm, data)
    clear_reply_route(comm)


class Channel:
    """The comms of one kernel. `open` and `close` are for `%load_ext` and `%unload_ext`."""

    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self._fronts = FrontEnds()
        self._publisher: Publisher | None = None
        self._hello: Any = None
        self._timer = Timer(0, lambda: None)
        self._lock = Lock()

    @property
    def publisher(self) -> Publisher:
        """What tells front ends, made for the first of them: it is heavy."""
        with self._lock:
            if self._publisher is None:
                from .followed_session import Following  # noqa: PLC0415  only where one connects
                from .publisher import Publisher  # noqa: PLC0415  as above

                self._publisher = Publisher(Following(self.notebook), self.log_failure)
            return self._publisher

    def join(
        self,
        name: str,
        tell: Callable[[dict[str, Any]], None],
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """Tell a front end the session from here on. `left` is called where it is told no more."""
        self.publisher.join(name, tell, left)

    def reply(self, data: Any, name: str) -> dict[str, Any]:
        """The reply to a request of a front end."""
        self.lives(name)
        from .control_comm import reply  # noqa: PLC0415  as above
        from .request_actions import RequestContext  # noqa: PLC0415  heavy: only where one asks

        return reply(RequestContext(self.notebook, self.publisher, name), data, self.log_failure)

    def lives(self, name: str) -> None:
        """A front end was heard."""
        if self._publisher is not None:
            self._publisher.lives({name, *self._fronts.lives(name)})

    def remove_front_end(self, name: str, leaves: bool = False) -> None:
        """A front end is gone. `leaves`: for good, as it said; else it may come back."""
        was_shared = self.notebook.open_notebooks.are_several
        self.notebook.open_notebooks.remove(name, leaves)
        if self._publisher is not None:
            self._publisher.leave(name)
            if was_shared:  # another notebook may have the kernel for itself now
                self._publisher.tell_again()

    def open(self) -> None:
        """Wait for front ends, and tell one that is already there. Nothing, where there are none:
        a shell in a terminal has no comms."""
        _OPEN[self.notebook.shell] = self
        kernel = kernel_of(self.notebook.shell)
        if kernel is None:
            return
        send_replies_by_stream(kernel)
        import comm  # noqa: PLC0415  there is one where there is a kernel

        comm.get_comm_manager().register_target(STATE, self._state)
        comm.get_comm_manager().register_target(CONTROL, self._asks)
        # Not `primary`: that would send the opening message at once, as the reply of the cell.
        self._hello = comm.create_comm(target_name=HELLO, primary=False)
        comm.get_comm_manager().register_comm(self._hello)
        self._hello.on_close(self._keep_open)
        announce_comm(kernel, self._hello, HELLO)

    def _keep_open(self, message: dict[str, Any]) -> None:
        """A front end that does not know wfnb may close what it is greeted with. Whoever asks which
        comms there are (`comm_info`) is to find it all the same."""
        import comm  # noqa: PLC0415  as above

        if self._hello is not None:
            comm.get_comm_manager().register_comm(self._hello)

    def close(self) -> None:
        """Take everything out again."""
        del _OPEN[self.notebook.shell]
        if kernel_of(self.notebook.shell) is None:
            return
        import comm  # noqa: PLC0415  as above

        manager = comm.get_comm_manager()  # that of xeus-python forgets nothing, and has no lists
        for target, opened in ((STATE, self._state), (CONTROL, self._asks)):
            if getattr(manager, "targets", {}).get(target) == opened:
                manager.unregister_target(target, opened)
        hello, self._hello = self._hello, None
        with suppress(KeyError):  # a front end closes it at this moment, on a thread of its own
            hello.close()
        getattr(manager, "comms", {}).pop(hello.comm_id, None)
        with self._lock:
            self._timer.cancel()
            publisher, self._publisher = self._publisher, None
        if publisher is not None:
            publisher.close(UNLOADED)
        for name in self._fronts.all:
            self._drop(name, ends=False)

    def _state(self, comm: Any, message: dict[str, Any]) -> None:
        """A front end wants to be told."""
        name = comm.comm_id
        self._open_front_end(comm, message, "control").control = comm
        hear(comm, lambda message: self.lives(name))
        # Joined before the silent ones are dropped, so that the publisher is not taken down in
        # between.
        self.join(name, partial(self._send, comm), partial(self._drop, name))
        self._ping(partial(self._fronts.ask, name))

    def _ping(self, others: Callable[[], list[Any]]) -> None:
        """Drop who is silent, ask others whether they are there, and come back to it as long as an
        answer is missing."""
        for silent in self._fronts.silent():
            self._drop(silent)
        for other in others():
            self._send(other, {"kind": "ping"})
        with self._lock:
            self._timer.cancel()
            if self._fronts.waits and self.notebook.shell in _OPEN:
                self._timer = Timer(AGAIN, self._ping, [self._fronts.ask_again])
                self._timer.daemon = True
                self._timer.start()

    def _asks(self, comm: Any, message: dict[str, Any]) -> None:
        """A front end wants to ask. Nothing is published here."""
        self._open_front_end(comm, message, "state")
        hear(comm, lambda message: self._answer(comm, message))

    def _open_front_end(self, comm: Any, message: dict[str, Any], beside: str) -> FrontEnd:
        """A comm of a front end, which says what the comm `beside` it is called."""
        said = message["content"].get("data")
        other = said.get(beside) if isinstance(said, dict) else None
        comm.on_close(lambda message: self._on_comm_close(comm.comm_id, message))
        thread = subshell_of(message)
        return self._fronts.add_comm(comm, other if isinstance(other, str) else None, thread)

    def _answer(self, comm: Any, message: dict[str, Any]) -> None:
        self._send(comm, self.reply(message["content"].get("data"), comm.comm_id))

    def _send(self, comm: Any, data: dict[str, Any]) -> None:
        from zmq import ZMQError  # noqa: PLC0415  there is one where there is a kernel

        try:
            send(comm, data)
        except ZMQError:  # its thread ended under it: the front end is gone
            self._drop(comm.comm_id)

    def _on_comm_close(self, name: str, message: dict[str, Any]) -> None:
        """A front end hangs up."""
        said = message["content"].get("data")
        self.remove_front_end(name, isinstance(said, dict) and said.get("leaves") is True)
        front = self._fronts.remove_comm(name)
        if front is not None:
            self._end(front)

    def _drop(self, name: str, ends: bool = True) -> None:
        """Let go all that a front end has here. Unless it `ends`, it listens on."""
        front = self._fronts.take(name)
        if front is None:
            return
        for each, opened in front.comms.items():
            self.remove_front_end(each)
            with suppress(Exception):  # closed meanwhile, or nobody can be told any more
                opened.close()
        if ends:
            self._end(front)

    def _end(self, front: FrontEnd) -> None:
        end_subshell(kernel_of(self.notebook.shell), front.thread)

    def log_failure(self) -> None:
        """A fault of ours, with its exception at hand: into the kernel's log, and no cell."""
        log = log_of(kernel_of(self.notebook.shell))
        if log is not None:
            log.error("wfnb: the panel failed", exc_info=True)
        else:
            traceback.print_exc(file=sys.__stderr__)
