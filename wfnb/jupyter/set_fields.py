"""`--set key=value`, the header's `set` -> fields of a step, each read as its stage says it is.

A field that holds text is taken as it is written; a number is a number; anything else is YAML 1.2.
`@name` takes a variable of the notebook as it is when the step begins, `@{a,b}` several by name,
`@last` and `@RUN.FIELD` what a run gave. A variable that the step itself assigns is not there yet:
a field of words stays `@name`, and the step records the value at its end; another is refused, since
a second *Run All* would take its value of the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wfnb.core import validation
from wfnb.core.stages import field_holds
from wfnb.core.strategy import Holds
from wfnb.data_files import plain_yaml
from wfnb.dataflow.source_effects import analyze
from wfnb.errors import BadOption, BadValue, Refused
from wfnb.workflows.definition.name_rules import LATER, is_path

if TYPE_CHECKING:
    from .notebook import Notebook

_REFERENCE = re.compile(rf"@(?:\{{(?P<several>[^{{}}]*)\}}|(?P<one>{LATER}(?:{LATER}|\.)*))")
_COLLECTION = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)


def set_fields(
    notebook: Notebook,
    settings: Sequence[str],
    header: Mapping[str, Any],
    stage: str | None,
    code: str = "",
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of `["key=value", …]`, and those of a header, by name. `header` has each value as
    YAML reads it and, where it is a plain word, as it is written. `code` is the step's. BadOption
    where there is no key; BadValue for what cannot be the field's value."""
    session = notebook.open().session

    def read(key: str, written: str) -> Any:
        return _value(notebook, key, written, field_holds(session, key, stage), code)

    found = {}
    for setting in settings:
        key, equals, written = setting.partition("=")
        if not equals or not key.strip():
            what = f"--set {setting!r} is no KEY=VALUE"
            raise BadOption("%%step", what, "Written: --set action=probe")
        found[key.strip()] = read(key.strip(), written)
    over = {
        key: read(key, value.written) if isinstance(value, plain_yaml.PlainWord) else value
        for key, value in header.items()
    }
    return found, over


def _value(notebook: Notebook, key: str, written: str, holds: Holds, code: str) -> Any:
    reference = _REFERENCE.fullmatch(written.strip())
    if reference is not None and is_path(reference["one"] or ""):
        if holds == "words" and reference["one"] in _assigned(code):
            return written.strip()
        return _resolve_reference(notebook, f"field {key!r}", reference, code)
    return as_held(key, written, holds)


def as_held(key: str, written: str, holds: Holds) -> Any:
    """Words of a line as the field's value. BadValue for what cannot be that.

    >>> as_held("answer", "1.10", "words"), as_held("score", "1.10", "number")
    ('1.10', 1.1)
    """
    if holds == "text" or (holds == "words" and not _COLLECTION.fullmatch(written.strip())):
        return written
    try:
        if (empty := plain_yaml.without_value(written)) is not None:
            needs = f"a value for {empty[:40]!r}: {{name: 1}}, or variables as in {key}=@{{a,b}}"
            raise BadValue(f"field {key!r}", written[:60], needs)
        read = plain_yaml.load(written)
    except ValueError as error:
        raise BadValue(f"field {key!r}", written[:60], f"a YAML value ({error})") from None
    if holds == "number" and read is not None:
        validation.number(f"field {key!r}", read)
    return read


def _resolve_reference(notebook: Notebook, field: str, reference: re.Match[str], code: str) -> Any:
    several = reference["several"]
    if several is not None:
        names = [name.strip() for name in several.split(",") if name.strip()]
        return {name: _variable(notebook, field, name, code) for name in names}
    name = reference["one"]
    first, dot, _ = name.partition(".")
    runs = [info.name for info in notebook.runner().runs()]
    run = first in runs or (first == "last" and bool(runs))
    # Neither is guessed: a value of the other kind would be recorded without a word.
    if run and not dot and name in notebook.shell.user_ns:
        way = f"@{name}.FIELD takes a field of the run, another name of the variable its value"
        raise BadValue(field, f"@{name}", f"one meaning: {name!r} is a run and a variable; {way}")
    if run or not name.isidentifier() or name == "last":
        return notebook.runner().fields(name)
    return _variable(notebook, field, name, code)


def _assigned(code: str) -> frozenset[str]:
    shown = analyze(code)
    return frozenset(shown.writes | shown.may_write)


def _variable(notebook: Notebook, field: str, name: str, code: str) -> Any:
    """A variable as JSON holds it."""
    namespace = notebook.shell.user_ns
    if name in _assigned(code):
        what = f"a variable that is there before the step runs, and this step assigns {name!r}: "
        raise BadValue(field, f"@{name}", f"{what}set it in the step after, or say --value {name}")
    if not name.isidentifier() or name not in namespace:
        what = "a variable that is there before the step runs, or a run"
        raise BadValue(field, f"@{name}", what)
    value = namespace[name]
    try:
        return validation.json(field, value)
    except Refused:
        kind = type(value).__name__
        what = f"a variable that JSON can hold: {name!r} is of type {kind}"
        raise BadValue(field, f"@{name}", what) from None
