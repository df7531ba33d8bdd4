"""Data identifiers: scaling, mirrored PIDs, stored bytes."""

import math
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from udsoncan import AsciiCodec, DidCodec

from hilbridge.base.common.errors import ConfigurationError
from vehiclesim.channels import AUXILIARY, NAN, VEHICLE, AuxiliaryData, VehicleData
from vehiclesim.entries import ENTRIES

from .tester import VIN, Tester, answers

PATHS = [entry.path for channel in ENTRIES for entry in channel]


def read(tester: Tester, number: str) -> bytes:
    answer = bytes.fromhex(tester.ask(f"22 {number}"))
    assert answer[:3] == bytes.fromhex(f"62 {number}")
    return answer[3:]


def test_identifiers_of_the_standard_need_no_settings() -> None:
    """F186 the session, F190 the VIN, F195 the version of the software."""
    tester = Tester(identifiers={}, memory=[], software="V 1.2")
    assert read(tester, "F186") == b"\x01"
    assert read(tester, "F190") == VIN.encode()
    assert read(tester, "F195") == b"V 1.2"


def test_f4xx_are_the_pids_of_obd() -> None:
    """Byte for byte; a PID that is not supported is no identifier."""
    tester = Tester()
    assert read(tester, "F40C") == bytes.fromhex("1A F8")
    assert read(tester, "F40D") == bytes.fromhex("32")
    assert tester.ask("22 F4 0E") == "7F 22 31"


@given(
    st.sampled_from(PATHS),
    st.integers(-(2**31) + 2, 2**31 - 1),
    st.integers(3, 8),
    st.floats(1e-4, 100),
    st.floats(-1000, 1000),
    st.booleans(),
)
def test_what_is_read_decodes_to_the_bus_value(
    path: str, integer: int, length: int, scale: float, offset: float, signed: bool
) -> None:
    """raw · scale + offset is within scale / 2 of the value where the field reaches, at its end elsewhere."""
    scaling = {"length": length, "scale": scale, "offset": offset, "signed": signed}
    tester = Tester(identifiers={"0300": {"from": path, **scaling}}, memory=[])
    channel, index = next((c, i) for c, entries in enumerate(ENTRIES) for i, e in enumerate(entries) if e.path == path)
    tester.bus.set(channel, index, integer)
    if path == "vehicle.EngineLoad" and integer < 0:  # as in frames: a load is not negative
        assert tester.ask("22 03 00") == "7F 22 22"
        return
    value = integer / ENTRIES[channel][index].resolution
    raw = int.from_bytes(read(tester, "0300"), "big", signed=signed)
    lowest, highest = (-(2 ** (8 * length - 1)), 2 ** (8 * length - 1) - 1) if signed else (0, 2 ** (8 * length) - 1)
    reachable = min(max(value, lowest * scale + offset), highest * scale + offset)
    tolerance = scale / 2 + 1e-9 * max(abs(value), abs(offset), 1)
    assert math.isclose(raw * scale + offset, reachable, rel_tol=0, abs_tol=tolerance)


def test_a_value_may_have_another_unit() -> None:
    """20 m/s are 72 km/h; 22.5 % of load are 22 or 23."""
    tester = Tester()
    tester.bus.write(VEHICLE, VehicleData.SPEED, 20.0)
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 1726.0)
    assert read(tester, "0101") == bytes((72,))
    assert read(tester, "0100") == (4 * 1726).to_bytes(2, "big")


def test_temperatures_have_an_offset_of_their_own() -> None:
    """One byte for -40 to 215 °C, as OBD-II has it; 90 °C are 130. In kelvin they are 363.15."""
    celsius = {"from": "auxiliary.CoolantTemperature", "length": 1, "offset": -40}
    kelvin = {"from": "auxiliary.CoolantTemperature", "unit": "K", "scale": 0.01}
    tester = Tester(identifiers={"0300": celsius, "0301": kelvin}, memory=[])
    tester.bus.write(AUXILIARY, AuxiliaryData.COOLANT_TEMPERATURE, 90.0)
    assert (read(tester, "0300"), read(tester, "0301")) == (bytes((130,)), (36315).to_bytes(2, "big"))


def test_values_saturate() -> None:
    """They never wrap."""
    tester = Tester()
    for speed in (70.9, 71.2, 100.0, 1e6):  # 255.2, 256.3, 360 km/h and more
        tester.bus.write(VEHICLE, VehicleData.SPEED, speed)
        assert read(tester, "0101") == b"\xff"
    tester.bus.write(VEHICLE, VehicleData.SPEED, -100.0)
    assert read(tester, "0101") == b"\x00"


def test_a_value_that_is_not_available_is_refused() -> None:
    """22, conditions not correct; a load of 0 is one."""
    tester = Tester()
    tester.bus.vehicle[VehicleData.ENGINE_LOAD] = -1
    assert tester.ask("22 01 02") == "7F 22 22"
    tester.bus.vehicle[VehicleData.ENGINE_LOAD] = 0
    assert tester.ask("22 01 02") == "62 01 02 00"


