"""The routines of service 31. They observe the vehicle and do not change it.

    0200 self-test
        start      takes 2 s, during which the server sends "response pending", then returns the result
        results    00 passed or 01 failed, and the number of codes whose last test failed
    0201 consumption
        start      begins the measurement
        stop       ends it
        results    00 measuring or 01 ended, fuel [ml] and distance [m] in four bytes each; also the answer of start
                   and stop

The self-test is refused while the vehicle moves (88).
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
"""[ns] Duration of the self-test."""

_AT_REST: Final = 100
"""[mm/s] Speed below which a wheel sensor detects no motion."""

_LONGEST: Final = 0xFFFF_FFFF


class Routine:
    """A routine; it supports only the functions that it overrides. Refusal: negative response."""

    identifier: ClassVar[int]
    stoppable: ClassVar[bool] = False

    def start(self, t: int) -> Answer:
        """Start the routine, or restart it."""
        raise NotImplementedError

    def stop(self) -> bytes:
        """Stop the routine; only called if it is stoppable."""
        raise NotImplementedError

    def results(self) -> bytes:
        """Return the results."""
        raise NotImplementedError

    def end(self) -> None:
        """End the routine: its session is over."""

    def require_stoppable(self) -> None:
        """Refuse to stop a routine that cannot be stopped."""
        if not self.stoppable:
            raise Refusal(SUBFUNCTION_NOT_SUPPORTED)


class SelfTest(Routine):
    """The self-test: it counts the codes whose last test failed."""

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
    """The consumption measurement: fuel and distance between start and stop."""

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
        """Return the totals of fuel [ml] and distance [m]."""
        auxiliary = self._bus.auxiliary
        fuel, distance = auxiliary[AuxiliaryData.FUEL_USED], auxiliary[AuxiliaryData.ODOMETER]
        return (
            fuel * 1000 // ENTRIES[AUXILIARY][AuxiliaryData.FUEL_USED].resolution,
            distance // ENTRIES[AUXILIARY][AuxiliaryData.ODOMETER].resolution,
        )


def routines(bus: DataBus, memory: TroubleMemory) -> Iterable[Routine]:
    """Return all routines."""
    return SelfTest(bus, memory), Consumption(bus)
