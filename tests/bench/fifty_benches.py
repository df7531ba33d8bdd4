"""Measures how a lab of many benches is found on this machine, and how soon one that is killed is missed.

    python -m tests.bench.fifty_benches [--benches 50] [--kills 6]

Each bench is the real program on the virtual clock, paced to real time, at 20 Hz. Every other one that is killed is the
one through which the others meet. Status 1 if a bench is not listed, is missed too late, or another is missed with it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ..fabric import free_port, watching

BENCH: Final = """
name: NAME
vehicle: compact
rate: 20
buses: {powertrain: {interface: embedded, raw: {Alive: {id: 0x123, data: 00 01, period: 100}}}}
state: none
fabric: {port: PORT}
"""

WAIT: Final = 600.0
"""[s] for all benches to be there."""

LATEST: Final = 1.0
"""[s] after which a bench that was killed is missed."""


def listed(port: int) -> tuple[set[str], float]:
    """The names of the benches that `hilbridge lab` finds, and the time [s] that it takes."""
    command = [sys.executable, "-m", "hilbridge", "lab", "--port", str(port), "list", "--json"]
    begun = time.monotonic()
    found = subprocess.run(command, capture_output=True, text=True, check=False).stdout or "[]"
    return {bench["bench"] for bench in json.loads(found)}, time.monotonic() - begun


def keeper(port: int, programs: dict[str, "subprocess.Popen[bytes]"]) -> str:
    """The bench whose process has the address where all meet."""
    inodes = {
        fields[9]
        for fields in map(str.split, Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:])
        if fields[1] == f"0100007F:{port:04X}" and fields[3] == "0A"
    }
    for name, program in programs.items():
        children = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text(encoding="ascii").split()
        for child in children:
            for descriptor in Path(f"/proc/{child}/fd").iterdir():
                if str(descriptor.readlink()).removeprefix("socket:[").rstrip("]") in inodes:
                    return name
    raise RuntimeError("nobody has the address")


def main() -> int:
    """Print what was found; return the exit status."""
    parser = argparse.ArgumentParser(prog="fifty_benches")
    parser.add_argument("--benches", type=int, default=50)
    parser.add_argument("--kills", type=int, default=6)
    args = parser.parse_args()
    port, good = free_port(), True
    with tempfile.TemporaryDirectory() as folder, ExitStack() as ends:
        programs: dict[str, subprocess.Popen[bytes]] = {}
        for number in range(args.benches):
            name = f"desk{number}"
            file = Path(folder, f"{name}.yaml")
            file.write_text(BENCH.replace("NAME", name).replace("PORT", str(port)), encoding="utf-8")
            words = ["run", str(file), "--pace", "1", "--no-web"]
            nowhere = subprocess.DEVNULL
            programs[name] = subprocess.Popen(
                [sys.executable, "-m", "hilbridge", *words], stdin=nowhere, stdout=nowhere, stderr=nowhere
            )
            ends.callback(programs[name].wait)
            ends.callback(programs[name].kill)
        until = time.monotonic() + WAIT
        found, took = listed(port)
        while found != programs.keys() and time.monotonic() < until:
            assert all(program.poll() is None for program in programs.values()), "a bench has ended"
            time.sleep(1.0)
            found, took = listed(port)
        good &= found == programs.keys()
        print(f"{len(found)} of {len(programs)} benches listed in {took:.2f} s", flush=True)
        with watching(port) as watch:
            watch.wait_for(*(f"{name}  up" for name in programs))
            for number in range(args.kills):
                victim = keeper(port, programs) if number % 2 else next(iter(programs))
                begun, before = time.monotonic(), len(watch.lines)
                programs.pop(victim).kill()
                watch.wait_for(f"{victim}  gone")
                missed = time.monotonic() - begun
                others = [line for line in watch.lines[before:] if "gone" in line and f"{victim}  " not in line]
                good &= missed < LATEST and not others
                kind = "where all meet" if number % 2 else "any"
                print(
                    f"killed {victim} ({kind}): missed after {missed:.2f} s, {len(others)} others with it", flush=True
                )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
