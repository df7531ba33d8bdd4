"""The data bytes of each PID, calculated by hand from the formulas of SAE J1979, without the codec."""

import pytest

from vehiclesim import GearboxSettings, GearboxType, RatioChange, VehicleSettings
from vehiclesim.channels import NAN, UNAVAILABLE_LOAD

from ..control_units import DIESEL, ENGINE, TRANSMISSION, Bench

#  PID  bus integers                                            data           by hand
HAND = [
    (0x03, {"auxiliary_FuelSystem": 2}, "02 00", "closed loop is bit 1; there is no second system"),
    (0x04, {"vehicle_EngineLoad": 500}, "80", "50 % · 255 / 100 = 127.5, to even"),
    (0x04, {"vehicle_EngineLoad": UNAVAILABLE_LOAD}, "00", "an engine that does not run burns nothing"),
    (0x05, {"auxiliary_CoolantTemperature": 83_000}, "7b", "83 + 40 = 123"),
    (0x05, {"auxiliary_CoolantTemperature": -12_000}, "1c", "-12 + 40 = 28"),
    (0x06, {"auxiliary_ShortFuelTrim": 1000}, "8d", "(10 + 100) · 1.28 = 140.8"),
    (0x07, {"auxiliary_LongFuelTrim": -2500}, "60", "(-25 + 100) · 1.28 = 96"),
    (0x0B, {"auxiliary_IntakePressure": 35_400}, "23", "35 kPa"),
    (0x0C, {"vehicle_EngineRpm": 1_726_000}, "1a f8", "1726 · 4 = 6904"),
    (0x0D, {"vehicle_Speed": 27_778}, "64", "100.0 km/h"),
    (0x0D, {"vehicle_Speed": -5_556}, "14", "20.0 km/h backwards"),
    (0x0E, {"auxiliary_IgnitionAdvance": 10_000}, "94", "(10 + 64) · 2 = 148"),
    (0x0F, {"auxiliary_IntakeTemperature": 30_000}, "46", "30 + 40 = 70"),
    (0x10, {"auxiliary_AirMassFlow": 40_000}, "0f a0", "40 · 100 = 4000"),
    (0x11, {"auxiliary_ThrottlePosition": 2000}, "48", "(14 + 0.72 · 20) % · 2.55 = 72.4"),
    (0x13, {}, "03", "bank 1 sensors 1 and 2"),
    (0x15, {"auxiliary_RearOxygenVoltage": 450}, "5a ff", "0.45 V · 200 = 90; the trim is not used"),
    (0x1C, {}, "06", "EOBD"),
    (0x1F, {"auxiliary_RunTime": 3_600_999}, "0e 10", "3600 complete seconds"),
    (0x1F, {"auxiliary_RunTime": 65_535_999}, "ff ff", "the last second that fits"),
    (0x1F, {"auxiliary_RunTime": 65_536_000}, "ff ff", "it stays there, as J1979 wants it"),
    (0x1F, {"auxiliary_RunTime": 2**53}, "ff ff", "for as long as the engine runs"),
    (0x23, {"auxiliary_RailPressure": 40_000_000}, "0f a0", "40 MPa is 4000 · 10 kPa"),
    (0x2C, {"auxiliary_RecirculationCommand": 300}, "4c", "30 % · 2.55 = 76.5, to even"),
    (0x2D, {"auxiliary_RecirculationCommand": 300, "auxiliary_ExhaustRecirculation": 150}, "40", "-50 % of 30: 64"),
    (0x2D, {"auxiliary_RecirculationCommand": 0, "auxiliary_ExhaustRecirculation": 0}, "80", "no error"),
    (0x2F, {"auxiliary_FuelShare": 5000}, "80", "50 % · 2.55 = 127.5, to even"),
    (0x33, {"road_AirPressure": 101_325}, "65", "101 kPa"),
    (0x34, {"auxiliary_Lambda": 10_000}, "80 00 7f ee", "1 · 32768; -0.069 mA · 256 + 32768 = 32750.3"),
    (0x34, {"auxiliary_Lambda": 8500}, "6c cd 7f 32", "0.85 is half-way between -1.11 and -0.50 mA: -0.805 · 256"),
    (0x34, {"auxiliary_Lambda": 5000}, "40 00 7d c8", "below the first point: -2.22 mA"),
    (0x3C, {"auxiliary_CatalystTemperature": 560_000}, "17 70", "(560 + 40) · 10 = 6000"),
    (0x42, {"auxiliary_BatteryVoltage": 14_000}, "36 b0", "14000 mV"),
    (0x43, {"auxiliary_AbsoluteLoad": 10_000}, "00 ff", "100 % · 2.55"),
    (0x44, {"auxiliary_CommandedLambda": 8800}, "70 a4", "0.88 · 32768 = 28835.8"),
    (0x45, {"auxiliary_ThrottlePosition": 10_000}, "b8", "72 %"),
    (0x46, {"road_AmbientTemperature": 20_000}, "3c", "20 + 40 = 60"),
    (0x47, {"auxiliary_ThrottlePosition": 2000}, "8a", "54 %"),
    (0x49, {"input_Throttle": 2000}, "47", "28 %"),
    (0x4A, {"input_Throttle": 2000}, "24", "14 %"),
    (0x4C, {"auxiliary_ThrottleCommand": 2000}, "33", "20 %"),
    (0x51, {}, "01", "gasoline"),
    (0x59, {"auxiliary_RailPressure": 40_000_000}, "0f aa", "101 kPa more than against the air outside"),
    (0x5A, {"input_Throttle": 10_000}, "a6", "65 %"),
    (0x5C, {"auxiliary_OilTemperature": 90_000}, "82", "90 + 40 = 130"),
    (0x5E, {"auxiliary_FuelFlow": 5_000}, "00 64", "5 l/h · 20 = 100"),
    (0x61, {"input_Throttle": 10_000, "vehicle_EngineRpm": 3_854_000}, "e1", "191.27 Nm of 191: 100 + 125"),
    (0x62, {"vehicle_EngineTorque": 95_500}, "af", "95.5 Nm of 191: 50 + 125"),
    (0x63, {}, "00 bf", "191 Nm"),
    (
        0x70,
        {"auxiliary_BoostCommand": 180_000, "auxiliary_BoostPressure": 150_000},
        "07 16 80 12 c0 00 00 00 00 02",
        "180 · 32 = 5760, 150 · 32 = 4800",
    ),
    (0x78, {"auxiliary_ExhaustTemperature": 560_000}, "01 17 70 00 00 00 00 00 00", "(560 + 40) · 10 = 6000"),
    (0x8E, {"auxiliary_FrictionTorque": 19_100}, "87", "19.1 Nm of 191: 10 + 125"),
    (0xA4, {"vehicle_GearboxGear": 3}, "03 30 05 fa", "gear 3, 1.53 · 1000 = 1530"),
    (0xA4, {"vehicle_GearboxGear": 0}, "03 00 00 00", "neutral has no ratio"),
    (0xA4, {"vehicle_GearboxGear": -1}, "02 00 0d 70", "reverse has no number; 3.44 · 1000 = 3440"),
    (0xA6, {"auxiliary_Odometer": 12_345_600_000 // 1000 * 1000}, "00 01 e2 40", "12345.6 km · 10 = 123456"),
]  # fmt: skip


@pytest.mark.parametrize(("pid", "entries", "data", "working"), HAND)
def test_pids_are_scaled_as_the_standard_says(pid: int, entries: dict[str, int], data: str, working: str) -> None:
    bench = Bench()
    bench.set(**entries)
    assert bench.data_of(pid).hex(" ") == data, working


@pytest.mark.parametrize(
    ("pid", "entries", "data"),
    [
        (0x0C, {"vehicle_EngineRpm": 99_999_000}, "ff ff"),
        (0x0C, {"vehicle_EngineRpm": -5_000}, "00 00"),
        (0x0D, {"vehicle_Speed": 90_000}, "ff"),
        (0x04, {"vehicle_EngineLoad": 1_500}, "ff"),
        (0x05, {"auxiliary_CoolantTemperature": 400_000}, "ff"),
        (0x05, {"auxiliary_CoolantTemperature": -60_000}, "00"),
        (0x11, {"auxiliary_ThrottlePosition": 12_000}, "ff"),
        (0x1F, {"auxiliary_RunTime": 100_000_000}, "ff ff"),
        (0x34, {"auxiliary_Lambda": 100_000}, "ff ff 82 8a"),  # 2.54 mA · 256 + 32768 = 33418.24
        (0x5E, {"auxiliary_FuelFlow": 2_147_483_647}, "fa ff"),
        (0x62, {"vehicle_EngineTorque": 900_000}, "ff"),
        (0x62, {"vehicle_EngineTorque": -900_000}, "00"),
        (0xA6, {"auxiliary_Odometer": 1 << 60}, "ff ff ff ff"),
    ],
)
def test_values_beyond_a_pid_s_range_stay_at_its_end(pid: int, entries: dict[str, int], data: str) -> None:
    bench = Bench()
    bench.set(**entries)
    assert bench.data_of(pid).hex(" ") == data


def test_the_torque_curve_is_told_at_idle_and_four_speeds() -> None:
    """135 Nm at 1000 rpm of 191: 70.7 %; the last is that of the highest power, 87.18 kW at 4850 rpm: 171.6 Nm."""
    idle, *points = Bench().data_of(0x64)
    assert idle == 125 + 71
    assert len(points) == 4
    assert points[-1] == 125 + 90


def test_a_value_that_is_not_available_takes_its_pid_out_of_answers_and_mask() -> None:
    """And back in when it is there again."""
    bench = Bench()
    bench.set(auxiliary_CoolantTemperature=NAN, auxiliary_Lambda=NAN)
    assert bench.ask("01 05") == "7f 01 12"
    assert bench.ask("01 34 0c") == "41 0c 00 00"
    assert not bench.data_of(0x00)[0] & 0b0000_1000
    bench.set(auxiliary_CoolantTemperature=0)
    assert bench.data_of(0x05) == b"\x28"
    assert bench.data_of(0x00)[0] & 0b0000_1000


def test_the_required_pids_are_all_there() -> None:
    wanted = bytes.fromhex(
        "00 01 03 04 05 06 07 0B 0C 0D 0E 0F 10 11 13 15 1C 1F 20 21 2F 30 31 33 34 3C 40 41 42 43 44 45 46 47 49 4A 4C"
        "4D 4E 51 5A 5C 5E 60 61 62 63 64 80 8E A0 A4 A6"
    )
    bench = Bench()
    assert all(bench.ask(f"01{pid:02x}") != "7f 01 12" for pid in wanted)


def test_control_units_have_their_own_pids() -> None:
    bench = Bench(ENGINE, TRANSMISSION)
    assert bench.ask("01 0c", ecu=1) == "7f 01 12"
    bench.set(vehicle_GearboxGear=1)
    assert bench.ask("01 a4", ecu=0) == bench.ask("01 a4", ecu=1) == "41 a4 03 10 0f 00"


@pytest.mark.parametrize(
    ("rpm", "output", "data"), [(2000, 2500, "03 10 03 20"), (1000, 0, "03 10 0a 28"), (1000, 4000, "03 10 01 90")]
)
def test_a_continuous_gearbox_tells_its_present_ratio(rpm: int, output: int, data: str) -> None:
    """Engine over output speed, 0.8 · 1000 = 800, between its ends of 2.6 and 0.4; at standstill the shortest."""
    box = GearboxSettings(
        type=GearboxType.AUTOMATIC, ratio_change=RatioChange.CONTINUOUS, ratios=(2.6, 0.4), reverse_ratios=(-2.6,)
    )
    bench = Bench(car=VehicleSettings(gearbox=box))
    bench.set(vehicle_GearboxGear=1, vehicle_EngineRpm=rpm * 1000, vehicle_TransmissionRpm=output * 1000)
    assert bench.data_of(0xA4).hex(" ") == data


def test_a_diesel_says_so() -> None:
    """Fuel type 4, compression ignition (bit 3 of B), no sensor behind the catalyst, no petrol monitors."""
    bench = Bench(car=DIESEL)
    assert bench.data_of(0x51) == b"\x04"
    assert bench.data_of(0x13) == b"\x01"
    assert bench.ask("01 15") == "7f 01 12"
    _, b, c, _ = bench.data_of(0x01)
    assert b & 0b1111 == 0b1101
    assert c == 0b0000_0001


def test_the_sensors_of_a_pair_differ_as_those_of_a_car_do() -> None:
    """A closed throttle reads 12 to 16 %, B more than A and E half of D; the relative positions are 0 at rest."""
    bench = Bench()
    for throttle in (0, 3_000, 10_000):
        bench.set(auxiliary_ThrottlePosition=throttle, input_Throttle=throttle)
        a, b, d, e = (bench.data_of(pid)[0] / 2.55 for pid in (0x11, 0x47, 0x49, 0x4A))
        assert b > a + 7
        assert e == pytest.approx(d / 2, abs=0.4)
        if throttle == 0:
            assert 12 <= a <= 16
            assert bench.data_of(0x45) == bench.data_of(0x5A) == b"\x00"


@pytest.mark.parametrize(
    ("counter", "pid", "unit"),
    [
        ("distance_with_indicator", 0x21, 1_000_000),
        ("distance_since_clear", 0x31, 1_000_000),
        ("time_with_indicator", 0x4D, 60_000_000_000),
        ("time_since_clear", 0x4E, 60_000_000_000),
    ],
)
def test_counters_of_the_mil_stay_at_their_largest_number(counter: str, pid: int, unit: int) -> None:
    """65,535 km and 65,535 minutes (45.5 days of driving)."""
    car = Bench(ENGINE)
    for number, data in ((65_534, "ff fe"), (65_535, "ff ff"), (65_536, "ff ff"), (2**40, "ff ff")):
        setattr(car.store.history, counter, number * unit)
        assert car.data_of(pid) == bytes.fromhex(data)
