"""The dash profiles: what engine control units of other makers say, read back by tables of their own.

The tables are written from the makers' published layouts, not from the databases, and no code of the codec reads them:

    identifier period:  quantity place scale [offset], ...

A place is `u16be@0`: kind, bits, byte order, first byte; or `bit@7.3`. A page is `1000/3`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from haltech_mock import protocol

from hilbridge.base.resources import Kind, names
from hilbridge.testing import VirtualBench
from vehiclesim.entries import ENTRIES

HALTECH = """
0x360 20: rpm u16be@0 1, manifold u16be@2 0.1, throttle u16be@4 0.1
0x361 20: fuel_p u16be@0 0.1 -101.3, oil_pressure u16be@2 0.1 -101.3, pedal u16be@4 0.1
0x362 20: advance s16be@4 0.1
0x368 50: lambda u16be@0 0.001
0x36C 50: front_left u16be@0 0.1, front_right u16be@2 0.1, rear_left u16be@4 0.1, rear_right u16be@6 0.1
0x36E 50: limiter bit@1.0
0x370 50: speed u16be@0 0.1, gear u16be@2 1
0x371 100: fuel_cc u16be@0 1
0x372 100: battery u16be@0 0.1, barometer u16be@6 0.1
0x3E0 200: coolant_k u16be@0 0.1, intake_k u16be@2 0.1, outside_k u16be@4 0.1, oil_k u16be@6 0.1
0x3E1 200: gearbox_k u16be@0 0.1
0x3E2 200: tank u16be@0 0.1, fuel_rate u16be@2 0.01
0x3E3 200: short_trim s16be@0 0.1, long_trim s16be@4 0.1
0x3E4 200: brake bit@1.5, clutch bit@1.6, mil bit@7.0, left bit@7.3, right bit@7.4, beam bit@7.5, hand_brake bit@7.6
"""

MEGASQUIRT = """
1512 50: manifold u16be@0 0.1, rpm u16be@2 1, coolant_f s16be@4 0.1, throttle s16be@6 0.1
1513 50: intake_f s16be@4 0.1, advance s16be@6 0.1
1514 50: afr_target u8@0 0.1, afr u8@1 0.1, correction s16be@2 0.1
1515 50: battery s16be@0 0.1
1516 50: speed_ms u16be@0 0.1
"""

MEGASQUIRT_BROADCAST = """
1520 50: seconds u16be@0 1, rpm u16be@6 1
1521 50: advance s16be@0 0.1
1522 50: barometer s16be@0 0.1, manifold s16be@2 0.1, intake_f s16be@4 0.1, coolant_f s16be@6 0.1
1523 50: throttle s16be@0 0.1, battery s16be@2 0.1, afr s16be@4 0.1
1524 50: correction s16be@2 0.1
1528 50: air_mass u16be@6 0.01
1553 50: gear s8@6 1
1562 50: speed_ms u16be@0 0.1
"""

EMU = """
0x600 20: rpm u16le@0 1, throttle u8@2 0.5, intake s8@3 1, manifold u16le@4 1
0x602 50: speed u16le@0 1, barometer u8@2 1, oil u8@3 1, oil_bar u8@4 0.0625, fuel_bar u8@5 0.0625, coolant s16le@6 1
0x603 50: advance s8@0 0.5, lambda u8@2 0.0078125, correction u8@3 0.5
0x604 50: gear u8@0 1, battery u16le@2 0.027, brake bit@6.7
0x607 100: lambda_target u8@4 0.01, litres u16le@6 0.01
"""

MAXXECU = """
0x520 20: rpm u16le@0 1, throttle u16le@2 0.1, manifold u16le@4 0.1, lambda u16le@6 0.001
0x521 20: lambda u16le@0 0.001, advance s16le@4 0.1
0x522 20: speed u16le@6 0.1
0x523 50: speed u16le@0 0.1
0x524 100: short_trim s16le@2 0.1
0x527 100: lambda_target s16le@6 0.001
0x530 100: battery u16le@0 0.01, barometer u16le@2 0.1, intake s16le@4 0.1, coolant s16le@6 0.1
0x536 100: gear s16le@0 1, oil_pressure s16le@4 0.1, oil s16le@6 0.1
0x540 100: tank u16le@2 0.1, gearbox s16le@4 0.1
"""

LINK = """
0x3E8 50: rpm u16be@0 1, manifold u16be@2 1 -100, coolant u8@4 1 -50, intake u8@5 1 -50, battery u8@6 .1, oil u8@7 1 -50
0x3E9 50: throttle u16be@0 0.1, advance u16be@2 0.1 -100, speed u8@4 1, oil_pressure u8@5 10, fuel_p u8@6 10
0x3EA 50: lambda u16be@0 0.001, barometer u16be@6 0.1
0x3EB 50: gear u8@0 1
"""

LINK_DISPLAY = """
1000/0 260: rpm u16le@2 1, manifold u16le@4 1, boost u16le@6 1 -100
1000/1 260: barometer u16le@2 0.1, throttle u16le@4 0.1
1000/2 260: coolant u16le@6 1 -50
1000/3 260: intake u16le@2 1 -50, battery u16le@4 0.01, air_mass u16le@6 0.1
1000/4 260: gear u16le@2 1, advance u16le@6 0.1 -100
1000/5 260:
1000/6 260: lambda u16le@4 0.001
1000/7 260: fuel_p u16le@6 1
1000/8 260: oil u16le@2 1 -50, oil_pressure u16le@4 1, speed u16le@6 0.1
1000/9 260: speed u16le@2 0.1, front_right u16le@4 0.1, rear_right u16le@6 0.1
1000/10 260:
1000/11 260:
1000/12 260:
"""

AEM_INFINITY = """
0x01F0A000 20: rpm u16be@0 0.39063, throttle u16be@4 0.0015259, intake s8@6 1, coolant s8@7 1
0x01F0A003 20: lambda u8@0 0.00390625 0.5, speed u16be@2 0.0062865, gear u8@4 1, advance u8@5 0.35156 -17, battery u16be@6 0.0002455
0x01F0A004 20: manifold u16be@0 0.1, oil_psi u8@4 0.580151, lambda_target u8@5 0.00390625 0.5, mil bit@6.6
0x01F0A005 50: air_mass u16be@2 0.05, brake bit@7.0, clutch bit@7.1
0x01F0A007 50: oil u8@6 1 -50
0x01F0A008 50: gearbox u8@0 1 -50
0x01F0A00D 20: pedal u8@0 0.392157
"""  # noqa: E501 - a row of the table

EMTRON = """
1250 20: rpm u16le@0 1, manifold u16le@2 0.1, coolant u16le@4 0.1 -50, intake u16le@6 0.1 -50
1251 20: throttle u16le@0 0.1 -100, gear u16le@4 1, battery u16le@6 0.001
1252 50: oil_pressure u16le@0 0.1, oil u16le@2 0.1 -50, fuel_p u16le@4 0.1, outside u16le@6 0.1 -50
1254 50: lambda u16le@0 0.001, lambda_target u16le@4 0.001, speed u16le@6 0.1
1255 50: short_trim u16le@0 0.01 -100, long_trim u16le@4 0.01 -100
1256 20: advance u16le@2 0.1 -100, barometer u16le@4 0.1
1258 50: lateral_g u16le@2 0.01 -10, forward_g u16le@6 0.01 -10
"""

RUSEFI = """
0x200 50: limiter bit@4.0, mil bit@4.3, gear u8@5 1, trip_km u16le@6 0.1
0x201 50: rpm u16le@0 1, advance s16le@2 0.02, speed u8@6 1
0x202 50: pedal s16le@0 0.01, throttle s16le@2 0.01
0x203 50: manifold u16le@0 0.03333333, coolant u8@2 1 -40, intake u8@3 1 -40, gearbox u8@4 1 -40,\
 outside u8@5 1 -40, tank_percent u8@7 0.5
