"""Signals that carry values of the model are found by name and unit; the oracle are databases read by hand."""

from collections import OrderedDict
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from cantools.database.can import Message, Signal
from cantools.database.conversion import BaseConversion, LinearConversion
from cantools.database.namedsignalvalue import NamedSignalValue

from hilbridge.desk.draft.quantities import QUALITY, QUANTITIES
from hilbridge.desk.draft.recognition import Certainty, Finding, is_display, recognize, wheels_together
from hilbridge.frames.codec.database import Database, load_database
from vehiclesim.entries import find

OPENDBC = Path(str(files("opendbc"))) / "dbc"


@cache
def loaded(database: str) -> Database:
    """A database of opendbc, read once."""
    return load_database(OPENDBC / f"{database}.dbc")


def signal(name: str, unit: str | None = None, bits: int = 16, scale: float = 1, offset: float = 0) -> Signal:
    return Signal(
        name, 0, bits, conversion=LinearConversion(scale=scale, offset=offset, is_float=False), unit=unit, minimum=None
    )


def found(name: str, unit: str | None = None, bits: int = 16, scale: float = 1) -> Finding | None:
    message = Message(0x100, "Example", 8, [signal(name, unit, bits, scale)])
    return next(iter(recognize(message)), None)


def origin(name: str, unit: str | None = None, bits: int = 16) -> str | None:
    finding = found(name, unit, bits)
    return None if finding is None else finding.origin


@pytest.mark.parametrize(
    ("database", "message", "name", "entry"),
    [
        ("vw_pq", "Motor_1", "Motordrehzahl", "vehicle.EngineRpm"),
        ("vw_pq", "Bremse_1", "BR1_Rad_kmh", "vehicle.Speed"),
        ("vw_pq", "Motor_2", "MO2_Kuehlm_T", "auxiliary.CoolantTemperature"),
        ("vw_pq", "Kombi_1", "Tankinhalt", "auxiliary.FuelLevel"),
        ("vw_pq", "Motor_1", "Fahrpedalwert_oder_Drosselklapp", "input.Throttle"),
        ("vw_pq", "ZAS_1", "Klemme_15__Z_ndung_ein_", "input.Key >= 0"),
        ("bmw_e9x_e8x", "AccPedal", "EngineSpeed", "vehicle.EngineRpm"),
        ("bmw_e9x_e8x", "Speed", "VehicleSpeed", "vehicle.Speed"),
        ("bmw_e9x_e8x", "EngineData", "TEMP_ENG", "auxiliary.CoolantTemperature"),
        ("bmw_e9x_e8x", "EngineData", "TEMP_EOI", "auxiliary.OilTemperature"),
        ("vw_mqb", "Motor_04", "MO_Anzeigedrehz", "vehicle.EngineRpm"),
        ("vw_mqb", "ESP_21", "ESP_v_Signal", "vehicle.Speed"),
        ("vw_mqb", "Motor_07", "MO_Kuehlmittel_Temp", "auxiliary.CoolantTemperature"),
        ("vw_mqb", "Kombi_03", "KBI_Tankfuellstand_Prozent", "auxiliary.FuelShare"),
        ("mazda_rx8", "speed", "EngineRPM", "vehicle.EngineRpm"),
        ("mazda_rx8", "speed", "VehicleSpeed", "vehicle.Speed"),
        ("mazda_rx8", "coolant", "CoolantTemperature", "auxiliary.CoolantTemperature"),
        ("mazda_rx8", "instrument_cluster", "FuelLevel", "auxiliary.FuelShare"),
        ("mazda_rx8", "brake_controls", "ParkingBrakeSwitch", "input.Handbrake > 0.05"),
        ("psa_aee2010_r3", "Dyn_CMM", "P000_Com_nEng", "vehicle.EngineRpm"),
        ("psa_aee2010_r3", "Dyn_Veh", "P060_vECU", "vehicle.Speed"),
        ("psa_aee2010_r3", "Dat_CMM", "P005_CEngDst_tSens", "auxiliary.CoolantTemperature"),
        ("hyundai_i30_2014", "EMS1", "N", "vehicle.EngineRpm"),
        ("hyundai_i30_2014", "EMS1", "VS", "vehicle.Speed"),
        ("hyundai_i30_2014", "WHL_SPD", "WHL_SPD_FL", "chassis.WheelSpeedFrontLeft"),
        ("vw_pq", "Bremse_3", "Radgeschw__VL_4_1", "chassis.WheelSpeedFrontLeft"),
        ("vw_pq", "BSG_Last", "ZAS_Klemme_X", "input.Key == 0"),
        ("vw_mqb", "Klemmen_Status_01", "ZAS_Kl_S", "input.Key >= 0"),
        ("bmw_e9x_e8x", "WheelSpeeds", "Wheel_RR", "chassis.WheelSpeedRearRight"),
        ("bmw_e9x_e8x", "TerminalStatus", "IgnitionOff", "input.Key < 0"),
        ("tesla_model3_party", "ESP_wheelSpeeds", "ESP_wheelSpeedReL", "chassis.WheelSpeedRearLeft"),
        ("rivian_primary_actuator", "ESP_WSpeed_Front", "ESP_Wheel_Speed_Right_Front", "chassis.WheelSpeedFrontRight"),
        ("toyota_iQ_2009_can", "WHEELS_SPEEDS", "FRONT_LEFT_WHEEL_SPEED", "chassis.WheelSpeedFrontLeft"),
        ("nissan_xterra_2011", "ENGINE_1", "RPM", "vehicle.EngineRpm"),
        ("nissan_xterra_2011", "ENGINE_3", "CLT", "auxiliary.CoolantTemperature"),
        ("toyota_iQ_2009_can", "ENGINE", "ENGINE_RPM", "vehicle.EngineRpm"),
        ("mazda_2017", "WHEEL_SPEEDS", "RL", "chassis.WheelSpeedRearLeft"),
        ("mazda_2017", "DOORS", "FL", "body.DoorFrontLeft"),
        ("volvo_v60_2015_pt", "Doors", "DriverDoorClosed", "not body.DoorFrontLeft"),
        ("rivian_primary_actuator", "IndicatorLights", "RearDriverDoor", "1 if body.DoorRearLeft else 2"),
        ("vw_meb", "Airbag_02", "AB_Gurtschloss_FA", "3 if body.BeltDriver else 2"),
        ("vw_mqb", "LWI_01", "LWI_Lenkradwinkel", "abs(chassis.SteeringWheelAngle)"),
        ("vw_mqb", "LWI_01", "LWI_VZ_Lenkradwinkel", "chassis.SteeringWheelAngle < 0"),
        ("vw_mqb", "ESP_05", "ESP_Bremsdruck", "chassis.BrakePressure * 100"),
    ],
)
def test_signals_of_public_databases(database: str, message: str, name: str, entry: str) -> None:
    """Volkswagen, BMW, Mazda, Peugeot, Hyundai, Nissan, Toyota: German, English and makers' shorthand."""
    findings = {finding.signal.name: finding for finding in recognize(loaded(database).message(message))}
    assert findings[name].origin == entry
    assert findings[name].certainty > Certainty.GUESS


