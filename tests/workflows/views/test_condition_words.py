"""What a condition says beside an arrow: the editor is held against the same table."""

import json
from pathlib import Path

import pytest

from wfnb.workflows.definition.condition import Condition
from wfnb.workflows.views.words import condition

TABLE = json.loads((Path(__file__).parent / "conditions.json").read_text("utf-8"))


@pytest.mark.parametrize(("asked", "words"), TABLE)
def test_a_condition_is_said_in_plain_words(asked: object, words: str):
    assert condition(Condition.model_validate(asked)) == words
