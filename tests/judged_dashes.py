"""Decoders of other people read what the dash profiles send: the rows `dashes` of judged.yaml.

    RealDash   frames of an XML file: identifier or page, place, byte order, conversion, and a number for what it is
    DBC        a database of the maker of the engine's control unit, read by cantools

The dashes run beside one vehicle for ten seconds. A value agrees where the decoder reads from each frame what the
vehicle had in that tick, to a step of its own conversion.
"""

import ast
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import cantools

from hilbridge.testing import VirtualBench

from .scenarios.test_dashes import PLACES, QUANTITIES, STEPS, TABLES, bench_file

REALDASH: Final[dict[tuple[str, str], str]] = {
    ("37", ""): "rpm", ("31", ""): "manifold", ("11", ""): "barometer", ("42", ""): "throttle", ("12", ""): "battery",
    ("14", "K"): "coolant_k", ("27", "K"): "intake_k", ("152", "K"): "oil_k",
    ("14", "F"): "coolant_f", ("14", "C"): "coolant", ("14", ""): "coolant",
    ("27", "F"): "intake_f", ("27", "C"): "intake", ("27", ""): "intake",
    ("152", "C"): "oil", ("152", ""): "oil", ("81", ""): "speed", ("64", ""): "speed", ("38", ""): "advance",
    ("254", ""): "lambda", ("0", ""): "afr", ("2", ""): "afr_target", ("17", ""): "correction", ("200", ""): "gear",
    ("151", "bar"): "oil_bar", ("202", "bar"): "fuel_bar", ("30", ""): "air_mass",
}  # fmt: skip
"""What the numbers of RealDash mean (its manual of target identifiers), with the unit where there are several."""

FOME: Final = {
    "RPM": "rpm", "MAP": "manifold", "CoolantTemp": "coolant", "IntakeTemp": "intake", "VehicleSpeed": "speed",
    "TPS1": "throttle", "IgnitionTiming": "advance", "Lam1": "lambda", "BattVolt": "battery", "PPS": "pedal",
    "OilPress": "oil_pressure", "OilTemperature": "oil", "CurrentGear": "gear", "DistanceTraveled": "trip_km",
    "FuelLevel": "tank_percent", "FuelFlow": "fuel_gs", "FuelTrim1": "short_trim", "EstMAF": "air_kgh",
}  # fmt: skip
"""Signals of FOME's database."""

Read = Callable[[bytes], float | None]


class Value(NamedTuple):
    """A value of a decoder: what it is, how it is read from the bytes of a frame (None: not there), and its step."""

    quantity: str
    read: Read
    step: float


class Verdict(NamedTuple):
    """A dash beside a decoder: frames by the value that they agree in, or do not."""

    row: dict[str, Any]
    right: Counter[str]
    wrong: Counter[str]

    def words(self) -> tuple[str, str]:
        """Return the values that agree, and those that do not."""
        others = sorted(self.wrong)
        return " ".join(sorted(set(self.right) - set(others))), " ".join(others)


def realdash(path: Path, means: Mapping[str, str]) -> Iterator[tuple[int, Value]]:
    """Yield the values of a RealDash file whose meaning we know, with the identifier of their frame.

    `means`: what a number means in this file, where it is something else.
    """
    for frame in ET.parse(path).iter("frame"):
        head, _, page = frame.get("id", "").partition(":")
        at = [int(one, 0) for one in page.split(",")] if page else []
        order = "big" if "big" in (frame.get("endianness"), frame.get("endianess")) else "little"
        for one in frame.iter("value"):
            target, unit = one.get("targetId", ""), one.get("units", "")
            quantity = means.get(target) or REALDASH.get((target, unit)) or REALDASH.get((target, ""))
            conversion = _linear(one.get("conversion", "V"))
            if quantity is None or conversion is None or one.get("offset") is None or one.get("length") is None:
                continue
            first, size, signed = int(one.get("offset", 0)), int(one.get("length", 0)), one.get("signed") == "true"
            read = _reader(first, size, order, signed, *conversion, at)
            yield int(head, 0), Value(quantity, read, abs(conversion[0]))


def _reader(first: int, size: int, order: Any, signed: bool, scale: float, offset: float, page: list[int]) -> Read:
    def read(data: bytes) -> float | None:
        if page and int.from_bytes(data[page[1] : page[1] + page[2]], order) != page[0]:
            return None
        return int.from_bytes(data[first : first + size], order, signed=signed) * scale + offset

    return read


def _linear(text: str) -> tuple[float, float] | None:
    """Return scale and offset of a conversion of sums and products with V; None: it has something else."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        offset, one, two = (_calculated(tree, v) for v in (0.0, 1.0, 2.0))
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None
    return (one - offset, offset) if abs(two - 2 * one + offset) < 1e-9 else None


def _calculated(node: ast.expr, v: float) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id="V"):
            return v
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_calculated(inner, v)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as sign, right=right):
            a, b = _calculated(left, v), _calculated(right, v)
            return (
                a + b if isinstance(sign, ast.Add) else a - b if isinstance(sign, ast.Sub)
                else a * b if isinstance(sign, ast.Mult) else a / b
            )  # fmt: skip
    raise ValueError


def database(path: Path) -> Iterator[tuple[int, Value]]:
    """Yield the values of FOME's database whose meaning we know."""
    whole = cantools.database.can.Database(strict=False)
    whole.add_dbc_string(path.read_text(encoding="utf-8"))
    for message in whole.messages:
        for signal in message.signals:
            if signal.name in FOME:
                read = _signal_reader(message, signal.name)
                yield message.frame_id, Value(FOME[signal.name], read, abs(float(signal.scale)))


def _signal_reader(message: Any, name: str) -> Read:
    return lambda data: float(message.decode(data, decode_choices=False, allow_truncated=True)[name])


def beside_dashes(folder: Path, rows: list[dict[str, Any]]) -> list[Verdict]:
    """Let each decoder read what its dash profile sends in ten seconds."""
    decoders: dict[str, Mapping[int, list[Value]]] = {}
    verdicts = {row["profile"]: Verdict(row, Counter(), Counter()) for row in rows}
    for row in rows:
        path = folder / row["project"] / row["file"]
        found: dict[int, list[Value]] = defaultdict(list)
        for identifier, value in database(path) if path.suffix == ".dbc" else realdash(path, row.get("means", {})):
            found[identifier].append(value)
        decoders[row["profile"]] = found
    with (
        tempfile.TemporaryDirectory() as scratch,
        VirtualBench(bench_file(Path(scratch)), start={"speed": 60, "gear": 3, "coolant": 88}) as bench,
    ):
        for index, name in enumerate(TABLES):
            if name in decoders:
                listener = _listener(bench, decoders[name], verdicts[name])
                bench.parts.buses[f"b{index}"].attach_observer(listener)
        bench.advance(2)
        for seconds, entries in STEPS:
            for entry, number in entries.items():
                bench.set(entry, number)
            bench.advance(seconds)
    return list(verdicts.values())


def _listener(bench: VirtualBench, decoder: Mapping[int, list[Value]], verdict: Verdict) -> Callable[..., None]:
    def note(_t: int, _bus: int, _received: bool, frame: Any) -> None:
        for one in decoder.get(frame.can_id & 0x1FFFFFFF, ()):
            shown = one.read(bytes(frame.data))
            wanted = QUANTITIES[one.quantity](lambda path: bench.data.read(*PLACES[path]))
            if shown is not None and wanted == wanted:
                agrees = abs(shown - wanted) <= one.step + 0.002 * abs(wanted)
                (verdict.right if agrees else verdict.wrong)[one.quantity] += 1

    return note
