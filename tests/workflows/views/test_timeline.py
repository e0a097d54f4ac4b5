from xml.etree import ElementTree

import pytest

from tests.workflows.views.given import WRITTEN, Story, deploy, failed_deploy, step, steps
from wfnb.workflows.views.call_bars import Bar, Gap, Track, lay_out_bars
from wfnb.workflows.views.timeline import Timeline
from wfnb.workflows.views.timeline_chart import ticks

SVG = "{http://www.w3.org/2000/svg}"


def test_retries_are_bars_of_their_own_and_waits_are_gaps():
    story = Story(steps(step("fetch", retry={"attempts": 1, "wait": 3})))
    story.fails("fetch", took=1.0).performs("fetch", 0.5).finish()

    tracks, pauses = lay_out_bars(story.run)

    assert (tracks, pauses) == (
        (
            Track(
                name="fetch",
                bars=(
                    Bar(start=0.0, end=1.0, state="failed"),
                    Bar(start=4.0, end=4.5, state="ok", attempt=2, waited=3.0),
                ),
            ),
        ),
        (),
    )


def test_steps_side_by_side_are_rows_whose_bars_overlap():
    story = Story(steps(step("a"), step("b"), mode="parallel")).starts("a").passes(0.5).starts("b")

    tracks, _ = lay_out_bars(story.ends("a", 2.0).ends("b", 2.0).finish().run)

    assert [(track.name, track.bars[0].start, track.bars[0].end) for track in tracks] == [
        ("a", 0.0, 2.0),
        ("b", 0.5, 2.5),
    ]


def test_compensations_stand_in_the_row_of_what_they_undo():
    tracks, _ = lay_out_bars(failed_deploy().run)

    assert [[(bar.undoes, bar.state) for bar in track.bars] for track in tracks] == [
        [(False, "ok"), (True, "failed")],
        [(False, "failed"), (False, "ok"), (True, "ok")],
        [(False, "failed")],
    ]


def test_the_night_before_a_run_was_resumed_is_cut_out_and_told():
    story = Story(deploy()).performs("upload", 2.0, id=1).starts("migrate").passes(90_000)
    story.resumed(lost="again").performs("migrate", 1.5).performs("restart").finish()

    timeline = Timeline(story.run, "deploy-1")

    assert timeline.pauses == (Gap(at=2.0, length=90_000.0),)
    assert timeline.length == 4.5
    assert timeline.text.splitlines()[-1] == "≈ at +2 s a pause of 25 h is left out"


def test_a_call_that_goes_on_reaches_to_the_newest_time_known():
    story = Story(steps(step("a"), step("b"), mode="parallel")).starts("a").starts("b")

    tracks, _ = lay_out_bars(story.ends("b", 3.0).run)

    assert tracks[0] == Track(name="a", bars=(Bar(start=0.0, end=3.0, state="running"),))


def test_calls_without_times_are_left_out():
    story = Story(deploy()).performs("upload")
    run = story.run
    for call in run.calls.values():
        call.started = None

    timeline = Timeline(run, "deploy-1")

    assert (timeline.tracks, timeline.says) == ((), "deploy-1: 0 calls of 0 actions in 0 s")
    ElementTree.fromstring(timeline.svg)


def test_the_text_has_offsets_durations_and_what_each_call_was():
    assert Timeline(failed_deploy().run, "deploy-1").text.splitlines() == [
        "action                                    from    for     call",
        "upload   █████████████                    +0 s    2 s     ✓ ok",
        "         ····························▒▒▒  +4.2 s  0.5 s   ↶ undoes it · ✕ failed",
        "migrate  ·············███                 +2 s    0.5 s   ✕ failed",
        "         ················███████          +2.5 s  1 s     attempt 2 · ✓ ok",
        "         ·························▒▒▒     +3.8 s  0.5 s   ↶ undoes it · ✓ ok",
        "restart  ·······················██        +3.5 s  0.25 s  ✕ failed",
    ]


def test_bars_differ_in_shape_and_sign_and_not_in_colour_alone():
    root = ElementTree.fromstring(Timeline(failed_deploy().run, "deploy-1").svg)

    assert [(each.get("class"), each.get("height")) for each in root.iter(f"{SVG}rect")] == [
        ("box bar ok", "14"),
        ("box bar bad dash", "11"),
        ("box bar bad", "14"),
        ("box bar ok", "14"),
        ("box bar ok dash", "11"),
        ("box bar bad", "14"),
    ]
    signs = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert [sign for sign in signs if sign[0] in "✓✕↶"] == ["✓", "↶✕", "✕", "✓", "↶✓", "✕"]


def test_the_picture_says_what_it_shows_and_has_no_ids_and_no_links():
    root = ElementTree.fromstring(Timeline(failed_deploy().run, "deploy-1").svg)

    said = "deploy-1: 6 calls of 3 actions in 4.8 s"
    assert (root.get("role"), root.get("aria-label"), root[0].text) == ("img", said, said)
    assert not [each for each in root.iter() if each.get("id") or each.tag == f"{SVG}a"]


def test_short_bars_can_be_seen_and_their_signs_are_counted():
    story = Story(steps(step("a", retry=5), step("long")))
    for _ in range(5):
        story.fails("a", took=0.001)
    story.performs("a", 0.001).performs("long", 100.0).finish()

    root = ElementTree.fromstring(Timeline(story.run, "w-1").svg)

    assert min(float(each.get("width")) for each in root.iter(f"{SVG}rect")) == 2
    assert "✕ … ✓ 6×" in ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("length", [0.01, 0.5, 1, 8, 59, 61, 3_600, 100_000, 10_000_000])
def test_a_scale_has_at_most_nine_round_numbers_and_begins_at_nothing(length):
    found = ticks(length)

    assert found[0] == 0
    assert 3 <= len(found) <= 9
    assert found[-1] <= length * 1.000001


@pytest.mark.parametrize("text", WRITTEN)
def test_a_hostile_name_of_a_run_stays_text(text):
    timeline = Timeline(failed_deploy().run, text)

    ElementTree.fromstring(timeline.svg)
    assert not any(tag in timeline.html for tag in ("<script", "<img", "\x1b"))


def test_where_a_page_is_not_trusted_the_text_stands_in():
    timeline = Timeline(failed_deploy().run, "deploy-1")

    assert 'style="display:none"><svg ' in timeline.html
    assert '-plain">action ' in timeline.html
