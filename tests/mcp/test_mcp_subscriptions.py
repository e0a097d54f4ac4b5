"""A client that subscribed is told when a person or another program records."""

import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.server.subscriptions import ResourceUpdated
from mcp_types import ResourceUpdatedNotification

import wfnb
from tests.cli.command import ROOT
from tests.mcp.agent import NAME, at, server_of, talk

STATUS, STEPS, RUNS = (f"wfnb://session/tides/{part}" for part in ("status", "steps", "runs"))
SLEEP = {"name": "rest", "steps": [{"id": "a", "tool": "sleep", "args": {"seconds": 0}}]}
ELSEWHERE = """
import sys, wfnb
wfnb.open("tides", home_folder=sys.argv[1]).step("By another program")
"""
Told = list[str]
Scenario = Callable[[Told, Callable[[int], Awaitable[None]]], Awaitable[None]]


def listening(folder: Path, mode: str, addresses: list[str], scenario: Scenario) -> Told:
    """What a client that subscribed to the addresses is told while the scenario lasts."""
    told: Told = []

    async def until(count: int) -> None:
        with anyio.fail_after(30):
            while len(told) < count:
                await anyio.sleep(0.02)

    async def listen(client: Client) -> Told:
        async with (
            client.listen(resource_subscriptions=addresses) as stream,
            anyio.create_task_group() as tasks,
        ):

            async def hear() -> None:
                async for event in stream:
                    assert isinstance(event, ResourceUpdated)
                    told.append(event.uri)

            tasks.start_soon(hear)
            await scenario(told, until)
            tasks.cancel_scope.cancel()
        return told

    if mode == "auto":
        return talk(at(folder), listen)

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.append(str(message.params.uri))

    async def subscribe() -> Told:
        server = server_of(at(folder))
        async with Client(server, mode=mode, client_info=NAME, message_handler=hear) as client:
            for each in addresses:
                await client.session.subscribe_resource(each)
            await scenario(told, until)
            for each in addresses:
                await client.session.unsubscribe_resource(each)
            before = len(told)
            wfnb.open("tides", home_folder=folder).step("Nobody is told")
            await anyio.sleep(0.6)
            assert len(told) == before
        return told

    return anyio.run(subscribe)


both = pytest.mark.parametrize("mode", ["auto", "legacy"])
pytestmark = pytest.mark.filterwarnings(
    "ignore:resources:mcp.shared.exceptions.MCPDeprecationWarning"
)


@both
def test_what_a_person_or_another_program_records_is_told(tmp_path: Path, mode: str):
    ws = wfnb.open("tides", home_folder=tmp_path)

    async def scenario(told: Told, until: Callable[[int], Awaitable[None]]) -> None:
        await anyio.sleep(0.5)
        assert told == []
        ws.step("By a person")
        await until(2)
        words = [sys.executable, "-c", ELSEWHERE, str(tmp_path)]
        await anyio.run_process(words, env={"PYTHONPATH": str(ROOT)})
        await until(4)
        await anyio.to_thread.run_sync(ws.undo)
        await until(6)

    told = listening(tmp_path, mode, [STATUS, STEPS], scenario)

    assert [{*told[at : at + 2]} for at in range(0, len(told), 2)] == [{STATUS, STEPS}] * 3


@both
def test_a_run_is_told_where_runs_are_read(tmp_path: Path, mode: str):
    ws = wfnb.open("tides", home_folder=tmp_path)

    async def scenario(told: Told, until: Callable[[int], Awaitable[None]]) -> None:
        await anyio.to_thread.run_sync(ws.run, SLEEP)
        await until(2)

    told = listening(tmp_path, mode, [STEPS, RUNS, "wfnb://run/rest-1"], scenario)

    assert {*told} == {RUNS, "wfnb://run/rest-1"}


@both
def test_a_session_is_told_of_when_it_comes(tmp_path: Path, mode: str):
    async def scenario(told: Told, until: Callable[[int], Awaitable[None]]) -> None:
        await anyio.to_thread.run_sync(lambda: wfnb.open("tides", home_folder=tmp_path))
        await until(2)

    told = listening(tmp_path, mode, ["wfnb://sessions", STATUS, "wfnb://nothing"], scenario)

    assert sorted(told) == [STATUS, "wfnb://sessions"]


def test_a_step_is_told_soon(tmp_path: Path):
    ws = wfnb.open("tides", home_folder=tmp_path)
    waited: list[float] = []

    async def scenario(told: Told, until: Callable[[int], Awaitable[None]]) -> None:
        for count in range(1, 6):
            begun = time.monotonic()
            ws.step(f"Step {count}")
            await until(count)
            waited.append(time.monotonic() - begun)

    listening(tmp_path, "auto", [STEPS], scenario)

    assert min(waited) < 0.5


def test_the_capability_is_said_in_both_eras(tmp_path: Path):
    async def scenario(client: Client) -> bool | None:
        return client.session.server_capabilities.resources.subscribe

    assert [talk(at(tmp_path), scenario, mode) for mode in ("auto", "legacy")] == [True, True]
