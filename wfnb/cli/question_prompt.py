"""questions of a run, the person at the terminal -> answers; where there is none, who to tell."""

from __future__ import annotations

from collections.abc import Callable

from wfnb.errors import Refused
from wfnb.render.text import escape

from .open_questions import Asking, Family
from .typed_line import Unanswered, forget, read_typed_line

Say = Callable[[str], object]


class Asker:
    """Asks at a terminal: `typist` says at which, if anybody is there; `write` puts text on its
    screen. A question that cannot be asked there goes `elsewhere`, once."""

    def __init__(
        self,
        family: Family,
        typist: Callable[[], int | None],
        write: Say,
        elsewhere: Callable[[Asking], object],
    ) -> None:
        self._family, self._typist = family, typist
        self._write, self._elsewhere = write, elsewhere
        self._left: set[tuple[str, int]] = set()

    def ask(self) -> None:
        """Every question that is open now and was not left to others."""
        for asked in self._family.asks():
            if asked.key not in self._left and not self._asked_here(asked):
                self._left.add(asked.key)
                # Nobody else may answer for a secret: without a terminal the run would wait for
                # ever.
                if self._typist() is None and asked.question.secret and not _ends(asked):
                    self._family.refuse(asked)
                else:
                    self._elsewhere(asked)

    def _asked_here(self, asked: Asking) -> bool:
        """Whether it was answered here, or needs no answer any more."""
        terminal = self._typist()
        if terminal is None:
            return False
        # Typed ahead, before the question was seen: it must not answer it.
        forget(terminal)
        self._write(escape.line(f"? {asked.words}") + " ")
        try:
            while not self._ask_once(asked, terminal):
                self._write(f"? {escape.line(asked.action)}: ")
        except Unanswered:
            self._write("\n")
            return False
        return True

    def _ask_once(self, asked: Asking, terminal: int) -> bool:
        """Whether one typed line settled it: an empty one means the default."""
        secret = asked.question.secret
        answer = read_typed_line(terminal, lambda: self._open(asked), secret)
        if answer is None or secret:
            self._write("\n")
        if answer is None:
            return True
        if not answer and asked.question.default is None:
            return False
        try:
            self._family.answer(asked, answer or asked.question.default)
        except Refused as refusal:
            self._write(escape.line(str(refusal)) + "\n")
            # It may have been answered elsewhere meanwhile: then it is not asked again.
            return not self._open(asked)
        return True

    def _open(self, asked: Asking) -> bool:
        return any(each.key == asked.key for each in self._family.asks())


def _ends(asked: Asking) -> bool:
    """Whether its default is taken after a time."""
    return asked.question.default is not None and asked.question.timeout is not None
