"""a message on the control comm -> the reply to it: an answer, or what went wrong in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wfnb.author_context import author_context
from wfnb.core.events import Author
from wfnb.errors import CallStands, CallUncertain, WfnbError
from wfnb.render.text.escape import printable

from .request_actions import ACTIONS, RequestContext
from .request_models import MAX_CALLS, BadRequest, read, request_id

PANEL = Author(host="panel")


def reply(around: RequestContext, data: Any, failed: Callable[[], None]) -> dict[str, Any]:
    """In whatever thread the message came. `failed` is told of faults of ours."""
    id = request_id(data)
    try:
        request = read(data)
        with author_context(PANEL):
            return {"id": id, "answer": ACTIONS[type(request)](around, request)}
    except BadRequest as error:
        return {"id": id, "error": "BadRequest", "says": str(error)}
    except WfnbError as refusal:
        said = {"id": id, "error": type(refusal).__name__, "says": printable(str(refusal))}
        return said | _to_answer(refusal)
    # Whatever fails is told: a request without a reply would make the front end wait.
    except Exception:
        failed()
        says = "wfnb failed at this. The kernel's log says where."
        return {"id": id, "error": "InternalError", "says": says}


def _to_answer(refusal: WfnbError) -> dict[str, Any]:
    """The calls that the same request can answer for; more than it takes are only said."""
    asked = refusal.call_names if isinstance(refusal, CallUncertain | CallStands) else ()
    return {"calls": [printable(call) for call in asked]} if 0 < len(asked) <= MAX_CALLS else {}
