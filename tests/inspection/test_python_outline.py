"""What a Python file defines and calls."""

import os
from pathlib import Path

import pytest

from wfnb.inspection.python_outline import Unreadable, outline, parse_source
from wfnb.inspection.result_types import Definition, Outline

SOURCE = '''\
"""Words."""
import functools

start()

@functools.cache
@late(1)
def cached(a=default(), *, b=other()):
    """Words."""
    def inner():
        return leaf(a)
    return inner() + [each.real() for each in a]

class Parser(Base()):
    @property
    def name(self): return self._name.strip()

    async def read(self):
        """Words."""
        await self.next()
        self.items[0].go().on()

    class Part:
        def of(self): ...

if True:
    try:
        def under(): return cached()
    except ImportError:
        class Under: ...
else:
    match start:
        case 1:
            def matched(): "Words."
lambda: anonymous()
'''


def test_definitions_are_told_with_what_is_around_them(tmp_path: Path):
    (tmp_path / "a.py").write_text(SOURCE)

    assert outline(tmp_path / "a.py", tmp_path) == Outline(
        path="a.py",
        lines=35,
        documented=True,
        definitions=(
            Definition(
                name="cached",
                kind="function",
                line=8,
                end=12,
                documented=True,
                calls=("inner", "each.real"),
            ),
            Definition(name="cached.inner", kind="function", line=10, end=11, calls=("leaf",)),
            Definition(name="Parser", kind="class", line=14, end=24),
            Definition(
                name="Parser.name", kind="method", line=16, end=16, calls=("self._name.strip",)
            ),
            Definition(
                name="Parser.read",
                kind="method",
                line=18,
                end=21,
                documented=True,
                calls=("self.next", "….on", "….go"),
            ),
            Definition(name="Parser.Part", kind="class", line=23, end=24),
            Definition(name="Parser.Part.of", kind="method", line=24, end=24),
            Definition(name="under", kind="function", line=28, end=28, calls=("cached",)),
            Definition(name="Under", kind="class", line=30, end=30),
            Definition(name="matched", kind="function", line=34, end=34, documented=True),
        ),
    )


def test_decorators_defaults_and_bases_are_called_by_who_defines():
    calls = [call.name for call in parse_source(SOURCE.encode()).calls]

    assert calls == ["start", "late", "default", "other", "Base", "anonymous"]


def test_a_call_is_where_its_name_ends_in_characters():
    (first, second) = parse_source("x = 'é'; é.ü(\n  f())\n".encode()).calls

    assert (first.name, first.line, first.end, first.place) == ("é.ü", 1, 1, 12)
    assert (second.name, second.line, second.end, second.place) == ("f", 2, 2, 3)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"x = 1\ndef f(:\n", "line 2: invalid syntax"),
        (b"\0", "source code string cannot contain null bytes"),
        (b"# coding: no-such\n", "unknown encoding: no-such"),
        (b"\xff", "line 1: "),
        (b"(" * 1_000, "line 1: too many nested parentheses"),
        (b"-" * 200_000 + b"1", ""),
    ],
)
def test_what_does_not_parse_says_why(data: bytes, why: str):
    with pytest.raises(Unreadable) as refused:
        parse_source(data)

    assert why in str(refused.value)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfdef f(): g()\n",
        b"# coding: latin-1\ndef f(): '\xe9'; g()\n",
        b"# x\r\ndef f():\r\n    g()\r\n",
        b"# x\rdef f():\r    g()\r",
        b"def f():\n    '\\d'\n    g()\n",
        b"def f():\n    '''a\x0cb\xc2\x85'''\n    g()\n",
    ],
)
def test_files_of_all_kinds_are_read(data: bytes):
    (found,) = parse_source(data).definitions

    assert (found.definition.name, found.definition.calls) == ("f", ("g",))


def test_what_is_no_python_file_is_an_outline_with_an_error(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x = 1")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "big.py").write_bytes(b"#" * 2_000_001)
    os.mkfifo(tmp_path / "pipe.py")

    def error(name: str) -> str | None:
        return outline(tmp_path / name, tmp_path).error

    assert error("a.txt") == "it is no Python file"
    assert error("folder.py") == error("pipe.py") == "it is no file"
    assert error("gone.py") == "No such file or directory"
    assert error("big.py") == "it is larger than 2,000,000 bytes"


def test_an_empty_file_defines_nothing(tmp_path: Path):
    (tmp_path / "__init__.py").touch()

    assert outline(tmp_path / "__init__.py", tmp_path) == Outline(path="__init__.py")


def test_ten_thousand_functions_in_each_other_are_read_or_refused():
    deep = "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(90)) + " " * 90 + "pass\n"

    assert len(parse_source(deep.encode()).definitions) == 90
    with pytest.raises(Unreadable):
        parse_source(deep.replace("pass", "(" * 300 + ")" * 300).encode())
