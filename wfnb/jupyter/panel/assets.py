"""what labextension's build put into `static/` -> the scripts and the style that a widget needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

STATIC = Path(__file__).with_name("static")


@dataclass(frozen=True)
class PanelAssets:
    """`loader` is saved in a notebook with every widget, the renderer is not: a page asks for it
    once, by its `hash`."""

    loader: str
    script: str
    style: str
    hash: str


def load_assets() -> PanelAssets | None:
    """None where the front end was not built."""
    try:
        return _read(STATIC)
    except OSError:
        return None


@cache
def _read(folder: Path) -> PanelAssets:
    loader, script, style = (
        (folder / name).read_text(encoding="utf-8")
        for name in ("widget.js", "renderer.js", "wfnb.css")
    )
    return PanelAssets(
        # By content: a page of another version of wfnb has another hash, and asks for this one.
        loader,
        script,
        style,
        sha256(f"{script}\0{style}".encode()).hexdigest()[:16],
    )
