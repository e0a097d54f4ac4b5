"""A secret of any shape, written in any way that tools write, is hidden in all that is kept."""

import base64
import html
import json
import random
import re
import shlex
import shutil
import string
import subprocess
import textwrap
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wfnb import redaction as rules
from wfnb.redaction import StreamRedaction, redaction
from wfnb.workflows.runner.redacted_fields import redact_result
from wfnb.workflows.runner.runner import Runner

from .place import disk, step, steps

PART = 16
"""Letters and digits that follow each other in a secret: so many are never seen."""


def key(lines: int = 12, width: int = 64, seed: int = 7) -> str:
    """A private key, as openssl writes it."""
    signs = random.Random(seed)
    signed = string.ascii_letters + string.digits + "+/"
    body = ["".join(signs.choices(signed, k=width)) for _ in range(lines)]
    return "\n".join(["-----BEGIN PRIVATE KEY-----", *body, "-----END PRIVATE KEY-----", ""])


def folded(text: str, width: int = 30) -> str:
    return "\n".join(
        line[at : at + width] for line in text.split("\n") for at in range(0, len(line) or 1, width)
    )


def each_line(before: str) -> object:
    return lambda text: "".join(f"{before}{line}\n" for line in text.split("\n"))


def raised(text: str) -> str:
    first, newline, rest = f"ValueError: {text}".partition("\n")
    return f"{first} (line 1: raise ValueError(t)){newline}{rest}"


def coded(text: str, before: str = "") -> str:
    return base64.b64encode(f"{before}{text}".encode()).decode()


SHAPES = {
    "plain": str,
    "shell": shlex.quote,
    "repr": repr,
    "json": json.dumps,
    "json twice": lambda text: json.dumps(json.dumps(text)),
    "html": html.escape,
    "url": lambda text: quote(text, safe=""),
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "indented": each_line("    "),
    "quoted": each_line("> "),
    "pytest": each_line("E   "),
    "numbered": lambda text: "".join(f"{n:6}\t{line}\n" for n, line in enumerate(text.split("\n"))),
    "log": each_line("2024-05-01T10:00:00Z INFO "),
    "coloured": lambda text: re.sub("^", "\x1b[31m", text, flags=re.MULTILINE),
    "folded": folded,
    "folded, indented": lambda text: textwrap.indent(folded(text), "      "),
    "one line": lambda text: text.replace("\n", " "),
    "raised": raised,
    "base64": coded,
    "base64, folded": lambda text: folded(coded(text), 76),
    "base64, behind a name": lambda text: coded(text, "user:"),
    "base64 of a line": lambda text: coded(text + "\n"),
    "base64, for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "half": lambda text: text[: len(text) // 2],
    "end": lambda text: text[len(text) // 3 :],
}

PRINTED = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF), min_size=4, max_size=60)
SECRETS = st.one_of(
    st.text(string.ascii_letters + string.digits + "-_./+=", min_size=8, max_size=80),
    PRINTED.filter(lambda text: len(text.strip()) >= 4),
    st.lists(PRINTED, min_size=2, max_size=6).map("\n".join).filter(str.strip),
    st.integers(0, 1000).map(lambda seed: key(3, 64, seed)),
)
NEAR = st.sampled_from(["", "got ", "token=", "\n", "> ", "('", "x\n  "])


def letters(text: str) -> str:
    return re.sub(r"\x1b\[[0-9]*m|[^0-9A-Za-z]", "", text)


def leaked(secret: str, shape: str, said: str) -> list[str]:
    """Parts of the secret, as it was written, that can be read still."""
    written = letters(
        SHAPES[shape](secret) if "base64" in shape or shape == "hexadecimal" else secret
    )
    seen = letters(said)
    return [
        written[at : at + PART]
        for at in range(len(written) - PART + 1)
        if written[at : at + PART] in seen
    ]


@pytest.mark.parametrize("shape", SHAPES)
@given(secret=SECRETS, before=NEAR, after=NEAR)
@example("abcd\nefgh\nijkl\nmnop", "", "")
def test_no_part_of_a_secret_is_seen_however_it_is_written(shape, secret, before, after):
    said = redaction([secret])(f"{before}{SHAPES[shape](secret)}{after}")

    assert leaked(secret, shape, said) == []


