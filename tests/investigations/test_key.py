"""A key goes to its server in one header, and is nowhere else, though the server says it."""

import io
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import wfnb
from tests.investigations.server import KEY, Server
from tests.trusted import trusted
from wfnb.investigations.advisers import consultation
from wfnb.investigations.advisers.adviser import ADVISERS, Request
from wfnb.investigations.core.investigation import investigation_of
from wfnb.workspace import Workspace

MODELS = ("echo", "unkind", "broken", "no-json", "elsewhere", "nowhere", "drop")


@pytest.fixture
def asked(ws: Workspace, server: Server, home: Path, caplog: pytest.LogCaptureFixture) -> Workspace:
    """A consensus of those that say the key in each way there is, with all that is logged."""
    caplog.set_level(logging.DEBUG)
    lines = [
        f'{name}: {{url: "{server.url}", model: {name}, key: TEST_KEY, retries: 0}}'
        for name in MODELS
    ]
    (home / "advisers.yaml").write_text("\n".join(lines))
    trusted(home)

    @wfnb.adviser(key="TEST_KEY")
    def careless(request: Request) -> str:
        raise ValueError(f"{os.environ['TEST_KEY']} was not taken")

    ws.investigation.choose("consensus")
    ws.step("Warn at 695 cm?", fields={"models": [*MODELS, "careless"]})
    return ws


def test_the_key_is_asked_with_and_hidden_in_replies_and_errors(asked: Workspace, server: Server):
    now = investigation_of(asked.session)
    assert now is not None
    said = {each.adviser: each.text or each.error for _, each in now.advice}

    assert all(headers["Authorization"] == f"Bearer {KEY}" for _, headers in server.asked)
    assert said["echo"] == "Your key is •••, and a bell: \ufffd?\nVerdict: for"
    assert said["broken"] == "it answered 500: upstream said ••• is bad"
    assert said["nowhere"] == "it answered 404: no such model\ufffd[31m"
    assert said["careless"] == "ValueError: ••• was not taken"


def test_the_key_is_in_no_file_of_the_session(asked: Workspace, home: Path, tmp_path: Path):
    for ending in (".md", ".html", ".json", ".svg", ".txt", ".dot", ".mmd"):
        asked.export(tmp_path / f"tides{ending}")

    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert home / "journal.db" in files
    assert [file for file in files if KEY.encode() in file.read_bytes()] == []


def test_the_key_is_in_no_output_and_no_log(
    asked: Workspace, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
):
    shown = asked.investigation.findings()
    step = next(iter(asked.session.steps.values()))
    for text in (
        str(asked.views.answer(step).to_dict()),
        repr(asked.session),
        repr(ADVISERS.registered_advisers),
        str(asked.investigation.advisers()),
        str(asked.status()),
        shown.text + shown.html,
        str(asked.log.entries()),
        "\n".join(record.getMessage() for record in caplog.get_records("setup")),
        *capfd.readouterr(),
    ):
        assert KEY not in text


def test_the_libraries_log_other_questions_as_before(
    asked: Workspace, server: Server, caplog: pytest.LogCaptureFixture
):
    import httpx  # noqa: PLC0415  a user's own question, after ours

    with httpx.Client(trust_env=False) as client:
        client.post(f"{server.url}/chat/completions", json={"model": "empty", "messages": []})

    assert "HTTP Request: POST" in caplog.text


def test_the_key_is_in_no_traceback_not_even_with_local_variables(
    server: Server, monkeypatch: pytest.MonkeyPatch
):
    one = wfnb.endpoint("echo", server.url, "echo", key="TEST_KEY").adviser
    monkeypatch.setattr(consultation, "_reply", lambda value: 1 / 0)  # as if we had a fault there

    (advice,) = consultation.ask([("echo", Request(prompt="?"))], lambda name: one)
    told = io.StringIO()
    try:
        consultation.ask([("echo", Request(prompt="?"))], lambda name: {}[name])
    except Exception as error:
        trace = traceback.TracebackException.from_exception(error, capture_locals=True)
        told.writelines(trace.format())

    assert advice.error == "ZeroDivisionError: division by zero"
    assert KEY not in told.getvalue()


def test_a_script_that_ends_while_an_adviser_hangs_ends_and_says_no_key(
    server: Server, tmp_path: Path
):
    script = f"""
import wfnb
from wfnb.investigations.core.investigation import investigation_of
wfnb.endpoint("hang", {server.url!r}, "hang", key="TEST_KEY", timeout=0.2)
@wfnb.adviser(timeout=0.2)
def deaf(request):
    import threading
    threading.Event().wait()
ws = wfnb.open("a", home_folder={str(tmp_path)!r})
ws.investigation.choose("consensus")
answer = ws.step("Warn?", fields={{"models": ["hang", "deaf"]}})
print([each.error for _, each in investigation_of(ws.session).advice])
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "PYTHONPATH": str(Path(wfnb.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stdout == ("['no reply in 0.2 s', 'no reply in 0.2 s, and it has not stopped']\n")
    assert (done.returncode, done.stderr) == (0, "")
