"""run, what its calls have said -> what is shown while it goes on.

It is made often: it asks the run only what it knows already, however many actions it had.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from wfnb.frozen_record import record
from wfnb.hints import Command, Option
from wfnb.render.message import MIME
from wfnb.render.text import escape
from wfnb.render.text.css_fonts import CODE, SPACED
from wfnb.views.step_words import cut, short
from wfnb.workflows.core.events import QuestionAsked
from wfnb.workflows.core.run import Call, Run
from wfnb.workflows.definition.models import StatesWorkflow

from .action_rows import group_progress
from .run_words import no_answer_note, run_sign, status_of
from .terminal_tail import Piece, tail

BAR, NAMED = 24, 5  # columns of a bar; calls and questions that are named
_BRAND = "var(--jp-brand-color1,#1a73b8)"


@record
class OpenQuestion:
    """A question that waits for a person, what to type to answer it, and what happens if nobody
    does."""

    action: str
    question: str
    choices: tuple[str, ...]
    answer: str
    otherwise: str = ""


@record
class Progress:
    """`done` and `total` count actions; `total` is None where nobody can know it. `now` has a line
    for each call that is being made, or for what is waited for; `last` are the newest lines of
    output, plain."""

    run: str
    status: str
    done: int
    total: int | None
    thing: str
    now: tuple[str, ...]
    questions: tuple[OpenQuestion, ...]
    last: tuple[str, ...]

    @property
    def line(self) -> str:
        """All on one line, for a terminal."""
        said = [self.run, run_sign(self.status), self.count]
        # What waits for a person goes before what goes on by itself.
        said += [f"asks: {each.question}" for each in self.questions[:1]] or list(self.now[:2])
        return escape.line(" · ".join(said))

    @property
    def count(self) -> str:
        """ "3 of 10 steps", "3 states"."""
        if self.total is None:
            return f"{self.done} {self.thing}{'s' * (self.done != 1)}"
        return f"{self.done} of {self.total} {self.thing}s"

    @property
    def text(self) -> str:
        return "\n".join(self._text())

    @property
    def html(self) -> str:
        return self.html_with_picture()

    def html_with_picture(self, picture: str = "") -> str:
        """The HTML with a picture of the run, HTML too, above what the calls wrote last."""
        return "".join(self._html(picture))

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON data."""
        return {
            "run": self.run,
            "status": self.status,
            "done": self.done,
            "total": self.total,
            "now": list(self.now),
            "asked": [
                {
                    "action": each.action,
                    "question": each.question,
                    "choices": list(each.choices),
                    "otherwise": each.otherwise,
                }
                for each in self.questions
            ],
            "tail": list(self.last),
        }

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {MIME: self.to_dict(), "text/plain": self.text, "text/html": self.html}

    def _text(self) -> Iterator[str]:
        said = f"{self.run} · {run_sign(self.status)} · {self.count}"
        yield escape.line(said) + (f"  {bar(self.done, self.total)}" if self.total else "")
        yield from (f"  {escape.line(each)}" for each in self.now)
        for each in self.questions:
            yield f"  ? {escape.line(f'{each.action} asks: {each.question}')}"
            if each.choices:
                yield f"    {escape.line(_numbered_choices(each.choices))}"
            if each.otherwise:
                yield f"    {escape.line(each.otherwise)}"
            yield f"    answer: {escape.line(each.answer)}"
        yield from (f"  │ {line}" for line in self.last)

    def _html(self, picture: str) -> Iterator[str]:
        yield (
            f'<div class="wfnb-progress" style="{SPACED};border-left:3px solid {_BRAND};'
            'padding:3px 0 3px 9px;margin:2px 0"><div style="display:flex;flex-wrap:wrap;'
            f'align-items:center;gap:2px 8px"><b>{escape.html(self.run)}</b>'
            f'<span style="color:{_BRAND}">{escape.html(run_sign(self.status))}</span>'
        )
        if self.total:
            part = round(100 * self.done / self.total)
            yield (
                '<span style="display:inline-block;width:120px;height:8px;border-radius:4px;'
                'overflow:hidden;border:1px solid var(--jp-border-color1,rgba(128,128,128,.45))">'
                f'<span style="display:block;height:8px;width:{part}%;background:{_BRAND}">'
                "</span></span>"
            )
        yield (
            '<span style="opacity:.72;font-variant-numeric:tabular-nums">'
            f"{escape.html(self.count)}</span></div>"
        )
        for each in self.now:
            yield f'<div style="padding-left:12px;overflow-wrap:anywhere">{escape.html(each)}</div>'
        for asked in self.questions:
            yield (
                '<div style="padding-left:12px;overflow-wrap:anywhere">? '
                f"{escape.html(asked.action)} asks: <b>{escape.html(asked.question)}</b></div>"
            )
            if asked.choices:
                choices = escape.html(_numbered_choices(asked.choices))
                yield f'<div style="padding-left:24px">{choices}</div>'
            if asked.otherwise:
                yield f'<div style="padding-left:24px">{escape.html(asked.otherwise)}</div>'
            answer = escape.html(asked.answer)
            yield f'<div style="padding-left:24px;opacity:.72"><code>{answer}</code></div>'
        yield picture
        if self.last:
            yield (
                f'<pre style="{CODE};margin:4px 0 0 12px;white-space:pre-wrap;'
                'overflow-wrap:anywhere;font-size:.92em;opacity:.72">'
            )
            yield escape.html("\n".join(self.last)) + "</pre>"
        yield "</div>"


