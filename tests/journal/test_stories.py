"""The scripts that recorded the journals tell what is recorded, to the letter."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = [
    import_module(f"tests.journal.{file.stem}")
    for file in sorted(Path(__file__).parent.glob("record_*.py"))
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.FILE.name)
def test_a_script_would_write_what_it_recorded(script: ModuleType, tmp_path: Path):
    recorded = sorted(script.FILE.parent.glob(f"{script.FILE.stem}.*jsonl"))

    script.write(tmp_path / script.FILE.name)

    new = {path.name: path.read_bytes() for path in tmp_path.glob("*.jsonl")}
    assert len(new) == 2
    assert new == {path.name: path.read_bytes() for path in recorded}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.FILE.name)
def test_what_is_recorded_is_not_written_again(script: ModuleType, tmp_path: Path):
    there = tmp_path / script.FILE.name
    there.write_bytes(b"recorded")

    with pytest.raises(
        SystemExit, match=r"db is recorded for ever\. A new version needs a new file"
    ):
        script.write(there)

    assert list(tmp_path.iterdir()) == [there]
    assert there.read_bytes() == b"recorded"
