"""A journal in memory: no file is written, and a forked process has a copy of its own."""

import os
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Thread

import pytest

from wfnb.core.events import BranchScored, SessionStarted
from wfnb.journal import MemoryJournal

from . import events, runs
from .processes import other_process

STARTED = SessionStarted(name="churn")


def write_no_file(line: Connection, folder: Path) -> None:
    import resource  # noqa: PLC0415  not on Windows

    os.environ["XDG_DATA_HOME"] = str(folder)
    del os.environ["HOME"]
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    journal = MemoryJournal()
    session, _ = journal.create("churn", [STARTED])
    for after in range(1, 2000):
        journal.append(session, [BranchScored(branch="alt" * 100, score=after)], after)
    run, _ = journal.begin_run(session, "deploy", [runs.STARTED])
    journal.seal(run.id)
    journal.copy("copied", journal.read(session), [(run, journal.read_run(run.id))])
    journal.create("churn", [STARTED], fresh=True)
    line.send(([info.events for info in journal.sessions()], journal.is_own(run.id)))


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files there")
def test_a_journal_in_memory_writes_no_file_and_needs_no_home(tmp_path: Path):
    with other_process(write_no_file, tmp_path) as line:
        assert line.recv() == ([2000, 2001, 1], True)

    assert list(tmp_path.iterdir()) == []


def fork_while_a_thread_writes(line: Connection) -> None:
    journal = MemoryJournal()
    ended = Event()

    def write() -> None:
        session, _ = journal.create("of the thread", [STARTED])
        after = 1
        while not ended.wait(0.02):  # what it writes is read whole by each child
            after += len(journal.append(session, events.EVERY_KIND, after))

    mine, _ = journal.create("mine", [STARTED])
    thread = Thread(target=write)
    thread.start()
    codes = []
    for _ in range(20):
        child = os.fork()
        if not child:
            journal.append(mine, [BranchScored(branch="alt", score=1)], after=1)
            whole = [len(journal.read(info.id)) == info.events for info in journal.sessions()]
            os._exit(len(journal.read(mine)) if all(whole) else 1)
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    ended.set()
    thread.join()
    line.send((codes, len(journal.read(mine))))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here")
def test_a_forked_process_goes_on_with_a_copy_while_a_thread_writes():
    with other_process(fork_while_a_thread_writes) as line:
        assert line.recv() == ([2] * 20, 1)


def test_two_journals_in_memory_do_not_know_each_other():
    one, other = MemoryJournal(), MemoryJournal()

    one.create("churn", [STARTED])

    assert other.sessions() == []
