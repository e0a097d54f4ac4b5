"""Workflows: what they say, what has happened in a run of one, and what runs them.

definition/  JSON data -> a checked workflow: models, placeholders, conditions (pure)
core/        command -> events -> run -> the next action (pure)
views/       run -> result, report, graph, progress, timeline (pure)
run_log.py   a run's events in the journal -> the run, kept in step
tools/       a tool's name and its parameters -> the fields of its result
runner/      a workflow -> a run, carried out: attempts, retries, rollback, resume, clusters
library/     workflows as files of a `.wfnb` folder
"""
