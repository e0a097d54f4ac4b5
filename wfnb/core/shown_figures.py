"""what a step showed: pictures and tables, each by its form and by the name of its bytes."""

from __future__ import annotations

from typing import Final

from wfnb.frozen_record import record

from .kept_values import size_of

IMAGES: Final = ("image/png", "image/jpeg", "image/svg+xml")
"""Forms of pictures that a page can show as an image, in which nothing runs; the best first."""
TABLE: Final = "table"
MAX_FIGURES: Final = 6
"""Figures that are kept of a step: the first that it showed."""
MAX_FIGURE_BYTES: Final = 500_000


@record
class Figure:
    """`form` is one of `IMAGES`, or `TABLE`; `blob` names its bytes in the figures beside the
    journal."""

    form: str
    blob: str


def is_known(figure: Figure) -> bool:
    """Whether it can be one that was kept: a journal from elsewhere may say anything."""
    return figure.form in (*IMAGES, TABLE) and 0 < size_of(figure.blob) <= MAX_FIGURE_BYTES
