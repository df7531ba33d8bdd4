"""How often monitors had the occasion to complete, and did (SAE J1979, service 09, in-use performance tracking).

    ignition counter      engine starts that lasted 2 s
    general denominator   general cycles (drive_cycle.py)
    completions           driving cycles in which a group of monitors completed
    conditions            its denominator: the general one (regulations add conditions for some groups)

All are counted once a cycle and stay at 65535.
"""

from typing import Any, Final

from hilbridge.diagnostics.dtc.readiness import OTHERS

_MOST: Final = 0xFFFF


class InUsePerformance:
    """`completions` by group of readiness."""

    def __init__(self) -> None:
        self.ignitions = 0
        self.general = 0
        self.completions = dict.fromkeys(OTHERS, 0)
        self._counted: set[str] = set()

    def ignite(self) -> None:
        self.ignitions = min(self.ignitions + 1, _MOST)

    def complete_general(self) -> None:
        self.general = min(self.general + 1, _MOST)

    def complete(self, group: str) -> bool:
        """A group is complete in this cycle; whether that is news."""
        if group not in self.completions or group in self._counted:
            return False
        self._counted.add(group)
        self.completions[group] = min(self.completions[group] + 1, _MOST)
        return True

    def begin_cycle(self) -> None:
        self._counted.clear()

    def export(self) -> dict[str, Any]:
        """As JSON data."""
        return {"ignitions": self.ignitions, "general": self.general, "completions": dict(self.completions)}
