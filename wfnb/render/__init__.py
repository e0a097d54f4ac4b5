"""texts, tables, graphs -> the same as HTML, Markdown, SVG and plain text. Nothing of sessions.

text/         any text escaped, measured, cut; tables; Markdown as safe HTML
drawing/      Graph -> SVG, DOT, Mermaid, text
message.py    a sentence, a block, rows -> what a cell shows
html_page.py  the parts of a body -> one HTML file
"""
