"""a workflow, tools, a clock -> runs: `next_action` performed, outcomes recorded."""
