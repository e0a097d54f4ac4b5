"""The names that a kind may give, and those that it may not."""

from __future__ import annotations

import re

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
FIELD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
STATUS = re.compile(r"\w(?:[\w .,-]{0,78}[\w.])?")
NONE = "none"
"""The word for no kind, no reviewer, no planner."""
_ANSWERS = """
    step_number total_steps next_step_needed last_step_description current_branch branches
    step_history_length session outcome error branch_from_step revises_step needs_more_steps solved
    strategy stage next_stages fields values stale_steps tally scores warnings next_actions
    investigation status next_step_required continuation_id evidence withdrawn required_actions
    ticked thoughts next_step_number next_steps progress end stagnation lacks staged review
    planner model_consulted model_stance model_response model_verdict model_error"""
ANSWERS = frozenset(_ANSWERS.split())
"""What an answer says itself: the whole at the end has another name."""
