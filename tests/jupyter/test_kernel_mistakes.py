"""A mistake is told in one line, without a traceback, and nothing is recorded."""

import pytest

from tests.jupyter.kernel import Kernel, running

pytestmark = pytest.mark.kernel

OPTIONS = "Options: --total, --done,"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory):
    """A session of two steps and a branch; no mistake changes it."""
    with running(tmp_path_factory.mktemp("kernel")) as kernel:
        kernel.ok("%wfnb start demo --strategy react")
        kernel.ok("%step 1/9 One")
        kernel.ok("%step Two")
        kernel.ok("%branch alt --from 1 Other")
        yield kernel


LINES = {
    # words
    "%step --": "step_description is ''. It needs words that say what is meant.",
    '%step ""': "step_description is ''. It needs words that say what is meant.",
    "%step 3/4": "step_description is ''. It needs words that say what is meant.",
    '%step "unclosed': "%%step: a quote is not closed. Close it, or write \\' or \\\" for",
    "%step 'unclosed": "%%step: a quote is not closed. Close it, or write \\' or \\\" for",
    "%step back\\": "%%step: a backslash stands at the end. Write two for the sign itself.",
    "%step a\x00b": "step_description holds the control character U+0000 at character 2. Take",
    "%step a\x1b[31mb": "step_description holds the control character U+001B at character 2.",
    "%step a\x9bb": "step_description holds the control character U+009B at character 2.",
    "%step " + "x" * 100_001: "step_description has 100,001 characters; 100,000 are kept at most.",
    # numbers
    "%step 0 Zero": "step_number is '0'. It needs a whole number from 1",
    "%step -1 Less": "step_number is '-1'. It needs a whole number from 1",
    "%step 2.5 Half": "step_number is '2.5'. It needs a whole number from 1",
    "%step 1e3 Big": "step_number is '1e3'. It needs a whole number from 1",
    "%step 12345678901 Big": "step_number is '12345678901'. It needs a whole number from 1",
    "%step 1/0 One": "total_steps is '0'. It needs a whole number from 1",
    "%step 1/x One": "total_steps is 'x'. It needs a whole number from 1",
    "%step 1/ One": "total_steps is ''. It needs a whole number from 1",
    "%step One --total=0": "total_steps is '0'. It needs a whole number from 1",
    "%step One --total many": "total_steps is 'many'. It needs a whole number from 1",
    "%step One --total=": "total_steps is ''. It needs a whole number from 1",
    "%step One --revises 0": "revises_step is '0'. It needs a whole number from 1",
    "%step One --revises 7": "There is no step 7 on 'main'. Steps there: 1, 2.",
    "%step 2 Two --revises 2": "Step 2 cannot revise step 2: a revision comes after what it",
    # options
    "%step One --nope": f"%%step: there is no option --nope. Did you mean '--no-pause'? {OPTIONS}",
    "%step One --tot 3": f"%%step: there is no option --tot. Did you mean '--total'? {OPTIONS}",
    "%step One --more --no-more": "%%step: --more and --no-more contradict each other. Write one.",
    "%run_workflow --resume x-1 --again --done": (
        "%%run_workflow: --again and --done contradict each other. Write one."
    ),
    "%step One -x": f"%%step: there is no option -x. {OPTIONS}",
    "%step One --done=1": f"%%step: --done takes no value. {OPTIONS}",
    "%step One --stage": f"%%step: --stage needs one value: --stage S. {OPTIONS}",
    "%step One --stage --quiet": f"%%step: --stage needs one value: --stage S. {OPTIONS}",
    # stages and fields
    "%step One --stage nope": "react has no stage 'nope'. Next: action_planning.",
    "%step One --stage final_response": "Stage 'final_response' cannot follow 'initial_reas",
    "%step One --set": f"%%step: --set needs one value: --set KEY=VALUE. {OPTIONS}",
    "%step One --set key": "%%step: --set 'key' is no KEY=VALUE. Written: --set action=probe",
    "%step One --set =1": "%%step: --set '=1' is no KEY=VALUE. Written: --set action=probe",
    "%step One --set k=[": "field 'k' is '['. It needs a YAML value (",
    "%step One --set k=!!python/name:os.system": "field 'k' is '!!python/name:os.system'. It",
    "%step One --set k=.inf": "field 'k' is 'inf'. It needs ",
    "%step One --set 'k=&a [*a]'": "field 'k' is '&a [*a]'. It needs a YAML value (it uses",
    "%step One --set k=" + "[" * 30 + "]" * 30: "field 'k' is '[[",
    '%step One --set k="a\x07b"': "field 'k' is",
    "%step One --set k=" + "x" * 100_001: "field 'k' has 100,001 characters; 100,000 are kept",
    "%step One --value =1": "%%step: --value '=1' has no name. Written: --value rmse, or --value",
    "%step One --value ''": "%%step: --value '' has no name. Written: --value rmse, or --value",
    # branches
    "%branch --from 1": "%%branch: it needs a branch. Written: %%branch ID [--from N] [TITLE …]",
    "%branch <b>x</b> Title": "branch_id is '<b>x</b>'. It needs up to 80 letters, digits or ",
    "%branch '\" onload=\"' Title": "branch_id is '\" onload=\"'. It needs up to 80 letters",
    "%branch 'a b' Title": "branch_id is 'a b'. It needs up to 80 letters, digits or . _ + / -",
    "%branch ../x Title": "branch_id is '../x'. It needs up to 80 letters, digits or . _ + / -",
    "%branch '' Title": "branch_id is ''. It needs up to 80 letters, digits or . _ + / -",
    "%branch " + "x" * 81 + " Title": "branch_id is 'xxxxxxxx",
    "%branch main --from 1 Title": "`main` is the first line and cannot be made again. Name a",
    "%branch new --from 99 Title": "There is no step 99 on 'main'. Steps there: 1, 2.",
    "%branch new --from x Title": "branch_from_step is 'x'. It needs a whole number from 1.",
    "%branch new --from nope:1 Title": "No branch is called 'nope'. Branches: main, alt.",
    "%branch alt --from 2 Title": "Branch 'alt' left step 1, not 2. Continue it by its name alone",
    "%step 1 One --branch alt": "Step 1 cannot be on branch 'alt', which left step 1. Its first",
    "%step One --from 1": "branch_id is ''. It needs the name of the branch that leaves step 1.",
    # verbs
    "%wfnb xyzzy": "%wfnb: there is no verb 'xyzzy'. `%wfnb` lists all verbs.",
    "%wfnb statsu": "%wfnb: there is no verb 'statsu'. Did you mean 'status'? `%wfnb` lists",
    "%wfnb status x": "%wfnb status: 'x' is one word too many. Written: %wfnb status [--json]",
    "%wfnb status --jso": "%wfnb status: there is no option --jso. Did you mean '--json'? Opti",
    "%wfnb redo --json": "%wfnb redo: there is no option --json. It takes no options.",
    "%wfnb start": "%wfnb start: it needs a name. Written: %wfnb start NAME [--strategy S]",
    "%wfnb start demo": "Session 'demo' exists, with 3 steps. `%wfnb open demo` goes on with",
    "%wfnb start other --strategy nope": "No strategy is called 'nope'. Strategies: base_seq",
    "%wfnb start 'a\tb'": "session is 'a\\tb'. It needs words on one line.",
    "%wfnb start ' '": "session is ",
    "%wfnb start " + "x" * 121: "session has 121 characters; 120 are kept at most.",
    "%wfnb resume": "%wfnb resume: it needs a name. Written: %wfnb resume NAME",
    "%wfnb resume nope": "No session is called 'nope'. Sessions: demo.",
    "%wfnb switch nope": "No branch is called 'nope'. Branches: main, alt.",
    "%wfnb strategy raect": "No strategy is called 'raect'. Did you mean 'react'? Strategies:",
    "%wfnb strategy ../react": "No strategy is called '../react'.",
    "%wfnb stages nope": "No strategy is called 'nope'. Strategies:",
    "%wfnb graph x": "No run and no saved workflow is called 'x'. Runs: none yet.",
    "%wfnb compare nope": "No branch is called 'nope'. Branches: main, alt.",
    "%wfnb score alt": "%wfnb score: it needs a branch and a score. Written: %wfnb score ID SCORE",
    "%wfnb score alt high": "score is 'high'. It needs a number such as 0.8.",
    "%wfnb score alt nan": "score is 'nan'. It needs a number such as 0.8.",
    "%wfnb score alt 1 2": "%wfnb score: '2' is one word too many.",
    "%wfnb score nope 1": "No branch is called 'nope'. Branches: main, alt.",
    "%wfnb score alt 1 --reason 'a\x00b'": "reason holds the control character U+0000",
    "%wfnb select nope": "No branch is called 'nope'. Branches: main, alt.",
    "%wfnb merge main": "`main` is the first line and cannot be merged. Name a branch.",
    "%wfnb merge alt --into alt": "Branch 'alt' cannot be merged into itself. Other lines: main.",
    "%wfnb merge alt --into nope": "No branch is called 'nope'. Branches: main, alt.",
    "%wfnb abandon main": "`main` is the first line and cannot be abandoned. Name a branch.",
    "%wfnb revise 1": "%wfnb revise: it needs the number of a step and a title. Written: %wfnb",
    "%wfnb revise one Title": "revises_step is 'one'. It needs a whole number from 1.",
    "%wfnb confirm 77": "There is no step 77 on 'main'. Steps there: 1, 2.",
    "%wfnb confirm one": "step is 'one'. It needs a whole number from 1.",
    "%wfnb redo": "There is nothing to redo: nothing was undone since the last change.",
    "%wfnb log --last 0": "--last is '0'. It needs a whole number from 1.",
    "%wfnb export": "%wfnb export: it needs a file. Written: %wfnb export FILE [--force]",
    "%wfnb export a.foo": "file is 'a.foo'. It needs one of the endings .md, .html, .json, .svg,",
    "%wfnb export kernel.json": "file is 'kernel.json'. It needs a free name: it exists and is not",
    "%wfnb export kernel.json/a.md": "file is 'kernel.json/a.md'. It needs a place that can be",
    "%wfnb help nope": "%wfnb: there is no verb 'nope'. Did you mean 'open'? `%wfnb` lists",
}


