"""a folder `.wfnb` -> what in it this user has neither made by wfnb nor trusted; all of it trusted.

A folder that came with a repository does nothing by itself: its advisers are not asked, its
strategies and kinds not followed, its values not read, until the user asks for `trust`. He says
it of what is there now. What comes later, or is changed, has to be trusted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from wfnb.core.strategy import strategy_from
from wfnb.data_files import reader
from wfnb.errors import AdviserBroken, KindBroken, StoreUnusable, StrategyBroken, listing
from wfnb.frozen_record import record
from wfnb.home_folder import Home
from wfnb.investigations.advisers.registry import address, endpoints, is_allowed, sends
from wfnb.investigations.core.kind_reader import kind_from
from wfnb.trust import ADDRESS, RULES, WORKFLOW, own_trust, setting
from wfnb.workflows.library.workflow_library import WorkflowLibrary
from wfnb.workspace import all_kept


@record
class ForeignItem:
    """Something in a folder, in a few words, and what trusting it believes."""

    says: str
    purpose: bytes
    content: bytes


def foreign(home: Home) -> Iterator[ForeignItem]:
    """What is there and not trusted, kept values apart."""
    trust = own_trust()
    with suppress(AdviserBroken):
        for name, each in endpoints(home.path)[0].items():
            if not is_allowed(each, trust):
                says = f"adviser {name!r}, which {sends(each)}"
                yield ForeignItem(says=says, purpose=ADDRESS, content=address(each))
    strategies, _ = reader.read(home.path / "strategies", strategy_from, StrategyBroken, trust)
    kinds, _ = reader.read(home.path / "kinds", kind_from, KindBroken, trust)
    for strategy, _, content in strategies.foreign:
        yield ForeignItem(says=f"strategy {strategy.name!r}", purpose=RULES, content=content)
    for kind, _, content in kinds.foreign:
        yield ForeignItem(says=f"kind {kind.name!r}", purpose=RULES, content=content)
    for name, content in WorkflowLibrary(home.path / "workflows", trust=trust).foreign().items():
        says = f"workflow {name!r} in place of the example"
        yield ForeignItem(says=says, purpose=WORKFLOW, content=content)


def trust(home: Home, *, dry: bool = False) -> list[str]:
    """Trust all that is there now, and say what that is; `dry`: only say it. StoreUnusable where
    the user's data folder cannot be written."""
    own = own_trust()
    found = list(foreign(home))
    runs = [info for info in home.journal.runs() if not home.journal.is_own(info.id)]
    if not dry:
        try:
            for each in found:
                own.believe([each.content], each.purpose)
            if runs and own.fault():
                raise OSError(None, "cannot be written")
            for info in runs:
                home.journal.seal(info.id)
        except OSError as error:
            raise StoreUnusable(str(own.folder), error.strerror or str(error), setting()) from None
    sessions = (home.look(info) for info in home.sessions())
    values = home.keeper().trust(all_kept(sessions), dry=dry)
    said = [f"{values} kept value{'s' * (values != 1)}"] if values else []
    said += [each.says for each in found]
    if runs:
        said.append(f"run{'s' * (len(runs) > 1)} {listing([info.name for info in runs], '')}")
    return said
