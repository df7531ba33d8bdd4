"""What each PID of service 01 says. The formulas are those of SAE J1979, written by hand here."""

from pathlib import Path

import pytest

from hilbridge.diagnostics.current_data import EngineCurrentData
from hilbridge.diagnostics.obd import ObdServer
from hilbridge.errors import ConfigurationError
from hilbridge.frames.bus import Bus
from hilbridge.frames.database import Database, load_database
from hilbridge.frames.frame import Frame
from vehiclesim import EngineSettings, GearboxSettings, Vehicle, VehicleSettings
from vehiclesim.channels import NAN, UNAVAILABLE_LOAD, InputData, VehicleData

SECOND = 1_000_000_000

CAR = VehicleSettings(
    engine=EngineSettings(fuel_density=0.85, fuel_consumption_correction=3.0),
    gearbox=GearboxSettings(ratios=(3.84, 2.35, 1.53), reverse_ratios=(-3.44, -1.2)),
)


@pytest.fixture(scope="module")
def database() -> Database:
    return load_database(Path(__file__).parents[3] / "dbc" / "obd2.dbc")


@pytest.fixture
def vehicle() -> Vehicle:
    return Vehicle(CAR)


@pytest.fixture
def ecu(vehicle: Vehicle, database: Database) -> EngineCurrentData:
    return EngineCurrentData(vehicle, database)


def data(ecu: EngineCurrentData, pid: int) -> bytes:
    answer = ecu.read(pid)
    assert answer is not None
    return answer


# -- which PIDs there are ---------------------------------------------------------------------------------------------


def test_the_bitmasks_say_exactly_what_is_answered(ecu: EngineCurrentData) -> None:
    """All 256 PIDs are asked for; the masks are followed from 00 as a scan tool does it."""
    answered = {pid for pid in range(256) if ecu.read(pid) is not None}
    announced = {0x00}
    base = 0x00
    while True:
        mask = int.from_bytes(data(ecu, base), "big")
        announced |= {base + 1 + bit for bit in range(32) if mask & (0x80000000 >> bit)}
        base += 0x20
        if base not in announced:
            break
    assert announced == answered == ecu.supported


def test_over_the_bus_the_bitmasks_say_the_same(vehicle: Vehicle, ecu: EngineCurrentData) -> None:
    """Every PID in a request of its own, to 7DF and to 7E0."""
    heard: list[Frame] = []

    class ScanTool:
        def receive(self, frame: Frame, t: int) -> None:
            heard.append(frame)

    bus, tool = Bus("powertrain"), ScanTool()
    bus.attach(tool)
    server = ObdServer(bus, vehicle.data, ecu)
    vehicle.data.input[InputData.KEY] = 0
    for can_id in (0x7DF, 0x7E0):
        positive = set()
        for pid in range(256):
            heard.clear()
            bus.transmit(Frame(can_id, bytes((2, 1, pid, 0, 0, 0, 0, 0))), tool)
            bus.exchange(pid)
            server.serve(pid)
            bus.exchange(pid)
            positive |= {frame.data[2] for frame in heard if frame.data[1] == 0x41}
        assert positive == ecu.supported


def test_pids_have_the_length_that_the_standard_gives_them(ecu: EngineCurrentData) -> None:
    lengths = {
        0x04: 1,
        0x0C: 2,
        0x0D: 1,
        0x11: 1,
        0x1F: 2,
        0x49: 1,
        0x4C: 1,
        0x5A: 1,
        0x5E: 2,
        0x62: 1,
        0x63: 2,
        0xA4: 4,
    }
    masks = dict.fromkeys((0x00, 0x20, 0x40, 0x60, 0x80, 0xA0), 4)
    assert {pid: len(data(ecu, pid)) for pid in ecu.supported} == lengths | masks


def test_a_database_without_the_pids_is_refused(vehicle: Vehicle) -> None:
    powertrain = load_database(Path(__file__).parents[3] / "dbc" / "powertrain.dbc")
    with pytest.raises(ConfigurationError, match="ObdResponse"):
        EngineCurrentData(vehicle, powertrain)


