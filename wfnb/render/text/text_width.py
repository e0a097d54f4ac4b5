"""text -> the room it takes, and the text cut or wrapped to fit a room.

Two rooms are known: columns of a terminal (East Asian wide characters take two, combining ones
none) and pixels of a page. The pixels are those of DejaVu Sans, wider than the usual interface
fonts, so that a box made for a text holds it whichever font shows it.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from unicodedata import category, east_asian_width

_EM = {
    sign: em
    for em, signs in (
        (0.30, "ijlIJ'"),
        (0.34, " .,:;|/\\"),
        (0.40, "ft()[]!-r"),
        (0.50, 's*`"'),
        (0.60, "acekvxyz?LT_F"),
        (0.64, "bdghnopqu0123456789{}EKPSY$"),
        (0.72, "ABCRVXZU"),
        (0.84, "DGHNOQw#&+<=>~^"),
        (1.00, "mMW%@"),
    )
    for sign in signs
}
Measure = Callable[[str], float]


@lru_cache(maxsize=4096)
def _columns(sign: str) -> int:
    # Marks stand on the letter before them, and a colour of skin changes the emoji before it.
    if category(sign) in ("Mn", "Me", "Cf") or "\U0001f3fb" <= sign <= "\U0001f3ff":
        return 0
    # The letters of flags: two of them are one flag, and a terminal gives it two columns.
    flag = "\U0001f1e6" <= sign <= "\U0001f1ff"
    return 2 if flag or east_asian_width(sign) in "WF" else 1


@lru_cache(maxsize=4096)
def _em(sign: str) -> float:
    if sign in _EM:
        return _EM[sign]
    wide = 1.3 if sign >= "\U0001f000" else 1.0
    return {0: 0.0, 1: 0.7 if sign.isalpha() else 0.9, 2: wide}[_columns(sign)]


def columns(text: str) -> int:
    """Columns of a terminal.

    >>> columns("step"), columns("步骤"), columns("e\u0301"), columns("👩\u200d🔬")
    (4, 4, 1, 2)
    """
    # Nearly all text: spared a look at each sign.
    if text.isascii():
        return len(text)
    return sum(max(map(_columns, cluster)) for cluster in clusters(text))


def pixels(text: str, size: float = 12) -> float:
    """Pixels at a font size, rounded up to what most fonts need."""
    return size * sum(map(_em, text))


_CLUSTER = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|(?s:.)(?:[\u0300-\u036f\u200d\ufe00-\ufe0f\u20d0-\u20ff\U0001f3fb-\U0001f3ff]"
    "|(?<=\u200d)(?s:.))*"
)


def clusters(text: str) -> Iterator[str]:
    """What a reader sees as single signs: a letter with its accents, a joined emoji, a flag."""
    return (match[0] for match in _CLUSTER.finditer(text))


def cut(text: str, room: float, measure: Measure = columns) -> str:
    """The text, or as much of it as fits with … at its end.

    >>> cut("Are the residuals drifting?", 12), cut("残差是否漂移", 8), cut("ok", 2)
    ('Are the res…', '残差是…', 'ok')
    """
    # A text far longer than its room is not measured: it may be megabytes.
    if len(text) <= room * 4 and measure(text) <= room:
        return text
    return _start(text, room - measure("…"), measure).rstrip() + "…"


def wrap(
    text: str, room: float, lines: int, measure: Measure = columns, after: str = ""
) -> list[str]:
    """The text on at most so many lines that fit, broken at spaces where it can be, else after one
    of those signs.

    >>> wrap("Drop the two broken days first", 16, 2)
    ['Drop the two', 'broken days fir…']
    >>> wrap("残差是否随时间漂移", 12, 2)
    ['残差是否随时', '间漂移']
    >>> wrap("collections.defaultdict", 16, 2, after="._")
    ['collections.', 'defaultdict']
    """
    done: list[str] = []
    while len(done) < lines - 1 and (len(text) > room * 4 or measure(text) > room):
        start = _start(text, room, measure)
        # Broken right before a space, the line is full; `rfind` would break it a word earlier.
        space = len(start) if text[len(start) :].startswith(" ") else start.rfind(" ")
        joint = max((start.rfind(sign) + 1 for sign in after), default=0)
        # A space near the beginning would leave the line nearly empty.
        end = space if space > len(start) // 3 else joint if joint > space + 1 else len(start)
        done.append(text[:end].rstrip())
        text = text[end:].lstrip()
    return [*done, cut(text, room, measure)]


def _start(text: str, room: float, measure: Measure) -> str:
    start, used = [], 0.0
    for cluster in clusters(text):
        used += measure(cluster)
        if used > room:
            break
        start.append(cluster)
    return "".join(start)
