"""YAML text ⇄ plain data, or a ValueError of one line, with the line and the column.

Plain words are read by the core schema of YAML 1.2: `no` and `2026-11-21` are text, `010` is ten.
Aliases are refused: a few lines of them stand for more data than a computer holds. So is a key
that a mapping has twice: one of the two would be lost.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import TYPE_CHECKING, Any

from wfnb.interrupt_deferral import Deferral

if TYPE_CHECKING:
    import yaml

_WORDS = {
    "bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", "-+0123456789"),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        "-+.0123456789",
    ),
}

_BREAKS = re.compile("[\\r\x85\u2028\u2029\ufeff]")
"""What YAML 1.1 takes for the end of a line or of the text, unless it is escaped."""


def load(text: str) -> Any:
    """What the text says. ValueError for anything that is no YAML, names aliases, has a key twice
    or is too deep."""
    with Deferral():
        import yaml  # noqa: PLC0415  (wanted only where somebody wrote YAML)

    try:
        return yaml.load(text, Loader=_loader())
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except Exception as error:  # `!!int x` or a tag of its own: whatever int() and others raise
        words = "".join(sign if sign.isprintable() else " " for sign in _describe_error(error))
        raise ValueError(" ".join(words.split())[:200] or type(error).__name__) from None


class PlainWord:
    """A value of a mapping that is written as a word without quotes."""

    def __init__(self, written: str) -> None:
        self.written = written


def load_with_plain(text: str, name: str) -> Any:
    """As `load`; in the mapping under `name` plain words are `PlainWord`, as they are written."""
    found = load(text)
    import yaml  # noqa: PLC0415  (as above)

    node = _compose(text)
    for key, part in node.value if isinstance(node, yaml.MappingNode) else ():
        if key.value != name or not isinstance(part, yaml.MappingNode):
            continue
        for inner, value in part.value:
            if (empty := _empty(value)) is not None:
                raise ValueError(f"{empty[:40]!r} has no value")
            word = isinstance(value, yaml.ScalarNode) and value.style is None and value.value
            if word or (isinstance(value, yaml.ScalarNode) and value.value[:1] == "@"):
                found[name][inner.value] = PlainWord(value.value)
    return found


def without_value(text: str) -> str | None:
    """A key that no value follows, as in `{n, total: 1}`; None: each has one. ValueError as
    `load`."""
    load(text)
    return _empty(_compose(text))


def _compose(text: str) -> Any:
    loader = _loader()(text)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _empty(node: Any) -> str | None:
    import yaml  # noqa: PLC0415  (as above)

    if isinstance(node, yaml.SequenceNode):
        return next(filter(None, map(_empty, node.value)), None)
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(value, yaml.ScalarNode) and not value.value and value.style is None:
            return str(key.value)
        if (inner := _empty(value)) is not None:
            return inner
    return None


def dump(data: Any) -> str:
    """YAML text that `load` reads as the same data: mappings in their order, long texts as they
    are. Words that some reader of YAML takes for something else are quoted."""
    with Deferral():
        import yaml  # noqa: PLC0415  (as above)

    return yaml.dump(
        data, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=100, indent=2
    )


def _describe_error(error: Exception) -> str:
    import yaml  # noqa: PLC0415  (as above)

    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        mark = error.problem_mark
        problem = str(error.problem)
        opened = error.context_mark
        if opened and error.context == "while scanning a quoted scalar":
            mark, problem = opened, "the quote that is opened here is never closed"
        elif opened and "<stream end>" in problem:
            problem += f" (opened in line {opened.line + 1}, column {opened.column + 1})"
        if problem.startswith("but "):
            problem = f"{error.context}, {problem}"
        return f"line {mark.line + 1}, column {mark.column + 1}: {problem}"
    if isinstance(error, yaml.reader.ReaderError):
        return f"character {error.position + 1}: {error.reason}"
    return str(error)


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml  # noqa: PLC0415  (as above)

    class Plain(yaml.SafeLoader):
        yaml_implicit_resolvers = {}  # noqa: RUF012  (PyYAML's own way)

        def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
            if self.check_event(yaml.AliasEvent):
                mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
                what = "it uses an alias (*name); write out what it stands for"
                raise yaml.YAMLError(f"{what} (line {mark.line + 1}, column {mark.column + 1})")
            return super().compose_node(parent, index)

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
            mapping = super().construct_mapping(node, deep)
            if len(mapping) < len(node.value):
                self._refuse_twice(node)
            return mapping

        def _refuse_twice(self, node: yaml.MappingNode) -> None:
            seen = set()
            for key, _ in node.value:
                word = self.construct_object(key, deep=True)
                if word in seen:
                    what = f"the key {str(word)[:80]!r} is there twice"
                    raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                seen.add(word)

        def whole(self, node: yaml.ScalarNode) -> int:
            word = str(self.construct_scalar(node))
            return int(word, 0 if word[:2] in ("0o", "0x") else 10)

    _add_words(Plain)
    Plain.add_constructor("tag:yaml.org,2002:int", Plain.whole)
    return Plain


@cache
def _dumper() -> type[yaml.SafeDumper]:
    import yaml  # noqa: PLC0415  (as above)

    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: Any) -> bool:
            return True

        def text(self, data: str) -> yaml.ScalarNode:
            style = '"' if _BREAKS.search(data) else "|" if "\n" in data else None
            return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)

    _add_words(Plain)  # besides those of YAML 1.1
    Plain.add_representer(str, Plain.text)
    return Plain


def _add_words(kind: type[yaml.SafeLoader] | type[yaml.SafeDumper]) -> None:
    for name, (pattern, first) in _WORDS.items():
        tag = f"tag:yaml.org,2002:{name}"
        kind.add_implicit_resolver(tag, re.compile(f"(?:{pattern})$"), list(first))
