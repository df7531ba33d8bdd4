"""Runs firmware of a microcontroller on labwired, as a lockstep client: emulator.py ELF NAME CHIP HERTZ CONTROLLER ...

The emulated core is where the bench is: before its turn at T it has run up to T, and what it has sent since its last
turn is on the bus at T. A frame is at its controller when it was on the bus; several of one tick come one after the
other, evenly over the time until the next, as a wire carries them: a controller has room for three. What a controller
does not take (its clock is off, its queue is full) is lost as on the wire, and told.
"""

import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import labwired

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links.slcan import format_frame, parse_frame
from hilbridge.frames.codec.frame import BRS, EXTENDED, EXTENDED_MASK, FD, REMOTE, Frame

_FILTERED: Final = "no active acceptance filter matches"
_REASON: Final = re.compile(r".*did not receive the frame: (.*)")
_CANNOT: Final = 126


class _Heard(NamedTuple):
    """A frame that comes to a controller at a time [ns]."""

    time: int
    controller: str
    frame: Frame


class Core:
    """An emulated microcontroller. `lost`: frames that its controllers did not take, by reason."""

    def __init__(self, elf: str, chip: str, hertz: int) -> None:
        """OSError, ValueError: it cannot be emulated."""
        self.lost: Final[Counter[tuple[str, str]]] = Counter()
        self._hertz: Final = hertz
        with tempfile.TemporaryDirectory() as folder:
            system = Path(folder, "system.yaml")
            described = {"name": "ecu", "chip": chip, "cpu_hz": hertz, "external_devices": [], "board_io": []}
            system.write_text(json.dumps(described), encoding="utf-8")  # JSON is YAML
            self._sim: Final = labwired.Sim(elf, system=str(system))

    def run_until(self, t: int) -> None:
        """Run until `t` [ns]. RuntimeError: it has stopped."""
        cycles = t * self._hertz // SECOND - self._sim.cycles
        if cycles <= 0:
            return
        reason = self._sim.run_for(f"{-(-cycles * SECOND // self._hertz)}ns")
        if reason.kind != "reached":
            raise RuntimeError(f"the core has {reason.kind}")

    def hear(self, heard: _Heard) -> None:
        """Give a controller a frame."""
        can_id, data, flags = heard.frame
        try:
            self._sim.inject_can(
                heard.controller,
                can_id & EXTENDED_MASK,
                data if not can_id & REMOTE else b"",
                extended=bool(can_id & EXTENDED),
                fd=bool(flags & FD),
                bitrate_switch=bool(flags & BRS),
                remote=bool(can_id & REMOTE),
            )
        except ValueError as error:
            found = _REASON.match(str(error))
            if found is None:
                raise
            if found[1] != _FILTERED:
                self.lose(heard, found[1])

    def sent(self) -> Iterator[tuple[str, Frame]]:
        """Yield what it has sent since the last call, with its controllers."""
        for each in self._sim.frames():
            payload: dict[str, Any] = each["payload"]
            if payload.get("protocol") == "can" and payload["direction"] == "tx":
                can_id = payload["id"] | payload["extended"] * EXTENDED | payload["remote"] * REMOTE
                yield (
                    each["bus"],
                    Frame(can_id, bytes(payload["data"]), payload["fd"] * FD | payload["bitrate_switch"] * BRS),
                )

    def printed(self) -> str:
        """Return what came out of its UARTs since the last call."""
        return str(self._sim.read_uart())

    def lose(self, heard: _Heard, reason: str) -> None:
        """Count a frame that is lost; the first for a reason is told."""
        key = (heard.controller, reason)
        if not self.lost[key]:
            line = format_frame(heard.frame)[:-1].decode()
            _say(f"({heard.controller} has lost {line} at {heard.time / SECOND:.9g} s: {reason})")
        self.lost[key] += 1


def spread(heard: list[tuple[int, str, Frame]], until: int) -> list[_Heard]:
    """Return frames by the times when they come, those of one tick and controller evenly up to the next tick."""
    times = sorted({t for t, _, _ in heard})
    after = dict(zip(times, [*times, until][1:], strict=True))
    count = Counter((t, controller) for t, controller, _ in heard)
    come: Counter[tuple[int, str]] = Counter()
    spread_out = []
    for t, controller, frame in heard:
        place = (t, controller)
        spread_out.append(_Heard(t + (after[t] - t) * come[place] // count[place], controller, frame))
        come[place] += 1
    return sorted(spread_out, key=lambda one: one.time)


def turn(lines: Mapping[str, BinaryIO]) -> tuple[int, list[tuple[int, str, Frame]]] | None:
    """Return the time of the next turn, and what was on the buses; None: the run is over."""
    heard: list[tuple[int, str, Frame]] = []
    t = 0
    for controller, bus in lines.items():
        for line in bus:
            first, _, rest = line.rstrip(b"\n").partition(b" ")
            if first == b"done":
                t = int(rest)
                break
            if first == b"end":
                return None
            if first.isdigit() and (frame := parse_frame(rest)) is not None:
                heard.append((int(first), controller, frame))
        else:  # the bench has gone
            return None
    return t, heard


def main(elf: str, name: str, chip: str, hertz: str, *controllers: str) -> int:
    """Take turns until the end of the run; return the exit status."""
    descriptors = [int(one) for one in os.environ["HILBRIDGE_LOCKSTEP"].split(",")]
    lines = {one: os.fdopen(each, "rb") for one, each in zip(controllers, descriptors, strict=True)}
    answers = {one: os.fdopen(os.dup(each), "wb") for one, each in zip(controllers, descriptors, strict=True)}
    try:
        core = Core(elf, chip, int(hertz))
    except (OSError, ValueError) as error:
        return _stop(f"{name} cannot be emulated: {error}")
    while (given := turn(lines)) is not None:
        t, heard = given
        try:
            for one in spread(heard, t):
                core.run_until(one.time)
                core.hear(one)
            core.run_until(t)
        except RuntimeError as error:
            return _stop(f"{core.printed()}{name} has crashed: {error}")
        if printed := core.printed():
            sys.stdout.write(printed)
            sys.stdout.flush()
        for controller, frame in core.sent():
            if controller in answers:
                answers[controller].write(format_frame(frame)[:-1] + b"\n")
            else:
                core.lose(_Heard(t, controller, frame), "it is on no bus of the bench")
        for answer in answers.values():
            answer.write(b"done %d\n" % t)
            answer.flush()
    for (controller, reason), count in core.lost.items():
        _say(f"({controller} has lost {count} frames: {reason})")
    return 0


def _stop(words: str) -> int:
    _say(words)
    return _CANNOT


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
