"""YAML text -> plain data, or a ValueError of one line.

Plain words are read by the core schema of YAML 1.2: `no` and `2026-11-21` are text, `010` is ten.
Aliases are refused: a few lines of them stand for more data than a computer holds.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

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


def load(text: str) -> Any:
    """What the text says. ValueError for anything that is no YAML, names aliases or is too deep."""
    import yaml  # noqa: PLC0415  (wanted only where somebody wrote YAML)

    try:
        return yaml.load(text, Loader=_loader())
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except Exception as error:  # `!!int x` or a tag of its own: whatever int() and others raise
        words = "".join(sign if sign.isprintable() else " " for sign in str(error))
        raise ValueError(" ".join(words.split())[:200] or type(error).__name__) from None


@cache
def _loader() -> type[yaml.SafeLoader]:
    import yaml  # noqa: PLC0415  (as above)

    class Plain(yaml.SafeLoader):
        yaml_implicit_resolvers = {}  # noqa: RUF012  (PyYAML's own way)

        def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("it uses an alias (*name); write out what it stands for")
            return super().compose_node(parent, index)

        def whole(self, node: yaml.ScalarNode) -> int:
            word = str(self.construct_scalar(node))
            return int(word, 0 if word[:2] in ("0o", "0x") else 10)

    for name, (pattern, first) in _WORDS.items():
        tag = f"tag:yaml.org,2002:{name}"
        Plain.add_implicit_resolver(tag, re.compile(f"(?:{pattern})$"), list(first))
    Plain.add_constructor("tag:yaml.org,2002:int", Plain.whole)
    return Plain
