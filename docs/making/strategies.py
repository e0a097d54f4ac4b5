"""the built-in strategies, and an example of each, run in a kernel -> docs/strategies.md."""

import re
from pathlib import Path

import yaml

import wfnb
from wfnb.core.strategy import Stage, Strategy, builtin_strategies, strategy_from
from wfnb.views.graphs import Picture, stage_picture

from .markdown import code, made_from, page, table
from .shown import page_as_shown

_EXAMPLES = (Path(__file__).parent / "strategy_examples.md").read_text("utf-8")

_INTRO = """
A strategy is a graph of **stages**: it says which kind of step may follow which, and what a step of
a kind has to bring. `%wfnb start NAME --strategy react` follows one from the start, `%wfnb strategy
react` from here on.

A step takes its stage by itself where only one may follow; else it names it with `--stage`. A
field is given with `--set name=value`, where the value is read as YAML; words in a field are the
title of a step that has none. `--set name=@variable` takes a variable: in a field of words also
one that the step itself assigns, as it is at its end. The answer to a step says which stages may
follow, what to do in them and what they ask for; so do `%wfnb start`, `%wfnb stages` and the
panel. A revision does the stage of the step that it revises again.
"""

_EFFECTS = {
    "score-branch": "Scores a branch: the one that `approach_id` names, else the step's own.",
    "select-branch": "Selects a branch: the one that `approach_id` names, else the best; with the "
    "field `beam` so many of the best. The others are pruned.",
    "tally-answers": "Counts the answers, and says which one is ahead.",
    "begin-round": "Begins a round of the table.",
    "show-ledger": "Shows what the strategy keeps.",
}

_OWN = """
A JSON or YAML file in `.wfnb/strategies/` is a strategy. Its name is the one in the file; it takes
the place of a built-in strategy of that name. Each stage has `next`, the stages that may follow it
(an end has none), and may have a `description`, a `prompt`, and `fields`: by name, what each
holds. `start` may be left out where just one stage follows no other. What the built-in ones do,
your own can do: `keeps` says what the strategy keeps (`evidence`, `rounds`, `questions`, `votes`,
`beam`, `principle`, `turns`), by the fields of the strategy above that does so; a stage's `effect`
is one of `show-ledger`, `begin-round`, `score-branch`, `select-branch`, `tally-answers`; a stage
that `repeats` may follow itself, one that `opens` may begin a branch anywhere, and on a branch the
field `branch_as` is the branch's name where it is left out.

`%wfnb trust` lets a strategy be followed, as it is then: a folder that came with a repository leads
no session [by itself](values.md#a-folder-from-elsewhere).
"""

_EXAMPLE = """
name: measure_twice
title: Measure twice, cut once
start: measure
stages:
  measure:
    prompt: Measure, and write down what you got.
    next: [check]
    fields: {length: in millimetres}
  check:
    prompt: Measure again, with another tool if there is one.
    next: [measure, cut]
  cut: {}
"""

_CHECKED = """
A file is checked when it is read: every `next` names a stage, one stage is the start, every stage
can be reached from it, and an end from every stage. `%wfnb strategy --list` tells what is wrong
with a file that fails.
"""


def strategies() -> str:
    made = page(
        made_from("wfnb/core/strategies/"),
        "# Strategies and stages",
        _INTRO,
        table(("strategy", "in a line"), ((f"[`{s.name}`](#{s.name})", s.title) for s in _all())),
        *(_strategy(strategy) for strategy in _all()),
        "## Your own",
        _OWN,
        code(_EXAMPLE.strip(), "yaml"),
        code(_picture(_own()).mermaid, "mermaid"),
        _CHECKED,
    )
    return page_as_shown(made)


def drawings() -> dict[str, str]:
    """Each drawing of the page -> the same as SVG, for where nothing draws Mermaid."""
    pictures = map(_picture, (*_all(), _own()))
    return {code(picture.mermaid, "mermaid"): picture.svg for picture in pictures}


def _own() -> Strategy:
    return strategy_from(yaml.safe_load(_EXAMPLE), "the example")


def _all() -> tuple[Strategy, ...]:
    return tuple(builtin_strategies().values())


def _strategy(strategy: Strategy) -> str:
    return page(
        f"## `{strategy.name}`",
        f"**{strategy.title}.** {strategy.description}",
        code(_picture(strategy).mermaid, "mermaid"),
        table(
            ("stage", "what it is, and what to do in it", "what may follow", "fields"),
            (_stage(name, stage) for name, stage in strategy.stages.items()),
        ),
        _example(strategy.name),
    )


def _example(name: str) -> str:
    found = re.search(rf"^## {name}\n(.*?)(?=^## |\Z)", _EXAMPLES, re.M | re.S)
    assert found is not None, f"docs/making/strategy_examples.md has no example of {name}"
    return found[1].strip()


def _stage(name: str, stage: Stage) -> tuple[str, str, str, str]:
    effect = f" *{_EFFECTS[stage.effect]}*" if stage.effect else ""
    return (
        f"`{name}`",
        f"{stage.description}{effect}<br>{stage.prompt}",
        ", ".join(f"`{after}`" for after in stage.next) or "nothing: the end",
        "; ".join(f"`{field}`: {means}" for field, means in stage.fields.items()),
    )


def _picture(strategy: Strategy) -> Picture:
    session = wfnb.open("stages", scratch=True).session
    return stage_picture(session, strategy, "main")
