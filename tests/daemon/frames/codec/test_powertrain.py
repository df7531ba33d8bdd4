"""dbc/powertrain.dbc carries the whole Vehicle and Input channels, with room for every sensible value."""

from pathlib import Path

import cantools
import pytest
from cantools.database.can import Database, Signal

from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.mapping import assign
from hilbridge.frames.codec.units import convert
from vehiclesim.channels import INPUT, NAN, UNAVAILABLE_LOAD, VEHICLE, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES, Entry

FILE = Path(__file__).parents[4] / "dbc" / "powertrain.dbc"

#         entry               lowest   highest  in the entry's unit: what cars, trucks and motorcycles reach
SENSIBLE = {
    "Speed":             (-30.0,   130.0),
    "EngineRpm":         (0.0,     16000.0),
    "EngineLoad":        (0.0,     1.0),
    "EngineTorque":      (-1500.0, 3500.0),
    "EnginePower":       (-500.0,  1500.0),
    "EngineFuelRate":    (0.0,     60.0),
    "ClutchTorque":      (-3500.0, 3500.0),
    "ClutchLock":        (0.0,     1.0),
    "GearboxGear":       (-8.0,    24.0),
    "GearboxMode":       (0.0,     9.0),
    "RetarderTorque":    (0.0,     4000.0),
    "TransmissionRpm":   (-5000.0, 16000.0),
    "AidedSteer":        (-1.0,    1.0),
    "FuelConsumption":   (0.0,     600.0),
    "ThrottleSignal":    (0.0,     1.0),
    "ClutchSignal":      (0.0,     1.0),
    "Steer":             (-1.0,    1.0),
    "Throttle":          (0.0,     1.0),
    "Brake":             (0.0,     1.0),
    "Handbrake":         (0.0,     1.0),
    "Clutch":            (0.0,     1.0),
    "ManualGear":        (-8.0,    24.0),
    "AutomaticGear":     (0.0,     9.0),
    "GearShift":         (-1.0,    1.0),
    "Retarder":          (0.0,     10.0),
    "Key":               (-1.0,    1.0),
}  # fmt: skip
FLAG = (0.0, 1.0)

CARRIED = [*ENTRIES[VEHICLE], *ENTRIES[INPUT]]


@pytest.fixture(scope="module")
def database() -> Database:
    loaded = cantools.database.load_file(FILE)
    assert isinstance(loaded, Database)
    return loaded


def signal_of(database: Database, entry: Entry) -> Signal:
    """The one signal that bears the entry's name, sent by the node it belongs to."""
    node = "HILBRIDGE" if entry.channel == "vehicle" else "DRIVER"
    (found,) = (s for m in database.messages if m.senders == [node] for s in m.signals if s.name == entry.name)
    return found


@pytest.mark.parametrize("entry", CARRIED, ids=lambda entry: entry.path)
def test_every_entry_has_a_signal_with_unit_comment_and_range(database: Database, entry: Entry) -> None:
    """The range covers what the entry can sensibly hold, and so do the bits."""
    signal = signal_of(database, entry)
    factor, offset = convert(entry.unit, signal.unit)
    lowest, highest = (value * factor + offset for value in SENSIBLE.get(entry.name, FLAG))
    assert bool(signal.unit) == bool(entry.unit)
    assert signal.comment
    assert signal.minimum is not None
    assert signal.maximum is not None
    assert signal.minimum <= lowest
    assert signal.maximum >= highest
    assert signal.receivers


@pytest.mark.parametrize("entry", CARRIED, ids=lambda entry: entry.path)
def test_every_signal_can_say_not_available_beyond_its_range(database: Database, entry: Entry) -> None:
    """Its number is SNA, and no value within minimum and maximum."""
    signal = signal_of(database, entry)
    names = {str(name): number for number, name in (signal.choices or {}).items()}
    assert "SNA" in names
    assert not (signal.minimum or 0) <= names["SNA"] * signal.scale + signal.offset <= (signal.maximum or 0)


