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


def test_a_question_for_a_secret_says_that_it_cannot_be_sent(desk: Desk):
    file = desk.write(asks(question="Password", secret=True, timeout=0.1))

    said = desk.wfnb("run", file)

    assert (
        "? ask asks: Password (fails after 0.1 s) · answer: only at the terminal "
        "where it was started, since it is for a secret"
    ) in said.lines
    assert said.code == 1


def test_with_json_the_question_is_said_on_stderr(desk: Desk):
    file = desk.write(asks(question="Go?", timeout=0.5, default="no"))

    said = desk.wfnb("run", file, "--json")

    assert said.err == (
        "? ask asks: Go? (default: no, taken after 0.5 s) "
        "· answer: wfnb answer TEXT --run asking-1 --to ask\n"
    )
    assert said.data["success"]
