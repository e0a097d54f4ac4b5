"""-> the CSS of a text, and of code: pages that a picture stands in have fonts of their own."""

FONT = "font-family:var(--jp-ui-font-family,system-ui,sans-serif);font-size:13px"
CODE = "font-family:var(--jp-code-font-family,ui-monospace,Menlo,Consolas,monospace)"
