"""One row of the table, and the options that several rows have."""

from __future__ import annotations

from wfnb.jupyter.grammar import Choices, Grammar, Option
from wfnb.jupyter.verbs import Run
from wfnb.record import record

JSON = Option(flag="--json", field="json", says="show it as JSON, with times")
REASON = Option(flag="--reason", field="reason", takes="TEXT", says="why, kept in the history")
FORMS = tuple(
    Option(flag=f"--{form}", field="form", value=form, says=f"show its {name} only")
    for form, name in (("dot", "DOT"), ("mermaid", "Mermaid"), ("svg", "SVG"), ("text", "text"))
)
OF_A_KIND = (
    Option(
        flag="--no-pause",
        field="pause",
        value=False,
        says="nothing has to be looked at between two steps of it",
    ),
    Option(
        flag="--reviewer",
        field="reviewer",
        takes="A",
        choices="advisers",
        says="an adviser that is asked at its end",
    ),
    Option(
        flag="--planner",
        field="planner",
        takes="A",
        choices="advisers",
        says="an adviser that is asked how many steps it takes",
    ),
)


@record
class Verb:
    grammar: Grammar
    run: Run


def row(
    name: str,
    run: Run,
    written: str,
    says: str,
    *options: Option,
    examples: tuple[str, ...] = (),
    choices: Choices = "",
    least: tuple[str, ...] = (),
    most: int | None = None,
) -> tuple[str, Verb]:
    usage = f"%wfnb {name} {written}".rstrip()
    grammar = Grammar(
        name=f"%wfnb {name}",
        usage=usage,
        says=says,
        options=options,
        examples=examples or (usage.partition(" [")[0],),
        choices=choices,
        least=least,
        most=most,
    )
    return name, Verb(grammar=grammar, run=run)
