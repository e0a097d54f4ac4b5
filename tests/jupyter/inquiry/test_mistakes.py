"""A mistake of an investigation's verbs is told in a line; Tab and help know them."""

import pytest

from tests.jupyter.inquiry.cells import ADVISERS, ME
from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


LINES = {
    "%wfnb kind debgu": "There is no kind of investigation 'debgu'. Did you mean 'debug'?",
    "%wfnb kind --no-pause": "%wfnb kind: its options go with the name of a kind. Written: ",
    "%wfnb look nothing": "There is nothing to look at called 'nothing'. ",
    "%wfnb look pars.py": "There is no file 'pars.py' here. Did you mean 'parse.py'?",
    "%wfnb look calls pars": "No function or class is called 'pars' in the Python files of this ",
    "%wfnb backtrack 9": "There is no step 9 on 'main'. Steps there: 1.",
    "%wfnb backtrack": "%wfnb backtrack: it needs the number of a step.",
    "%wfnb extend 2": '%wfnb extend: it needs a reason. Written: %wfnb extend 2 --reason "two',
    "%wfnb extend 0 --reason x": "more is '0'. It needs a whole number",
    "%wfnb advise nobody": "No adviser is called 'nobody'. ",
    "%wfnb advise sceptic:angry": "stance is 'angry'. It needs one of for, against, neutral.",
    "%wfnb estimate": "%wfnb estimate: it needs the problem.",
    "%wfnb start x --reviewer sceptic": "reviewer belongs to an investigation,",
    "%wfnb start x --kind debug --reviewer nobody": "No adviser is called 'nobody'. ",
    "%wfnb start x --continues nowhere": "No session is called 'nowhere'. ",
    "%wfnb start x --continues demo": "Session 'demo' is no investigation: it has nothing to go on",
}


@pytest.mark.parametrize(("line", "says"), LINES.items(), ids=LINES)
def test_a_mistake_is_told_in_one_line(debugging: Kernel, line: str, says: str):
    debugging.ok(ADVISERS)
    position = "wfnb.open('crash').session.position"
    before = debugging.run(position, store_history=False).value

    assert debugging.run(line).refusal.startswith(says)
    assert debugging.run(position, store_history=False).value == before


@pytest.mark.parametrize("line", ["findings", "extend 2 --reason x", "backtrack 1", "advise"])
def test_a_session_that_is_none_says_so(kernel: Kernel, line: str):
    kernel.ok("%step Plain")

    assert (
        "belongs to an investigation, and this session is none."
        in kernel.run(f"%wfnb {line}").refusal
    )


COMPLETIONS = {
    "%wfnb kind ref": ["refactor"],
    "%wfnb look chan": ["changes"],
    "%wfnb look par": ["parse.py"],
    "%wfnb look comm": ["commit"],
    "%wfnb look commit mai": ["main"],
    "%wfnb look changes mai": ["main.."],
    "%wfnb look changes main.. par": ["parse.py"],
    "%step x --file par": ["parse.py"],
    "%step x --issue cri": ["critical:"],
    "%step x --confidence alm": ["almost_certain"],
    "%step x --model sce": ["sceptic"],
    "%wfnb start x --continues cra": ["crash"],
}


@pytest.mark.parametrize(("line", "words"), COMPLETIONS.items(), ids=COMPLETIONS)
def test_words_are_completed(debugging: Kernel, line: str, words: list[str]):
    debugging.ok(ADVISERS)
    debugging.ok("!git add parse.py && git " + ME + " commit -qm All && git branch -M main")

    assert debugging.complete(line) == words


VERBS = ("kind", "look", "findings", "backtrack", "extend", "advise", "estimate")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_its_help(kernel: Kernel, verb: str):
    assert kernel.ok(f"%wfnb help {verb}").text.startswith(f"%wfnb {verb}")
