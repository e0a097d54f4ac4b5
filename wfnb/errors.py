"""Every way wfnb says no, and the tree they hang on.

    WfnbError
    ├── Refused                      the user's mistake: nothing was recorded
    │   ├── BadValue                 a value that does not mean what its field needs
    │   ├── BadText                  text that cannot be kept: NUL, control characters, too long
    │   ├── BadOption                a command line that does not read
    │   ├── SessionExists            the name is taken
    │   ├── SessionUnknown           no session has this name
    │   ├── StepUnknown              no such step on this line
    │   ├── StepAmbiguous            several lines have a step of this number
    │   ├── StepNotRunning           an outcome for an attempt that is not open
    │   ├── RevisionWithoutTarget    a revision has to say of what
    │   ├── RevisionNotEarlier       a step cannot revise itself or what comes after it
    │   ├── NumberBelowBranch        a branch starts after the step it left
    │   ├── BranchUnknown            no branch has this name
    │   ├── BranchLeavesElsewhere    the branch exists and left another step
    │   ├── MainIsFirst              `main` cannot be made, merged or abandoned
    │   ├── MergeIntoItself          a branch joins another line, not its own
    │   ├── StageUnknown             the strategy has no such stage
    │   ├── StageNotReachable        a stage that cannot follow
    │   ├── StageNeeded              several stages may follow: name one
    │   ├── FieldMissing             the stage asks for a field
    │   ├── NoStrategy               a stage without a strategy
    │   ├── StrategyUnknown          no strategy has this name
    │   ├── StrategyNone             a view of stages without a strategy
    │   ├── StrategyBroken           a strategy file that cannot be followed
    │   ├── KindUnknown              no kind of investigation has this name
    │   ├── KindBroken               a file of a kind that cannot be followed
    │   ├── NothingCarried           a session that has no investigation to go on with
    │   ├── NoInvestigation          a session that investigates nothing
    │   ├── PauseHolds               something has to be looked at before the next step
    │   ├── FirstStepNeeds           the first step of this kind says more
    │   ├── FileMissing              a file that is named and not there
    │   ├── RepositoryNone           a folder that is in no git repository
    │   ├── FilesLeft                an end with files that are not documented
    │   ├── ModelTwice               the same model with the same stance
    │   ├── AdviserUnknown           no adviser has this name
    │   ├── AdviserBroken            a file of advisers that cannot be used
    │   ├── AdviserKey               an adviser whose key is not in the environment
    │   ├── LookUnknown              nothing that can be looked at
    │   ├── NameNowhere              no function or class has this name
    │   ├── ToolUnknown              no tool has this name
    │   ├── ToolBuiltIn              the name of a built-in tool
    │   ├── ToolsUnloadable          Python from which no tools can be loaded
    │   ├── ToolBroken               a function that cannot be a tool
    │   ├── BadParameters            parameters that a tool does not take
    │   ├── RunUnknown               no run has this name
    │   ├── RunAmbiguous             several runs may be meant: say which
    │   ├── RunAlive                 another process has the run
    │   ├── RunElsewhere             another machine may have the run
    │   ├── RunEndedAlready          a run that ended cannot be stopped
    │   ├── RunNotResumable          nothing of the run is left to do
    │   ├── RunTooDeep               workflows that call workflows that call …
    │   ├── StateUnknown             the workflow has no such state or step
    │   ├── StateGone                a mended workflow without the state that a run is at
    │   ├── NestedLeft               a nested run that was cut off and would not go on
    │   ├── CallUncertain            whether a call was done is unknown
    │   ├── QuestionNone             no question is open
    │   ├── QuestionSeveral          several are: say which
    │   ├── AnswerElsewhere          a secret is answered where the run is, or it would be kept
    │   ├── AnswerNotChoice          the question has other choices
    │   ├── WorkflowInvalid          a definition that cannot be run: every problem at once
    │   ├── WorkflowUnknown          no saved workflow has this name
    │   ├── WorkflowExists           the name is taken by other content
    │   ├── WorkflowBroken           text or a file that cannot be read as a workflow
    │   ├── WorkflowEmpty            a text or a file that says nothing
    │   ├── WorkflowShipped          an example workflow cannot be changed
    │   ├── LibraryLocked            another process is saving a workflow
    │   ├── LibraryUnusable          the folder of workflows cannot be read or written
    │   ├── NameUnknown              a placeholder names nothing there is
    │   ├── TextCut                  a placeholder names a text of which only the ends were kept
    │   ├── PatternInvalid           text that is no regular expression
    │   ├── PatternTooSlow           a search that took longer than it may
    │   ├── SecretMissing            a secret is never kept: it has to be given again
    │   ├── NoRuns                   a session that was opened without a runner
    │   ├── RunFailed                a run that did not succeed, told after it was shown
    │   ├── WorkflowSource           a definition or a name: exactly one
    │   ├── SystemUnsupported        a system on which tools cannot run programs
    │   ├── DaskMissing              a cluster is asked for, and Dask is not installed
    │   ├── ClusterUnreachable       no cluster answers at this address
    │   ├── ClusterDiffers           a cluster with other versions than here
    │   ├── NothingToUndo            no change was made yet
    │   ├── NothingToRedo            nothing was undone since the last change
    │   └── NothingRecorded          a view of a session without steps and runs
    ├── ClusterLost                  a cluster that is gone: what it did last is not known
    └── JournalError                 the disk's no: what was recorded stays
        ├── JournalConflict          another process wrote first (handled inside)
        ├── JournalLocked            another process holds the file
        ├── JournalReadOnly          the file or its folder cannot be written
        ├── JournalFull              no room on the disk
        ├── JournalCorrupt           the file is not a readable journal
        └── JournalNewer             written by a newer wfnb

An error carries its facts as fields; `str()` gives one line: the fact, then the next move.
"""

