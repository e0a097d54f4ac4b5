"""Where tools can run: this system, or a cluster."""

from __future__ import annotations

from wfnb.hints import Command, Option

from .base import Refused, WfnbError


class SystemUnsupported(Refused):
    what: str

    def __str__(self) -> str:
        return (
            f"Programs and terminals need Linux or macOS ({self.what}). "
            "On Windows, run the workflow in WSL; with other tools it works here too."
        )


class SdkMissing(Refused):
    def __str__(self) -> str:
        return (
            'Agents are served by the MCP SDK, which is not installed: `pip install "wfnb[mcp]"`.'
        )


class DaskMissing(Refused):
    what: str

    def __str__(self) -> str:
        return f'{self.what} needs Dask, which is not installed: `pip install "wfnb[dask]"`.'


class ClusterUnreachable(Refused):
    address: str
    what: str

    def __str__(self) -> str:
        return (
            f"No Dask cluster answers at {self.address} ({self.what}). "
            f"Give the address of its scheduler, or run without {Option('on')}."
        )


class ClusterDiffers(Refused):
    address: str
    who: str
    name: str
    theirs: str
    ours: str

    def __str__(self) -> str:
        return (
            f"The cluster at {self.address} differs: {self.who} has {self.name} {self.theirs}, "
            f"here it is {self.ours}. Make them the same, or run without {Option('on')}."
        )


class ClusterLost(WfnbError):
    """`left` is the run that cannot go on for that."""

    address: str

    def __init__(self, address: str) -> None:
        super().__init__(address)
        # Whoever knows the run puts its name here; who shows the error may not.
        self.left = "last"

    def __str__(self) -> str:
        return (
            f"The Dask cluster at {self.address} is gone, and how its calls ended is unknown. "
            f"`{Command('resume', self.left)}` goes on from there."
        )
