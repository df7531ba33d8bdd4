"""The routines of service 31. They look at the vehicle and change nothing in it.

    0200 self-test
        start      takes 2 s, in which the server says "response pending", then the result
        results    00 passed or 01 failed, and the number of codes whose last test failed
    0201 consumption
        start      begins to measure
        stop       ends it
        results    00 measuring or 01 ended, fuel [ml] and distance [m] in four bytes each; start and stop tell them too

The self-test is refused while the vehicle moves (88): it looks at a vehicle at rest.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from hilbridge.common.units import MILLISECOND
from hilbridge.diagnostics.dtc.trouble import TEST_FAILED
from hilbridge.diagnostics.refusal import (
    REQUEST_SEQUENCE_ERROR,
    SUBFUNCTION_NOT_SUPPORTED,
    VEHICLE_SPEED_TOO_HIGH,
    Refusal,
)
from hilbridge.diagnostics.uds.service import Answer, TroubleMemory
from vehiclesim.channels import AUXILIARY, ENTRIES, AuxiliaryData, VehicleData
from vehiclesim.databus import DataBus

DURATION: Final = 2000 * MILLISECOND
"""[ns] of the self-test."""

_AT_REST: Final = 100
"""[mm/s] A wheel sensor sees no slower speed."""

_LONGEST: Final = 0xFFFF_FFFF


class Routine:
    """One routine; what it does not override, it does not have. Refusal: negative response."""

    identifier: ClassVar[int]
    stoppable: ClassVar[bool] = False

    def start(self, t: int) -> Answer:
        """Starts it, anew where it runs already."""
        raise NotImplementedError

    def stop(self) -> bytes:
        """Stops it; only asked where it is stoppable."""
        raise NotImplementedError

    def results(self) -> bytes:
        """What it has found."""
        raise NotImplementedError

    def end(self) -> None:
        """The session is over."""

    def require_stoppable(self) -> None:
        if not self.stoppable:
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED)


class SelfTest(Routine):
    """Looks through the trouble codes."""

    identifier = 0x0200

    def __init__(self, bus: DataBus, memory: TroubleMemory) -> None:
        self._bus: Final = bus
        self._memory: Final = memory
        self._result: bytes | None = None

    def start(self, t: int) -> Answer:
        self._require_rest()
        self._result = None
        ends = t + DURATION

        def later(now: int) -> bytes | None:
            self._require_rest()
            if now < ends:
                return None
            failed = sum(1 for one in self._memory.troubles.values() if one.status & TEST_FAILED)
            self._result = bytes((failed > 0, min(failed, 0xFF)))
            return self._result

        return later

    def results(self) -> bytes:
        if self._result is None:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        return self._result

    def end(self) -> None:
        self._result = None

    def _require_rest(self) -> None:
        if abs(self._bus.vehicle[VehicleData.SPEED]) > _AT_REST:
            raise Refusal(VEHICLE_SPEED_TOO_HIGH)


class Consumption(Routine):
    """Measures fuel and distance between two moments."""

    identifier = 0x0201
    stoppable = True

    def __init__(self, bus: DataBus) -> None:
        self._bus: Final = bus
        self._from: tuple[int, int] | None = None
        self._to: tuple[int, int] | None = None

    def start(self, t: int) -> bytes:
        self._from, self._to = self._counters(), None
        return self.results()

    def stop(self) -> bytes:
        if self._from is None or self._to is not None:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        self._to = self._counters()
        return self.results()

    def results(self) -> bytes:
        if self._from is None:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        ends = self._counters() if self._to is None else self._to
        figures = (max(0, min(end - start, _LONGEST)) for start, end in zip(self._from, ends, strict=True))
        return bytes((self._to is not None,)) + b"".join(figure.to_bytes(4, "big") for figure in figures)

    def end(self) -> None:
        self._from = None

    def _counters(self) -> tuple[int, int]:
        """Fuel [ml] and distance [m] since ever."""
        auxiliary = self._bus.auxiliary
        fuel, distance = auxiliary[AuxiliaryData.FUEL_USED], auxiliary[AuxiliaryData.ODOMETER]
        return (
            fuel * 1000 // ENTRIES[AUXILIARY][AuxiliaryData.FUEL_USED].resolution,
            distance // ENTRIES[AUXILIARY][AuxiliaryData.ODOMETER].resolution,
        )


def routines(bus: DataBus, memory: TroubleMemory) -> Iterable[Routine]:
    """All of the table."""
    return SelfTest(bus, memory), Consumption(bus)
