"""`key=value` words of a line -> values by key: YAML values, variables of a workflow as they were
written, and secrets from the environment.

Where it says `line`, that is what the words were written on (`%%step`, `wfnb run`): a refusal
begins with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from wfnb.data_files import plain_yaml
from wfnb.errors import BadOption, BadValue
from wfnb.workflows.core.commands import Lost, Verdict
from wfnb.workflows.definition.variable_values import WrittenValue


def settings(given: Iterable[str], flag: str, line: str, example: str) -> dict[str, Any]:
    """`["key=value", …]`, the values read as YAML (JSON is YAML). BadOption where there is no key,
    BadValue where a value does not read.

    >>> settings(["env=prod", "sizes=[1, 2]"], "--var", "%run_workflow", "env=prod")
    {'env': 'prod', 'sizes': [1, 2]}
    """
    found: dict[str, Any] = {}
    for key, written in _written_values(given, flag, line, example):
        if written.wrong is not None:
            raise written.wrong
        found[key] = written.value
    return found


def variables(given: Iterable[str], line: str, flag: str = "--var") -> dict[str, WrittenValue]:
    """`["key=value", …]` of `--var`, before it is known what the variables are declared as
    (wfnb/workflows/definition/variable_values.py). BadOption where there is no key."""
    return dict(_written_values(given, flag, line, "env=prod"))


def _written_values(
    given: Iterable[str], flag: str, line: str, example: str
) -> Iterator[tuple[str, WrittenValue]]:
    for setting in given:
        key, equals, words = setting.partition("=")
        if not equals or not key.strip():
            what = f"{flag} {setting!r} is no KEY=VALUE".strip()
            raise BadOption(line, what, f"Written: {flag} {example}".replace("  ", " "))
        try:
            yield key.strip(), WrittenValue(words=words, value=plain_yaml.load(words))
        except ValueError as error:
            wrong = BadValue(f"{flag} {key}".strip(), words[:60], f"a YAML value ({error})")
            yield key.strip(), WrittenValue(words=words, wrong=wrong)


def secrets(names: Iterable[str], line: str, way: str) -> dict[str, str]:
    """Each name's value in the environment (`NAME`, or `name=ENVIRONMENT_NAME`). BadOption where
    it is not there, since a secret is not written on a line: `way` says how one is set, with `{}`
    for its name."""
    found = {}
    for setting in names:
        name, _, variable = setting.partition("=")
        # Also in capitals, as variables of the environment mostly are; but not where another is
        # named: the one of this name may be the key of something else.
        keys = (variable,) if variable else (name, name.upper())
        value = next((os.environ[key] for key in keys if key in os.environ), None)
        if value is None:
            what = f"the environment has no {variable or name}"
            raise BadOption(line, what, way.format(variable or name))
        found[name] = value
    return found


def verdicts(again: str | None, done: str | None, line: str) -> Lost:
    """What `--again [CALLS]` and `--done [CALLS]` say; None: not written, empty: of all others.
    BadOption where both say it of the same, or a name among others is empty.

    >>> verdicts("", None, "wfnb resume"), verdicts("a,b", "deploy-2/c", "wfnb resume")
    ('again', {'a': 'again', 'b': 'again', 'deploy-2/c': 'done'})
    """
    found: dict[str, Verdict] = {}
    said: tuple[tuple[Verdict, str | None], ...] = (("again", again), ("done", done))
    for meant, calls in said:
        for call in () if calls is None else map(str.strip, calls.split(",")):
            if calls and not call:  # alone it would mean all others
                raise BadOption(line, f"--{meant} {calls} has an empty name", "Written: a,RUN/b")
            if found.setdefault(call, meant) != meant:
                of = f" about {call}" if call else ""
                raise BadOption(line, f"--again and --done contradict each other{of}", "Write one.")
    return found.get("", "ask") if found.keys() <= {""} else found
