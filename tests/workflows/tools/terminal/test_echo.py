"""What was typed is told from what the program says."""

import os

import pytest

from tests.workflows.tools.terminal.typist import PYTHON

PDB = "x = 1\ny = 'fourty' + str(x + 1)\nprint('the end', y)\n"


async def test_the_echo_of_a_command_is_not_its_output(typist):
    await typist.open()

    await typist.types("echo pass''ing; echo 'passing'\n")
    seen = await typist.awaits("pass'|passing")

    assert seen["match_text"] == "passing"
    assert seen["screen_content"].startswith("$ echo pass''ing; echo 'passing'")


async def test_output_that_is_what_was_typed_is_output(typist):
    await typist.open()

    await typist.types("echo 'passing'\n")

    assert await typist.sees("passing") == "passing"


async def test_nothing_is_found_while_a_program_is_silent(typist):
    await typist.open()

    await typist.types("read silence; echo over\n")
    await typist.sees("\\A\\Z")  # nothing was said

    assert await typist.misses("silence|over|read")
    await typist.types("\n")
    assert await typist.sees("over") == "over"


@pytest.mark.parametrize("text", ["hello", "日本 é", "x" * 300])
async def test_a_terminal_that_echoes_shows_a_line_twice_and_it_is_found_once(typist, text):
    await typist.open("cat")

    await typist.types(f"{text}\n")
    said = await typist.awaits("(?s).+\n")

    assert said["match_text"] == f"{text}\n"
    assert said["screen_content"].replace("\n", "") == text * 2


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("a\tb", "a       b"),
        ("e\u0301", "e\u0301"),
        ("ab\x7fc", "ac"),
        ("é\x7fb", "b"),
        ("日本\x7fc", "日c"),
        ("\x01\x7f\x7fb", "b"),
        ("日本 é\x15c", "c"),
        ("a cd\x17e", "a e"),
        ("one, two_3!  \x17x", "one, x"),
        ("a, é日\x17\x17b", "b"),
        ("!\x17c", "c"),
        ("a\t\x7fb", "ab"),
        ("abcdefg\t\x7f\x7fb", "abcdefb"),
        ("é日\t\x01\t\x7f\x7f\x7fb", "é日b"),
        ("a\tb\t\x15c", "c"),
        ("\t\t\x17c", "c"),
        ("a\x16\x7fb", "a\x7fb"),
        ("a\x16\tb\x7f\x7fc", "ac"),
        ("a\x16\x03\x16\x16\x7f\x7fb", "ab"),
        ("a\x16\x04b", "a\x04b"),
    ],
)
@pytest.mark.parametrize("prompt", ["", "ab", "\x1b[1mab> \x1b[m", "\t|"])
async def test_what_was_taken_back_is_neither_read_nor_output(typist, prompt, keys, line):
    await typist.open(f"sh -c 'printf \"{prompt}\"; exec cat'")
    if prompt:
        await typist.sees(r"\S")

    await typist.types(f"{keys}\n")

    shown = line.translate(dict.fromkeys((1, 4, 127)))
    assert await typist.sees("(?s).+\n") == f"{shown}\n"
    assert await typist.sees("(?s).*") == f"{shown}\n"


async def test_lines_that_are_sent_at_once_are_told_from_their_answers(typist):
    await typist.open("cat")

    await typist.types("one\ntwo\none\n")

    assert await typist.sees("(?s).*two.*one\n") == "one\ntwo\none\n"


async def test_what_was_typed_ahead_is_shown_again_by_the_shell_and_is_no_output(typist):
    fifo = typist.context.folder / "fifo"
    os.mkfifo(fifo)
    await typist.open()
    await typist.types("echo be''gin; cat fifo\n")
    await typist.sees("begin")

    await typist.types("echo second 2>&1\n")
    fifo.write_text("first\n")
    said = await typist.awaits("(?s)\\A.*second\n")

    assert said["match_text"].replace("$ ", "") in ("first\nsecond\n", "first\n\nsecond\n")
    assert "echo second 2>&1" in said["screen_content"]


