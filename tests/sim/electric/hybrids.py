"""Two hybrid vehicles, of the default car with its engine, and how they are driven."""

from dataclasses import replace
from typing import Final

from vehiclesim import ELECTRIC, ClutchSettings, EngineSettings, InputData, StopStartSettings, Vehicle, VehicleSettings
from vehiclesim.energy import EnergyLedger
from vehiclesim.parameters import (
    ElectricSettings,
    ElectricTopology,
    GearboxSettings,
    GearboxType,
    HybridSettings,
    MotorSettings,
    ShiftingSettings,
    TractionBatterySettings,
)

STEP: Final = 0.005
SUBSTEP: Final = 0.001
PARK, NEUTRAL, DRIVE = 1, 3, 4

_ENGINE: Final = EngineSettings(can_stall=True, inertia=0.2)

P2: Final = VehicleSettings(
    engine=_ENGINE,
    clutch=ClutchSettings(max_torque_transfer=300.0),
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC, efficiency=0.97),
    shifting=ShiftingSettings(up_rpm=3000.0, down_rpm=1500.0, minimum_speeds=(3.0,)),
    electric=ElectricSettings(
        topology=ElectricTopology.P2_HYBRID,
        motor=MotorSettings(max_torque=200.0, max_power=50.0),
        battery=TractionBatterySettings(capacity=5.0, max_charge=50.0, initial_charge=0.6),
        hybrid=HybridSettings(low_charge=0.4, high_charge=0.8, electric_speed=20.0, electric_power=15.0),
    ),
)
"""A P2 hybrid whose battery begins in the middle of its band."""

P0: Final = VehicleSettings(
    engine=_ENGINE,
    stop_start=StopStartSettings(enabled=True, coolant=-50.0, charge=0.0),
    gearbox=GearboxSettings(efficiency=0.97),
    electric=ElectricSettings(
        topology=ElectricTopology.P0_HYBRID,
        motor=MotorSettings(max_torque=50.0, max_power=10.0, max_rpm=18_000.0, ratio=2.5, inertia=0.002),
        battery=TractionBatterySettings(
            capacity=0.5,
            voltage=48.0,
            internal_resistance=0.01,
            max_discharge=12.0,
            max_charge=12.0,
            initial_charge=0.6,
        ),
        overrun_deceleration=0.3,
        hybrid=HybridSettings(low_charge=0.4, high_charge=0.8, charge_power=3.0),
    ),
)
"""A P0 hybrid with a manual gearbox, whose battery begins in the middle of its band."""


SPLIT: Final = VehicleSettings(
    engine=EngineSettings(can_stall=True, inertia=0.15, rpm_limiter=True, rpm_limiter_max=5200.0),
    clutch=ClutchSettings(max_torque_transfer=400.0),
    gearbox=GearboxSettings(type=GearboxType.AUTOMATIC, ratios=(1.0,), reverse_ratios=(-1.0,), efficiency=0.97),
    electric=ElectricSettings(
        topology=ElectricTopology.POWER_SPLIT,
        motor=MotorSettings(max_torque=163.0, max_power=53.0, max_rpm=17_000.0, ratio=3.0, inertia=0.02),
        generator=MotorSettings(max_torque=60.0, max_power=80.0, max_rpm=14_000.0, inertia=0.02),
        battery=TractionBatterySettings(
            capacity=1.3,
            voltage=200.0,
            internal_resistance=0.3,
            max_discharge=30.0,
            max_charge=25.0,
            initial_charge=0.6,
        ),
        hybrid=HybridSettings(low_charge=0.4, high_charge=0.8, electric_speed=20.0, electric_power=8.0, max_power=90.0),
    ),
)
"""A power split of 30 and 78 teeth, whose battery begins in the middle of its band."""

SERIES: Final = replace(
    SPLIT,
    electric=replace(
        SPLIT.electric,
        topology=ElectricTopology.SERIES_HYBRID,
        generator=MotorSettings(max_torque=250.0, max_power=80.0, inertia=0.05),
    ),
)
"""The same car as a series hybrid, with a generator that turns with the crankshaft."""


def with_charge(settings: VehicleSettings, charge: float) -> VehicleSettings:
    electric = settings.electric
    return replace(settings, electric=replace(electric, battery=replace(electric.battery, initial_charge=charge)))


def read(vehicle: Vehicle, index: int) -> float:
    return vehicle.data.read(ELECTRIC, index)


def run(
    vehicle: Vehicle, seconds: float, ledger: EnergyLedger | None = None, step: float = 0.0, **controls: int
) -> Vehicle:
    for name, value in controls.items():
        vehicle.data.input[getattr(InputData, name.upper())] = value
    """Hold the controls for some seconds, in steps of 5 ms; of 1 ms where the energy is booked."""
    step = step or (STEP if ledger is None else SUBSTEP)
    for _ in range(round(seconds / step)):
        vehicle.step(step)
        if ledger is not None:
            ledger.observe(step)
    return vehicle


def ready(settings: VehicleSettings = P2, step: float = 0.0) -> Vehicle:
    """A P2 hybrid that is ready to drive and in D, its brake released."""
    vehicle = run(Vehicle(settings), 0.3, step=step, key=1, brake=5000, automatic_gear=PARK)
    run(vehicle, 0.5, step=step, key=0, automatic_gear=DRIVE)
    return run(vehicle, 0.1, step=step, brake=0)


def rolling(settings: VehicleSettings = P0, gear: int = 3) -> Vehicle:
    """A P0 hybrid whose engine runs, in a gear, at 3000/min, with both pedals released and the clutch closed."""
    vehicle = run(Vehicle(settings), 1.5, key=1, clutch=10_000)
    run(vehicle, 0.5, key=0, manual_gear=1)
    for position in range(8000, -1, -400):
        run(vehicle, 0.05, throttle=3500, clutch=position)
    for place in range(1, gear + 1):
        if place > 1:
            run(vehicle, 0.2, throttle=0, clutch=10_000)
            run(vehicle, 0.4, manual_gear=place)
            run(vehicle, 0.4, throttle=2000, clutch=5000)
        run(vehicle, 0.3, clutch=0)
        while vehicle.engine.sensor_rpm < 3000.0:
            run(vehicle, 0.05, throttle=8000)
    return run(vehicle, 0.0, throttle=0)
