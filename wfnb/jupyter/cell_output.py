"""anything that can show itself -> one output of the cell, in the forms that were asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from wfnb.render.message import MIME
from wfnb.views.step_answer import Answer

from .ipython_compat import kernel_of


def show(shell: InteractiveShell, shown: Any, form: str = "all") -> None:
    """Publish one `display_data` with everything the object offers. `form` is `all`, `quiet`
    (nothing), `json` (as text only) or `text` (an answer with its Markdown rendered)."""
    if shown is None or form == "quiet":
        return
    if form == "text":
        shown = replace(shown, rendered=True)
    bundle = bundle_of(shown, form)
    if isinstance(shown, Answer) and form != "json" and kernel_of(shell) is None:
        bundle["text/plain"] = shown.text  # a terminal shows this and nothing else
    shell.display_pub.publish(data=bundle, metadata={})


def bundle_of(shown: Any, form: str = "all") -> dict[str, Any]:
    """What an object offers to show, by type."""
    bundle: dict[str, Any] = shown._repr_mimebundle_()
    if form == "json" and hasattr(shown, "to_json"):  # the whole of it, times too
        return {MIME: shown.to_dict(), "text/plain": shown.to_json()}
    if form == "json":
        return {name: bundle[name] for name in (MIME, "text/plain") if name in bundle}
    return bundle
