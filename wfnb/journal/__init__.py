"""events ⇄ disk: what a session's history is kept in, and read back from for ever."""

from .codec import Codec, Row, Upcaster, without_gc
from .memory import MemoryJournal
from .protocol import Journal, SessionInfo
from .sqlite import SqliteJournal

__all__ = [
    "Codec",
    "Journal",
    "MemoryJournal",
    "Row",
    "SessionInfo",
    "SqliteJournal",
    "Upcaster",
    "without_gc",
]
