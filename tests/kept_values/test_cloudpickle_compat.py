"""What is private in cloudpickle is known to one module."""

from __future__ import annotations

import re
from pathlib import Path

from wfnb.values import cloudpickle_compat


def test_no_other_module_of_kept_values_imports_cloudpickle():
    folder = Path(cloudpickle_compat.__file__).parent
    importing = re.compile(r"^\s*(from|import) cloudpickle", re.MULTILINE)

    found = {path.name for path in folder.rglob("*.py") if importing.search(path.read_text())}

    assert found == {"cloudpickle_compat.py"}


def test_a_class_that_is_known_by_its_name_has_no_parts():
    assert cloudpickle_compat.class_parts(Path) is NotImplemented
    assert cloudpickle_compat.class_parts(type(None)) == (type, (None,))


def test_a_class_of_the_notebook_is_made_of_its_parts_again():
    space = {"__name__": "__main__"}
    exec("class Point:\n    '''A place.'''\n    x = 1", space)
    parts = cloudpickle_compat.class_parts(space["Point"])

    assert isinstance(parts, cloudpickle_compat.ClassParts)
    assert (
        cloudpickle_compat.live_class(cloudpickle_compat.identity_of(parts.arguments))
        is space["Point"]
    )
    again = cloudpickle_compat.new_class(parts.make, parts.arguments, track=False)
    cloudpickle_compat.fill_class(again, parts.state)
    assert again is not space["Point"]
    assert (again.__name__, again.__doc__, again.x) == ("Point", "A place.", 1)
