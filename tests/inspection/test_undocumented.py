"""What has no docstring, counted in processes of its own."""

import ast
import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

import wfnb
from tests.inspection.repositories import repository, written
from wfnb.inspection import docstring_count
from wfnb.inspection.docstring_count import count_undocumented as count
from wfnb.inspection.result_types import UndocumentedFiles
from wfnb.inspection.undocumented import find_undocumented

WORDS = '"""Words."""\n'

COUNTS = [
    ("", 0),
    ("\n \n", 0),
    ("x = 1", 1),
    (WORDS, 0),
    (WORDS + "def f(): ...", 1),
    (WORDS + "def f():\n    'Words.'", 0),
    (WORDS + "async def f(): ...", 1),
    (WORDS + "def _f(): ...", 0),
    (WORDS + "def __f(): ...", 0),
    (WORDS + "def f():\n    'Words.'\n    def inner(): ...", 0),
    (WORDS + "class A:\n    def f(self): ...\n    def __init__(self): ...", 2),
    (WORDS + "class _A:\n    def f(self): ...", 0),
    (WORDS + "class A:\n    'Words.'\n    class B:\n        def f(self): ...", 2),
    (WORDS + "if True:\n    def f(): ...\nelse:\n    def g(): ...", 2),
    (WORDS + "try:\n    import a\nexcept E:\n    def g(): ...\nfinally:\n    class A: ...", 2),
    (WORDS + "@overload\ndef f(): ...\n@t.overload\ndef f(a): ...\ndef f(a=1):\n    'W.'", 0),
    (WORDS + "class A:\n    'W.'\n    @x.setter\n    def x(self, x): ...", 0),
    (WORDS + "@wraps(f)\ndef f(): ...", 1),
    ("'Words. \\d'", 0),
    ("# nothing else", 1),
    (WORDS + "def f():\n    ''\ndef g():\n    \"\"", 2),
    (WORDS + "def f():\n    ('Words.')\ndef g():\n    'W' 'ords.'", 0),
    (WORDS + "def f():\n    'a'.join(x)\ndef g():\n    f'{x}'\ndef h():\n    b'x'", 3),
    (WORDS + "def f(): ...\nif x:\n    def g(): ...", 2),
    (WORDS + "def f(): 'Words.'\nif x:\n    def g():\n        pass", 1),
    (WORDS + "def f(\n    a=(1, (2, g(3))),  # (\n    b=')',\n) -> A[1]:\n    'W.'\n    x", 0),
    (WORDS + "def f():\n    x = (\n1)\n    def g(): ...\ndef h(): ...", 2),
    (WORDS + "def f():\n    x = 1 + \\\n2\ndef h(): ...", 2),
    (WORDS + "def f():\n    x = '''\ndef g(): ...\n'''\ndef h(): ...", 2),
    (WORDS + "def f():\n# why\n    # and how\n\n    'Words.'\n    return 1", 0),
    (WORDS + "def f():\n    '''Words.'''; x = 1\ndef g():\n    x = '#'; '''\n    '''", 1),
    (WORDS + "class A:\n    'W.'\n    def f(self):\n        pass\n    x = 1\n    def g(s): ...", 2),
    (WORDS + "def f():\n\tif x:\n\t\tpass\n\tdef g(): ...", 1),
    (WORDS + "if x:\r\n    def f():\r\n        pass\r\n", 1),
    (WORDS + "async  def f ( ) :\n    pass\ndef g():\n    class A: ...", 2),
]


