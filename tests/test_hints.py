"""A hint is one fact, and each host writes it as it is typed there."""

from typing import get_args

import click
import pytest

import wfnb
from wfnb.cli.hints_as_commands import COMMANDS, ShellSpelling
from wfnb.cli.program import program
from wfnb.errors import (
    CallUncertain,
    JournalLocked,
    NothingKept,
    NothingRecorded,
    RunNotResumable,
    SecretMissing,
)
from wfnb.hints import CALLS, Command, Option, Quoted, Verb, clause, options, use_spelling
from wfnb.hints_as_magics import MagicSpelling
from wfnb.jupyter.verbs import VERBS

MAGICS = {"branch", "resume", "resume-session", "step"}
"""Hints that no verb of `%wfnb` stands for."""


@pytest.fixture(autouse=True)
def in_a_script() -> None:
    use_spelling()


@pytest.mark.parametrize(
    ("hint", "magic", "shell", "python"),
    [
        (Command("runs"), "%wfnb runs", "wfnb runs", "ws.runs.runs()"),
        (
            Command("answer", "TEXT", Option("to", "STATE")),
            "%wfnb answer TEXT --to STATE",
            "wfnb answer TEXT --to STATE",
            "ws.runs.answer(TEXT, to=STATE)",
        ),
        (
            Command("cancel", "deploy-1", Option("rollback", True)),
            "%wfnb cancel deploy-1 --rollback",
            "wfnb cancel deploy-1 --rollback",
            'ws.runs.cancel("deploy-1", rollback=True)',
        ),
        (
            Command("resume", "deploy-1"),
            "%run_workflow --resume deploy-1",
            "wfnb resume deploy-1",
            'ws.runs.resume("deploy-1")',
        ),
        (
            Command("branch", "alt", Option("from", 2), "A title"),
            "%%branch alt --from 2 A title",
            'ws.step("A title", branch="alt", branch_from=2)',
            'ws.step("A title", branch="alt", branch_from=2)',
        ),
        (
            Command("step", Quoted("12 months")),
            '%%step "12 months"',
            'ws.step("12 months")',
            'ws.step("12 months")',
        ),
        (
            Command("restore", "alt:3", "df"),
            "%wfnb restore alt:3 df",
            'ws.restore("alt:3", "df")',
            'ws.restore("alt:3", "df")',
        ),
        (
            Command("keep", Option("budget")),
            "%wfnb keep --budget",
            *2 * ("ws.values.choose_keeping(budget=…)",),
        ),
        (Command("run-stale", 3), "%wfnb run-stale 3", "run-stale 3", "run-stale 3"),
        (Command("start", "NAME"), "%wfnb start NAME", "", "wfnb.home().start(NAME)"),
        (Option("from", "STATE"), "--from STATE", "--from STATE", "start=STATE"),
        (Option("next", True), "--next", "--next", "next_step_needed=True"),
        (Option("done", True), "--done", "--done", "next_step_needed=False"),
        (Option("stage"), "--stage", "--stage", "stage"),
        (Option("set", "path=FOLDER"), *2 * ("--set path=FOLDER",), 'fields={"path": FOLDER}'),
        (Option("var", "a=VALUE"), *2 * ("--var a=VALUE",), 'variables={"a": VALUE}'),
        (
            Option("secret", "token"),
            *2 * ("--secret token",),
            'secrets={"token": os.environ["TOKEN"]}',
        ),
        (
            Option("model", "NAME:for"),
            *2 * ("--model NAME:for",),
            'fields={"models": ["NAME:for"]}',
        ),
    ],
    ids=str,
)
def test_each_host_writes_a_hint_its_own_way(hint, magic, shell, python):
    assert str(hint) == python
    use_spelling(MagicSpelling())
    assert str(hint) == magic
    use_spelling(ShellSpelling())
    assert str(hint) == shell


def test_options_of_one_keyword_become_one():
    again = options(Option("again", ("pay", "deploy-2/send")), Option("done", ("log",)))

    assert again == 'lost={"pay": "again", "deploy-2/send": "again", "log": "done"}'


def test_a_way_is_left_out_where_the_host_has_none():
    way = Command("start", "NAME", Option("scratch", True))

    assert clause(", or", way) == ", or `wfnb.home().start(NAME, scratch=True)`"
    use_spelling(ShellSpelling())
    assert clause(", or", way) == ""


@pytest.mark.parametrize("verb", get_args(Verb))
def test_every_verb_of_a_hint_is_one_that_there_is(verb: Verb):
    assert verb in MAGICS or verb in VERBS
    assert verb not in COMMANDS or verb in program.list_commands(click.Context(program))
    if verb in CALLS:
        assert resolves(CALLS[verb])


def resolves(call: str) -> bool:
    """Whether a call of Python, without its brackets, is of something that there is."""
    first, *names = call.replace("()", "").split(".")
    ws = wfnb.open("hints", scratch=True)
    at = {"wfnb": wfnb, "ws": ws}[first]
    for name in names:
        at = getattr(at, name)
        at = at() if name == "home" else at
    return callable(at)


@pytest.mark.parametrize(
    ("host", "first_step", "new_run"),
    [
        (
            MagicSpelling(),
            "Write `%%step` over a cell.",
            "`--from STATE` goes on from a state or step of it; without --resume it runs anew.",
        ),
        (
            ShellSpelling(),
            "`ws.step(TITLE)` records one.",
            "`--from STATE` goes on from a state or step of it; `wfnb run` runs it anew.",
        ),
        (
            None,
            "`ws.step(TITLE)` records one.",
            "`start=STATE` goes on from a state or step of it; `ws.run(WORKFLOW)` runs it anew.",
        ),
    ],
)
def test_a_way_that_is_another_sentence_in_each_host_is_the_host_s(host, first_step, new_run):
    use_spelling(host)

    assert str(NothingRecorded("draw")) == (
        f"There is nothing to draw: no step and no run is recorded yet. {first_step}"
    )
    assert str(RunNotResumable("success")) == (
        f"The run ended as success: nothing is left to do. {new_run}"
    )


def test_an_error_is_written_for_who_reads_it():
    error = NothingKept("", ())
    assert str(error).startswith("No step kept anything. `ws.step(keep=NAMES)` keeps.")
    use_spelling(MagicSpelling())
    assert str(error).startswith("No step kept anything. `%%step --keep NAMES` keeps.")


def test_a_script_is_told_what_a_script_can_do():
    assert str(JournalLocked("journal.db")) == (
        "journal.db is locked by another process. Nothing was lost: try again, "
        "or go on in memory with `wfnb.home().start(NAME, scratch=True)`."
    )
    assert str(CallUncertain(("pay (shell)",))).endswith(
        'resume with `lost="again"` (call it again) or `lost="done"` (it was).'
    )
    assert str(CallUncertain(("pay (shell)", "log (shell)"))).endswith(
        'or call by call: `lost={"pay": "again", "log": "done"}`.'
    )
    assert '`secrets={"token": os.environ["TOKEN"]}`' in str(SecretMissing("run-1", ("token",)))
