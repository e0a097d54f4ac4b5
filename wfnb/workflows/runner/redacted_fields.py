"""fields of a result -> the same with secrets taken out, as everybody else sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from wfnb.redaction import HIDDEN, Redaction, redaction
from wfnb.workflows.definition.truncation import Cut, PrintedValue, TextKeyDict, source_of
from wfnb.workflows.definition.value_form_types import Form, Live, Lost, Source, with_source

FLAGS = frozenset(("success", "timeout_occurred", "still_running", "outcome_unknown"))
"""Fields that say how a call went: true or false, which tells no secret."""
_WHY = "a secret is in it, which is written nowhere"
READ = FLAGS | {"error", "error_type", "captures"}
"""Names of the fields that are read by others than workflows."""


def redact_result(
    fields: Mapping[str, Any], secrets: Iterable[str], names: Collection[str] = ()
) -> dict[str, Any]:
    """What the rest of the run sees of a result. `names` are those of fields that are known before
    the call, so that they hold no secret.

    >>> redact_result({"stdout": "token is s3cret\\n"}, ["s3cret"])
    {'stdout': 'token is •••\\n'}
    """
    hidden = redaction(secrets)
    if not hidden.spellings:
        return dict(fields)
    known = {*READ, *names}
    telling = {name: value for name, value in fields.items() if not _is_flag(name, value)}
    told = _ResultRedaction(hidden, telling, known)
    return {
        name if name in known else told.redact_text(name): (
            told.redact(telling[name]) if name in telling else bool(value)
        )
        for name, value in fields.items()
    }


def _is_flag(name: str, value: Any) -> bool:
    return name in FLAGS and isinstance(value, str | int | float)


_GROUP = 4_000
"""Characters of short texts that are looked through at once."""
_Leaf = tuple[str, str]
"""What kind of text it is, and the text."""
_READINGS = (("text",), ("key",), ("key", "text"), ("text", "number"), ("key", "text", "number"))
"""With and without what may stand between the parts of a secret."""


class _ResultRedaction:
    """The values of a result as they are told. Texts that stand beside each other are looked
    through together: a secret that is split at its dashes is in none of the items alone."""

    def __init__(self, hidden: Redaction, fields: Mapping[str, Any], known: Collection[str]):
        self._hidden = hidden
        self._across: dict[str, set[tuple[int, int]]] = {}
        """Where texts have a part of a secret of which others have the rest."""
        by_field = [
            [*([] if name in known else [("key", name)]), *_leaves(value)]
            for name, value in fields.items()
            # A number of its own is none that a secret was split into.
            if not isinstance(value, int | float)
        ]
        groups = _groups(dict.fromkeys(text for leaves in by_field for _, text in leaves))
        self._clean = {text for group in groups if not self._tells(group) for text in group}
        """Texts in which there is nothing. Each by itself would cost much, where they are many."""
        # Forwards and backwards: a secret may begin in the second stream.
        orders = [list(chain(*by_field)), list(chain(*by_field[::-1]))]
        readings = {
            tuple(text for kind, text in leaves if text and kind in kinds)
            for leaves in orders
            for kinds in _READINGS
        }
        for texts in readings:
            for text, span in hidden.spans_across(texts):
                self._across.setdefault(text, set()).add(span)

    def _tells(self, texts: Sequence[str]) -> bool:
        # Each on lines of its own, as it is looked through.
        joined = "\n".join(texts)
        return self._hidden(joined) != joined

    def redact_text(self, text: str) -> str:
        spans = self._across.get(text, ())
        return text if text in self._clean and not spans else self._hidden(text, spans)

    def redact(self, value: Any) -> Any:
        if isinstance(value, str):
            told = self.redact_text(value)
            # A new object of the same kind: the marks would be lost with a plain text, and a later
            # call would get the short text for the whole.
            if isinstance(value, Cut):
                # What a part of a secret is whose rest is in another field is known in the ends.
                apart = told == self._hidden(value)
                source = _whole_text(value.source, self._hidden) if apart else None
                return Cut(told, value.size, value.kept, source=source, why=value.why)
            source = _source(value, told)
            if isinstance(value, PrintedValue):
                return PrintedValue(told, value.kind, source, value.why if told == value else _WHY)
            return with_source(told, source)
        if isinstance(value, dict):
            found = {self.redact(key): self.redact(item) for key, item in value.items()}
            source = _source(value, found)
            if isinstance(value, TextKeyDict):
                return TextKeyDict(found, value.kind, source)
            return with_source(found, source)
        if isinstance(value, list):
            items = [self.redact(item) for item in value]
            return with_source(items, _source(value, items))
        # Before numbers, as bool is an int: a flag tells no secret.
        if isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            said = str(value)
            return HIDDEN if said in self._hidden.spellings or said in self._across else value
        return value


def _groups(texts: Iterable[str]) -> Iterator[list[str]]:
    """The texts, as many together as have some thousand characters."""
    group: list[str] = []
    size = 0
    for text in texts:
        if size + len(text) > _GROUP and len(group) > 1:
            yield group
            group, size = [], 0
        if len(text) <= _GROUP:
            group.append(text)
            size += len(text)
    if len(group) > 1:
        yield group


def _leaves(value: Any) -> Iterator[_Leaf]:
    """The texts of a value in order, and the numbers as they are written."""
    if isinstance(value, str):
        yield "text", value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (("key", text) for _, text in _leaves(key))
            yield from _leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield "number", str(value)


def _source(value: Any, redacted: Any) -> Source | None:
    """Where the value itself is: nowhere, if a secret was in it."""
    source = source_of(value)
    if source is None or redacted == value:
        return source
    if not isinstance(value, Form):
        return None
    return source.lost(_WHY) if isinstance(source, Live) else Lost(kind="value", why=_WHY)


def _whole_text(source: Source | None, hidden: Redaction) -> Source | None:
    return Live(hidden(source.value)) if isinstance(source, Live) else source