@pytest.mark.parametrize(("source", "missing"), COUNTS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
def test_what_is_public_and_has_no_words_counts(source: str, missing: int):
    assert count(source.encode()) == missing


OWN = sorted(Path(wfnb.__file__).parent.rglob("*.py"))
ASYNC = sorted(Path(asyncio.__file__).parent.glob("*.py"))


def test_it_is_as_much_as_in_the_whole_file(monkeypatch: pytest.MonkeyPatch):
    sources = {file: file.read_bytes() for file in (*OWN, *ASYNC)}
    quick = {file: count(source) for file, source in sources.items()}

    monkeypatch.setattr(docstring_count, "_parse_heads", ast.parse)

    assert quick == {file: count(source) for file, source in sources.items()}


def test_what_functions_do_is_not_parsed():
    source = "def f(a):\n    'Words.'\n    return 1\nclass A:\n    def g(self):\n        pass\n"

    short = ast.unparse(docstring_count._parse_heads(source.encode()))

    assert "return" not in short
    assert "pass" not in short
    assert "class A" in short


BROKEN = [
    "def f(:\n    pass",
    "class A:\nx = 1",
    "class A:\n  def f():\n    pass\n x",
    "x = 'a\n",
    "a\0",
]


@pytest.mark.parametrize("source", BROKEN)
def test_definitions_that_do_not_parse_are_not_counted(source: str):
    with pytest.raises((SyntaxError, ValueError)):
        count(source.encode())


def many(folder: Path) -> Path:
    written(folder, a="def f(): ...", fine=WORDS, empty="", bad="def", pkg__b="class A: ...")
    return folder


FOUND = UndocumentedFiles(
    folder="", files=(("a.py", 2), ("pkg/b.py", 2)), read=5, broken=("bad.py",)
)


def test_a_folder_is_counted(tmp_path: Path):
    folder = many(tmp_path)

    assert find_undocumented(folder) == replace(FOUND, folder=str(folder))


def test_ignored_files_do_not_count_nor_do_environments(tmp_path: Path):
    folder = many(repository(tmp_path / "git"))
    (folder / ".gitignore").write_text("made/\n")
    written(folder, made__c="x = 1")
    plain = many(tmp_path / "plain")
    written(plain, env__lib__c="x = 1", node_modules__c="x = 1")
    (plain / ".hidden").mkdir()
    written(plain / ".hidden", c="x = 1")
    (plain / "env" / "pyvenv.cfg").touch()

    assert find_undocumented(folder) == replace(FOUND, folder=str(folder))
    assert find_undocumented(plain) == replace(FOUND, folder=str(plain))


def test_several_processes_count_what_one_does(tmp_path: Path):
    names = {f"p{number % 7}__m{number}": "x = 1" for number in range(700)}
    folder = written(tmp_path, **names)

    seen = find_undocumented(folder)

    assert (seen.read, len(seen.files), seen.cut) == (700, 700, None)
    assert [path for path, _ in seen.files] == sorted(path for path, _ in seen.files)


def test_odd_names_are_counted_and_can_be_kept(tmp_path: Path):
    for name in (b"line\nbreak.py", b"\xff.py", "残差.py".encode(), b"-c.py"):
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x = 1")

    seen = find_undocumented(tmp_path)

    assert {path for path, _ in seen.files} == {"line\nbreak.py", "\\xff.py", "残差.py", "-c.py"}


def test_what_was_counted_is_kept_and_only_changes_are_read_again(tmp_path: Path):
    folder, cache = many(tmp_path / "f"), tmp_path / "home" / "cache"
    cache.parent.mkdir()
    first = find_undocumented(folder, cache)
    (kept,) = cache.glob("*.json")
    data = json.loads(kept.read_text())
    data["files"]["fine.py"][2] = 9  # as if it had been counted so
    kept.write_text(json.dumps(data))
    written(folder, a=WORDS)
    (folder / "pkg" / "b.py").unlink()

    seen = find_undocumented(folder, cache)

    assert first == replace(FOUND, folder=str(folder))
    assert seen.files == (("fine.py", 9),)
    assert set(json.loads(kept.read_text())["files"]) == {"a.py", "bad.py", "empty.py", "fine.py"}


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", '{"version": 1}', '{"files": {}}', "[" * 100_000]
)
def test_a_broken_cache_is_counted_anew(tmp_path: Path, broken: str):
    folder, cache = many(tmp_path / "f"), tmp_path / "home" / "cache"
    cache.parent.mkdir()
    find_undocumented(folder, cache)
    (kept,) = cache.glob("*.json")
    kept.write_text(broken)

    assert find_undocumented(folder, cache) == replace(FOUND, folder=str(folder))


def test_without_a_home_nothing_is_kept(tmp_path: Path):
    find_undocumented(many(tmp_path / "f"), tmp_path / "none" / "cache")

    assert not (tmp_path / "none").exists()


def test_no_time_to_count_is_said(tmp_path: Path):
    seen = find_undocumented(many(tmp_path), seconds=0.0)

    assert seen.cut == "it would have taken more than 0 s"


def test_a_file_that_is_too_large_is_not_read_and_named(tmp_path: Path):
    folder = many(tmp_path)
    written(folder, big="x = 1\n" * 333_334)

    seen = find_undocumented(folder)

    cut = "1 file was not read, larger than 2,000,000 bytes: big.py"
    assert seen == replace(FOUND, folder=str(folder), cut=cut)


def test_pipes_and_links_that_lead_nowhere_are_no_files(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("gone.py")
    (tmp_path / "folder.py").mkdir()

    assert find_undocumented(tmp_path) == UndocumentedFiles(folder=str(tmp_path))