def progress(run: Run, name: str, said: Sequence[Piece] = ()) -> Progress:
    """How far a run is. `said` is what its calls wrote last, terminal codes and all."""
    states = isinstance(run.workflow, StatesWorkflow)
    return Progress(
        run=name,
        status=status_of(run),
        # Counts that the run keeps anyway: going through its calls would cost more with each of
        # them.
        done=run.entered - len(_states_open(run)) if states else len(run.settled),
        total=None if states else len(run.workflow.actions),
        thing="state" if states else "step",
        now=tuple(_current_lines(run)),
        questions=tuple(_open_questions(run)),
        last=tuple(tail(said)),
    )


def _states_open(run: Run) -> set[str]:
    """The states that are called now: of a group, not its steps."""
    workflow = run.workflow
    assert isinstance(workflow, StatesWorkflow)
    return {workflow.state_of(action) for action in run.calling()}


def bar(done: int, total: int) -> str:
    """
    >>> bar(3, 10)
    '███████░░░░░░░░░░░░░░░░░'
    """
    full = BAR * done // max(total, 1)
    return "█" * full + "░" * (BAR - full)


def _current_lines(run: Run) -> Iterator[str]:
    if run.status != "running":
        return
    if run.stop is not None:
        what = "undoing" if run.stop.why == "undone" else "stopping"
        yield f"{what}: {run.stop.reason or run.stop.why}"
    elif run.problem is not None:
        yield f"failed: {short(run.problem, 200)}"
    if run.rolled:
        left = len(run.armed)
        yield f"rolling back: {len(run.rolled)} of {len(run.rolled) + left}"
    for number, call in enumerate(run.open.values()):
        if number == NAMED:
            yield f"… and {len(run.open) - NAMED} more"
            break
        yield _calling(run, call)
    # Only then: while others are called, that an action waits is no news.
    if not run.open:
        for action, tries in list(run.tries.items())[:NAMED]:
            yield f"waits to try {action.partition('~')[0]} again, attempt {tries.attempt}"


def _calling(run: Run, call: Call) -> str:
    said = f"▶ {call.action} ({call.tool})"
    if call.items is not None:
        loop = run.loops[call.id]
        failed = f", {loop.failed} failed" if loop.failed else ""
        return f"{said}: {len(loop.ended)} of {len(loop.keys)} items{failed}"
    if call.work.is_group:
        return f"{said}: {group_progress(run, call)}"
    if call.undoes is not None:
        said = f"↶ undoing {call.action} ({call.tool})"
    if call.fallback is not None:
        return f"{said}, instead of what failed"
    if call.attempt > 1:
        work = run.work(call.action)
        rules = work.retry if call.undoes is None else getattr(work.compensation, "retry", None)
        repeats = work.repeat is not None and call.undoes is None
        # Of a repetition the end is a condition and not a number.
        most = "" if rules is None or repeats else f" of {rules.attempts + 1}"
        said += f", attempt {call.attempt}{most}"
    return said


def _open_questions(run: Run) -> Iterator[OpenQuestion]:
    several = len(run.questions) > 1
    # A copy: the run goes on in another thread.
    for id, question in list(run.questions.items())[:NAMED]:
        action = run.calls[id].action
        to = (Option("to", action),) if several else ()
        yield OpenQuestion(
            action=action,
            question=cut(question.question, 400),
            choices=question.choices,
            answer=str(Command("answer", _example(question), *to)),
            otherwise=no_answer_note(question),
        )


def _example(question: QuestionAsked) -> str:
    if question.secret:
        return "TEXT"
    return shlex.quote(question.choices[0]) if question.choices else "TEXT"


def _numbered_choices(choices: Sequence[str]) -> str:
    return " · ".join(f"{place} {choice}" for place, choice in enumerate(choices, start=1))
