import pytest

from tests.views.graphs import HOSTILE
from tests.workflows.views.given import Story, checks, deploy, state, states, step, steps
from wfnb.workflows.views.progress import progress
from wfnb.workflows.views.terminal_tail import tail


def test_progress_says_how_far_a_run_is_and_what_it_does():
    story = Story(deploy()).performs("upload", id=1).fails("migrate").starts("migrate")

    now = progress(story.run, "deploy-1", ["Migrating…\n", "table 3 of 9\rtable 4 of 9"])

    assert now.text.splitlines() == [
        "deploy-1 · ▶ running · 1 of 3 steps  ████████░░░░░░░░░░░░░░░░",
        "  ▶ migrate (shell), attempt 2 of 2",
        "  │ Migrating…",
        "  │ table 4 of 9",
    ]
    assert now.line == "deploy-1 · ▶ running · 1 of 3 steps · ▶ migrate (shell), attempt 2 of 2"


def test_how_many_states_there_will_be_nobody_knows():
    story = Story(checks(), target="all").performs("build").starts("test")

    now = progress(story.run, "checks-1")

    assert (now.done, now.total, now.text.splitlines()) == (
        1,
        None,
        ["checks-1 · ▶ running · 1 state", "  ▶ test (await_output)"],
    )


def test_a_wait_between_attempts_is_told():
    story = Story(steps(step("fetch", retry={"attempts": 2, "wait": 30}))).fails("fetch")

    assert progress(story.run, "get-1").now == ("waits to try fetch again, attempt 2",)


def test_a_question_is_told_with_its_choices_and_how_to_answer():
    story = Story(steps(step("ask_env", tool="ask"))).starts("ask_env")

    now = progress(story.asks("ask_env", "Where to?", "the lab", "production").run, "deploy-1")

    assert now.text.splitlines()[1:] == [
        "  ▶ ask_env (ask)",
        "  ? ask_env asks: Where to?",
        "    1 the lab · 2 production",
        "    answer: %wfnb answer 'the lab'",
    ]
    assert now.line == "deploy-1 · ▶ running · 0 of 1 steps · asks: Where to?"
    assert progress(story.answered(2).run, "deploy-1").questions == ()


def test_of_a_question_it_is_told_what_comes_of_it_if_nobody_answers():
    story = Story(steps(step("ask_env", tool="ask"))).starts("ask_env")
    story.asks("ask_env", "Where to?", default="the lab", timeout=30.0)

    now = progress(story.run, "deploy-1")

    assert now.text.splitlines()[2:] == [
        "  ? ask_env asks: Where to?",
        "    default: the lab, taken after 30 s",
        "    answer: %wfnb answer TEXT",
    ]
    assert "default: the lab, taken after 30 s" in now.html


def test_a_secret_default_is_not_told():
    story = Story(steps(step("a", tool="ask"))).starts("a")

    now = progress(story.asks("a", "Key?", default="hunter2", secret=True).run, "d-1")

    assert now.questions[0].otherwise == "default: a secret"
    assert "hunter2" not in now.text + now.html


def test_of_several_questions_each_says_whose_it_is():
    story = Story(steps(step("a", tool="ask"), step("b", tool="ask"), mode="parallel"))
    story.starts("a").starts("b").asks("a", "Sure?", "yes", "no").asks(
        "b", "Password?", secret=True
    )

    answers = [each.answer for each in progress(story.run, "deploy-1").questions]

    assert answers == ["%wfnb answer yes --to a", "%wfnb answer TEXT --to b"]


def test_a_rollback_is_told():
    story = Story(deploy()).performs("upload", id=1).performs("migrate", id=2).fails("restart")

    now = progress(story.undoes().run, "deploy-1")

    assert now.now == ("failed: restart: it broke", "rolling back: 1 of 2")


def test_a_run_that_is_being_stopped_says_so():
    story = Story(deploy()).starts("upload").cancelled("by hand")

    assert progress(story.run, "deploy-1").now == ("stopping: by hand", "▶ upload (shell)")


