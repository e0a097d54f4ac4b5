"""Two kernels, a script and the command line save into one library at the same time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amount import times
from tests.jupyter.kernel import running

pytestmark = pytest.mark.kernel

EACH = times(6, 15)
"""Workflows that each of them saves: one after the other, all of them at a time."""

SAVING = """
import wfnb
ws = wfnb.open({who!r})
for n in range({each}):
    name = "shared" if n % 3 == 0 else f"{who}_{{n}}"
    step = {{"id": f"{who}_{{n}}", "tool": "sleep", "args": {{"seconds": 0}}}}
    result = ws.run({{"name": name, "steps": [step]}}, overwrite=True)
    assert result.success and result.saved_workflow_name == name, result
"""
LINE = "for file in cli_*.json; do {python} -m wfnb run $file || exit 1; done"


def test_no_file_is_lost_and_the_index_stays_whole(tmp_path: Path):
    home = tmp_path / "home"
    environment = {**os.environ, "WFNB_HOME": str(home)}
    for n in range(EACH):
        step = {"id": f"cli_{n}", "tool": "sleep", "args": {"seconds": 0}}
        text = json.dumps({"name": f"cli_{n}", "steps": [step]})
        (tmp_path / f"cli_{n}.json").write_text(text, encoding="utf-8")
    script = [sys.executable, "-c", SAVING.format(who="script", each=EACH)]
    loop = ["/bin/sh", "-c", LINE.format(python=sys.executable)]

    with (
        running(tmp_path / "one", home) as one,
        running(tmp_path / "two", home) as two,
        subprocess.Popen(script, env=environment) as saving,
        subprocess.Popen(loop, env=environment, cwd=tmp_path) as cli,
    ):
        asked = [
            (kernel, kernel.send(SAVING.format(who=who, each=EACH), who))
            for kernel, who in ((one, "one"), (two, "two"))
        ]
        replies = [kernel.reply(request) for kernel, request in asked]
    words = [sys.executable, "-m", "wfnb", "workflows", "--json"]
    listed = json.loads(subprocess.check_output(words, env=environment, cwd=tmp_path))

    assert [reply["status"] for reply in replies] == ["ok", "ok"]
    assert (saving.returncode, cli.returncode) == (0, 0)
    own = {f"{who}_{n}" for who in ("script", "one", "two") for n in range(EACH) if n % 3}
    wanted = own | {f"cli_{n}" for n in range(EACH)} | {"shared"}
    assert wanted <= {row["name"] for row in listed["workflows"]}
    files = {
        path.name: json.loads(path.read_text("utf-8")) for path in home.glob("workflows/*.json")
    }
    assert wanted <= {name.partition(".")[0] for name in files}
