"""A value whose code exits while it is pickled, described or read does not end the notebook."""

from __future__ import annotations

from pathlib import Path

import pytest

from wfnb.values import Keeper

from . import child
from .notebook import keep, namespace


@pytest.mark.parametrize("method", ["__reduce__", "__getstate__"])
@pytest.mark.parametrize("error", ["SystemExit('no')", "GeneratorExit"])
def test_a_value_that_exits_while_it_is_pickled_is_named(keeper: Keeper, method: str, error: str):
    space = namespace(f"class Bad:\n    def {method}(self): raise {error}\nbad, good = Bad(), [1]")

    kept = keep(keeper, space, "bad", "good")

    assert kept.names == ("good",)
    assert "it cannot be pickled" in str(kept.values[0].why_not)


def test_a_value_that_exits_while_it_is_described_is_kept(tmp_path: Path):
    said = child.asked(
        """
        import json, sys
        from pathlib import Path
        from wfnb.values import Keeper

        class Bad:
            def __repr__(self): raise SystemExit("no")

        kept = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own").keep({"bad": Bad()})
        print(json.dumps([(value.name, value.says, value.why_not) for value in kept.values]))
        """,
        tmp_path,
    )

    assert said == [["bad", "", None]]


def test_a_value_that_exits_while_it_is_read_is_named(keeper: Keeper):
    space = namespace(
        "class Bad:\n    n = 1\n    def __setstate__(self, state): raise SystemExit('no')\n"
        "bad, good = Bad(), [1]\nbad.m = 2"
    )
    kept = keep(keeper, space, "bad", "good")

    restored = keeper.restore(kept, namespace=space)

    assert restored.values == {"good": [1]}
    assert restored.missing[0].why == "it cannot be read here (SystemExit: no)"
