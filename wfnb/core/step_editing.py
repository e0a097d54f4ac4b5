"""session, what is changed of steps that are there -> events: hidden, described, tagged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import validation
from .commands import DescribeStep, HideSteps, ShowSteps, TagStep
from .events import Event, StepDescribed, StepsHidden, StepsShown, StepTagged
from .session import Session, Step
from .step_lookup import find


def hide(session: Session, command: HideSteps) -> list[Event]:
    """Nothing for those that are hidden already."""
    steps = [find(session, place, command.line) for place in command.places]
    wanted = _by_branch(step for step in steps if not step.hidden)
    return [StepsHidden(branch=branch, numbers=numbers) for branch, numbers in wanted]


def show(session: Session, command: ShowSteps) -> list[Event]:
    steps = [find(session, place, command.line) for place in command.places]
    if not command.places:
        steps = [session.steps[key] for key in sorted(session.hidden)]
    wanted = _by_branch(step for step in steps if step.hidden)
    return [StepsShown(branch=branch, numbers=numbers) for branch, numbers in wanted]


def describe(session: Session, command: DescribeStep) -> list[Event]:
    """What is not said again stays: the title above, or the reason under it. An empty reason takes
    the reason away."""
    step = find(session, command.place, command.line)
    title, _, reason = (part.strip() for part in step.current.description.strip().partition("\n"))
    if command.title is not None:
        title = validation.title(command.title)
    if command.reason is not None:
        reason = validation.text("reason", command.reason).strip()
    description = validation.description("\n\n".join(filter(None, (title, reason))))
    if description == step.current.description:
        return []
    return [StepDescribed(branch=step.branch, number=step.number, description=description)]


def tag(session: Session, command: TagStep) -> list[Event]:
    step = find(session, command.place, command.line)
    added, removed = (
        validation.tags(command.add),
        {validation.text("tag", name) for name in command.remove},
    )
    now = validation.tags(name for name in (*step.tags, *added) if name not in removed)
    if now == step.tags:
        return []
    return [StepTagged(branch=step.branch, number=step.number, tags=now)]


def _by_branch(steps: Iterable[Step]) -> Iterator[tuple[str, tuple[int, ...]]]:
    numbers_of: dict[str, dict[int, None]] = {}
    for step in steps:
        numbers_of.setdefault(step.branch, {})[step.number] = None
    return ((branch, tuple(sorted(numbers))) for branch, numbers in numbers_of.items())