from __future__ import annotations

from inspect import get_annotations
from typing import dataclass_transform


def listing(names: object, none: str) -> str:
    """Names as a readable list, cut after twelve; `none` where there are none."""
    words = [str(name) for name in names]  # type: ignore[attr-defined]
    shown = ", ".join(words[:12])
    return f"{shown}, … ({len(words)} in all)" if len(words) > 12 else shown or none


NEAR = 0.65
"""How much of two words has to be the same for one to be meant by the other."""


def nearest(name: str, names: tuple[str, ...]) -> str:
    """`Did you mean 'x'? ` where something close exists, else nothing."""
    from difflib import get_close_matches  # noqa: PLC0415  (wanted only for a mistake)

    close = get_close_matches(name, names, n=1, cutoff=NEAR)
    return f"Did you mean {close[0]!r}? " if close else ""


def nearest_first(name: str, names: tuple[str, ...]) -> list[str]:
    """The names, those that are close to one before the others; else in their order."""
    from difflib import get_close_matches  # noqa: PLC0415  (as above)

    close = get_close_matches(name, names, n=len(names) or 1, cutoff=NEAR)
    return [*close, *(other for other in names if other not in close)]


@dataclass_transform(eq_default=False)
class WfnbError(Exception):
    """Root of everything wfnb raises on purpose. What a subclass annotates are its facts: given by
    position, in that order, and kept as fields."""

    def __init__(self, *facts: object) -> None:
        super().__init__(*facts)
        for name, fact in zip(self.facts(), facts, strict=True):
            setattr(self, name, fact)

    @classmethod
    def facts(cls) -> tuple[str, ...]:
        return tuple(get_annotations(cls))


class Refused(WfnbError):
    """A command that cannot be done as asked. Nothing was recorded."""


class JournalError(WfnbError):
    """The journal could not be read or written. What was recorded stays. `left` is the run that it
    kept from going on, if it was one."""

    def __init__(self, *facts: object) -> None:
        super().__init__(*facts)
        self.left: str | None = None

    def way(self, otherwise: str) -> str:
        """The next move: a cell that is run again would begin another run."""
        if self.left is None:
            return otherwise
        return (
            f"Run {self.left} stopped there, and what it had done is recorded: "
            f"`%run_workflow --resume {self.left}` goes on with it, once that is over."
        )


class BadValue(Refused):
    field: str
    value: str
    needs: str

    def __str__(self) -> str:
        return f"{self.field} is {self.value!r}. It needs {self.needs}."


class BadText(Refused):
    field: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.field} {self.what}. {self.way}"


class BadOption(Refused):
    line: str
    what: str
    way: str

    def __str__(self) -> str:
        return f"{self.line}: {self.what}. {self.way}"


