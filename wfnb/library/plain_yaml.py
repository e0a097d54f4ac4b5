"""YAML text -> plain data, or a ValueError of one line."""

from __future__ import annotations

from typing import Any

import yaml


class _Plain(yaml.SafeLoader):
    """Without aliases: a few lines of them stand for more data than a computer holds."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it uses an alias (*name); write out what it stands for")
        return super().compose_node(parent, index)


def load(text: str) -> Any:
    """What the text says. ValueError for anything that is no YAML, names aliases or is too deep."""
    try:
        return yaml.load(text, Loader=_Plain)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except Exception as error:  # `!!int x` or a date 2020-13-45: whatever int() and others raise
        words = "".join(sign if sign.isprintable() else " " for sign in str(error))
        raise ValueError(" ".join(words.split())[:200] or type(error).__name__) from None