WHOLE = ("plain", "shell", "repr", "json", "html", "url", "base64")


@pytest.mark.parametrize("shape", WHOLE)
@given(secret=st.text(string.printable, min_size=4, max_size=15), near=NEAR)
def test_a_short_secret_is_not_seen_where_it_is_whole(shape, secret, near):
    written = SHAPES[shape](secret)

    said = redaction([secret])(f"{near}{written}")

    assert secret not in said.replace("•••", "")
    assert len(letters(written)) < 8 or letters(written) not in letters(said)


CODED = ("base64", "base64, behind a name", "base64, for URLs", "hexadecimal")


@pytest.mark.parametrize("shape", CODED)
@given(secret=st.text(string.ascii_letters + string.digits, min_size=4, max_size=9), data=st.data())
def test_a_short_secret_cannot_be_decoded(shape, secret, data):
    written = f"got {SHAPES[shape](secret)} and more"
    at = data.draw(st.integers(0, len(written)))
    said = StreamRedaction([secret])

    heard = "".join([said(written[:at]), said(written[at:]), said.end()])

    assert "•••" in heard
    # What is left may show signs at the ends, whose bits are of what is around the secret, too.
    assert len(letters(heard.removeprefix("got ").removesuffix(" and more"))) <= len("dXNlcjo") + 2


ESCAPED = {
    "ascii": ascii,
    "bytes": lambda text: repr(text.encode()),
    "an output of ASCII": lambda text: text.encode("ascii", "backslashreplace").decode(),
    "a path of a URL": quote,
    "a form": quote_plus,
    "latin-1": lambda text: text.encode("latin-1").decode("utf-8", "replace"),
    "a URL in small letters": lambda text: re.sub("%..", lambda c: c[0].lower(), quote(text)),
}


NUMBERED = {
    "hexadecimal escapes": lambda text: "".join(f"\\x{code:02x}" for code in text.encode()),
    "octal escapes": lambda text: "".join(f"\\{code:03o}" for code in text.encode()),
    "Unicode escapes": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text),
    "HTML": lambda text: "".join(f"&#{ord(sign)};" for sign in text),
    "hexadecimal HTML": lambda text: "".join(f"&#x{ord(sign):X};" for sign in text),
    "a list": lambda text: str([*text.encode()]),
    "an array in C": lambda text: ",\n  ".join(f"0x{code:02X}" for code in text.encode()),
    "capitals": str.upper,
    "small letters": str.lower,
}


@pytest.mark.parametrize("shape", NUMBERED)
@pytest.mark.parametrize("size", [1, 7, 1000])
@given(secret=st.text(string.ascii_letters + string.digits + "-_äß", min_size=9, max_size=40))
def test_a_secret_is_not_seen_where_its_signs_are_numbers_or_of_another_case(shape, size, secret):
    said = StreamRedaction([secret])
    written = f"token {NUMBERED[shape](secret)} end"

    pieces = [said(written[at : at + size]) for at in range(0, len(written), size)]

    assert re.fullmatch(r"token \W*•••\W* end", "".join([*pieces, said.end()]))


DUMPS = ("xxd", "xxd -c 7", "xxd -g 1 -u", "hexdump -C", "od -A x -t x1z", "od -t x1z", "od -c")


@pytest.mark.parametrize("program", DUMPS)
@pytest.mark.parametrize("size", [1, 9, 1000])
def test_a_secret_is_not_seen_in_a_dump_of_its_bytes(program, size):
    if shutil.which(program.split()[0]) is None:
        pytest.skip(f"{program.split()[0]} is not installed")
    secret = "correct-horse-battery-staple-42"
    data = f"the key: {secret} and what follows it".encode()
    dump = subprocess.run(program.split(), input=data, capture_output=True, check=True).stdout
    written = dump.decode()
    said = StreamRedaction([secret])

    pieces = [said(written[at : at + size]) for at in range(0, len(written), size)]
    heard = "".join([*pieces, said.end()])

    shown = letters(re.sub(r"(?m)^\S+", "", heard))
    parts = [secret[at : at + 4] for at in range(len(secret) - 3)]
    assert not [part for part in parts if letters(part) in shown or part.encode().hex() in shown]
    assert "follow" in shown


