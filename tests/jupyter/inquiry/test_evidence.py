"""Fifty ways to cheat an investigation, none of which ends it early; twenty honest ways to look,
none of which is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.kernel import Kernel

pytestmark = pytest.mark.kernel

HELD = "Nothing new was looked at since step 1."
SURE = "%step It is the reader --confidence certain --done"
WORDS = '--finding "an empty text leaves the loop before anybody asks whether its end was seen"'
IDLE_CELLS = (
    "1",
    "pass",
    "None",
    "...",
    "[]",
    "'looked'",
    "f'{1}'",
    "x = 1",
    "x = 2\nx",
    "x, y = 1, 2\nprint(x + y)",
    "2 + 2",
    "1 / 0",
    "True and False",
    "print()",
    "print('hello')",
    "len('abc')",
    "sorted([3, 1, 2])",
    "[n * n for n in range(3)]",
    "for n in range(3):\n    print(n)",
    "import os",
    "from math import pi",
    "import os\nos",
    "import parse",
    "from parse import read\nread",
    "import math\nmath.sqrt(2)",
    "import time\ntime.time()",
    "import random\nrandom.random()",
    "import uuid\nuuid.uuid4()",
    "from datetime import datetime\ndatetime.now()",
    "def f(): pass",
    "def f():\n    pass\nf()",
    "def f(x):\n    return x\nprint(f(1))",
    "class A: ...",
    "lambda: 1",
    "?print",
    "print?",
    "%%writefile note.txt\nlooked",
    "%pwd",
    "%whos",
    "!true",
    "!echo looked",
    "!echo parse.py",
    "!sleep 0",
    "!date",
    "%%bash\necho looked",
    "%wfnb call sleep seconds=0",
    '%wfnb call shell command="echo looked"',
    "_",
    "exec('1')",
    "open('note.txt', 'w').write('looked')",
    "open('parse.py')",
    "open('parse.py').close()",
    "open('parse.py').read(0)",
    "with open('parse.py') as file:\n    pass",
    "for name in ['parse.py', 'data.csv']:\n    open(name).close()",
    "from pathlib import Path\nPath('parse.py').open().close()",
    "file = open('parse.py')\nfile.close()",
    "!python -c 'import random; print(random.random())'",
    "!awk 'BEGIN{srand(); print rand()}'",
    "!echo $RANDOM",
    "!uuidgen",
    "!head -c 4 /dev/urandom | xxd",
    "!cat /proc/uptime",
    "!echo $(date)",
    "import os\nos.system('true')",
    "import subprocess\nsubprocess.run(['echo', 'looked'])",
    "!bash -c 'echo looked'",
    "%%python\nprint(1)",
    "!expr 1 + 1",
    "!head -c0 parse.py",
    "!false && cat parse.py",
    "!true || cat parse.py",
    'import json\njson.dumps({"a": 1})',
    "import os\nos.path.basename('parse.py')",
    "read = open('parse.py').read",
    "if False:\n    parse.read('a')",
    "0 and parse.read('a')",
    "for text in []:\n    parse.read(text)",
)
CLAIMS = {
    "a finding of one sign": f'--finding "{"a" * 120}" --relevant parse.py',
    "a finding of one word": f'--finding "{"looked " * 30}" --relevant parse.py',
    "a file that nothing opened": f"{WORDS} --relevant parse.py",
    "a file of the system": f"{WORDS} --relevant /etc/passwd",
    "a name that nothing used": f"{WORDS} --context read",
    "no file": WORDS,
    "an issue alone": "--issue high:bad --relevant parse.py",
}


@pytest.fixture
def here(kernel: Kernel, tmp_path: Path) -> Iterator[Kernel]:
    """A folder with a module, and an investigation whose first step is done."""
    (tmp_path / "parse.py").write_text("def read(text):\n    return text.split()[0]\n")
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    kernel.ok(f"%cd -q {tmp_path}")
    kernel.ok(f"import os; os.environ['JPY_SESSION_NAME'] = {str(tmp_path / 'n.ipynb')!r}")
    kernel.ok("import sys; sys.modules.pop('parse', None); sys.path[:0] = [os.getcwd()]")
    kernel.ok("data = [n for n in open('data.csv')]\nimport parse")
    kernel.ok("%wfnb start crash --kind debug")
    kernel.ok("%step 1/4 Empty input crashes the parser")
    yield kernel
    kernel.ok("del os.environ['JPY_SESSION_NAME'], sys.path[0]")


@pytest.mark.parametrize("cell", IDLE_CELLS)
def test_a_cell_that_shows_nothing_but_itself_is_no_look(here: Kernel, cell: str):
    here.run(cell)

    assert here.run(f"{SURE} --relevant parse.py").refusal.startswith(HELD)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_ends_nothing(here: Kernel, claim: str):
    here.ok("len(data)")
    answer = here.ok(f"{SURE} {claim}").answer

    assert answer["next_step_needed"] is True
    assert answer["end"].startswith("not ended: what is missing: ")


AGAIN = {
    "the same cell": ("parse.read('a')", "parse.read('a')"),
    "the same with a comment": ("parse.read('a')", "parse.read( 'a' )  # once more"),
    "the same look": ("%wfnb look parse.py", "%wfnb look parse.py"),
    "the same program": ("!cat parse.py", "!cat parse.py"),
    "the same call of a tool": ("%wfnb call read path=parse.py", "%wfnb call read path=parse.py"),
}


@pytest.mark.parametrize(("first", "second"), AGAIN.values(), ids=AGAIN)
def test_what_was_looked_at_and_is_as_it_was_is_nothing_new(here: Kernel, first: str, second: str):
    here.ok(first)
    here.ok("%step It is the reader")
    here.ok(second)

    refusal = here.run("%step It is the end").refusal

    assert refusal.startswith("Nothing new was looked at since step 2.")


@pytest.mark.parametrize("look", ["parse.read('a')", "%wfnb look parse.py", "!cat parse.py"])
def test_what_has_changed_since_is_new(here: Kernel, look: str):
    here.ok(look)
    here.ok("%step It is the reader")
    here.ok("_ = open('parse.py', 'a').write('# mended')")
    here.ok(look)

    assert here.ok("%step It is the end").answer["step_number"] == 3


HONEST = (
    "parse.read('a b')",
    "parse.read('')",
    "data",
    "data[-1:]",
    "len(data)",
    "print(data[0])",
    "open('data.csv').read()",
    "from pathlib import Path\nPath('parse.py').read_text()",
    "import inspect\nprint(inspect.getsource(parse.read))",
    "import parse\n[parse.read(text) for text in ('a', 'b c')]",
    "result = parse.read('x')",
    "assert parse.read('a') == 'a'",
    "import sys\nsys.version",
    "import os\nos.listdir('.')",
    "import subprocess\nsubprocess.run(['cat', 'parse.py'], capture_output=True).stdout",
    "!cat parse.py",
    "!grep -n split parse.py",
    "!ls",
    "!bash -c 'cat parse.py'",
    "!false; cat parse.py",
    "!false || cat parse.py",
    "!true && cat parse.py",
    "import os\nos.system('cat parse.py')",
    "import json\njson.dumps(data)",
    "import os\nos.path.getsize('parse.py')",
    "import os\nos.path.exists('parse.py')",
    "%%python\nprint(open('parse.py').read())",
    "%%bash\nhead -1 parse.py",
    "parse.read?",
    "%timeit -n1 -r1 parse.read('a')",
    "%wfnb look parse.py",
    "%wfnb look outline parse.py",
    "%wfnb call shell command='cat parse.py'",
    "%wfnb call read path=parse.py",
)


@pytest.mark.parametrize("cell", HONEST)
def test_an_honest_look_lets_the_next_step_through(here: Kernel, cell: str):
    here.run(cell)

    assert here.ok("%step It is the reader").answer["step_number"] == 2


EARNED = {
    "its code was called": ("parse.read('a b')", "--relevant parse.py"),
    "it was opened": ("print(open('parse.py').read())", "--relevant parse.py"),
    "a program read it": ("!cat parse.py", "--relevant parse.py"),
    "it was looked at": ("%wfnb look parse.py", "--relevant parse.py"),
    "its folder": ("%wfnb look parse.py", "--relevant ."),
    "a name was used": ("parse.read('a b')", "--context read"),
}


@pytest.mark.parametrize(("cell", "about"), EARNED.values(), ids=EARNED)
def test_evidence_ends_it(here: Kernel, cell: str, about: str):
    here.ok(cell)
    answer = here.ok(f"{SURE} {WORDS} {about}").answer

    assert answer["end"] == "certain at step 2 of 4, with enough evidence"
    assert answer["next_step_needed"] is False


NOT_TAKEN = (
    "if len(data) > 99:\n    print(open('parse.py').read())",
    "if len(data) > 99:\n    parse.read('a b')",
    "if len(data) > 99:\n    !cat parse.py",
    "len(data) > 99 and parse.read('a b')",
    "parse.read('a b') if len(data) > 99 else 0",
    "try:\n    len(data)\nexcept OSError:\n    parse.read('a b')",
    "while len(data) > 99:\n    parse.read('a b')",
    "!ls || cat parse.py",
    "!if false; then cat parse.py; fi; ls",
    "!if false; then ls; cat parse.py; fi; ls",
    "%%bash\nif false\nthen\n  cat parse.py\nfi\nls",
    "%%bash\nif true; then ls; else\n  if true; then ls; fi\n  cat parse.py\nfi",
    "%%bash\nwhile false; do\n  cat parse.py\ndone\nls",
    "%%bash\ncase parse.py in a) cat parse.py;; esac\nls",
    "%%bash\nshown() {\n  cat parse.py\n}\nls",
    "%%bash\nls\nexit 0\ncat parse.py",
)


@pytest.mark.parametrize("cell", NOT_TAKEN)
def test_what_stands_in_a_branch_that_was_not_taken_is_no_evidence(here: Kernel, cell: str):
    here.ok(cell)

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert "nothing opened parse.py" in answer["end"]


UNREAD = (
    "data\nopen('parse.py').close()\nlen(data)",
    "\n\nfor name in ['parse.py']: open(name).close()\nlen(data)",
    "from pathlib import Path\nwith Path('parse.py').open() as file:\n    file.tell()\nlen(data)",
    "from pathlib import Path\nfor path in [Path('parse.py')]: path.open().close()\nlen(data)",
    "%%step Beside it --no-pause\nopen('parse.py').read(0)\nlen(data)",
)


@pytest.mark.parametrize("cell", UNREAD)
def test_a_file_that_was_opened_and_not_read_was_not_examined(here: Kernel, cell: str):
    here.ok("%wfnb look outline data.csv" if "step" in cell else "len(data)")
    here.ok(cell)

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert "nothing opened parse.py" in answer["end"]


NOT_REACHED = (
    "data[99]\nparse.read('a b')",
    "\n\nlen(data)\nraise KeyError\n!cat parse.py",
    "for text in data:\n    data[99]\nprint(open('parse.py').read())",
    "try:\n    len(data)\n    raise KeyError\n    parse.read('a b')\nexcept KeyError:\n    pass",
    "for text in data:\n    len(text)\n    break\n    parse.read(text)",
    "%%step Broken\ndata[99]\nparse.read('a b')",
)


@pytest.mark.parametrize("cell", NOT_REACHED)
def test_what_stands_below_an_exception_is_no_evidence(here: Kernel, cell: str):
    here.ok("len(data)")
    here.run(cell)

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert "nothing opened parse.py" in answer["end"]


@pytest.mark.parametrize(
    "cell",
    [
        "\n\nparse.read('a b')\ndata[99]",
        "parse.read('')  # an exception in it",
        "%%time\nlen(data)\nparse.read('a b')\ndata[99]",
        "def reads(text):\n    return parse.read(text)\n\nparse.read('a b')\nreads('')",
        "if True:\n    parse.read('a b')\n    data[99]",
        "%%step Broken\n# why\nparse.read('a b')\ndata[99]",
    ],
)
def test_what_stands_above_one_is_evidence(here: Kernel, cell: str):
    here.ok("len(data)")
    assert here.run(cell).status == "error"

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert "nothing opened parse.py" not in answer.get("end", "")


@pytest.mark.parametrize(
    "cell",
    [
        "if len(data) < 99:\n    print(open('parse.py').read())",
        "for text in data:\n    parse.read('a b')",
        "if True:\n    parse.read('a b')",
        "%%bash\nif grep -q text parse.py; then ls; fi",
        "%%bash\nif true\nthen\n  ls\nfi\ncat parse.py",
        "%%bash\nfor file in parse.py; do\n  cat $file\ndone",
        "%%bash\n{ ls; cat parse.py; }",
        "%%bash\n[ -f nothing ] && exit 1\n(exit 0)\ncat parse.py",
    ],
)
def test_what_was_run_in_one_is_evidence(here: Kernel, cell: str):
    here.ok(cell)

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert answer["end"] == "certain at step 2 of 4, with enough evidence"


def test_what_the_code_of_the_step_itself_opens_is_evidence(here: Kernel):
    here.ok("len(data)")
    answer = here.ok(
        f"%%step It is the reader --confidence certain --done {WORDS} --relevant parse.py\n"
        "print(open('parse.py').read())"
    ).answer

    assert answer["end"] == "certain at step 2 of 4, with enough evidence"
    assert answer["complete_investigation"]["files_examined"] == ["parse.py"]


def test_a_file_counts_as_examined_when_something_opened_it(here: Kernel):
    here.ok("print(open('parse.py').read())")
    answer = here.ok("%step It is the reader --file data.csv --relevant data.csv").answer

    assert answer["debug_status"]["files_checked"] == 1


def test_a_file_that_is_written_was_not_examined(here: Kernel):
    here.ok("%%writefile parse.py\ndef read(text): ...")
    here.ok("len(data)")

    answer = here.ok(f"{SURE} {WORDS} --relevant parse.py").answer

    assert "nothing opened parse.py" in answer["end"]


def test_a_tick_says_by_what(here: Kernel):
    here.ok("open('data.csv').read()")
    here.ok("%wfnb look calls read")

    ticked = here.ok("%wfnb kind").text

    assert "the place where the symptom shows. — cell: open('data.csv').read()" in ticked
    assert " — code: calls read" in ticked
    assert ticked.count("☑") == 2
