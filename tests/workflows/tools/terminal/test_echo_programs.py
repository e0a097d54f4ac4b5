"""What programs print is seen, whatever was typed; `make chaos` plays 5,000 of them."""

import random

import pytest

from tests.workflows.tools.terminal.echoes import play
from tests.workflows.tools.terminal.typist import PYTHON

LOOK_LIKE_A_PROMPT = [
    ("$ {}", "5"),
    ("> {}", "bob"),
    ("me> {}", "hello"),
    ("... {}", "hi"),
    ("# {}", "Report"),
    ("% {}", "50"),
    ("<alice> {}", "hi"),
    ("<p>{}", "hi"),
    ("=> {}", "hi"),
    ("-->{}", "hi"),
    ("Issue#{}", "42"),
    ("(echo) {}", "hi"),
    ("<out>{}", "alice"),
]


async def test_a_programs_own_line_is_never_taken_for_an_echo(typist):
    assert await play(typist, 60, random.Random(1)) == []


@pytest.mark.parametrize(("line", "typed"), LOOK_LIKE_A_PROMPT)
async def test_a_line_that_looks_like_a_prompt_with_an_echo_is_seen(typist, line, typed):
    await typist.open(
        f"{PYTHON} -c \"n = input('? '); print('{line}'.format(n)); input('more? ')\""
    )
    await typist.sees("\\? ")

    await typist.types(f"{typed}\n")

    assert await typist.sees(r"(?s)\A.*more") == f"{line.format(typed)}\nmore"


async def test_what_was_typed_earlier_is_seen_when_a_program_says_it(typist):
    await typist.open("sh")
    await typist.types("cat > f\n")
    await typist.types("hello\n")
    await typist.types("\x04")
    await typist.sees(r"[$#] $")

    await typist.types("diff /dev/null f\n")

    assert await typist.sees("> hello") == "> hello"
