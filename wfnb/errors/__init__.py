"""Every way wfnb says no, and the tree they hang on.

    WfnbError
    ├── Refused                      the user's mistake: nothing was recorded
    │   │ in bad_input.py
    │   ├── BadValue                 a value that does not mean what its field needs
    │   ├── BadText                  text that cannot be kept: NUL, control characters, too long
    │   ├── BadOption                a command line that does not read
    │   ├── PatternInvalid           text that is no regular expression
    │   ├── PatternTooSlow           a search that took longer than it may
    │   │ in sessions.py
    │   ├── SessionExists            the name is taken
    │   ├── OtherNotebook            the kernel records into the session of another notebook
    │   ├── SessionUnknown           no session has this name
    │   ├── NothingToUndo            no change was made yet
    │   ├── NothingByAuthor          an author who did nothing that can be taken back
    │   ├── ChangeNeeded             what another did rests on what is to be taken back
    │   ├── NothingToRedo            nothing was undone since the last change
    │   ├── NothingRecorded          a view of a session without steps and runs
    │   │ in steps_and_branches.py
    │   ├── StepUnknown              no such step on this line
    │   ├── StepAmbiguous            several lines have a step of this number
    │   ├── StepNotRunning           an outcome for an attempt that is not open
    │   ├── RevisionWithoutTarget    a revision has to say of what
    │   ├── RevisionNotEarlier       a step cannot revise itself or what comes after it
    │   ├── NumberBelowBranch        a branch starts after the step it left
    │   ├── NumberOrTitle            a number that may be the beginning of the title
    │   ├── BranchNear               a new branch whose name is near another's
    │   ├── BranchUnknown            no branch has this name
    │   ├── BranchLeavesElsewhere    the branch exists and left another step
    │   ├── MainIsFirst              `main` cannot be made, merged or abandoned
    │   ├── MergeIntoItself          a branch joins another line, not its own
    │   │ in strategies.py
    │   ├── StageUnknown             the strategy has no such stage
    │   ├── StageNotReachable        a stage that cannot follow
    │   ├── StageNeeded              several stages may follow: name one
    │   ├── FieldMissing             the stage asks for a field
    │   ├── NoStrategy               a stage without a strategy
    │   ├── StrategyUnknown          no strategy has this name
    │   ├── StrategyNone             a view of stages without a strategy
    │   ├── PlanNone                 there is no plan to run
    │   ├── StrategyBroken           a strategy file that cannot be followed
    │   │ in investigations.py
    │   ├── KindUnknown              no kind of investigation has this name
    │   ├── KindBroken               a file of a kind that cannot be followed
    │   ├── NothingCarried           a session that has no investigation to go on with
    │   ├── NoInvestigation          a session that investigates nothing
    │   ├── HypothesisUnknown        no hypothesis of this number or these words
    │   ├── PauseHolds               something has to be looked at before the next step
    │   ├── FirstStepNeeds           the first step of this kind says more
    │   ├── FileMissing              a file that is named and not there
    │   ├── FolderMissing            a folder that is named and not there
    │   ├── RepositoryNone           a folder that is in no git repository
    │   ├── FilesLeft                an end with files that are not documented
    │   ├── LineEnded                more steps, after the last
    │   ├── ModelTwice               the same model with the same stance
    │   ├── AdviserUnknown           no adviser has this name
    │   ├── AdviserBroken            a file of advisers that cannot be used
    │   ├── AdviserKey               an adviser whose key is not in the environment
    │   ├── LookUnknown              nothing that can be looked at
    │   ├── NameNowhere              no function or class has this name
    │   │ in tools.py
    │   ├── ToolUnknown              no tool has this name
    │   ├── ToolBuiltIn              the name of a built-in tool
    │   ├── ToolsUnloadable          Python from which no tools can be loaded
    │   ├── ToolBroken               a function that cannot be a tool
    │   ├── BadParameters            parameters that a tool does not take
    │   │ in runs.py
    │   ├── RunUnknown               no run has this name
    │   ├── NothingCalled            neither a run nor a saved workflow has this name
    │   ├── RunAmbiguous             several runs may be meant: say which
    │   ├── RunAlive                 another process has the run
    │   ├── RunElsewhere             another machine may have the run
    │   ├── NotebookNeeded           a parked run goes on in its notebook
    │   ├── RunFolderGone            the folder that it began in is not there any more
    │   ├── RunFolderElsewhere       it calls Python, and began in another folder
    │   ├── RunEndedAlready          a run that ended cannot be stopped
    │   ├── RunNone                  no run goes on that could be stopped
    │   ├── RunGoesOn                waiting for a run was interrupted, the run was not
    │   ├── RunNotResumable          nothing of the run is left to do
    │   ├── RunTooDeep               workflows that call workflows that call …
    │   ├── StateUnknown             the workflow has no such state or step
    │   ├── StateGone                a mended workflow without the state that a run is at
    │   ├── NestedLeft               a nested run that was cut off and would not go on
    │   ├── TerminalGone             what is left to do needs a terminal that has ended
    │   ├── CallNotAsked             what became of that call is known
    │   ├── CallUncertain            whether a call was done is unknown
    │   ├── CallStands               it was done, and comes after what was undone or failed
    │   ├── SecretMissing            a secret is never kept: it has to be given again
    │   ├── NoRuns                   a session that was opened without a runner
    │   ├── RunFailed                a run that did not succeed, told after it was shown
    │   │ in questions.py
    │   ├── QuestionNone             no question is open
    │   ├── QuestionGone             this one is no longer open
    │   ├── QuestionSeveral          several are: say which
    │   ├── AnswerElsewhere          a secret is answered where the run is, or it would be kept
    │   ├── AnswerNotChoice          the question has other choices
    │   │ in workflows.py
    │   ├── WorkflowInvalid          a definition that cannot be run: every problem at once
    │   ├── WorkflowBroken           text or a file that cannot be read as a workflow
    │   ├── WorkflowEmpty            a text or a file that says nothing
    │   ├── WorkflowSource           a definition or a name: exactly one
    │   ├── NameUnknown              a placeholder names nothing there is
    │   ├── ExpressionFailed         an expression that is neither true nor false
    │   ├── ResultUnseen             a condition asks for what an action gave that was taken as done
    │   ├── TextAbsent               a pattern is looked for in a result that has no text
    │   ├── BadOutput                an output of a run cannot be made of what its actions gave
    │   ├── ItemsTooMany             a list is longer than an action is done for
    │   ├── ValuePrinted             what is read is a value that JSON cannot hold
    │   ├── ValueLost                a value that was kept for other actions is not there any more
    │   ├── TextCut                  a placeholder names a text of which only the ends were kept
    │   │ in saved_workflows.py
    │   ├── WorkflowUnknown          no saved workflow has this name
    │   ├── WorkflowExists           the name is taken by other content
    │   ├── WorkflowShipped          an example workflow cannot be changed
    │   ├── LibraryLocked            another process is saving a workflow
    │   ├── LibraryUnusable          the folder of workflows cannot be read or written
    │   │ in value_store.py
    │   ├── ValueNotKept             a name that was not among those kept
    │   ├── StoreForeign             values that another user kept: reading them runs his code
    │   ├── StoreBusy                another process is keeping values
    │   ├── StoreUnusable            the folder of kept values cannot be read or written
    │   │ in value_restore.py
    │   ├── StepKeptGone             a step that is gone before its values were kept
    │   ├── NothingKept              a step that kept nothing, or none did
    │   ├── NamesUnknown             `--exact` where it is not known which names were there
    │   ├── NotRestored              a branch that would begin without values that it needs
    │   ├── KeptBefore               a branch that would begin with what a step has no longer
    │   ├── RerunFailed              a step that failed when it was run again
    │   ├── RerunImpossible          a step without code that can be run again
    │   ├── StaleFailed              a stale step failed when it was run again
    │   ├── StaleNotRun              a stale step whose code cannot be run again
    │   │ in platforms_and_clusters.py
    │   ├── SystemUnsupported        a system on which tools cannot run programs
    │   ├── SdkMissing               agents are to be served, and the SDK is not installed
    │   ├── DaskMissing              a cluster is asked for, and Dask is not installed
    │   ├── ClusterUnreachable       no cluster answers at this address
    │   ├── ClusterDiffers           a cluster with other versions than here
    │   │ in trust.py
    │   ├── NotAllowed               an agent runs what nobody let it run
    │   └── NotTrusted               what may have come with a folder from somebody else
    │ in platforms_and_clusters.py
    ├── ClusterLost                  a cluster that is gone: what it did last is not known
    │ in value_store.py
    ├── BlobMissing                  a file of kept values is not there
    ├── BlobTruncated                a file of kept values is shorter or longer than it was
    ├── BlobCorrupt                  a file of kept values holds something else
    ├── BlobUnreadable               a file of kept values that may not be read
    │ in journal.py
    └── JournalError                 the disk's no: what was recorded stays
        ├── JournalConflict          another process wrote first (handled inside)
        ├── JournalLocked            another process holds the file
        ├── JournalReadOnly          the file or its folder cannot be written
        ├── JournalUnreadable        this user may not even read the file
        ├── JournalFull              no room on the disk
        ├── JournalFaulty            the disk itself fails
        ├── JournalGone              the file was moved or deleted while it was in use
        ├── JournalReplaced          another journal is in the place of the one that was read
        ├── JournalTorn              the file was copied without the log beside it
        ├── JournalCorrupt           the file is not a readable journal
        └── JournalNewer             written by a newer wfnb

An error carries its facts as fields; `str()` gives one line: the fact, then the next move.
"""

# A new class is a name of the package by standing in its module: no second list to forget.
from .bad_input import *  # noqa: F403
from .base import *  # noqa: F403
from .investigations import *  # noqa: F403
from .journal import *  # noqa: F403
from .phrases import *  # noqa: F403
from .platforms_and_clusters import *  # noqa: F403
from .questions import *  # noqa: F403
from .runs import *  # noqa: F403
from .saved_workflows import *  # noqa: F403
from .sessions import *  # noqa: F403
from .steps_and_branches import *  # noqa: F403
from .strategies import *  # noqa: F403
from .tools import *  # noqa: F403
from .trust import *  # noqa: F403
from .value_restore import *  # noqa: F403
from .value_store import *  # noqa: F403
from .workflows import *  # noqa: F403
