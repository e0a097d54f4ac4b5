"""secrets, a text -> the text without them, however they are written there.

A secret comes back in other words than it was given: quoted for a shell, as JSON or as Python shows
it, in base64, as the numbers of its bytes, in a dump of them, in capitals, broken into lines by a
terminal, indented, with `> ` or a line number before each of its lines, or cut, so that only a part
of it is there. Two things are looked for:

    its spellings    exactly as they are, also where a terminal broke them into lines
    its letters      letters and digits alone, whatever signs and spaces stand between them: all of
                     them, or any 16 that follow each other in it

What is returned in several texts (the items of a list, the keys and values of a mapping, two
streams) is read as one, each text on its own line.

The second finds too much sometimes: a URL with a password in it hides its host where that is long.
A part of less than 16 letters is not found, nor what is encrypted, compressed, or spelled by a
program on purpose.
"""

from __future__ import annotations

import base64
import html
import json
import re
import shlex
from bisect import bisect
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from urllib.parse import quote, quote_plus

from wfnb.workflows.definition.template import HIDDEN as HIDDEN

MIN_LENGTH = 4
"""Characters of a secret at least: a shorter one is found everywhere, by chance."""
NARROWEST = 20
"""Columns of a terminal: a text that is longer may be broken there."""
ALL = 8
"""Letters of a secret that is known by them alone. One with less is known by its spellings."""
PART = 16
"""Letters of a part of a secret that is known for one."""
_STEP = PART // 2
# Sign by sign: a run of them would take the beginning of a colour, and leave its letter.
_BETWEEN = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z]|[\W_])+")
_COLOUR, _SIGNS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]"), re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
_NUMBER = r"(?m:^[ \t]*[0-9]{1,9}(?:[\t :.)|]|$))"
_NUMBERED = re.compile(rf"(?:{_NUMBER}|{_BETWEEN.pattern[3:-2]})+")
"""What stands between letters where each line has a number before it."""
_DUMP = r"(?mi:^[ \t]*[0-9a-f]{4,16}:?[ \t]+(?:[0-9a-f]{2,16} )+ +(?:(?:[0-9a-f]{2} )+ *(?=\|))?)"
"""A line of `xxd`, `hexdump -C` or `od -t x1z` up to the letters that it shows at its end."""
_DUMPED = re.compile(rf"(?:{_DUMP}|{_BETWEEN.pattern[3:-2]})+")
_BYTES_DUMPED = re.compile(
    r"(?:(?mi: {2,}(?![0-9a-f]{2} )[^\n]*(?:\n|\Z)|^[ \t]*0[0-9a-f]{5,15}:?(?=[ \t]))"
    rf"|{_BETWEEN.pattern[3:-2]})+"
)
"""What stands between the bytes of such lines: their letters, and where they are."""
_IS_DUMPED = re.compile(_DUMP)
_IS_DUMP_LINE = re.compile(r"[ \t]*0[0-9a-f]{5,15}:?[ \t]", re.IGNORECASE)
_MAY_BE_DUMP_LINE = re.compile(r"[ \t]*(?:0[0-9a-f]{0,15}:?)?", re.IGNORECASE)
_IS_NUMBERED = re.compile(_NUMBER)
_REACH = 10_000
"""Characters at the end of a text that are looked through together with the next text."""
_BEGUN = 4
"""Letters at the end of a line that may begin a secret, for the next line to be waited for."""


