"""GET …/wfnb/WORD, POST …/wfnb/check -> JSON. Whoever may read the notebooks of the server may read
their histories, and have a workflow checked that they write.

Journals are read in threads, so that a slow disk holds up nobody else; to ask again and again is
no activity for which a server would be kept running.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web

from wfnb.errors import WfnbError
from wfnb.render.text.escape import printable

_THREADS = ThreadPoolExecutor(max_workers=4, thread_name_prefix="wfnb")
_NO_FOLDER = "The notebooks of this server are in no folder: their histories cannot be read."
_OUTSIDE = "There is no notebook at this path."
_FAULT = "wfnb failed at this. The server's log says where."


class HistoryHandler(APIHandler):
    """GET: the history of one notebook. The arguments are `path`, `session` (its uid, if known),
    and those of the word."""

    auth_resource = "contents"
    _track_activity = False

    @web.authenticated
    @authorized
    async def get(self, word: str) -> None:
        given = {name: self.get_arguments(name) for name in self.request.query_arguments}
        path, uid = ((given.get(name) or [""])[-1] for name in ("path", "session"))

        def answer(root: Path) -> Any:
            from .notebook_histories import notebook_histories  # noqa: PLC0415  heavy

            return notebook_histories(root).answer(word, path, uid or None, given)

        await self._reply(answer)

    @web.authenticated
    @authorized
    async def post(self, word: str) -> None:
        """The text of a workflow's file is checked: `{"path": …, "text": …}`."""
        asked = self.get_json_body()

        def answer(root: Path) -> Any:
            from .workflow_check import check  # noqa: PLC0415  as above

            return check(root, word, asked)

        await self._reply(answer)

    async def _reply(self, answer: Callable[[Path], Any]) -> None:
        root = getattr(self.contents_manager, "root_dir", "")
        loop = asyncio.get_running_loop()
        status, said = await loop.run_in_executor(_THREADS, self._answer, root, answer)
        self.set_status(status)
        self.set_header("Cache-Control", "no-store")
        self.finish(json.dumps(said, ensure_ascii=False).encode(errors="replace"))

    def _answer(self, root: str, answer: Callable[[Path], Any]) -> tuple[int, Any]:
        """The status of the reply, and what it says. tornado's own errors double each `%`."""
        if not root:
            return _error_answer(404, "NoFolder", _NO_FOLDER)
        from .history_queries import BadQuery  # noqa: PLC0415  as above
        from .session_location import OutsideRoot  # noqa: PLC0415  heavy

        try:
            return 200, answer(Path(root))
        except OutsideRoot:
            return _error_answer(404, "OutsideRoot", _OUTSIDE)
        except BadQuery as error:
            return _error_answer(400, "BadQuery", str(error))
        except WfnbError as refusal:
            return _error_answer(409, type(refusal).__name__, printable(str(refusal)))
        except Exception:
            self.log.exception("wfnb: this could not be answered")
            return _error_answer(500, "InternalError", _FAULT)


def _error_answer(status: int, error: str, says: str) -> tuple[int, Any]:
    return status, {"error": error, "message": says}


def handlers(base: str) -> list[tuple[str, type[HistoryHandler]]]:
    """What the server serves; `base` is its base URL."""
    return [(url_path_join(base, "wfnb", "([a-z_]+)"), HistoryHandler)]
