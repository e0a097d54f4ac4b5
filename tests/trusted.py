"""A folder -> the same folder, with all that is in it trusted by the user of these tests."""

from contextlib import suppress
from pathlib import Path

from wfnb.errors import AdviserBroken
from wfnb.investigations.advisers.registry import address, endpoints
from wfnb.trust import ADDRESS, RULES, Trust, own_trust


def trusted(folder: Path, trust: Trust | None = None) -> Path:
    """As `%wfnb trust` does it, for strategies, kinds and advisers."""
    own = trust or own_trust()
    files = (path for path in folder.rglob("*") if path.is_file())
    own.believe([path.read_bytes() for path in files], RULES)
    with suppress(AdviserBroken):
        own.believe(map(address, endpoints(folder)[0].values()), ADDRESS)
    return folder