@pytest.mark.parametrize(
    ("name", "unit", "bits"),
    [
        ("MO_Solldrehz_Leerlauf", "1/min", 8),
        ("Engine_RPM_Max", "rpm", 16),
        ("CRUISE_BUTTON_SPEED", "km/h", 8),
        ("AUTO_HIGH_BEAM", None, 1),
        ("SecondRowBuckleDriver", None, 1),
        ("DriverDoorKeyLock", None, 1),
        ("TrailerYawRate", "deg/s", 12),
        ("BrakePressure", None, 8),
        ("SeatbeltDriver", None, 2),
        ("ESP_QBit_v_Signal", None, 1),
        ("Fehlerst__Kuehlmitteltemp__4_1", None, 1),
        ("EngineSpeed", "%", 8),
        ("Motordrehzahlgradient", "U/min", 7),
        ("EngineRPM", "rpm", 2),
        ("N", None, 16),
    ],
)
def test_what_only_looks_like_one_is_left_alone_or_a_guess(name: str, unit: str | None, bits: int) -> None:
    """Wishes, limits, qualities, other units, too few bits; a short name without unit is a guess."""
    finding = found(name, unit, bits)
    assert finding is None or finding.certainty is Certainty.GUESS


def test_a_unit_that_databases_misspell_is_written_out() -> None:
    """`Cel` means degrees Celsius; the bench file says so."""
    finding = found("CoolantTemp", "Cel", 8)
    assert finding is not None
    assert (finding.unit, finding.certainty) == ("degC", Certainty.SURE)


def test_without_a_unit_the_usual_one_is_assumed() -> None:
    """A ratio is in percent where it reaches beyond 1."""
    speed, pedal, share = found("VehicleSpeed"), found("AccelPedalPos", bits=8), found("AccelPedalPos", None, 8, 0.0039)
    assert speed is not None
    assert pedal is not None
    assert share is not None
    assert (speed.unit, pedal.unit, share.unit) == ("km/h", "%", "1")
    assert {speed.certainty, pedal.certainty, share.certainty} == {Certainty.LIKELY}


