"""lines of SVG and their size -> one picture that stands in a page, a notebook or a file.

No ids (several pictures share a page), no scripts, nothing fetched. Colours are JupyterLab's
where there is a JupyterLab; elsewhere they follow the reader's light or dark preference. Each
paint is written twice, for readers that do not know CSS variables.
"""

from collections.abc import Iterable

from wfnb.render.text import escape

_FONT = "system-ui,-apple-system,'Segoe UI','DejaVu Sans','Noto Sans CJK SC',sans-serif"
LANE_COLOURS = (  # light, dark
    ("#1a73b8", "#64b5f6"),
    ("#8e44ad", "#ce93d8"),
    ("#c4661f", "#ffb074"),
    ("#2e7d32", "#81c784"),
    ("#b0306a", "#f48fb1"),
)
TONE_PAINTS = {  # of states; name: (JupyterLab's variable, light, dark)
    "on": ("--jp-brand-color1", "#1a73b8", "#64b5f6"),
    "ok": ("--jp-success-color0", "#2e7d32", "#81c784"),
    "bad": ("--jp-error-color0", "#b3261e", "#ef9a9a"),
    "warn": ("--jp-warn-color0", "#8a5a00", "#e0b24a"),
}
PAINTS = {
    "fg": ("--jp-ui-font-color1", "#1f2328", "#e6e6e6"),
    "dim": ("--jp-ui-font-color2", "#59636e", "#a0a0a0"),
    "bg": ("--jp-layout-color0", "#ffffff", "#111111"),
    "band": ("--jp-layout-color2", "#eeeeee", "#2a2a2a"),
    "line": ("--jp-border-color1", "#bdbdbd", "#616161"),
    **TONE_PAINTS,
    **{f"c{lane}": ("", *pair) for lane, pair in enumerate(LANE_COLOURS)},
}


def paint(what: str, name: str) -> str:
    """A declaration: `fill` or `stroke` with one of the paints by name."""
    return f"{what}:{PAINTS[name][1]};{what}:var(--wf-{name})"


def _palette(dark: bool) -> str:
    return ";".join(
        f"--wf-{name}:" + (f"var({variable},{pair[dark]})" if variable else pair[dark])
        for name, (variable, *pair) in PAINTS.items()
    )


def _style() -> str:
    root = ".wfnb-graph"
    own = {name: pair for name, (variable, *pair) in PAINTS.items() if not variable}
    themes = (
        # JupyterLab says on its page which theme is on; elsewhere the browser's choice holds.
        f'[data-jp-theme-light="{word}"] {root}{{'
        + ";".join(f"--wf-{name}:{pair[dark]}" for name, pair in own.items())
        + "}"
        for word, dark in (("true", False), ("false", True))
    )
    rules = {
        "": f"{_palette(False)};{paint('background', 'bg')};max-width:100%;height:auto",
        " text": f"font:12px {_FONT};font-family:var(--jp-ui-font-family,{_FONT});"
        f"{paint('fill', 'fg')};font-variant-emoji:text;white-space:pre",
        " .dim": f"{paint('fill', 'dim')};font-variant-numeric:tabular-nums",
        " .e": "text-anchor:end",
        " .m": "text-anchor:middle",
        " .s": f"{paint('fill', 'dim')};font-size:11px",
        " .b": "font-weight:600",
        " .x": f"{paint('fill', 'dim')};text-decoration:line-through dotted",
        " .band": paint("fill", "band"),
        " .box": f"{paint('fill', 'bg')};{paint('stroke', 'line')}",
        " .edge": f"fill:none;{paint('stroke', 'dim')}",
        " .tip": paint("fill", "dim"),
        " .rail": "fill:none;stroke-width:2",
        " .mark": f"{paint('stroke', 'bg')};stroke-width:1",
        " .hollow": "stroke-width:1.5",
        " .dash": "stroke-dasharray:4 3",
        " .dots": "stroke-dasharray:1.5 3",
        " .thick": "stroke-width:2",
    }
    for name in TONE_PAINTS:
        rules[f" text .{name}"] = paint("fill", name)
        rules[f" .box.{name},{root} .edge.{name}"] = paint("stroke", name)
        rules[f" .tip.{name}"] = paint("fill", name)
    for number in range(len(LANE_COLOURS)):
        name = f"c{number}"
        rules[f" .rail.{name},{root} .edge.{name}"] = paint("stroke", name)
        rules[f" .mark.{name},{root} .tip.{name}"] = paint("fill", name)
        rules[f" .hollow.{name}"] = f"{paint('stroke', name)};{paint('fill', 'bg')}"
    return (
        "".join(f"{root}{rest}{{{paints}}}" for rest, paints in rules.items())
        + f"@media (prefers-color-scheme:dark){{{root}{{{_palette(True)}}}}}"
        + "".join(themes)
    )


STYLE = _style()


def sheet(lines: Iterable[str], *, width: float, height: float, label: str, style: str = "") -> str:
    """The whole picture; `label` says in a sentence what it shows. `style` has further rules."""
    wide, high = number(width), number(height)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="wfnb-graph" role="img" '
        f'aria-label="{escape.attribute(escape.line(label))}" '
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">\n'
        f"<title>{escape.html(escape.line(label))}</title>\n<style>{STYLE}{style}</style>\n"
        + "\n".join(lines)
        + "\n</svg>\n"
    )


def number(value: float) -> str:
    """At most one decimal: shorter, and the same on every machine.

    >>> number(12.0), number(12.34), number(-0.01)
    ('12', '12.3', '0')
    """
    return f"{round(value, 1) or 0.0:.1f}".removesuffix(".0")
