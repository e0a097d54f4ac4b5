"""A line that is edited with keys before it is entered: what the line editor draws is no answer."""

import sys

import pytest

from tests.workflows.tools.terminal.typist import PYTHON

pytestmark = pytest.mark.skipif(
    sys.version_info >= (3, 13), reason="the prompt of Python itself says that it edits"
)
EDITED = {
    "erased": "print('amck=' + str(26*68)zz\x7f\x7f)\n",
    "killed": "garbage\x15print('amck=' + str(26*68))\n",
    "at its beginning": "rint('amck=' + str(26*68))\x01p\n",
    "arrows": "print('amck=' + str(26*68)\x1b[D\x1b[C)\n",
    "completed": "prin\t'amck=' + str(26*68))\n",
}


@pytest.mark.parametrize("columns", [80, 20])
@pytest.mark.parametrize("typed", EDITED.values(), ids=EDITED)
async def test_a_line_that_is_edited_is_no_answer(typist, typed, columns):
    await typist.open(f"{PYTHON} -q -i", columns=columns)
    await typist.sees(">>> ")

    await typist.types(typed)

    assert await typist.sees(r"(?m)^amck=\S+$|amck='") == "amck=1768"


async def test_so_is_the_second_of_two(typist):
    await typist.open(f"{PYTHON} -q -i")
    await typist.sees(">>> ")

    await typist.types("x = 1\n" + EDITED["erased"])

    assert await typist.sees(r"(?m)^amck=\S+$|amck='") == "amck=1768"


async def test_what_a_key_interrupts_is_an_answer(typist):
    await typist.open(f"{PYTHON} -q -i")
    await typist.sees(">>> ")

    await typist.types("while True: pass\x03\n")

    assert await typist.sees("KeyboardInterrupt")