async def test_text_that_is_pasted_ahead_is_shown_again_and_is_no_output(typist):
    fifo = typist.context.folder / "fifo"
    os.mkfifo(fifo)
    await typist.open()
    await typist.types("echo be''gin; cat fifo\n")
    await typist.sees("begin")

    await typist.types("\x1b[200~echo pasted\necho twice\x1b[201~")
    await typist.types("\n")
    fifo.write_text("")

    assert await typist.sees("(?s)pasted.*twice") == "pasted\ntwice"


async def test_what_is_typed_before_a_program_reads_is_found_when_it_is_said(typist):
    for _ in range(20):
        await typist.open()
        await typist.types("cat\n")
        await typist.types("here\n")

        assert await typist.sees("here\n") == "here\n"
        await typist.call("exit_terminal", session_id=typist.session)


async def test_a_line_of_several_rows_is_no_output(typist):
    await typist.open()

    await typist.types(f"echo {'word ' * 60}>/dev/null; echo said\n")

    assert await typist.sees("(?s)\\A.*said") == "said"


@pytest.mark.parametrize("python", [f"{PYTHON} -q", f"{PYTHON} -q -i -c 'import readline'"])
async def test_the_python_prompt_is_output_and_what_is_typed_there_is_not(typist, python):
    await typist.open(python)
    await typist.sees(">>> $")

    await typist.types("def f():\n    return 'ba' + 'na' * 2\n\nf()\n")
    seen = await typist.awaits("banana|return")

    assert seen["match_text"] == "banana"


async def test_the_debugger_answers_single_letters(typist):
    (typist.context.folder / "script.py").write_text(PDB)
    await typist.open(f"{PYTHON} -m pdb script.py")
    await typist.sees("\\(Pdb\\) $")

    said = []
    for letter in "nnn":
        await typist.types(f"{letter}\n")
        said.append(await typist.sees("(?s)\\A.*\\(Pdb\\) $"))

    assert [text.partition("-> ")[2].partition("\n")[0] for text in said] == [
        "y = 'fourty' + str(x + 1)",
        "print('the end', y)",
        "print('the end', y)",
    ]
    assert not any(text.startswith("n") for text in said)


async def test_a_question_is_answered(typist):
    await typist.open()

    await typist.types("read -p 'Name: ' name && echo \"USER:$name.\"\n")
    await typist.sees("Name: $")
    await typist.types("Ada\n")

    assert await typist.sees("(?s)\\A.*USER:(\\w+)\\.") == "USER:Ada."


async def test_a_single_key_is_answered(typist):
    await typist.open()

    await typist.types("read -n1 -p 'Go on? ' key; echo \" got $key\"\n")
    await typist.sees("Go on\\? $")
    await typist.types("y")

    assert await typist.sees("(?s)\\A.* got y") == " got y"


async def test_a_password_is_not_shown_and_not_looked_for(typist):
    ask = "import getpass; print('it was', getpass.getpass('Password: '))"
    await typist.open(f'{PYTHON} -c "{ask}"')
    await typist.sees("Password: $")

    await typist.types("it was\n")
    seen = await typist.awaits("it was it was")

    assert seen["match_text"] == "it was it was"
    assert seen["screen_content"] == "Password:\nit was it was"


async def test_an_unfinished_line_is_no_output_and_its_end_comes_with_the_next_input(typist):
    await typist.open()

    await typist.types("echo wo")
    nothing = await typist.awaits("echo|wo", timeout=0.1)
    await typist.types("rd\n")

    assert nothing["match_text"] is None
    assert await typist.sees("(?s)\\A.*word") == "word"


async def test_what_a_job_in_the_background_says_at_the_prompt_is_output(typist):
    fifo = typist.context.folder / "fifo"
    os.mkfifo(fifo)
    await typist.open()
    await typist.types("(cat fifo; echo finished) &\n")
    await typist.sees("\\$ $")

    fifo.write_text("")

    assert await typist.sees("finished") == "finished"


async def test_what_is_seen_since_the_input_is_without_it(typist):
    await typist.open()

    await typist.types("echo one; echo two\n")
    await typist.sees("two\n")

    assert (await typist.looks("since_input")).rstrip("\n $") == "one\ntwo"