@pytest.mark.parametrize(("line", "said"), LINES.items(), ids=lambda text: repr(text[:40]))
def test_a_mistake_is_told_in_one_line_and_nothing_is_recorded(
    prepared: Kernel, line: str, said: str
):
    before = prepared.status()

    ran = prepared.run(line)

    assert ran.refusal.startswith(said)
    assert len(ran.refusal) < 400
    assert ran.kinds.count("display_data") == 0
    assert prepared.status() == before


@pytest.mark.parametrize("line", ["%step One --nope", "%step One --stage nope", "%step 0 Zero"])
def test_the_body_of_a_refused_cell_does_not_run(prepared: Kernel, line: str):
    ran = prepared.run(f"%{line}\nreached = True")

    assert ran.refusal
    assert prepared.ok("'reached' in dir()").value == "False"


def test_a_refused_step_later_in_a_cell_leaves_the_one_before(kernel: Kernel):
    ran = kernel.run("%step One\nx = 1\n%step 0 Two\nx = 2")

    assert ran.refusal.startswith("step_number is '0'.")
    assert kernel.ok("x").value == "1"
    assert kernel.steps("description", "outcome") == [("One", "failed")]


def test_text_that_is_no_unicode_is_refused(kernel: Kernel):
    ran = kernel.run("get_ipython().run_line_magic('step', 'a\\ud800')")

    assert ran.refusal.startswith("step_description is no Unicode text at character 2.")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("%step Don't panic", "Don't panic"),
        ("%step It's John's 'own words'", "It's John's own words"),
        ("%step -- --done is not an option here", "--done is not an option here"),
        ("%step A - B -- C", "A - B C"),
        ("%step '3 or 4'", "3 or 4"),
        ("%step 100% sure", "100% sure"),
        ("%step 5-fold", "5-fold"),
        ("%step a=b {c} $d `e` ~f *g* #h", "a=b {c} $d `e` ~f *g* #h"),
        ("%step é ü 漢字 🎉 \u202e", "é ü 漢字 🎉 \u202e"),
        ('%step "two  blanks"', "two  blanks"),
        ("%step !ls; rm & | > <", "!ls; rm & | > <"),
        ("%step C:\\\\temp", "C:\\temp"),
    ],
    ids=lambda text: text[:30],
)
def test_a_title_is_what_is_written(kernel: Kernel, line: str, title: str):
    assert kernel.ok(line).answer["last_step_description"] == title


@pytest.mark.parametrize(
    "title",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "</pre></details><svg onload=alert(1)>",
        "[click](javascript:alert(1))",
        "![x](http://example.org/x.png)",
        "&lt;script&gt;",
    ],
)
def test_html_in_a_title_is_shown_and_not_obeyed(kernel: Kernel, title: str):
    told = kernel.ok(f"%step -- {title}")
    drawn = [kernel.ok(line) for line in ("%wfnb status", "%wfnb graph", "%wfnb compare")]

    assert told.answer["last_step_description"] == title
    for ran in (told, *drawn):
        html = ran.shown[0]["text/html"]
        assert "<script" not in html
        assert "<img" not in html
        assert "<svg onload" not in html
        assert 'href="javascript' not in html