@pytest.mark.parametrize("program", ["od", "od -x", "od -t x4", "od -t o4", "hexdump"])
@pytest.mark.parametrize("before", range(4))
def test_a_secret_is_not_seen_in_a_dump_of_words(program, before):
    if shutil.which(program.split()[0]) is None:
        pytest.skip(f"{program} is not installed")
    secret, size = "correct-horse-battery-staple-42", 4 if program[-1] == "4" else 2
    data = b"k" * before + secret.encode() + b" and what follows it"
    dump = subprocess.run(program.split(), input=data, capture_output=True, check=True).stdout

    left = redaction([secret])(dump.decode())

    base = 16 if "x" in program else 8
    words = (re.findall(r"(?<= )[0-9a-f]+", line) for line in left.splitlines())
    shown = b"".join(
        int(word, base).to_bytes(8, "little")[:size] for line in words for word in line
    )
    parts = [secret[at : at + 4].encode() for at in range(len(secret) - 3)]
    assert not [part for part in parts if part in shown]
    assert b"follow" in shown


@pytest.mark.parametrize("shape", ESCAPED)
@pytest.mark.parametrize("secret", ["pä$$ wörd", "a/b c/d", 's3cr#t "Wört" \\ key/Zz+9%é~end'])
def test_a_secret_is_not_seen_where_its_signs_are_escaped(shape, secret):
    said = redaction([secret])(f"token={ESCAPED[shape](secret)}")

    assert re.sub("[b'\"=]", "", said) == "token•••"


def test_a_secret_of_bytes_that_are_no_text_is_hidden_too():
    assert redaction(["ab\udcffcdef"])("token ab\udcffcdef") == "token •••"


@given(secret=SECRETS, shape=st.sampled_from(["plain", "quoted", "folded"]), data=st.data())
def test_no_part_of_a_secret_is_said_in_whatever_pieces_it_comes(secret, shape, data):
    text = f"got {SHAPES[shape](secret)} and more"
    ends = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    said = StreamRedaction([secret])

    heard = [said(text[at:to]) for at, to in zip([0, *ends], [*ends, len(text)], strict=True)]

    assert leaked(secret, shape, "".join([*heard, said.end()])) == []


@given(
    secret=st.text("ab1", min_size=4, max_size=12),
    pieces=st.lists(st.text("ab1-", max_size=6), max_size=8),
    place=st.integers(0, 8),
)
@example("s3crets", ["got s3crets", "3c", " end"], 9)
@example("hunter2h", ["hun-ter2h", "un"], 9)
def test_a_secret_that_ends_as_it_begins_is_not_said_in_two_parts(secret, pieces, place):
    said = StreamRedaction([secret])

    heard = "".join([*map(said, [*pieces[:place], secret, *pieces[place:]]), said.end()])

    assert secret not in heard
    assert len(secret) < 8 or secret not in letters(heard)


@given(text=st.text(string.ascii_lowercase + " \n", max_size=300))
def test_words_that_are_no_secret_stay(text):
    assert redaction(["Zq7-Xv9", key()])(text) == text


COMMANDS = {
    "plain": 'echo "$K"',
    "base64": 'echo "$K" | base64',
    "folded": 'echo "$K" | fold -w 20',
    "indented": "echo \"$K\" | sed 's/^/    /'",
    "numbered": 'echo "$K" | cat -n',
    "quoted": "echo \"$K\" | sed 's/^/> /' >&2; exit 3",
    "escaped": "python3 -c 'import os, json; k = os.environ[\"K\"]; print(repr(k), json.dumps(k))'",
    "cut": 'echo "$K" | head -3',
    "basic": 'printf "user:%s" "$K" | base64 -w0',
}
CODES = {
    "raised": "raise ValueError(k)",
    "caused": "try:\n    raise KeyError(k)\nexcept KeyError as e:\n    raise ValueError(k) from e",
    "grouped": "raise ExceptionGroup('all', [ValueError(k), TypeError(k)])",
    "returned": "{'a': [k, repr(k), k.encode()], k: {k.splitlines()[0]: 1}}",
    "printed": "print(k); print(k.replace('\\n', '\\n    '))",
}
CALLS = [
    *(("shell", {"command": text, "env": {"K": "{token}"}}) for text in COMMANDS.values()),
    *(
        ("python", {"code": code, "arguments": {"k": "{token}"}, "process": apart})
        for code in CODES.values()
        for apart in (False, True)
    ),
]


