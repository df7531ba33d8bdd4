"""Measures how a lab of many benches is found on this machine, and how soon one that is killed is missed.

    python -m tests.bench.fifty_benches [--benches 50] [--kills 6] [--rate 20] [--starts 4]

Each bench is the real program on the virtual clock, paced to real time, with an embedded bus; `--rate` is that of its
ticks, and so many start at a time. What a bench costs at rest is printed by process, in percent of one processor. Every
other one that is killed is the one through which the others meet. Run it with the compiled model, as users have it
(`make benchmark` makes .venv-compiled): an interpreted one takes 4 % for each bench at 20 Hz. Status 1 if a bench is
not listed, is missed too late, or another is missed with it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from hilbridge.base import model_build

from ..fabric import free_port, watching

BENCH: Final = """
name: NAME
vehicle: compact
rate: RATE
buses: {powertrain: {interface: embedded, raw: {Alive: {id: 0x123, data: 00 01, period: 100}}}}
state: none
fabric: {port: PORT}
"""

WAIT: Final = 600.0
"""[s] for a bench to be there."""

REST: Final = 10.0
"""[s] over which the processor time is taken."""

SETTLING: Final = 2.0
"""[s] after each kill: who is missed meanwhile is missed with it."""

LATEST: Final = 1.0
"""[s] after which a bench that was killed is missed."""


def listed(port: int) -> tuple[set[str], float]:
    """The names of the benches that `hilbridge lab` finds, and the time [s] that it takes."""
    command = [sys.executable, "-m", "hilbridge", "lab", "--port", str(port), "list", "--json"]
    begun = time.monotonic()
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout or "[]"
    return {bench["bench"] for bench in json.loads(found)}, time.monotonic() - begun


def start(folder: Path, name: str, rate: int, port: int) -> "subprocess.Popen[bytes]":
    """A bench that begins; its log is beside its file."""
    file = folder / f"{name}.yaml"
    text = BENCH.replace("NAME", name).replace("PORT", str(port)).replace("RATE", str(rate))
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "hilbridge", "run", str(file), "--pace", "1", "--no-web"]
    with file.with_suffix(".log").open("wb") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def wait_for(folder: Path, programs: dict[str, "subprocess.Popen[bytes]"]) -> None:
    """Wait until benches are on the fabric, as their logs say."""
    until = time.monotonic() + WAIT
    for name, program in programs.items():
        while '"event": "fabric"' not in (folder / f"{name}.log").read_text(encoding="utf-8"):
            assert program.poll() is None, f"{name} has ended"
            assert time.monotonic() < until, f"{name} is not on the fabric"
            time.sleep(0.05)


def children(pid: int) -> Iterator[tuple[int, str]]:
    """The processes that a tick process has started, with the room that each belongs to."""
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
        module = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")[3].decode()
        yield int(child), module.split(".")[1]


def spent(programs: dict[str, "subprocess.Popen[bytes]"]) -> dict[str, float]:
    """Processor time [s] of all benches so far, by process."""
    total: dict[str, float] = {}
    for program in programs.values():
        for pid, room in ((program.pid, "tick"), *children(program.pid)):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            total[room] = total.get(room, 0.0) + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def keeper(port: int, programs: dict[str, "subprocess.Popen[bytes]"]) -> str:
    """The bench whose process has the address where all meet."""
    inodes = {
        fields[9]
        for fields in map(str.split, Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:])
        if fields[1] == f"0100007F:{port:04X}" and fields[3] == "0A"
    }
    for name, program in programs.items():
        for child, _ in children(program.pid):
            for descriptor in Path(f"/proc/{child}/fd").iterdir():
                if str(descriptor.readlink()).removeprefix("socket:[").rstrip("]") in inodes:
                    return name
    raise RuntimeError("nobody has the address")


def kill(port: int, programs: dict[str, "subprocess.Popen[bytes]"], kills: int) -> bool:
    """Kill some, one after the other; return whether each was missed in time, and alone."""
    good = True
    with watching(port) as watch:
        watch.wait_for(*(f"{name}  up" for name in programs))
        for number in range(kills):
            victim = keeper(port, programs) if number % 2 else next(iter(programs))
            begun, before = time.monotonic(), len(watch.lines)
            programs.pop(victim).kill()
            watch.wait_for(f"{victim}  gone")
            missed = time.monotonic() - begun
            time.sleep(SETTLING)
            gone = {line.partition("  gone")[0].split()[-1] for line in watch.lines[before:] if "  gone" in line}
            others = gone - {victim}
            watch.wait_for(*(f"{name}  up" for name in others))
            good &= missed < LATEST and not others
            kind = "where all meet" if number % 2 else "any"
            print(f"killed {victim} ({kind}): missed after {missed:.2f} s, {len(others)} others with it", flush=True)
    return good


def main() -> int:
    """Print what was found; return the exit status."""
    parser = argparse.ArgumentParser(prog="fifty_benches")
    for option, default in (("--benches", 50), ("--kills", 6), ("--rate", 20), ("--starts", 4)):
        parser.add_argument(option, type=int, default=default)
    args = parser.parse_args()
    port, names = free_port(), [f"desk{number}" for number in range(args.benches)]
    with tempfile.TemporaryDirectory() as place, ExitStack() as ends:
        folder, programs, begun = Path(place), dict[str, subprocess.Popen[bytes]](), time.monotonic()
        for first in range(0, args.benches, args.starts):
            some = {name: start(folder, name, args.rate, port) for name in names[first : first + args.starts]}
            for program in some.values():
                ends.callback(program.wait)
                ends.callback(program.kill)
            wait_for(folder, some)
            programs |= some
        took = time.monotonic() - begun
        print(f"{args.benches} benches of {args.rate} Hz, {model_build.describe()}: up after {took:.0f} s", flush=True)
        before, begun = spent(programs), time.monotonic()
        time.sleep(REST)
        share = 100 / args.benches / (time.monotonic() - begun)
        at_rest = {room: share * (now - before[room]) for room, now in spent(programs).items()}
        each = ", ".join(f"{room} {percent:.2f}" for room, percent in at_rest.items())
        print(f"each at rest: {each}; {sum(at_rest.values()):.2f} % of a processor; load {os.getloadavg()[0]:.0f}")
        found, took = listed(port)
        print(f"{len(found)} of {len(programs)} benches listed in {took:.2f} s", flush=True)
        good = found == programs.keys()
        return 0 if kill(port, programs, args.kills) and good else 1


if __name__ == "__main__":
    sys.exit(main())
