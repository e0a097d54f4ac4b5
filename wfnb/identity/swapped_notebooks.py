"""what notebooks hold, what sessions recorded -> which two notebooks are at each other's places.

A notebook and its copy have cells in common, so that a place alone tells nothing where they were
renamed while nothing had them open: a and b change their names, or a copy takes the name of the
original. What each holds tells them apart. Of two sessions, what one recorded and the other never
did is its *own*: the id of a cell that was added, and the code of a cell that was changed.

    X holds more of what is S's own than Y does, and Y holds more of what is T's own
        -> X is the notebook of S, and Y that of T, whatever their paths

An added cell suffices, where nothing speaks against it: ids are made once, while code may be typed
twice. Nothing is said of notebooks that hold the same: then their places count. Nor is a notebook
another one's because it was edited since: it would have to hold what only the other one ran, and
the file at the other one's place would have to lack it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from wfnb.core.events import Recorded, Version
from wfnb.core.session import Session
from wfnb.core.validation import source as kept_source
from wfnb.frozen_record import record

from .notebook_document import Document

Marks = Set[tuple[str, ...]]
"""(id,) of a cell, (id, code) of it, and ("", code) wherever ids are not known."""


def session_marks(session: Session) -> Marks:
    """What a session recorded of its cells."""
    cells = (
        version.cell
        for step in session.steps.values()
        for version in step.versions
        if version.cell is not None
    )
    return frozenset(_marks((cell.id, cell.source) for cell in cells))


def file_marks(document: Document) -> Marks:
    """What a notebook's file holds."""
    ids = {(id,) for id in document.cells or ()}
    by_id = _marks((id, kept_source(source)) for id, source in document.by_id)
    without = _marks((None, kept_source(source)) for source in document.sources)
    return frozenset({*ids, *by_id, *without})


def _marks(cells: Iterable[tuple[str | None, str]]) -> Iterator[tuple[str, ...]]:
    for id, source in cells:
        if id is not None:
            yield (id,)
            yield (id, source.strip())
        # Once more without the id: of the two that are compared, one may know no ids.
        yield ("", source.strip())


@record
class Claim:
    """A session: where it was, and what it recorded."""

    session: int
    places: tuple[str, ...]
    marks: Marks


@record
class Swap:
    """The notebook that asks is that of session `own`; that of session `other` is at `path`."""

    own: int
    other: int
    path: str


@record
class _Visible:
    """What can be seen: the notebook that asks, the other ones by their places, all sessions."""

    notebook: Marks
    files: Mapping[str, Marks]
    claims: tuple[Claim, ...]


def find_swap(
    here: str, notebook: Marks, files: Mapping[str, Marks], claims: Iterable[Claim]
) -> Swap | None:
    """Whether the notebook at `here` is that of a session that was elsewhere. `files` are the other
    notebooks that may be meant, by their place."""
    seen = _Visible(notebook=notebook, files=files, claims=tuple(claims))
    placed = [each for each in seen.claims if here in each.places]
    # of several the last that has cells of it counts, as by its place
    # Without an owner of this place, any other session may be the one that left it.
    owners = ([each for each in placed if each.marks & notebook] or placed)[-1:]
    for own in seen.claims:
        if own in placed:
            continue  # it was here already, and has not arrived
        for other in owners or seen.claims:
            if other is own:
                continue
            path = _place_of_other(seen, own, other)
            if path is not None:
                return Swap(own=own.session, other=other.session, path=path)
    return None


def _place_of_other(seen: _Visible, own: Claim, other: Claim) -> str | None:
    """Where the notebook of the session `other` is by now, if the one that asks is that of `own`;
    None where they have not changed their places."""
    thirds = (each for each in seen.claims if each not in (own, other))
    # A third session's file is no party to this change of places.
    of_thirds = {place for each in thirds for place in each.places}
    among = (path for path in seen.files if path not in of_thirds)
    return next((path for path in among if _have_swapped(seen, path, own, other)), None)


def _have_swapped(seen: _Visible, path: str, own: Claim, other: Claim) -> bool:
    """Whether the notebook that asks is that of `own`, and the one at `path` that of `other`."""
    notebook, file = seen.notebook, seen.files[path]
    if not _holds(notebook, file, own, other, moved=path not in other.places):
        return False
    # A session may have several places: the claim has to hold against each of its other files, too.
    files_of_own, files_of_other = (
        [seen.files[place] for place in each.places if place in seen.files and place != path]
        for each in (own, other)
    )
    return all(_gain(notebook, each, own, other) for each in files_of_own) and all(
        _gain(file, each, other, own) for each in files_of_other
    )


def is_of_another(notebook: Marks, session: Sequence[Recorded], other: Sequence[Recorded]) -> bool:
    """Whether a notebook holds more of what the other session alone recorded than of what this one
    alone did, since both were there: what either had before, a copy of its notebook has, too."""
    own, theirs = _first_recorded(session), _first_recorded(other)
    # A copied session begins with all the events of its original: only what came after both began
    # counts.
    both = max(min(each.values(), default=0.0) for each in (own, theirs))
    gains = (
        len(notebook & ({mark for mark, at in one.items() if at >= both} - two.keys()))
        for one, two in ((own, theirs), (theirs, own))
    )
    return next(gains) < next(gains)


def _first_recorded(events: Iterable[Recorded]) -> dict[tuple[str, ...], float]:
    """The code of a session's cells by their ids, each with its time. The id alone tells nothing: a
    copy has cells that its original did not run."""
    found: dict[tuple[str, ...], float] = {}
    for each in events:
        cell = each.event.cell if isinstance(each.event, Version) else None
        for mark in _marks([(cell.id, cell.source)] if cell else ()):
            # The first time: a later attempt of the same code says nothing new.
            if mark[0] and len(mark) > 1:
                found.setdefault(mark, each.at or 0.0)
    return found


def _holds(first: Marks, second: Marks, own: Claim, other: Claim, moved: bool) -> bool:
    """Whether, of two files, the first is the notebook of the session `own`, and the second that of
    the session `other`, which is not where that was (`moved`)."""
    gains = _gains(first, second, own, other), _gains(second, first, other, own)
    (ids, _), (other_ids, _) = gains
    if all(sum(each) > 0 for each in gains):
        return True
    # Nothing may speak against it; then an added cell is enough, as ids are made once.
    return min(map(min, gains)) >= 0 and (ids > 0 or (moved and other_ids > 0))


def _gain(first: Marks, second: Marks, own: Claim, other: Claim) -> bool:
    """Whether the first file holds more of what is the session's own."""
    return sum(_gains(first, second, own, other)) > 0


def _gains(first: Marks, second: Marks, own: Claim, other: Claim) -> tuple[int, int]:
    """How many more of the ids and codes that are the session's own the first file holds."""
    wanted = own.marks - other.marks
    more = [*((mark, 1) for mark in first & wanted), *((mark, -1) for mark in second & wanted)]
    ids = sum(count for mark, count in more if len(mark) == 1)
    return ids, sum(count for _, count in more) - ids
