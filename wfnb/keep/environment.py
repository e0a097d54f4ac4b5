"""packages -> their versions here; versions then -> which differ now."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec

from wfnb.core.kept import Differs

PYTHON = "python"
_OURS = ("__main__", "builtins", "cloudpickle", "wfnb")


def environment(packages: Iterable[str]) -> dict[str, str]:
    """Python's version, and that of each package that is imported and says one.

    >>> list(environment(["xxhash", "json"]))
    ['python', 'xxhash']
    """
    found = {PYTHON: platform.python_version()}
    for package in sorted(set(packages)):
        if package not in sys.stdlib_module_names and package not in _OURS:
            said = _imported(package) or _distributed(package)
            if said is not None:
                found[package] = said
    return found


def differing(then: Mapping[str, str]) -> tuple[Differs, ...]:
    """What is another version now, or not there. Imports nothing."""
    now = {name: _now(name) for name in then}
    return tuple(
        Differs(name=name, then=said, now=now[name])
        for name, said in then.items()
        if now[name] != said
    )


def _now(name: str) -> str | None:
    if name == PYTHON:
        return platform.python_version()
    return _imported(name) or _installed(name)


def _imported(package: str) -> str | None:
    said = getattr(sys.modules.get(package), "__version__", None)
    return said if isinstance(said, str) else None


def _installed(package: str) -> str | None:
    try:
        if find_spec(package) is None:
            return None
    except (ImportError, ValueError):
        return None
    if (said := _distributed(package)) is not None:
        return said
    found = packages_distributions().get(package)  # of another name: slow to find
    return version(found[0]) if found else "unknown"


@cache
def _distributed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
