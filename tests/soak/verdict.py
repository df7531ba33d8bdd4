"""What a soak found: facts for people and programs, and what had to hold."""

from dataclasses import dataclass, field
from typing import Any

from .resources import LARGEST_GROWTH


@dataclass
class Part:
    """One part of the soak. It has passed when it came to its end and nothing is in `failures`."""

    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    complete: bool = False

    @property
    def passed(self) -> bool:
        return self.complete and not self.failures

    def require(self, holds: object, otherwise: str) -> None:
        """Notes a failure unless something holds."""
        if not holds:
            self.failures.append(otherwise)

    def require_no_growth(self, what: str, kibibytes: float | None) -> None:
        """Notes how much a process grew; None where it ran too shortly to tell."""
        self.facts[f"growth of {what}, KiB"] = None if kibibytes is None else round(kibibytes)
        self.require(kibibytes is None or kibibytes <= LARGEST_GROWTH, f"{what} grows by {kibibytes or 0:.0f} KiB")

    def report(self) -> dict[str, Any]:
        """For programs."""
        return {"passed": self.passed, "complete": self.complete, "facts": self.facts, "failures": self.failures}

    def lines(self) -> list[str]:
        """For people."""
        word = "passed" if self.passed else "FAILED" if self.failures else "not complete"
        return [
            f"{self.name}: {word}",
            *(f"    {name}: {value}" for name, value in self.facts.items()),
            *(f"  ! {failure}" for failure in self.failures),
        ]
