"""People's own kinds of investigation."""

import json
from pathlib import Path

import pytest

from tests.trusted import trusted
from wfnb.data_files.investigation_kinds import shelf
from wfnb.errors import KindBroken, KindUnknown
from wfnb.investigations.core.kind_reader import builtin_kinds, to_data


def test_a_file_is_a_kind_beside_the_built_in_ones(tmp_path: Path):
    data = to_data(builtin_kinds()["debug"]) | {"name": "mine"}
    (tmp_path / "mine.json").write_text(json.dumps(data), "utf-8")

    found = shelf(trusted(tmp_path))

    assert {*found.kinds} == {*builtin_kinds(), "mine"}
    assert found.get("mine").actions == builtin_kinds()["debug"].actions


def test_a_file_that_is_broken_says_why_when_it_is_asked_for(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text("name: mine", "utf-8")

    with pytest.raises(KindBroken, match=r"The kind in mine\.yaml cannot be followed: pauses: "):
        shelf(trusted(tmp_path)).get("mine")


def test_a_name_that_is_none_lists_the_kinds():
    with pytest.raises(KindUnknown) as refused:
        shelf(None).get("debgu")

    assert str(refused.value) == (
        "There is no kind of investigation 'debgu'. Did you mean 'debug'? "
        f"Kinds: {', '.join(builtin_kinds())}."
    )
