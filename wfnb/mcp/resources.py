"""an address `wfnb://…` -> what can be read there: sessions, their pictures and reports, runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote, unquote

from wfnb.errors import BadValue
from wfnb.frozen_record import record
from wfnb.workspace import Workspace

from .connection import Connection
from .tool_declaration import to_json

SCHEME = "wfnb://"
JSON, TEXT = "application/json", "text/markdown"


@record
class Resource:
    """What an address stands for; with `{name}` in it, for one of each session or run."""

    address: str
    says: str
    type: str = JSON
    runs: bool = False
    """Whether it tells of the session's runs, too."""

    def fill(self, name: str) -> str:
        # Nothing is safe: a `/` in a name would part the address.
        return self.address.replace("{name}", quote(name, safe=""))


OF_SESSION: Mapping[str, tuple[Resource, Callable[[Workspace], str]]] = {
    each.address.rpartition("/")[2]: (each, read)
    for each, read in (
        (
            Resource(address=f"{SCHEME}session/{{name}}/status", says="the whole state", runs=True),
            lambda workspace: to_json(workspace.status()),
        ),
        (
            Resource(address=f"{SCHEME}session/{{name}}/steps", says="all steps"),
            lambda workspace: to_json(workspace.status()["steps"]),
        ),
        (
            Resource(
                address=f"{SCHEME}session/{{name}}/graph",
                says="the history as a Mermaid diagram",
                type="text/vnd.mermaid",
            ),
            lambda workspace: workspace.graph().mermaid,
        ),
        (
            Resource(
                address=f"{SCHEME}session/{{name}}/report",
                says="the report, to read",
                type=TEXT,
                runs=True,
            ),
            lambda workspace: workspace.views.report().markdown,
        ),
        (
            Resource(
                address=f"{SCHEME}session/{{name}}/runs", says="the runs of workflows", runs=True
            ),
            lambda workspace: to_json(workspace.status(0)["runs"]),
        ),
    )
}
RUN = Resource(address=f"{SCHEME}run/{{name}}", says="the report of a run", type=TEXT)
SESSIONS = Resource(address=f"{SCHEME}sessions", says="all sessions")
SCHEMA = Resource(address=f"{SCHEME}schema/workflow", says="the form of a workflow")
TEMPLATES = (*(each for each, _ in OF_SESSION.values()), RUN)


def listed_resources(around: Connection) -> Iterator[Resource]:
    """The resources without a name to be filled in: those of the session in use are filled."""
    yield SESSIONS
    yield SCHEMA
    if around.session is not None:
        for each, _ in OF_SESSION.values():
            yield Resource(address=each.fill(around.session), says=each.says, type=each.type)


def read(around: Connection, address: str) -> tuple[str, str]:
    """What is there, and its type. BadValue names the addresses there are; refused where the
    session or run is none."""
    match address.removeprefix(SCHEME).split("/"):
        case ["sessions"]:
            names = [info.name for info in around.home.sessions() if not info.archived]
            return to_json({"sessions": names, "in_use": around.session}), JSON
        case ["schema", "workflow"]:
            from wfnb.workflows.definition.schema import workflow_schema  # noqa: PLC0415  heavy

            return to_json(workflow_schema()), JSON
        case ["session", name, part] if part in OF_SESSION:
            resource, text = OF_SESSION[part]
            return text(around.workspace(unquote(name))), resource.type
        case ["run", name]:
            from wfnb.workflows.views.report import Report  # noqa: PLC0415  heavy

            log = around.workspace().runs.log(unquote(name))
            return Report(log.run, log.name).markdown, TEXT
    known = ", ".join(each.address for each in (SESSIONS, SCHEMA, *TEMPLATES))
    raise BadValue("uri", address[:80], f"one of {known}")


def mark(around: Connection, address: str) -> object:
    """What is another when what is there has changed; None where nothing is there."""
    journal = around.home.journal
    match address.removeprefix(SCHEME).split("/"):
        case ["sessions"]:
            return [(each.name, each.archived) for each in journal.sessions()], around.session
        case ["session", name, part] if part in OF_SESSION:
            session = journal.find(unquote(name))
            if session is None:
                return None
            runs = journal.runs(session) if OF_SESSION[part][0].runs else []
            return session, journal.info(session).events, [(each.id, each.events) for each in runs]
        case ["run", name]:
            opened = around.workspace()
            found = journal.find_run(unquote(name), opened.log.id)
            return [(each.id, each.events) for each in found]
    return None
