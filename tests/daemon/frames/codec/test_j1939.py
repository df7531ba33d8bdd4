"""dbc/j1939.dbc against a table of the parameter groups, worked by hand from published descriptions of SAE J1939-71."""

from pathlib import Path

import cantools
import pytest
from cantools.database.can import Database

from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.frame import EXTENDED
from hilbridge.frames.codec.pgn import NULL_ADDRESS, split

FILE = Path(__file__).parents[4] / "dbc" / "j1939.dbc"

#             PGN    priority  period [ms]; None: on request, on change or as a command
GROUPS = {
    "TSC1":  (0,     3, None),
    "XBR":   (1024,  3, None),
    "ERC1":  (61440, 6, 100),
    "EBC1":  (61441, 6, 100),
    "ETC1":  (61442, 3, 10),
    "EEC2":  (61443, 3, 50),
    "EEC1":  (61444, 3, 20),
    "ETC2":  (61445, 6, 100),
    "DM1":   (65226, 6, None),
    "DM2":   (65227, 6, None),
    "EEC3":  (65247, 6, 250),
    "VD":    (65248, 6, 100),
    "HOURS": (65253, 6, None),
    "VW":    (65258, 6, None),
    "ET1":   (65262, 6, 1000),
    "EFL_P1": (65263, 6, 500),
    "CCVS1": (65265, 6, 100),
    "LFE1":  (65266, 6, 100),
    "AMB":   (65269, 6, 1000),
    "IC1":   (65270, 6, 500),
    "VEP1":  (65271, 6, 1000),
    "DD":    (65276, 6, 1000),
}  # fmt: skip

#  SPN  frame                     signal and value
SAMPLES = [
    (190, "EEC1", "FFFFFFE02EFFFFFF", "EngineSpeed", 1500.0),
    (513, "EEC1", "FFFFAFFFFFFFFFFF", "ActualEnginePercentTorque", 50.0),
    (512, "EEC1", "FF7DFFFFFFFFFFFF", "DriverDemandPercentTorque", 0.0),
    (91, "EEC2", "FF7DFFFFFFFFFFFF", "AcceleratorPedalPosition1", 50.0),
    (92, "EEC2", "FFFF50FFFFFFFFFF", "EnginePercentLoadAtCurrentSpeed", 80.0),
    (514, "EEC3", "87FFFFFFFFFFFFFF", "NominalFrictionPercentTorque", 10.0),
    (191, "ETC1", "FF401FFFFFFFFFFF", "TransmissionOutputShaftSpeed", 1000.0),
    (523, "ETC2", "FFFFFF85FFFFFFFF", "TransmissionCurrentGear", 8.0),
    (84, "CCVS1", "FF0050FFFFFFFFFF", "WheelBasedVehicleSpeed", 80.0),
    (70, "CCVS1", "F7FFFFFFFFFFFFFF", "ParkingBrakeSwitch", "On"),
    (597, "CCVS1", "FFFFFFDFFFFFFFFF", "BrakeSwitch", "On"),
    (183, "LFE1", "9001FFFFFFFFFFFF", "EngineFuelRate", 20.0),
    (184, "LFE1", "FFFF0008FFFFFFFF", "EngineInstantaneousFuelEconomy", 4.0),
    (110, "ET1", "7DFFFFFFFFFFFFFF", "EngineCoolantTemperature", 85.0),
    (175, "ET1", "FFFFA02DFFFFFFFF", "EngineOilTemperature1", 92.0),
    (100, "EFL_P1", "FFFFFF64FFFFFFFF", "EngineOilPressure", 400.0),
    (247, "HOURS", "E8030000FFFFFFFF", "EngineTotalHoursOfOperation", 50.0),
    (249, "HOURS", "FFFFFFFFE8030000", "EngineTotalRevolutions", 1_000_000.0),
    (244, "VD", "50000000FFFFFFFF", "TripDistance", 10.0),
    (245, "VD", "FFFFFFFF00350C00", "TotalVehicleDistance", 100_000.0),
    (108, "AMB", "CAFFFFFFFFFFFFFF", "BarometricPressure", 101.0),
    (171, "AMB", "FFFFFFA024FFFFFF", "AmbientAirTemperature", 20.0),
    (102, "IC1", "FF4BFFFFFFFFFFFF", "EngineIntakeManifold1Pressure", 150.0),
    (105, "IC1", "FFFF5AFFFFFFFFFF", "EngineIntakeManifold1Temperature", 50.0),
    (168, "VEP1", "FFFFFFFF3002FFFF", "BatteryPotential", 28.0),
    (96, "DD", "FF7DFFFFFFFFFFFF", "FuelLevel1", 50.0),
    (520, "ERC1", "FF55FFFFFFFFFFFF", "ActualRetarderPercentTorque", -40.0),
    (563, "EBC1", "DFFFFFFFFFFFFFFF", "AntiLockBrakingActive", "Yes"),
    (521, "EBC1", "FFFAFFFFFFFFFFFF", "BrakePedalPosition", 100.0),
    (1836, "EBC1", "FFFFFFFFFFFFFFDF", "TrailerAbsStatus", "Active"),
    (1792, "EBC1", "FFFFFFFFFFFFFF7F", "TrailerAbsWarningSignal", "On"),
    (2911, "EBC1", "FFFFFFFFFFFFFFF7", "HaltBrakeSwitch", "On"),
    (928, "VW", "2FFFFFFFFFFFFFFF", "AxleLocation", "Axle2"),
    (582, "VW", "FF3052FFFFFFFFFF", "AxleWeight", 10520.0),
    (180, "VW", "FFFFFFE02EFFFFFF", "TrailerWeight", 24000.0),
    (181, "VW", "FFFFFFFFFFE02EFF", "CargoWeight", 24000.0),
    (898, "TSC1", "FFE02EFFFFFFFFFF", "EngineRequestedSpeed", 1500.0),
    (518, "TSC1", "FFFFFFAFFFFFFFFF", "EngineRequestedTorque", 50.0),
    (2920, "XBR", "605DFFFFFFFFFFFF", "ExternalAccelerationDemand", -4.015125),
    (2915, "XBR", "FFFFF3FFFFFFFFFF", "XbrPriority", "Highest"),
    (2916, "XBR", "FFFFEFFFFFFFFFFF", "XbrControlMode", "MaximumMode"),
    (1213, "DM1", "40FF2B050B01FFFF", "MalfunctionIndicatorLamp", "On"),
    (1214, "DM1", "40FF2B050B01FFFF", "SuspectParameterNumber", 1323),
    (1215, "DM1", "40FF2B050B01FFFF", "FailureModeIdentifier", 11),
    (1216, "DM2", "40FF2B050B01FFFF", "OccurrenceCount", 1),
]


