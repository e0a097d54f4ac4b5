"""What comes back of each kind of value, kept in one kernel and restored in a fresh one."""

from __future__ import annotations

import pytest

from .kinds import KINDS, Kind
from .tried import HERE, tried


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return tried(tmp_path_factory.mktemp("kinds"))


@pytest.mark.parametrize("kind", HERE, ids=lambda kind: kind.name)
def test_a_value_comes_back_or_it_is_said_why_not(kind: Kind, found: dict[str, object]):
    assert found[kind.name] == (kind.why_not or True)


def test_sixty_kinds_come_back_and_no_name_is_used_twice():
    names = [kind.name for kind in KINDS]

    assert len(names) == len(set(names))
    assert sum(not kind.why_not for kind in KINDS) >= 60
