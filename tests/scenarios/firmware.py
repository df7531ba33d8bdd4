"""The firmware of firmware.c in Python: it sends each frame on, one higher; `refused`: what no controller sends."""

import sys

from hilbridge.boundary.lockstep.hilbridge_lockstep import Frame, Lockstep

REFUSED = [
    Frame(0x800),
    Frame(1, bytes(9)),
    Frame(1, bytes(9), fd=True),
    Frame(1, bytes(1), brs=True),
    Frame(1, fd=True, remote=True),
    Frame(0x20000000, extended=True),
    Frame(1, bytes(65), fd=True),
]


def refused(bench: Lockstep) -> None:
    for number, frame in enumerate(REFUSED):
        try:
            bench.buses[0].send(frame)
        except ValueError:
            sys.stderr.write(f"{number}: 0\n")


def main() -> None:
    bench = Lockstep()
    if "refused" in sys.argv:
        refused(bench)
    while bench.tick():
        for number, bus in enumerate(bench.buses):
            for frame in bus.receive():
                bench.buses[(number + 1) % len(bench.buses)].send(frame._replace(id=frame.id + 1))


main()
