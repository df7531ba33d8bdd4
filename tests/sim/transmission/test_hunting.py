"""On a constant hill at a constant pedal no automatic gearbox hunts: at most two shifts a minute, in any car.

The random cars are points of mass behind a gearbox that shifts in no time, so that 200 of them drive in some seconds;
those that are shipped drive as they are, the manual ones forced to shift by themselves.
"""

import random
from math import sqrt
from pathlib import Path

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import (
    RPM_TO_W,
    GearboxSettings,
    GearboxType,
    InputData,
    Powertrain,
    SettingsData,
    ShiftingSettings,
    ShiftLineSettings,
    ShiftStrategy,
)
from vehiclesim.transmission.automatic import AutomaticShifting
from vehiclesim.transmission.hunting import SAME_GRADE, SAME_PEDAL, UpshiftMemory
from vehiclesim.transmission.shifting import GearboxStates

from ..automatic_cars import drive, gears, ready

GRAVITY = 9.80665
STEP = 0.1
VEHICLES = Path(__file__).parents[3] / "config" / "vehicles"


class RandomCar:
    """A point of mass with random engine, gears and shift program, and a torque that the program may overestimate."""

    def __init__(self, seed: int) -> None:
        source = random.Random(seed)
        self.mass = source.uniform(900.0, 2500.0)
        self.idle = source.uniform(650.0, 1000.0)
        self.limit = source.uniform(4400.0, 7000.0)
        self.peak = source.uniform(0.3, 0.7) * self.limit
        self.torque_at_peak = self.mass * source.uniform(0.10, 0.28)
        self.friction = 0.1 * self.torque_at_peak
        self.truth = source.choice([1.0, 1.0, 0.9, 0.75])  # of the torque, in thin air
        self.lead = 0.3 / source.uniform(2.5, 4.5)
        self.drag = 0.5 * 1.2 * source.uniform(0.5, 0.9)
        count = source.randint(4, 9)
        longest, spread = source.uniform(0.6, 0.9), source.uniform(4.0, 8.5)
        step = spread ** (1.0 / (count - 1))
        ratios = tuple(longest * step**place for place in reversed(range(count)))
        box = GearboxSettings(type=GearboxType.AUTOMATIC, ratios=ratios, reverse_ratios=())
        self.states = GearboxStates()
        around = Powertrain(
            idle_rpm=self.idle,
            rated_rpm=self.peak,
            limit_rpm=self.limit,
            torque=self.torque,
            drive_torque=self.torque,
            engine_inertia=0.2,
            converter=True,
            clutch_torque=500.0,
            mass=self.mass,
            lead=self.lead,
        )
        self.gear = 1
        self.automatic = AutomaticShifting(box, self.program(source, step, ratios), around, self.states)
        self.count = count

    def program(self, source: random.Random, step: float, ratios: tuple[float, ...]) -> ShiftingSettings:
        """Bands low enough for cruising, as close as the gears allow; a shift map; or most torque."""
        down = source.uniform(1.2, 1.6) * self.idle
        up = down * step * source.uniform(1.05, 1.4)
        interval = source.uniform(0.5, 1.0)
        kind = source.randrange(4)
        if kind == 0:
            return ShiftingSettings(strategy=ShiftStrategy.MOST_TORQUE, interval=interval, minimum_speeds=(1.0,))
        if kind == 1:
            lines = tuple(
                ShiftLineSettings(
                    pedal=(0.1, 0.9),
                    up=(up * unit, 2.0 * up * unit),
                    down=(down * step * unit, 1.6 * down * step * unit),
                )
                for unit in (RPM_TO_W / ratio * self.lead for ratio in ratios[:-1])
            )
            return ShiftingSettings(interval=interval, shift_map=lines)
        light = (up, down) if kind == 2 else (0.8 * up, 0.8 * down)
        return ShiftingSettings(
            interval=interval,
            up_rpm=up,
            down_rpm=down,
            light_up_rpm=light[0],
            light_down_rpm=light[1],
            minimum_speeds=(1.0,),
        )

    def torque(self, rpm: float, throttle: float) -> float:
        """Of the engine [N m], as the gearbox knows it: a parabola, less friction."""
        off = (rpm - self.peak) / self.limit
        full = self.torque_at_peak * max(0.0, 1.0 - 1.2 * off * off) if rpm < self.limit else 0.0
        return throttle * (full + self.friction) - self.friction

    def drive(self, seconds: float, pedal: float, grade: float) -> int:
        """Drive for a while; return how often it shifted."""
        states, automatic, shifts = self.states, self.automatic, 0
        states.throttle = pedal
        slope = GRAVITY * (grade + 0.01) / sqrt(1.0 + grade * grade)
        drive = 0.0
        for _ in range(round(seconds / STEP)):
            speed = states.speed
            automatic.observe(speed / self.lead, drive, STEP)
            rpm = automatic.outlook.rpm(self.gear)
            states.engine_rpm = max(rpm, self.idle)
            gear = automatic.select(self.gear, 1, 1, self.count)
            shifts += gear != self.gear
            self.gear = gear
            drive = self.truth * automatic.outlook.torque(gear, automatic.outlook.rpm(gear))
            force = drive / self.lead - self.drag * speed * speed
            states.speed = max(0.0, speed + (force / self.mass - slope) * STEP)
        return shifts


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_no_random_car_hunts(first: int) -> None:
    """200 cars, each on two hills of 2 to 6 %: after a minute of running up, two minutes with at most four shifts."""
    for seed in range(first, first + 50):
        source = random.Random(seed)
        for _ in range(2):
            pedal, grade = source.choice([1.0, source.uniform(0.15, 1.0)]), source.uniform(0.02, 0.06)
            hunter = RandomCar(seed)
            hunter.drive(60.0, pedal, grade)
            assert hunter.drive(120.0, pedal, grade) <= 4, (seed, pedal, grade)