0x204 50: oil_pressure u16le@2 0.03333333, oil u8@4 1 -40, outside u8@5 1 -40, battery u16le@6 0.001
0x205 50: air_kgh u16le@2 0.01
0x206 50: fuel_g u16le@0 1, fuel_gs u16le@2 0.005, short_trim s16le@4 0.01
0x207 50: lambda u16le@0 0.0001, fuel_p u16le@4 0.03333333
"""

TABLES = {
    "dash-haltech": HALTECH,
    "dash-megasquirt": MEGASQUIRT,
    "dash-megasquirt-broadcast": MEGASQUIRT_BROADCAST,
    "dash-emu": EMU,
    "dash-maxxecu": MAXXECU,
    "dash-link": LINK,
    "dash-link-display": LINK_DISPLAY,
    "dash-aem-infinity": AEM_INFINITY,
    "dash-emtron": EMTRON,
    "dash-rusefi": RUSEFI,
}

Read = Callable[[str], float]

QUANTITIES: dict[str, Callable[[Read], float]] = {
    "rpm": lambda read: read("vehicle.EngineRpm"),
    "manifold": lambda read: read("auxiliary.IntakePressure"),
    "boost": lambda read: read("auxiliary.IntakePressure") - read("road.AirPressure"),
    "barometer": lambda read: read("road.AirPressure"),
    "throttle": lambda read: 100 * read("vehicle.ThrottleSignal"),
    "pedal": lambda read: 100 * read("input.Throttle"),
    "oil_pressure": lambda read: read("auxiliary.OilPressure"),
    "oil_bar": lambda read: read("auxiliary.OilPressure") / 100,
    "oil_psi": lambda read: read("auxiliary.OilPressure") / 6.894757,
    "fuel_p": lambda _: 300,
    "fuel_bar": lambda _: 3,
    "advance": lambda read: read("auxiliary.IgnitionAdvance"),
    "lambda": lambda read: read("auxiliary.Lambda"),
    "lambda_target": lambda read: read("auxiliary.CommandedLambda"),
    "afr": lambda read: 14.7 * read("auxiliary.Lambda"),
    "afr_target": lambda read: 14.7 * read("auxiliary.CommandedLambda"),
    "correction": lambda read: 100 + 100 * read("auxiliary.ShortFuelTrim"),
    "short_trim": lambda read: 100 * read("auxiliary.ShortFuelTrim"),
    "long_trim": lambda read: 100 * read("auxiliary.LongFuelTrim"),
    "front_left": lambda read: 3.6 * read("chassis.WheelSpeedFrontLeft"),
    "front_right": lambda read: 3.6 * read("chassis.WheelSpeedFrontRight"),
    "rear_left": lambda read: 3.6 * read("chassis.WheelSpeedRearLeft"),
    "rear_right": lambda read: 3.6 * read("chassis.WheelSpeedRearRight"),
    "speed": lambda read: 3.6 * abs(read("vehicle.Speed")),
    "speed_ms": lambda read: abs(read("vehicle.Speed")),
    "gear": lambda read: max(0, read("vehicle.GearboxGear")),
    "battery": lambda read: read("auxiliary.BatteryVoltage"),
    "coolant": lambda read: read("auxiliary.CoolantTemperature"),
    "coolant_k": lambda read: read("auxiliary.CoolantTemperature") + 273.15,
    "coolant_f": lambda read: read("auxiliary.CoolantTemperature") * 1.8 + 32,
    "intake": lambda read: read("auxiliary.IntakeTemperature"),
    "intake_k": lambda read: read("auxiliary.IntakeTemperature") + 273.15,
    "intake_f": lambda read: read("auxiliary.IntakeTemperature") * 1.8 + 32,
    "outside": lambda read: read("road.AmbientTemperature"),
    "trip_km": lambda read: read("auxiliary.Trip") / 1000,
    "outside_k": lambda read: read("road.AmbientTemperature") + 273.15,
    "oil": lambda read: read("auxiliary.OilTemperature"),
    "oil_k": lambda read: read("auxiliary.OilTemperature") + 273.15,
    "gearbox": lambda read: read("auxiliary.TransmissionTemperature"),
    "gearbox_k": lambda read: read("auxiliary.TransmissionTemperature") + 273.15,
    "tank": lambda read: read("auxiliary.FuelLevel"),
    "tank_percent": lambda read: 100 * read("auxiliary.FuelShare"),
    "litres": lambda read: read("auxiliary.FuelUsed"),
    "fuel_cc": lambda read: read("auxiliary.FuelFlow") * 1000 / 60,
    "fuel_rate": lambda read: read("auxiliary.FuelFlow"),
    "fuel_g": lambda read: 745 * read("auxiliary.FuelUsed"),
    "fuel_gs": lambda read: read("vehicle.EngineFuelRate"),
    "air_mass": lambda read: read("auxiliary.AirMassFlow"),
    "air_kgh": lambda read: 3.6 * read("auxiliary.AirMassFlow"),
    "seconds": lambda read: read("auxiliary.RunTime"),
    "lateral_g": lambda read: read("chassis.LateralAcceleration") / 9.80665,
    "forward_g": lambda read: read("chassis.Acceleration") / 9.80665,
    "limiter": lambda read: read("vehicle.EngineLimiter"),
    "mil": lambda read: read("auxiliary.IndicatorLamp"),
    "brake": lambda read: float(read("input.Brake") > 0.02),
    "clutch": lambda read: float(read("input.Clutch") > 0.02),
    "left": lambda read: read("body.LeftTurnLamp"),
    "right": lambda read: read("body.RightTurnLamp"),
    "beam": lambda read: read("body.MainBeam"),
    "hand_brake": lambda read: float(bool(read("body.ParkingBrake") or read("input.Handbrake") > 0.02)),
}


PLACES = {
    entry.path: (channel, index) for channel, entries in enumerate(ENTRIES) for index, entry in enumerate(entries)
}


class Field(NamedTuple):
    """A quantity of a frame, and how its bytes read."""

    quantity: str
    kind: str
    start: str
    scale: float
    offset: float

    def value(self, data: bytes) -> float:
        if self.kind == "bit":
            byte, bit = map(int, self.start.split("."))
            return float(data[byte] >> bit & 1)
        size = 2 if "16" in self.kind else 1
        order = "big" if self.kind.endswith("be") else "little"
        field = data[int(self.start) : int(self.start) + size]
        return int.from_bytes(field, order, signed=self.kind[0] == "s") * self.scale + self.offset  # type: ignore[arg-type]

    def limited(self, value: float) -> float:
        """What of a value the bits can say."""
        if self.kind == "bit":
            return value
        bits = 16 if "16" in self.kind else 8
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if self.kind[0] == "s" else (0, (1 << bits) - 1)
        return min(max(value, low * self.scale + self.offset), high * self.scale + self.offset)


Rows = dict[str, tuple[int, list[Field]]]


def rows(table: str) -> Rows:
    """Period [ms] and fields by identifier, and page where there are pages."""
    result: Rows = {}
    for line in table.strip().splitlines():
        head, _, rest = line.partition(":")
        identifier, period = head.split()
        fields = []
        for words in (one.split() for one in rest.split(",") if one.strip()):
            kind, start = words[1].split("@")
            scale, offset = (float(words[index]) if len(words) > index else 1.0 - (index == 3) for index in (2, 3))
            fields.append(Field(words[0], kind, start, scale, offset))
        number, _, page = identifier.partition("/")
        result[f"{int(number, 0)}/{page}"] = (int(period), fields)
    return result


HALTECH_CHANNELS = {
    "RPM": "rpm",
    "Manifold Pressure": "manifold",
    "Throttle Position": "throttle",
    "Fuel Pressure": "fuel_p",
    "Oil Pressure": "oil_pressure",
    "Engine Demand": "pedal",
    "Ignition Angle Leading": "advance",
    "Wideband Lambda 1": "lambda",
    "Wheel Speed FL": "front_left",
    "Wheel Speed RR": "rear_right",
    "Vehicle Speed": "speed",
    "Gear": "gear",
    "Fuel Flow": "fuel_cc",
    "Battery Voltage": "battery",
    "Barometric Pressure": "barometer",
    "Coolant Temperature": "coolant_k",
    "Air Temperature": "intake_k",
    "Oil Temperature": "oil_k",
    "Gearbox Oil Temperature": "gearbox_k",
    "Fuel Level": "tank",
    "Fuel Trim Short Bank 1": "short_trim",
    "Fuel Trim Long Bank 1": "long_trim",
}
"""What another program's decoder calls the quantities."""


