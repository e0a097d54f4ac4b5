"""values, a store, a budget -> what was kept of them, and why the others were not."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from wfnb.core.kept_values import (
    NOT_HELD,
    KeptGroup,
    KeptValue,
    KeptValues,
    pieces_of,
    size_of,
    size_said,
)
from wfnb.hints import Command, Option
from wfnb.trust import Trust

from .memory_overlap import MAX_PLACES, Extent, shared_memory
from .name_selection import names_in
from .package_versions import environment
from .pickle_bundles import Bundle, pack_values
from .secret_names import mask_secrets, secret
from .store import ContentChanged, Store, name_of
from .value_description import describe
from .value_text import kind_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_HISTORY = ("In", "Out", "_dh")
"""What IPython adds to as cells run."""


class _No(Exception):
    """Why a bundle is not written, in words that follow its names."""


class Budget:
    """How many bytes there may be: those of the pieces that `counted` gives, which is asked once,
    and of what is taken besides."""

    def __init__(self, limit: int, counted: Callable[[], Iterable[str]]) -> None:
        self._limit = limit
        self._ask = counted
        self._counted: set[str] | None = None
        self._used = 0

    def take(self, pieces: Iterable[str]) -> None:
        """Raises _No."""
        # Asked late: going through all that a session kept is spared where nothing is written.
        if self._counted is None:
            self._counted = set(self._ask())
            self._used = sum(map(size_of, self._counted))
        more = set(pieces) - self._counted
        new = sum(map(size_of, more))
        if new and self._used + new > self._limit:
            more_room = Command("keep", Option("budget"))
            raise _No(
                f"it takes {size_said(new)}, and {size_said(self._used)} of "
                f"{size_said(self._limit)} are used: `{more_room}` allows more"
            )
        self._counted |= more
        self._used += new


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How values are kept. `obstacle` is why nothing can be written at all; what has one of the
    texts `hidden` in it is not."""

    store: Store
    trust: Trust
    namespace: Mapping[str, Any]
    secrets: Collection[str]
    budget: Budget
    obstacle: str | None
    hidden: Collection[str] = ()

    def keep(
        self,
        asked_for: Mapping[str, Any],
        asked: tuple[str, ...],
        beside: Mapping[str, Any],
        torn: Mapping[str, str] = MappingProxyType({}),
    ) -> KeptValues:
        """`beside` are values that were kept before: what shares with those asked for is kept along
        with them, so that they share when all come back. What it would cost those is not done;
        `torn` says of names what they do not share then."""
        values = dict(asked_for)
        reasons = {
            name: why for name, value in values.items() if (why := self._why_not(name, value))
        }
        bundles, unpickled = pack_values(
            {name: value for name, value in values.items() if name not in reasons},
            self.namespace,
            lambda name: secret(name, self.secrets),
            {name: one for name, one in beside.items() if not secret(name, self.secrets)},
        )
        names = (name for bundle in bundles for name in bundle.names)
        values |= {name: beside[name] for name in names if name not in values}
        reasons |= unpickled
        groups: list[KeptGroup] = []
        memory: list[Sequence[Extent]] = []
        where: dict[str, int] = {}
        modules: set[str] = set()
        process: set[str] = set()
        for bundle in bundles:
            try:
                group = self._write_bundle(bundle)
            except _No as no:
                # What was kept before would be lost with it: then once more, each value for itself.
                if not asked_for.keys() >= {*bundle.names}:
                    others = sorted({*bundle.names} - asked_for.keys())
                    lost = f"the objects that it shares with {', '.join(others)}"
                    return self.keep(asked_for, asked, {}, dict.fromkeys(bundle.names, lost))
                reasons |= dict.fromkeys(bundle.names, str(no))
                continue
            where |= dict.fromkeys(bundle.names, len(groups))
            groups.append(group)
            memory.append(bundle.memory)
            modules |= bundle.modules
            process |= bundle.process
        lies = shared_memory(enumerate(memory))
        without = {
            name: bundle.without.union((torn[name],) if name in torn else ())
            for bundle in bundles
            for name in bundle.names
        }
        needs = {name: bundle.needs - where.keys() for bundle in bundles for name in bundle.names}
        return KeptValues(
            values=tuple(
                _value(
                    name,
                    value,
                    where.get(name),
                    reasons.get(name),
                    needs.get(name, ()),
                    groups,
                    self.secrets,
                    name in process,
                    name not in asked_for,
                    without.get(name, ()),
                )
                for name, value in values.items()
            ),
            groups=tuple(groups),
            notes=tuple(self.trust.notices()) if groups else (),
            environment=environment(modules),
            asked=asked,
            memory=lies if len(lies) <= MAX_PLACES else (),
            there=names_in(self.namespace),
        )

    def _why_not(self, name: str, value: Any) -> str | None:
        if secret(name, self.secrets):
            return "its name is that of a secret"
        if any(value is self.namespace.get(own) for own in _HISTORY) and value is not None:
            return "it is IPython's own, and another in each kernel"
        return self.obstacle

    def _write_bundle(self, bundle: Bundle) -> KeptGroup:
        """Raises _No."""
        if self.hidden and _holds_text(bundle, self.hidden):
            raise _No("a secret is in it, which is written nowhere")
        contents: list[Sequence[ReadableBuffer]] = [
            bundle.chunks,
            *([buffer] for buffer in bundle.buffers),
        ]
        blobs = tuple(map(name_of, contents))
        # Files are named by their content: what is there is not written, nor counted, twice.
        pieces = set(pieces_of(blobs))
        new = sum(size_of(piece) for piece in pieces if not self.store.has(piece))
        try:
            self.budget.take(pieces)
            self._check_room(new)
            for blob, content in dict(zip(blobs, contents, strict=True)).items():
                self.store.put(blob, content)
        except ContentChanged:
            raise _No("it changed while it was kept") from None
        except OSError as error:
            if error.errno in NO_ROOM:
                raise _No(_no_room(new)) from None
            said = error.strerror or str(error)
            raise _No(f"{self.store.folder} cannot be written ({said})") from None
        return KeptGroup(blobs=blobs, signature=self.trust.signature(bundle.chunks))

    def _check_room(self, new: int) -> None:
        """Before half of it is written."""
        with suppress(OSError):
            if new > shutil.disk_usage(self.store.folder).free:
                raise _No(_no_room(new))


def _holds_text(bundle: Bundle, texts: Iterable[str]) -> bool:
    """Whether one of the texts is in a pickle or its buffers, as pickles and arrays write it."""
    codes = ("utf-8", "utf-16-le", "utf-32-le")
    found = {text.encode(code, "surrogatepass") for text in texts for code in codes}
    parts = (b"".join(bundle.chunks), *map(bytes, bundle.buffers))
    return any(text in part for part in parts for text in found)


def _no_room(size: int) -> str:
    return f"there is no room on the disk for its {size_said(size)}"


def _value(
    name: str,
    value: Any,
    group: int | None,
    why_not: str | None,
    needs: Iterable[str],
    groups: Sequence[KeptGroup],
    secrets: Collection[str],
    is_of_process: bool,
    along: bool,
    without: Iterable[str],
) -> KeptValue:
    if group is None:
        return KeptValue(name=name, type=kind_of(value), why_not=why_not)
    said = describe(value)
    says = NOT_HELD if is_of_process else said.says
    return KeptValue(
        name=name,
        type=said.type,
        says=mask_secrets(says, secrets),
        size=sum(map(size_of, set(pieces_of(groups[group].blobs)))),
        group=group,
        needs=tuple(sorted(needs)),
        along=along,
        without=tuple(sorted(without)),
    )
