"""A year on the virtual clock, in a process of its own: a trip every morning, and the rest of the day left out.

    python -m tests.soak.year FOLDER DAYS

One bench runs for all of it, at 100 Hz, so that its times pass 2^31 and 2^32 ms and 2^53 ns. A trip is driven by the
demo driver until the engine is warm and the car has stopped; then the key is off until the next morning, which
is a gap of the clock, as if the machine had stood still. A gap cools nothing, so a morning begins with the state of a
car that has stood overnight and the counters of the evening. A trouble code fails on two days, and is left to age.

Everything that crosses the boundary goes into a recording of few small segments. A line of JSON every few seconds says
what was found, the last one at the end; `wrong` has what must not be.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import yaml

from hilbridge.base import model_build

model_build.honour_environment()

from hilbridge.base.clock import Clock, StopRequest  # noqa: E402
from hilbridge.base.common.units import SECOND  # noqa: E402
from hilbridge.bench.bench import Bench  # noqa: E402
from hilbridge.boundary.record.segments import SegmentLimits, SegmentWriter  # noqa: E402
from hilbridge.files.configuration.benchfile import load_bench  # noqa: E402
from hilbridge.frames.codec.frame import Frame  # noqa: E402
from hilbridge.runs import loop  # noqa: E402 - only now is it settled which build is imported
from vehiclesim.channels import AuxiliaryData, VehicleData  # noqa: E402

from ..program import DEMO  # noqa: E402
from .resources import held  # noqa: E402

RATE: Final = 100
PERIOD: Final = SECOND // RATE
DAY: Final = 86_400 * SECOND
LONGEST_TRIP: Final = 1_800 * SECOND
KEY_OFF: Final = 5 * SECOND
WARM: Final = 75_000
"""[m°C] of the coolant, above the 70 °C of a warm-up."""

FAULT_DAYS: Final = (1, 2)
"""Two driving cycles in turn confirm a code."""
CODE: Final = ("engine", "P0300")
"""The misfire monitor passes it ten seconds after each start."""
HEALED: Final = FAULT_DAYS[-1] + 3
AGED: Final = HEALED + 40
"""The days on which the lamp goes out, and the code: after three driving cycles without a fault, and forty warm-ups."""

ALIVE: Final = 0x123
SEGMENT, SEGMENTS = 1 << 20, 4
"""[byte] of a segment of the recording, and how many are kept."""
TELL_EVERY: Final = 2.0
"""[s] of the wall clock."""


class Days(Clock):
    """A clock with a gap from each evening to the next morning, which `sleep` begins."""

    def __init__(self) -> None:
        super().__init__(PERIOD, 0)
        self._asleep = False

    def sleep(self) -> None:
        """The next tick is the first one of the next day."""
        self._asleep = True

    def wait(self) -> bool:
        before = self.t
        self.t = (before // DAY + 1) * DAY if self._asleep else before + PERIOD
        self.missed = (self.t - before) // PERIOD - 1
        self._asleep = False
        return True


class Year:
    """The stages of a tick are the bench's; who drives, and what is found, is here."""

    def __init__(self, bench: Bench, clock: Days, days: int, writer: SegmentWriter, stop: StopRequest) -> None:
        self.step, self.serve, self.publish = bench.step, bench.serve, bench.publish
        self.frames = 0
        self.wrong: Counter[str] = Counter()
        self.day = 0
        self._bench, self._clock, self._days, self._writer, self._stop = bench, clock, days, writer, stop
        self._rested = bench.vehicle.get_state_vars()
        self._values = bench.vehicle.data
        self._odometer = self._begin = bench.vehicle.data.auxiliary[AuxiliaryData.ODOMETER]
        self._way = 0.0  # [mm], by the speed
        self._drives = False
        self._off_at: int | None = None  # [ns], when the key was turned off
        self._position = 0
        self._counter: int | None = None
        self._warm = False
        self._told = 0.0
        self._began = time.monotonic()
        bench.boundary.put = self._record
        for bus in bench.buses.values():
            bus.attach_observer(self._take)

    def sample(self, t: int) -> None:
        if self._clock.missed:
            self._bench.boundary.missed(t, self._clock.missed)
        self._bench.sample(t)

    def write(self, clock: Clock) -> None:
        auxiliary, vehicle = self._values.auxiliary, self._values.vehicle
        odometer = auxiliary[AuxiliaryData.ODOMETER]
        self.wrong["odometer turned back"] += odometer < self._odometer
        self._odometer = odometer
        self._way += abs(vehicle[VehicleData.SPEED]) / RATE
        if clock.t % SECOND == 0:
            self._writer.write()
            if time.monotonic() >= self._told:
                self._told = time.monotonic() + TELL_EVERY
                self.tell()
        self._drive(clock.t, vehicle, auxiliary[AuxiliaryData.COOLANT_TEMPERATURE])

    def _drive(self, t: int, vehicle: Any, coolant: int) -> None:
        """Begin a trip once the engine runs; end it with a warm engine at rest."""
        if self._off_at is not None:
            if t >= self._off_at + KEY_OFF:
                self._sleep()
            return
        if not self._drives and vehicle[VehicleData.ENGINE_WORKING]:
            self._drives = True
            self._bench.overrides.set("input.Key", 0)  # the demo driver leaves it on between its rounds
            if self.day in FAULT_DAYS:
                self._bench.wiring.control_units.troubles.set(*CODE, "failed", t)
        self._warm = self._warm or coolant >= WARM
        if self._drives and ((self._warm and vehicle[VehicleData.SPEED] == 0) or t % DAY >= LONGEST_TRIP):
            self.wrong["cold trips"] += not self._warm
            self._bench.overrides.set("input.Key", -1)
            self._off_at = t

    def _sleep(self) -> None:
        """End the day: counters are kept, all else is at rest and cold in the morning; the tank is filled."""
        self._off_at, self._drives, self._warm = None, False, False
        vehicle = self._bench.vehicle
        memory = vehicle.auxiliaries.memory()
        vehicle.set_state_vars(self._rested)
        vehicle.auxiliaries.start_from(memory._replace(fuel_left=vehicle.auxiliaries.tank.capacity))
        self._bench.overrides.release()
        self._clock.sleep()
        self._judge_the_code()
        self.day += 1
        self._stop.requested = self.day >= self._days

    def _judge_the_code(self) -> None:
        """Confirmed after the second day, with the lamp; without it after three days more; gone after forty more."""
        store = self._bench.wiring.control_units.troubles.status()[CODE[0]]
        there = any(row.code == CODE[1] and "confirmed" in row.states for row in store.stored)
        self.wrong["code not as it should be"] += there != (FAULT_DAYS[-1] <= self.day < AGED)
        self.wrong["lamp not as it should be"] += store.indicator != (FAULT_DAYS[-1] <= self.day < HEALED)

    def _record(self, kind: int, t: int, payload: bytes) -> bool:
        self._position += 1
        self._writer.add(self._position, t, kind, payload)
        return True

    def _take(self, t: int, _bus: int, _received: bool, frame: Frame) -> None:
        self.frames += 1
        if frame.can_id == ALIVE:
            if self._counter is not None:
                self.wrong["counters"] += frame.data[0] != (self._counter + 1) % 256
            self._counter = frame.data[0]

    def tell(self) -> None:
        now = held("self", time.monotonic() - self._began)
        way = self._odometer - self._begin
        self.wrong["odometer is not the way"] = int(abs(way - self._way) > max(0.002 * way, 10_000.0))
        self.wrong["recording is not bounded"] = int(self._writer.kept > (SEGMENTS + 1) * 2 * SEGMENT)
        facts = {"seconds": self.day * DAY // SECOND, "days": self.day, "frames": self.frames}
        facts |= {"odometer, km": round(way / 1e6), "segments removed": self._writer.removed}
        print(json.dumps(facts | {"wrong": +self.wrong, "held": now}), flush=True)


def bench_file(folder: Path) -> Path:
    """Write the demo bench with a frame that has a counter, and without any input but the demo driver."""
    content = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    bus = content["buses"]["powertrain"]
    alive = {"id": ALIVE, "data": "00", "period": 100, "protection": [{"counter": {"at": {"bit": 0, "width": 8}}}]}
    bus["raw"] = {"Alive": alive}
    content |= {"rate": RATE, "inputs": [{"source": "demo-driver"}], "clock": "2026-01-01T06:00:00"}
    file = folder / "bench.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return file


def main(folder: Path, days: int) -> None:
    bench = Bench(load_bench(str(bench_file(folder))))
    bench.connect()
    recording = folder / "recording"
    recording.mkdir()
    unwritten, lost = (memoryview(bytearray(8)).cast("Q") for _ in range(2))
    writer = SegmentWriter(recording, unwritten, lost, SegmentLimits(SEGMENT, SEGMENTS))
    clock, stop = Days(), StopRequest()
    year = Year(bench, clock, days, writer, stop)
    loop.run(clock, year, stop)
    year.tell()
    writer.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
