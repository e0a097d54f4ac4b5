"""A consensus asks its models at the first step, side by side, and counts what they say."""

from pathlib import Path

import pytest

import wfnb
from tests.investigations.server import Server
from tests.trusted import trusted
from wfnb.errors import AdviserBroken, AdviserKey, AdviserUnknown, BadValue, ModelTwice
from wfnb.investigations.advisers.adviser import ADVISERS, Request
from wfnb.investigations.core.events import AdviceTaken
from wfnb.workspace import Workspace
from wfnb.workspace.step_recorder import StepRecorder

MODELS = ["keeper:for", "harbour:against", "auditor"]
HEARD: list[Request] = []


@pytest.fixture(autouse=True)
def three() -> None:
    HEARD.clear()

    @wfnb.adviser
    def keeper(request: Request) -> str:
        HEARD.append(request)
        return "Four days were missed.\nVerdict: for"

    @wfnb.adviser
    async def harbour(request: Request) -> dict[str, str]:
        HEARD.append(request)
        return {"text": "Too many warnings.", "verdict": "against"}

    @wfnb.adviser
    def auditor(request: Request) -> str:
        HEARD.append(request)
        raise ValueError("the log book is lost")


@pytest.fixture
def ws(ws: Workspace) -> Workspace:
    ws.investigation.choose("consensus")
    return ws


def proposed(ws: Workspace, models: object = tuple(MODELS), **says: object) -> dict[str, object]:
    fields = {"models": list(models) if isinstance(models, tuple) else models}
    return ws.step("Warn at 695 cm?", fields=fields, **says).to_dict()  # type: ignore[arg-type]


def taken(ws: Workspace) -> list[tuple[str, str, str | None, str | None]]:
    entries = [entry.event for entry in ws.log.entries() if isinstance(entry.event, AdviceTaken)]
    advice = [each for entry in entries for each in entry.advice]
    return [(each.adviser, each.stance, each.verdict, each.error) for each in advice]


ALL = [
    ("keeper", "for", "for", None),
    ("harbour", "against", "against", None),
    ("auditor", "neutral", None, "ValueError: the log book is lost"),
]


def test_all_models_are_asked_at_the_first_step_and_see_the_proposal_only(ws: Workspace):
    proposed(ws, finding="I think so")

    assert taken(ws) == ALL
    assert {each.prompt for each in HEARD} == {"Warn at 695 cm?"}
    assert sorted((each.stance, each.role, each.kind, each.session) for each in HEARD) == [
        ("against", "model", "consensus", "tides"),
        ("for", "model", "consensus", "tides"),
        ("neutral", "model", "consensus", "tides"),
    ]


def test_each_step_shows_the_reply_whose_turn_it_is_and_the_last_one_counts_them(ws: Workspace):
    first = proposed(ws)
    second = ws.step("It says that warnings lose their meaning").to_dict()
    last = ws.step("Warn, but at 700 cm").to_dict()

    assert first["status"] == "analysis_and_first_model_consulted"
    assert (first["model_consulted"], first["model_response"]) == (
        "keeper:for",
        "Four days were missed.\nVerdict: for",
    )
    assert (second["status"], second["model_consulted"]) == ("model_consulted", "harbour:against")
    assert last["status"] == "consensus_workflow_complete"
    complete = last["complete_consensus"]
    assert isinstance(complete, dict)
    assert complete["models_consulted"] == ["keeper:for", "harbour:against"]
    assert complete["failed"] == {"auditor:neutral": "ValueError: the log book is lost"}
    assert complete["tally"]["votes"] == {"for": 1, "against": 1}
    assert complete["final_analysis"].startswith("Warn, but at 700 cm")
    assert len(HEARD) == 3


def test_a_proposal_that_is_said_again_asks_nobody_again(ws: Workspace, home: Path):
    proposed(ws)
    proposed(ws, number=1)
    again = wfnb.open("tides", home_folder=home)
    proposed(again, number=1)

    assert (len(HEARD), len(taken(again))) == (3, 3)


def test_a_model_that_is_named_later_is_asked_then(ws: Workspace):
    proposed(ws, ("keeper:for", "harbour:against"))
    proposed(ws, ("keeper:for", "harbour:against", "keeper:against"), number=1, total=3)

    assert [(name, stance) for name, stance, _, _ in taken(ws)] == [
        ("keeper", "for"),
        ("harbour", "against"),
        ("keeper", "against"),
    ]


@pytest.mark.parametrize("models", [("keeper:for",), ("keeper", "harbour", "auditor")])
def test_the_proposal_is_said_again_to_other_models_without_a_total(
    ws: Workspace, models: tuple[str, ...]
):
    proposed(ws, ("keeper:for", "harbour:against"))
    again = proposed(ws, models, number=1)

    assert again["total_steps"] == len(models)
    assert {name for name, _, _, _ in taken(ws)} >= {model.partition(":")[0] for model in models}


def test_a_total_is_that_of_the_models_whatever_is_said(ws: Workspace):
    answer = proposed(ws, ("keeper:for", "harbour:against"), total=5)

    assert answer["total_steps"] == 2
    assert "consensus takes a step for each model: 2 are planned" in answer["warnings"]


