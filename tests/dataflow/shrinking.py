"""a notebook with a wrong mark -> the smallest one that still has it, and how it reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from tests.dataflow.marks import check, indented
from tests.dataflow.notebook_limit import TooLong
from tests.dataflow.notebooks import (
    Edit,
    Event,
    Insert,
    Notebook,
    Run,
)


def shrunk(book: Notebook) -> Notebook:
    """The smallest notebook that still has a wrong ✓: without the events, cells and lines that it
    does not need."""

    def fails(candidate: Notebook) -> bool:
        try:
            return bool(check(candidate, first=True).wrong)
        except (AssertionError, TooLong):
            return False

    if not fails(book):
        return book
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(book):
            if fails(candidate):
                book, smaller = candidate, True
                break
    return book


def _smaller(book: Notebook) -> Iterator[Notebook]:
    """Candidates, the largest cuts first."""
    for size in (4, 2, 1):
        for at in range(len(book.events) - size, -1, -1):
            yield Notebook(book.cells, book.events[:at] + book.events[at + size :])
    for at in range(len(book.cells)):
        gone = book.cells[at].id
        events = tuple(event for event in book.events if getattr(event, "cell", None) != gone)
        yield Notebook(book.cells[:at] + book.cells[at + 1 :], events)
    for at, cell in enumerate(book.cells):
        for body in _shorter(cell.body):
            fresh = replace(cell, body=body)
            yield Notebook((*book.cells[:at], fresh, *book.cells[at + 1 :]), book.events)
    for at, event in enumerate(book.events):
        for fewer in _simpler(event):
            yield Notebook(book.cells, (*book.events[:at], fewer, *book.events[at + 1 :]))


def _simpler(event: Event) -> Iterator[Event]:
    if isinstance(event, Edit):
        yield Run(event.cell)
        for body in _shorter(event.body):
            yield Edit(event.cell, body)
    if isinstance(event, Insert):
        for body in _shorter(event.cell.body):
            yield Insert(replace(event.cell, body=body), event.under)


def _shorter(body: str) -> Iterator[str]:
    try:
        statements = [ast.unparse(node) for node in ast.parse(body).body]
    except SyntaxError:
        return
    for at in range(len(statements)):
        if len(statements) > 1:
            yield "\n".join(statements[:at] + statements[at + 1 :])


def readable(book: Notebook) -> str:
    """A notebook and what happens in it, with the marks after each event."""
    cells = [f"  [{cell.id[5:]}]\n{indented(cell.source)}" for cell in book.cells]
    return "\n".join([*cells, *check(book, tell=True).told])
