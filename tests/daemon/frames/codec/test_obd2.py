"""dbc/obd2.dbc scales service 01 as SAE J1979 does, and reads the single frames of a log."""

from pathlib import Path
from typing import Any

import cantools
import pytest
from cantools.database.can import Database, Message

from hilbridge.frames.codec.codec import compile_message

FILE = Path(__file__).parents[4] / "dbc" / "obd2.dbc"


@pytest.fixture(scope="module")
def database() -> Database:
    loaded = cantools.database.load_file(FILE)
    assert isinstance(loaded, Database)
    return loaded


@pytest.fixture(scope="module")
def response(database: Database) -> Message:
    return database.get_message_by_name("ObdResponse")


#    PID   data          signal                   value, by the formula of SAE J1979
ANSWERS = [
    (0x00, "BE3EB813", "Supported01to20", 0xBE3EB813),
    (0x01, "83076500", "MIL", "On"),
    (0x01, "83076500", "DTCCount", 3),
    (0x01, "83076500", "CompressionIgnition", "Spark ignition"),
    (0x01, "83076500", "ComponentsSupported", "Yes"),
    (0x01, "83076500", "ComponentsIncomplete", "No"),
    (0x01, "83076500", "OtherSupported", 0x65),
    (0x03, "0200", "FuelSystem1", "Closed loop"),
    (0x04, "FF", "EngineLoad", 100),
    (0x04, "33", "EngineLoad", 20),
    (0x05, "00", "CoolantTemperature", -40),
    (0x05, "7B", "CoolantTemperature", 83),
    (0x06, "80", "ShortTermFuelTrim1", 0),
    (0x07, "00", "LongTermFuelTrim1", -100),
    (0x0B, "64", "ManifoldPressure", 100),
    (0x0C, "1AF8", "EngineRPM", 1726),
    (0x0C, "FFFF", "EngineRPM", 16383.75),
    (0x0D, "FF", "VehicleSpeed", 255),
    (0x0E, "94", "TimingAdvance", 10),
    (0x0F, "46", "IntakeAirTemperature", 30),
    (0x10, "0FA0", "MassAirFlow", 40),
    (0x11, "80", "ThrottlePosition", 100 * 128 / 255),
    (0x13, "03", "OxygenSensors", 3),
    (0x15, "5A80", "OxygenSensor2Voltage", 0.45),
    (0x15, "5A80", "OxygenSensor2Trim", 0),
    (0x15, "5AFF", "OxygenSensor2Trim", "Not used"),
    (0x1C, "06", "OBDStandard", "EOBD"),
    (0x1F, "0E10", "RunTime", 3600),
    (0x20, "80000001", "Supported21to40", 0x80000001),
    (0x21, "0064", "DistanceWithMIL", 100),
    (0x2F, "80", "FuelLevel", 100 * 128 / 255),
    (0x30, "0A", "WarmUpsSinceCleared", 10),
    (0x31, "03E8", "DistanceSinceCleared", 1000),
    (0x33, "65", "BarometricPressure", 101),
    (0x34, "80008000", "OxygenSensor1Lambda", 1),
    (0x34, "80008000", "OxygenSensor1Current", 0),
    (0x3C, "1770", "CatalystTemperature11", 560),
    (0x40, "FED08400", "Supported41to60", 0xFED08400),
    (0x41, "0007E0A0", "OtherEnabled", 0xE0),
    (0x42, "36B0", "ModuleVoltage", 14),
    (0x43, "00FF", "AbsoluteLoad", 100),
    (0x43, "FFFF", "AbsoluteLoad", 25700),
    (0x44, "8000", "CommandedLambda", 1),
    (0x45, "FF", "RelativeThrottle", 100),
    (0x46, "3C", "AmbientTemperature", 20),
    (0x47, "33", "ThrottlePositionB", 20),
    (0x49, "33", "PedalPositionD", 20),
    (0x4A, "33", "PedalPositionE", 20),
    (0x4C, "33", "CommandedThrottle", 20),
    (0x4D, "003C", "TimeWithMIL", 60),
    (0x4E, "0078", "TimeSinceCleared", 120),
    (0x51, "04", "FuelType", "Diesel"),
    (0x5A, "FF", "RelativePedal", 100),
    (0x5C, "82", "OilTemperature", 90),
    (0x5E, "0064", "FuelRate", 5),
    (0x60, "F0000001", "Supported61to80", 0xF0000001),
    (0x61, "00", "DemandTorque", -125),
    (0x62, "E1", "ActualTorque", 100),
    (0x63, "01F4", "ReferenceTorque", 500),
    (0x64, "7D8796A5B4", "TorqueAtIdle", 0),
    (0x64, "7D8796A5B4", "TorqueAtPoint1", 10),
    (0x64, "7D8796A5B4", "TorqueAtPoint4", 55),
    (0x80, "00040001", "Supported81toA0", 0x00040001),
    (0x8E, "87", "FrictionTorque", 10),
    (0xA0, "14000000", "SupportedA1toC0", 0x14000000),
    (0xA4, "03300334", "ActualGear", 3),
    (0xA4, "03300334", "GearRatio", 0.82),
    (0xA4, "01300334", "RatioSupported", "No"),
    (0xA6, "0001E240", "Odometer", 12345.6),
]


