"""What a cell showed and how it ended, by Jupyter's own messages."""

import re
from dataclasses import dataclass
from typing import Any

from wfnb import errors

MIME = "application/vnd.wfnb+json"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Ran:
    """What a cell published, in order (`msg_type`, `content`), and the reply to its request."""

    published: list[dict[str, Any]]
    reply: dict[str, Any]

    @property
    def status(self) -> str:
        return str(self.reply["status"])

    @property
    def kinds(self) -> list[str]:
        """Kinds of outputs, in order; a stream by its name."""
        return [found["content"].get("name", found["msg_type"]) for found in self.published]

    @property
    def value(self) -> str | None:
        """The last value, as Out[n] shows it."""
        found = [content["data"]["text/plain"] for content in self._of("execute_result")]
        return found[0] if found else None

    @property
    def shown(self) -> list[dict[str, Any]]:
        """What was displayed: the forms of each output by their type."""
        return [content["data"] for content in self._of("display_data")]

    @property
    def text(self) -> str:
        """The text of the only thing displayed."""
        (bundle,) = self.shown
        return str(bundle["text/plain"])

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The answers to the steps of this cell."""
        data = [bundle.get(MIME) for bundle in self.shown]
        return [found for found in data if isinstance(found, dict) and "outcome" in found]

    @property
    def answer(self) -> dict[str, Any]:
        (found,) = self.answers
        return found

    @property
    def stdout(self) -> str:
        return self._stream("stdout")

    @property
    def stderr(self) -> str:
        return self._stream("stderr")

    @property
    def traceback(self) -> str:
        """The traceback without its colours; empty, where there is none."""
        found = ["\n".join(content["traceback"]) for content in self._of("error")]
        return COLOUR.sub("", "\n".join(found))

    @property
    def refusal(self) -> str:
        """The one line that a refused magic says, the same to a person (the error output) and to a
        program (the reply); whatever else it says is an error."""
        (error,) = self._of("error")
        told = {name: self.reply[name] for name in ("ename", "evalue", "traceback")}
        assert (self.status, self.stderr, error) == ("error", "", told), self
        assert issubclass(getattr(errors, error["ename"]), errors.WfnbError)
        (line,) = error["traceback"]
        assert line == error["evalue"], self
        return str(line)

    def _of(self, kind: str) -> list[dict[str, Any]]:
        return [found["content"] for found in self.published if found["msg_type"] == kind]

    def _stream(self, name: str) -> str:
        return "".join(found["text"] for found in self._of("stream") if found["name"] == name)