class Rpm(DidCodec):
    """As a tester's data base has it."""

    def encode(self, *values: float) -> bytes:
        return round(values[0] * 4).to_bytes(2, "big")

    def decode(self, string_bin: bytes) -> float:
        return int.from_bytes(string_bin, "big") / 4

    def __len__(self) -> int:
        return 2


def test_udsoncan_reads_several_identifiers_at_once() -> None:
    """Number and data of each, in the order asked for."""
    tester = Tester()
    tester.bus.write(VEHICLE, VehicleData.ENGINE_RPM, 3000.25)
    client = tester.client(data_identifiers={0xF190: AsciiCodec(17), 0x0100: Rpm, 0xF40C: Rpm, 0xF18C: AsciiCodec(11)})
    values = answers(client.read_data_by_identifier, [0x0100, 0xF190, 0xF40C, 0xF18C]).values
    assert dict(values) == {0x0100: 3000.25, 0xF190: VIN, 0xF40C: 1726.0, 0xF18C: "SERIAL-0001"}


def test_an_identifier_may_have_several_fields() -> None:
    """Bits and bytes, one behind the other from the most significant bit; what lies nowhere is 0."""
    fields = {
        "Speed": {"from": "vehicle.Speed", "unit": "km/h", "scale": 0.01},
        "Gear": {"from": "vehicle.GearboxGear", "bits": 4, "signed": True},
        "Fast": {"expression": "vehicle.Speed > 10", "bits": 1},
        "Lambda": {"constant": 0.98, "float": True, "byte": 4},
        "Serial": {"text": "AB", "length": 3},
        "Little": {"constant": 0x1234, "order": "little"},
        "Low": {"constant": 5, "byte": 3, "bit": 2, "bits": 3},
    }
    tester = Tester(identifiers={"0300": {"fields": fields, "length": 14}}, memory=[])
    tester.bus.write(VEHICLE, VehicleData.SPEED, 20.0)
    tester.bus.vehicle[VehicleData.GEARBOX_GEAR] = -1
    data = read(tester, "0300")
    assert data[:2] == (7200).to_bytes(2, "big")
    assert data[2:4] == bytes((0b1111_1000, 0b0000_0101))
    assert struct.unpack(">f", data[4:8]) == struct.unpack(">f", struct.pack(">f", 0.98))
    assert data[8:] == b"AB\0" + b"\x34\x12" + b"\0"


def test_one_field_that_is_not_available_is_enough() -> None:
    """The whole identifier is refused, unless the field has a substitute."""
    load = {"from": "vehicle.EngineLoad", "unit": "%", "length": 1}
    identifiers = {
        "0300": {"fields": {"Load": load, "One": {"constant": 1, "length": 1}}},
        "0301": {"fields": {"Load": {**load, "substitute": 0}, "One": {"constant": 1, "length": 1}}},
    }
    tester = Tester(identifiers=identifiers, memory=[])
    tester.bus.vehicle[VehicleData.ENGINE_LOAD] = -1
    assert tester.ask("22 03 00") == "7F 22 22"
    assert read(tester, "0301") == b"\0\x01"


def test_a_value_may_be_an_expression_or_go_through_a_table() -> None:
    """Twice the speed, floored at 0; 0 to 25 m/s as 100 to 0 and held there."""
    identifiers = {
        "0300": {"expression": "max(0, vehicle.Speed * 2)", "length": 1},
        "0301": {"from": "vehicle.Speed", "table": [[0, 100], [25, 0]], "length": 1},
        "0302": {"expression": "1 / vehicle.Speed", "float": True, "length": 8},
    }
    tester = Tester(identifiers=identifiers, memory=[])
    for speed, doubled, turned in ((-5.0, 0, 100), (10.0, 20, 60), (50.0, 100, 0)):
        tester.bus.write(VEHICLE, VehicleData.SPEED, speed)
        assert read(tester, "0300") == bytes((doubled,))
        assert read(tester, "0301") == bytes((turned,))
        assert struct.unpack(">d", read(tester, "0302")) == (1 / speed,)
    tester.bus.write(VEHICLE, VehicleData.SPEED, 0.0)
    assert tester.ask("22 03 02") == "7F 22 22"


def test_a_constant_record_may_be_written() -> None:
    """A coding of three fields: its first bytes are encoded, then it is what service 2E sends."""
    fields = {
        "Variant": {"constant": 3, "bits": 4},
        "Left": {"constant": 1, "bits": 4},
        "Dealer": {"text": "X1"},
    }
    tester = Tester(identifiers={"0600": {"fields": fields, "stored": True}}, memory=[]).extended()
    assert read(tester, "0600") == b"\x31X1"
    assert tester.ask("2E 06 00 42 59 32") == "6E 06 00"
    assert read(tester, "0600") == b"BY2"
    assert tester.ask("2E 06 00 42 59") == "7F 2E 13"


