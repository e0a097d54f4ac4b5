"""which types never change; an object of one -> what it says, whole, of other types nothing."""

from __future__ import annotations

import re
import types
from typing import Any

from wfnb.type_names import base_names, full_name, package_of

# fmt: off
FIXED = frozenset((
    "_decimal.Decimal", "builtins.NoneType", "builtins.bool", "builtins.builtin_function_or_method",
    "builtins.bytes", "builtins.code", "builtins.complex", "builtins.ellipsis", "builtins.float",
    "builtins.frozenset", "builtins.function", "builtins.int", "builtins.mappingproxy",
    "builtins.module", "builtins.range", "builtins.slice", "builtins.str", "builtins.tuple",
    "builtins.type", "datetime.date", "datetime.time", "datetime.timedelta", "datetime.tzinfo",
    "decimal.Decimal", "enum.Enum", "fractions.Fraction", "numpy.dtype", "numpy.generic",
    "numpy.ufunc", "pandas.Index", "pandas.api.extensions.ExtensionDtype",
    "pandas.core.dtypes.base.ExtensionDtype", "pandas.core.indexes.base.Index",
    "pathlib.PurePath", "polars.datatypes.classes.DataType", "re.Pattern", "uuid.UUID",
))
# fmt: on
"""Classes of which no object changes, but in the attributes that a class of the notebook adds."""
_DESCRIPTORS = (
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    *(types.MemberDescriptorType, types.GetSetDescriptorType),
)
_REPR = frozenset(
    (
        *(f"builtins.{kind.__qualname__}" for kind in _DESCRIPTORS),
        *("builtins.NotImplementedType", "builtins.ellipsis", "builtins.range", "builtins.slice"),
        *("builtins.bytearray", "types.GenericAlias", "types.UnionType", "decimal.Decimal"),
        *("fractions.Fraction", "datetime.date", "datetime.datetime", "datetime.time"),
        *("datetime.timedelta", "datetime.timezone", "uuid.UUID"),
        *(
            f"{module}.{kind}"
            for module in ("pathlib", "pathlib._local")
            for kind in ("PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath")
        ),
    )
)
"""Types whose repr says all of an object, but where it is. By name, so that none is imported."""
_NUMPY = frozenset(("numpy.dtype", "numpy.generic"))


def says(value: Any) -> Any:
    """None where its type is not known.

    >>> says(range(3)), says(re), says([])
    ('range(0, 3)', 're', None)
    """
    kind = type(value)
    if kind is types.ModuleType:
        return value.__name__
    if kind is re.Pattern:  # its repr is cut
        return repr(value.pattern), value.flags
    if full_name(kind) in _REPR or package_of(kind) == "typing":
        return without_place(value)
    plain = package_of(kind) == "numpy" and not _NUMPY.isdisjoint(base_names(kind))
    return repr(value) if plain else None


def without_place(value: Any) -> str:
    """Its repr, without addresses."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
