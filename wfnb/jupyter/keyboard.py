"""a question -> the answer of the person at the keyboard, where one can be asked."""

from __future__ import annotations

import sys

from IPython.core.interactiveshell import InteractiveShell

from wfnb.identity.resolver import COPY, GO_ON

from .compat import allows_input, kernel_of

_QUESTION = "Enter: copy its history · here: go on with it "


def takes_input(shell: InteractiveShell) -> bool:
    """Whether a person can be asked: the front end said so, or there is a terminal."""
    kernel = kernel_of(shell)
    if kernel is not None:
        return allows_input(kernel)
    return sys.stdin is not None and sys.stdin.isatty()


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
