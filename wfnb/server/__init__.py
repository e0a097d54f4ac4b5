"""a Jupyter server -> the histories of its notebooks, as their journals have them, and what is
wrong with the text of a workflow; nothing is written.

    api.py               GET …/wfnb/WORD?path=NOTEBOOK&session=UID&…: who may ask, and how
    session_location.py  path, uid -> journal, session; nothing outside the server's folder
    session_reader.py    journal, session -> the session, read once and then read on
    history_queries.py           word -> a snapshot, rows, a card, a report, as a kernel answers it
    workflow_check.py    POST …/wfnb/check  {path, text}: a workflow's file is checked

`labextension/src/lab/server_journal.ts` asks. jupyter_server is imported here alone, and what reads
journals only once somebody asks.
"""

from __future__ import annotations

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "wfnb.server"}]


def _load_jupyter_server_extension(app: Any) -> None:
    from wfnb.hints import use_spelling  # noqa: PLC0415  as below
    from wfnb.hints_as_magics import MagicSpelling  # noqa: PLC0415

    from .api import handlers  # noqa: PLC0415  there is a jupyter_server where this is called

    use_spelling(MagicSpelling())  # what it answers is shown beside a notebook
    app.web_app.add_handlers(".*$", handlers(app.web_app.settings["base_url"]))