# -- what they say ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rpm", [0.0, 0.25, 800.13, 1726.0, 6543.21, 16383.75])
def test_0c_is_the_engine_speed_in_quarters(vehicle: Vehicle, ecu: EngineCurrentData, rpm: float) -> None:
    vehicle.data.vehicle[VehicleData.ENGINE_RPM] = round(rpm * 1000)
    a, b = data(ecu, 0x0C)
    assert (256 * a + b) / 4 == pytest.approx(rpm, abs=0.125)


@pytest.mark.parametrize("speed", [0.0, 0.14, 13.888, 27.777, 70.0])
def test_0d_is_the_speed_in_kilometres_per_hour(vehicle: Vehicle, ecu: EngineCurrentData, speed: float) -> None:
    """Driving backward too."""
    for sign in (1, -1):
        vehicle.data.vehicle[VehicleData.SPEED] = sign * round(speed * 1000)
        (a,) = data(ecu, 0x0D)
        assert a == pytest.approx(speed * 3.6, abs=0.502)


@pytest.mark.parametrize("share", [0.0, 0.002, 0.333, 0.5, 1.0])
def test_percentages_are_a_times_100_by_255(vehicle: Vehicle, ecu: EngineCurrentData, share: float) -> None:
    """04 is the load, 11 and 4C the throttle, 49 and 5A the pedal."""
    vehicle.data.vehicle[VehicleData.ENGINE_LOAD] = round(share * 1000)
    vehicle.data.vehicle[VehicleData.THROTTLE_SIGNAL] = round((1 - share) * 10000)
    vehicle.data.input[InputData.THROTTLE] = round(share * share * 10000)
    wanted = {0x04: share, 0x11: 1 - share, 0x4C: 1 - share, 0x49: share * share, 0x5A: share * share}
    for pid, expected in wanted.items():
        (a,) = data(ecu, pid)
        assert a * 100 / 255 == pytest.approx(100 * expected, abs=0.5 * 100 / 255 + 0.05)


def test_04_is_0_while_the_load_is_not_available(vehicle: Vehicle, ecu: EngineCurrentData) -> None:
    vehicle.data.vehicle[VehicleData.ENGINE_LOAD] = UNAVAILABLE_LOAD
    assert data(ecu, 0x04) == b"\x00"


@pytest.mark.parametrize("rate", [0.0, 0.25, 1.7, 12.0])
def test_5e_is_the_fuel_rate_in_twentieths_of_a_litre_per_hour(
    vehicle: Vehicle, ecu: EngineCurrentData, rate: float
) -> None:
    """rate [g/s] / (1000 · 0.85 kg/l) · 3600 s/h, times 3.6 over the correction of 3.0."""
    vehicle.data.vehicle[VehicleData.ENGINE_FUEL_RATE] = round(rate * 1000)
    a, b = data(ecu, 0x5E)
    assert (256 * a + b) / 20 == pytest.approx(rate / 850 * 3600 * 3.6 / 3.0, abs=0.026)


def test_5e_agrees_with_the_fuel_consumption_on_the_bus(vehicle: Vehicle, ecu: EngineCurrentData) -> None:
    """l/h = l/100 km · km/h / 100, after ten seconds of driving."""
    controls = vehicle.data.input
    controls[InputData.KEY], controls[InputData.MANUAL_GEAR], controls[InputData.THROTTLE] = 0, 1, 6000
    for _ in range(1000):
        vehicle.step(0.01)
    values = vehicle.data.vehicle
    speed = values[VehicleData.SPEED] / 1000 * 3.6
    assert speed > 20
    a, b = data(ecu, 0x5E)
    assert (256 * a + b) / 20 == pytest.approx(values[VehicleData.FUEL_CONSUMPTION] / 1000 * speed / 100, abs=0.03)