def test_fuel_is_a_volume_or_a_share() -> None:
    """By the unit."""
    assert (origin("FuelLevel", "l"), origin("FuelLevel", "%")) == ("auxiliary.FuelLevel", "auxiliary.FuelShare")


def test_frames_of_instruments_are_told_apart() -> None:
    """By the name of the message or of its sender."""
    assert is_display(Message(0x320, "Kombi_1", 8, []))
    assert is_display(Message(0x320, "Speed", 8, [], senders=["CLUSTER"]))
    assert not is_display(Message(0x280, "Motor_1", 8, [], senders=["Motor"]))


SELECTOR = ((1, "P"), (2, "R"), (4, "N"), (8, "D"))


def labelled(name: str, bits: int, *labels: tuple[int, str]) -> Message:
    """A message with a signal whose numbers have labels."""
    one = signal(name, None, bits)
    choices = OrderedDict[int, str | NamedSignalValue](
        (number, NamedSignalValue(number, text)) for number, text in labels
    )
    one.conversion = BaseConversion.factory(choices=choices)
    return Message(0x100, "Example", 8, [one])


def origin_in(message: Message) -> tuple[str, Certainty] | None:
    finding = next(iter(recognize(message)), None)
    return None if finding is None else (finding.origin, finding.certainty)


def test_labels_say_which_number_is_which_state() -> None:
    """As Hyundai's CLU15 codes its selector; a state that the labels do not name is 0."""
    states = " else ".join(f"{number} if body.SelectorShown == '{name}'" for number, name in SELECTOR)
    assert origin_in(labelled("CF_Clu_Gear", 4, *SELECTOR)) == (f"{states} else 0", Certainty.LIKELY)


def test_labels_of_gears_are_no_positions_of_a_selector() -> None:
    """Where `D` has many numbers, these are the gears."""
    message = labelled("Gear", 4, (0, "P"), (1, "R"), (2, "N"), *((gear, "D") for gear in range(3, 9)))
    assert origin_in(message) == ("body.SelectorShown", Certainty.GUESS)


def test_labels_decide_before_the_name_which_way_a_switch_is() -> None:
    assert origin_in(labelled("DriverDoor", 1, (0, "open"), (1, "closed"))) == (
        "not body.DoorFrontLeft",
        Certainty.LIKELY,
    )
    assert origin_in(labelled("DriverDoor", 2, (0, "invalid"), (1, "open"), (2, "closed"))) == (
        "1 if body.DoorFrontLeft else 2",
        Certainty.LIKELY,
    )


def test_a_lever_without_labels_has_the_codes_of_j1939() -> None:
    """SAE J1939, SPN 2876: 1 left, 2 right."""
    finding = found("TurnSignals", None, 2)
    assert finding is not None
    assert finding.origin == "1 if body.TurnSignal == 'left' else 2 if body.TurnSignal == 'right' else 0"
    assert "SPN 2876" in finding.reason


def test_a_pressure_is_that_of_100_bar_at_full_pedal_in_the_unit_of_the_signal() -> None:
    assert origin("BrakePressure", "bar", 12) == "chassis.BrakePressure * 100"
    assert origin("BrakePressure", "kPa", 12) == "chassis.BrakePressure * 10000"


def test_a_quality_that_is_faulty_at_its_start_value_is_sent_as_valid() -> None:
    """As Ford's `StePinCompAnEst_D_Qf`; without it a receiver refuses what is right."""
    message = labelled("Qf", 2, (0, "Faulty"), (1, "No_Data_Exists"), (3, "OK"))
    assert [(one.quantity, one.origin) for one in recognize(message)] == [(QUALITY, "3")]
    assert recognize(labelled("Qf", 2, (0, "OK"), (1, "Faulty"))) == []


def test_three_wheels_are_guesses() -> None:
    """A car with three wheels that turn is none."""
    names = [f"WheelSpeed{wheel}" for wheel in ("FL", "FR", "RL", "RR")]
    four = Message(0x100, "Wheels", 8, [signal(name, "km/h") for name in names], strict=False)
    three = Message(0x100, "Wheels", 8, [signal(name, "km/h") for name in names[:3]], strict=False)
    assert {one.certainty for one in wheels_together({"Wheels": recognize(four)})["Wheels"]} == {Certainty.SURE}
    guesses = wheels_together({"Wheels": recognize(three)})["Wheels"]
    assert {one.certainty for one in guesses} == {Certainty.GUESS}
    assert guesses[0].reason.endswith("1 of the four wheels is not found")


def test_every_origin_exists() -> None:
    """An entry of the data bus, or an expression."""
    for quantity in QUANTITIES:
        assert " " in quantity.origin or find(quantity.origin) is not None
