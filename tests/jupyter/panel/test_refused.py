"""What is no request is refused in a line, a fault is told as one, and looking opens nothing."""

from typing import Any

import pytest

from tests.jupyter.kernel import Kernel
from tests.jupyter.panel.front import FrontEnd, Refused, page
from wfnb.jupyter.panel.request_models import WORDS

pytestmark = pytest.mark.kernel


NO_REQUESTS: list[tuple[Any, str]] = [
    ([1], "A request is an object with `id` and `ask`."),
    (None, "A request is an object with `id` and `ask`."),
    ({"id": 7}, f"Nobody can ask None here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": "exec"}, f"Nobody can ask 'exec' here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": ["undo"]}, f"Nobody can ask ['undo'] here. Words: {', '.join(WORDS)}."),
    ({"id": 7, "ask": "undo", "twice": 1}, "undo: twice: Extra inputs are not permitted."),
    ({"id": 7, "ask": "card", "key": "1"}, "card: key: Input should be a valid integer."),
    ({"id": 7, "ask": "card", "key": True}, "card: key: Input should be a valid integer."),
    ({"id": 7, "ask": "card"}, "card: key: Field required."),
    (
        {"id": 7, "ask": "rows", "first": 0, "count": 10**6},
        "rows: count: Input should be less than or equal to 1000.",
    ),
    (
        {"id": 7, "ask": "switch", "branch": "b" * 301},
        "switch: branch: String should have at most 300 characters.",
    ),
    (
        {"id": 7, "ask": "report", "form": "../../etc"},
        "report: form: Input should be 'md', 'html' or 'json'.",
    ),
    (
        {"id": 7, "ask": "answer", "run": "a-1", "answer": "yes"},
        "answer: call: Field required.",
    ),
    (
        {"id": 7, "ask": "answer", "run": "a-1", "call": "1", "answer": "yes"},
        "answer: call: Input should be a valid integer.",
    ),
    (
        {"id": 7, "ask": "answer", "run": "a-1", "action": "sure", "call": 1, "answer": "yes"},
        "answer: action: Extra inputs are not permitted.",
    ),
    (
        {"id": 7, "ask": "resume", "run": "a-1", "lost": {"pay": "ask"}},
        "resume: lost.pay: Input should be 'again' or 'done'.",
    ),
    (
        {
            "id": 7,
            "ask": "resume",
            "run": "a-1",
            "lost": dict.fromkeys(map(str, range(101)), "done"),
        },
        "resume: lost: Dictionary should have at most 100 items after validation, not more.",
    ),
    ({"id": "7", "ask": "undo"}, "undo: id: Input should be a valid integer."),
    ({"id": -7, "ask": "undo"}, "undo: id: Input should be greater than or equal to 0."),
]


def test_what_is_no_request_is_refused_in_a_line(kernel: Kernel):
    kernel.ok("%step One")

    with page(kernel) as front:
        for data, says in NO_REQUESTS:
            front.replies.clear()
            front.post(data)
            front.until(lambda: bool(front.replies))
            ((id, reply),) = front.replies.items()
            assert reply == {"id": id, "error": "BadRequest", "says": says}
            assert id == (7 if isinstance(data, dict) and data["id"] == 7 else -1)

    assert kernel.steps("description") == ["One"]


def test_a_fault_of_ours_is_told_as_one_and_shows_in_no_cell(kernel: Kernel):
    kernel.ok("%step One")
    kernel.ok("import wfnb.workspace; kept = wfnb.workspace.Workspace.undo")
    kernel.ok("wfnb.workspace.Workspace.undo = lambda self: 1 / 0")

    with page(kernel) as front:
        with pytest.raises(Refused) as refused:
            front.ask("undo")
        ran = kernel.ok("wfnb.workspace.Workspace.undo = kept")

        assert refused.value.args[0] == "InternalError"
        assert (ran.stdout, ran.stderr) == ("", "")
        assert front.ask("undo") == "undone: step 1 added: One"


def test_looking_opens_nothing(kernel: Kernel):
    with FrontEndOfNoSession(kernel) as front:
        assert front.state.gone is not None
        for word, args in (("rows", {"first": 0, "count": 9}), ("compare", {})):
            with pytest.raises(Refused) as refused:
                front.ask(word, **args)
            assert refused.value.args[0] == "NothingRecorded"


class FrontEndOfNoSession:
    """A page of a kernel whose notebook has not begun."""

    def __init__(self, kernel: Kernel) -> None:
        kernel.ok(f"os.environ['WFNB_HOME'] = {str(kernel.home / 'empty')!r}")
        kernel.ok("%unload_ext wfnb")
        kernel.ok("from wfnb.jupyter import ipython_extension; ipython_extension._USED.clear()")
        kernel.ok("%load_ext wfnb")
        self._page = page(kernel)

    def __enter__(self) -> FrontEnd:
        return self._page.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._page.__exit__(*error)
