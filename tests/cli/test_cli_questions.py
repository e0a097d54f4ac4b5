"""`wfnb run` where nobody can answer here: a question says how it is answered."""

from .command import Desk, asks


def test_a_question_that_nobody_here_can_answer_says_how_to(desk: Desk):
    file = desk.write(asks(question="Go?", choices=["yes", "no"], timeout=0.1, default="no"))

    said = desk.wfnb("run", file)

    assert (
        "? ask asks: Go? (yes · no) (default: no, taken after 0.1 s) "
        "· answer: wfnb answer TEXT --run asking-1 --to ask" in said.lines
    )
    assert said.code == 0


def test_a_question_for_a_secret_fails_at_once_where_there_is_no_terminal(desk: Desk):
    file = desk.write(asks(question="Password", secret=True))

    said = desk.wfnb("run", file)

    assert (
        "ask: ✕ failed, a secret is only asked for at a terminal, and there is none" in said.lines
    )
    assert said.code == 1


def test_with_json_the_question_is_said_on_stderr(desk: Desk):
    file = desk.write(asks(question="Go?", timeout=0.5, default="no"))

    said = desk.wfnb("run", file, "--json")

    assert said.err == (
        "? ask asks: Go? (default: no, taken after 0.5 s) "
        "· answer: wfnb answer TEXT --run asking-1 --to ask\n"
    )
    assert said.data["success"]
