"""What the status shows of two moments of a run."""

import pytest

from hilbridge.common.statistics import Histogram
from hilbridge.observe.events import Snapshot
from hilbridge.observe.rings import Durations
from hilbridge.observe.status import Meter, gear_name
from vehiclesim.channels import ENTRIES, NAN, VEHICLE, VehicleData

SECOND = 1_000_000_000


def snapshot(t: int = 0, missed: int = 0, received: int = 0, transmitted: int = 0, **vehicle: int) -> Snapshot:
    channels = [[0] * len(entries) for entries in ENTRIES]
    for name, raw in vehicle.items():
        channels[VEHICLE][getattr(VehicleData, name)] = raw
    return Snapshot(t, 0, missed, received, transmitted, 0, tuple(map(tuple, channels)))


def durations(lateness: Histogram | None = None) -> Durations:
    return Durations(lateness or Histogram(), Histogram(), Histogram())


def test_values_have_the_units_of_a_driver() -> None:
    """rpm, km/h = 3.6 m/s, Nm, g/s from the integers of the data bus."""
    raw = snapshot(ENGINE_RPM=2_350_500, SPEED=10_000, ENGINE_TORQUE=132_250, ENGINE_FUEL_RATE=1_842, missed=3)
    status = Meter(0).read(SECOND, raw, durations())
    assert (status.rpm, status.torque, status.fuel_rate, status.missed) == (2350.5, 132.25, 1.842, 3)
    assert status.speed == pytest.approx(36.0)
    fields = status.fields()
    assert (fields["speed_kmh"], fields["torque_nm"], fields["fuel_g_s"]) == (36.0, 132.2, 1.842)


def test_not_available_is_none() -> None:
    """NaN of the data bus is no number."""
    status = Meter(0).read(1, snapshot(ENGINE_TORQUE=NAN, SPEED=NAN), durations())
    assert (status.torque, status.speed) == (None, None)
    assert status.fields()["torque_nm"] is None


def test_rates_are_of_the_last_second() -> None:
    """Frames per second of the run, over about the last second; before that since the start."""
    meter = Meter(0)
    first = meter.read(SECOND // 2, snapshot(t=SECOND // 2, transmitted=50), durations())
    assert (first.received, first.transmitted) == (0.0, 100.0)
    for tenths in range(6, 31):
        t = tenths * SECOND // 10
        meter.read(t, snapshot(t=t, received=20 * tenths, transmitted=50), durations())
    status = meter.read(t := 31 * SECOND // 10, snapshot(t=t, received=620, transmitted=50), durations())
    assert status.received == pytest.approx(200.0)
    assert status.transmitted == 0.0
    assert status.pace == pytest.approx(1.0)


def test_pace_of_a_virtual_run() -> None:
    """Seconds of the run for each second of the observer's clock."""
    meter = Meter(5 * SECOND)
    assert meter.read(6 * SECOND, snapshot(t=80 * SECOND), durations()).pace == pytest.approx(80.0)


def test_lateness_is_of_the_present_its_maximum_of_the_run() -> None:
    """p99 forgets what was a while ago; the maximum does not."""
    meter, lateness = Meter(0), Histogram()
    lateness.record(5_000_000)
    assert meter.read(1, snapshot(), durations(lateness)).late_p99 == 5_000_000
    for tenths in range(1, 31):
        lateness.record(60)
        meter.read(tenths * SECOND // 10, snapshot(), durations(lateness))
    status = meter.read(31 * SECOND // 10, snapshot(), durations(lateness))
    assert (status.late_p99, status.late_max) == (60, 5_000_000)


@pytest.mark.parametrize(
    ("gear", "mode", "name"),
    [(0, 0, "N"), (3, 0, "3"), (-1, 0, "R"), (-2, 2, "R2"), (0, 1, "P"), (0, 3, "N"), (4, 4, "D4"), (2, 7, "D3/2")],
)
def test_gear_names(gear: int, mode: int, name: str) -> None:
    """Negative is reverse, 0 neutral or park; modes 0..9 are M, P, R, N, D, D1..D5 (D3: up to the third gear)."""
    assert gear_name(gear, mode) == name