class SessionExists(Refused):
    name: str
    steps: int

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} exists, with {self.steps} step{'s' * (self.steps != 1)}. "
            f"`%wfnb resume {self.name}` goes on with it; "
            f"`%wfnb start {self.name} --fresh` archives it and starts anew."
        )


class SessionUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No session is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Sessions: {listing(self.names, 'none yet')}."
        )


class StepUnknown(Refused):
    number: int
    branch: str
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        steps = listing(self.numbers, "none yet")
        return f"There is no step {self.number} on {self.branch!r}. Steps there: {steps}."


class StepAmbiguous(Refused):
    number: int
    branches: tuple[str, ...]

    def __str__(self) -> str:
        ways = " or ".join(f"{branch}:{self.number}" for branch in self.branches)
        return f"Step {self.number} is on several branches. Say which: {ways}."


class StepNotRunning(Refused):
    attempt: int

    def __str__(self) -> str:
        return "The step that just ran is no longer open: it was undone or cleared meanwhile."


class RevisionWithoutTarget(Refused):
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        steps = listing(self.numbers, "none yet")
        return f"A revision has to name the step it revises (`revises`). Steps: {steps}."


class RevisionNotEarlier(Refused):
    number: int
    revises: int

    def __str__(self) -> str:
        return (
            f"Step {self.number} cannot revise step {self.revises}: a revision comes after "
            "what it revises. Leave the number out to get the next one."
        )


class NumberBelowBranch(Refused):
    number: int
    branch: str
    first: int

    def __str__(self) -> str:
        return (
            f"Step {self.number} cannot be on branch {self.branch!r}, which left step "
            f"{self.first - 1}. Its first possible number is {self.first}."
        )


class BranchUnknown(Refused):
    branch: str
    branches: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No branch is called {self.branch!r}. {nearest(self.branch, self.branches)}"
            f"Branches: {listing(self.branches, 'none yet')}."
        )


class BranchLeavesElsewhere(Refused):
    branch: str
    right: str
    asked: str

    def __str__(self) -> str:
        return (
            f"Branch {self.branch!r} left step {self.right}, not {self.asked}. "
            f"Continue it by its name alone, or choose another name."
        )


class MainIsFirst(Refused):
    asked: str

    def __str__(self) -> str:
        return f"`main` is the first line and cannot be {self.asked}. Name a branch."


class MergeIntoItself(Refused):
    branch: str
    branches: tuple[str, ...]

    def __str__(self) -> str:
        others = listing(self.branches, "none yet")
        return f"Branch {self.branch!r} cannot be merged into itself. Other lines: {others}."


class StageUnknown(Refused):
    stage: str
    strategy: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = ", ".join(self.choices) or "nothing: the strategy ends here"
        return (
            f"{self.strategy} has no stage {self.stage!r}. {nearest(self.stage, self.choices)}"
            f"Next: {choices}."
        )


class StageNotReachable(Refused):
    stage: str
    after: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = ", ".join(self.choices) or "nothing: the strategy ends here"
        return f"Stage {self.stage!r} cannot follow {self.after!r}. Next: {choices}."


class StageNeeded(Refused):
    after: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        if not self.choices:
            return (
                f"{self.after!r} is the last stage: this line is complete. Revise a step "
                "(`--revises N`), branch from one, or switch the strategy."
            )
        return (
            f"Several stages may follow {self.after!r}. "
            f"Name one with --stage: {', '.join(self.choices)}."
        )


class FieldMissing(Refused):
    stage: str
    missing: tuple[str, ...]
    means: tuple[str, ...]

    def __str__(self) -> str:
        means = [" ".join(words.split()) for words in self.means]
        asked = "; ".join(f"{n} ({m})" for n, m in zip(self.missing, means, strict=True))
        add = " ".join(f"--set {name}=…" for name in self.missing)
        return f"Stage {self.stage!r} asks for {asked}. Add {add}."


class NoStrategy(Refused):
    stage: str

    def __str__(self) -> str:
        return (
            f"Stage {self.stage!r} needs a strategy, and this session follows none. "
            "`%wfnb strategy NAME` chooses one; `%wfnb strategy` lists them."
        )


class StrategyUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No strategy is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Strategies: {listing(self.names, 'none')}."
        )


