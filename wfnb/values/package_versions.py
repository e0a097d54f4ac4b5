"""packages -> their versions here; versions then -> which differ now."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec

from wfnb.core.kept_values import Differs

PYTHON = "python"
_OURS = ("__main__", "builtins", "cloudpickle", "wfnb")


def environment(packages: Iterable[str]) -> dict[str, str]:
    """Python's version, and that of each package that is imported and says one.

    >>> list(environment(["xxhash", "json"]))
    ['python', 'xxhash']
    """
    found = {PYTHON: python_here()}
    for package in sorted(set(packages)):
        if package not in sys.stdlib_module_names and package not in _OURS:
            said = _imported_version(package) or _distributed_version(package)
            if said is not None:
                found[package] = said
    return found


def python_here() -> str:
    return platform.python_version()


def minor(version: str) -> str:
    """
    >>> minor("3.13.0rc1")
    '3.13'
    """
    return ".".join(version.split(".")[:2])


def version_differences(then: Mapping[str, str]) -> tuple[Differs, ...]:
    """What is another version now, or not there. Imports nothing."""
    now = {name: _current_version(name) for name in then}
    return tuple(
        Differs(name=name, then=said, now=now[name])
        for name, said in then.items()
        if now[name] != said
    )


def _current_version(name: str) -> str | None:
    if name == PYTHON:
        return python_here()
    return _imported_version(name) or _installed_version(name)


def _imported_version(package: str) -> str | None:
    """Of a module that fails to say it, as those do that load themselves later, none."""
    try:
        said = getattr(sys.modules.get(package), "__version__", None)
    except Exception:
        return None
    return said if type(said) is str else None


def _installed_version(package: str) -> str | None:
    try:
        # Asked first: a distribution may be left over of which nothing can be imported.
        if find_spec(package) is None:
            return None
    except (ImportError, ValueError):
        return None
    if (said := _distributed_version(package)) is not None:
        return said
    found = packages_distributions().get(package)  # of another name: slow to find
    return version(found[0]) if found else "unknown"


@cache
def _distributed_version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
