"""texts of definitions, names, texts, expressions -> what Python reads in them, which the editor
has to read in them too, or refuse.

`definitions.json` says it. It has no values that JSON cannot hold: what is refused has null there.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from wfnb.data_files.plain_yaml import dump
from wfnb.errors import Refused
from wfnb.workflows.definition.expression import expression_names
from wfnb.workflows.definition.json_limits import foreign
from wfnb.workflows.definition.name_rules import STATE, STEP
from wfnb.workflows.library.definition_file import read_definition
from wfnb.workflows.tools.registry import builtin_tools

DEFINITIONS = Path(__file__).with_name("definitions.json")
DOCS = Path(__file__).parents[3] / "docs"
EXAMPLES = resources.files("wfnb.workflows.library") / "examples"
_CELL = re.compile(r"```(?:python\n%%run_workflow[^\n]*|yaml)\n(.*?)```", re.DOTALL)

WORDS = (
    *(
        "no",
        "yes",
        "on",
        "Off",
        "y",
        "N",
        "true",
        "True",
        "TRUE",
        "tRUE",
        "null",
        "Null",
        "NULL",
        "~",
        "nUll",
    ),
    *(
        "0",
        "-0",
        "+7",
        "010",
        "0o17",
        "0o18",
        "0x1F",
        "0X1F",
        "0b11",
        "1_000",
        "12:30",
        "190:20:30",
        "1e3",
        "1e+3",
    ),
    *(
        "1.",
        ".5",
        "+.5",
        "-1.5e-3",
        "1e",
        "e3",
        ".",
        "..",
        ".e3",
        "1.2.3",
        "9007199254740991",
        "-.",
        "-.5",
        "0.0",
    ),
    *(
        "2026-11-21",
        "2026-11-21T10:00:00Z",
        "<<",
        "=",
        "-",
        "--",
        "-a",
        ".inf",
        "-.INF",
        ".nan",
        ".NAN",
        ".iNF",
    ),
    *(
        "9007199254740993",
        "123456789012345678901234567890",
        "1e400",
        "0x20000000000001",
        "é",
        "库存",
        "😀",
        "a\u00a0b",
    ),
)
"""Words that stand without quotes after a key."""

TEXTS = (
    *(f"a: {word}\n" for word in WORDS),
    *(
        "{a: 1, b: [x, 'y', \"z\"]}",
        '{"a": 1}',
        '{"a": 1,}',
        '{"a": NaN}',
        "{a: NaN}",
        '{"a": 1} x',
        '{"a": 01}',
        "{}",
    ),
    *(
        '{"a": "\\ud83d\\ude00"}',
        '{"a": "\\ud83d"}',
        'a: "\\ud83d\\ude00"',
        'a: "\\U0001F600"',
        '{"a": "\u2028\x85"}',
    ),
    *(
        '{\n\t"a": [\n\t\t1,\n\t\t2\n\t]\n}\n',
        "\ufeffa: 1\n",
        '\ufeff{"a": 1}',
        "a: \ufeffb\n",
        "a: 'b\u2028c'\n",
        "a: b\x85\n",
    ),
    *(
        "a: b\u2029\n",
        "a: 1\rb: 2\n",
        "a: 1\r\nb:\r\n  - 2\r\n",
        "a:\t1\n",
        "a: 1\t\n",
        "\ta: 1\n",
        "a: b\tc\n",
        "a: 'b\tc'\n",
    ),
    *(
        "a: |\n  b\n  c\n",
        "a: |-\n  b\n",
        "a: |+\n  b\n\n\n",
        "a: >\n  b\n  c\n\n  d\n",
        "a: |2\n   b\n",
        "a: |\n  b",
        "a: |\n",
    ),
    *(
        "a: |\n  b\n # c\nd: 1\n",
        "a: |\n  b\n  # c\nd: 1\n",
        "a: |\n\tb\n",
        "a: |\n  \tb\n",
        "a: |\r\n  b\r\n  c\r\n",
        "a: >-\n  b\n",
    ),
    *(
        "a: b\n  c\n  d\n",
        "a: 'b\n  c'\n",
        'a: "b\\\n  c"\n',
        'a: "\\x41\\u00e9\\n\\/"\n',
        'a: "\\q"\n',
        "a: 'it''s'\n",
        "a: 'b\n",
    ),
    *(
        "1: a\n",
        "true: a\n",
        "null: a\n",
        "~: a\n",
        ": a\n",
        "1.5: a\n",
        "'1': a\n",
        "yes: a\n",
        "on: a\n",
        "? a\n: b\n",
        "[a]: b\n",
    ),
    *(
        "a: 1\na: 2\n",
        '{"a": 1, "a": 2}',
        "{a: 1, 'a': 2}",
        "a: &x 1\nb: *x\n",
        "a: *x\n",
        "a: &x 1\n",
        "a: !!str 1\n",
        "a: !x 1\n",
    ),
    *(
        "a: 1\n---\nb: 2\n",
        "---\na: 1\n",
        "---\na: 1\n...\n",
        "a: 1\n...\nb\n",
        "%YAML 1.1\n---\na: yes\n",
        "",
        "# nothing\n",
        "a\n",
    ),
    *(
        "- a\n",
        "a:\n- b\n- c\n",
        "a:\n  - b\n  - - c\n    - d\n",
        "a: - b\n",
        "a: b: c\n",
        "a: 'b' c\n",
        "a:\n  b: 1\n c: 2\n",
        "a:\nb:\n",
    ),
    *(
        "a: [1, 2\n",
        "a: [\n  1\n]\n",
        "a: [b c, d#e, f]\n",
        "a: [b?c]\n",
        "a: [:b]\n",
        "a: {b: c:d}\n",
        "a: [b: c]\n",
        "a: {b, c: }\n",
    ),
    *(
        "a: # b\n  c: 1 # d\n",
        "a: b#c\n",
        "a: b #c\n",
        "a: @b\n",
        "a: `b\n",
        "a: %b\n",
        "a: b%\n",
        "a: [,]\n",
        "a: {b: 1,}\n",
        "a: {\n b\n : 1}\n",
    ),
    *(
        "a: \x01\n",
        "a: \x7f\n",
        'a: "\\0"\n',
        "a: {b: {c: 1}}\n",
        "a: " + "[" * 99 + "]" * 99 + "\n",
        "a: " + "[" * 101 + "]" * 101 + "\n",
    ),
    *(
        "a: {b\n  c: 1}\n",
        "a: .inf\n",
        "__proto__: 1\n",
        "a: {print $1}\n",
        "a: http://x.y/?z=1\n",
        "a: 'x'   # y\nb:   2\n",
        "a : 1\n",
    ),
)

SCALARS = (
    *(word for word in WORDS if word),
    *(
        "",
        " ",
        " a",
        "a ",
        "a b",
        "a: b",
        "a:b",
        "a:",
        ":a",
        ": a",
        "a #b",
        "a#b",
        "#a",
        "- a",
        "-a",
        "?",
        "? a",
        "?a",
        "[a",
        "a]",
    ),
    *(
        "{a}",
        "a, b",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "'a'",
        "it's",
        '"a"',
        'a "b"',
        "%a",
        "@a",
        "`a",
        "---",
        "--- a",
        "...",
        "!",
        "&",
        "*",
    ),
    *(
        "a\\b",
        "a\tb",
        "a\x85b",
        "a\u2028b",
        "\ufeff",
        "a\rb",
        "a\x7f",
        "\x01",
        "日本",
        "😀",
        "é",
        "a\u00a0b",
        "http://x.y/?z=1",
        "{a.b!q}",
    ),
    *(
        "echo {a.b} > c",
        'grep -c "x" f',
        "a=b",
        "=",
        "<<",
        "0.",
        "1:2",
        "-1:2",
        "0o7",
        "0b1",
        "+",
        "+1",
        "1,000",
        "1 000",
        "01",
        "0x",
        "1e5",
    ),
)
"""Texts of one line, and how they are written after a key."""

NAMES = (
    *(
        "a",
        "A1",
        "_a",
        "a-b",
        "a_b",
        "-a",
        "1a",
        "",
        "a b",
        "a.b",
        "größe",
        "库存",
        "नाम",
        "ﬁ",
        "ｓtep",
        "a\u200b",
        "a²",
        "½",
        "٣",
        "a٣",
    ),
    *(
        "Ⅳ",
        "ªb",
        "é",
        "e\u0301",
        "a\ufe0f",
        "\u115f",
        "no",
        "null",
        "😀",
        "ß",
        "İ",
        "ǆ",
        "a\u034fb",
        "𝐚",
        "ｱ",
        "a–b",
        "º",
    ),
)

EXPRESSIONS = (
    *(
        "look.stdout > 3",
        "look.rows[0] == 'look.x'",
        "steps.look.stdout",
        'steps["look"].x',
        "steps['look'] == look",
        "a.look",
        "look",
    ),
    *(
        "look_stdout > 1",
        "look_up.stdout",
        "look_up_stdout",
        "len(look.stdout)",
        "look . stdout == 1",
        "not look.success and b",
        "a.b[look]",
    ),
    *(
        "steps [ 'look' ].x",
        "steps.look_up.x",
        "'look.stdout'",
        "x if look.y else steps.b.z",
        "[look.a, 'look']",
        "looking.x",
        "a[0].look.b",
    ),
    *(
        '"it\'s look.x" == y',
        "1.5 > look.n",
        "steps.look",
        "LOOK.x",
        "-look.x",
        "a == look.b or c.look == d",
    ),
)


def texts_of_lines(count: int = 600) -> Iterator[str]:
    """Texts of several lines as values, in all styles, with any indent, blank lines and ends: most
    of what two readers of YAML can take for different things."""
    chance = random.Random(7)

    def spread(*pieces: str, least: int = 1) -> str:
        lines = (
            " " * chance.choice((0, 0, 1, 2, 3, 4, 5, 6, 8)) + chance.choice(pieces)
            for _ in range(chance.randint(least, 4))
        )
        return "\n".join(lines)

    def block() -> str:
        head = chance.choice(("|", ">")) + chance.choice(("", "", "-", "+", "1", "2", "-2", "2-"))
        inner = ("", "", "a", "b c", "# d", "- e", "x ", "\\", "'", "\ta", "...", "--- x")
        return f"{head}{chance.choice(('', '', ' # c'))}\n{spread(*inner, least=0)}"

    def double() -> str:
        return f'"{spread("", "", "a", "b ", chr(92), "a" + chr(92), chr(92) + chr(34), "#x")}"'

    def single() -> str:
        return f"'{spread('', '', 'a', 'b ', chr(39) * 2, '#x', 'c d', '--- x')}'"

    def value() -> str:
        return chance.choice((block, block, double, single, lambda: spread("", "a", "b", "#x")))()

    for _ in range(count):
        text = f"a: {value()}\nb: {value()}" if chance.random() < 0.7 else f"a:\n- {value()}\nb: 1"
        text += chance.choice(("", "\n", "\n\n", "\n   ", "\n# c"))
        yield text.replace("\n", "\r\n") if chance.random() < 0.1 else text


def definitions() -> str:
    """The text of the file."""
    parts = {
        "texts": [[text, _read(text)] for text in _texts()],
        "lines": [[text, _read(text)] for text in texts_of_lines()],
        "scalars": [[text, _scalar(text)] for text in SCALARS],
        "names": [[name, STATE.lacks(name) is None, STEP.lacks(name) is None] for name in NAMES],
        "expressions": [[text, list(expression_names(text))] for text in EXPRESSIONS],
        "fields": [[name, [*(tool.results or ())]] for name, tool in builtin_tools().items()],
    }
    lines = (f'"{key}": [\n{_lines(items)}\n]' for key, items in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _lines(items: list[Any]) -> str:
    return ",\n".join(json.dumps(item) for item in items)


def _texts() -> Iterator[str]:
    yield from TEXTS
    for file in sorted(EXAMPLES.iterdir(), key=lambda file: file.name):
        yield file.read_text(encoding="utf-8")
    for page in sorted(DOCS.glob("*.md")):
        yield from (found[1] for found in _CELL.finditer(page.read_text(encoding="utf-8")))


def _read(text: str) -> Any:
    """The data; None: it is refused, or no mapping."""
    try:
        data = read_definition(text)
    except Refused:
        return None
    return data if isinstance(data, dict) and not foreign(data) else None


def _scalar(text: str) -> str:
    return dump({"k": text}).removeprefix("k: ").removesuffix("\n")
