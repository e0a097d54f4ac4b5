"""a class of wfnb/errors -> what is typed to be refused by it, or the facts to show it with."""

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "BadValue": "%%step 2.5 Fit the baseline",
    "BadText": 'ws.step("Fit the baseline " * 10_000)',
    "BadOption": "%%step Fit the baseline --dnoe",
    "SessionExists": "%wfnb start demo",
    "SessionUnknown": "%wfnb resume dmeo",
    "StepUnknown": "%%branch robust --from 9 A robust loss",
    "StepAmbiguous": """
        %branch robust --from 2 A robust loss
        %branch filter --from 2 A median filter
        %wfnb confirm 3
    """,
    "RevisionWithoutTarget": 'ws.step("Fit again", is_step_revision=True)',
    "RevisionNotEarlier": "%%step 3 --revises 3 Fit again",
    "NumberBelowBranch": """
        %branch robust --from 2 A robust loss
        %%branch robust 2 Tune epsilon
    """,
    "BranchUnknown": """
        %branch robust --from 2 A robust loss
        %wfnb score robsut 0.8
    """,
    "NumberOrTitle": "%%step 121 after two rounds",
    "BranchNear": """
        %branch median --from 2 Without the outliers
        %%branch medain Without the night
    """,
    "BranchLeavesElsewhere": """
        %branch robust --from 2 A robust loss
        %%branch robust --from 1 Tune epsilon
    """,
    "MainIsFirst": "%wfnb abandon main",
    "MergeIntoItself": """
        %branch robust --from 2 A robust loss
        %wfnb merge robust --into robust
    """,
    "StageUnknown": """
        %wfnb strategy react
        %%step --stage problem_recption Blank pages
    """,
    "StageNotReachable": """
        %wfnb strategy react
        %%step --stage final_response Buy a new one
    """,
    "StageNeeded": """
        %wfnb strategy base_sequential
        %step Is the sensor drifting?
        %step Look at the residuals
        %step They grow by 0.3 K
        %step The growth is not noise
        %%step What next?
    """,
    "FieldMissing": """
        %wfnb strategy react
        %step Blank pages
        %step The cartridge may be empty
        %step Weigh it
        %%step On the scales
    """,
    "NoStrategy": "%%step --stage action_planning Weigh it",
    "StrategyUnknown": "%wfnb strategy raect",
    "StrategyNone": "%wfnb stages",
    "PlanNone": "%wfnb plan",
    "StrategyBroken": """
        %mkdir -p .wfnb/strategies
        !echo "{name: mine, stages: {plan: {next: [do]}}}" > .wfnb/strategies/mine.yaml
        %wfnb strategy mine
    """,
    "KindUnknown": "%wfnb start crash --kind debgu",
    "KindBroken": """
        %mkdir -p .wfnb/kinds
        !echo "{name: mine, title: Look twice}" > .wfnb/kinds/mine.yaml
        %wfnb start crash --kind mine
    """,
    "NothingCarried": """
        %wfnb start drift
        %wfnb start mend --kind refactor --continues drift
    """,
    "NoInvestigation": '%%step It drifts --finding "0.3 K in a week"',
    "HypothesisUnknown": """
        %wfnb start crash --kind debug
        %step Empty input crashes the parser --hypothesis "the loop"
        %wfnb hypothesis refute 2
    """,
    "PauseHolds": """
        %wfnb start crash --kind debug
        %step Empty input crashes the parser
        %%step It is the loop
    """,
    "FirstStepNeeds": """
        %wfnb start look --kind codereview
        %%step What the parser does
    """,
    "FileMissing": """
        %wfnb start crash --kind debug
        %%step Empty input crashes the parser --relevant pars.py
    """,
    "FolderMissing": """
        %wfnb start ready --kind precommit
        %%step Is it ready? --set path=nowhere
    """,
    "FilesLeft": """
        %wfnb start words --kind docgen
        %step Count --set total_files_to_document=5
        !ls
        %%step Enough --done --set num_files_documented=3
    """,
    "LineEnded": """
        %wfnb start ended --kind debug
        %step 1/1 Empty input crashes the parser
        %wfnb extend 2 --reason "two parsers"
    """,
    "ModelTwice": """
        %wfnb start which --kind consensus
        %%step Which store? --set "models=[alice:for, alice:for]"
    """,
    "ToolUnknown": "%wfnb tools shel",
    "ToolBuiltIn": 'wfnb.tool(print, name="shell")',
    "ToolBroken": "wfnb.tool(max)",
    "RunUnknown": "%run_workflow --resume deploy-1",
    "NothingCalled": "%wfnb graph deplyo-1",
    "RunEndedAlready": """
        %%run_workflow nap
          steps: [{tool: sleep, args: {seconds: 0}}]
        %wfnb cancel nap-1
    """,
    "RunNone": "%wfnb cancel",
    "RunNotResumable": """
        %%run_workflow nap
          steps: [{tool: sleep, args: {seconds: 0}}]
        %run_workflow --resume nap-1
    """,
    "StateUnknown": """
        %%run_workflow nap
          steps: [{id: sleep, tool: sleep, args: {seconds: 0}}]
        %run_workflow --resume nap-1 --from slep
    """,
    "StateGone": """
        %%run_workflow
          name: nap
          initial_state: sleep
          states: {sleep: {action: {tool: shell, params: {command: exit 1}}}}
        %%run_workflow --resume nap-1
          initial_state: rest
          states: {rest: {action: {tool: sleep, params: {seconds: 0}}}}
    """,
    "QuestionNone": """
        %%run_workflow nap --background
          steps: [{tool: sleep, args: {seconds: 60}}]
        %wfnb answer yes
    """,
    "QuestionSeveral": """
        %%run_workflow both --background
          mode: parallel
          steps:
          - {id: size, tool: ask, args: {question: "Which size?"}}
          - {id: colour, tool: ask, args: {question: "Which colour?"}}
        while len(ws.runs.running("both-1").run.questions) < 2: pass
        %wfnb answer red
    """,
    "AnswerNotChoice": """
        %%run_workflow gate --background
          steps: [{tool: ask, args: {question: "Go on?", choices: ["yes", "no"]}}]
        while not ws.runs.running("gate-1").run.questions: pass
        %wfnb answer perhaps
    """,
    "WorkflowInvalid": """
        %%run_workflow greet
          steps:
          - {id: say, tool: shel, args: {command: "echo {nmae}"}}
          variables: {name: Ada}
    """,
    "WorkflowUnknown": "%run_workflow deploy",
    "WorkflowExists": """
        %%run_workflow nap
          steps: [{tool: sleep, args: {seconds: 0}}]
        %%run_workflow doze
          steps: [{tool: sleep, args: {seconds: 0.1}}]
        %wfnb workflows rename doze nap
    """,
    "WorkflowBroken": """
        %%run_workflow greet
          steps: [{tool: shell
    """,
    "WorkflowEmpty": """
        %%run_workflow
          # steps: to be written
    """,
    "WorkflowShipped": "%wfnb workflows delete simple_test",
    "SecretMissing": """
        os.environ["TOKEN"] = "a long word"
        %%run_workflow upload --secret token
          steps: [{tool: shell, args: {command: "test {token!q} = right"}}]
        %run_workflow --resume upload-1
    """,
    "RunFailed": """
        %%run_workflow check
          steps: [{tool: shell, args: {command: "exit 3"}}]
    """,
    "WorkflowSource": "ws.run(None)",
    "NothingKept": "%wfnb restore 2",
    "RerunImpossible": """
        ws.step("Load", keep={"rows": [1, 2]})
        %wfnb restore 3 --rerun 1
    """,
    "NotTrusted": """
        %mkdir -p .wfnb/strategies
        !echo "{name: mine, stages: {plan: {next: [do]}, do: {}}}" > .wfnb/strategies/mine.yaml
        %wfnb strategy mine
    """,
    "NothingToUndo": """
        %wfnb start other --scratch
        %wfnb undo
    """,
    "NothingByAuthor": "%wfnb undo --by claude",
    "NothingToRedo": "%wfnb redo",
    "NothingRecorded": """
        %wfnb start other --scratch
        %wfnb graph
    """,
}
"""What is typed; the last line is refused. A line that is indented belongs to the cell above it.
Classes without an example need another process, a cluster, or a disk with a fault, or become the
failure of an action: they are shown with these facts."""
FACTS: Mapping[str, object] = {
    "RepositoryNone.path": "/srv/books",  # of this machine, it would be another each time
    "RepositoryNone.why": "not a git repository (or any of the parent directories): .git",
    "OtherNotebook.notebook": "plots.ipynb",
    "OtherNotebook.owner": "demo.ipynb",
    "AdviserUnknown.name": "alcie",
    "AdviserUnknown.names": ("alice", "bob"),
    "AdviserBroken.where": ".wfnb/advisers.yaml",
    "AdviserBroken.what": "alice has no url",
    "AdviserKey.name": "alice",
    "AdviserKey.variable": "OPENAI_API_KEY",
    "LookUnknown.what": "diff",
    "LookUnknown.names": ("changes", "outline", "calls", "undocumented"),
    "NameNowhere.name": "pars",
    "NameNowhere.names": ("parse", "main"),
    "NameNowhere.folder": "..",
    "BadParameters.tool": "shell",
    "BadParameters.problems": ("it has no 'command', which it needs",),
    "ToolsUnloadable.source": "prices.py",
    "ToolsUnloadable.why": "prices.py, line 3: NameError: name 'prise' is not defined",
    "RunAmbiguous.runs": (("deploy-1", "shop"), ("deploy-1", "cli")),
    "RunAmbiguous.option": "--run",
    "RunAlive.process": "lab 4711 5b1d92ae",
    "RunElsewhere.process": "night-server 812 77c0a4f1",
    "NotebookNeeded.run": "release-1",
    "RunFolderGone.run": "release-1",
    "RunFolderElsewhere.run": "release-1",
    "RunFolderGone.folder": "/srv/reports/monthly",
    "RunFolderElsewhere.folder": "/srv/reports/monthly",
    "RunGoesOn.name": "deploy-1",
    "RunTooDeep.workflow": "deploy",
    "RunTooDeep.depth": 6,
    "CallStands.calls": ("charge (shell)",),
    "CallStands.after": "upload, which was undone",
    "CallStands.unknown": ("notify (shell)",),
    "CallNotAsked.call": "uplaod",
    "CallNotAsked.calls": ("upload", "tests-2/charge"),
    "CallUncertain.calls": ("upload (shell)",),
    "NestedLeft.run": "tests-2",
    "NestedLeft.action": "test",
    "NestedLeft.why": "what called it is not called again",
    "TerminalGone.openers": ("open",),
    "TerminalGone.session": "session_5f0c29d1",
    "QuestionGone.run": "deploy-1",
    "AnswerElsewhere.action": "password",
    "AnswerElsewhere.run": "deploy-1",
    "ValueNotKept.name": "rmse",
    "ValueNotKept.names": ("df", "model"),
    "ValueNotKept.step": "3",
    "ValueNotKept.other": "1",
    "StoreForeign.path": ".wfnb/values",
    "StoreForeign.names": ("df", "model"),
    "StoreBusy.path": ".wfnb/values",
    "StoreUnusable.path": ".wfnb/values",
    "StoreUnusable.what": "Permission denied",
    "StoreUnusable.setting": "WFNB_HOME",
    "BlobMissing.path": ".wfnb/values/99aa06d3014798d86001c324468d497f-812",
    "BlobTruncated.path": ".wfnb/values/99aa06d3014798d86001c324468d497f-812",
    "BlobTruncated.length": 400,
    "BlobTruncated.size": 812,
    "BlobCorrupt.path": ".wfnb/values/99aa06d3014798d86001c324468d497f-812",
    "BlobUnreadable.path": ".wfnb/values/99aa06d3014798d86001c324468d497f-812",
    "BlobUnreadable.what": "Permission denied",
    "RerunFailed.step": "3",
    "RerunFailed.error": "NameError: name 'first' is not defined",
    "StaleFailed.step": "3",
    "StaleFailed.error": "KeyError: 'zeros'",
    "StaleNotRun.step": "2",
    "StaleNotRun.why": "k comes from a cell that is no step: run that first",
    "NamesUnknown.step": "2",
    "NotRestored.step": "2",
    "NotRestored.name": "df",
    "NotRestored.why": ".wfnb/values/99aa06d3014798d86001c324468d497f-812 is missing",
    "NotRestored.others": ("log: it is an open file",),
    "KeptBefore.step": "1",
    "KeptBefore.how": "kept by version 1 of step 1, which is now at 2",
    "LibraryUnusable.what": "Permission denied",
    "LibraryUnusable.path": ".wfnb/workflows",
    "LibraryLocked.path": ".wfnb/workflows",
    "TextCut.name": "stdout",
    "TextCut.action": "look",
    "TextCut.length": 200_000,
    "TextCut.size": 1_234_567,
    "TextCut.why": "",
    "ResultUnseen.condition": "`pattern_match`",
    "TextAbsent.condition": "pattern_match",
    "TextAbsent.fields": ("success", "count"),
    "ValuePrinted.subject": "{make.result}",
    "ValuePrinted.kind": "TextIOWrapper",
    "keys": False,
    "ValuePrinted.why": "it holds an open file",
    "is_at_hand": False,
    "ValueLost.action": "load",
    "ValueLost.why": ".wfnb/values/99aa06d3014798d86001c324468d497f-17 is missing",
    "ExpressionFailed.expression": "rows > limit",
    "BadOutput.name": "rows",
    "BadOutput.why": "value is 'many'; it needs a whole number.",
    "ItemsTooMany.count": 20_000,
    "ItemsTooMany.most": 10_000,
    "ExpressionFailed.why": "the text 'many' and 1000 have no order",
    "NameUnknown.name": "rows",
    "NameUnknown.path": "command",
    "NameUnknown.why": "no pattern of 'look' that captures it was found",
    "NameUnknown.known": ("look.stdout", "look.stderr", "look.exit_code"),
    "PatternInvalid.pattern": "(a",
    "PatternInvalid.what": "missing ) at position 2",
    "PatternTooSlow.pattern": "(a+)+b",
    "PatternTooSlow.seconds": 1.0,
    "SystemUnsupported.what": "No module named 'termios'",
    "ChangeNeeded.change": "step 2 added: Fit · by claude-code 2.1",
    "ChangeNeeded.other": "step 3 added: Fit again · by the notebook",
    "ChangeNeeded.position": 12,
    "NotAllowed.what": "Workflow 'deploy'",
    "NotAllowed.flag": "--allow-run deploy",
    "DaskMissing.what": "--on dask://scheduler:8786",
    "ClusterUnreachable.address": "dask://scheduler:8786",
    "ClusterUnreachable.what": "it did not answer in 5 s",
    "ClusterDiffers.address": "dask://scheduler:8786",
    "ClusterDiffers.who": "its scheduler",
    "ClusterDiffers.name": "Python",
    "ClusterDiffers.theirs": "3.12.1",
    "ClusterDiffers.ours": "3.13.0",
    "ClusterLost.address": "dask://scheduler:8786",
    "path": ".wfnb/journal.db",
    "session": "demo",
    "position": 7,
    "attempt": 5,
    "JournalCorrupt.what": "file is not a database",
    "JournalFaulty.what": "Input/output error",
    "JournalNewer.what": "event 7 of session 'demo' is step-added version 2",
}
