"""What is in a folder `.wfnb`, and may be somebody else's."""

from __future__ import annotations

from wfnb.hints import Command

from .base import Refused


class NotAllowed(Refused):
    """An agent asks for what only a person can let it do: by the `flag` of the command."""

    what: str
    flag: str

    def __str__(self) -> str:
        return (
            f"{self.what} may not be run by an agent here. "
            f"A person allows it by starting the server as `wfnb mcp {self.flag}`."
        )


class NotTrusted(Refused):
    """`does`: what trusting it allows, where that is more than to follow it; `fact`: why it is not
    trusted, where that is more than that wfnb did not write it."""

    what: str
    where: str
    does: str
    fact: str

    def __str__(self) -> str:
        unwritten = "was not written by wfnb here, so it may have come with the folder"
        does = f", and {self.does}" if self.does else ""
        return (
            f"{self.what} ({self.where}) {self.fact or unwritten}{does}. "
            f"Look at it; `{Command('trust')}` allows it as it is now."
        )
