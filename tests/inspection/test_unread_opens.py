"""Which calls open a file of which nothing is read."""

import ast

import pytest

from wfnb.inspection.unread_opens import unread_opens

UNREAD = [
    "open(p)",
    "open(p).close()",
    "open(p).read(0)",
    "open(p).name",
    "print(open(p))",
    "with open(p): pass",
    "with open(p) as file:\n    file.tell()",
    "with open(p) as file:\n    print(file)",
    "for p in paths:\n    open(p).close()",
    "file = open(p)\nfile.seek(0)\nfile.close()",
    "Path(p).open().close()",
    "gzip.open(p).close()",
]
READ = [
    "open(p).read()",
    "open(p).read(1)",
    "open(p).readlines(0)",
    "open(p).read(size)",
    "list(open(p))",
    "with open(p) as file:\n    data = json.load(file)",
    "with open(p) as file:\n    for line in file: print(line)",
    "with open(p) as file:\n    file.close()\n    read(file)",
    "file = open(p)",  # a later cell may read it
    "file = open(p)\nnext(file)\nfile.close()",
    "Path(p).open().read()",
    "Image.open(p)",  # shown as a picture
    "webbrowser.open(p)",
    "db.open()",
]


@pytest.mark.parametrize("code", UNREAD)
def test_nothing_is_read_of_what_is_opened_and_no_more(code: str):
    assert len(unread_opens(ast.parse(code))) == 1


@pytest.mark.parametrize("code", ["p.open()", "with p.open(): pass", "p.open().close()"])
def test_a_name_that_holds_a_path_opens_a_file_as_that_does(code: str):
    assert len(unread_opens(ast.parse(code), ["p"])) == 1
    assert not unread_opens(ast.parse(code), ["q"])


@pytest.mark.parametrize("code", READ)
def test_what_is_read_handed_on_or_kept_open_may_be_read(code: str):
    assert not unread_opens(ast.parse(code))
