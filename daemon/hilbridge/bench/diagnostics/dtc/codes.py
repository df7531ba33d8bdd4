"""Trouble codes and their forms.

SAE J2012       P0301          a letter for the system, four digits
two bytes       0301           bits 15..14 the letter (P 0, C 1, B 2, U 3), 13..12 the first digit, then three nibbles
UDS             030100         the two bytes and the failure type (SAE J2012-DA)
J1939           SPN 1323, FMI 11
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hilbridge.files.settings.dtc import (
    EXTENDED_DATA,
    SNAPSHOTS,
    CodeSettings,
    ExtendedData,
    MonitorSettings,
    Quantity,
    Snapshots,
)

_SYSTEMS: Final = "PCBU"

PRIORITY_GROUPS: Final = ("misfire", "fuel-system")
"""Readiness groups whose freeze frame replaces that of any other code (SAE J1979, service 02)."""

CONTINUOUS_GROUPS: Final = ("misfire", "fuel-system", "components")
"""Readiness groups whose monitors run all the time (SAE J1979, PID 01, byte B): they have no in-use ratio."""

_SEVERITIES: Final = {"none": 0x00, "maintenance": 0x20, "next-halt": 0x40, "immediately": 0x80}


class SnapshotRecord(NamedTuple):
    """The content of a snapshot record: identifiers, None for the freeze frame; `latest`: each failure replaces it."""

    identifiers: tuple[int, ...] | None = None
    latest: bool = False


@dataclass(frozen=True, slots=True)
class TroubleCode:
    """A trouble code. `monitor` is the name of the monitor that detects the fault, `group` its readiness group.

    `severity`: severity and class (ISO 14229-1, annex D.3). `memory`: number of its user-defined memory, None for the
    primary one. `snapshots` and `extended_data`: its records by number.
    """

    j2012: str
    text: str
    failure_type: int = 0
    spn: int | None = None
    fmi: int = 31
    emission: bool = True
    trips: int = 2
    monitor: str | None = None
    group: str = "components"
    severity: int = 0x20
    functional_unit: int = 0
    memory: int | None = None
    snapshots: Mapping[int, SnapshotRecord] = field(default_factory=lambda: {1: SnapshotRecord()})
    extended_data: Mapping[int, Sequence[Quantity]] = field(
        default_factory=lambda: {1: ("occurrences",), 2: ("aging",)}
    )

    @property
    def number(self) -> int:
        """The two bytes of OBD-II."""
        return number_of(self.j2012)

    @property
    def uds(self) -> bytes:
        """The three bytes of UDS."""
        return self.number.to_bytes(2, "big") + bytes((self.failure_type,))

    @property
    def is_continuous(self) -> bool:
        """Whether its monitor runs all the time."""
        return self.group in CONTINUOUS_GROUPS

    @property
    def has_priority(self) -> bool:
        """Whether the freeze frame of this code replaces that of other codes."""
        return self.group in PRIORITY_GROUPS


def number_of(j2012: str) -> int:
    """Return the two bytes of a code in the form of SAE J2012."""
    return _SYSTEMS.index(j2012[0]) << 14 | int(j2012[1:], 16)


def codes_of(
    settings: Mapping[str, CodeSettings],
    monitors: Mapping[str, MonitorSettings],
    *,
    emission: bool = True,
    snapshots: Snapshots = SNAPSHOTS,
    extended_data: ExtendedData = EXTENDED_DATA,
) -> dict[str, TroubleCode]:
    """Return codes with their monitors; without `emission` none of them is emission-related.

    `snapshots` and `extended_data` are the records of a code without settings of its own.
    """
    found = {monitor.code: (name, monitor.group) for name, monitor in monitors.items()}
    codes = {}
    common = _snapshots(snapshots)
    for j2012, one in settings.items():
        monitor, group = found.get(j2012, (None, _group_without_monitor(j2012)))
        codes[j2012] = TroubleCode(
            j2012,
            one.text,
            one.failure_type,
            one.spn,
            one.fmi,
            one.emission and emission,
            one.trips,
            monitor,
            group,
            _severity(one),
            one.functional_unit,
            one.memory,
            common if one.snapshots is None else _snapshots(one.snapshots),
            _extended_data(extended_data if one.extended_data is None else one.extended_data),
        )
    return codes


def _severity(code: CodeSettings) -> int:
    return _SEVERITIES[code.severity] | (0 if code.wwh_class is None else 1 << code.wwh_class)


def _snapshots(settings: Snapshots) -> dict[int, SnapshotRecord]:
    return {
        int(number, 16): SnapshotRecord(
            None if one.identifiers is None else tuple(int(key, 16) for key in one.identifiers), one.keep == "latest"
        )
        for number, one in sorted(settings.items())
    }


def _extended_data(settings: ExtendedData) -> dict[int, Sequence[Quantity]]:
    return {int(number, 16): quantities for number, quantities in sorted(settings.items())}


def _group_without_monitor(j2012: str) -> str:
    """Return the group of a code without monitor: P0300 to P030C are misfires (SAE J2012)."""
    return "misfire" if 0x0300 <= number_of(j2012) <= 0x030C else "components"
