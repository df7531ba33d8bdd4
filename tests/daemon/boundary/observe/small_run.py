"""A program that tests start: a tick process in miniature, with frames, log lines, snapshots and an observer.

    small_run.py TICKS END [DIRECTORY]        END: "finish", or "die" for SIGKILL instead of an orderly end

Real clock when DIRECTORY is missing, else virtual and recorded. Prints nothing itself.
"""

import os
import signal
import sys
import time
from pathlib import Path

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.process import ObserverProcess
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus


def main(ticks: int, end: str, directory: str | None = None) -> None:
    if directory:
        manifest.create(Path(directory), {"bench": "small", "vehicle": "compact", "buses": ["powertrain"]})
    started = None if directory else time.time_ns()
    rings = Rings.create(About("small", "1", 1000, started, ("main",), directory).encode(), SNAPSHOT_LAYOUT.size)
    bus = Bus("main")
    reporter = Reporter(rings, DataBus(), [bus])
    boundary = Boundary()
    boundary.put = reporter.events.put
    observer = ObserverProcess(rings, reporter.events)
    observer.start()
    if directory:
        reporter.events.make_room = observer.make_room
    reporter.info(0, "started")
    for tick in range(ticks):
        t = tick * MILLISECOND
        boundary.frame(t, 0, False, Frame(tick % 0x800, tick.to_bytes(8, "little")))
        reporter.snapshot(t, 0, 0)
        if not directory:
            time.sleep(0.001)
    t = ticks * MILLISECOND
    if end == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if not observer.finish(lambda: reporter.end(t, {"ticks": ticks}), timeout=10.0):
        sys.exit("the observer did not end")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