def test_62_is_the_torque_in_percent_of_63_plus_125(vehicle: Vehicle, ecu: EngineCurrentData) -> None:
    """The default engine's highest torque is 191.27 Nm at 3854 rpm."""
    a, b = data(ecu, 0x63)
    assert 256 * a + b == 191
    for torque in (-60.0, 0.0, 95.5, 191.0):
        vehicle.data.vehicle[VehicleData.ENGINE_TORQUE] = round(torque * 1000)
        (a,) = data(ecu, 0x62)
        assert a - 125 == pytest.approx(torque / 191 * 100, abs=0.5)


@pytest.mark.parametrize(
    ("gear", "number", "ratio"), [(0, 0, 0), (1, 1, 3840), (3, 3, 1530), (-1, None, 3440), (-2, None, 1200)]
)
def test_a4_has_the_gear_in_the_upper_half_of_b_and_the_ratio_in_thousandths(
    vehicle: Vehicle, ecu: EngineCurrentData, gear: int, number: int | None, ratio: int
) -> None:
    """Bit 0 of A: there is a gear number, which reverse has not; bit 1: there is a ratio."""
    vehicle.data.vehicle[VehicleData.GEARBOX_GEAR] = gear
    a, b, c, d = data(ecu, 0xA4)
    assert a == (0b10 if number is None else 0b11)
    assert b == (number or 0) << 4
    assert 256 * c + d == ratio


@pytest.mark.parametrize(
    ("pid", "entry", "raw", "expected"),
    [
        (0x0C, VehicleData.ENGINE_RPM, 99_999_000, b"\xff\xff"),
        (0x0C, VehicleData.ENGINE_RPM, -5_000, b"\x00\x00"),
        (0x0C, VehicleData.ENGINE_RPM, NAN, b"\x00\x00"),
        (0x0D, VehicleData.SPEED, 90_000, b"\xff"),
        (0x04, VehicleData.ENGINE_LOAD, 1_500, b"\xff"),
        (0x11, VehicleData.THROTTLE_SIGNAL, 12_000, b"\xff"),
        (0x5E, VehicleData.ENGINE_FUEL_RATE, 2_147_483_647, b"\xfa\xff"),
        (0x62, VehicleData.ENGINE_TORQUE, 900_000, b"\xff"),
        (0x62, VehicleData.ENGINE_TORQUE, -900_000, b"\x00"),
    ],
)
def test_values_beyond_the_range_stay_at_its_end(
    vehicle: Vehicle, ecu: EngineCurrentData, pid: int, entry: int, raw: int, expected: bytes
) -> None:
    vehicle.data.vehicle[entry] = raw
    assert data(ecu, pid) == expected


# -- time since engine start ------------------------------------------------------------------------------------------


def run_time(ecu: EngineCurrentData) -> int:
    a, b = data(ecu, 0x1F)
    return 256 * a + b


def test_1f_counts_while_the_engine_runs_stands_still_when_it_stalls_and_begins_anew(
    vehicle: Vehicle, ecu: EngineCurrentData
) -> None:
    values, controls = vehicle.data.vehicle, vehicle.data.input
    seen = []
    for second in range(30):
        controls[InputData.KEY] = -1 if second < 3 or second >= 25 else 0
        values[VehicleData.ENGINE_WORKING] = 5 <= second < 12 or 20 <= second < 25
        ecu.advance(second * SECOND)
        seen.append(run_time(ecu))
    assert seen == [0] * 5 + [0, 1, 2, 3, 4, 5, 6] + [6] * 8 + [0, 1, 2, 3, 4] + [0] * 5


def test_1f_does_not_wrap_after_18_hours(vehicle: Vehicle, ecu: EngineCurrentData) -> None:
    vehicle.data.input[InputData.KEY] = 0
    vehicle.data.vehicle[VehicleData.ENGINE_WORKING] = 1
    for hours in (0, 18, 19, 1000):
        ecu.advance(hours * 3600 * SECOND)
    assert run_time(ecu) == 65535
