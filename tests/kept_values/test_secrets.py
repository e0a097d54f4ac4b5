"""What is a secret by its name is neither kept nor told."""

from __future__ import annotations

from dataclasses import make_dataclass
from pathlib import Path

import pytest

from wfnb.values import Keeper, secret
from wfnb.values.secret_names import mask_secrets

from .notebook import reasons


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
        "primary_api_key",
        "group_auth_token",
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
        "group_key",
        "time_key",
        "sortKey",
        "primary_key",
        "token_counts",
        "pad_token_id",
        "password_length",
        "secret_santa",
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
    assert mask_secrets(said) == shown


def test_what_is_recorded_of_an_object_does_not_tell_its_secrets(keeper: Keeper):
    Cred = make_dataclass(
        "Cred", [("user", str, "me"), ("api_key", str, "hunter2"), ("pin", int, 1234)]
    )
    kept = keeper.keep({"cred": Cred(), "creds": [Cred()]}, secrets=["pin"])
    planned = keeper.plan(kept, namespace={"cred": Cred(), "creds": None}).names

    assert [value.says for value in kept.values] == [
        "Cred(user='me', api_key=…, pin=…)",
        "[Cred(user='me', api_key=…, pin=…)]",
    ]
    assert "hunter2" not in repr((kept, planned))
