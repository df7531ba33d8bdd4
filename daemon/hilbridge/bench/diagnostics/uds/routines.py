"""The routines of service 31. They observe the vehicle and do not change it.

    data          answers made of fields, or by a function of the user; a start takes `duration`, while the server
                  sends "response pending", and needs the conditions all that time
    asynchronous  the same, but the start is answered at once; it runs until its `duration` is over, it is stopped (02),
                  its session ends, or a condition does not hold: 03 is refused then with the code of the condition
    self-test
        start      takes 2 s, during which the server sends "response pending", then returns the result
        results    00 passed or 01 failed, and the number of codes whose last test failed
    consumption
        start      begins the measurement
        stop       ends it
        results    00 measuring or 01 ended, fuel [ml] and distance [m] in four bytes each; also the answer of start
                   and stop

The self-test is refused while the vehicle moves (88).
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.trust.kinds import ROUTINE
from hilbridge.bench.diagnostics.condition import Conditions
from hilbridge.bench.diagnostics.dtc.trouble import TEST_FAILED
from hilbridge.bench.diagnostics.refusal import REQUEST_SEQUENCE_ERROR, VEHICLE_SPEED_TOO_HIGH, Refusal
from hilbridge.bench.diagnostics.uds.dids import RecordIdentifier
from hilbridge.bench.diagnostics.uds.hook import Hook
from hilbridge.bench.diagnostics.uds.service import Answer, TroubleMemory, UdsStatistics
from hilbridge.files.settings.uds_routines import RoutineSettings
from hilbridge.frames.codec.data_record import build_record
from vehiclesim.channels import AUXILIARY, AuxiliaryData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

START: Final = 0x01
STOP: Final = 0x02
RESULTS: Final = 0x03

SELF_TEST: Final = 2000 * MILLISECOND
"""[ns] Duration of the self-test."""

_AT_REST: Final = 100
"""[mm/s] Speed below which a wheel sensor detects no motion."""

_LONGEST: Final = 0xFFFF_FFFF


class Routine:
    """A routine. `functions`: what it supports of START, STOP and RESULTS.

    `option`: bytes that follow in a start; None: it checks them itself.

    Refusal: negative response.
    """

    functions: frozenset[int] = frozenset((START, RESULTS))
    option: int | None = 0
    security: int = 0
    sessions: frozenset[int] | None = None

    def start(self, option: bytes, t: int) -> Answer:
        """Start the routine, or restart it."""
        raise NotImplementedError

    def stop(self) -> bytes:
        """Stop the routine."""
        raise NotImplementedError

    def results(self) -> bytes:
        """Return the results."""
        raise NotImplementedError

    def end(self) -> None:
        """End the routine: its session is over."""

    @property
    def runs(self) -> bool:
        """Whether it runs beside other requests, and `advance` has to be called."""
        return False

    def advance(self, t: int) -> None:
        """Run on to time `t` [ns]; called once a tick while it runs."""


class DataRoutine(Routine):
    """A routine whose answers are data of the bench file, or come from a function of the user."""

    def __init__(self, settings: RoutineSettings, bus: DataBus, statistics: UdsStatistics, place: KeyPath) -> None:
        """ConfigurationError: an invalid field, condition or function."""
        records = {START: settings.start, STOP: settings.stop, RESULTS: settings.results}
        self.functions = frozenset(number for number, fields in records.items() if fields is not None)
        self.option = settings.option
        self._duration: Final = round(settings.duration * MILLISECOND)
        self._conditions: Final = Conditions(settings.conditions, bus, (*place, "conditions"))
        self._hook: Final = (
            None if settings.hook is None else Hook(settings.hook, ROUTINE, bus, statistics, (*place, "hook"))
        )
        self._records: Final = {
            number: RecordIdentifier(build_record(fields, None, (*place, _KEYS[number]), bus.entries), bus)
            for number, fields in records.items()
            if fields
        }
        self._started = self._finished = False

    def start(self, option: bytes, t: int) -> Answer:
        self._conditions.require()
        self._started, self._finished = True, False
        if not self._duration:
            return self._finish(option)
        ends = t + self._duration

        def later(now: int) -> bytes | None:
            self._conditions.require()
            return None if now < ends else self._finish(option)

        return later

    def stop(self) -> bytes:
        if not self._started:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        self._started = False
        return self._answer(STOP, b"")

    def results(self) -> bytes:
        if not self._finished:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        return self._answer(RESULTS, b"")

    def end(self) -> None:
        self._started = self._finished = False

    def _finish(self, option: bytes) -> bytes:
        self._finished = True
        return self._answer(START, option)

    def _answer(self, function: int, option: bytes) -> bytes:
        if self._hook is not None:
            return self._hook(function, option)
        record = self._records.get(function)
        return b"" if record is None else record.read()


_KEYS: Final = {START: "start", STOP: "stop", RESULTS: "results"}


class AsynchronousRoutine(DataRoutine):
    """A routine of the bench file that runs beside other requests. A start while it runs begins it anew."""

    def __init__(self, settings: RoutineSettings, bus: DataBus, statistics: UdsStatistics, place: KeyPath) -> None:
        super().__init__(settings, bus, statistics, place)
        fields = settings.running
        self._running: Final = (
            None
            if fields is None
            else RecordIdentifier(build_record(fields, None, (*place, "running"), bus.entries), bus)
        )
        self._ends: int | None = None  # [ns]
        self._failure: Refusal | None = None

    @property
    def runs(self) -> bool:
        return self._ends is not None

    def start(self, option: bytes, t: int) -> Answer:
        self._conditions.require()
        self._started, self._finished, self._failure = True, False, None
        self._ends = t + self._duration
        return self._answer(START, option)

    def advance(self, t: int) -> None:
        try:
            self._conditions.require()
        except Refusal as refusal:
            self._failure, self._ends, self._started = refusal, None, False
            return
        if self._ends is not None and t >= self._ends:
            self._ends, self._finished = None, True

    def stop(self) -> bytes:
        self._ends = None
        return super().stop()

    def results(self) -> bytes:
        if self._failure is not None:
            raise Refusal(self._failure.code)
        if self._ends is not None and self._running is not None:
            return self._running.read()
        return super().results()

    def end(self) -> None:
        super().end()
        self._ends = self._failure = None


class SelfTest(Routine):
    """The self-test: it counts the codes whose last test failed."""

    def __init__(self, bus: DataBus, memory: TroubleMemory) -> None:
        self._bus: Final = bus
        self._memory: Final = memory
        self._result: bytes | None = None

    def start(self, option: bytes, t: int) -> Answer:
        self._require_rest()
        self._result = None
        ends = t + SELF_TEST

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

    functions = frozenset((START, STOP, RESULTS))

    def __init__(self, bus: DataBus) -> None:
        self._bus: Final = bus
        self._from: tuple[int, int] | None = None
        self._to: tuple[int, int] | None = None

    def start(self, option: bytes, t: int) -> bytes:
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


def build_routines(
    settings: Mapping[str, RoutineSettings],
    bus: DataBus,
    memory: TroubleMemory,
    statistics: UdsStatistics,
    place: KeyPath,
) -> dict[int, Routine]:
    """Return the routines by number. ConfigurationError: see DataRoutine."""
    routines: dict[int, Routine] = {}
    for key, one in settings.items():
        if one.kind == "self-test":
            routine: Routine = SelfTest(bus, memory)
        elif one.kind == "consumption":
            routine = Consumption(bus)
        else:
            kind = AsynchronousRoutine if one.asynchronous else DataRoutine
            routine = kind(one, bus, statistics, (*place, key))
        routine.security = one.security
        if one.sessions is not None:
            routine.sessions = frozenset(int(session, 16) for session in one.sessions)
        routines[int(key, 16)] = routine
    return routines