class Dashes:
    """All dashes at once, each on a bus of its own; what differs from the vehicle of that tick is kept."""

    def __init__(self, bench: VirtualBench) -> None:
        self._data = bench.data
        self.tables = {name: rows(table) for name, table in TABLES.items()}
        self.times: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.wrong: list[tuple[str, str, str, float, float]] = []
        self.values: dict[str, set[float]] = defaultdict(set)
        self.unknown: set[tuple[str, int]] = set()
        self.haltech: list[tuple[int, bytes, dict[str, float]]] = []
        for index, name in enumerate(TABLES):
            bench.parts.buses[f"b{index}"].attach_observer(self._listener(name))

    def _read(self, path: str) -> float:
        return self._data.read(*PLACES[path])

    def _listener(self, name: str) -> Callable[[int, int, bool, Any], None]:
        table = self.tables[name]

        def note(t: int, _bus: int, _received: bool, frame: Any) -> None:
            identifier = frame.can_id & 0x1FFFFFFF
            key = f"{identifier}/" if f"{identifier}/" in table else f"{identifier}/{frame.data[0]}"
            if key not in table:
                self.unknown.add((name, identifier))
                return
            self.times[name, key].append(t // 1_000_000)
            if name == "dash-haltech":
                wanted_now = {one: QUANTITIES[one](self._read) for one in HALTECH_CHANNELS.values()}
                self.haltech.append((identifier, bytes(frame.data), wanted_now))
            for field in table[key][1]:
                wanted, shown = QUANTITIES[field.quantity](self._read), field.value(frame.data)
                self.values[field.quantity].add(shown)
                if wanted == wanted and abs(shown - field.limited(wanted)) > 0.5 * field.scale + 1e-3:
                    self.wrong.append((name, key, field.quantity, wanted, shown))

        return note


def bench_file(folder: Path) -> Path:
    """One vehicle and ten dashes."""
    lines = ["name: dashes", "vehicle: compact", "buses:"]
    lines += [f"  b{index}: {{profile: {name}, interface: embedded}}" for index, name in enumerate(TABLES)]
    file = folder / "dashes.yaml"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


STEPS: list[tuple[float, dict[str, float]]] = [
    (2.0, {"input.Throttle": 1, "fault.LeanMixture": 0.1}),
    (2.0, {"body.TurnSignal": 1, "body.MainBeam": 1, "body.ParkingBrake": 1, "input.Steer": 0.1}),
    (1.0, {"body.TurnSignal": 2, "body.MainBeam": 0, "body.ParkingBrake": 0, "input.Steer": 0}),
    (2.0, {"input.Clutch": 1, "input.Throttle": 0.05, "input.Brake": 0.4, "road.AirPressure": 95}),
    (1.0, {"input.ManualGear": 2, "input.Clutch": 0, "input.Brake": 0, "road.AmbientTemperature": 5}),
]
"""Seconds, and what is set at their beginning."""


@pytest.fixture(scope="module")
def dashes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dashes]:
    """Ten seconds with a warm engine, in which pedals, gear, lights and weather move."""
    file = bench_file(tmp_path_factory.mktemp("dashes"))
    with VirtualBench(file, start={"speed": 60, "gear": 3, "coolant": 88}) as bench:
        dashes = Dashes(bench)
        bench.advance(2)
        for seconds, entries in STEPS:
            for entry, value in entries.items():
                bench.set(entry, value)
            bench.advance(seconds)
        yield dashes


