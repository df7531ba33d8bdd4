"""`hilbridge calibrate BENCH [INPUT]`: finds the ends of pedals, levers and wheels, for the bench file."""

import argparse
import select
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TextIO

from hilbridge.base.common.errors import ConfigurationError, KeyPath, LinkError
from hilbridge.faces.calibrate.bench_change import BenchChange
from hilbridge.faces.calibrate.readings import (
    OwnDevice,
    RawReadings,
    Readings,
    calibrated,
    find_input,
    input_name,
    running_bench,
)
from hilbridge.faces.calibrate.wizard import RefusedCalibrationError, Step, Wizard
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.settings import InputSignal

_INTERVAL: Final = 0.02
"""[s] between two readings."""
_HOLD: Final = 30
"""Readings of a step, from Enter on: 0.6 s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the bench, the input and the controls."""
    parser.add_argument(
        "bench", metavar="BENCH", help="path of the bench file, which is changed in the end if you agree"
    )
    parser.add_argument(
        "input", metavar="INPUT", nargs="?", help="its number from 1, port or device; default: the only one"
    )
    parser.add_argument(
        "--control", metavar="NAME", action="append", help="calibrate this control alone; may be repeated"
    )


def run(args: argparse.Namespace) -> int:
    """Ask, measure, show the difference, write it; exit status 0, 1 when nothing was written."""
    return converse(args, Terminal(sys.stdin, sys.stdout))


class Terminal:
    """Where someone reads and types: a terminal, or the two ends of a pipe."""

    def __init__(self, keyboard: TextIO, screen: TextIO) -> None:
        self._keyboard: Final = keyboard
        self._screen: Final = screen

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, file=self._screen, flush=True)

    def draw(self, text: str) -> None:
        """Print over the line at hand; in a pipe nothing."""
        if self._screen.isatty():
            print(f"\r{text}\x1b[K", end="", file=self._screen, flush=True)

    def typed(self, seconds: float) -> str | None:
        """Return the line that was typed within some time, None if there was none. EOFError: there will be none."""
        if not select.select([self._keyboard], [], [], seconds)[0]:
            return None
        line = self._keyboard.readline()
        if not line:
            raise EOFError
        return line.strip()

    def answer(self, question: str) -> str:
        """Return the answer to a question; empty at the end of the input."""
        print(question, end="", file=self._screen, flush=True)
        return self._keyboard.readline().strip()


def converse(args: argparse.Namespace, terminal: Terminal) -> int:
    """Calibrate on this terminal; return the exit status."""
    bench = load_bench(args.bench)
    number = find_input(bench.settings, args.input)
    settings = bench.settings.inputs[number]
    controls = calibrated(settings, bench.settings)
    if unknown := [name for name in args.control or () if name not in controls]:
        raise ConfigurationError(f"{unknown[0]} is none of {', '.join(controls)}")
    readings = _open(bench, number, terminal)
    terminal.say(
        f"{settings.source} {input_name(settings)}: Enter goes on, s and Enter skips a control, q and Enter ends."
    )
    place: KeyPath = ("inputs", number, "signals")
    found: dict[KeyPath, Mapping[str, Any]] = {}
    try:
        for name in args.control or controls:
            keys = _calibrate(name, Wizard(*controls[name]), readings, terminal)
            if keys is not None:
                found[*place, name] = keys
    except EOFError:
        terminal.say("ended; nothing is written")
        return 1
    finally:
        readings.close()
    return _write(bench.path, found, terminal)


def _open(bench: BenchFile, number: int, terminal: Terminal) -> Readings:
    running = running_bench(bench.settings, number)
    if running is not None:
        terminal.say(f"bench {bench.settings.name} runs: it is asked, and moves with what you press.")
        return running
    place: KeyPath = ("inputs", number)
    try:
        return OwnDevice(bench.settings.inputs[number], place, bench.settings)
    except (ConfigurationError, LinkError) as error:
        raise bench.locate(ConfigurationError(str(error), place)) from error


def _calibrate(name: str, wizard: Wizard, readings: Readings, terminal: Terminal) -> dict[str, Any] | None:
    """Return the keys of one control, None if it was skipped. EOFError: the end was asked for."""
    terminal.say(f"\n{name} ({', '.join(wizard.fields)})")
    while (step := wizard.step) is not None:
        if not _ask(name, step, wizard, readings, terminal):
            return None
        for _ in range(_HOLD):
            raw = readings.read(time.monotonic_ns())
            wizard.observe(raw)
            terminal.draw(_position(wizard, raw, readings.trouble))
            time.sleep(_INTERVAL)
        terminal.say("")
        try:
            wizard.advance()
        except RefusedCalibrationError as error:
            terminal.say(f"  refused: {error}")
    keys = wizard.keys()
    InputSignal.model_validate(keys)
    terminal.say(f"  {', '.join(f'{key}: {value}' for key, value in keys.items())}")
    return keys


def _ask(name: str, step: Step, wizard: Wizard, readings: Readings, terminal: Terminal) -> bool:
    """Show where the control stands until Enter is pressed; return False to skip it."""
    terminal.say(f"  {name}: {step.words}, then Enter")
    while (typed := terminal.typed(_INTERVAL)) is None:
        raw = readings.read(time.monotonic_ns())
        terminal.draw(_position(wizard, raw, readings.trouble))
    if typed == "q":
        raise EOFError
    return typed != "s"


def _position(wizard: Wizard, raw: RawReadings, trouble: str) -> str:
    """Return the raw and the calibrated value of each field, or why there is none."""
    parts = [
        f"{field} {'-' if raw.get(field) is None else raw[field]}" + ("" if share is None else f" = {share:.0%}")
        for field, share in zip(wizard.fields, wizard.shares(raw), strict=True)
    ]
    return f"    {trouble or '   '.join(parts)}"


def _write(path: Path, found: Mapping[KeyPath, Mapping[str, Any]], terminal: Terminal) -> int:
    if not found:
        terminal.say("nothing to write")
        return 1
    changed = BenchChange(path, found)
    terminal.say(f"\n{changed.difference()}")
    if terminal.answer("write this? y and Enter: ").lower() != "y":
        terminal.say("nothing is written")
        return 1
    changed.write()
    terminal.say(f"{path} is written; a bench that runs takes it over with `hilbridge ctl reload`")
    return 0
