"""anything that can show itself -> one output of the cell, in the forms that were asked for."""

from __future__ import annotations

from typing import Any, Literal

from IPython.core.interactiveshell import InteractiveShell

from wfnb.views.words import MIME

Form = Literal["all", "json", "none"]


def show(shell: InteractiveShell, shown: Any, form: str = "all") -> None:
    """Publish one `display_data` with everything the object offers; `json`: as text only."""
    if shown is None or form == "none":
        return
    bundle = shown._repr_mimebundle_()
    if form == "json":
        bundle = {name: bundle[name] for name in (MIME, "text/plain") if name in bundle}
    shell.display_pub.publish(data=bundle, metadata={})
