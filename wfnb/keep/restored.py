"""what came back of kept values, and what did not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wfnb.core.kept import Differs


@dataclass(frozen=True, slots=True, kw_only=True)
class NotBack:
    """`why` follows the name: "model: it cannot be read here (…)"."""

    name: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """`values` are what was asked for. `also` are names that they need to work, which the namespace
    does not have: modules, functions and classes of the notebook, plain constants. Nothing was put
    anywhere: `namespace.update(restored.values)` and `.also` does. `left` were in the namespace as
    they were kept: they stay, the same objects."""

    values: dict[str, Any] = field(default_factory=dict)
    also: dict[str, Any] = field(default_factory=dict)
    left: tuple[str, ...] = ()
    missing: tuple[NotBack, ...] = ()
    differs: tuple[Differs, ...] = ()
