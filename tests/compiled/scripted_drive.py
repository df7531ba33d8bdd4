"""Drives vehicles by a fixed script and prints, as JSON, a hash of every state on the way.

A program of its own: test_same_bits.py runs it once compiled and once with HILBRIDGE_INTERPRETED=1.
"""

import hashlib
import json
import random

from hilbridge import build

build.honour_environment()

from vehiclesim import (  # noqa: E402 - only now is it settled which build is imported
    EngineSettings,
    IdleControl,
    InputData,
    RpmLimiterMode,
    Vehicle,
    VehicleData,
    VehicleSettings,
)

STEP = 0.001
"""[s]."""

DRIVES = {
    "default": VehicleSettings(),
    "injection cut, may stall": VehicleSettings(
        engine=EngineSettings(rpm_limiter=True, rpm_limiter_max=4000.0, can_stall=True)
    ),
    "injection limit, passive idle, torque cap": VehicleSettings(
        engine=EngineSettings(
            rpm_limiter=True,
            rpm_limiter_mode=RpmLimiterMode.INJECTION_LIMIT,
            rpm_limiter_max=3500.0,
            idle_control=IdleControl.PASSIVE,
            torque_cap=True,
            torque_cap_limit=120.0,
        )
    ),
}


def drive(settings: VehicleSettings, seconds: int, rk4: bool) -> tuple[str, int]:
    """The hash over all states, and the highest engine speed [1/min] on the bus.

    Two seconds of cranking and two of full throttle in neutral, up to the limiter; then all controls at random.
    """
    vehicle = Vehicle(settings)
    vehicle.solver.rk4 = rk4
    controls, values = vehicle.data.input, vehicle.data.vehicle
    choose = random.Random(seconds)
    states = hashlib.sha256()
    highest = 0
    for number in range(int(seconds / STEP)):
        second = number * STEP
        if second < 4.0:
            controls[InputData.KEY] = 1 if second < 2.0 else 0
            controls[InputData.THROTTLE] = 0 if second < 2.0 else 10000
        elif number % 500 == 0:
            controls[InputData.KEY] = choose.choice((0, 0, 0, 0, 1, -1))
            controls[InputData.THROTTLE] = choose.choice((0, 1234, 5000, 10000))
            controls[InputData.BRAKE] = choose.choice((0, 0, 0, 3000))
            controls[InputData.CLUTCH] = choose.choice((0, 0, 7000, 10000))
            controls[InputData.MANUAL_GEAR] = choose.choice((-1, 0, 1, 2, 3, 5))
        vehicle.step(STEP)
        states.update(repr((vehicle.get_state_vars(), values)).encode())
        highest = max(highest, values[VehicleData.ENGINE_RPM])
    return states.hexdigest(), highest // 1000


def main() -> None:
    results = {
        f"{name}, {'Runge-Kutta' if rk4 else 'Euler'}": drive(settings, 20, rk4)
        for name, settings in DRIVES.items()
        for rk4 in (False, True)
    }
    print(json.dumps({"build": build.describe(), "drives": results}))


main()