@pytest.mark.parametrize(
    ("pid", "data", "name", "value"), ANSWERS, ids=lambda one: f"{one:02X}" if isinstance(one, int) else None
)
def test_answers_decode_by_the_formulas_of_the_standard(
    response: Message, pid: int, data: str, name: str, value: object
) -> None:
    """In cantools and in the codec alike."""
    payload = bytes.fromhex(data)
    frame = bytes([2 + len(payload), 0x41, pid, *payload]).ljust(8, b"\xaa")
    expected = value if isinstance(value, str) else pytest.approx(value)
    assert response.decode_simple(frame)[f"S01PID{pid:02X}_{name}"] == expected
    assert compile_message(response).decode(frame, names=True)[f"S01PID{pid:02X}_{name}"] == expected


@pytest.mark.parametrize(
    ("pid", "values", "data"),
    [
        (0x0C, {"EngineRPM": 99_999}, "FFFF"),
        (0x0D, {"VehicleSpeed": 300}, "FF"),
        (0x05, {"CoolantTemperature": -60}, "00"),
        (0x5E, {"FuelRate": 5000}, "FAFF"),
        (0xA6, {"Odometer": 1e12}, "FFFFFFFF"),
        (0x62, {"ActualTorque": 200}, "FF"),
        (0xA4, {"GearSupported": 1, "RatioSupported": 1, "ActualGear": 4, "GearRatio": 1.1}, "0340044C"),
    ],
)
def test_values_beyond_a_pid_s_range_stay_at_its_end(
    response: Message, pid: int, values: dict[str, float], data: str
) -> None:
    """A car at 300 km/h answers 255, never 44."""
    length = 2 + len(bytes.fromhex(data))
    header = {"FrameType": 0, "Length": length, "Service": 0x41, "S01PID": pid}
    frame = compile_message(response).encode(
        header | {f"S01PID{pid:02X}_{name}": value for name, value in values.items()}
    )
    assert frame == (bytes([length, 0x41, pid]) + bytes.fromhex(data)).ljust(8, b"\0")


LOG = """
(1.000) can0 7DF#02010C0000000000
(1.002) can0 7E8#04410C1AF8AAAAAA
(1.010) can0 7E0#02010D5555555555
(1.012) can0 7E8#03410D32AAAAAAAA
(1.020) can0 7DF#0209020000000000
(1.022) can0 7E8#1014490201574241
(1.024) can0 7E0#3000000000000000
(1.026) can0 7E8#215A5A5A334E5A31
(1.030) can0 7E8#037F0112AAAAAAAA
(1.040) can0 7DF#0101000000000000
(1.042) can0 7E8#0443010143AAAAAA
(1.050) can0 7E9#024300AAAAAAAAAA
(1.060) can0 7E1#03020D0055555555
(1.062) can0 7E9#04420D0032AAAAAA
(1.070) can0 7DF#0206005555555555
(1.072) can0 7E8#064600C0000001AA
"""


