"""The firmware of pins.c in Python."""

import sys

from hilbridge.boundary.lockstep.hilbridge_lockstep import Lockstep

bench = Lockstep()
try:
    bench.drive("key", 1)
except ValueError as error:
    sys.stderr.write(f"{error}\n")
sys.stderr.write(f"at first {bench.pins['key']} {bench.pins['pedal']}\n")
while bench.tick():
    bench.drive("lamp", bench.pins["key"])
    bench.drive("throttle", bench.pins["pedal"] // 2)
