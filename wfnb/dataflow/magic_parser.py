"""Text of IPython's magics -> the Python, the names and the expressions that are in it.

`code` comes after IPython's transform, so a magic is a call with its text as a constant. The text
itself may hold magics once more: `%%time` over a cell that has `!ls` in it.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from typing import Any, Final

from wfnb.dataflow.known_functions import words

# Magics that run Python which is written in their text, in the notebook's names.
PYTHON: Final = words("time capture prun step branch")
# The same, but the names that they bind are gone afterwards.
FUNCTION: Final = words("timeit")
# Magics that leave the notebook's names alone; `{name}` and `$name` in their line are read.
QUIET: Final = words(
    """
    alias alias_magic autoawait autocall autoindent automagic autoreload autosave bash
    bookmark cat cd clear cls colors conda config connect_info cp debug dhist dirs
    doctest_mode echo env gui hist history html HTML inline javascript js killbgscripts
    latex ldir less lf lk ll load_ext logoff logon logstart logstate logstop ls lsmagic lx
    magic man markdown matplotlib micromamba mkdir more mamba mv notebook page pdb perl pip
    popd pprint precision psearch pushd pwd pycat pylint python python2 python3 pypy
    qtconsole quickref reload_ext rehashx rep rm rmdir ruby run_workflow save script set_env
    sh subshell svg SVG sx system tb unalias unload_ext uv watermark wfnb who who_ls whos
    workflow writefile file xmode nbagg
    """
)
# They show what a name is.
INSPECTING: Final = words("pinfo pinfo2 pdef pdoc pfile psource")
SHELL: Final = words("system getoutput sx")
# Verbs of `%wfnb` that only show: they run no code of the notebook, and bind none of its names.
SHOWING: Final = words(
    """
    compare estimate export findings graph help list log runs search sessions show stages status
    timeline tools why workflows
    """
)

_OPTIONS: Final = {
    "timeit": re.compile(r"\s*(-[nrp]\s*\d+|-[tcqov]+|--\S+)(?=\s|$)"),
    "time": re.compile(r"\s*(--no-raise-error)(?=\s|$)"),
    "prun": re.compile(r"\s*(-[lsTD]\s*\S+|-[rq])(?=\s|$)"),
}
_OUTPUT: Final = re.compile(r"--(?:out|err|proc)\s+([^\W\d]\w*)")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_DOLLAR: Final = re.compile(r"\$\$|\$([^\W\d]\w*)")
_BRACES: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_LINE: Final = re.compile(
    r"^(?P<indent>\s*)(?:(?P<target>[^\W\d][\w.,\s\[\]\"']*=\s*))?"
    r"(?:(?P<shell>!{1,2})(?P<command>.*)|%(?P<magic>[^\W\d]\w*)(?P<rest>.*))$"
)
SHOWN: Final = re.compile(rf"'wfnb', '(?:{'|'.join(sorted(SHOWING))})(?=[ '])")
"""Such a verb, as IPython's transform has written it."""


def is_shell(node: Any) -> bool:
    """Whether this is `get_ipython()`."""
    return (
        node.__class__ is ast.Call
        and node.func.__class__ is ast.Name
        and bool(node.func.id == "get_ipython")
    )


def statement(magic: str, line: str) -> str:
    """The Python of a line magic, without the magic's own options."""
    options = _OPTIONS.get(magic)
    while options is not None and (found := options.match(line)):
        line = line[found.end() :]
    return line.strip()


def outputs(magic: str, line: str) -> list[str]:
    """The names that a cell magic binds to what its cell printed."""
    if magic == "capture":
        return [word for word in line.split() if _NAME.fullmatch(word)][:1]
    return _OUTPUT.findall(line)


def names(text: str) -> list[str]:
    return _NAME.findall(text)


def expressions_in(text: str) -> Iterator[str]:
    """The expressions that IPython puts into a command: `{name}`, `$name`."""
    for found in _DOLLAR.finditer(text):
        if found[1]:
            yield found[1]
    for found in _BRACES.finditer(text):
        if found[1]:
            yield found[1].partition("!")[0].partition(":")[0].strip() or found[1]


def transform_magics(text: str) -> str:
    """Cell text with its magics as calls, as IPython writes them."""
    if text.lstrip().startswith("%%"):
        head, _, body = text.lstrip().partition("\n")
        name, _, line = head[2:].partition(" ")
        return f"get_ipython().run_cell_magic({name!r}, {line.strip()!r}, {body!r})"
    return "\n".join(map(_transformed_line, text.split("\n")))


def _transformed_line(text: str) -> str:
    stripped = text.rstrip()
    found = _LINE.match(stripped)
    if found is None:
        if stripped.endswith("?") and _NAME.fullmatch(name := stripped.strip().rstrip("?")):
            return f"get_ipython().run_line_magic('pinfo', {name!r})"
        return text
    before = found["indent"] + (found["target"] or "")
    if found["shell"]:
        method = "getoutput" if found["target"] or found["shell"] == "!!" else "system"
        return f"{before}get_ipython().{method}({found['command']!r})"
    return f"{before}get_ipython().run_line_magic({found['magic']!r}, {found['rest'].strip()!r})"


def parse_magic(text: str) -> ast.Module | None:
    """The statements of a magic's text; `None` if they are not Python."""
    for source in (text, transform_magics(text)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None
