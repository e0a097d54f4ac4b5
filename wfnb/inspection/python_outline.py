"""a Python file -> what it defines, and what is called where. It is read, and never run."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tokenize import detect_encoding

from wfnb.frozen_record import record

from .python_files import MAX_FILE_BYTES, content, readable_path
from .result_types import Definition, Outline
from .source_lines import lines, unify_line_ends

Defining = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_SUFFIXES = ("", ".py", ".pyi", ".pyw")


class Unreadable(Exception):
    """Why a file cannot be told, in a few words."""


@record
class CallSite:
    """A call: the name as it is written, its line from 1, and where its last name ends: the line
    and the place in it, in characters."""

    name: str
    line: int
    end: int
    place: int


@record
class DefinitionCalls:
    """A definition and the calls of its own: those of functions in it are theirs."""

    definition: Definition
    calls: tuple[CallSite, ...]


@record
class Source:
    """A file that was read: what it defines in the order of lines, and what it calls outside of
    all functions."""

    text: str
    documented: bool
    definitions: tuple[DefinitionCalls, ...]
    calls: tuple[CallSite, ...]


def outline(file: Path, folder: Path) -> Outline:
    """What a file defines, by its path from the folder. A file that cannot be read, or is no
    Python, has an `error`."""
    path = readable_path(os.path.relpath(file, folder))
    try:
        if file.suffix not in _SUFFIXES:
            raise Unreadable("it is no Python file")
        source = read(file)
    except Unreadable as error:
        return Outline(path=path, error=str(error))
    return Outline(
        path=path,
        lines=len(lines(source.text)),
        documented=source.documented,
        definitions=tuple(found.definition for found in source.definitions),
    )


def read(file: Path) -> Source:
    """A file, read as Python. Unreadable where it is none."""
    try:
        data = content(file)
    except (OSError, ValueError) as error:
        raise Unreadable(getattr(error, "strerror", None) or str(error)) from None
    if len(data) > MAX_FILE_BYTES:
        raise Unreadable(f"it is larger than {MAX_FILE_BYTES:,} bytes")
    return parse_source(data)


def parse_source(data: bytes) -> Source:
    """The text of a file as Python reads it. Unreadable names the line that does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # strange escapes are the file's own affair
            tree = ast.parse(data)
        text = _text(data)
        rows = text.split("\n")
        found = [
            DefinitionCalls(definition=each, calls=calls)
            for each, calls in _definitions(tree, rows)
        ]
        outside = tuple(_calls(tree, rows))
    except SyntaxError as error:
        where = f"line {error.lineno}: " if error.lineno else ""
        raise Unreadable(f"{where}{error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(str(error).partition("\n")[0] or "it is nested too deeply") from None
    return Source(
        text=text,
        documented=ast.get_docstring(tree, clean=False) is not None,
        definitions=tuple(sorted(found, key=lambda each: each.definition.line)),
        calls=outside,
    )


def _text(data: bytes) -> str:
    """The text, its lines ended as the parser counts them."""
    encoding, _ = detect_encoding(BytesIO(data).readline)
    return unify_line_ends(data.decode(encoding, "replace"))


def _definitions(
    tree: ast.Module, lines: list[str]
) -> Iterator[tuple[Definition, tuple[CallSite, ...]]]:
    waiting: list[tuple[str, bool, Defining]] = [
        ("", False, each) for each in _direct_definitions(tree)
    ]
    while waiting:
        prefix, in_class, node = waiting.pop()
        is_class = isinstance(node, ast.ClassDef)
        name = prefix + node.name
        calls = tuple(_calls(node, lines))
        yield (
            Definition(
                name=name,
                kind="class" if is_class else "method" if in_class else "function",
                line=node.lineno,
                end=node.end_lineno or node.lineno,
                documented=ast.get_docstring(node, clean=False) is not None,
                calls=tuple(dict.fromkeys(call.name for call in calls)),
            ),
            calls,
        )
        waiting += [(f"{name}.", is_class, each) for each in _direct_definitions(node)]


def _direct_definitions(owner: ast.Module | Defining) -> Iterator[Defining]:
    """What is defined in it, under an `if` or a `try` as well, but not in what is defined there."""
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Defining):
            yield node
        elif isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            waiting += [
                child
                for child in ast.iter_child_nodes(node)
                if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case))
            ]


def _calls(owner: ast.Module | Defining, lines: list[str]) -> Iterator[CallSite]:
    """In the order of lines: what it calls itself. Decorators and defaults of what is defined in
    it are evaluated by it, so they count here."""
    calls: list[ast.Call] = []
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            calls.append(node)
        if isinstance(node, ast.ClassDef):
            waiting += [*node.decorator_list, *node.bases, *node.keywords]
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += [*node.decorator_list, *_defaults(node.args)]
        else:
            waiting += ast.iter_child_nodes(node)
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        name, end = _dotted_name(call.func), call.func.end_lineno or call.lineno
        if name:
            line = lines[end - 1] if end <= len(lines) else ""
            # `ast` counts columns in bytes of UTF-8, jedi in characters.
            before = line.encode("utf-8", "replace")[: call.func.end_col_offset]
            place = len(before.decode("utf-8", "replace"))
            yield CallSite(name=name, line=call.lineno, end=end, place=place)


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    return [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]


def _dotted_name(node: ast.expr) -> str:
    """`a.b.c` as it is written; what is no name in it is `…`; nothing where it does not end with a
    name."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if isinstance(node, ast.Name):
        names.append(node.id)
    elif names:
        names.append("…")
    return ".".join(reversed(names))
