"""the command of a kernel -> a kernel, forked from a process that has loaded what it is made of."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from typing import Any

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

from tests.ahead import LOADED, Forked, is_like_here

FORKED = "forked"
PATIENCE = 60  # seconds


class ForkedKernel(LocalProvisioner):
    """Another Python's kernel, and one whose Python is to start otherwise, is started anew."""

    async def launch_kernel(self, cmd: list[str], **known: Any) -> dict[str, Any]:
        python, _, module, *words = [*cmd, "", ""]
        if python != sys.executable or module not in LOADED or not is_like_here(known["env"]):
            return dict(await super().launch_kernel(cmd, **known))
        words = words[:-2]
        self.process = Forked(
            module, words, cwd=known["cwd"], env=known["env"], stdout=1, stderr=2, session=True
        )
        self.pid = self.pgid = self.process.pid
        return dict(self.connection_info)

    async def kill(self, restart: bool = False) -> None:
        """It is gone then: who asked would look only a tenth of a second later."""
        await super().kill(restart=restart)
        if isinstance(self.process, Forked):
            self.process.wait(PATIENCE)


KernelProvisionerFactory.instance().provisioners[FORKED] = EntryPoint(
    FORKED, f"{__name__}:{ForkedKernel.__name__}", ""
)
