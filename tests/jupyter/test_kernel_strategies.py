"""Every strategy is walked from its start to `final_response` by magics, and does its work."""

from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel
from wfnb.core.strategy import Strategy, builtin_strategies

pytestmark = pytest.mark.kernel

END = "final_response"
FIELDS = {
    "approaches": "[alt, beta]",
    "evaluation_score": "0.5",
    "path_answers": "{a: 7, b: 7, c: 8}",
    "sub_question_number": "1",
    "tool_calls": "[{tool: sleep, args: {seconds: 0}}]",
}


def way(strategy: Strategy, start: str, goals: set[str]) -> list[str]:
    """The shortest way from one stage to the nearest of others, without the first."""
    ways = [[start]]
    for way in ways:
        if len(way) > 1 and way[-1] in goals:
            return way[1:]
        ways += [[*way, after] for after in strategy.stages[way[-1]].next if after not in way]
    raise AssertionError(f"no way from {start} to {goals}")


def walk(strategy: Strategy) -> list[str]:
    """A way that visits every stage at least once, and ends at the end."""
    walked, left = [strategy.start], set(strategy.stages) - {strategy.start}
    while left:
        walked += way(strategy, walked[-1], left - {END} or left)
        left -= set(walked)
    return walked


def settings(strategy: Strategy, stage: str) -> str:
    asked = strategy.stages[stage].fields
    return " ".join(f'--set "{name}={FIELDS.get(name, "words")}"' for name in asked)


@pytest.mark.parametrize("name", builtin_strategies())
def test_every_stage_can_be_walked_by_magics(kernel: Kernel, name: str):
    strategy = builtin_strategies()[name]
    kernel.ok(f"%wfnb start walk --strategy {name}")
    stages = walk(strategy)

    for stage in stages:
        done = "--done" if stage == END else "--value E1=1" if stage == "working_phase" else ""
        ran = kernel.ok(f"%%step Go --stage {stage} {settings(strategy, stage)} {done}\n1")

    assert set(stages) == set(strategy.stages)
    assert kernel.steps("stage") == stages
    assert (ran.answer["stage"], ran.answer["solved"]) == (END, True)
    assert "next_stages" not in ran.answer


@pytest.mark.parametrize("name", builtin_strategies())
def test_a_stage_that_alone_can_follow_need_not_be_named(kernel: Kernel, name: str):
    strategy = builtin_strategies()[name]
    kernel.ok(f"%wfnb strategy {name}")

    for stage in [strategy.start, *way(strategy, strategy.start, {END})]:
        before = kernel.status()["next_stages"]
        named = f"--stage {stage}" if len(before) > 1 else ""
        assert stage in before
        assert kernel.ok(f"%step Go {named} {settings(strategy, stage)}").answer["stage"] == stage

    over = kernel.run("%step Go")
    assert over.refusal.startswith(f"'{END}' is the last stage: this line is complete.")


@pytest.mark.parametrize("name", builtin_strategies())
def test_a_stage_that_cannot_follow_is_refused_with_those_that_can(kernel: Kernel, name: str):
    strategy = builtin_strategies()[name]
    kernel.ok(f"%wfnb strategy {name}")
    kernel.ok(f"%step Go {settings(strategy, strategy.start)}")
    follow = ", ".join(strategy.stages[strategy.start].next)

    refused = kernel.run(f"%step Go --stage {END} {settings(strategy, END)}")
    unknown = kernel.run("%step Go --stage nonsense")

    assert refused.refusal == f"Stage '{END}' cannot follow '{strategy.start}'. Next: {follow}."
    assert unknown.refusal == f"{name} has no stage 'nonsense'. Next: {follow}."
    assert kernel.steps("stage") == [strategy.start]


def test_with_several_stages_the_refusal_lists_them(kernel: Kernel):
    kernel.ok("%wfnb strategy base_sequential")
    for _ in range(4):
        kernel.ok("%step Go")

    assert kernel.run("%step Go").refusal == (
        "Several stages may follow 'thought_evaluation'. "
        "Name one with --stage: thought_revision, continuation_decision."
    )


def test_react_records_what_was_done_and_what_came_back(kernel: Kernel):
    kernel.ok("%wfnb strategy react")
    for title in ("Problem", "Think", "Plan"):
        kernel.ok(f"%step {title}")

    bare = kernel.run("%step Probe")
    kernel.ok('%step Probe --set action="probe the sensor"')
    kernel.ok("%step Look --set observation='{drift: 0.5, days: [1, 2]}'")

    assert bare.refusal == (
        "Stage 'action_execution' asks for action (what is done, in a few words). "
        "Add --set action=…."
    )
    assert kernel.steps("fields")[3:] == [
        {"action": "probe the sensor"},
        {"observation": {"drift": 0.5, "days": [1, 2]}},
    ]


def test_tree_of_thoughts_scores_its_branches_and_selects_the_best(kernel: Kernel):
    kernel.ok("%wfnb strategy tree_of_thoughts")
    kernel.ok("%step Problem")
    kernel.ok("%step Explore --set approaches=[alt,beta,gamma]")
    for branch, score in (("alt", 0.4), ("beta", 0.9), ("gamma", -1)):
        kernel.ok(f"%branch {branch} --from 2 Start")
        kernel.ok(f"%branch {branch} Develop --set approach_id={branch}")
        code = f"%branch {branch} Judge --set approach_id={branch} --set evaluation_score={score}"
        judged = kernel.ok(code)
        assert judged.answer["scores"][branch] == score

    chosen = kernel.ok("%step Choose --stage branch_selection")
    for title in ("Go on", "Solve --stage solution_formulation", "Why", "Answer --done"):
        ran = kernel.ok(f"%step {title}")

    assert chosen.answer["scores"] == {"alt": 0.4, "beta": 0.9, "gamma": -1}
    lines = kernel.status()["lines"]
    assert [(line["id"], line["state"], line["score"]) for line in lines] == [
        ("main", "open", None),
        ("alt", "open", 0.4),
        ("beta", "selected", 0.9),
        ("gamma", "open", -1),
    ]
    assert ran.answer["stage"] == END


