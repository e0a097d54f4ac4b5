"""a day, a time, or both, as they are written -> the time that is meant."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import time as time_of_day

FORMAT = "day or time"
"""The `format` of a parameter that is one."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([T ]|$)")
_TIME = re.compile(r"\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?")


def time_problem(written: str) -> str | None:
    """Why a text is no time; None: it is one."""
    try:
        time_meant(written, datetime.now(UTC))
    except ValueError as error:
        return str(error)
    return None


def time_meant(written: str, since: datetime) -> datetime:
    """A time alone is the next such one; without an offset it is one of the clock of `since`: of
    this machine's, where that has no zone. ValueError for what no calendar has.

    >>> time_meant("08:00", datetime(2026, 12, 31, 9, tzinfo=UTC)).isoformat()
    '2027-01-01T08:00:00+00:00'
    >>> time_problem("2026-02-30"), time_problem("8 o'clock")
    ('day is out of range for month', 'it is none of 2026-12-24, 08:00, 2026-12-24T08:00+01:00')
    """
    if _DAY.match(written):
        found = datetime.fromisoformat(written)
        return found if found.tzinfo else _local(found, since.tzinfo)
    if not _TIME.fullmatch(written):
        raise ValueError("it is none of 2026-12-24, 08:00, 2026-12-24T08:00+01:00")
    of_day = time_of_day.fromisoformat(written)
    here = since if of_day.tzinfo is None else since.astimezone(of_day.tzinfo)
    found = datetime.combine(here.date(), of_day.replace(tzinfo=None))
    zone = of_day.tzinfo or since.tzinfo
    today = _local(found, zone)
    return today if today >= here.astimezone() else _local(found + timedelta(days=1), zone)


def _local(found: datetime, zone: tzinfo | None) -> datetime:
    """A time of a clock on the wall, with its offset then: that of now is another one, where the
    clock is changed meanwhile. `zone` None: that of this machine. A time that the clock leaves out
    is as much later: by itself, `astimezone` makes an earlier one of it."""
    if zone is not None:
        return found.replace(tzinfo=zone)
    return datetime.fromtimestamp(found.timestamp(), UTC).astimezone()
