"""Every way wfnb says no, and the tree they hang on.

    WfnbError
    ├── Refused                      the user's mistake: nothing was recorded
    │   │ in values.py
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
    │   │ in steps.py
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
    │   ├── BadOutput                an output of a run cannot be made of what its actions gave
    │   ├── ItemsTooMany             a list is longer than an action is done for
    │   ├── ValuePrinted             what is read is a value that JSON cannot hold
    │   ├── ValueLost                a value that was kept for other actions is not there any more
    │   ├── TextCut                  a placeholder names a text of which only the ends were kept
    │   │ in library.py
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
    │   │ in places.py
    │   ├── SystemUnsupported        a system on which tools cannot run programs
    │   ├── SdkMissing               agents are to be served, and the SDK is not installed
    │   ├── DaskMissing              a cluster is asked for, and Dask is not installed
    │   ├── ClusterUnreachable       no cluster answers at this address
    │   ├── ClusterDiffers           a cluster with other versions than here
    │   │ in trust.py
    │   ├── NotAllowed               an agent runs what nobody let it run
    │   └── NotTrusted               what may have come with a folder from somebody else
    │ in places.py
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
        ├── JournalFull              no room on the disk
        ├── JournalFaulty            the disk itself fails
        ├── JournalGone              the file was moved or deleted while it was in use
        ├── JournalReplaced          another journal is in the place of the one that was read
        ├── JournalTorn              the file was copied without the log beside it
        ├── JournalCorrupt           the file is not a readable journal
        └── JournalNewer             written by a newer wfnb

An error carries its facts as fields; `str()` gives one line: the fact, then the next move.
"""

