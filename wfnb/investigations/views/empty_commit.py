"""session, its step at the end -> that a commit would be empty, where that is what was asked."""

from __future__ import annotations

from wfnb.core.session import Session, Step
from wfnb.investigations.core.investigation import looks_before
from wfnb.investigations.core.reducer import counts
from wfnb.investigations.core.requirements import ends, standing, status

NOTHING_STAGED = "nothing is staged yet"
_STAGED, _NOTHING = "staged:", "staged: nothing"


def unstaged_warning(session: Session, step: Step) -> str:
    """That nothing was staged when somebody looked last: of a kind that asks for such a look, at an
    end that says that all is well. Else ''."""
    at = standing(session, step)
    if at is None or not ends(step) or status(at, ended=True) != at.kind.complete[-1].status:
        return ""
    asks = (by for rule in at.kind.actions for action in rule.do for by in action.by)
    if "git:staged" not in asks:
        return ""
    last = next(
        (
            look.what
            for each in reversed(session.steps.values())
            if each.key <= step.key and counts(session, each)
            # The newest look decides: something may have been staged since an older one.
            for look in reversed(looks_before(session, each))
            if look.kind == "git" and look.what.startswith(_STAGED) and not _in_part(look.what)
        ),
        "",
    )
    return NOTHING_STAGED if last == _NOTHING else ""


def _in_part(what: str) -> bool:
    """A look into a folder that found nothing there tells nothing of the rest."""
    return what.startswith(f"{_NOTHING} in ")
