"""Trouble codes on J1939 (SAE J1939-73): DM1, DM2, DM3 and DM11 of one control unit.

    DM1   65226  active codes: once a second, and at once when a code has come or gone
    DM2   65227  previously active codes, on request
    DM3   65228  request: erase the previously active ones
    DM11  65235  request: erase the active ones

DM1 and DM2 are two bytes of lamps, then four bytes for each code; with none they are zero. A message of one code is
filled up with FF to eight bytes, a longer one goes through the transport protocol.

    byte 1, from bit 7 on   malfunction indicator, red stop, amber warning, protect lamp: 01 on, 00 off
    byte 2                  the same for flashing: 11 does not flash
    code                    SPN bits 7…0 | SPN bits 15…8 | SPN bits 18…16 and FMI (5 bits) | 0 and occurrences (7 bits)

A code that comes and goes within a second makes no further DM1 of its own.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from hilbridge.common.units import SECOND

DM1: Final = 0xFECA
DM2: Final = 0xFECB
DM3: Final = 0xFECC
DM11: Final = 0xFED3

CYCLE: Final = SECOND
"""[ns]"""

MOST_CODES: Final = 445
"""That fit into the longest message of the transport protocol."""

_NO_CODE: Final = bytes(4)
_NOT_FLASHING: Final = 0xFF
_HIGHEST_COUNT: Final = 126


class Fault(NamedTuple):
    """A trouble code: suspect parameter number, failure mode identifier, how often it became active."""

    spn: int
    fmi: int
    occurrences: int

    @property
    def data(self) -> bytes:
        """The four bytes."""
        count = min(self.occurrences, _HIGHEST_COUNT)
        return bytes((self.spn & 0xFF, self.spn >> 8 & 0xFF, self.spn >> 16 << 5 | self.fmi, count))


class Lamps(NamedTuple):
    """Which lamps the control unit wants to be on."""

    malfunction: bool = False
    stop: bool = False
    warning: bool = False
    protect: bool = False

    @property
    def data(self) -> bytes:
        """The two bytes."""
        on = self.malfunction << 6 | self.stop << 4 | self.warning << 2 | self.protect
        return bytes((on, _NOT_FLASHING))


class Troubles(Protocol):
    """The trouble codes of one control unit."""

    @property
    def changes(self) -> int:
        """Grows with every change of what the other methods answer."""

    def active(self) -> Sequence[Fault]: ...

    def previously_active(self) -> Sequence[Fault]: ...

    def lamps(self) -> Lamps: ...

    def clear_active(self, t: int) -> bool:
        """Erases the active codes; False where this is not allowed now."""

    def clear_previously_active(self, t: int) -> bool:
        """The same for those that were."""


def message(lamps: Lamps, faults: Sequence[Fault]) -> bytes:
    """The payload of DM1 and DM2."""
    codes = b"".join(fault.data for fault in faults[:MOST_CODES])
    return (lamps.data + (codes or _NO_CODE)).ljust(8, b"\xff")


class ActiveCodes:
    """When DM1 goes. `send` gets its payload."""

    def __init__(self, troubles: Troubles, send: Callable[[bytes], object]) -> None:
        self._troubles: Final = troubles
        self._send: Final = send
        self._due: int | None = None
        self._changes = troubles.changes
        self._known: frozenset[tuple[int, int]] = frozenset()
        self._changed: dict[tuple[int, int], int] = {}  # [ns] when a code last came or went, within the last second

    def start(self) -> None:
        """The control unit has an address: the first one goes at once."""
        self._due = 0
        self._known = self._active()
        self._changed.clear()

    def stop(self) -> None:
        """The control unit has none any more."""
        self._due = None

    def poll(self, t: int) -> None:
        """Sends what is due at `t` [ns]."""
        if self._due is None:
            return
        news = False
        if self._troubles.changes != self._changes:
            self._changes = self._troubles.changes
            news = self._compare(t)
        if news or t >= self._due:
            self._due = t + CYCLE
            self._send(self.payload())

    def payload(self) -> bytes:
        """DM1 as it is now."""
        return message(self._troubles.lamps(), self._troubles.active())

    def _active(self) -> frozenset[tuple[int, int]]:
        return frozenset((fault.spn, fault.fmi) for fault in self._troubles.active())

    def _compare(self, t: int) -> bool:
        """Whether a code has come or gone that had not done so within the last second."""
        active = self._active()
        self._changed = {code: since for code, since in self._changed.items() if t - since < CYCLE}
        changed = [code for code in active ^ self._known if code not in self._changed]
        self._known = active
        self._changed.update(dict.fromkeys(changed, t))
        return bool(changed)
