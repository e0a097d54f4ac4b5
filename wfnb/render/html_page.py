"""a title, the parts of a body -> one HTML file to read, which fetches nothing and runs nothing."""

from __future__ import annotations

from .text import escape

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.55 system-ui,sans-serif;max-width:860px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.quiet{opacity:.72}.step{border-left:3px solid rgba(128,128,128,.5);padding:.1rem 0 .1rem .9rem;
margin:1rem 0;overflow-x:auto}.step.failed{border-left-style:double}
.step.stale{border-left-style:dashed}
.step h3{font-size:1rem;margin:0}.step p{margin:.4rem 0}
pre,code{font-family:ui-monospace,Menlo,Consolas,monospace}
pre{overflow:auto;padding:.6rem .8rem;border:1px solid rgba(128,128,128,.35);font-size:.85rem}
summary{cursor:pointer}blockquote{margin:.4rem 0;padding-left:.8rem;border-left:2px solid
rgba(128,128,128,.5)}svg,img{max-width:100%;height:auto}img{background:#fff}
.answer{border:1px solid rgba(128,128,128,.5);padding:.6rem .9rem;margin:1rem 0}
table{border-collapse:collapse;margin:.5rem 0}
td,th{padding:.15rem .7rem .15rem 0;text-align:left;vertical-align:top}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, body: str) -> str:
    """The file; `body` is HTML already."""
    name = escape.html(title)
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">',
        '<meta name="generator" content="wfnb">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{name}</title><style>{_STYLE}</style></head><body>",
    )
    return "\n".join((*head, body, "</body></html>")) + "\n"
