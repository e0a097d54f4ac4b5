"""the address of a Dask scheduler -> a client of ours, connected to a cluster like us; and its end.

What Dask would print and log on the way is said by us, in one line.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from wfnb.errors import ClusterDiffers, ClusterUnreachable

DASK = "dask://"
"""What an address begins with where a user writes it: messages tell it so."""
CLUSTER_TIMEOUT = 5.0
"""Seconds in which a cluster has to answer."""


def connect_client(address: str, security: Any = None) -> Any:
    """A client with a thread of its own. Raises ClusterUnreachable where nothing answers in time,
    ClusterDiffers."""
    import distributed  # noqa: PLC0415  heavy: half a second

    make: Any = distributed.Client  # half of its methods have no types
    try:
        with _quiet():
            client = make(
                address.replace(DASK, "tcp://"),
                security=security,
                timeout=CLUSTER_TIMEOUT,
                # The code of the user may count on a default client of its own.
                set_as_default=False,
                name="wfnb",
            )
    except (OSError, ValueError, TimeoutError) as error:
        what = str(error.__cause__ or error).splitlines() or [type(error).__name__]
        told = re.sub(r"<[\w.]*?(\w+) object at 0x[0-9a-f]+>", r"\1", what[0])
        raise ClusterUnreachable(address, told[:120]) from None
    try:
        _check_versions(address, client.get_versions(packages=["wfnb"]))
    except BaseException:
        close(client)
        raise
    return client


def close(client: Any) -> None:
    """Its thread and sockets are gone after that, whatever became of the cluster."""
    with _quiet(), suppress(TimeoutError, OSError):
        client.close(timeout=CLUSTER_TIMEOUT)


def _check_versions(address: str, found: Any) -> None:
    """Raises ClusterDiffers where what we send would not be understood. wfnb is needed where calls
    are made, not where they are scheduled."""
    ours = _versions(found["client"])
    everyone = {"its scheduler": _versions(found["scheduler"]) | {"wfnb": ours["wfnb"]}}
    everyone |= {f"worker {at}": _versions(theirs) for at, theirs in found["workers"].items()}
    for who, theirs in everyone.items():
        for name, version in theirs.items():
            if version != ours[name]:
                raise ClusterDiffers(address, who, name, version or "(none)", ours[name] or "")


def _versions(known: Any) -> dict[str, str | None]:
    packages = known["packages"]
    python = ".".join(str(known["host"]["python"]).split(".")[:2])
    return {
        "Python": python,
        "distributed": packages.get("distributed"),
        "wfnb": packages.get("wfnb"),
    }


@contextmanager
def _quiet() -> Iterator[None]:
    """What Dask would say of a connection that fails, or of versions, is said by us."""
    from distributed.versions import VersionMismatchWarning  # noqa: PLC0415  heavy

    loggers = [logging.getLogger(f"distributed.{name}") for name in ("client", "core", "comm")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VersionMismatchWarning)
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
