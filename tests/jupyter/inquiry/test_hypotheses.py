"""A hypothesis stands until a person, or a step that is evidence, confirms or refutes it."""

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

LONG = "the importer drops the second half of every month " * 3


def fates(kernel: Kernel) -> list[tuple[str, str, str]]:
    found = kernel.status()["investigation"]["hypotheses"]
    return [(each["text"], each["fate"], each["why"]) for each in found]


@pytest.fixture
def crash(kernel: Kernel) -> Kernel:
    kernel.ok("%wfnb kind debug --no-pause")
    kernel.ok("%step 1/4 Readings are lost")
    line = '%step Days are missing --hypothesis "days are missing in February" --confidence low'
    kernel.ok(line)
    return kernel


def test_an_end_that_is_certain_of_something_else_confirms_nothing(crash: Kernel):
    more = f'--finding "{LONG}" --relevant kernel.json'
    crash.ok(f"%step It is the importer {more} --confidence very_high")
    crash.ok("%step Mended --confidence certain --done")

    assert fates(crash) == [("days are missing in February", "standing", "")]
    assert "✓ confirmed" not in crash.ok("%wfnb findings").text


def test_a_person_refutes_it_with_a_reason(crash: Kernel):
    said = crash.ok('%wfnb hypothesis refute 1 --reason "the days are there"')

    assert said.text == "refuted: days are missing in February"
    assert fates(crash) == [
        ("days are missing in February", "refuted", "by a person: the days are there")
    ]
    assert "✕ refuted · by a person: the days are there" in crash.ok("%wfnb findings").text


def test_of_one_that_was_withdrawn_it_is_not_said_that_it_is_confirmed(crash: Kernel):
    crash.ok("%wfnb backtrack 2")

    said = crash.ok("%wfnb hypothesis confirm 1").text

    assert said == (
        "noted as confirmed, and still withdrawn: days are missing in February · "
        "no step that counts says it"
    )
    assert fates(crash) == [("days are missing in February", "withdrawn", "")]


@pytest.mark.parametrize("named", ["1", '"Days are missing in February"'])
def test_a_step_is_evidence_for_it(crash: Kernel, named: str):
    crash.ok(f"%step They are not there --confirms {named}")

    assert fates(crash) == [("days are missing in February", "confirmed", "by step 3")]


def test_a_header_and_the_api_say_it_too(crash: Kernel):
    crash.ok("%%step Count\n---\nrefutes: 1\n---")
    assert fates(crash)[0][1:] == ("refuted", "by step 3")

    crash.ok("import wfnb; ws = wfnb.open('demo'); ws.step('Count again', confirms=1)")
    assert fates(crash)[0][1:] == ("confirmed", "by step 4")

    crash.ok("ws.investigation.judge(1, 'refuted', 'both were wrong')")
    assert fates(crash)[0][1:] == ("refuted", "by a person: both were wrong")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("%wfnb hypothesis refute 7", "No hypothesis is '7'. Hypotheses: 1 'days are missing in"),
        ("%wfnb hypothesis deny 1", "'deny' is neither confirm nor refute."),
        ("%wfnb hypothesis confirm", "it needs confirm or refute and a hypothesis."),
        ("%step Count --refutes the-sun", "No hypothesis is 'the-sun'."),
    ],
)
def test_what_is_no_hypothesis_is_refused(crash: Kernel, line: str, says: str):
    assert says in crash.run(line).refusal
