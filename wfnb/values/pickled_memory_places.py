"""what a pickler meets -> where in memory it is, and how it is reduced because of that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from types import FunctionType
from typing import Any

from wfnb.type_names import full_name

from . import binding
from .array_and_frame_reductions import Reduce, is_plain_array, reduced_array
from .keep_refusals import REFUSED, NotKept
from .memory_lenders import NOBODY, Lenders, lenders, may_lend
from .memory_overlap import (
    LENDERS,
    Extent,
    Lying,
    Region,
    buffer_extent,
    element_extent,
    extent,
    tensor_extent,
)

_OF_A_VIEW = (binding.viewed, binding.repeated)
_INDEX = ("pandas.Index", "pandas.core.indexes.base.Index")


class Places:
    """Of one pickle. `lent` are objects of which it is known that arrays in it lie in their memory:
    those are written so, and what else lies there is refused, as it would come back with a memory
    of its own. `regions` are memories that several share, by the ids of those. `lenders` are all
    that were met, `lying` is everything else, where it is. `within` counts buffers that can be
    changed and are written into the pickle, `fixed` are the ids of what nobody changes in place,
    `indexes` those of what pandas has as an index."""

    def __init__(self, lent: Lenders, regions: Mapping[int, Region]) -> None:
        self.lenders = NOBODY
        self.within = 0
        self.lying: list[Lying] = []
        self._lent = lent
        self._regions = regions
        self._lends = False
        self._numbers: set[int] = set()
        self.fixed: set[int] = set()
        self.indexes: set[int] = set()
        self._moving: set[int] = set()

    @property
    def extents(self) -> list[Extent]:
        return [*(one.where for one in self.lying), *self.lenders.extents]

    def reduce(self, kind: type, bases: AbstractSet[str], first: Any) -> Reduce | None:
        """How objects of a class are reduced that have a memory, of which this is the first."""
        if "numpy.ndarray" in bases:
            return self._array
        if not bases.isdisjoint(_INDEX):
            return self._index
        if "pandas.core.internals.managers.BaseBlockManager" in bases:
            return self._manager
        if "torch.Tensor" in bases:
            return self._tensor
        if issubclass(kind, LENDERS):
            self._lends = True
            return None
        if "numpy.void" in bases:
            return self._element
        return self._exporter if _exports(kind, bases, first) else None

    def note(self, chunks: Sequence[bytes], memo: Callable[[], dict[int, tuple[int, Any]]]) -> None:
        """What was written at last, and met."""
        if self._lends or may_lend(chunks, self.within):
            self.lenders = lenders(memo())

    def _array(self, array: Any) -> Any:
        if id(array) in self._numbers:  # a view that was made here
            return NotImplemented
        where = extent(array, id(array) in self.fixed, id(array) in self._moving)
        if where is not None and self._lent is not NOBODY and is_plain_array(array):
            lender = self._lent.find_lender(where)
            if lender is not None:
                return binding.lent, _place(array, *lender)
        if id(array) in self._regions:
            return binding.lent, _place(array, *self._regions[id(array)])
        self._lies(where, array)
        reduced = reduced_array(array)
        if reduced is not NotImplemented and reduced[0] in _OF_A_VIEW:
            # The pickler will ask about this helper as about any array, and it must not lie there
            # twice.
            self._numbers.add(id(reduced[1][0]))
        return reduced

    def _index(self, index: Any) -> Any:
        """pandas shares what is in one between frames and series, and never changes it. A range has
        nothing in it until it is asked for, and it would keep that."""
        values = None if hasattr(index, "_range") else getattr(index, "_data", None)
        self.fixed.add(id(getattr(values, "_ndarray", values)))
        self.indexes.add(id(index))
        return NotImplemented

    def _manager(self, manager: Any) -> Any:
        """What pandas holds, and copies before it writes where another frame has it, too."""
        if _copies_on_write():
            for block in manager.blocks:
                arrays = {*map(id, _arrays_of(block.values))}
                self.fixed |= arrays
                self._moving |= arrays if block.refs.has_reference() else set()
        return NotImplemented

    def _tensor(self, tensor: Any) -> Any:
        where = None
        if tensor.device.type != "cpu":
            raise NotKept("a tensor on a GPU", tensor)
        with suppress(Exception):  # one that is sparse, or has no memory
            where = tensor_extent(tensor)
        self._lies(where, tensor)
        return NotImplemented

    def _element(self, element: Any) -> Any:
        if id(element) in self._regions:
            array = sys.modules["numpy"].asarray(element)
            return binding.lent_element, _place(array, *self._regions[id(element)])
        self._lies(element_extent(element), element)
        return NotImplemented

    def _exporter(self, obj: Any) -> Any:
        self._lies(buffer_extent(obj), obj)
        return NotImplemented

    def _lies(self, where: Extent | None, met: object) -> None:
        if where is None:
            return
        if self._lent is not NOBODY and self._lent.find_lender(where) is not None:
            raise NotKept(REFUSED["builtins.memoryview"], met)
        self.lying.append(Lying(where, met))


def _exports(kind: type, bases: AbstractSet[str], first: Any) -> bool:
    """Whether it has a memory that others can see: not a number, which is copied, and not what
    only passes on the memory of what it holds."""
    passes = any(isinstance(vars(base).get("__buffer__"), FunctionType) for base in kind.__mro__)
    return not passes and "numpy.generic" not in bases and buffer_extent(first) is not None


def _copies_on_write() -> bool:
    pandas: Any = sys.modules["pandas"]
    major = int(pandas.__version__.partition(".")[0])
    return major > 2 or pandas.options.mode.copy_on_write is True


def _arrays_of(values: Any) -> Iterator[Any]:
    """Those that pandas has for the values of some columns, and what has them."""
    yield values
    if full_name(type(values)) == "numpy.ndarray":
        return
    yield getattr(values, "__dict__", values)
    for name in ("_ndarray", "_data", "_mask", "_codes", "_left", "_right", "_sparse_values"):
        held = getattr(values, name, None)
        if held is not None and held is not values:
            yield from _arrays_of(held)


def _place(array: Any, lender: Any, low: int) -> tuple[Any, ...]:
    at = array.__array_interface__["data"][0] - low
    return lender, array.dtype, array.shape, array.strides, at, array.flags.writeable