HOOKS = """
import math


def trip(value):
    metres = value("auxiliary.Odometer")
    return None if math.isnan(metres) else int(metres).to_bytes(4, "big")


def broken(value):
    return value("vehicle.Nonsense")


def empty(value):
    return "text"
"""


@pytest.mark.usefixtures("own_code")
def test_bytes_may_come_from_a_function_of_the_user(tmp_path: Path) -> None:
    """None, an exception and what is no bytes are refused; the last two are counted."""
    file = tmp_path / "identifiers.py"
    file.write_text(HOOKS)
    names = {"0300": "trip", "0301": "broken", "0302": "empty"}
    tester = Tester(identifiers={key: {"hook": f"{file}:{name}"} for key, name in names.items()}, memory=[])
    tester.bus.write(AUXILIARY, AuxiliaryData.ODOMETER, 1234.0)
    assert read(tester, "0300") == (1234).to_bytes(4, "big")
    for number in ("0301", "0302"):
        assert tester.ask(f"22 {number}") == "7F 22 22"
    assert tester.server.statistics.hook_failures == 2
    tester.bus.auxiliary[AuxiliaryData.ODOMETER] = NAN
    assert tester.ask("22 03 00") == "7F 22 22"
    assert tester.server.statistics.hook_failures == 2


def test_written_identifiers_outlive_the_program() -> None:
    """What `export` gave is read after `restore`; what was not written is not in it."""
    tester = Tester().extended()
    assert tester.ask(f"2E F1 98 {b'GARAGE-1'.hex()}") == "6E F1 98"
    stored = tester.server.identifiers.export()
    assert stored == {"F198": b"GARAGE-1".hex()}
    again = Tester()
    again.server.identifiers.restore(stored)
    assert read(again, "F198") == b"GARAGE-1"
    assert again.server.identifiers.changes == 0


def test_what_is_not_stored_any_more_is_left_out() -> None:
    """Constants, other lengths, and identifiers that there are no more."""
    tester = Tester()
    tester.server.identifiers.restore({"F18C": "00", "F198": "00", "0999": "00"})
    assert (read(tester, "F18C"), read(tester, "F198")) == (b"SERIAL-0001", b"WORKSHOP")


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"F198": 1},
        {"F198": "xy"},
        {"F198": "4741524147452D31", "x": "00"},
    ],
)
def test_stored_data_that_cannot_be_used_changes_nothing(data: object) -> None:
    """ValueError."""
    tester = Tester()
    with pytest.raises(ValueError, match=r"stored|hex|literal"):
        tester.server.identifiers.restore(data)
    assert read(tester, "F198") == b"WORKSHOP"


@pytest.mark.parametrize(
    ("identifiers", "reason", "place"),
    [
        ({"0300": {"from": "vehicle.EngineRmp"}}, "EngineRpm", ("uds", "identifiers", "0300", "from")),
        ({"0300": {"from": "vehicle.Speed", "unit": "kg"}}, "mass", ("uds", "identifiers", "0300", "unit")),
        ({"0300": {"expression": "1 +"}}, "missing after", ("uds", "identifiers", "0300", "expression")),
        ({"0300": {"constant": 300, "length": 1}}, "255 is sent", ("uds", "identifiers", "0300", "constant")),
        ({"0300": {"hook": "nowhere:read"}}, "cannot import nowhere", ("uds", "identifiers", "0300", "hook")),
        (
            {"0300": {"fields": {"A": {"constant": 1}, "B": {"constant": 1, "byte": 1}}}},
            "overlaps with A",
            ("uds", "identifiers", "0300", "fields", "B"),
        ),
        (
            {"0300": {"fields": {"A": {"constant": 1, "bits": 4}, "B": {"text": "X"}}}},
            "does not begin at one",
            ("uds", "identifiers", "0300", "fields", "B"),
        ),
        (
            {"0300": {"fields": {"A": {"constant": 1}, "B": {"text": "XY"}}, "length": 3}},
            "does not fit into 3 bytes",
            ("uds", "identifiers", "0300", "fields", "B"),
        ),
        ({"F190": {"text": VIN}}, "setting of its own", ("uds", "identifiers", "F190")),
        ({"F195": {"text": "1"}}, "setting of its own", ("uds", "identifiers", "F195")),
    ],
)
def test_mistakes_are_told_with_their_place(identifiers: object, reason: str, place: tuple[str, ...]) -> None:
    """An entry that does not exist, a unit that does not fit, a VIN beside that of the control unit."""
    with pytest.raises(ConfigurationError, match=reason) as raised:
        Tester(identifiers=identifiers, memory=[])
    assert raised.value.place == place
