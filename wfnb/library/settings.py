"""`key=value` words of a line -> values by key: YAML values, and secrets from the environment.

Where it says `line`, that is what the words were written on (`%%step`, `wfnb run`): a refusal
begins with it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from wfnb.errors import BadOption, BadValue

from . import plain_yaml


def settings(given: Iterable[str], flag: str, line: str, example: str) -> dict[str, Any]:
    """`["key=value", …]`, the values read as YAML (JSON is YAML). BadOption where there is no key,
    BadValue where a value does not read.

    >>> settings(["env=prod", "sizes=[1, 2]"], "--var", "%run_workflow", "env=prod")
    {'env': 'prod', 'sizes': [1, 2]}
    """
    found: dict[str, Any] = {}
    for setting in given:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            what = f"{flag} {setting!r} is no KEY=VALUE".strip()
            raise BadOption(line, what, f"Written: {flag} {example}".replace("  ", " "))
        try:
            found[key.strip()] = plain_yaml.load(value)
        except ValueError as error:
            needs = f"a YAML value ({error})"
            raise BadValue(f"{flag} {key}".strip(), value[:60], needs) from None
    return found


def secrets(names: Iterable[str], line: str, way: str) -> dict[str, str]:
    """Each name's value in the environment (`NAME`, or `name=ENVIRONMENT_NAME`). BadOption where
    it is not there, since a secret is not written on a line: `way` says how one is set, with `{}`
    for its name."""
    found = {}
    for setting in names:
        name, _, variable = setting.partition("=")
        value = next(
            (os.environ[key] for key in (variable or name, name.upper()) if key in os.environ), None
        )
        if value is None:
            what = f"the environment has no {variable or name}"
            raise BadOption(line, what, way.format(variable or name))
        found[name] = value
    return found
