"""Cells of an investigation: advisers, what git is told, a step and what it looked at."""

from tests.jupyter.kernel import Kernel

ME = "-c user.name=A -c user.email=a@example.org -c commit.gpgsign=false"
ADVISERS = """import wfnb
@wfnb.adviser
def sceptic(request):
    return "It is not the loop.\\nVerdict: against"
@wfnb.adviser
def broken(request):
    raise RuntimeError("no time")
"""


def evidence(kernel: Kernel) -> list[str]:
    return list(kernel.ok("%step It is the loop").answer["evidence"])
