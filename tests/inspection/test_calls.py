"""Which call leads where, in real files."""

from pathlib import Path

import pytest

from tests.inspection.repositories import written
from wfnb.core.findings import Call, CallPath
from wfnb.errors import NameNowhere
from wfnb.inspection import call_graph

PARSE = """\
import json
print("this file was run")
open("proof", "w")

class Parser:
    def __init__(self):
        self.reset()

    def reset(self):
        self.seen = len([])

    def read(self, text):
        return tidy(json.loads(text))

def tidy(value):
    return tidy(value[0]) if value else str.strip("")

async def late():
    return await other()

async def other(): ...
"""
MAIN = """\
from pkg.parse import Parser as P, tidy

def main():
    parser = P()
    parser.read("")
    unknown(1)

def wrong(x):
    x.read()

main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path, pkg____init__="", pkg__parse=PARSE, main=MAIN, bad="def (")


def told(seen: CallPath) -> list[tuple[str, str, str, int, bool | None]]:
    return [(call.caller, call.callee, call.path, call.line, call.inside) for call in seen.calls]


def test_a_path_goes_from_call_to_call_and_back_to_the_callers(folder: Path):
    seen = call_graph.path("main", folder)

    assert (seen.target, seen.path, seen.line, seen.also) == ("main", "main.py", 3, ())
    assert told(seen) == [
        ("main.py", "main", "main.py", 11, True),
        ("main", "Parser", "main.py", 4, True),
        ("main", "Parser.read", "main.py", 5, True),
        ("main", "unknown", "main.py", 6, None),
        ("Parser.__init__", "Parser.reset", "pkg/parse.py", 7, True),
        ("Parser.read", "tidy", "pkg/parse.py", 13, True),
        ("Parser.read", "json.loads", "pkg/parse.py", 13, False),
        ("tidy", "tidy", "pkg/parse.py", 16, True),
    ]


def test_nothing_is_run(folder: Path, capsys: pytest.CaptureFixture[str]):
    call_graph.path("main", folder)

    assert capsys.readouterr().out == ""
    assert not Path("proof").exists()
    assert not (folder / "proof").exists()


def test_callers_that_are_not_sure_are_counted(folder: Path):
    seen = call_graph.path("pkg.parse.Parser.read", folder)

    assert told(seen)[0] == ("main", "Parser.read", "main.py", 5, True)
    assert seen.cut == "a call of something named read may mean it or not"


def test_a_class_is_all_of_its_methods(folder: Path):
    callers = {call.caller for call in call_graph.path("Parser", folder).calls}

    assert callers == {"main", "Parser.__init__", "Parser.read", "tidy"}


def test_async_functions_are_followed(folder: Path):
    assert told(call_graph.path("late", folder)) == [("late", "other", "pkg/parse.py", 19, True)]


def test_definitions_of_one_name_are_all_followed(folder: Path):
    written(folder, second="def tidy():\n    helper()\n\ndef helper(): ...\n")

    seen = call_graph.path("tidy", folder)

    assert (seen.path, seen.also) == ("pkg/parse.py", ("second.py:1",))
    assert Call(caller="tidy (second.py)", callee="helper", path="second.py", line=2) in seen.calls
    assert call_graph.path("second.tidy", folder).also == ()


def test_a_long_way_is_cut(tmp_path: Path):
    chain = "".join(f"def f{number}():\n    f{number + 1}()\n" for number in range(9))
    wide = "def g():\n" + "".join(f"    h{number}()\n" for number in range(9))
    written(tmp_path, chain=chain, wide=wide)

    assert len(call_graph.path("f0", tmp_path, depth=3).calls) == 3
    assert call_graph.path("f0", tmp_path, depth=3).cut == "it goes on below 3 calls"
    assert len(call_graph.path("g", tmp_path, most=5).calls) == 5
    assert call_graph.path("g", tmp_path, most=5).cut == "there are more than 5 calls"
    few = call_graph.path("g", tmp_path, most_asked=3)
    assert len(few.calls) == 3
    assert few.cut == "of 3 calls it was asked what they mean, and there are more"
    assert few == call_graph.path("g", tmp_path, most_asked=3)


def test_circles_end(tmp_path: Path):
    written(tmp_path, a="def f():\n    g()\n\ndef g():\n    f()\n")

    assert {(call.caller, call.callee) for call in call_graph.path("f", tmp_path).calls} == {
        ("f", "g"),
        ("g", "f"),
    }


@pytest.mark.parametrize(
    "name", ["pars", "", ".", "(", "Parser.gone", "残差", "a" * 10_000, "\ud800"]
)
def test_a_name_that_is_nowhere_is_refused(folder: Path, name: str):
    with pytest.raises(NameNowhere) as refused:
        call_graph.path(name, folder)

    if name == "pars":
        assert "Did you mean" in str(refused.value) or "look outline" in str(refused.value)