def test_a_candump_log_decodes_without_a_stop(database: Database) -> None:
    """Requests, answers, a negative response, other services, and the pieces of a longer transfer."""
    decoded: list[dict[str, Any]] = []
    for line in LOG.split():
        if "#" in line:
            identifier, data = line.split("#")
            message = database.get_message_by_frame_id(int(identifier, 16))
            decoded.append({name: str(value) for name, value in message.decode_simple(bytes.fromhex(data)).items()})
    answers = [{k: v for k, v in one.items() if k not in ("FrameType", "Length")} for one in decoded]
    assert answers[0] == {"Service": "Current data", "S01PID": "12"}
    assert answers[1] == {"Service": "Current data", "S01PID": "12", "S01PID0C_EngineRPM": "1726.0"}
    assert answers[3] == {"Service": "Current data", "S01PID": "13", "S01PID0D_VehicleSpeed": "50"}
    assert answers[4] == {"Service": "Vehicle information", "S09InfoType": "2"}
    assert [one["FrameType"] for one in decoded[5:8]] == ["First frame", "Flow control", "Consecutive frame"]
    assert answers[8] == {
        "Service": "Negative response", "S7F_RejectedService": "1", "S7F_ResponseCode": "Sub-function not supported"
    }  # fmt: skip
    assert answers[10] == {"Service": "Confirmed trouble codes", "S03Count": "1", "S03Code1": str(0x0143)}
    assert answers[11] == {"Service": "Confirmed trouble codes", "S03Count": "None"}
    assert answers[12] == {"Service": "Freeze frame", "S02PID": "13", "S02Frame": "0"}
    assert answers[13] == {"Service": "Freeze frame", "S02PID": "13", "S02Frame": "0", "S02PID0D_VehicleSpeed": "50"}
    assert answers[14] == {"Service": "Monitoring results", "S06MID": "0"}
    mask = {"S06MID00_Supported01to20": str(0xC0000001)}
    assert answers[15] == {"Service": "Monitoring results", "S06MID": "0"} | mask


@pytest.mark.parametrize(("message", "fewest"), [("ObdResponse", 30), ("ObdResponseTransmission", 3)])
def test_freeze_frames_are_scaled_as_current_data(database: Database, message: str, fewest: int) -> None:
    """Every value that service 02 has, a byte further on: behind the number of the frame."""
    signals = {signal.name: signal for signal in database.get_message_by_name(message).signals}
    frozen = [one for one in signals if one.startswith("S02PID") and len(one) > 6]
    values = [one for one in frozen if "Supported" not in one and one != "S02PID02_Code"]
    assert len(values) >= fewest
    for name in values:
        now, then = signals["S01" + name[3:]], signals[name]
        assert (then.start, then.length, then.unit) == (now.start + 8, now.length, now.unit)
        assert (then.conversion.scale, then.conversion.offset) == (now.conversion.scale, now.conversion.offset)
        assert then.multiplexer_ids == now.multiplexer_ids


def test_every_pid_says_what_it_is(response: Message) -> None:
    """S01PIDxx_Name with its PID, a comment, a range, and a name that DBC tools accept (32 characters)."""
    signals = [signal for signal in response.signals if signal.multiplexer_signal == "S01PID"]
    for signal in signals:
        pid = int(signal.name[6:8], 16)
        assert signal.name.startswith(f"S01PID{pid:02X}_")
        assert signal.multiplexer_ids == [pid]
        assert len(signal.name) <= 32
        assert signal.comment
        assert signal.maximum is not None
    pids = {int(signal.name[6:8], 16) for signal in signals}
    assert {pid for pid, _, _, _ in ANSWERS} <= pids
    assert len(pids) > 60


def test_the_identifiers_are_those_of_iso_15765_4(database: Database) -> None:
    """7DF for all, 7E0 and 7E8 for the engine, 7E1 and 7E9 for the transmission; nothing is sent cyclically."""
    assert {m.name: m.frame_id for m in database.messages} == {
        "ObdFunctionalRequest": 0x7DF, "ObdRequest": 0x7E0, "ObdResponse": 0x7E8,
        "ObdRequestTransmission": 0x7E1, "ObdResponseTransmission": 0x7E9,
    }  # fmt: skip
    assert all(not message.cycle_time and message.length == 8 for message in database.messages)