@pytest.mark.parametrize("secret", [key(), "s3cret-of-one-line-1234567890"])
def test_tools_write_no_part_of_a_secret_into_journal_outputs_and_reports(
    runner: Runner, home: Path, secret: str
):
    shown: list[object] = []
    for tool, args in CALLS:
        running = runner.start(steps(step("a", tool, args=args)), secrets={"token": secret})
        running.wait()
        result = runner.result(running)
        shown += [str(result), result.report.to_dict(), running.tail, str(running.run)]

    written = [json.dumps(shown), disk(home).decode("utf-8", "replace")]
    for text in written:
        assert "•••" in text or "\\u2022" in text
        for spelled in (secret, coded(secret), coded(secret, "user:"), secret.encode().hex()):
            assert leaked(spelled, "plain", text.replace("\\n", "\n")) == []


def test_a_child_inherits_no_variable_that_holds_a_secret(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
):
    """It was given by `--secret token=HELD`: what a command starts could read it there."""
    monkeypatch.setenv("HELD", "s3cret-of-hers")
    monkeypatch.setenv("OTHER", "no secret")
    show = "echo ${HELD:-none} ${OTHER:-none} ${GIVEN:-none} | tr a-z A-Z"
    code = "import os; [os.environ.get(n, 'none').upper() for n in ('HELD', 'OTHER')]"
    opened = {"session_id": "{open.session_id}"}

    result = runner.run(
        steps(
            step("bare", "shell", args={"command": show}),
            step("named", "shell", args={"command": show, "env": {"GIVEN": "{token}"}}),
            step("apart", "python", args={"code": code, "process": True}),
            step("open", "open_terminal", args={"shell": f"sh -c '{show}; sleep 9'"}),
            step("see", "await_output", "open", args={**opened, "pattern": "NO SECRET"}),
            step("look", "get_screen_content", "see", args=opened),
        ),
        secrets={"token": "s3cret-of-hers"},
    )

    seen = result.final_variables
    assert seen["bare_stdout"] == "NONE NO SECRET NONE\n"
    assert seen["named_stdout"] == "NONE NO SECRET •••\n"
    assert seen["apart_result"] == ["NONE", "NO SECRET"]
    assert "NONE NO SECRET NONE" in seen["look_screen_content"]


@pytest.mark.parametrize("secret", ["abcd", "abcde"])
def test_the_shortest_secret_is_hidden_where_a_line_is_broken_in_it(secret):
    hidden = redaction([secret])(f"token {secret[:2]}\n{secret[2:]} end")

    assert secret[2:] not in hidden
    assert hidden.endswith(" end")


def nested(parts: list[str], shape: str) -> dict[str, object]:
    """A result that has the parts of a text beside each other."""
    half = len(parts) // 2
    lines = ["\n".join(parts[:half]), "\n".join(parts[half:])]
    return {
        "list": {"result": parts},
        "pairs": {"result": [[at, part] for at, part in enumerate(parts)]},
        "keys": {"result": {part: at for at, part in enumerate(parts)}},
        "values": {"result": {f"_{at}": part for at, part in enumerate(parts)}},
        "mapping": {"result": dict(zip(parts[::2], [*parts[1::2], ""], strict=False))},
        "rows": {"result": [{"at": at, "of": [part]} for at, part in enumerate(parts)]},
        "lines": {"stdout": "\n".join(parts)},
        "numbered": {"stdout": "".join(f"{n:6}\t{part}\n" for n, part in enumerate(parts, 1))},
        "listed": {"result": [f"{n}: {part}" for n, part in enumerate(parts, 1)]},
        "streams": {"stdout": lines[0], "exit_code": 0, "stderr": lines[1]},
        "streams backwards": {"stdout": lines[1], "exit_code": 0, "stderr": lines[0]},
        "fields": {f"_{at}": part for at, part in enumerate(parts)},
    }[shape]


def texts(value: object, keys: bool) -> list[str]:
    if isinstance(value, dict):
        items = [each for pair in value.items() for each in (pair if keys else pair[1:])]
    else:
        items = value if isinstance(value, list) else []
    return [value] if isinstance(value, str) else [s for each in items for s in texts(each, keys)]