class StrategyNone(Refused):
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            "This session follows no strategy, so it has no stages. `%wfnb strategy NAME` chooses "
            f"one, `%wfnb stages NAME` shows one: {listing(self.names, 'none')}."
        )


class StrategyBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"Strategy {self.where}: {self.what}."


class KindUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is no kind of investigation {self.name!r}. {nearest(self.name, self.names)}"
            f"Kinds: {listing(self.names, 'none')}."
        )


class KindBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"The kind in {self.where} cannot be followed: {self.what}. Mend it, then try again."


class NothingCarried(Refused):
    name: str

    def __str__(self) -> str:
        return (
            f"Session {self.name!r} is no investigation: it has nothing to go on with. "
            "Name one that is, or start without it."
        )


class NoInvestigation(Refused):
    option: str

    def __str__(self) -> str:
        return (
            f"{self.option} belongs to an investigation, and this session is none. "
            "`%wfnb kind debug` makes it one."
        )


class PauseHolds(Refused):
    number: int
    kind: str
    actions: tuple[str, ...]

    def __str__(self) -> str:
        first = f" First: {self.actions[0]}" if self.actions else ""
        return (
            f"Nothing was looked at since step {self.number}. Run a cell, `%wfnb look`, or bring a "
            f"new --finding, --file or --issue (--no-pause goes on without).{first}"
        )


class FirstStepNeeds(Refused):
    kind: str
    missing: tuple[str, ...]
    ways: tuple[str, ...]

    def __str__(self) -> str:
        missing = " and ".join(self.missing)
        return f"The first step of {self.kind} needs {missing}. Say {' '.join(self.ways)}."


class FileMissing(Refused):
    path: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is no file {self.path!r} here. {nearest(self.path, self.names)}"
            "Paths start beside the notebook."
        )


class RepositoryNone(Refused):
    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path!r} is in no git repository ({self.why}). Name one: --set path=FOLDER"


class FilesLeft(Refused):
    done: int
    total: int

    def __str__(self) -> str:
        left = self.total - self.done
        return (
            f"{self.done} of {self.total} files are documented: {left} "
            f"{'is' if left == 1 else 'are'} left. Document {'it' if left == 1 else 'them'}, or go "
            "on with --next."
        )


class ModelTwice(Refused):
    name: str
    stance: str

    def __str__(self) -> str:
        return (
            f"{self.name} is asked for twice with the stance {self.stance!r}. "
            "Give each a stance of its own."
        )


class AdviserUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        none = "none yet; `@wfnb.adviser` makes a function one"
        return (
            f"No adviser is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Advisers: {listing(self.names, none)}."
        )


class AdviserBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"The advisers in {self.where} cannot be used: {self.what}. Mend it, then try again."


class AdviserKey(Refused):
    name: str
    variable: str

    def __str__(self) -> str:
        return (
            f"The environment has no {self.variable}, the key of adviser {self.name!r}. "
            "Set it before Python starts."
        )


class LookUnknown(Refused):
    what: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"There is nothing to look at called {self.what!r}. {nearest(self.what, self.names)}"
            f"Looks: {listing(self.names, 'none')}, or a file."
        )


class NameNowhere(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        near = nearest(self.name, self.names) or "`%wfnb look outline FILE` lists those of a file."
        return f"No function or class is called {self.name!r} in the files here. {near.strip()}"


class ToolUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No tool is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Tools: {', '.join(self.names)}."
        )


class ToolBuiltIn(Refused):
    name: str

    def __str__(self) -> str:
        return f"{self.name!r} is a built-in tool. Name yours otherwise: `@wfnb.tool(name=…)`."


class ToolsUnloadable(Refused):
    source: str
    why: str

    def __str__(self) -> str:
        way = "`--tools` takes a Python file, or a module's name, with `@wfnb.tool` functions"
        return f"No tools can be loaded from {self.source!r}: {self.why}. {way}."


class ToolBroken(Refused):
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.name!r} cannot be a tool: {self.what}."


class BadParameters(Refused):
    tool: str
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.tool}: {'; '.join(self.problems)}."


class RunUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"No run is called {self.name!r}. {nearest(self.name, self.names)}"
            f"Runs: {listing(self.names, 'none yet')}."
        )


