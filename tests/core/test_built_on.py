"""Rule 8: run again is good again only where the revision was run before it."""

from wfnb.core.commands import ConfirmSteps
from wfnb.core.validation import StepPlace

from .story import Kernel, Story, stale


def story():
    """Load, mean, then a correction of the load: the mean is stale."""
    told = Story()
    first = Kernel(told)
    for source, says in (("load", {}), ("mean", {}), ("fix", {"revises": 1})):
        first.run(source, id=source, **says)
    return told, first


def test_a_step_run_again_after_the_revision_is_good():
    told, kernel = story()

    kernel.run("mean", id="mean")

    assert stale(told.session) == []


def test_restart_and_run_all_leaves_stale_what_runs_above_the_revision():
    told, _ = story()
    again = Kernel(told)

    for source, says in (("load", {}), ("mean", {}), ("fix", {"revises": 1})):
        again.run(source, id=source, **says)

    assert stale(told.session) == ["main:2"]


def test_in_the_new_kernel_too_it_is_good_once_the_revision_was_run_before_it():
    told, _ = story()
    again = Kernel(told)
    for source, says in (("load", {}), ("fix", {"revises": 1}), ("mean", {})):
        again.run(source, id=source, **says)

    assert stale(told.session) == []


def test_a_changed_cell_is_its_own_revision_and_is_in_force_once_it_ran():
    told = Story()
    first = Kernel(told)
    first.run("load", id="load")
    first.run("mean", id="mean")
    first.run("load better", id="load")
    again = Kernel(told)

    again.run("load better", id="load")
    again.run("mean", id="mean")

    assert stale(told.session) == []


def test_two_causes_are_two_reasons_to_be_stale():
    told, first = story()
    first.run("fix once more", id="more", revises=1)
    again = Kernel(told)

    again.run("fix", id="fix", revises=1)
    again.run("mean", id="mean")

    assert "main:2" in stale(told.session)
    again.run("fix once more", id="more", revises=1)
    again.run("mean", id="mean")
    assert "main:2" not in stale(told.session)


def test_what_was_confirmed_needs_no_run():
    told, _ = story()

    told.do(ConfirmSteps(places=(StepPlace(number=2),)))

    assert stale(told.session) == []