NESTED = (
    *("list", "pairs", "keys", "values", "mapping", "rows", "lines", "numbered", "listed"),
    *("streams", "streams backwards", "fields"),
)


@pytest.mark.parametrize("shape", NESTED)
@given(
    secret=st.uuids(version=4).map(str) | st.text(string.ascii_letters, min_size=17, max_size=60),
    cuts=st.sets(st.integers(1, 60), max_size=8),
)
@example("7c9e6679-7425-40de-944b-e07fc1f90ae7", {9, 14, 19, 24})
def test_a_secret_that_is_cut_is_seen_in_no_part_of_what_is_returned(shape, secret, cuts):
    ends = sorted({0, len(secret), *(cut for cut in cuts if cut < len(secret))})
    parts = [secret[a:b] for a, b in pairwise(ends)]

    said = redact_result(nested(parts, shape), [secret], ["stdout", "stderr", "result"])

    seen = texts(list(said.values()), keys=shape in ("keys", "mapping"))
    if shape in ("numbered", "listed"):
        seen = [re.sub(r"(?m)^ *\d+[\t:]", "", text) for text in seen]
    if shape == "streams backwards":
        seen.reverse()
    assert letters("".join(seen)) == "", said


def test_what_stands_beside_a_secret_that_was_cut_stays():
    said = redact_result(
        {
            "stdout": "user 7c9e6679-7425\n",
            "exit_code": 0,
            "stderr": "40de-944b-e07fc1f90ae7 of 5",
            "result": {"0": "7c9e6679", "n": 7, "rest": ["7425-40de-944b-e07fc1f90ae7", "more"]},
        },
        ["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
        ["stdout", "stderr", "result"],
    )

    assert said == {
        "stdout": "user •••\n",
        "exit_code": 0,
        "stderr": "••• of 5",
        "result": {"0": "•••", "n": 7, "rest": ["•••", "more"]},
    }


@given(cut=st.integers(8, 24), many=st.integers(0, 40_000), shape=st.sampled_from("ab"))
def test_a_secret_that_begins_at_the_end_of_a_long_text_is_hidden_and_no_more(cut, many, shape):
    secret = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    before, after = ("log of\n" * many, ", and so on" * many)

    said = redact_result(
        {"result": [f"{before}{secret[:cut]}", f"{secret[cut:]}{after}"], "of": [shape]},
        [secret],
        ["result", "of"],
    )

    assert said["of"] == [shape]
    assert [text.strip("-") for text in said["result"]] == [f"{before}•••", f"•••{after}"]


_MIXED = st.lists(
    st.sampled_from(
        ["a", "B7", "é", "_", "-", " ", "\t", "\n", "\x1b[31m", "\x1b[", "12", "3)", "| "]
    )
).map("".join)


@given(text=_MIXED)
@example(text="\x1b\x1b[0m[31mab")
@example(text="  12\x1b[0m3) x\n\x1b[0m4\ty")
@pytest.mark.parametrize("between", [rules._BETWEEN, rules._NUMBERED], ids=["signs", "numbers"])
def test_the_quick_way_to_letters_gives_what_the_rule_says(between: re.Pattern[str], text: str):
    assert rules._strip(text, between) == between.sub("", text)


TOKEN = "f9Kq-82mZp_77Lw+Qe31"


@given(
    shown=st.lists(
        st.sampled_from(
            [
                *(
                    "row 17 of table",
                    TOKEN,
                    f"token={TOKEN}",
                    json.dumps(f"<{TOKEN}>"),
                    "x" * 5_000,
                ),
                *("-".join(TOKEN), TOKEN[:6], "  3 ", base64.b64encode(TOKEN.encode()).decode()),
                *(f"  3\t{TOKEN[:9]}\n  4\t{TOKEN[9:]}", "\x1b[31mfail\x1b[0m", TOKEN.upper()),
            ]
        ),
        max_size=40,
    )
)
def test_of_many_texts_each_is_hidden_as_it_is_alone(shown: list[str]):
    alone = [redact_result({"result": text}, [TOKEN])["result"] for text in shown]
    # What they have of it together is in no text alone.
    shown_apart = [text for each in shown for text in (each, "q" * 20_100)]

    together = redact_result({"result": shown_apart}, [TOKEN])["result"]

    assert together[::2] == alone
