"""events ⇄ disk: what the history of a session or run is kept in, and read back from for ever."""

from .codec import Codec, Row, Upcaster, guard_replay
from .database import LOCK_TIMEOUT
from .session_info import FOLLOW, RunInfo, SessionInfo
from .sqlite import Journal, MemoryJournal, SqliteJournal

__all__ = [
    "FOLLOW",
    "LOCK_TIMEOUT",
    "Codec",
    "Journal",
    "MemoryJournal",
    "Row",
    "RunInfo",
    "SessionInfo",
    "SqliteJournal",
    "Upcaster",
    "guard_replay",
]