class RunAmbiguous(Refused):
    runs: tuple[tuple[str, str], ...]
    option: str

    def __str__(self) -> str:
        name, session = self.runs[-1]
        way = f"{self.option} {name}" if self.option else name
        way += f" --session {session}" if session else ""
        named = (f"{run} (session {of})" if of else run for run, of in self.runs)
        found = listing(named, "none")
        return f"Several runs may be meant: {found}. Say which: {way}."


class RunAlive(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is still running, in process {self.process}. "
            "`%wfnb cancel RUN` stops it; `%wfnb runs` lists it."
        )


class RunElsewhere(Refused):
    process: str

    def __str__(self) -> str:
        return (
            f"The run is of process {self.process} on another machine, and whether that is gone "
            "cannot be seen from here. If it is, resume with `--again` or `--done`."
        )


class RunEndedAlready(Refused):
    status: str

    def __str__(self) -> str:
        return f"The run has ended ({self.status}). `%wfnb runs` lists those that are running."


class RunNotResumable(Refused):
    status: str

    def __str__(self) -> str:
        return (
            f"The run ended as {self.status}: nothing is left to do. "
            "`--from STATE` goes on from a state or step of it; without --resume it runs anew."
        )


class RunTooDeep(Refused):
    workflow: str
    depth: int

    def __str__(self) -> str:
        return (
            f"Workflow {self.workflow!r} would run {self.depth} workflows deep; "
            f"{self.depth - 1} is the most. Does a workflow call itself without an end?"
        )


class StateUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"The workflow has no state or step {self.name!r}. {nearest(self.name, self.names)}"
            f"There are: {listing(self.names, 'none')}."
        )


class StateGone(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"The run would go on at state {self.name!r}, which the new definition does not have. "
            f"`--from STATE` names another: {listing(self.names, 'none')}."
        )


class NestedLeft(Refused):
    run: str
    action: str
    why: str

    def __str__(self) -> str:
        return (
            f"Run {self.run!r}, which {self.action!r} had begun when the process ended, would not "
            f"go on: {self.why}. `%run_workflow --resume {self.run}` brings it to its end, "
            f"`%wfnb cancel {self.run}` stops it; then resume this one."
        )


class CallUncertain(Refused):
    calls: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"Whether {listing(self.calls, 'a call')} was done is unknown: the process ended "
            "while it ran. Look, then resume with `--again` (call it again) or `--done` (it was)."
        )


class QuestionNone(Refused):
    def __str__(self) -> str:
        return "No question is open. `%wfnb runs` shows what the runs are waiting for."


class QuestionSeveral(Refused):
    actions: tuple[str, ...]

    def __str__(self) -> str:
        asking = listing(self.actions, "none")
        return f"Several questions are open, of {asking}. Name one: `%wfnb answer TEXT --to STATE`."


class AnswerElsewhere(Refused):
    action: str
    run: str

    def __str__(self) -> str:
        return (
            f"{self.action!r} asks for a secret, which is never written down, so that it cannot be "
            f"sent from here. Answer where {self.run} was started."
        )


class AnswerNotChoice(Refused):
    answer: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.answer!r} is no choice here. Choices: {listing(self.choices, 'none')}."


class WorkflowInvalid(Refused):
    problems: tuple[object, ...]

    def __str__(self) -> str:
        said = [str(problem) for problem in self.problems]
        if len(said) == 1:
            return said[0] if said[0].endswith("?") else f"{said[0]}."
        more = [f"- … and {len(said) - 20:,} more"] if len(said) > 20 else []
        return "\n".join(
            [
                f"The workflow has {len(said):,} problems:",
                *(f"- {line}" for line in said[:20]),
                *more,
            ]
        )


class WorkflowUnknown(Refused):
    name: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        names = listing(nearest_first(self.name, self.names), "none")
        return (
            f"Workflow {self.name!r} not found. {nearest(self.name, self.names)}Available: {names}"
        )


class WorkflowExists(Refused):
    name: str
    there: str

    def __str__(self) -> str:
        if self.name != self.there:
            return (
                f"Workflow {self.there!r} exists, and {self.name!r} would be the same file on some "
                "disks. Choose a name that differs in more than capitals."
            )
        return (
            f"Workflow {self.name!r} exists, with other content. `--overwrite` replaces it; "
            "another name keeps both."
        )


class WorkflowBroken(Refused):
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} cannot be read as a workflow: {self.what}."


