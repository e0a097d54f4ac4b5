"""The conformance suite of the protocol, in both its eras: each of its scenarios holds, or asks for
what is not offered here."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn

import wfnb
from tests.mcp.agent import at, server_of
from tests.mcp.clients import run

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
HOLD = {
    HANDSHAKE: {
        *("server-initialize", "server-session-lifecycle", "ping", "tools-list"),
        *("tools-call-error", "resources-list", "resources-subscribe", "resources-unsubscribe"),
        *("prompts-list", "server-sse-multiple-streams", "dns-rebinding-protection"),
    },
    STATELESS: {
        *("server-stateless", "tools-list", "tools-call-error", "resources-list"),
        *("sep-2164-resource-not-found", "prompts-list", "caching", "http-header-validation"),
        *("server-sse-multiple-streams", "dns-rebinding-protection"),
        "input-required-result-unsupported-methods",
    },
}
_OWN = "it asks for a {} of its own, which has what none here has"
_TOOL, _PROMPT, _RESOURCE = (_OWN.format(each) for each in ("tool", "prompt", "resource"))
_ASKS = "a tool of its own has to ask the client: here a person is asked, in the notebook"
DO_NOT_APPLY = {
    "completion-complete": "no argument of a prompt is completed",
    "logging-set-level": "logs are sent to no client; newer versions have it no longer",
    "tools-call-with-logging": "logs are sent to no client; newer versions have it no longer",
    "tools-call-simple-text": _TOOL,
    "tools-call-image": _TOOL,
    "tools-call-audio": _TOOL,
    "tools-call-embedded-resource": _TOOL,
    "tools-call-mixed-content": _TOOL,
    "tools-call-with-progress": f"{_TOOL}: progress at once, where ours comes each second",
    "json-schema-2020-12": _TOOL,
    "server-sse-polling": f"{_TOOL}: streams that are closed and opened again, of HTTP alone",
    "http-custom-header-server-validation": "no tool has a parameter that is a header of HTTP",
    "resources-read-text": _RESOURCE,
    "resources-read-binary": _RESOURCE,
    "resources-templates-read": _RESOURCE,
    "prompts-get-simple": _PROMPT,
    "prompts-get-with-args": _PROMPT,
    "prompts-get-embedded-resource": _PROMPT,
    "prompts-get-with-image": _PROMPT,
    "tools-call-sampling": _ASKS,
    "tools-call-elicitation": _ASKS,
    "elicitation-sep1034-defaults": _ASKS,
    "elicitation-sep1330-enums": _ASKS,
    "input-required-result-basic-elicitation": _ASKS,
    "input-required-result-basic-sampling": _ASKS,
    "input-required-result-basic-list-roots": _ASKS,
    "input-required-result-request-state": _ASKS,
    "input-required-result-multiple-input-requests": _ASKS,
    "input-required-result-multi-round": _ASKS,
    "input-required-result-missing-input-response": _ASKS,
    "input-required-result-non-tool-request": _ASKS,
    "input-required-result-result-type": _ASKS,
    "input-required-result-tampered-state": _ASKS,
    "input-required-result-capability-check": _ASKS,
    "input-required-result-ignore-extra-params": _ASKS,
    "input-required-result-validate-input": _ASKS,
}
"""The other scenarios of the suite, and why each says nothing of this server. Those of extensions
(`tasks-…`, `sep-2640-skills-…`) are not run: the SDK has no tasks, and our skill is a file."""
CHECKS_DO_NOT_APPLY = {
    "sep-2575-server-rejects-undeclared-capability": _ASKS,
    "sep-2575-missing-capability-http-400": _ASKS,
    "sep-2575-server-sends-tools-list-changed-on-subscription": "the list never changes",
    "sep-2575-server-sends-prompts-list-changed-on-subscription": "the list never changes",
}
"""The same of single checks in scenarios that apply."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """An address at which the server answers meanwhile. The suite speaks by HTTP alone, and
    `wfnb mcp` never does: it is the same server, on another transport of the SDK."""
    app = server_of(at(folder / ".wfnb")).streamable_http_app()
    with socket.create_server(("127.0.0.1", 0)) as door:
        http = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = Thread(target=http.run, args=([door],))
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}/mcp"
        finally:
            http.should_exit = True
            thread.join()


def faults(checks: list[dict[str, Any]]) -> list[str]:
    """What is wrong, or should be otherwise, by the checks of a scenario."""
    return [
        f"{each['id']}: {each.get('errorMessage') or each['description']}"
        for each in checks
        if each["status"] not in ("SUCCESS", "INFO") and each["id"] not in CHECKS_DO_NOT_APPLY
    ]


@pytest.mark.parametrize("era", HOLD)
def test_every_scenario_holds_or_does_not_apply(tmp_path: Path, era: str):
    wfnb.open("tides", home_folder=tmp_path / ".wfnb").step("Load")

    with served(tmp_path) as address:
        words = ("--url", address, "--suite", "all", "--spec-version", era, "-o", "found")
        said = run(tmp_path, "conformance", "server", *words).stdout

    found = {
        re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*", "", path.parent.name): json.loads(path.read_text())
        for path in (tmp_path / "found").glob("*/checks.json")
    }
    assert {*found} - {*DO_NOT_APPLY} == HOLD[era], said
    assert [fault for name in sorted(HOLD[era]) for fault in faults(found[name])] == []


def test_every_scenario_that_is_named_here_is_one(tmp_path: Path):
    listed = run(tmp_path, "conformance", "list", "--server").stdout

    scenarios = re.findall(r"- (\S+) \[\d", listed)
    assert {*scenarios} == {*DO_NOT_APPLY}.union(*HOLD.values())