class Redaction:
    """What takes these secrets out of a text.

    >>> redaction(["s3cret"])("token is s3cret, s3cr\\net")
    'token is •••, •••'
    >>> key = redaction(["-- BEGIN --\\nMIIEvQIBADANBgkqhk\\nG9w0BAQEFAASCBKcw\\n-- END --"])
    >>> key("  1 MIIEvQIBADANBgkqhk\\n  2 G9w0BAQEFAASCBKcw")
    '  1 •••\\n  2 •••'
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        # Stripped as well: a file or a variable often ends with a line break that is not printed
        # with it.
        plainly = {text for secret in secrets for text in (secret, secret.strip()) if text}
        cases = {each for text in plainly for each in (text.upper(), text.lower())}
        written = {each for text in plainly for each in _spellings(text)}
        # One with few letters is a word that is found by chance in other letters.
        written |= {each for each in cases if len(_letters(each)) >= ALL}
        coded = {each for t in plainly for each in (*_encodings(t), *_numbers_of(t))}
        self.spellings = sorted(
            {*written, *(each for each in coded if len(each) >= MIN_LENGTH)}, key=len, reverse=True
        )
        """Those that hold others first."""
        # Of a key in several lines each may be printed alone, indented or numbered.
        lines = {line for text in plainly if "\n" in text for line in text.split("\n")}
        letters = {_letters(each) for each in {*written, *coded, *lines}}
        self._letters = sorted((each for each in letters if len(each) >= ALL), key=len)[::-1]
        self._short = [each for each in self.spellings if len(_letters(each)) < ALL]
        known = ((each, _letters(each)) for each in self.spellings)
        self._letters_of = {each: letters for each, letters in known if len(letters) >= PART}
        """By which it is known that a spelling is in no text: of most there are enough."""
        self._few = [each for each in self._letters if len(each) < PART]
        """Too few for the search by parts, which finds the others."""
        self._starts: dict[str, list[str]] = {}
        """What begins so: the first sign of a spelling, the first letters of a secret."""
        for spelling in self.spellings:
            self._starts.setdefault(spelling[0], []).append(spelling)
        for each in self._letters:
            self._starts.setdefault(each[:_BEGUN], []).append(each)
        self._most = max(map(len, (*self.spellings, *self._letters)), default=1)
        # Each piece of half a part: a part of 16 holds one that begins at a multiple of 8 in the
        # text, so that the text is looked up in steps of 8 and not letter by letter.
        self._parts = {
            each[at : at + _STEP] for each in self._letters for at in range(len(each) - _STEP + 1)
        }

    def __call__(self, text: str, spans: Collection[tuple[int, int]] = ()) -> str:
        """The text without secrets, and without what is at these places of it."""
        if not self.spellings:
            return text
        if spans:
            # With those of its own: what is hidden of one must not cut another in two.
            text = _hide_spans(text, [*spans, *self._places_of(text)])
        # The longest first: a shorter spelling inside would leave the rest of the longer one.
        for spelling in self._spellings_in(text):
            text = text.replace(spelling, HIDDEN)
        if "\n" in text:
            for spelling in self._short:
                if len(spelling) >= MIN_LENGTH:
                    text = _hide_broken(text, spelling)
        return _hide_spans(text, self._lettered_spans(text)) if self._letters else text

    def spans_across(self, texts: Sequence[str]) -> Iterator[tuple[str, tuple[int, int]]]:
        """Where in these texts a part of a secret is that several of them have together."""
        chunks: list[tuple[str, int, str]] = []
        reach = _REACH + self._most
        for text in texts:
            if len(text) <= 2 * reach:
                chunks.append((text, 0, text))
            else:  # what is further from both ends is in no part that another text goes on with
                chunks += [(text, at, text[at:][:reach]) for at in (0, len(text) - reach)]
        if len(chunks) < 2:
            return
        starts = list(accumulate((len(chunk) + 1 for _, _, chunk in chunks), initial=0))
        for letters in self._lettered("\n".join(chunk for _, _, chunk in chunks)):
            pieces: dict[int, list[int]] = {}
            for at in letters:
                number = bisect(starts, at) - 1
                pieces.setdefault(number, []).append(at - starts[number] + chunks[number][1])
            if len(pieces) > 1:
                for number, found in pieces.items():
                    yield chunks[number][0], (found[0], found[-1] + 1)

    def waits(self, text: str) -> int:
        """Where the end of a text begins that may be the beginning of a secret."""
        # The lines of a dump are hidden together: none tells what it is but by the whole line.
        least = min(self._partial_start(text, 1), _dump_start(text))
        for between in _betweens(text):
            letters = _strip(text, between)
            at = self._partial_start(letters, _BEGUN)
            # `_places` costs the time of the text: only where its letters may begin a secret.
            least = least if at == len(letters) else min(least, _places(text, between)[at])
        if least == len(text):
            return least
        # A secret whose end may be the beginning of another is not cut in two by that.
        whole = self._places_of(text)
        return max((end for begin, end in whole if begin < least < end), default=least)

    def _partial_start(self, text: str, signs: int) -> int:
        """Where the end of the text is the beginning of what begins with so many signs."""
        # No further back than the longest secret: each piece of a stream costs the same.
        for at in range(max(len(text) - self._most + 1, 0), len(text) - signs + 1):
            there = self._starts.get(text[at : at + signs])
            if there and any(each.startswith(text[at:]) for each in there):
                return at
        return len(text)

    def _spellings_in(self, text: str) -> list[str]:
        """Those that may be in a text."""
        if "\x1b" in text:  # a colour takes the letter after it
            return self.spellings
        there = {each for each, _, _ in self._matches(_strip(text, _BETWEEN))}
        known = self._letters_of
        return [each for each in self.spellings if each not in known or known[each] in there]

    def _places_of(self, text: str) -> Iterator[tuple[int, int]]:
        """Where secrets are in a text."""
        for each in self._spellings_in(text):
            at = text.find(each)
            while at >= 0:
                yield at, at + len(each)
                at = text.find(each, at + len(each))
        yield from self._lettered_spans(text)

    def _lettered_spans(self, text: str) -> Iterator[tuple[int, int]]:
        for places in self._lettered(text):
            ends = [0, *_numbers(text, places), len(places)]
            yield from ((places[a], places[b - 1] + 1) for a, b in pairwise(ends))

    def _lettered(self, text: str) -> Iterator[list[int]]:
        """Where the letters of secrets, and of parts of them, are in a text."""
        for between in _betweens(text) if self._letters else ():
            if found := list(self._matches(_strip(text, between))):
                places = _places(text, between)
                yield from (places[begin:end] for _, begin, end in found)

    def _matches(self, letters: str) -> Iterator[tuple[str, int, int]]:
        """The letters of which secrets that are, or are in part, in a text of letters alone, and
        where."""
        for each in self._few:
            at = letters.find(each)
            while at >= 0:
                yield each, at, at + len(each)
                at = letters.find(each, at + 1)
        for at in range(0, len(letters) - _STEP + 1, _STEP):
            part = letters[at : at + _STEP]
            if part in self._parts:
                for each in self._letters:
                    there = each.find(part)
                    while there >= 0:
                        begin, end = _extend_match(letters, at, each, there)
                        if end - begin >= PART:
                            yield each, begin, end
                        there = each.find(part, there + 1)


@lru_cache(maxsize=64)
def _redaction(secrets: frozenset[str]) -> Redaction:
    return Redaction(secrets)


def redaction(secrets: Iterable[str]) -> Redaction:
    return _redaction(frozenset(secrets))


class StreamRedaction:
    """A text that comes in pieces -> the same without secrets, those that come in two pieces too.

    >>> said = StreamRedaction(["s3cret"])
    >>> said("the s3c"), said("ret is s3"), said.end()
    ('the ', '••• is ', 's3')
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._hide = redaction(secrets)
        self._rest = ""

    def __call__(self, text: str) -> str:
        """What can be said now. An end that may begin a secret waits for what follows."""
        if not self._hide.spellings:
            return text
        text = self._rest + text
        at = self._hide.waits(text)
        self._rest = text[at:]
        return self._hide(text[:at])

    def end(self) -> str:
        """What still waited."""
        rest, self._rest = self._rest, ""
        return self._hide(rest)


