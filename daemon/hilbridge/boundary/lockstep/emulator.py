"""Runs firmware of a microcontroller on labwired as a lockstep client: emulator.py ELF NAME CHIP HERTZ PINS BUS ...

The emulated core is where the bench is: before its turn at T it has run up to T, and what it has sent since its last
turn is on the bus at T. A frame is at its controller when it was on the bus; several of one tick come one after the
other, evenly over the time until the next, as a wire carries them: a controller has room for three. What a controller
does not take (its clock is off, its queue is full) is lost as on the wire, and told. Pins that it reads change when
the bench was where its last turn was; those that it drives are as they are at T.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import labwired

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.lockstep.hilbridge_lockstep import Frame, Lockstep
from hilbridge.boundary.lockstep.labwired_pins import Wire

_FILTERED: Final = "no active acceptance filter matches"
_REASON: Final = re.compile(r".*did not receive the frame: (.*)")
_CANNOT: Final = 126


class Core:
    """An emulated microcontroller. `lost`: frames that its controllers did not take, by reason."""

    def __init__(self, elf: str, chip: str, hertz: int, pins: str) -> None:
        """OSError, ValueError: it cannot be emulated."""
        self.lost: Final[Counter[tuple[str, str]]] = Counter()
        self._hertz: Final = hertz
        self._read: Final[dict[str, Wire]] = {}
        self._driven: Final[dict[str, Wire]] = {}
        for word in pins.split():
            way, name, wire = Wire.parse(word)
            (self._read if way == "read" else self._driven)[name] = wire
        self._levels: Final[dict[str, int]] = {}
        with tempfile.TemporaryDirectory() as folder:
            system = Path(folder, "system.yaml")
            described: dict[str, Any] = {"name": "ecu", "chip": chip, "cpu_hz": hertz, "external_devices": []}
            described["board_io"] = [
                {"id": name, "kind": "button", "peripheral": wire.port, "pin": wire.pin, "signal": "input"}
                | {"active_high": True}
                for name, wire in self._read.items()
            ]
            system.write_text(json.dumps(described), encoding="utf-8")  # JSON is YAML
            self._sim: Final = labwired.Sim(elf, system=str(system))

    def set_pins(self, pins: Mapping[str, int]) -> None:
        """Put levels on the pins that it reads."""
        for name in self._read:
            if self._levels.get(name) != pins[name]:
                self._levels[name] = pins[name]
                self._sim.set_pin(name, bool(pins[name]))

    def driven(self) -> Iterator[tuple[str, int]]:
        """Yield the levels of the pins that it drives, by name."""
        for name, wire in self._driven.items():
            yield name, wire.level(*map(self._sim.read_u32, wire.registers()))

    def run_until(self, t: int) -> None:
        """Run until `t` [ns]. RuntimeError: it has stopped."""
        cycles = t * self._hertz // SECOND - self._sim.cycles
        if cycles <= 0:
            return
        reason = self._sim.run_for(f"{-(-cycles * SECOND // self._hertz)}ns")
        if reason.kind != "reached":
            raise RuntimeError(f"the core has {reason.kind}")

    def hear(self, time: int, controller: str, frame: Frame) -> None:
        """Give a controller a frame at its time [ns]."""
        kind = {"extended": frame.extended, "fd": frame.fd, "bitrate_switch": frame.brs, "remote": frame.remote}
        try:
            self._sim.inject_can(controller, frame.id, frame.data or bytes(frame.length), **kind)
        except ValueError as error:
            found = _REASON.match(str(error))
            if found is None:
                raise
            if found[1] != _FILTERED:
                self.lose(time, controller, frame, found[1])

    def sent(self) -> Iterator[tuple[str, Frame]]:
        """Yield what it has sent since the last call, with its controllers."""
        for each in self._sim.frames():
            of: dict[str, Any] = each["payload"]
            if of.get("protocol") == "can" and of["direction"] == "tx":
                data = bytes(of["data"])
                frame = Frame(of["id"], data, of["extended"], of["remote"], of["fd"], of["bitrate_switch"])
                yield each["bus"], frame._replace(data=b"", length=len(data)) if frame.remote else frame

    def printed(self) -> str:
        """Return what came out of its UARTs since the last call."""
        return str(self._sim.read_uart())

    def lose(self, time: int, controller: str, frame: Frame, reason: str) -> None:
        """Count a frame that is lost; the first for a reason is told."""
        key = (controller, reason)
        if not self.lost[key]:
            _say(f"({controller} has lost {frame.line()} at {time / SECOND:.9g} s: {reason})")
        self.lost[key] += 1


def spread(heard: list[tuple[str, Frame]], until: int) -> list[tuple[int, str, Frame]]:
    """Return frames by the times when they come, those of one tick and controller evenly up to the next tick."""
    times = sorted({frame.time for _, frame in heard})
    after = dict(zip(times, [*times, until][1:], strict=True))
    count = Counter((frame.time, controller) for controller, frame in heard)
    come: Counter[tuple[int, str]] = Counter()
    spread_out = []
    for controller, frame in heard:
        place = (frame.time, controller)
        at = frame.time + (after[frame.time] - frame.time) * come[place] // count[place]
        spread_out.append((at, controller, frame))
        come[place] += 1
    return sorted(spread_out, key=lambda one: one[0])


def main(elf: str, name: str, chip: str, hertz: str, pins: str, *controllers: str) -> int:
    """Take turns until the end of the run; return the exit status."""
    bench = Lockstep()
    try:
        core = Core(elf, chip, int(hertz), pins)
    except (OSError, ValueError) as error:
        return _stop(f"{name} cannot be emulated: {error}")
    wired = dict(zip(controllers, bench.buses, strict=True))
    while bench.tick():
        heard = [(controller, frame) for controller, bus in wired.items() for frame in bus.receive()]
        core.set_pins(bench.pins)
        try:
            for time, controller, frame in spread(heard, bench.time):
                core.run_until(time)
                core.hear(time, controller, frame)
            core.run_until(bench.time)
        except RuntimeError as error:
            return _stop(f"{core.printed()}{name} has crashed: {error}")
        if printed := core.printed():
            sys.stdout.write(printed)
            sys.stdout.flush()
        for pin, level in core.driven():
            bench.drive(pin, level)
        for controller, frame in core.sent():
            if controller in wired:
                wired[controller].send(frame)
            else:
                core.lose(bench.time, controller, frame, "it is on no bus of the bench")
    for (controller, reason), count in core.lost.items():
        _say(f"({controller} has lost {count} in all: {reason})")
    return 0


def _stop(words: str) -> int:
    _say(words)
    return _CANNOT


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
