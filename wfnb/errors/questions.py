"""Questions that runs ask, and their answers."""

from __future__ import annotations

from wfnb.hints import Command, Option

from .base import Refused
from .phrases import listing


class QuestionNone(Refused):
    def __str__(self) -> str:
        return f"No question is open. `{Command('runs')}` shows what the runs are waiting for."


class QuestionGone(Refused):
    run: str

    def __str__(self) -> str:
        return (
            f"This question of {self.run} is no longer open. "
            f"`{Command('runs')}` shows what the runs are waiting for."
        )


class QuestionSeveral(Refused):
    actions: tuple[str, ...]

    def __str__(self) -> str:
        asking = listing(self.actions, "none")
        way = Command("answer", "TEXT", Option("to", "STATE"))
        return f"Several questions are open, of {asking}. Name one: `{way}`."


class AnswerElsewhere(Refused):
    action: str
    run: str

    def __str__(self) -> str:
        return (
            f"{self.action!r} asks for a secret, which is never written down, so that it cannot be "
            f"sent from here. Answer where {self.run} was started."
        )


class AnswerNotChoice(Refused):
    answer: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.answer!r} is no choice here. Choices: {listing(self.choices, 'none')}."
