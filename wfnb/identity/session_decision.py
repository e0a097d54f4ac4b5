"""facts about a notebook and the sessions that may be its own -> which session it uses.

Theory of operation
-------------------

A session has a permanent id (its uid). Three things connect a notebook with a session:

    metadata   the uid in the notebook's metadata, which the front end writes. It goes wherever the
               file goes: it survives a rename and a move. A copy of the file has it, too.
    place      the path of the notebook's file, which the journal remembers. It tells a file that
               was moved (nothing is at the place any more) from a copy (the original is there).
    cells      the ids of cells, which steps record. Two notebooks have no cell id in common unless
               one is a copy of the other. They stand in where the metadata are missing: before the
               front end has written, or where no front end does.

What a notebook names and holds counts more than its place, where both notebooks can be seen:
notebooks change their names with each other, and a copy takes the name of the original.

The rules, in order:

 0. The notebook has arrived: its session was at another place, and what is there by now is another
    notebook. It is used, and its place is this one. Where the notebooks are by now that
    were at places which changed hands is noted, too. Who has arrived:
    a. The metadata name the session, and the files at its places name others that were never there
       before. A session of this place does not count that another file names.
    b. The metadata tell no notebook from another, and the cells do (`swapped_notebooks.py`).
 1. The metadata name a session, and the journal has it.
    a. The notebook is at a place of the session, or the session has no place: it is used.
    b. Nothing is at one of its places any more, or another notebook: this one was renamed or
       moved. The session is used, and its place is this one from now on. Where the session has
       another notebook that is still there and has cells in common with this one, or where another
       file near by names the same session and has none of its own, either may be the copy: as (c).
    c. Files are at all its places, and this is none of them: the notebook is a copy. A session
       that has this place already is the copy of before, unless the file was saved since and does
       not name it: that was another file. Else a person is asked; where nobody can
       be asked, it gets a copy of the session. The original is not changed.
    d. The session was archived, and another one has this place: that is used.
 2. The metadata name none, or one that is not to be found (the answer says so then).
    a. A session has this place, and does not contradict it by its cells, nor by a file that was
       saved by a front end since and does not name it: it is used.
    b. The notebook of a session is at none of its places, and the session recorded a cell of this
       one, which does not show that it is a copy of another one's: the notebook was renamed before
       its metadata were written. It is used, and its place changes. Where that is so of several
       sessions, or a front end is there, which would have written the metadata, none is used, and
       the answer names them. A copy holds what the other one recorded since both were there.
    c. A session has the notebook's name and no place (it is older than places, or a program made
       it), and does not contradict by its cells: it is used.
    d. Otherwise the notebook is new. It gets a session of its own, under the next free name.
 3. Nobody says which file the notebook is. Where a program runs it, its code tells
    (`notebook_file_search.py`), and the rules above hold.
    a. Else a session that recorded one of the cells which ran so far is used: by their ids where
       the front end sends them, by their code where it does not and the session has no place.
    b. Else, once a step or a run is to be recorded, a session with steps is another notebook's: in
       doubt this one gets a session of its own. Before, the session called `name` is shown.

A person may also name a session (the verb `open`). The name is then used as it is, but a copy of
a notebook is still a copy (1c), and what it opened as NAME is a copy of NAME from then on: the
session of this place that is or was called NAME has precedence. A notebook that opens another
notebook's session by its name, and is no copy, shares it: it becomes one of its places.

A forgotten session is archived and has no place: no notebook uses it any more.

A copy is kept where the original's history is kept, and a moved notebook's history stays where it
is: nothing has to be carried from one journal to another, and kept values come back.

Doubts. A file that is copied and whose original is then deleted, before the copy runs, is taken for
the original that was moved: nothing can tell. So is a copy that never ran and takes the path that
its original had before, or, where no front end is there, another copy of it; or is moved away from
an original that was renamed while nothing had it open: the user of the original is asked then.
Without metadata, it is not seen that notebooks have
changed their names where they hold the same, where the code of one was edited since it ran, or
where they are three. A kernel that no front end tells where its notebook is, and that is restarted
after that, takes the copy that has the name by now for it. A notebook of nbformat 4.4 has no cell
ids, so that its cells never contradict. VS Code has ids of its own: there cells confirm, and never
contradict.
Two notebooks that are no files beside their kernel (a program made them), and have a step of the
same code, are taken for one.
"""

from __future__ import annotations

from typing import Literal

from wfnb.frozen_record import record

Action = Literal["use", "ask", "copy", "new"]


@record
class NotebookPlace:
    """A path at which a session's notebook was. `exists`: it is still there, as far as can be
    known; another notebook may be there now. `is_this`: it is the notebook that asks.
    `shares_cells`: its file has a cell in common with that notebook."""

    path: str
    exists: bool
    is_this: bool = False
    shares_cells: bool = False


@record
class Candidate:
    """A session that may be the notebook's. `has_cells`: whether it recorded a cell of this
    notebook; None where that cannot be known. `former` are the names that it had before."""

    home: str
    id: int
    name: str
    archived: bool = False
    places: tuple[NotebookPlace, ...] = ()
    has_cells: bool | None = None
    former: tuple[str, ...] = ()

    @property
    def is_forgotten(self) -> bool:
        return self.archived and not self.places

    @property
    def is_here(self) -> bool:
        return any(place.is_this for place in self.places)

    @property
    def left(self) -> str | None:
        """The place that it has no more, where the notebook that asks is at none of its places."""
        gone = [place.path for place in self.places if not place.exists]
        return gone[0] if gone and not self.is_here else None

    def is_same(self, other: Candidate | None) -> bool:
        return other is not None and (self.home, self.id) == (other.home, other.id)