def test_a_key_that_no_model_has_is_refused(ws: Workspace):
    ws.investigation.choose("consensus")
    asked = [{"model": "keeper", "stance": "for", "stance_prompt": "Think of the cost"}]

    with pytest.raises(BadValue, match="models is 'stance_prompt'"):
        ws.step("Warn earlier", fields={"models": asked})


def test_those_that_were_not_asked_before_the_kernel_died_are_asked_at_the_next_step(
    ws: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as dying:
        dying.setattr(StepRecorder, "ask_after_step", lambda *given: None)  # as if it died there
        proposed(ws)
    monkeypatch.setattr(ADVISERS, "_registered", {})  # the next process has registered nobody
    wfnb.adviser(name="keeper")(lambda request: "Yes.\nVerdict: for")
    wfnb.adviser(name="harbour")(lambda request: "No.\nVerdict: against")
    again = wfnb.open("tides", home_folder=home)
    again.step("What they say")

    assert [each[3] for each in taken(again)] == [
        None,
        None,
        "No adviser is called 'auditor'. Advisers: harbour, keeper.",
    ]


def test_those_that_failed_are_asked_again_when_that_is_wanted(ws: Workspace):
    proposed(ws)
    wfnb.adviser(name="auditor")(lambda request: "Found it.\nVerdict: for")

    advice = ws.investigation.advise()

    assert [(each.adviser, each.verdict) for each in advice] == [("auditor", "for")]
    assert ws.investigation.advise() == []
    assert [each.adviser for each in ws.investigation.advise("keeper:against")] == ["keeper"]
    assert HEARD[-1].prompt == "Warn at 695 cm?"


def test_a_step_that_failed_or_was_interrupted_asks_nobody(ws: Workspace):
    proposed(ws, outcome="failed")
    proposed(ws, number=1, outcome="interrupted")

    assert HEARD == []
    proposed(ws, number=1)
    assert len(HEARD) == 3


def test_a_proposal_that_was_withdrawn_is_put_anew(ws: Workspace):
    proposed(ws)
    ws.investigation.backtrack(1)
    ws.step("Warn at 700 cm?", fields={"models": MODELS[:2]})

    assert [each.prompt for each in HEARD[3:]] == ["Warn at 700 cm?"] * 2


def test_an_adviser_that_records_a_step_is_not_asked_about_it(ws: Workspace):
    @wfnb.adviser(name="keeper")
    def curious(request: Request) -> str:
        ws.step("I note this")
        return "noted"

    proposed(ws, ("keeper",))

    assert taken(ws) == [("keeper", "neutral", None, None)]
    assert len(ws.session.steps) == 2


REFUSED = {
    "unknown": (["keeper", "alcie"], AdviserUnknown, "No adviser is called 'alcie'. Advisers: "),
    "near": (["keper"], AdviserUnknown, "No adviser is called 'keper'. Did you mean 'keeper'?"),
    "no key": (["gpt"], AdviserKey, "The environment has no GPT_KEY, the key of adviser 'gpt'."),
    "broken": (["nowhere"], AdviserBroken, "The advisers in advisers.yaml cannot be used: "),
    "twice": (["keeper:for", "keeper:for"], ModelTwice, "keeper is asked for twice with the"),
    "no stance": (["keeper:maybe"], BadValue, "stance is 'maybe'. It needs one of for, against"),
    "no models": ([], BadValue, ""),
}


@pytest.mark.parametrize("name", REFUSED)
def test_who_cannot_be_asked_is_refused_before_anything_is_recorded(
    ws: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch, name: str
):
    models, error, begins = REFUSED[name]
    error = wfnb.Refused if not models else error
    monkeypatch.delenv("GPT_KEY", raising=False)
    wfnb.endpoint("gpt", "https://h/v1", "m", key="GPT_KEY")
    (home / "advisers.yaml").write_text("nowhere: {model: m}")
    before = len(ws.log.entries())

    with pytest.raises(error) as refused:
        proposed(ws, models)

    assert str(refused.value).startswith(begins)
    assert (len(ws.log.entries()), HEARD) == (before, [])


def test_endpoints_are_models_beside_functions(ws: Workspace, home: Path, server: Server):
    (home / "advisers.yaml").write_text(
        f"""
        good: {{url: "{server.url}", model: good, key: TEST_KEY}}
        bad: {{url: "{server.url}", model: broken, key: TEST_KEY, retries: 0}}
        """
    )
    trusted(home)

    proposed(ws, ("good:for", "bad", "keeper:against"))

    assert taken(ws) == [
        ("good", "for", "for", None),
        ("bad", "neutral", None, "it answered 500: upstream said ••• is bad"),
        ("keeper", "against", "for", None),
    ]


def test_what_the_page_says_of_those_that_failed_and_of_others(ws: Workspace):
    proposed(ws, ("auditor:for", "keeper:for", "auditor"))
    ws.investigation.advise()
    ws.investigation.advise("harbour:against")
    page = ws.investigation.findings().text

    assert "1 of 3 replied: for 1" in page
    assert [line.count("auditor:for") for line in page.splitlines()].count(1) == 1
    assert "model, not counted" in page
