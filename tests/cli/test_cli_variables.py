"""`wfnb run --var`: a variable that nothing uses is told, and text stays as it was written."""

from .command import Desk, steps


def test_a_variable_that_nothing_uses_is_told_before_anything_runs(desk: Desk):
    file = desk.write(steps("echo {env!q}", variables={"env": {"default": "dev"}}))
    doubt = "! No placeholder or condition uses 'evn'. Did you mean 'env'?"

    said = desk.wfnb("run", file, "--var", "evn=prod")
    quiet = desk.wfnb("run", file, "--var", "evn=prod", "--json")
    checked = desk.wfnb("check", file, "--var", "evn=prod")

    assert said.lines[:2] == [doubt, "work-1 started: 1 step"]
    assert said.lines.count(doubt) == 1
    assert (quiet.data["warnings"], quiet.err) == ([doubt[2:]], f"{doubt}\n")
    assert (checked.code, checked.lines) == (0, [f"{file}: ✓ can run · 1 warning", doubt])


TEXTS = {
    "name": "texts",
    "variables": {
        "version": "1.0",
        "sha": {"type": "string"},
        "stage": {"choices": ["1", "2"]},
        "count": 3,
        "pair": {"default": None},
    },
    "steps": [
        {"id": "a", "tool": "shell", "args": {"command": "test -e gone"}},
    ],
}


def test_a_variable_that_is_text_takes_the_words_as_they_were_written(desk: Desk):
    file = desk.write(TEXTS)
    words = ["version=1.10", "sha=1234e56", "stage=2", "count=0x10", "pair=[1, a]"]
    given = [word for pair in words for word in ("--var", pair)]

    began = desk.wfnb("run", file, *given, "--json").data["final_variables"]
    again = desk.wfnb("resume", "texts-1", "--var", "sha=0123", "--var", "version=a: b", "--json")
    marks = ["--var", 'sha="0\\t1"', "--var", "version='1'", *given[4:]]
    quoted = desk.wfnb("run", file, *marks, "--json")

    names = ("version", "sha", "stage", "count", "pair")
    assert [began[name] for name in names] == ["1.10", "1234e56", "2", 16, [1, "a"]]
    assert [again.data["final_variables"][name] for name in names[:2]] == ["a: b", "0123"]
    assert [quoted.data["final_variables"][name] for name in names[:2]] == ["'1'", '"0\\t1"']