@record
class Move:
    """The notebook of a session, which was at `left`, is at `path`; None: nobody knows where."""

    home: str
    session: int
    left: str | None
    path: str | None


@record
class Facts:
    """What is known of a notebook."""

    name: str
    """The name that its session would have."""
    free: str
    """The next name after `name` that is free."""
    path: str | None = None
    """None where no front end says it (nbclient, papermill)."""
    uid: str | None = None
    """The session that the metadata name."""
    of_uid: Candidate | None = None
    """That session, where it is found."""
    arrival: Candidate | None = None
    """The session whose notebook took the place of another one."""
    moves: tuple[Move, ...] = ()
    """Where the notebooks of others are by now."""
    at_place: tuple[Candidate, ...] = ()
    """The sessions of the notebook's place, the latest last."""
    lost: tuple[Candidate, ...] = ()
    """Sessions whose notebooks are all gone, the latest last."""
    named: Candidate | None = None
    """The session that is called `name`."""
    alike: tuple[Candidate, ...] = ()
    """Sessions that recorded cells of a notebook whose path nobody says."""
    has_front_end: bool = False
    """Whether one is connected that writes metadata, so that where they name no session, there was
    none."""
    has_rival: bool = False
    """Whether another file near by names the same session in its metadata."""
    can_ask: bool = False


@record
class Decision:
    """`use` a session, make a `copy` of it, `ask` which of both, or begin a `new` one called
    `name`. `leaves` is the place that the session's notebook is no longer at; `missing`: the
    session that the metadata name was not found; `doubts` are names of sessions of which one may be
    this notebook's."""

    action: Action
    name: str
    session: Candidate | None = None
    leaves: str | None = None
    missing: bool = False
    doubts: tuple[str, ...] = ()


def decide(facts: Facts) -> Decision:
    """Which session a notebook uses that names none."""
    if facts.arrival is not None:
        return _use(facts.arrival, leaves=facts.arrival.left)
    found = _best(facts.at_place)
    known = facts.of_uid
    if known is not None and not known.is_forgotten:
        claim = _claim(facts, known)
        # Rules 1c and 1d: a session of this place is the copy of before, or stands in for the
        # archived one.
        if found is not None and (known.archived or claim.action != "use"):
            return _use(found)
        return claim
    missing = facts.uid is not None and known is None
    if found is not None:
        return Decision(action="use", name=found.name, session=found, missing=missing)
    lost = [each for each in facts.lost if each.has_cells and not each.archived]
    # A front end would have written the metadata by now: their lack means that the file was not the
    # session's.
    if len(lost) == 1 and not facts.has_front_end:
        return _use(lost[0], leaves=lost[0].left, missing=missing)
    doubts = tuple(each.name for each in lost)
    # Only after what is known by place: two notebooks may hold the same code.
    if facts.alike:
        return _use(facts.alike[-1])
    named = facts.named
    if named is None:
        return Decision(action="new", name=facts.name, missing=missing, doubts=doubts)
    if not named.places and not named.archived and named.has_cells is not False:
        return _use(named, missing=missing)
    # The name is taken by a session that is another notebook's: taking it would mix two histories.
    return Decision(action="new", name=facts.free, missing=missing, doubts=doubts)


def decide_named(facts: Facts) -> Decision:
    """Which session a notebook uses where a person names it."""
    own = [
        each
        for each in facts.at_place
        if each.name == facts.name or (facts.name in each.former and not each.archived)
    ]
    exact = [each for each in own if each.name == facts.name]
    if own:
        # A copy that was renamed since keeps the name under which it was opened: the name as it is
        # goes first.
        used = (exact or own)[-1]
        return _use(used, leaves=used.left)
    named = facts.named
    if named is None:
        return Decision(action="new", name=facts.name)
    is_copy = facts.of_uid == named or any(place.shares_cells for place in named.places)
    if is_copy:
        return _claim(facts, named)
    gone = [place.path for place in named.places if not place.exists]
    # A notebook that is still somewhere is not left: this one joins it, as a second place.
    all_gone = len(gone) == len(named.places)
    return _use(named, leaves=gone[0] if gone and all_gone else None)


def _claim(facts: Facts, session: Candidate) -> Decision:
    """A notebook that has a session's id, or cells: it is the session's own, or a copy of that."""
    if facts.path is None or any(place.is_this for place in session.places):
        return _use(session)
    gone = [place.path for place in session.places if not place.exists]
    is_copy = facts.has_rival or any(place.shares_cells for place in session.places)
    if not is_copy and (gone or not session.places):
        return _use(session, leaves=gone[0] if gone else None)
    return Decision(action="ask" if facts.can_ask else "copy", name=facts.free, session=session)


def _use(session: Candidate, leaves: str | None = None, missing: bool = False) -> Decision:
    return Decision(
        action="use", name=session.name, session=session, leaves=leaves, missing=missing
    )


def _best(at_place: tuple[Candidate, ...]) -> Candidate | None:
    """The latest session of a place whose cells confirm it, else the latest without a contradiction
    by them."""
    # False is left out on purpose: cells that contradict mean that the file at this path is another
    # one now.
    for wanted in (True, None):
        found = [each for each in at_place if each.has_cells is wanted and not each.archived]
        if found:
            return found[-1]
    return None
