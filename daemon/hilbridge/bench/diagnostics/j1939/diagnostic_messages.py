"""Trouble codes on J1939 (SAE J1939-73): DM1, DM2, DM3 and DM11 of one control unit.

    DM1   65226  active codes: once a second, and at once when a code becomes active or inactive
    DM2   65227  previously active codes, on request
    DM3   65228  request: erase the previously active codes
    DM11  65235  request: erase the active codes

DM1 and DM2 are two bytes of lamps, then four bytes for each code; without codes these are zero. A message of one code
is padded with FF to eight bytes, a longer one is sent by the transport protocol.

    byte 1, from bit 7 on   malfunction indicator, red stop, amber warning, protect lamp: 01 on, 00 off
    byte 2                  the same for flashing: 11 does not flash
    code                    SPN bits 7…0 | SPN bits 15…8 | SPN bits 18…16 and FMI (5 bits) | 0 and occurrences (7 bits)

A code that changes again within a second of its last change causes no additional DM1.

From the store of trouble codes (dtc/store.py):

    active              confirmed, and the last test failed
    previously active   confirmed, and the last test passed
    malfunction lamp    the indicator of the store: an emission-related code requests it
    amber warning lamp  an active code that is not emission-related

Codes without an SPN are left out. Red stop and protect lamp are always off: the codes have no severity.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.units import NEVER, SECOND
from hilbridge.bench.diagnostics.dtc.trouble import Trouble

DM1: Final = 0xFECA
DM2: Final = 0xFECB
DM3: Final = 0xFECC
DM11: Final = 0xFED3

CYCLE: Final = SECOND
"""[ns] Period of DM1."""

MAX_CODES: Final = 445
"""Codes that fit into the longest message of the transport protocol."""

_NO_CODE: Final = bytes(4)
_NOT_FLASHING: Final = 0xFF
_HIGHEST_COUNT: Final = 126


class J1939TroubleCode(NamedTuple):
    """A trouble code: suspect parameter number, failure mode identifier, and how often it became active."""

    spn: int
    fmi: int
    occurrences: int

    @property
    def data(self) -> bytes:
        """The four bytes of the code."""
        count = min(self.occurrences, _HIGHEST_COUNT)
        return bytes((self.spn & 0xFF, self.spn >> 8 & 0xFF, self.spn >> 16 << 5 | self.fmi, count))


class Lamps(NamedTuple):
    """The lamps that the control unit requests."""

    malfunction: bool = False
    stop: bool = False
    warning: bool = False
    protect: bool = False

    @property
    def data(self) -> bytes:
        """The two bytes of the lamps."""
        on = self.malfunction << 6 | self.stop << 4 | self.warning << 2 | self.protect
        return bytes((on, _NOT_FLASHING))


class TroubleSource(Protocol):
    """The trouble codes of one control unit."""

    @property
    def changes(self) -> int:
        """A counter that grows with every change of the codes or lamps."""

    def active(self) -> Sequence[J1939TroubleCode]: ...

    def previously_active(self) -> Sequence[J1939TroubleCode]: ...

    def lamps(self) -> Lamps: ...

    def clear_active(self, t: int) -> bool:
        """Erase the active codes; return False if that is not allowed now."""

    def clear_previously_active(self, t: int) -> bool:
        """Erase the previously active codes; return False if that is not allowed now."""


def message(lamps: Lamps, faults: Sequence[J1939TroubleCode]) -> bytes:
    """Return the payload of DM1 or DM2."""
    codes = b"".join(fault.data for fault in faults[:MAX_CODES])
    return (lamps.data + (codes or _NO_CODE)).ljust(8, b"\xff")


class ActiveCodes:
    """The transmission of DM1; `send` is called with its payload."""

    def __init__(self, troubles: TroubleSource, send: Callable[[bytes], object]) -> None:
        self._troubles: Final = troubles
        self._send: Final = send
        self._due: int | None = None
        self._changes = troubles.changes
        self._known: frozenset[tuple[int, int]] = frozenset()
        self._changed: dict[tuple[int, int], int] = {}  # [ns] last change of a code, within the last second

    def start(self) -> None:
        """Send the first DM1 at once: the control unit has an address."""
        self._due = 0
        self._known = self._active()
        self._changed.clear()

    def stop(self) -> None:
        """Stop: the control unit has lost its address."""
        self._due = None

    @property
    def due(self) -> int:
        """The time [ns] at which DM1 is sent next, if no code changes before it; NEVER: at none."""
        return NEVER if self._due is None else self._due

    @property
    def changed(self) -> bool:
        """Whether `poll` has not seen the last change of a code yet."""
        return self._troubles.changes != self._changes

    def poll(self, t: int) -> None:
        """Send DM1 if it is due at `t` [ns]."""
        if self._due is None:
            return
        changed = False
        if self._troubles.changes != self._changes:
            self._changes = self._troubles.changes
            changed = self._update_active(t)
        if changed or t >= self._due:
            self._due = t + CYCLE
            self._send(self.payload())

    def payload(self) -> bytes:
        """Return the present payload of DM1."""
        return message(self._troubles.lamps(), self._troubles.active())

    def _active(self) -> frozenset[tuple[int, int]]:
        return frozenset((fault.spn, fault.fmi) for fault in self._troubles.active())

    def _update_active(self, t: int) -> bool:
        """Return whether a code changed that had not changed within the last second."""
        active = self._active()
        self._changed = {code: since for code, since in self._changed.items() if t - since < CYCLE}
        changed = [code for code in active ^ self._known if code not in self._changed]
        self._known = active
        self._changed.update(dict.fromkeys(changed, t))
        return bool(changed)


class Store(Protocol):
    """The part of a `TroubleStore` that this module uses."""

    changes: int
    indicator: bool

    @property
    def troubles(self) -> Mapping[str, Trouble]: ...

    def clear(self, codes: Collection[str] | None = None) -> None: ...


class StoreSource:
    """The codes of a `TroubleStore` as a `TroubleSource`."""

    def __init__(self, store: Store) -> None:
        self._store: Final = store

    @property
    def changes(self) -> int:
        return self._store.changes

    def active(self) -> list[J1939TroubleCode]:
        return [fault for fault in map(code_of, self._confirmed(failing=True).values()) if fault is not None]

    def previously_active(self) -> list[J1939TroubleCode]:
        return [fault for fault in map(code_of, self._confirmed(failing=False).values()) if fault is not None]

    def lamps(self) -> Lamps:
        warning = any(not trouble.code.emission for trouble in self._confirmed(failing=True).values())
        return Lamps(malfunction=self._store.indicator, warning=warning)

    def clear_active(self, t: int) -> bool:
        """Erase the active codes (DM11); never refused."""
        self._store.clear(list(self._confirmed(failing=True)))
        return True

    def clear_previously_active(self, t: int) -> bool:
        """Erase the previously active codes (DM3); never refused."""
        self._store.clear(list(self._confirmed(failing=False)))
        return True

    def _confirmed(self, *, failing: bool) -> dict[str, Trouble]:
        return {
            name: trouble
            for name, trouble in self._store.troubles.items()
            if trouble.confirmed and trouble.failing == failing
        }


def code_of(trouble: Trouble) -> J1939TroubleCode | None:
    """Return a code in the form of J1939; None if it has no SPN."""
    code = trouble.code
    return None if code.spn is None else J1939TroubleCode(code.spn, code.fmi, trouble.occurrences)
