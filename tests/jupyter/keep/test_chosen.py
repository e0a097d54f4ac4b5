"""`%wfnb keep`: what a session keeps, and what it never does."""

import pytest

from tests.jupyter.keep.told import kept
from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel


def test_a_session_keeps_what_was_chosen_for_it(kernel: Kernel):
    assert kernel.ok("%wfnb keep 'fitted*' --budget 500MB").text == (
        "steps keep fitted* · at most 500 MB"
    )

    kernel.ok("%%step Load\nrows = 1")
    kernel.ok("%%step Fit\nfitted_1 = 2")
    kernel.ok("%%step Own --keep rows\nrows = 3")
    kernel.ok("%%step Nothing --keep none\nfitted_1 = 4")
    kernel.ok("%step Only words")

    assert kept(kernel) == [None, {"names": ["fitted_1"]}, {"names": ["rows"]}, None, None]
    assert kernel.ok("%wfnb keep none").text == "steps keep what they say · at most 500 MB"
    kernel.ok("%%step Fit more\nmodel = 5")
    assert kept(kernel)[-1] is None


def test_a_session_may_keep_all_that_its_steps_assign(kernel: Kernel):
    kernel.ok("%wfnb keep all")

    kernel.ok("%%step Load\n%%time\nfirst = 1")
    kernel.ok("%%step Wait\nimport asyncio\nawait asyncio.sleep(0)\nsecond = 2")
    kernel.ok("%%step Look\nfirst + second")

    assert kept(kernel) == [{"names": ["first"]}, {"names": ["asyncio", "second"]}, None]


def test_names_that_are_never_kept_can_be_others(kernel: Kernel):
    kernel.ok("%wfnb keep --secrets '*pin*,*salary*'")

    ran = kernel.ok("%%step Load --keep all\nkey = 1\nmy_pin = 2")

    assert ran.answer["kept"]["names"] == ["key"]
    assert list(ran.answer["kept"]["not_kept"]) == ["my_pin"]


def test_it_is_told_which_names_are_never_kept(kernel: Kernel):
    usual = kernel.ok("%wfnb keep").text
    none = kernel.ok("%wfnb keep --secrets none").text
    ran = kernel.ok("%%step Load --keep api_key\napi_key = 1")
    back = kernel.ok("%wfnb keep --secrets default").text

    assert usual.startswith("steps keep what they say · never *_key, ")
    assert none == "steps keep what they say · no name is a secret"
    assert ran.answer["kept"] == {"names": ["api_key"]}
    assert back == "steps keep what they say"
    assert kernel.ok("%wfnb keep").text == usual


def test_what_does_not_fit_into_the_budget_is_named_with_the_way_on(kernel: Kernel):
    kernel.ok("%wfnb keep --budget 1MB")

    ran = kernel.ok("%%step Load --keep big,small\nbig = bytes(2_000_000)\nsmall = 1")

    assert ran.answer["kept"]["names"] == ["small"]
    assert "`%wfnb keep --budget`" in ran.answer["kept"]["not_kept"]["big"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "%%step A --keep 1x\n0",
            "keep is '1x'. It needs names of variables: df, or 'model*', or all.",
        ),
        ("%wfnb keep --budget much", "budget is 'much'. It needs a size, as 500MB or 2GB."),
    ],
)
def test_what_cannot_be_kept_by_anyone_is_refused(kernel: Kernel, line: str, said: str):
    assert kernel.run(line).refusal == said
    assert kernel.steps("number") == []
