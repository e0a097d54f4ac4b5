"""a function and its arguments -> the fields it gave, from a process of its own that can be killed.

The process is a new interpreter, not a fork: the engine has threads, and a fork of a process with
threads may find a lock that nobody will ever open. Functions and values of a notebook travel to it
by cloudpickle, if that is installed; importable ones need nothing.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from tempfile import TemporaryFile
from typing import Any

from .call_context import Context
from .child_program import run_program
from .result_fields import ToolFailed
from .truncated_output import TruncatedOutput
from .value_passing import Keep, call_marked, restore_answer

_BEGIN = (
    "import sys; task, answer = map(int, sys.argv[1:3]); sys.path[:] = sys.argv[3:]; "
    "from wfnb.workflows.tools.subprocess_child import answer_task; answer_task(task, answer)"
)


async def in_process(
    function: Callable[..., dict[str, Any]],
    *args: Any,
    context: Context,
    printed: Mapping[str, TruncatedOutput] | None = None,
    keep: Keep | None = None,
) -> dict[str, Any]:
    """The fields that the function returns there. What the process and its children print is
    said as it comes, and kept in `printed["stdout"]` and `printed["stderr"]`, where they are given.
    `keep` is how it keeps what JSON cannot hold.

    Raises ToolFailed if something cannot travel, or if the process ends without an answer, with
    what it printed last.
    """
    task = _pickle_task(call_marked, keep, function, *args)
    kept = TruncatedOutput(4000)

    def feed(name: str) -> Callable[[bytes], None]:
        def take(data: bytes) -> None:
            context.say(kept.feed(data))
            if printed is not None:
                printed[name].feed(data)

        return take

    # Files, not pipes: the task may be larger than a pipe holds, and nobody has to read meanwhile.
    with TemporaryFile() as there, TemporaryFile() as back:
        there.write(task)
        there.seek(0)
        argv = [sys.executable, "-c", _BEGIN, str(there.fileno()), str(back.fileno()), *sys.path]
        ended = await run_program(
            argv,
            cwd=context.folder,
            # Unbuffered, so that what it prints is seen as it comes, and not lost if it is killed.
            env={**context.withheld_variables(), "PYTHONUNBUFFERED": "1"},
            mark=context.mark,
            heard=(feed("stdout"), feed("stderr")),
            pass_fds=(there.fileno(), back.fileno()),
        )
        for output in (printed or {}).values():
            output.feed(b"", final=True)
        os.lseek(back.fileno(), 0, os.SEEK_SET)
        answer = back.read()
    if not answer:
        code = ended.exit_code
        more = kept.fields("output", context.hide) if kept.size else {}
        error = f"its process ended without a result (exit code {code})"
        raise ToolFailed(error, outcome_unknown=True, **more)
    return restore_answer(keep, json.loads(answer))


def _pickle_task(*task: Any) -> bytes:
    try:
        import cloudpickle  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415  may be missing
    except ImportError:
        dumps: Callable[[Any], bytes] = pickle.dumps
        way = " Functions and classes of a notebook need cloudpickle: `pip install cloudpickle`."
        # pickle would take it by its name in `__main__`, which is another module there.
        if any(getattr(item, "__module__", "") == "__main__" for item in task):
            raise ToolFailed(f"it cannot be taken to another process.{way}") from None
    else:
        dumps, way = cloudpickle.dumps, ""
    try:
        return dumps(task)
    except Exception as error:
        raise ToolFailed(f"it cannot be taken to another process ({error}).{way}") from None
