"""a question -> the answer of the person at the keyboard, where one can be asked."""

from __future__ import annotations

from wfnb.identity.session_resolver import COPY, GO_ON

_QUESTION = "Enter: copy its history · here: go on with it "


def ask_copy(says: str) -> str:
    """The answer: `COPY`, which is that of an empty line, too, or `GO_ON`. Other words are asked
    about once more."""
    said = input(f"{says}\n{_QUESTION}").strip().lower()
    while said not in ("", COPY, "c", GO_ON, "h"):
        said = input(f"{said[:40]!r} is neither. {_QUESTION}").strip().lower()
    return GO_ON if said in (GO_ON, "h") else COPY


def confirms(question: str) -> bool:
    """Whether a person says yes."""
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
