"""The files that the front end's tests read say what Python tells; and a front end that follows the
messages in them knows what the picture at their end says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tests.golden as golden
from tests.golden.definitions import DEFINITIONS, definitions
from tests.golden.said import SAID, words
from tests.golden.scenes import SCENES, written
from tests.panel.client import Client

FOLDER = Path(golden.__file__).parent
WRITE = "python -m tests.golden.write"


@pytest.mark.parametrize("name", SCENES)
def test_a_file_says_what_is_told(name):
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")

    assert text == written(SCENES[name]()), f"what is told has changed: on purpose? {WRITE}"


@pytest.mark.parametrize("name", SCENES)
def test_whoever_follows_the_messages_knows_the_picture_at_their_end(name):
    scene = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    first, *rest = scene["told"]

    client = Client(first)
    for message in rest:
        client.told(message)

    assert {"kind": "snapshot", "protocol": 1, "seq": client.seq} | client.picture() == scene[
        "picture"
    ]


def test_there_is_a_file_for_every_scene_and_no_other():
    assert {file.stem for file in FOLDER.glob("*.json")} == set(SCENES)


def test_a_page_says_durations_as_python_does():
    assert SAID.read_text(encoding="utf-8") == words(), f"other words: on purpose? {WRITE}"


def test_the_editor_is_told_what_python_reads_in_definitions():
    text = DEFINITIONS.read_text(encoding="utf-8")

    assert text == definitions(), f"they are read otherwise: on purpose? {WRITE}"
