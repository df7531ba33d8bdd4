"""A long time on the virtual clock, in a process of its own: forty protected frames, a demo driver who drives.

    python -m tests.soak.simulated FOLDER RATE SECONDS

prints a line of JSON every few seconds, the last one at the end. Every alive counter (the high half of byte 6) goes on
by one from frame to frame, and the odometer never turns back.
"""

import json
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from hilbridge.base import model_build

model_build.honour_environment()

from hilbridge.base.clock import Clock, StopRequest, VirtualClock  # noqa: E402
from hilbridge.base.common.units import SECOND  # noqa: E402
from hilbridge.bench.bench import Bench  # noqa: E402
from hilbridge.files.configuration.benchfile import load_bench  # noqa: E402
from hilbridge.frames.codec.frame import Frame  # noqa: E402
from hilbridge.runs import loop  # noqa: E402 - only now is it settled which build is imported
from vehiclesim.channels import AuxiliaryData  # noqa: E402

from ..bench.benches import FORTY, PERIODS  # noqa: E402
from .resources import held  # noqa: E402

TELL_EVERY = 2.0
"""[s] of the wall clock."""

LOOK_EVERY = 1000
"""Ticks between two looks at that clock."""

LONGEST_TICK = 100
"""[ms]"""


class Watch:
    """The stages of a tick are the bench's; what comes of them is watched."""

    def __init__(self, bench: Bench) -> None:
        self.sample = bench.sample
        self.step = bench.step
        self.serve = bench.serve
        self.publish = bench.publish
        self.frames = 0
        self.wrong_counters = 0
        self.turned_back = 0
        self._values = bench.vehicle.data.auxiliary
        self._odometer = 0
        self._counters: defaultdict[tuple[int, int], int | None] = defaultdict(lambda: None)
        self._ticks = 0
        self._next = 0.0
        self._began = time.monotonic()
        for bus in bench.buses.values():
            bus.attach_observer(self._take)

    def write(self, clock: Clock) -> None:
        odometer = self._values[AuxiliaryData.ODOMETER]
        self.turned_back += odometer < self._odometer
        self._odometer = odometer
        self._ticks += 1
        if self._ticks % LOOK_EVERY == 0 and time.monotonic() >= self._next:
            self._next = time.monotonic() + TELL_EVERY
            self.tell(clock.t)

    def tell(self, t: int) -> None:
        now = held("self", time.monotonic() - self._began)
        assert now is not None
        facts: dict[str, Any] = {"seconds": t / SECOND, "ticks": self._ticks, "frames": self.frames}
        facts |= {"wrong counters": self.wrong_counters, "odometer turned back": self.turned_back}
        print(json.dumps(facts | {"odometer": self._odometer, "held": now}), flush=True)

    def _take(self, _t: int, bus: int, _received: bool, frame: Frame) -> None:
        self.frames += 1
        counter, key = frame.data[6] >> 4, (bus, frame.can_id)
        before = self._counters[key]
        self.wrong_counters += before is not None and counter != (before + 1) % 16
        self._counters[key] = counter


def slow(content: dict[str, Any]) -> None:
    """For long ticks: no frame more often than a tick of 100 ms, and no diagnostics, which need shorter ones."""
    del content["diagnostics"]
    for bus in content["buses"].values():
        periods = (max(1, period // LONGEST_TICK) * LONGEST_TICK for period in PERIODS)
        for message, period in zip(bus["messages"].values(), periods, strict=True):
            message["period"] = period


def main(folder: Path, rate: int, seconds: float) -> None:
    file = FORTY.write(folder)
    content = json.loads(file.read_text()) | {"rate": rate}
    if rate * LONGEST_TICK <= 1000:
        slow(content)
    file.write_text(json.dumps(content))
    bench = Bench(load_bench(str(file)))
    bench.connect()
    watch, clock = Watch(bench), VirtualClock(SECOND // rate, round(seconds * SECOND))
    loop.run(clock, watch, StopRequest())
    watch.tell(clock.t)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
