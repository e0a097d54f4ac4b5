"""paths on stdin (NUL between) -> a line of JSON a file: how much in it has no docstring.

It is run by itself, in several processes: it knows the standard library and nothing else. What
stands in functions is left out before a file is parsed, as that is most of the work; where this is
in doubt, the whole file is.
"""

import ast
import gc
import json
import os
import re
import sys
import warnings

MAX_FILE_BYTES = 2_000_000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = (ast.If, ast.Try, ast.With)
_TRY_STAR = getattr(ast, "TryStar", ast.Try)
_SETS = ("setter", "deleter", "overload")

_TEXT = re.compile(
    rb"'''(?:[^\\']|\\.|'(?!''))*+(''')|\"\"\"(?:[^\\\"]|\\.|\"(?!\"\"))*+(\"\"\")"
    rb"|'(?:[^\\'\n]|\\.)*+(')|\"(?:[^\\\"\n]|\\.)*+(\")|\#[^\n]*+",
    re.DOTALL,
)
"""A string, or a comment. It becomes a string of one space, or a space."""
_INSIDE = rb"[^()]{1,400}+"
_PARAMETERS = rb"\([^()]*+\)"
for _ in range(3):  # so deep may parentheses be in a head; repeats are few, or it takes too long
    _PARAMETERS = rb"\((?:" + _INSIDE + rb"|" + _PARAMETERS + rb"){0,40}+\)"
# a head, then a docstring alone on its line or what surely is none, then all that is deeper
_FUNCTION = re.compile(
    rb"^( *+)((?:async ++)?def ++\w++ *+" + _PARAMETERS + rb" *+(?:->[^\n:]*+)?:) *+\n(?: *+\n)*+"
    rb"(\1 ++)(?:([rRuU]?(?:''' '''|\"\"\" \"\"\"|' '|\" \")) *+\n"
    rb"|(?![a-zA-Z]{0,2}['\"])[^\s(\\][^\n]*+\n)"
    rb"(?:\1 ++[^\n]*+\n| *+\n)*+",
    re.MULTILINE,
)
# What the patterns do not know how to read; a file with one of these is parsed as a whole.
_ODD = (b"\0", b"\r", b"\f", b"\t", b'""""""', b"''''''")
# An empty docstring counts as none, and `_TEXT` would make one with a space of it.
_EMPTY = re.compile(rb"(?:\A|\n) *+[rRuU]?(?:\"\"(?!\")|''(?!'))")
# In another encoding than UTF-8, a quote need not be the byte that it is here.
_CODING = re.compile(rb"\A(?:[^\n]*\n)?[^\n]*coding[:=]")


def count_undocumented(source: bytes) -> int:
    """How many public things have no docstring: the module, its functions and classes, and those
    of its public classes. An empty file has nothing to say; nor have overloads and setters, whose
    words stand at the function or property itself."""
    if not source.strip():
        return 0
    tree = _parse_heads(source)
    count = 0 if ast.get_docstring(tree, clean=False) else 1
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            if node.name.startswith("_") or any(map(_repeats, node.decorator_list)):
                continue
            if not ast.get_docstring(node, clean=False):
                count += 1
            # What stands in a function is nobody's to use from outside.
            if isinstance(node, ast.ClassDef):
                waiting += node.body
        elif isinstance(node, (*_BLOCKS, _TRY_STAR, ast.ExceptHandler)):
            waiting += ast.iter_child_nodes(node)
    return count


def _parse_heads(source: bytes) -> ast.Module:
    """The file, of its functions the heads and docstrings. What does not parse without the rest is
    parsed with it: a bracket in a function may go on before its margin."""
    plain = len(source) < MAX_FILE_BYTES and not any(odd in source for odd in _ODD)
    if plain and not _EMPTY.search(source) and not _CODING.match(source):
        try:
            # Python would refuse bytes that are no UTF-8; a string that has them is gone after
            # `_heads`.
            source.decode()
            return ast.parse(_heads(source))
        except (SyntaxError, ValueError):
            pass
    return ast.parse(source)


def _heads(source: bytes) -> bytes:
    """The source without what its functions do."""
    # Strings and comments first: they may hold brackets, colons and `def`s that are none.
    short = _TEXT.sub(rb"\1\2\3\4 \1\2\3\4", source + b"\n")
    return _FUNCTION.sub(rb"\1\2\n\3\4\n\g<3>0\n", short)


def _repeats(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name in _SETS


def main() -> None:
    """Count. What does not parse, or cannot be read, is None."""
    # Parsing makes many nodes that live: the collector would walk them again and again for nothing.
    gc.disable()
    warnings.simplefilter("ignore")
    for path in filter(None, sys.stdin.buffer.read().split(b"\0")):
        count = None
        try:
            with open(path, "rb") as file:
                count = count_undocumented(file.read(MAX_FILE_BYTES))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        sys.stdout.write(json.dumps([os.fsdecode(path), count]) + "\n")


if __name__ == "__main__":
    main()