def test_every_message_has_a_comment_and_a_period_of_whole_tens(database: Database) -> None:
    """10, 20 or 100 ms, so that a bench may tick as slowly as 100 Hz; lamps have the period that a bench gives them."""
    periods = {message.name: message.cycle_time for message in database.messages}
    assert periods.pop("WarningLamps") is None
    assert set(periods.values()) == {10, 20, 100}
    assert all(message.comment for message in database.messages)


def test_identifiers_stay_clear_of_diagnostics(database: Database) -> None:
    """11 bit, from 0x100 on, far below the 0x7DF…0x7EF of OBD."""
    identifiers = [message.frame_id for message in database.messages]
    assert all(0x100 <= identifier < 0x200 for identifier in identifiers)
    assert len(set(identifiers)) == len(identifiers)
    assert not any(message.is_extended_frame for message in database.messages)


def test_modes_and_keys_have_the_names_of_the_data_bus(database: Database) -> None:
    """0, 1, 2, … = M, P, R, N, D, D1…D5; the key is off, on or at start."""
    modes = ["M", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5"]
    for name in ("GearboxMode", "AutomaticGear"):
        (signal,) = (s for m in database.messages for s in m.signals if s.name == name)
        assert [str(name) for number, name in sorted((signal.choices or {}).items()) if number < 10] == modes
    key = database.get_message_by_name("DriverInputs").get_signal_by_name("Key")
    assert {number: str(name) for number, name in (key.choices or {}).items()} == {
        -2: "SNA",
        -1: "Off",
        0: "On",
        1: "Start",
    }


def test_a_data_bus_without_values_is_sent_as_not_available(database: Database) -> None:
    """NaN everywhere: every signal of HILBRIDGE says SNA, but for lamps, which are out until a bench maps them."""
    bus = DataBus()
    bus.vehicle[:] = [NAN] * len(bus.vehicle)
    bus.vehicle[VehicleData.ENGINE_LOAD] = UNAVAILABLE_LOAD
    for message in database.messages:
        if message.senders == ["HILBRIDGE"] and message.name != "WarningLamps":
            codec = compile_message(message)
            encode = codec.bus_encoder({one.signal: one.source for one in assign(codec, {}, ())})
            assert set(map(str, message.decode_simple(encode(bus.channels)).values())) == {"SNA"}


def test_frames_carry_the_data_bus_in_the_database_s_units(database: Database) -> None:
    """14.5 m/s are 52.2 km/h; a load of 0.2 is 20 %; 1,200 rpm and 200 Nm are what they are."""
    bus = DataBus()
    bus.vehicle[VehicleData.SPEED] = 14_500
    bus.vehicle[VehicleData.ENGINE_RPM] = 1_200_000
    bus.vehicle[VehicleData.ENGINE_LOAD] = 200
    bus.vehicle[VehicleData.ENGINE_TORQUE] = -200_000
    bus.vehicle[VehicleData.GEARBOX_GEAR] = -1
    values: dict[str, object] = {}
    for message in database.messages:
        if message.senders == ["HILBRIDGE"]:
            codec = compile_message(message)
            encode = codec.bus_encoder({one.signal: one.source for one in assign(codec, {}, ())})
            values |= message.decode_simple(encode(bus.channels))
    assert values["Speed"] == pytest.approx(52.2, abs=1 / 128)
    assert values["EngineRpm"] == 1200
    assert values["EngineLoad"] == pytest.approx(20)
    assert values["EngineTorque"] == -200
    assert values["GearboxGear"] == "R"
    assert values["EngineWorking"] == "No"


def test_a_driver_s_frame_written_by_hand(database: Database) -> None:
    """cansend 180#FA00000000004000: full throttle, key at start; a frame of zeros has the ignition on."""
    driver = database.get_message_by_name("DriverInputs")
    values = driver.decode_simple(bytes.fromhex("FA00000000004000"))
    assert (driver.frame_id, values["Throttle"], values["Key"], values["ManualGear"]) == (0x180, 100, "Start", "N")
    assert driver.decode_simple(bytes(8))["Key"] == "On"
