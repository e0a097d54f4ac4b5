"""An interrupt while a value is pickled ends the pickling, and keeps nothing."""

from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest

from wfnb.values import Keeper
from wfnb.values.pickler import Pickler

from . import child


def test_an_interrupt_while_pickling_keeps_nothing(keeper: Keeper, monkeypatch: pytest.MonkeyPatch):
    def interrupted(pickler: Pickler, obj: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(Pickler, "reducer_override", interrupted)

    with pytest.raises(KeyboardInterrupt):
        keeper.keep({"a": np.arange(3)})
    assert keeper.usage().blobs == 0
    assert keeper.gc(tuple).blobs == 0  # the store is not held any more


def test_a_kernel_is_interrupted_in_the_middle_of_a_long_pickle(tmp_path: Path):
    """As a kernel is: by a signal, while C code pickles what Python knows nothing of."""
    kernel = child.started(
        """
        import json, sys
        from pathlib import Path
        from wfnb.values import Keeper, keeper

        class Endless:
            def __reduce__(self):
                return list, (), None, (("x" * 100_000 + str(n)) for n in numbers())

        def numbers():
            n = 0
            while True:
                n += 1
                if n == 50:
                    print("it is being pickled", flush=True)
                yield n

        kept = Keeper(Path(sys.argv[1]), Path(sys.argv[1]) / "own")
        try:
            kept.keep({"endless": Endless()})
        except KeyboardInterrupt:
            print(json.dumps([path.name for path in (Path(sys.argv[1]) / "values").iterdir()]))
        """,
        tmp_path,
    )
    assert kernel.stdout is not None
    assert kernel.stdout.readline() == "it is being pickled\n"

    kernel.send_signal(signal.SIGINT)

    assert sorted(child.answer(kernel)) == [".gitignore", ".lock"]
