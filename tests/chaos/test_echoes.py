"""What programs print in a terminal is never taken for an echo of what was typed."""

import asyncio

from tests.workflows.tools.terminal.echoes import play
from tests.workflows.tools.terminal.typist import Typist, context_of
from wfnb.workflows.tools.terminal.terminals import Terminals


def test_five_thousand_programs_are_seen_to_say_what_they_print(chances, tmp_path):
    terminals = Terminals()

    async def played():
        try:
            return await play(Typist(context_of(terminals, tmp_path)), 5_000, chances)
        finally:
            await terminals.close("run")

    assert asyncio.run(played()) == []