def _spellings(secret: str) -> Iterator[str]:
    """Plainly, quoted for a shell, in HTML, in a URL or a form, each of these in JSON (and that in
    JSON) and in Python: as text, as ASCII, as bytes, and as an output that takes ASCII alone; and
    as it is read where it was printed in another encoding than UTF-8."""
    data = secret.encode("utf-8", "surrogatepass")
    urls = [quote(data, safe=""), quote(data), quote_plus(data), quote_plus(data, safe="/")]
    lower = [re.sub("%..", lambda code: code[0].lower(), url) for url in urls]
    lost = re.sub(r"[^\x00-\x7f]", "\ufffd", secret)
    if len(_letters(lost)) >= MIN_LENGTH:
        # A secret read in another encoding than it was written: what is not ASCII became U+FFFD.
        yield lost
    for text in (secret, shlex.quote(secret), html.escape(secret), *urls, *lower):
        yield text
        yield repr(text)[1:-1]
        yield ascii(text)[1:-1]
        yield repr(text.encode("utf-8", "surrogatepass"))[2:-1]
        yield text.encode("ascii", "backslashreplace").decode()
        for plain in (False, True):
            said = json.dumps(text, ensure_ascii=plain)[1:-1]
            yield said
            yield json.dumps(said, ensure_ascii=plain)[1:-1]


