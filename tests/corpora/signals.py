"""What `hilbridge new --from` recognizes in the databases of opendbc, judged by the cars that opendbc drives.

The judge is openpilot's code that reads a car (`car/*/carstate.py`): an assignment such as
`ret.gasPressed = cp.vl["ENGINE_DATA"]["PEDAL_GAS"] > 0` says which signal carries the accelerator pedal. By kind of
value: found, given as a guess, not found, and wrong (mapped to another value).
"""

import ast
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cantools.database.can import Message

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.draft.recognition import Certainty, recognize
from hilbridge.frames.codec.database import Database, load_database
from hilbridge.frames.codec.expression import parse
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES, find

from .databases import found_files

FIELDS = {
    "parse_wheel_speeds[1]": ("wheel speeds", "chassis.WheelSpeedFrontLeft"),
    "parse_wheel_speeds[2]": ("wheel speeds", "chassis.WheelSpeedFrontRight"),
    "parse_wheel_speeds[3]": ("wheel speeds", "chassis.WheelSpeedRearLeft"),
    "parse_wheel_speeds[4]": ("wheel speeds", "chassis.WheelSpeedRearRight"),
    "vEgoRaw": ("road speed", "vehicle.Speed"),
    "gasPressed": ("accelerator pedal", "input.Throttle"),
    "brakePressed": ("brake pedal", "input.Brake"),
    "brake": ("brake pressure", "chassis.BrakePressure"),
    "steeringAngleDeg": ("steering angle", "chassis.SteeringWheelAngle"),
    "steeringTorque": ("steering torque", "chassis.SteeringTorque"),
    "yawRate": ("yaw rate", "chassis.YawRate"),
    "leftBlinker": ("turn signals", "body.LeftTurn"),
    "rightBlinker": ("turn signals", "body.RightTurn"),
    "update_blinker_from_lamp[1]": ("turn signals", "body.LeftTurn"),
    "update_blinker_from_lamp[2]": ("turn signals", "body.RightTurn"),
    "update_blinker_from_stalk[1]": ("turn signals", "body.LeftTurn"),
    "update_blinker_from_stalk[2]": ("turn signals", "body.RightTurn"),
    "doorOpen": ("doors", "body.Door"),
    "seatbeltUnlatched": ("belt", "body.Belt"),
    "parkingBrake": ("parking brake", "brake"),
    "gearShifter": ("gear", "vehicle.Gearbox"),
    "gear": ("gear", "vehicle.Gearbox"),
    "can_gear": ("gear", "vehicle.Gearbox"),
    "cruiseState.available": ("cruise control", "body.CruiseState"),
    "cruiseState.enabled": ("cruise control", "body.CruiseState"),
    "cruiseState.speed": ("cruise set speed", "body.CruiseSpeed"),
}
"""The fields of openpilot's car state: the kind of value, and how the name of our value begins, or is contained."""

ALSO = {
    "body.LeftTurn": "body.TurnSignal",
    "body.RightTurn": "body.TurnSignal",
    "body.Door": "body.Boot",
    "input.Brake": "chassis.BrakePressure",
    "chassis.BrakePressure": "input.Brake",
    "vehicle.Gearbox": "body.SelectorShown",
}
"""Another value that serves as well."""

NO_JUDGE = {
    (
        "chrysler",
        "WHEEL_SPEED_RR",
    ): "the mean of all wheels is all that opendbc needs, and it has these in another order",
    ("chrysler", "WHEEL_SPEED_FR"): "as the one before",
    ("toyota", "STEER_FRACTION"): "a fraction of STEER_ANGLE beside it",
    ("chrysler", "STEERING_ANGLE_HP"): "a fraction of STEERING_ANGLE beside it",
    ("tesla", "DI_digitalSpeed"): "the speed that is displayed, of which opendbc takes the set speed",
}
"""Signals of which the judge says another thing than their names and places do."""


STATES = {
    "brakePressed": {"input.Brake": 1.0},
    "leftBlinker": {"body.LeftTurn": 1.0, "body.TurnSignal": 1.0},
    "rightBlinker": {"body.RightTurn": 1.0, "body.TurnSignal": 2.0},
    "doorOpen": dict.fromkeys(
        [f"body.Door{place}" for place in ("FrontLeft", "FrontRight", "RearLeft", "RearRight")], 1.0
    ),
    "seatbeltUnlatched": {"body.BeltDriver": 0.0},
    "parkingBrake": {"input.Handbrake": 1.0},
    "cruiseState.available": {"body.CruiseState": 1.0},
    "cruiseState.enabled": {"body.CruiseState": 2.0},
}
"""The state of our car in which a field of theirs is true."""


