"""What a kernel tells of kept values → rows."""

from tests.jupyter.kernel import Kernel


def kept(kernel: Kernel) -> list[dict[str, object]]:
    """What each step kept, in order of creation; None for one that was not to keep anything."""
    return [step.get("kept") for step in kernel.status()["steps"]]


def table(text: str) -> list[list[str]]:
    """The rows of what was shown, without the sentence above and the heads."""
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in _rows(text)]


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines()[2:] if not line.startswith("!")]