def _encodings(secret: str) -> Iterator[str]:
    """In base64, alone or behind other bytes (`user:secret`), and as hexadecimal digits: as much as
    is the same whatever stands around it."""
    try:
        data = secret.encode()
    except UnicodeEncodeError:
        return
    yield data.hex()
    yield data.hex().upper()
    # base64 reads three bytes at a time: what stands before shifts the secret to one of three
    # forms.
    for before in range(3):
        bits = 8 * before, 8 * (before + len(data))
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            coded = encode(bytes(before) + data).decode()
            # Only signs whose six bits are all of the secret: those at the ends depend on what is
            # around it.
            yield coded[-(-bits[0] // 6) : bits[1] // 6]


_NUMBERS = (
    ("\\x{:02x}", ""), ("\\x{:02X}", ""), ("0x{:02x}", ", "), ("0x{:02X}", ", "), ("\\{:03o}", ""),
    ("{}", ", "), ("&#{};", ""), ("&#x{:x};", ""), ("&#x{:X};", ""), ("\\u{:04x}", ""),
)  # fmt: skip
"""How the number of a byte, or of a character, is written, and what is between two."""


_WORDS = ((2, "{:06o}"), (2, "{:04x}"), (4, "{:011o}"), (4, "{:08x}"))
"""How dumps write words of so many bytes: `od`, `hexdump`."""


def _numbers_of(secret: str) -> Iterator[str]:
    """The secret as numbers, in escapes, in lists and in the words of a dump."""
    data = secret.encode("utf-8", "surrogatepass")
    for size, shape in _WORDS:
        for first in range(size):  # what stands before shifts it; a word is not its own at the ends
            parts = (data[at : at + size] for at in range(first, len(data) - size + 1, size))
            yield " ".join(shape.format(int.from_bytes(part, "little")) for part in parts)
    for codes in (secret.encode("utf-8", "surrogatepass"), [*map(ord, secret)]):
        for shape, between in _NUMBERS:
            yield between.join(map(shape.format, codes))


def _letters(text: str) -> str:
    return _strip(text, _BETWEEN)


def _strip(text: str, between: re.Pattern[str]) -> str:
    """The letters of a text: `between.sub("", text)`, and for what is usual in a tenth of the
    time."""
    if between is _NUMBERED:
        text = _IS_NUMBERED.sub("", text)
    elif between is not _BETWEEN:
        return between.sub("", text)
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    if text.isascii():
        return text.encode().translate(None, _ASCII_SIGNS).decode()
    return _SIGNS.sub("", text)


def _betweens(text: str) -> Iterator[re.Pattern[str]]:
    """What may stand between the letters of a secret in the text."""
    yield _BETWEEN
    if _IS_NUMBERED.search(text):
        yield _NUMBERED
    if _IS_DUMPED.search(text):
        yield _DUMPED
        yield _BYTES_DUMPED


def _dump_start(text: str) -> int:
    """Where the lines begin with which the text ends, and which may be of a dump."""
    at = text.rfind("\n") + 1
    if not (_IS_DUMP_LINE.match(text, at) or _MAY_BE_DUMP_LINE.fullmatch(text, at)):
        return len(text)
    while at > max(0, len(text) - _REACH):
        before = text.rfind("\n", 0, at - 1) + 1
        if not _IS_DUMP_LINE.match(text, before):
            break
        at = before
    return at


def _places(text: str, between: re.Pattern[str]) -> list[int]:
    """Where its letters are."""
    places: list[int] = []
    at = 0
    for found in between.finditer(text):
        places.extend(range(at, found.start()))
        at = found.end()
    return [*places, *range(at, len(text))]


def _numbers(text: str, places: Sequence[int]) -> Iterator[int]:
    """Which of these letters are the first of a line after its number, as that is no secret."""
    for at, (before, after) in enumerate(pairwise(places), start=1):
        if after > before + 1 and any(map(str.isalnum, text[before + 1 : after])):
            yield at


def _hide_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    said, at = [], 0
    for begin, end in sorted(spans):
        if end > at:
            if begin >= at:
                said += [text[at:begin], HIDDEN]
            at = end
    return "".join([*said, text[at:]])


def _extend_match(text: str, at: int, secret: str, there: int) -> tuple[int, int]:
    """How far a text and a secret are the same, around a place of each where they are."""
    begin, back = at, there
    while begin > 0 and back > 0 and text[begin - 1] == secret[back - 1]:
        begin, back = begin - 1, back - 1
    while at < len(text) and there < len(secret) and text[at] == secret[there]:
        at, there = at + 1, there + 1
    return begin, at


def _hide_broken(text: str, secret: str) -> str:
    """Lines are broken where they are full: not more often than the narrowest terminal does it,
    and where a line is cut at its end, spaces are lost. The next may be indented."""
    most = 1 + len(secret) // NARROWEST
    parts = (r"(?: |(?=\r?\n))" if letter == " " else re.escape(letter) for letter in secret)

    def replace_match(found: re.Match[str]) -> str:
        return HIDDEN if found[0].count("\n") - secret.count("\n") <= most else found[0]

    return re.sub(r"(?:\r?\n)?".join(parts), replace_match, text)