AUTOMATICS = ("320d-g20", "truck")
FORCED = ("compact", "mx5-nd", "awd-estate")


@pytest.mark.parametrize("name", AUTOMATICS + FORCED)
def test_no_shipped_car_hunts(name: str) -> None:
    """On 4 % at two thirds of the pedal: two minutes after the start, at most two shifts in the last one."""
    vehicle = ready(load_vehicle(str(VEHICLES / f"{name}.yaml")).settings, grade=0.04)
    vehicle.data.settings[SettingsData.AUTO_SHIFT_OVERRIDE] = 1 if name in FORCED else 0
    vehicle.data.input[InputData.MANUAL_GEAR] = 1 if name in FORCED else 0
    drive(vehicle, 1.0, brake=1.0)
    assert len(drive(vehicle, 45.0, throttle=0.66)) > 2
    assert len(gears(drive(vehicle, 30.0, throttle=0.66))) - 1 <= 1


# -- the memory ---------------------------------------------------------------------------------------------------

WEIGHT = 1000.0
"""[N m], at the output shaft."""


@pytest.mark.parametrize(
    ("pedal", "load", "barred"),
    [
        (0.5, 100.0, True),
        (0.5 + 0.9 * SAME_PEDAL, 100.0, True),
        (0.5 + 1.1 * SAME_PEDAL, 100.0, False),
        (0.5 - 1.1 * SAME_PEDAL, 100.0, False),
        (0.5, 100.0 - 0.9 * SAME_GRADE * WEIGHT, True),
        (0.5, 100.0 - 1.1 * SAME_GRADE * WEIGHT, False),
        (0.5, 400.0, True),
    ],
)
def test_an_upshift_that_was_taken_back_is_not_repeated(pedal: float, load: float, *, barred: bool) -> None:
    """Until the pedal has moved by a twentieth of its way, or the road become flatter by 1.5 %."""
    memory = UpshiftMemory(WEIGHT, 0.95)
    memory.went_up(4, 0.5, 100.0)
    assert not memory.bars(4, 0.5, 100.0)
    memory.went_down(4, 0.5, 100.0)
    assert memory.bars(4, pedal, load) is barred
    assert memory.bars(5, pedal, load) is barred
    assert not memory.bars(3, pedal, load)


def test_a_kick_down_is_another_pedal() -> None:
    """A gear that was left for it is taken at the end of the shorter one, however little the foot has moved."""
    memory = UpshiftMemory(WEIGHT, 0.95)
    memory.went_up(8, 0.94, 100.0)
    memory.went_down(8, 0.97, 100.0)
    assert not memory.bars(8, 0.97, 100.0)
    memory.went_up(8, 0.94, 100.0)
    memory.went_down(8, 0.94, 100.0)
    assert memory.bars(8, 0.94, 100.0)
    assert not memory.bars(8, 0.96, 100.0)


@pytest.mark.parametrize(
    ("gear", "pedal", "load"), [(3, 0.5, 100.0), (4, 0.7, 100.0), (4, 0.2, 100.0), (4, 0.5, 130.0)]
)
def test_a_downshift_with_a_reason_bars_nothing(gear: int, pedal: float, load: float) -> None:
    """Of another gear; after the foot has moved; on a road that has become steeper."""
    memory = UpshiftMemory(WEIGHT, 0.95)
    memory.went_up(4, 0.5, 100.0)
    memory.went_down(gear, pedal, load)
    assert not memory.bars(4, 0.5, 100.0)
