"""a question of the run that a cell waits for -> the answer of the person at the keyboard.

The kernel is busy with that cell, so no other cell can answer: it is asked for here, where the
front end or the terminal takes input. Where none does, the question is told, with the ways to
answer it from elsewhere. A question that is settled meanwhile (answered elsewhere, out of time)
takes its prompt away.
"""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Iterator
from getpass import getpass

from wfnb.errors import Refused
from wfnb.render.text import escape
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.runner.active_run import ActiveRun, answer_question
from wfnb.workflows.runner.run_loop import RunLoop
from wfnb.workflows.views.run_words import no_answer_note

LOOK = 0.1
"""Seconds between two looks whether the question is still open."""
BRIEF = 10
"""Seconds in which nobody answers from elsewhere. A question that is over by then is not told: now
it would be, now not, and a program keeps what a cell shows."""
_NOBODY = "a secret is only asked for where it can be typed, and nothing can be typed here"


class Prompt:
    """Asks each question once, in the thread that the cell runs in. `ends` is whether the run ends
    with the cell: where nothing can be typed, nobody could ever answer with a secret."""

    def __init__(self, running: ActiveRun, takes_input: bool, ends: bool) -> None:
        self.running = running
        self.takes_input = takes_input
        self._ends = ends
        self._left: set[tuple[str, int]] = set()

    def ask(self) -> bool:
        """Ask what is open, or tell it where nobody can be asked here; nested runs' questions too.
        Whether anything was asked."""
        found = list(self._open())
        for run_loop, call, question in found:
            # Before it is asked: whoever leaves a prompt (EOF) is not asked the same again and
            # again.
            self._left.add((run_loop.log.name, call))
            if self.takes_input:
                self._one(run_loop, call, question)
            else:
                self._show_question(run_loop, call, question)
        return self.takes_input and bool(found)

    def _open(self) -> Iterator[tuple[RunLoop, int, QuestionAsked]]:
        for run_loop in tuple(self.running.run_loop.loops.values()):
            with run_loop.log.lock:
                for call, question in run_loop.run.questions.items():
                    if (run_loop.log.name, call) not in self._left:
                        yield run_loop, call, question

    def _one(self, run_loop: RunLoop, call: int, question: QuestionAsked) -> None:
        action = run_loop.run.calls[call].action
        text = _question_text(action, question)
        # Until it is settled: an answer that is none of the choices is refused, and asked for once
        # more.
        while call in run_loop.run.questions:
            said = self._read_answer(run_loop, call, text, question.secret)
            if said is None:
                return
            if not said and question.default is not None:
                said = str(question.default)
            try:
                answer_question(run_loop.log, said, action, run_loop)
            except Refused as refusal:
                print(refusal)
                continue
            return

    def _show_question(self, run_loop: RunLoop, call: int, question: QuestionAsked) -> None:
        """In words that are the same each time."""
        if question.timeout is not None and question.timeout < BRIEF:
            return
        if self._ends and question.secret and question.default is None:
            run_loop.loop.call_soon_threadsafe(run_loop.questions.refuse, call, _NOBODY)
            return
        action = run_loop.run.calls[call].action
        print(_question_text(action, question).rstrip())
        print(_remote_answer_hint(run_loop.log.name, action, question.secret), flush=True)

    def _read_answer(self, run_loop: RunLoop, call: int, text: str, secret: bool) -> str | None:
        """What is typed; None where the question went away, or nobody wants to answer here."""
        over, gone = threading.Event(), threading.Event()

        def watch() -> None:
            while not over.wait(LOOK):
                if call not in run_loop.run.questions:
                    gone.set()
                    # The prompt may have ended between the two looks: then the interrupt would hit
                    # the cell.
                    if not over.is_set():
                        _interrupt()
                    return

        threading.Thread(target=watch, name="wfnb-prompt", daemon=True).start()
        try:
            with self.running.interrupts.raise_next():
                return getpass(text) if secret else input(text)
        except EOFError:
            return None
        except KeyboardInterrupt:
            if gone.is_set():
                print()
                return None
            raise
        finally:
            over.set()


def _question_text(action: str, question: QuestionAsked) -> str:
    said = f"{escape.line(action)} asks: {escape.line(question.question)}"
    if question.choices:
        choices = (f"{number} {escape.line(c)}" for number, c in enumerate(question.choices, 1))
        said += f" ({' · '.join(choices)})"
    otherwise = no_answer_note(question)
    return f"{said} [{escape.line(otherwise)}] " if otherwise else f"{said} "


def _remote_answer_hint(run: str, action: str, secret: bool) -> str:
    """How a question is answered that cannot be answered here."""
    if secret:
        return "Nothing can be typed here, and a secret is not sent from elsewhere."
    words = shlex.join(["wfnb", "answer", "TEXT", "--run", run, "--to", action])
    ways = (
        f"`{words}` in a terminal in this folder, or `%{words}` in another notebook of the session"
    )
    return f"Nothing can be typed here. Answer by {ways}."


def _interrupt() -> None:
    """End the prompt: it waits in the main thread."""
    main = threading.main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)
