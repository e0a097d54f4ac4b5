"""a folder `.wfnb`, this process, installed packages -> the advisers that can be asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wfnb.data_files import reader
from wfnb.errors import AdviserBroken, AdviserUnknown, NotTrusted, Refused
from wfnb.frozen_record import record
from wfnb.trust import ADDRESS, Trust, own_trust

from .adviser import ADVISERS, Adviser, Registry, secret
from .chat import Endpoint
from .endpoint import check_endpoint

FILE = "advisers.yaml"


@record
class AdviserShelf:
    """Advisers by name, and what is wrong with the others; `file` is what is wrong with all of a
    file."""

    advisers: Mapping[str, Adviser]
    broken: Mapping[str, AdviserBroken | NotTrusted]
    file: AdviserBroken | None = None

    def get(self, name: str) -> Adviser:
        """The adviser of that name. AdviserUnknown lists the names; AdviserBroken says why one
        that is there cannot be used, NotTrusted where it would send what to whom."""
        if name in self.advisers:
            return self.advisers[name]
        raise self.broken.get(name) or self.file or AdviserUnknown(name, tuple(self.advisers))

    def ready(self, name: str) -> Adviser:
        """The same, with its key in the environment: else AdviserKey."""
        adviser = self.get(name)
        secret(adviser)
        return adviser


def shelf(
    folder: Path | None, registry: Registry = ADVISERS, trust: Trust | None = None
) -> AdviserShelf:
    """Those registered here come before those of the folder's `advisers.yaml`, which come before
    those of packages. Of the file only those that send to an address what this user has allowed to
    be sent there: the file, and a session that asks them, may have come from anybody."""
    trust = trust or own_trust()
    packages = {
        name: AdviserBroken(where, why.rstrip("."))
        for name, (where, why) in registry.broken_advisers().items()
    }
    read: dict[str, Endpoint] = {}
    broken: dict[str, AdviserBroken | NotTrusted] = {**packages}
    whole = None
    try:
        read, wrong = endpoints(folder)
        broken |= wrong
    except AdviserBroken as error:
        whole = error
    allowed = {name: each for name, each in read.items() if is_allowed(each, trust)}
    broken |= {
        name: NotTrusted(f"Adviser {name!r}", FILE, sends(each), "")
        for name, each in read.items()
        if name not in allowed
    }
    found = {
        # Weakest first: what is nearer to the user takes the place of what came with a package.
        **registry.installed_advisers(),
        **{name: each.adviser for name, each in allowed.items()},
        **registry.registered_advisers,
    }
    return AdviserShelf(advisers=dict(sorted(found.items())), broken=broken, file=whole)


def endpoints(folder: Path | None) -> tuple[dict[str, Endpoint], dict[str, AdviserBroken]]:
    """Those of a folder's `{name: {url, model, key, timeout, retries, temperature}}`, and what is
    wrong with the others. AdviserBroken is for all of the file."""
    found: dict[str, Endpoint] = {}
    broken: dict[str, AdviserBroken] = {}
    file = None if folder is None else folder / FILE
    # A link to nothing is an error that a person has to see, and not a file that is missing.
    if file is None or not (file.exists() or file.is_symlink()):
        return found, broken
    data: Any = reader.data(reader.text(file, AdviserBroken), file, AdviserBroken)
    if data is None:
        return found, broken
    if not isinstance(data, Mapping):
        raise AdviserBroken(FILE, "it is no mapping of names to endpoints")
    for name, says in data.items():
        try:
            # One that is written wrongly does not take the others with it.
            if not isinstance(says, Mapping) or "name" in says:
                raise AdviserBroken(FILE, f"{str(name)[:60]!r} has no url and model")
            found[str(name)] = check_endpoint({**says, "name": name})
        except AdviserBroken as error:
            broken[str(name)] = error
        except Refused as error:
            broken[str(name)] = AdviserBroken(FILE, f"{str(name)[:60]}: {str(error).rstrip('.')}")
    return found, broken


def is_allowed(endpoint: Endpoint, trust: Trust) -> bool:
    return trust.holds(address(endpoint), purpose=ADDRESS)


def address(endpoint: Endpoint) -> bytes:
    """What is allowed: that this variable, and what the adviser is asked, goes to this address.
    Another model there, or more time for it, needs no word of the user."""
    return f"{endpoint.url}\0{endpoint.key or ''}".encode()


def sends(endpoint: Endpoint) -> str:
    """What it would do, in a few words."""
    key = f" with the value of {endpoint.key}" if endpoint.key else ""
    return f"sends what is asked{key} to {endpoint.url}"
