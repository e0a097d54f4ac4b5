"""Values that steps kept, and plans of their restoration, built by hand."""

from tests.core.story import Story, at, begun
from wfnb.core.commands import AddStep, FinishStep
from wfnb.core.events import Outcome, Status
from wfnb.core.kept_values import Differs, KeptGroup, KeptValue, KeptValues, Plan, PlanEntry
from wfnb.core.session import Step


def value(name: str, type: str = "int", says: str = "1", **more: object) -> KeptValue:
    return KeptValue(name=name, type=type, says=says, **{"group": 0, **more})


def kept(*values: KeptValue, size: int = 5) -> KeptValues:
    group = KeptGroup(blobs=(f"{'a' * 32}-{size}",), signature="s")
    return KeptValues(values=values, groups=(group,))


def lost(name: str, why: str = "it is an open file") -> KeptValue:
    return KeptValue(name=name, type="file", why_not=why)


def fitted(
    values: KeptValues | None, status: Status = "ok", *before: AddStep
) -> tuple[Story, Step]:
    """A step that was to keep `df`, and ended so."""
    story = Story(*before, begun("fit", keep=("df",), number=len(before) + 1))
    (attempt,) = story.session.running
    story.do(FinishStep(attempt=attempt, outcome=Outcome(status=status), values=values))
    return story, at(story.session, len(before) + 1)


def two_that_kept() -> tuple[Step, Step]:
    story = Story()
    for number, title in enumerate(("one", "two"), 1):
        story.do(begun(title, keep=("x",), number=number))
        (attempt,) = story.session.running
        story.do(FinishStep(attempt=attempt, outcome=Outcome(), values=kept()))
    return at(story.session, 1), at(story.session, 2)


def planned(*entries: PlanEntry, differs: tuple[Differs, ...] = ()) -> Plan:
    return Plan(names=entries, differs=differs)