def test_every_dash_profile_has_a_table() -> None:
    assert sorted(TABLES) == [name for name in names(Kind.PROFILE) if name.startswith("dash-")]


def test_dashes_read_the_vehicle_of_the_tick(dashes: Dashes) -> None:
    """To half a step of each value, or to the end of what its bits can say; nothing goes that no table has."""
    assert dashes.unknown == set()
    assert dashes.wrong == []


def test_another_decoder_reads_the_vehicle_of_haltechs_frames(dashes: Dashes) -> None:
    """haltech-mock, by the maker's list of 2.35: every channel that it finds is the vehicle's value of that tick."""
    decoder = protocol.Decoder(protocol.load_protocol())
    seen = set()
    for identifier, data, wanted in dashes.haltech:
        for channel, value in decoder.decode_frame(identifier, data).items():
            quantity = HALTECH_CHANNELS.get(channel)
            if quantity is not None and wanted[quantity] == wanted[quantity]:
                seen.add(channel)
                step = 1.0 if channel in ("RPM", "Gear", "Fuel Flow") else 0.1
                assert value == pytest.approx(wanted[quantity], abs=0.5 * step + 1e-3), channel
    assert seen == set(HALTECH_CHANNELS)


def test_what_dashes_show_has_moved(dashes: Dashes) -> None:
    """A value that never moves would agree with a wrong place."""
    still = {name for name, values in dashes.values.items() if len(values) < 2}
    assert still <= {"fuel_p", "fuel_bar", "limiter", "mil", "tank", "tank_percent", "gearbox", "oil"}
    assert {max(dashes.values[name]) for name in ("left", "right", "beam", "hand_brake", "brake")} == {1.0}


def test_frames_come_in_their_period(dashes: Dashes) -> None:
    """Exactly, tick for tick."""
    for name, table in dashes.tables.items():
        for key, (period, _) in table.items():
            times = dashes.times[name, key]
            gaps = {later - earlier for earlier, later in pairwise(times)}
            assert gaps == {period}, (name, key)
            assert len(times) >= 9_000 // period, (name, key)