@pytest.fixture(scope="module")
def database() -> Database:
    loaded = cantools.database.load_file(FILE)
    assert isinstance(loaded, Database)
    return loaded


def test_every_group_has_its_number_priority_and_period(database: Database) -> None:
    """The source address is the placeholder FE; the destination of TSC1 is the engine, of XBR the brakes."""
    found = {}
    for message in database.messages:
        who = split(EXTENDED | message.frame_id)
        found[message.name] = who.pgn, who.priority, message.cycle_time
        assert (who.source, message.is_extended_frame, message.protocol) == (NULL_ADDRESS, True, "j1939")
    assert found == GROUPS


@pytest.mark.parametrize(("spn", "message", "data", "name", "value"), SAMPLES, ids=str)
def test_parameters_lie_where_the_standard_has_them(
    database: Database, spn: int, message: str, data: str, name: str, value: float | str
) -> None:
    signal = database.get_message_by_name(message).get_signal_by_name(name)
    decoded = database.decode_message(message, bytes.fromhex(data))
    assert isinstance(decoded, dict)
    assert decoded[name] == value or decoded[name] == pytest.approx(value)
    assert signal.spn == spn


def test_every_signal_has_a_comment_and_every_number_of_eight_bits_or_more_a_range(database: Database) -> None:
    """Up to FA, FAFF, FAFFFFFF: what lies above is no value."""
    top = {8: 0xFA, 16: 0xFAFF, 32: 0xFAFFFFFF}
    for message in database.messages:
        for signal in message.signals:
            assert signal.comment
            if signal.length in top and "Device" not in signal.name and signal.name != "SuspectParameterNumber":
                assert signal.maximum is not None
                assert signal.maximum <= top[signal.length] * signal.scale + signal.offset


def test_values_beyond_the_range_stay_at_its_end_and_what_is_unknown_is_not_available(database: Database) -> None:
    codec = compile_message(database.get_message_by_name("EEC1"), padding=True)
    assert codec.encode({"EngineSpeed": 1e6})[3:5] == bytes.fromhex("FFFA")
    assert codec.encode({"ActualEnginePercentTorque": -1e6})[2] == 0
    assert codec.encode({"EngineSpeed": float("nan")}) == b"\xff" * 8
