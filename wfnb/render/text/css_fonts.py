"""-> the CSS of a text, and of code: pages that a picture stands in have fonts of their own."""

FONT = "font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px"
SPACED = f"{FONT};line-height:1.5"
"""For several lines."""
CODE = "font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace)"
