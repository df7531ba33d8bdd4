"""Trouble codes and their forms.

SAE J2012       P0301          a letter for the system, four digits
two bytes       0301           bits 15..14 the letter (P 0, C 1, B 2, U 3), 13..12 the first digit, then three nibbles
UDS             030100         the two bytes and the failure type (SAE J2012-DA)
J1939           SPN 1323, FMI 11
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hilbridge.settings.dtc import CodeSettings, MonitorSettings

_SYSTEMS: Final = "PCBU"

PRIORITY_GROUPS: Final = ("misfire", "fuel-system")
"""Readiness groups whose freeze frame replaces that of any other code (SAE J1979, service 02)."""


@dataclass(frozen=True, slots=True)
class TroubleCode:
    """A trouble code. `monitor` is the name of the monitor that detects the fault, `group` its readiness group."""

    j2012: str
    text: str
    failure_type: int = 0
    spn: int | None = None
    fmi: int = 31
    emission: bool = True
    trips: int = 2
    monitor: str | None = None
    group: str = "components"

    @property
    def number(self) -> int:
        """The two bytes of OBD-II."""
        return number_of(self.j2012)

    @property
    def uds(self) -> bytes:
        """The three bytes of UDS."""
        return self.number.to_bytes(2, "big") + bytes((self.failure_type,))

    @property
    def has_priority(self) -> bool:
        """Whether the freeze frame of this code replaces that of other codes."""
        return self.group in PRIORITY_GROUPS


def number_of(j2012: str) -> int:
    """Return the two bytes of a code in the form of SAE J2012."""
    return _SYSTEMS.index(j2012[0]) << 14 | int(j2012[1:], 16)


def codes_of(
    settings: Mapping[str, CodeSettings], monitors: Mapping[str, MonitorSettings], *, emission: bool = True
) -> dict[str, TroubleCode]:
    """Return codes with their monitors; without `emission` none of them is emission-related."""
    found = {monitor.code: (name, monitor.group) for name, monitor in monitors.items()}
    codes = {}
    for j2012, one in settings.items():
        monitor, group = found.get(j2012, (None, _group_without_monitor(j2012)))
        codes[j2012] = TroubleCode(
            j2012, one.text, one.failure_type, one.spn, one.fmi, one.emission and emission, one.trips, monitor, group
        )
    return codes


def _group_without_monitor(j2012: str) -> str:
    """Return the group of a code without monitor: P0300 to P030C are misfires (SAE J2012)."""
    return "misfire" if 0x0300 <= number_of(j2012) <= 0x030C else "components"
