"""paths on stdin (NUL between) -> a line of JSON a file: how much in it has no docstring.

It is run by itself, in several processes: it knows the standard library and nothing else.
"""

import ast
import gc
import json
import os
import sys
import warnings

LARGEST = 2_000_000
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = (ast.If, ast.Try, ast.With)
_TRY_STAR = getattr(ast, "TryStar", ast.Try)
_SETS = ("setter", "deleter", "overload")


def undocumented(source: bytes) -> int:
    """How many public things have no docstring: the module, its functions and classes, and those
    of its public classes. An empty file has nothing to say; nor have overloads and setters, whose
    words stand at the function or property itself."""
    if not source.strip():
        return 0
    tree = ast.parse(source)
    count = 0 if ast.get_docstring(tree, clean=False) else 1
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            if node.name.startswith("_") or any(map(_repeats, node.decorator_list)):
                continue
            if not ast.get_docstring(node, clean=False):
                count += 1
            if isinstance(node, ast.ClassDef):
                waiting += node.body
        elif isinstance(node, (*_BLOCKS, _TRY_STAR, ast.ExceptHandler)):
            waiting += ast.iter_child_nodes(node)
    return count


def _repeats(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name in _SETS


def main() -> None:
    """Count. What does not parse, or cannot be read, is None."""
    gc.disable()
    warnings.simplefilter("ignore")
    for path in filter(None, sys.stdin.buffer.read().split(b"\0")):
        count = None
        try:
            with open(path, "rb") as file:
                count = undocumented(file.read(LARGEST))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        sys.stdout.write(json.dumps([os.fsdecode(path), count]) + "\n")


if __name__ == "__main__":
    main()
