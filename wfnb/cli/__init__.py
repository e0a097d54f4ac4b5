"""words of a command line -> what is printed, and an exit code.

program.py            the commands, and what each calls; shared_options.py: options of several
invocation.py         words -> the command invoked; a refusal is one line (exit_codes.py)
run_lookup.py         which run is meant
attended_run.py       a run begun or gone on with; progress_display.py, run_events.py,
                      question_prompt.py
inspect_runs.py       what is shown of runs; run_control.py: what is asked of them
workflow_library_commands.py,
workflow_library_output.py  saved workflows and tools

What is heavy is imported by the command that needs it: `wfnb --help` shows at once.
"""

from __future__ import annotations

import sys

# As in `wfnb/__init__.py`: what is imported before `main` can be interrupted with a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> None:
    """The command `wfnb`, with these words (default: those of the process). Ends in SystemExit,
    whose code is one of `exit_codes`."""
    try:
        from .invocation import run_command  # noqa: PLC0415  heavy: click, which `import wfnb` does without

        code = run_command(sys.argv[1:] if words is None else words)
    except KeyboardInterrupt:  # while it was still being loaded
        from .exit_codes import INTERRUPTED as code  # noqa: PLC0415
    sys.exit(code)
