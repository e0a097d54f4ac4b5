"""session -> what its advisers replied, each model in its turn, and their verdicts counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wfnb.core.session import Session, Step
from wfnb.core.vote_tally import Tally, tally_of
from wfnb.frozen_record import record
from wfnb.investigations.core.assessment import ReviewRequest, review
from wfnb.investigations.core.events import Advice
from wfnb.investigations.core.finding_parser import models
from wfnb.investigations.core.investigation import investigation_of
from wfnb.investigations.core.reducer import counts
from wfnb.views.step_words import tally_fields, tally_line


@record
class AskedModel:
    """A model that is asked with a stance, and its last reply; None: there is none yet."""

    name: str
    stance: str
    reply: Advice | None

    @property
    def who(self) -> str:
        return f"{self.name}:{self.stance}"


def asked_models(session: Session) -> tuple[AskedModel, ...]:
    """The models in the order in which they were named."""
    now = investigation_of(session)
    named = None if now is None else now.fields.get(now.kind.total.count or "")
    if now is None or now.kind.total.rule != "models" or named is None:
        return ()
    # The oldest first, so that the last reply of a model stays.
    given = {(each.adviser, each.stance): each for each in taken_advice(session, "model")}
    return tuple(
        AskedModel(name=name, stance=stance, reply=given.get((name, stance)))
        for name, stance in models(named)
    )


def taken_advice(session: Session, role: str, step: Step | None = None) -> list[Advice]:
    """Advice of that role, of the step or of all that count, the oldest first."""
    now = investigation_of(session)
    return [
        each
        for key, each in (now.advice if now is not None else ())
        if each.role == role and (key == step.key if step else _counts(session, key))
    ]


def standing_advice(session: Session) -> list[tuple[int, Advice]]:
    """All advice with the key of the step that it is of, but for a failure after which the same
    adviser was asked for the same again."""
    now = investigation_of(session)
    given = [] if now is None else now.advice
    last = {(key, each.adviser, each.stance, each.role): at for at, (key, each) in enumerate(given)}
    return [
        (key, each)
        for at, (key, each) in enumerate(given)
        if each.error is None or last[key, each.adviser, each.stance, each.role] == at
    ]


def consulted_reply(session: Session, turn: int) -> dict[str, Any]:
    """Whose reply is read in this turn, and what it says; nothing where no model is asked."""
    models = asked_models(session)
    if not 1 <= turn <= len(models):
        return {}
    model = models[turn - 1]
    return {"model_consulted": model.who, **_reply(model.reply)}


def _reply(reply: Advice | None) -> dict[str, Any]:
    if reply is None:
        return {"model_error": "not asked yet"}
    if reply.error is not None:
        return {"model_error": reply.error}
    verdict = {} if reply.verdict is None else {"model_verdict": reply.verdict}
    return {"model_response": reply.text, **verdict}


def counts_of(models: Sequence[AskedModel]) -> dict[str, Any]:
    """Who was consulted, who failed and why, and the verdicts counted."""
    failed = {
        each.who: each.reply.error if each.reply else "not asked yet"
        for each in models
        if each.reply is None or each.reply.error is not None
    }
    tally = verdicts(models)
    return {
        "models_consulted": [each.who for each in models if each.who not in failed],
        "failed": failed,
        "tally": None if tally is None else tally_fields(tally),
    }


def verdicts(models: Sequence[AskedModel]) -> Tally | None:
    """The verdicts of the replies; None where none has one."""
    return tally_of([each.reply.verdict for each in models if each.reply and each.reply.verdict])


def replied_sentence(models: Sequence[AskedModel]) -> str | None:
    """How many models replied, and what they say; None where none has a verdict.

    >>> reply = Advice(adviser="a", role="model", verdict="for", text="yes")
    >>> said = AskedModel(name="a", stance="for", reply=reply)
    >>> replied_sentence([said, AskedModel(name="b", stance="for", reply=None)])
    '1 of 2 replied: for 1'
    """
    tally = verdicts(models)
    if tally is None:
        return None
    replied = sum(each.reply is not None and each.reply.error is None for each in models)
    if replied == len(models):
        return tally_sentence(tally)
    votes = ", ".join(f"{word} {n}" for word, n in tally.votes.items())
    return f"{replied} of {len(models)} replied: {votes}"


def tally_sentence(tally: Tally) -> str:
    """
    >>> tally_sentence(tally_of(["for", "against", "later", "for", "against"]))
    'none is ahead: for and against have 2 of 5 verdicts each (later 1)'
    >>> tally_sentence(tally_of(["for", "against", "neutral"]))
    'none is ahead: for, against and neutral have 1 of 3 verdicts each'
    """
    if tally.winner is not None:
        return tally_line(tally)
    rest = ", ".join(f"{word} {n}" for word, n in tally.votes.items() if word not in tally.ties)
    each = f"{tally.votes[tally.ties[0]]} of {sum(tally.votes.values())} verdicts each"
    others = f" ({rest})" if rest else ""
    *firsts, last = tally.ties
    return f"none is ahead: {', '.join(firsts)} and {last} have {each}{others}"


def review_result(session: Session, step: Step) -> dict[str, Any]:
    """What the reviewer said of a step that ends its line, or why nobody was asked."""
    given = taken_advice(session, "reviewer", step)
    if given:
        last = given[-1]
        if last.error is not None:
            return {"adviser": last.adviser, "error": last.error}
        return {"adviser": last.adviser, "verdict": last.verdict, "text": last.text}
    wanted = review(session, step)
    if isinstance(wanted, ReviewRequest):
        return {"adviser": wanted.reviewer, "error": "not asked yet"}
    return {"skipped": wanted}


def _counts(session: Session, key: int) -> bool:
    step = session.steps.get(key)
    return step is not None and counts(session, step)
