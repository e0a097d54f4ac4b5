"""`python chains.py ENGINE STEPS ROUNDS`: a chain of steps that do nothing, its progress on disk.

Run by the Python of an environment that has the engine; says seconds a step, one for each round.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tempfile
import uuid
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

Chain = Callable[[int, Path], Callable[[], object]]


def wfnb(steps: int, folder: Path) -> Callable[[], object]:
    """A workflow of steps; each call is recorded before it is made and when it has ended."""
    home, registry = (
        import_module("wfnb.home_folder"),
        import_module("wfnb.workflows.tools.registry"),
    )

    async def nothing() -> None: ...

    registry.tool(nothing)
    workspace = home.open_session("chain", home_folder=folder)
    chain = {"name": "chain", "steps": [{"tool": "nothing"}] * steps}

    def run() -> None:
        result = workspace.run(chain, save=False)
        assert result.status == "success", result

    return run


def bare(steps: int, folder: Path) -> Callable[[], object]:
    """What cannot be avoided: two commits a step, on a loop, and nothing else."""
    sqlite3 = import_module("sqlite3")
    db = sqlite3.connect(folder / "bare.db", isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE event (body TEXT)")

    async def nothing() -> None: ...

    async def chain() -> None:
        for _ in range(steps):
            db.execute("INSERT INTO event VALUES (?)", ("x" * 300,))
            await nothing()
            db.execute("INSERT INTO event VALUES (?)", ("x" * 300,))

    return lambda: asyncio.run(chain())


def langgraph(steps: int, folder: Path) -> Callable[[], object]:
    """A node that leads to itself, each superstep to SqliteSaver before the next begins."""
    graph = import_module("langgraph.graph")
    saver = import_module("langgraph.checkpoint.sqlite").SqliteSaver

    def again(state: dict[str, int]) -> dict[str, int]:
        return {"n": state["n"] + 1}

    from typing import TypedDict  # noqa: PLC0415  (the state of this engine only)

    state = TypedDict("state", {"n": int})  # noqa: UP013
    builder = graph.StateGraph(state)
    builder.add_node("again", again)
    builder.add_edge(graph.START, "again")
    builder.add_conditional_edges(
        "again", lambda state: "again" if state["n"] < steps else graph.END
    )
    context = saver.from_conn_string(str(folder / "langgraph.db"))
    compiled = builder.compile(checkpointer=context.__enter__())

    def run() -> None:
        config = {"configurable": {"thread_id": uuid.uuid4().hex}, "recursion_limit": steps + 10}
        assert compiled.invoke({"n": 0}, config, durability="sync")["n"] == steps
        assert context is not None  # it closes the file when it goes

    return run


def burr(steps: int, folder: Path) -> Callable[[], object]:
    """An action that leads to itself, each to SQLitePersister."""
    core = import_module("burr.core")
    persistence = import_module("burr.core.persistence")
    persister = persistence.SQLitePersister(db_path=str(folder / "burr.db"), table_name="state")
    persister.initialize()

    @core.action(reads=["n"], writes=["n"])  # type: ignore[untyped-decorator]
    def again(state: Any) -> Any:
        return state.update(n=state["n"] + 1)

    def run() -> None:
        application = (
            core.ApplicationBuilder()
            .with_actions(again=again, end=again.bind())
            .with_transitions(("again", "end", core.when(n=steps - 1)), ("again", "again"))
            .with_state(n=0)
            .with_entrypoint("again")
            .with_state_persister(persister)
            .with_identifiers(app_id=uuid.uuid4().hex)
            .build()
        )
        _, _, state = application.run(halt_after=["end"])
        assert state["n"] == steps

    return run


def dbos(steps: int, folder: Path) -> Callable[[], object]:
    """Steps of a durable workflow, on SQLite."""
    module = import_module("dbos")
    url = f"sqlite:///{folder / 'dbos.db'}"
    module.DBOS(
        config={
            "name": "chain",
            "system_database_url": url,
            "run_admin_server": False,
            "log_level": "ERROR",
        }
    )

    @module.DBOS.step()  # type: ignore[untyped-decorator]
    def nothing() -> None: ...

    @module.DBOS.workflow()  # type: ignore[untyped-decorator]
    def chain() -> int:
        for _ in range(steps):
            nothing()
        return steps

    module.DBOS.launch()
    return lambda: chain()


def prefect(steps: int, folder: Path) -> Callable[[], object]:
    """Tasks of a flow, on a server of its own and SQLite."""
    os.environ |= {
        "PREFECT_HOME": str(folder),
        "PREFECT_LOGGING_LEVEL": "CRITICAL",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    module = import_module("prefect")

    @module.task  # type: ignore[untyped-decorator]
    def nothing() -> None: ...

    @module.flow  # type: ignore[untyped-decorator]
    def chain() -> int:
        for _ in range(steps):
            nothing()
        return steps

    return lambda: chain()


CHAINS: dict[str, Chain] = {
    chain.__name__: chain for chain in (wfnb, bare, langgraph, burr, dbos, prefect)
}


def main(name: str, steps: str, rounds: str) -> None:
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory(prefix="chain-", ignore_cleanup_errors=True) as folder:
        run = CHAINS[name](int(steps), Path(folder))
        found = []
        for turn in range(int(rounds) + 1):
            begun = perf_counter()
            run()
            if turn:
                found.append((perf_counter() - begun) / int(steps))
        print(json.dumps(found), flush=True)
        os._exit(0)  # servers and their threads end with it


if __name__ == "__main__":
    main(*sys.argv[1:])