@pytest.mark.parametrize(
    ("answers", "tally", "said"),
    [
        (
            "{a: 7, b: 7, c: 8}",
            {"winner": "7", "share": 0.667, "ties": [], "votes": {"7": 2, "8": 1}},
            "7 wins with 67% (7 × 2, 8 × 1)",
        ),
        (
            "[Blue, ' blue', red]",
            {"winner": "Blue", "share": 0.667, "ties": [], "votes": {"Blue": 2, "red": 1}},
            "Blue wins with 67% (Blue × 2, red × 1)",
        ),
        (
            "[blue, red]",
            {"winner": None, "share": 0.5, "ties": ["blue", "red"], "votes": {"blue": 1, "red": 1}},
            "tie between blue and red, 50% each (blue × 1, red × 1)",
        ),
    ],
    ids=["winner", "spelled differently", "tie"],
)
def test_self_consistency_counts_the_answers(
    kernel: Kernel, answers: str, tally: dict[str, object], said: str
):
    kernel.ok("%wfnb strategy self_consistency")
    kernel.ok("%step Problem")
    kernel.ok("%step Sample")
    kernel.ok("%step Work --set reasoning_path_id=a")
    kernel.ok(f'%step Collect --set "path_answers={answers}"')

    kernel.ok("%step Analyse")
    ran = kernel.ok("%step Select")

    assert ran.answer["stage"] == "majority_selection"
    assert ran.answer["tally"] == tally
    assert said in ran.shown[0]["text/html"]


OWN = """\
name: two_steps
title: Two steps
stages:
  begin: {next: [end], fields: {why: the reason}}
  end: {}
"""


def test_a_strategy_of_ones_own_is_followed(kernel: Kernel):
    folder = kernel.home / "strategies"
    folder.mkdir()
    (folder / "mine.yaml").write_text(OWN)

    refused = kernel.run("%wfnb strategy two_steps")
    assert kernel.ok("%wfnb trust").text == "trusted now: strategy 'two_steps'"
    kernel.ok("%wfnb strategy two_steps")
    kernel.ok("%step Go --set why=because")
    ran = kernel.ok("%step Stop --done")

    assert kernel.steps("stage", "fields") == [("begin", {"why": "because"}), ("end", {})]
    assert ran.answer["solved"]
    assert refused.refusal == (
        "Strategy 'two_steps' (strategies/mine.yaml) was not written by wfnb here, so it may have "
        "come with the folder. Look at it; `%wfnb trust` allows it as it is now."
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("stages: [", "the file is no YAML"),
        ("name: mine\nstages: {a: {next: [b]}}", "stage 'a' leads to 'b', which is no stage"),
        ("name: mine\nstages: {a: {next: [b]}, b: {next: [a]}}", "one stage has to be the start"),
        ("- 1", "the file: "),
        ("", "the file: "),
    ],
    ids=["no YAML", "unknown stage", "no start", "a list", "empty"],
)
def test_a_broken_strategy_says_what_is_wrong_with_it(kernel: Kernel, text: str, what: str):
    folder: Path = kernel.home / "strategies"
    folder.mkdir()
    (folder / "mine.yml").write_text(text)

    refused = kernel.run("%wfnb strategy mine")
    listed = kernel.ok("%wfnb strategy --list").text

    assert refused.refusal.startswith(f"Strategy mine.yml: {what}")
    assert "broken" in listed
    assert kernel.run("%wfnb start other --strategy react").status == "ok"


def test_a_strategy_can_be_changed_on_the_way_and_keeps_the_history(kernel: Kernel):
    kernel.ok("%step Before")
    kernel.ok("%wfnb strategy react")
    kernel.ok("%step Problem")

    kernel.ok("%wfnb strategy chain_of_thought")
    kernel.ok("%step Divide --stage step_decomposition")
    kernel.ok("%wfnb strategy none")
    kernel.ok("%step After")

    assert kernel.steps("description", "stage") == [
        ("Before", None),
        ("Problem", "problem_reception"),
        ("Divide", "step_decomposition"),
        ("After", None),
    ]


@pytest.mark.parametrize(
    "begin", ["%wfnb start mine --strategy self_ask", "%wfnb strategy self_ask"]
)
def test_what_to_do_in_the_first_stage_is_said_at_the_start(kernel: Kernel, begin: str):
    assert "next problem reception: Write the main question" in kernel.ok(begin).text


def test_words_in_a_field_are_the_title_and_an_answer_is_what_the_step_computes(kernel: Kernel):
    kernel.ok("%wfnb strategy self_ask")
    kernel.ok("%step Is it more than 40")
    kernel.ok("%step How many")
    kernel.ok('%step --set sub_question="How many are there?"')

    ran = kernel.ok("%%step --set sub_question_answer=@n\nn = 6 * 7")
    kernel.ok("%step Known")

    assert (ran.answer["values"], ran.answer["last_step_description"]) == ({"n": 42}, "n = 6 * 7")
    shown = kernel.ok("%step Check").answer["ledger"]["rows"]
    assert shown == [["1", "How many are there?", "42", "3, 4"]]


def test_a_value_that_has_to_be_there_before_is_refused_if_the_step_assigns_it(exploring: Kernel):
    exploring.ok("%branch a Open")
    exploring.ok("%branch a Develop")

    ran = exploring.run("%%branch a Judge --set evaluation_score=@score\nscore = 1")

    assert "set it in the step after" in ran.refusal
