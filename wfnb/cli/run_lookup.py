"""a folder, a session's name, a run's name -> the run that is meant, and what can ask it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from wfnb.errors import (
    BadValue,
    QuestionNone,
    RunAmbiguous,
    RunNone,
    RunUnknown,
    SessionUnknown,
)
from wfnb.home_folder import home
from wfnb.journal import RunInfo, SessionInfo
from wfnb.process_identity import has_ended

if TYPE_CHECKING:
    from wfnb.workflows.library.workflow_library import WorkflowLibrary
    from wfnb.workflows.run_log import RunLog
    from wfnb.workflows.runner.runner import Runner

SESSION = "cli"
"""The session of runs that are started from a command line and name no other."""
LAST = "last"
"""The run that was begun last: of `cli` where no session is named, so that a script does not take
up what somebody began in a notebook meanwhile."""


class CommandPlace:
    """A `.wfnb` folder, and the session that was named: where none was, runs are looked for in
    `cli` first, and then in all others. Nothing is written by looking."""

    def __init__(self, folder: str | None = None, session: str | None = None) -> None:
        self.named = folder
        self.home = home(folder)
        self.journal = self.home.journal
        self.session = session

    @cached_property
    def sessions(self) -> Mapping[int, str]:
        """The names of all sessions, by id. SessionUnknown where the one named is none of them."""
        found = {info.id: info.name for info in self.home.sessions()}
        if self.session is not None and self.session not in found.values():
            raise SessionUnknown(self.session, tuple(found.values()))
        return found

    @property
    def empty(self) -> bool:
        """Whether no session was begun here yet."""
        return not self.home.sessions()

    def runs(self) -> list[RunInfo]:
        """The runs of the session that was named, or of all; without those that runs called.
        BadValue where the folder that was named is none: a new one has no runs to look at."""
        self.require_folder()
        # `apart`: a list shows all sessions, while a command that needs one run prefers those of
        # `cli`.
        return self._preferred_runs(self.journal.runs(parent=None), apart=True)

    def list_sessions(self, archived: bool) -> list[SessionInfo]:
        """All sessions in order of creation, with those that were `archived` or without them.
        BadValue as above."""
        self.require_folder()
        return [info for info in self.home.sessions() if archived or not info.archived]

    def require_folder(self) -> None:
        """BadValue where the folder that was named is none: nothing is to be looked at in it."""
        if self.named and not self.home.path.is_dir():
            raise BadValue("--home", self.named, "a folder that is there")

    def find(self, name: str) -> RunInfo:
        """The run of that name. RunUnknown; RunAmbiguous where several sessions have one."""
        runs = self.runs()
        if name == LAST and runs:
            return self._preferred_runs(runs)[-1]
        found = self._preferred_runs(self.journal.find_run(name)) if _text(name) else []
        if not found:
            raise RunUnknown(name, tuple(dict.fromkeys(info.name for info in reversed(runs))))
        return self._one(found)

    def going(self, name: str | None) -> RunInfo:
        """The run of that name or, without a name, the one that is running. RunNone where none
        is; RunAmbiguous where several are. One whose process is gone has to be named."""
        if name is not None:
            return self.find(name)
        # Those whose process is gone are named in the refusal: nobody is to cancel one by accident.
        begun = [info for info in self.runs() if info.status == "running"]
        found = [info for info in begun if lives(info)]
        if not found:
            raise RunNone(tuple(info.name for info in reversed(begun)))
        return self._one(self._preferred_runs(found))

    def asking(self, name: str | None) -> RunInfo:
        """The run that has an open question: that of this name, or one that it called, or without
        a name any whose process is there. QuestionNone; RunAmbiguous where several have."""
        among = filter(lives, self.runs()) if name is None else [self.find(name)]
        found = [asks for info in among for asks in self.asks(info)]
        if not found:
            raise QuestionNone
        return self._one(self._preferred_runs(found), "--run")

    def asks(self, info: RunInfo) -> list[RunInfo]:
        """This run and those that it called, as far as they go on and wait for an answer."""
        if info.status != "running":
            return []
        below = [
            asks
            for called in self.journal.runs(info.session, info.id)
            for asks in self.asks(called)
        ]
        return [info, *below] if self.log(info).asks else below

    def log(self, info: RunInfo) -> RunLog:
        from wfnb.workflows.run_log import RunLog  # noqa: PLC0415  heavy: the models of workflows

        return RunLog(self.journal, info)

    def runner(self, info: RunInfo | None = None) -> Runner:
        """What can be asked of a run or, without one, begins runs, in a session that is made if it
        is new."""
        from wfnb.workflows.runner.runner import Runner  # noqa: PLC0415  heavy: tools, terminals, a loop

        if info is None:
            return Runner(self.home.open(self.session or SESSION).log, self.home.path)
        return Runner(self.home.resume(self.sessions[info.session]).log, self.home.path)

    def scratch(self) -> Runner:
        """What begins no run: it leaves nothing on the disk."""
        from wfnb.workflows.runner.runner import Runner  # noqa: PLC0415  (as above)

        return Runner(self.home.start(self.session or SESSION, scratch=True).log, self.home.path)

    def library(self) -> WorkflowLibrary:
        from wfnb.workflows.library.workflow_library import WorkflowLibrary  # noqa: PLC0415  not every command's

        return WorkflowLibrary(self.home.path / "workflows")

    def _preferred_runs(self, runs: list[RunInfo], apart: bool = False) -> list[RunInfo]:
        """Those of the session that was named; else those of `cli`, where there are any, or with
        `apart` all."""
        names = self.sessions
        wanted = SESSION if self.session is None else self.session
        own = [info for info in runs if names.get(info.session) == wanted]
        return own if self.session is not None or (own and not apart) else runs

    def _one(self, found: list[RunInfo], option: str = "") -> RunInfo:
        """The only one. `option`: what a run's name is given with, where it is no argument."""
        if len(found) > 1:
            named = tuple((info.name, self.sessions[info.session]) for info in found)
            raise RunAmbiguous(named, option)
        return found[0]


def lives(info: RunInfo) -> bool:
    """Whether it has not ended, and its process is not known to be gone."""
    return info.status == "running" and not has_ended(info.process)


def _text(name: str) -> bool:
    """Whether it is Unicode: only such names can be kept."""
    return not any("\ud800" <= sign <= "\udfff" for sign in name)
