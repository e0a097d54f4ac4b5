"""numbers that an agent gives its steps -> the steps of the history.

Servers that only number thoughts keep them for one conversation, and count each problem from 1.
Here they join a history that may have steps already: number 1 begins a count, after what is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wfnb.core.session import Session, Step


@dataclass
class AgentStepNumbers:
    """One count: `before` is how far the history was ahead of it as it began."""

    before: int = 0
    _steps: dict[tuple[str, int], int] = field(default_factory=dict)
    _last: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, step: Step) -> None:
        self._steps[step.branch, number] = self._last[number] = step.key

    def find(self, session: Session, number: int, branch: str | None = None) -> Step | None:
        """The step that was given this number on the branch; without one, the last anywhere."""
        key = self._last.get(number) if branch is None else self._steps.get((branch, number))
        return None if key is None else session.steps.get(key)

    def is_on(self, branch: str | None) -> bool:
        """Whether a step of this count is on the branch."""
        return any(name == branch for name, _ in self._steps)