def test_many_calls_are_named_in_part():
    story = Story(steps(*(step(f"s{n}") for n in range(8)), mode="parallel"))
    for number in range(8):
        story.starts(f"s{number}")

    assert progress(story.run, "w-1").now[4:] == ("▶ s4 (shell)", "… and 3 more")


def test_a_run_that_has_ended_does_nothing_more():
    now = progress(Story(states("w", a=state("t"))).performs("a").finish().run, "w-1")

    assert now.text == "w-1 · ✓ success · 1 state"


class NotRead(dict):
    """Calls that are looked up, and never gone through."""

    def __iter__(self):
        raise AssertionError("all calls were read")

    keys = values = items = __iter__


def test_progress_costs_the_same_however_many_calls_there_were():
    run = Story(deploy()).performs("upload", id=1).starts("migrate").run
    run.calls = NotRead(run.calls)

    assert progress(run, "deploy-1").now == ("▶ migrate (shell)",)


def test_progress_as_data_has_what_the_text_has():
    story = Story(deploy()).starts("upload")

    assert progress(story.run, "deploy-1", [("upload", "10 %"), ("upload", "20 %")]).to_dict() == {
        "run": "deploy-1",
        "status": "running",
        "done": 0,
        "total": 3,
        "now": ["▶ upload (shell)"],
        "asked": [],
        "tail": ["10 %", "20 %"],
    }


def test_where_several_write_each_line_says_who():
    now = progress(Story(deploy()).starts("upload").run, "d-1", [("a", "one"), ("b", "two\n")])

    assert now.last == ("a: one", "b: two")


def test_no_line_is_only_who_wrote_it():
    said = [("a", "one\n\n \n"), ("b", ""), ("b", "\x1b[0m\n"), ("b", "two")]

    assert progress(Story(deploy()).starts("upload").run, "d-1", said).last == ("a: one", "b: two")


def test_a_picture_stands_above_the_last_lines():
    html = progress(Story(deploy()).starts("upload").run, "d-1", ["a line"]).html_with_picture(
        "<svg></svg>"
    )

    assert html.index("upload (shell)") < html.index("<svg></svg>") < html.index("a line")


def test_html_is_one_line_a_bar_and_the_last_lines():
    html = progress(Story(deploy()).performs("upload").run, "deploy-1", ["<b>\x1b[1mbold"]).html

    assert "width:33%" in html
    assert "&lt;b&gt;bold</pre></div>" in html


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("\x1b[31;1mred\x1b[0m", ["red"]),
        ("\x9b31mred", ["red"]),
        ("\x1b]0;title\x07text", ["text"]),
        ("\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        ("\x1b(Bplain\x1b=", ["plain"]),
        ("10%\r20%\r", ["20%"]),
        ("one\r\ntwo\n\n", ["one", "two"]),
        ("    indented\tby tabs", ["    indented    by tabs"]),
        ("bell\x07 back\x08", ["bell␇ back␈"]),
        ("", []),
        ("x" * 200, ["x" * 159 + "…"]),
    ],
)
def test_what_steers_a_terminal_is_taken_out_and_the_rest_is_seen(written, read):
    assert tail([written]) == read


def test_only_the_last_lines_are_kept_in_their_order():
    assert tail([f"{n}\n" for n in range(100)], lines=3) == ["97", "98", "99"]
    assert tail(["\n".join(map(str, range(100)))], lines=3) == ["97", "98", "99"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_output_stays_text(text):
    story = Story(steps(step("a", tool="ask"))).starts("a").asks("a", text, text or "x")

    now = progress(story.run, text, [text])

    for shown in (now.text, now.html, now.line):
        assert "\x1b" not in shown
        assert "\x9b" not in shown
    assert not any(tag in now.html for tag in ("<script", "<img", "</svg"))
    assert "\n" not in now.line
