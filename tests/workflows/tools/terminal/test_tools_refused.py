"""What the six tools refuse: sessions that are not there, shells that do not start, parameters."""

import asyncio

import pytest

from tests.workflows.tools.terminal.typist import TOOLS
from wfnb.errors import BadParameters, PatternInvalid
from wfnb.workflows.tools.result_fields import ToolFailed, outcome_of

UNKNOWN = [
    ("send_input", {"input_text": "x"}),
    ("await_output", {"pattern": "x"}),
    ("get_screen_content", {}),
    ("exit_terminal", {}),
]


@pytest.mark.parametrize(("name", "params"), UNKNOWN)
async def test_a_session_that_is_not_there_is_not_found(typist, name, params):
    with pytest.raises(ToolFailed) as failed:
        await typist.call(name, session_id="session_00000000", **params)

    assert outcome_of(failed.value) == {
        "success": False,
        "error": "Session not found: no terminal 'session_00000000' is open",
    }


NOT_OPENED = [
    ({"shell": "no-such-program"}, "There is no program 'no-such-program'"),
    ({"shell": "./script"}, "There is no program './script'"),
    ({"shell": ""}, "A terminal needs a program: `shell` is empty"),
    ({"shell": "bash -c 'x"}, 'The command line "bash -c \'x" does not read (No closing quot'),
    ({"shell": "./broken"}, "{folder}/broken cannot be started (Exec format error)"),
    ({"working_directory": "none"}, "{folder}/none is no folder"),
    ({"working_directory": "a\0b"}, "a\0b is no folder"),
    ({"shell": "echo a\0b"}, "The command line 'echo a\\x00b' holds a NUL"),
    ({"environment": {"A=B": "x"}}, "'A=B' cannot be put into an environment as 'x'"),
    ({"environment": {"A": "x\0y"}}, "'A' cannot be put into an environment as 'x\\x00y'"),
]


@pytest.mark.parametrize(("params", "why"), NOT_OPENED)
async def test_a_terminal_that_cannot_be_opened_says_why(typist, params, why):
    broken = typist.context.folder / "broken"
    broken.write_bytes(b"\x7fELF nonsense")
    broken.chmod(0o755)

    with pytest.raises(ToolFailed) as failed:
        await typist.open(**params)

    assert why.format(folder=typist.context.folder) in str(failed.value)
    assert typist.context.terminals.list() == ()


REFUSED = [
    ("send_input", {"session_id": "s", "input_text": "x" * 10_001}),
    ("await_output", {"session_id": "s", "pattern": "x", "timeout": -1}),
    ("get_screen_content", {"session_id": "s", "content_mode": "all"}),
    ("get_screen_content", {"session_id": "s", "content_mode": "tail", "line_count": 0}),
    ("open_terminal", {"colour": "green"}),
]


@pytest.mark.parametrize(("name", "params"), REFUSED)
def test_parameters_that_are_wrong_are_refused(name, params):
    with pytest.raises(BadParameters):
        TOOLS[name].read(params)


async def test_a_pattern_that_is_none_is_refused(typist):
    await typist.open()

    with pytest.raises(PatternInvalid):
        await typist.awaits("(")


async def test_a_program_that_has_ended_takes_neither_input_nor_another_size(typist):
    await typist.open("true")
    await typist.awaits("this never comes")

    with pytest.raises(ToolFailed, match="The program in this terminal has ended"):
        await typist.types("x")
    with pytest.raises(ToolFailed, match="The program in this terminal has ended"):
        await typist.call("resize_terminal", session_id=typist.session)


async def test_a_line_that_the_terminal_would_cut_is_refused(typist):
    await typist.open("cat")

    with pytest.raises(ToolFailed, match="reads whole lines now, of which the terminal takes"):
        await typist.types("x" * 4096 + "\n")
    await typist.types("x" * 4095 + "\n")

    assert await typist.sees("x+\n") == "x" * 4095 + "\n"


@pytest.mark.parametrize(
    ("pieces", "got"),
    [
        ((3000, 3000, "\n"), ["got 3000"]),
        ((3000, 1096, "\n"), ["got 3000"]),
        ((3000, 1095, "\n"), ["got 4095"]),
        ((3000, "\x15", 3000, "\n"), ["got 3000"]),
        ((3000, "\n", 3000, "\n"), ["got 3000", "got 3000"]),
        ((3000, "\x04", 3000, "\n"), ["got 6000"]),
    ],
)
async def test_what_is_typed_in_pieces_comes_whole_or_is_refused(typist, pieces, got):
    reads = "while IFS= read -r line; do echo got ${#line}; done"
    await typist.open(f"sh -c 'stty -echo; echo ready; {reads}'")
    await typist.sees("ready")
    seen = []

    for piece in pieces:
        try:
            await typist.types(piece if isinstance(piece, str) else "x" * piece)
        except ToolFailed:
            assert piece in (3000, 1096)
        if piece == "\n":
            seen.append(await typist.sees(r"got \d+"))

    assert seen == got


async def test_input_that_a_program_does_not_take_is_given_up_with_its_terminal(typist):
    await typist.open("bash -c 'stty raw -echo; echo ready; sleep 1001'")
    await typist.sees("ready")

    async def typing():
        while True:
            await typist.types("x" * 10_000)

    typed = asyncio.create_task(typing())
    await asyncio.wait([typed], timeout=0.1)
    await typist.call("exit_terminal", session_id=typist.session)

    with pytest.raises(ToolFailed, match=r"has ended|Session not found"):
        await typed