class WorkflowEmpty(Refused):
    where: str

    def __str__(self) -> str:
        return (
            f"{self.where} says nothing. It needs `steps` or `states`, for example: "
            "{name: hello, steps: [{tool: shell, args: {command: echo hello}}]}"
        )


class WorkflowShipped(Refused):
    name: str
    asked: str

    def __str__(self) -> str:
        return (
            f"Workflow {self.name!r} comes with wfnb and cannot be {self.asked}. "
            "One of your own with that name takes its place."
        )


class LibraryLocked(Refused):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is locked by another process that saves a workflow. Try again."


class LibraryUnusable(Refused):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} cannot be used ({self.what}). Set WFNB_HOME to a folder that can be."


class NameUnknown(Refused):
    name: str
    path: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{{{self.name}}} in {self.path} names nothing there is. "
            f"{nearest(self.name, self.known)}Known: {listing(self.known, 'nothing yet')}. "
            f"{{{{{self.name}}}}} means the text itself."
        )


class TextCut(Refused):
    name: str
    action: str
    kept: int
    size: int

    def __str__(self) -> str:
        return (
            f"Field {self.name!r} of {self.action!r} was cut at {self.kept:,} of {self.size:,} "
            "characters. Write it to a file and pass the path; "
            f"`--from {self.action}` calls it again."
        )


class PatternInvalid(Refused):
    pattern: str
    what: str

    def __str__(self) -> str:
        return f"Pattern {self.pattern[:80]!r} is no regular expression: {self.what}."


class PatternTooSlow(Refused):
    pattern: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"Pattern {self.pattern[:80]!r} was not done after {self.seconds:g} s. "
            "Make it simpler: repetitions within repetitions, as in (a+)+, take that long."
        )


class SecretMissing(Refused):
    run: str
    names: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{listing(self.names, 'A secret')} is not known: secrets are never kept. "
            f"`--secret {self.names[0]}` takes it from the environment."
        )


class NoRuns(Refused):
    def __str__(self) -> str:
        return "This session performs no runs: open it with wfnb.open(NAME)."


class RunFailed(Refused):
    name: str
    status: str
    error: str

    def __str__(self) -> str:
        why = f": {self.error.rstrip('.')}" if self.error else ""
        return f"Run {self.name} {self.status.replace('_', ' ')}{why}."


class WorkflowSource(Refused):
    what: str

    def __str__(self) -> str:
        return self.what


class SystemUnsupported(Refused):
    what: str

    def __str__(self) -> str:
        return (
            f"Programs and terminals need Linux or macOS ({self.what}). "
            "On Windows, run the workflow in WSL; with other tools it works here too."
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
            "Give the address of its scheduler, or run without --on."
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
            f"here it is {self.ours}. Make them the same, or run without --on."
        )


class NothingToUndo(Refused):
    def __str__(self) -> str:
        return "There is nothing to undo: the session is as it was when it started."


class NothingToRedo(Refused):
    def __str__(self) -> str:
        return "There is nothing to redo: nothing was undone since the last change."


class NothingRecorded(Refused):
    what: str

    def __str__(self) -> str:
        return (
            f"There is nothing to {self.what}: no step and no run is recorded yet. "
            "Write `%%step` over a cell."
        )


class ClusterLost(WfnbError):
    address: str

    def __str__(self) -> str:
        return (
            f"The Dask cluster at {self.address} is gone, and how its calls ended is unknown. "
            "`%run_workflow --resume` goes on from there."
        )


class JournalConflict(JournalError):
    session: str
    position: int

    def __str__(self) -> str:
        return (
            f"Session {self.session!r} went on after event {self.position}. Read on, decide again."
        )


class JournalLocked(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} is locked by another process. " + self.way(
            "Nothing was lost: run the cell again, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalReadOnly(JournalError):
    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written. " + self.way(
            "Set WFNB_HOME to a folder that can be, "
            "or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalFull(JournalError):
    path: str

    def __str__(self) -> str:
        return f"There is no room left for {self.path}. " + self.way(
            "What was recorded stays: free some space and "
            "run the cell again, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalCorrupt(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return (
            f"{self.path} cannot be read as a journal ({self.what}). It is left as it is: move it "
            "away to start anew, or go on in memory with `%wfnb start NAME --scratch`."
        )


class JournalNewer(JournalError):
    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} was written by a newer wfnb ({self.what}). Update wfnb to read it."