from .investigations import AdviserBroken as AdviserBroken
from .investigations import AdviserKey as AdviserKey
from .investigations import AdviserUnknown as AdviserUnknown
from .investigations import FileMissing as FileMissing
from .investigations import FilesLeft as FilesLeft
from .investigations import FirstStepNeeds as FirstStepNeeds
from .investigations import FolderMissing as FolderMissing
from .investigations import HypothesisUnknown as HypothesisUnknown
from .investigations import KindBroken as KindBroken
from .investigations import KindUnknown as KindUnknown
from .investigations import LineEnded as LineEnded
from .investigations import LookUnknown as LookUnknown
from .investigations import ModelTwice as ModelTwice
from .investigations import NameNowhere as NameNowhere
from .investigations import NoInvestigation as NoInvestigation
from .investigations import NothingCarried as NothingCarried
from .investigations import PauseHolds as PauseHolds
from .investigations import RepositoryNone as RepositoryNone
from .journal import JournalConflict as JournalConflict
from .journal import JournalCorrupt as JournalCorrupt
from .journal import JournalError as JournalError
from .journal import JournalFaulty as JournalFaulty
from .journal import JournalFull as JournalFull
from .journal import JournalGone as JournalGone
from .journal import JournalLocked as JournalLocked
from .journal import JournalNewer as JournalNewer
from .journal import JournalReadOnly as JournalReadOnly
from .journal import JournalReplaced as JournalReplaced
from .journal import JournalTorn as JournalTorn
from .library import LibraryLocked as LibraryLocked
from .library import LibraryUnusable as LibraryUnusable
from .library import WorkflowExists as WorkflowExists
from .library import WorkflowShipped as WorkflowShipped
from .library import WorkflowUnknown as WorkflowUnknown
from .names import NEAR as NEAR
from .names import known_names as known_names
from .names import listing as listing
from .names import nearest as nearest
from .names import nearest_first as nearest_first
from .names import no_placeholder as no_placeholder
from .names import spoken as spoken
from .places import ClusterDiffers as ClusterDiffers
from .places import ClusterLost as ClusterLost
from .places import ClusterUnreachable as ClusterUnreachable
from .places import DaskMissing as DaskMissing
from .places import SdkMissing as SdkMissing
from .places import SystemUnsupported as SystemUnsupported
from .questions import AnswerElsewhere as AnswerElsewhere
from .questions import AnswerNotChoice as AnswerNotChoice
from .questions import QuestionGone as QuestionGone
from .questions import QuestionNone as QuestionNone
from .questions import QuestionSeveral as QuestionSeveral
from .root import Refused as Refused
from .root import WfnbError as WfnbError
from .runs import CallNotAsked as CallNotAsked
from .runs import CallStands as CallStands
from .runs import CallUncertain as CallUncertain
from .runs import NestedLeft as NestedLeft
from .runs import NoRuns as NoRuns
from .runs import NotebookNeeded as NotebookNeeded
from .runs import NothingCalled as NothingCalled
from .runs import RunAlive as RunAlive
from .runs import RunAmbiguous as RunAmbiguous
from .runs import RunElsewhere as RunElsewhere
from .runs import RunEndedAlready as RunEndedAlready
from .runs import RunFailed as RunFailed
from .runs import RunGoesOn as RunGoesOn
from .runs import RunNone as RunNone
from .runs import RunNotResumable as RunNotResumable
from .runs import RunTooDeep as RunTooDeep
from .runs import RunUnknown as RunUnknown
from .runs import SecretMissing as SecretMissing
from .runs import StateGone as StateGone
from .runs import StateUnknown as StateUnknown
from .runs import TerminalGone as TerminalGone
from .sessions import ChangeNeeded as ChangeNeeded
from .sessions import NothingByAuthor as NothingByAuthor
from .sessions import NothingRecorded as NothingRecorded
from .sessions import NothingToRedo as NothingToRedo
from .sessions import NothingToUndo as NothingToUndo
from .sessions import OtherNotebook as OtherNotebook
from .sessions import SessionExists as SessionExists
from .sessions import SessionUnknown as SessionUnknown
from .steps import BranchLeavesElsewhere as BranchLeavesElsewhere
from .steps import BranchNear as BranchNear
from .steps import BranchUnknown as BranchUnknown
from .steps import MainIsFirst as MainIsFirst
from .steps import MergeIntoItself as MergeIntoItself
from .steps import NumberBelowBranch as NumberBelowBranch
from .steps import NumberOrTitle as NumberOrTitle
from .steps import RevisionNotEarlier as RevisionNotEarlier
from .steps import RevisionWithoutTarget as RevisionWithoutTarget
from .steps import StepAmbiguous as StepAmbiguous
from .steps import StepNotRunning as StepNotRunning
from .steps import StepUnknown as StepUnknown
from .strategies import FieldMissing as FieldMissing
from .strategies import NoStrategy as NoStrategy
from .strategies import PlanNone as PlanNone
from .strategies import StageNeeded as StageNeeded
from .strategies import StageNotReachable as StageNotReachable
from .strategies import StageUnknown as StageUnknown
from .strategies import StrategyBroken as StrategyBroken
from .strategies import StrategyNone as StrategyNone
from .strategies import StrategyUnknown as StrategyUnknown
from .tools import BadParameters as BadParameters
from .tools import ToolBroken as ToolBroken
from .tools import ToolBuiltIn as ToolBuiltIn
from .tools import ToolsUnloadable as ToolsUnloadable
from .tools import ToolUnknown as ToolUnknown
from .trust import NotAllowed as NotAllowed
from .trust import NotTrusted as NotTrusted
from .value_restore import KeptBefore as KeptBefore
from .value_restore import NamesUnknown as NamesUnknown
from .value_restore import NothingKept as NothingKept
from .value_restore import NotRestored as NotRestored
from .value_restore import RerunFailed as RerunFailed
from .value_restore import RerunImpossible as RerunImpossible
from .value_restore import StaleFailed as StaleFailed
from .value_restore import StaleNotRun as StaleNotRun
from .value_restore import StepKeptGone as StepKeptGone
from .value_store import BLOB_ERRORS as BLOB_ERRORS
from .value_store import BlobCorrupt as BlobCorrupt
from .value_store import BlobMissing as BlobMissing
from .value_store import BlobTruncated as BlobTruncated
from .value_store import BlobUnreadable as BlobUnreadable
from .value_store import StoreBusy as StoreBusy
from .value_store import StoreForeign as StoreForeign
from .value_store import StoreUnusable as StoreUnusable
from .value_store import ValueNotKept as ValueNotKept
from .values import BadOption as BadOption
from .values import BadText as BadText
from .values import BadValue as BadValue
from .values import PatternInvalid as PatternInvalid
from .values import PatternTooSlow as PatternTooSlow
from .workflows import BadOutput as BadOutput
from .workflows import ExpressionFailed as ExpressionFailed
from .workflows import ItemsTooMany as ItemsTooMany
from .workflows import NameUnknown as NameUnknown
from .workflows import TextCut as TextCut
from .workflows import ValueLost as ValueLost
from .workflows import ValuePrinted as ValuePrinted
from .workflows import WorkflowBroken as WorkflowBroken
from .workflows import WorkflowEmpty as WorkflowEmpty
from .workflows import WorkflowInvalid as WorkflowInvalid
from .workflows import WorkflowSource as WorkflowSource
