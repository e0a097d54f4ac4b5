"""Keeping and restoring: what is asked for, what it takes up, what it would do."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wfnb.core.kept import Differs, Kept, Planned, size_of
from wfnb.errors import ValueNotKept
from wfnb.keep import Keeper, chosen, secret
from wfnb.keep.chosen import masked
from wfnb.keep.pickler import Pickler
from wfnb.keep.store import Store

from . import child


@pytest.fixture
def keeper(tmp_path: Path) -> Keeper:
    return Keeper(tmp_path, tmp_path / "own")


def reasons(kept: Kept) -> dict[str, str | None]:
    return {value.name: value.why_not for value in kept.values}


def test_names_that_share_something_are_one_pickle_and_the_others_their_own(keeper: Keeper):
    shared = [1]
    values = {"a": {"s": shared}, "b": (shared, 2), "c": [1], "d": "text", "e": "text"}

    kept = keeper.keep(values)

    assert [kept.members(place) for place in range(len(kept.groups))] == [
        ("a", "b"),
        ("c",),
        ("d",),
        ("e",),
    ]
    back = keeper.restore(kept).values
    assert back["a"]["s"] is back["b"][0]
    assert back == values


def test_a_change_of_one_writes_only_that_one(keeper: Keeper):
    values: dict[str, Any] = {"same": np.arange(100_000), "other": np.arange(100_000.0)}
    first = keeper.keep(values)
    values["other"][0] = 7

    again = keeper.keep(values)

    new = set(again.blobs()) - set(first.blobs())
    assert [size_of(blob) for blob in new] == [800_000]


def test_equal_arrays_take_the_place_of_one_and_come_back_as_two(keeper: Keeper):
    kept = keeper.keep(
        {"a": np.zeros(100_000), "b": np.zeros(100_000), "c": [np.zeros(100_000)] * 2}
    )

    back = keeper.restore(kept).values
    back["a"][0] = 1
    back["c"][0][1] = 2

    assert keeper.usage().size < 802_000
    assert back["b"].sum() == 0
    assert back["c"][1].sum() == 2


def test_an_array_that_cannot_be_written_to_comes_back_so(keeper: Keeper):
    array = np.arange(100_000)
    array.flags.writeable = False

    assert not keeper.restore(keeper.keep({"a": array})).values["a"].flags.writeable


def test_the_columns_of_a_frame_are_written_without_a_copy_in_the_pickle(keeper: Keeper):
    when = pd.date_range("2024", periods=100_000, freq="s")
    frame = pd.DataFrame({"x": np.arange(100_000.0), "n": np.arange(100_000), "when": when})

    kept = keeper.keep({"frame": frame})

    head, *buffers = map(size_of, kept.groups[0].blobs)
    assert head < 3_000
    assert buffers == [800_000, 800_000, 800_000]
    assert keeper.restore(kept).values["frame"].equals(frame)


def test_what_cannot_be_kept_does_not_stop_the_others(keeper: Keeper):
    kept = keeper.keep({"a": 1, "g": (x for x in ()), "b": [2]}, asked=["a", "g", "b"])

    assert reasons(kept) == {"a": None, "g": "it is a generator", "b": None}
    assert kept.names == ("a", "b")
    assert kept.asked == ("a", "g", "b")
    with pytest.raises(ValueNotKept, match=r"'x' was not kept. Kept: a, b"):
        keeper.restore(kept, ["x"])


def test_names_of_secrets_are_not_kept_and_it_is_said(keeper: Keeper, tmp_path: Path):
    values = {"API_KEY": "hunter2", "db_password": "hunter2", "df": 1}

    kept = keeper.keep(values)
    other = keeper.keep({"API_KEY": 1, "pin": "hunter2"}, secrets=["pin"])

    said = "its name is that of a secret"
    assert reasons(kept) == {"API_KEY": said, "db_password": said, "df": None}
    assert reasons(other) == {"API_KEY": None, "pin": said}
    files = [path.read_bytes() for path in (tmp_path / "values").iterdir()]
    assert not any(b"hunter2" in content for content in files)
    assert "hunter2" not in repr((kept, other))


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "API_KEY",
        "apiKey",
        "APIKey",
        "api_key2",
        "openai_api_keys",
        "aws_key_id",
        "password",
        "db_password",
        "dbPassword",
        "secret_x",
        "auth_token",
        "token",
        "SECRET",
    ],
)
def test_a_secret_is_told_by_a_word_of_its_name(name: str):
    assert secret(name)


@pytest.mark.parametrize(
    "name",
    [
        "key",
        "keys",
        "monkey",
        "keyboard",
        "n_tokens",
        "tokenizer",
        "tokens",
        "key_columns",
        "secretary",
        "keynote",
        "df",
        "monkeyPatch",
        "größe",
        "",
    ],
)
def test_words_that_only_look_like_it_are_ordinary(name: str):
    assert not secret(name)


@pytest.mark.parametrize(
    ("patterns", "names"),
    [(("pin",), ["pin", "my_pin", "pinCode"]), (("*pin*",), ["pin", "my_pin", "pinCode", "spin"])],
)
def test_a_pattern_of_secrets_is_a_word_or_has_stars(patterns: tuple[str, ...], names: list[str]):
    asked = ("pin", "my_pin", "pinCode", "spin", "api_key")

    assert [name for name in asked if secret(name, patterns)] == names


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Cred(user='me', api_key='hunter2')", "Cred(user='me', api_key=…)"),
        ("Cred(api_key='hunt…", "Cred(api_key=…"),
        ("[{'password': \"hun'ter2, b\"}, 1]", "[{'password': …}, 1]"),
        ("call(x, token: str = 'hunter2', n=3)", "call(x, token: str = …, n=3)"),
        ("Own(authToken=Hidden('hunter2', 3), n=3)", "Own(authToken=…"),
        ("Url(password=b'hunter2')", "Url(password=…)"),
        ("{'key': 'a', 'n_tokens': 3}", "{'key': 'a', 'n_tokens': 3}"),
    ],
)
def test_what_is_said_of_a_value_hides_what_its_secrets_are(said: str, shown: str):
    assert masked(said) == shown


def test_what_is_recorded_of_an_object_does_not_tell_its_secrets(keeper: Keeper):
    class Cred:
        def __repr__(self) -> str:
            return "Cred(user='me', api_key='hunter2', pin=1234)"

    kept = keeper.keep({"cred": Cred(), "creds": [Cred()]}, secrets=["pin"])
    planned = keeper.plan(kept, namespace={"cred": Cred(), "creds": None}).names

    assert [value.says for value in kept.values] == [
        "Cred(user='me', api_key=…, pin=…)",
        "[Cred(user='me', api_key=…, pin=…)]",
    ]
    assert "hunter2" not in repr((kept, planned))


def test_a_pattern_passes_over_the_names_of_ipython():
    space = dict.fromkeys(("In", "Out", "exit", "quit", "open", "get_ipython", "_", "x"), 1)

    assert chosen(["*"], space)[0] == {"x": 1}
    assert chosen(["open"], space)[0] == {"open": 1}


def test_a_pattern_means_the_names_that_it_matches():
    space = {"model_1": 1, "df": 2, "model_2": 3, "_model": 4}

    assert chosen(["df", "model*", "nothing", "_model"], space) == (
        {"df": 2, "model_1": 1, "model_2": 3, "_model": 4},
        ("nothing",),
    )


def test_past_its_budget_a_session_is_told_the_sizes_and_how_to_free_some(keeper: Keeper):
    keeper.keep({"old": np.arange(50_000)})

    kept = keeper.keep({"new": np.arange(60_000.0), "little": 3}, budget=500_000)

    assert reasons(kept) == {
        "new": "it takes 480 kB, and 400 kB of 500 kB are used: `%wfnb keep --budget` allows more",
        "little": None,
    }


def test_what_other_sessions_keep_does_not_count(keeper: Keeper):
    keeper.keep({"theirs": np.arange(50_000)})
    mine = keeper.keep({"mine": np.arange(10_000)})

    kept = keeper.keep({"new": np.arange(50_000.0)}, budget=500_000, counted=mine.blobs)
    more = keeper.keep({"new": np.arange(60_000.0)}, budget=500_000, counted=mine.blobs)

    assert (kept.names, more.names) == (("new",), ())


def test_what_is_in_the_store_counts_where_a_step_is_to_refer_to_it(keeper: Keeper):
    left = {"left": np.arange(60_000)}
    keeper.keep(left)

    kept = keeper.keep({**left, "more": np.arange(1.0)}, budget=400_000, counted=tuple)

    assert kept.names == ("more",)


def test_what_is_there_already_costs_no_budget(keeper: Keeper):
    first = keeper.keep({"a": np.arange(50_000)})

    assert keeper.keep({"a": np.arange(50_000)}, budget=0) == first


def test_an_array_that_changes_while_it_is_kept_is_named(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
):
    """As another thread does it: here between its hash and its writing."""
    array, has = np.zeros(50_000), Store.has

    def changing(store: Store, blob: str) -> bool:
        array[-1] += 1
        return has(store, blob)

    monkeypatch.setattr(Store, "has", changing)
    kept = keeper.keep({"array": array, "n": 1})
    monkeypatch.undo()

    assert reasons(kept) == {"array": "it changed while it was kept", "n": None}
    again = keeper.keep({"array": array})
    assert keeper.restore(again).values["array"][-1] == array[-1]


def test_the_versions_that_a_value_needs_are_kept_and_one_that_differs_is_named(keeper: Keeper):
    kept = keeper.keep({"a": np.arange(3), "b": [1]})
    older = replace(kept, environment={**kept.environment, "numpy": "1.0", "gone_since": "2"})

    assert kept.environment["numpy"] == np.__version__
    assert sorted(kept.environment) == ["numpy", "python"]
    assert keeper.restore(kept).differs == ()
    found = (
        Differs(name="numpy", then="1.0", now=np.__version__),
        Differs(name="gone_since", then="2", now=None),
    )
    assert keeper.restore(older).differs == found
    assert keeper.plan(older, namespace={}).differs == found


def test_a_library_that_is_gone_keeps_only_its_values_back(
    keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "their_library.py").write_text("class Thing:\n    pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import their_library  # type: ignore[import-not-found]  # noqa: PLC0415

    kept = keeper.keep({"thing": their_library.Thing(), "n": [1]})
    (tmp_path / "their_library.py").unlink()
    monkeypatch.delitem(__import__("sys").modules, "their_library")

    restored = keeper.restore(kept)

    assert restored.values == {"n": [1]}
    assert restored.missing[0].why == (
        "it cannot be read here (ModuleNotFoundError: No module named 'their_library')"
    )


def test_a_plan_says_what_would_happen_to_each_name(keeper: Keeper):
    shared = [1]
    space: dict[str, Any] = {"df": np.arange(3), "a": shared, "b": shared, "new": 1, "gen": 0}
    kept = keeper.keep({**space, "gen": iter(()), "g": (x for x in ())}, namespace=space)
    space |= {"df": np.arange(4), "later": 3, "_own": 1, "np": np}
    del space["new"]

    found = keeper.plan(kept, namespace=space)
    exact = keeper.plan(kept, ["df"], namespace=space, exact=True)

    ways = {one.name: one.way for one in found.names}
    assert ways == {
        "df": "replaces",
        "a": "same",
        "b": "same",
        "new": "comes back",
        "gen": "replaces",
        "g": "cannot",
        "later": "left",
    }
    assert exact.names == (
        Planned(name="df", way="replaces", type="numpy.ndarray", says="3 int64", now="4 int64"),
        Planned(name="later", way="removed", now="3"),
    )
    assert list(space) == ["df", "a", "b", "gen", "later", "_own", "np"]


def test_a_value_that_shares_now_what_it_did_not_share_then_is_not_the_same(keeper: Keeper):
    kept = keeper.keep({"a": [[1], [1]]})
    one = [1]

    (planned,) = keeper.plan(kept, namespace={"a": [one, one]}).names

    assert planned.way == "replaces"


def test_an_interrupt_while_pickling_keeps_nothing(keeper: Keeper, monkeypatch: pytest.MonkeyPatch):
    def interrupted(pickler: Pickler, obj: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(Pickler, "reducer_override", interrupted)

    with pytest.raises(KeyboardInterrupt):
        keeper.keep({"a": np.arange(3)})
    assert keeper.usage().blobs == 0
    assert keeper.gc(tuple).blobs == 0  # the store is not held any more


def test_a_record_is_read_again_from_json(keeper: Keeper):
    from pydantic import TypeAdapter  # noqa: PLC0415  (as the journal writes it)

    adapter = TypeAdapter(Kept)
    kept = keeper.keep({"a": np.arange(3), "\ud800": 1, "g": (x for x in ())}, asked=["*"])
    kept = replace(kept, values=kept.values[::2], there=())

    assert adapter.validate_json(adapter.dump_json(kept)) == kept


def test_a_kernel_is_interrupted_in_the_middle_of_a_long_pickle(tmp_path: Path):
    """As a kernel is: by a signal, while C code pickles what Python knows nothing of."""
    kernel = child.started(
        """
        import json, sys
        from pathlib import Path
        from wfnb.keep import Keeper, keeper

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