class Said(NamedTuple):
    """What the judge says of a signal; `true_at`: the number at which `field` is true, None where it is no such."""

    maker: str
    message: str
    signal: str
    kind: str
    value: str
    field: str
    true_at: float | None


def judged() -> list[Said]:
    """Return what openpilot's code says, each signal of a maker once."""
    said: dict[tuple[str, str, str], Said] = {}
    for path in sorted(Path(str(files("opendbc"))).glob("car/*/carstate.py")):
        for field, node in _assignments(ast.parse(path.read_text(encoding="utf-8"))):
            if field in FIELDS:
                for message, signal in _signals(node):
                    key = (path.parent.name, message, signal)
                    said.setdefault(key, Said(*key, *FIELDS[field], field, _true_at(node)))
    return list(said.values())


def _assignments(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield ast.unparse(target).removeprefix("ret."), node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            for place, argument in enumerate(node.args):
                yield f"{node.func.attr}[{place}]", argument


def _signals(tree: ast.expr) -> Iterator[tuple[str, str]]:
    """Yield message and signal of each `cp.vl["MESSAGE"]["SIGNAL"]`."""
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Attribute(attr="vl"), slice=ast.Constant(value=str(message))),
                slice=ast.Constant(value=str(signal)),
            ):
                yield message, signal


def _true_at(node: ast.expr) -> float | None:
    """Return the number of the one signal at which a comparison with it is true."""
    match node:
        case ast.Compare(left=ast.Subscript(), ops=[ast.Eq()], comparators=[ast.Constant(value=int(number))]):
            return float(number)
        case ast.Compare(left=ast.Subscript(), ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return 1.0
        case _:
            return None


def _in_state(origin: str, state: dict[str, float]) -> float:
    """Return the value of an origin while our car is in a state."""
    data = DataBus()
    for path, number in state.items():
        channel, index = find(path) or (0, 0)
        data.channels[channel][index] = round(number * ENTRIES[channel][index].resolution)
    return parse(origin).value(data.channels)


def verdicts() -> Iterator[tuple[Said, str, str]]:
    """Yield each signal that the judge knows and a database has, with the verdict and what it was taken for."""
    with TemporaryDirectory() as scratch:
        databases = list(_databases(Path(scratch)))
    for one in judged():
        message = _message(one, databases)
        if message is not None and (one.maker, one.signal) not in NO_JUDGE:
            yield one, *verdict_of(one, message)


def main(_folders: list[Path]) -> int:
    counts: dict[str, Counter[str]] = {}
    for one, verdict, origin in verdicts():
        counts.setdefault(one.kind, Counter())[verdict] += 1
        if verdict != "found":
            print(f"{verdict}: {one.maker} {one.message}.{one.signal}: {one.kind}{origin and f', taken for {origin}'}")
    print(f"\n{'':20}" + "".join(f"{verdict:>12}" for verdict in VERDICTS))
    for kind, numbers in sorted(counts.items()):
        print(f"{kind:20}" + "".join(f"{numbers[verdict]:12}" for verdict in VERDICTS))
    total = sum(counts.values(), Counter[str]())
    parts = ", ".join(f"{total[verdict] / total.total():.0%} {verdict}" for verdict in VERDICTS)
    print(f"\n{total.total()} signals: {parts}")
    return 1 if total["wrong"] > total.total() * 0.02 else 0


VERDICTS = ("found", "guess", "missed", "wrong")


def verdict_of(said: Said, message: Message) -> tuple[str, str]:
    """Return what the recognition makes of a signal, and the value that it takes it for."""
    finding = next((one for one in recognize(message) if one.signal.name == said.signal), None)
    if finding is None:
        return "missed", ""
    fits = any(value.lower() in finding.origin.lower() for value in (said.value, ALSO.get(said.value, said.value)))
    if finding.certainty is Certainty.GUESS:
        return "guess", finding.origin
    if said.true_at is not None and said.field in STATES:
        number = _in_state(finding.origin, STATES[said.field])
        if number != said.true_at:
            return "wrong", f"{finding.origin}, which is {number:g} and not {said.true_at:g}"
    return ("found" if fits else "wrong"), finding.origin


def _databases(scratch: Path) -> Iterator[tuple[str, Database]]:
    for path in found_files([], scratch):
        try:
            yield path.stem, load_database(path)
        except ConfigurationError:
            continue


def _message(said: Said, databases: list[tuple[str, Database]]) -> Message | None:
    """Return the message in a database of the maker, or None."""
    makers = {"volkswagen": ["vw"], "honda": ["honda", "acura"]}
    for name, database in databases:
        if any(word in name for word in makers.get(said.maker, [said.maker])):
            try:
                message = database.message(said.message)
            except ConfigurationError:
                continue
            if any(signal.name == said.signal for signal in message.signals):
                return message
    return None
