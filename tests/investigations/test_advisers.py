"""Who can be asked: functions, endpoints of a file, packages; and what is wrong with the others."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import wfnb
from tests.trusted import trusted
from wfnb.errors import AdviserBroken, AdviserKey, AdviserUnknown, BadValue
from wfnb.investigations.advisers import adviser as advisers
from wfnb.investigations.advisers import prompts
from wfnb.investigations.advisers.adviser import ADVISERS, Adviser, Registry, Request, adviser_of
from wfnb.investigations.advisers.chat import Endpoint
from wfnb.investigations.advisers.registry import shelf

FILE = """
gpt: {url: "https://api.openai.com/v1", model: gpt-5}
local: {url: "http://localhost:11434/v1", model: "llama3:8b", key: null, timeout: 5, retries: 0}
nowhere: {model: gpt-5}
leaky: {url: "https://h/v1", model: m, key: sk-0123456789}
odd: {url: "https://h/v1", model: m, tempo: 3}
word: gpt-5
"""


def keeper(request: Request) -> str:
    """Knows the gauge.

    And more."""
    return "for"


def unmarked(request: Request) -> str:
    return "for"


SEVERAL = (unmarked, Endpoint(name="harbour", url="https://h", model="m"))


def written(folder: Path, text: str) -> Path:
    folder.mkdir()
    (folder / "advisers.yaml").write_text(text)
    return trusted(folder)


def test_a_function_is_an_adviser_and_stays_a_function():
    made = wfnb.adviser(keeper)

    assert made is keeper
    assert ADVISERS.registered_advisers == {
        "keeper": Adviser(name="keeper", ask=keeper, says="Knows the gauge.")
    }


def test_a_cell_that_runs_again_replaces_its_adviser():
    wfnb.adviser(name="a", timeout=3)(keeper)
    wfnb.adviser(name="a", timeout=4, key="A_KEY")(keeper)

    assert [(each.timeout, each.key) for each in ADVISERS.registered_advisers.values()] == [
        (4.0, "A_KEY")
    ]


WRONG = {
    "no function": (3, {"name": "a"}, "adviser 'a' is 'int'. It needs a function of one"),
    "no parameter": (lambda: "", {"name": "a"}, "adviser 'a' is '<lambda>'. It needs a function"),
    "no name": (lambda request: "", {}, "adviser is '<lambda>'. It needs up to 80 letters"),
    "a key itself": (keeper, {"key": "sk-1"}, "key is '•••'. It needs the name of an environment"),
    "no time": (keeper, {"timeout": "soon"}, "timeout is 'soon'. It needs a number"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_an_adviser_is_refused(name: str):
    function, says, begins = WRONG[name]

    with pytest.raises(BadValue) as refused:
        adviser_of(function, **says)  # type: ignore[arg-type]

    assert str(refused.value).startswith(begins)


def test_a_file_has_endpoints_and_says_what_is_wrong_with_the_others(home: Path):
    there = shelf(written(home, FILE))

    assert {name: (each.says, each.key, each.timeout) for name, each in there.advisers.items()} == {
        "gpt": ("gpt-5 at api.openai.com", "OPENAI_API_KEY", 60.0),
        "local": ("llama3:8b at localhost", None, 5.0),
    }
    said = {name: error.what for name, error in there.broken.items()}
    variable = "the name of an environment variable, as OPENAI_API_KEY is"
    assert said == {
        "nowhere": "nowhere: url is ''. It needs a value",
        "leaky": f"leaky: key is '•••'. It needs {variable}; the key itself stays there",
        "odd": "odd: endpoint is 'tempo'. It needs no other words than "
        "name, url, model, key, timeout, retries, temperature",
        "word": "'word' has no url and model",
    }
    with pytest.raises(AdviserBroken) as refused:
        there.get("word")
    assert str(refused.value) == (
        "The advisers in advisers.yaml cannot be used: 'word' has no url and model. "
        "Mend it, then try again."
    )


@pytest.mark.parametrize("text", ["a: [", "- a", "a: *b", "x" * 200_000])
def test_a_broken_file_is_no_hindrance_to_others(home: Path, text: str):
    wfnb.adviser(keeper)

    there = shelf(written(home, text))

    assert there.get("keeper").ask is keeper
    with pytest.raises(AdviserBroken, match=r"^The advisers in advisers\.yaml cannot be used: "):
        there.get("gpt")


@pytest.mark.parametrize("text", ["", "# nobody yet\n", None])
def test_a_file_that_says_nothing_is_no_mistake(home: Path, text: str | None):
    there = shelf(home if text is None else written(home, text))

    with pytest.raises(AdviserUnknown) as refused:
        there.get("gpt")
    assert str(refused.value) == (
        "No adviser is called 'gpt'. Advisers: none yet; `@wfnb.adviser` makes a function one."
    )


def test_one_that_is_registered_comes_before_one_of_the_file(home: Path):
    wfnb.adviser(name="gpt")(keeper)

    assert shelf(written(home, FILE)).get("gpt").ask is keeper


def test_packages_offer_advisers_and_what_fails_to_load_is_said():
    here = sys.modules[__name__].__name__
    points = [
        EntryPoint("several", f"{here}:SEVERAL", advisers.GROUP),
        EntryPoint("pilot", f"{here}:unmarked", advisers.GROUP),
        EntryPoint("gone", "wfnb_nowhere:x", advisers.GROUP),
    ]

    there = shelf(None, Registry(lambda: points))

    assert sorted(there.advisers) == ["harbour", "pilot", "unmarked"]
    with pytest.raises(AdviserBroken) as refused:
        there.get("gone")
    assert str(refused.value) == (
        "The advisers in wfnb_nowhere:x cannot be used: "
        "ModuleNotFoundError: No module named 'wfnb_nowhere'. Mend it, then try again."
    )


def test_a_key_is_in_the_environment_or_nobody_is_asked(monkeypatch: pytest.MonkeyPatch):
    wfnb.endpoint("gpt", "https://h/v1", "m", key="A_KEY")
    monkeypatch.delenv("A_KEY", raising=False)

    with pytest.raises(AdviserKey) as missing:
        shelf(None).ready("gpt")
    monkeypatch.setenv("A_KEY", "sk 1\n2")
    with pytest.raises(BadValue) as odd:
        shelf(None).ready("gpt")

    assert str(missing.value) == (
        "The environment has no A_KEY, the key of adviser 'gpt'. Set it before Python starts."
    )
    assert str(odd.value) == (
        "A_KEY is '•••'. It needs a key: letters, digits and signs, without a space."
    )


VERDICTS = {
    "Verdict: for": "for",
    "good\n\n**Verdict:** Against.": "against",
    "verdict = neutral": "neutral",
    "Verdict: for\nbut then\nVerdict: against": "against",
    "my verdict: for": None,
    "Verdict: forget it": None,
    "Verdict: for example, see below": None,
    "Verdict: for, with one more check": "for",
    "": None,
}


@pytest.mark.parametrize("text", VERDICTS)
def test_the_verdict_is_the_last_one_on_a_line_of_its_own(text: str):
    assert prompts.verdict(text) == VERDICTS[text]


NUMBERS = {
    "7": 7,
    "7.": 7,
    "**7** steps": 7,
    "5-7 steps": 5,
    "in 2024: 7": 7,
    "3.5 days, 7 steps": 7,
    "1,000 lines, 9 steps": 9,
    "0 or 51 or 50": 50,
    "1. Look. 2. Fit. In all 6 steps.": 6,
    "1. Look.\n2. Fit.\nThat makes 4.": 4,
    "step2": None,
    "many": None,
}


@pytest.mark.parametrize("text", NUMBERS)
def test_the_number_is_the_first_whole_one_from_1_to_50(text: str):
    assert prompts.number(text) == NUMBERS[text]


def test_each_stance_is_told_what_to_look_for_and_how_to_end():
    told = {stance: prompts.system("model", stance) for stance in ("for", "against", "neutral")}

    assert len(set(told.values())) == 3
    assert all("`Verdict: against`" in text for text in told.values())
    assert "speaks against it" in told["against"]
