"""Drives vehicles by a fixed script and prints, as JSON, a hash of every state on the way.

A program of its own: test_same_bits.py runs it once compiled and once with HILBRIDGE_INTERPRETED=1.
"""

import hashlib
import json
import marshal
import random

from hilbridge.base import model_build

model_build.honour_environment()

from vehiclesim import (  # noqa: E402 - only now is it settled which build is imported
    NAN,
    AbsSettings,
    AidsSettings,
    AsrSettings,
    AxleDifferentialSettings,
    BodyData,
    ChassisSettings,
    ClutchSettings,
    ClutchType,
    DifferentialSettings,
    DifferentialType,
    DrivelineLayout,
    DrivelineSettings,
    ElectricSettings,
    ElectricTopology,
    EngineSettings,
    EscSettings,
    FaultData,
    GearboxSettings,
    GearboxType,
    IdleControl,
    InputData,
    RequestData,
    RetarderSettings,
    RoadData,
    RpmLimiterMode,
    SettingsData,
    SteeringAidsSettings,
    TcsSettings,
    TrailerSettings,
    TyreSettings,
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
    "firing pulses of six cylinders": VehicleSettings(
        engine=EngineSettings(firing_pulses=True, cylinders=6, can_stall=True),
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
    "rear wheels through a clutch pack": VehicleSettings(
        driveline=DrivelineSettings(
            layout=DrivelineLayout.REAR, rear=AxleDifferentialSettings(type=DifferentialType.CLUTCH_PACK)
        )
    ),
    "all wheels, automatic with converter, retarder": VehicleSettings(
        clutch=ClutchSettings(type=ClutchType.HYDRODYNAMIC, lock_up=True),
        gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
        retarder=RetarderSettings(levels=4),
        driveline=DrivelineSettings(
            layout=DrivelineLayout.CENTRE_DIFFERENTIAL, centre=DifferentialSettings(type=DifferentialType.VISCOUS)
        ),
    ),
    "torque splitter, sequential, tyres that never slip": VehicleSettings(
        gearbox=GearboxSettings(type=GearboxType.SEQUENTIAL),
        driveline=DrivelineSettings(layout=DrivelineLayout.TORQUE_SPLITTER),
        tyre=TyreSettings(tyre_dynamics=False),
    ),
    "rear wheels, every driving aid, tyres that feel their load": VehicleSettings(
        driveline=DrivelineSettings(layout=DrivelineLayout.REAR),
        tyre=TyreSettings(lateral_load_sensitivity=-0.15, stiffest_load=2.1, lateral_relaxation_length=0.5),
        rear_tyre=TyreSettings(longitudinal_load_sensitivity=-0.05, nominal_load=3000.0),
        chassis=ChassisSettings(front_cornering_compliance=1.3, rear_cornering_compliance=-1.0),
        aids=AidsSettings(
            abs=AbsSettings(enabled=True),
            tcs=TcsSettings(enabled=True),
            esc=EscSettings(enabled=True),
            asr=AsrSettings(enabled=True),
            steering=SteeringAidsSettings(limit=True, help=True),
        ),
    ),
    "trailer with anti-lock brakes": VehicleSettings(
        trailer=TrailerSettings(mass=1000.0, abs=AbsSettings(enabled=True)),
        aids=AidsSettings(abs=AbsSettings(enabled=True)),
    ),
    "P0 hybrid": VehicleSettings(electric=ElectricSettings(topology=ElectricTopology.P0_HYBRID)),
    "P2 hybrid": VehicleSettings(
        gearbox=GearboxSettings(type=GearboxType.AUTOMATIC),
        electric=ElectricSettings(topology=ElectricTopology.P2_HYBRID),
    ),
}

SECONDS = {True: 20, False: 8}
"""How long vehicles with and without driving aids are driven."""

CHOICES: dict[str, dict[int, tuple[int, ...]]] = {
    "input": {
        InputData.KEY: (0, 0, 0, 0, 1, -1),
        InputData.THROTTLE: (0, 1234, 5000, 10000),
        InputData.BRAKE: (0, 0, 0, 3000),
        InputData.HANDBRAKE: (0, 0, 0, 0, 0, 10000),
        InputData.CLUTCH: (0, 0, 7000, 10000),
        InputData.STEER: (-10000, -1500, 0, 0, 700, 10000),
        InputData.MANUAL_GEAR: (-1, 0, 1, 2, 3, 5),
        InputData.AUTOMATIC_GEAR: (1, 2, 3, 4, 4, 4, 4, 4, 6),
        InputData.RETARDER: (0, 0, 0, 2),
    },
    "settings": {
        SettingsData.DIFFERENTIAL_LOCK: (0, 0, 1, 2),
        SettingsData.DRIVELINE_LOCK: (0, 0, 1, 2),
    },
    "request": {
        RequestData.ENGINE_TORQUE: (NAN, NAN, NAN, 50_000),
        RequestData.ENGINE_RPM_LIMIT: (NAN, NAN, NAN, 2_500_000),
        RequestData.BRAKE_RATIO: (NAN, NAN, NAN, 2000),
    },
    "road": {
        RoadData.SLOPE: (-1000, 0, 0, 500),
        RoadData.FRICTION: (10000, 10000, 10000, 2500),
        RoadData.FRICTION_FRONT_LEFT: (10000, 10000, 2000),
        RoadData.HEAD_WIND: (-5000, 0, 10000),
    },
    "fault": {
        FaultData.MISFIRE: (0, 0, 2500),
        FaultData.LEAN_MIXTURE: (0, 0, 1000),
    },
    "body": {
        BodyData.TURN_SIGNAL: (0, 1, 2),
        BodyData.HAZARD_LIGHTS: (0, 0, 0, 1),
        BodyData.SELECTOR: (0, 0, 5),
    },
}
"""What may be written to the bus, by channel and id."""


def drive(settings: VehicleSettings, seconds: int) -> tuple[str, int]:
    """The hash over all states, and the highest engine speed [1/min] on the bus.

    Two seconds of cranking and two of full throttle in neutral, up to the limiter, of a P2 hybrid in D; then all
    controls at random.
    """
    vehicle = Vehicle(settings)
    controls, values = vehicle.data.input, vehicle.data.vehicle
    choose = random.Random(seconds)
    states = hashlib.sha256()
    highest = 0
    for number in range(int(seconds / STEP)):
        second = number * STEP
        if second < 4.0:
            controls[InputData.KEY] = 1 if second < 2.0 else 0
            controls[InputData.THROTTLE] = 0 if second < 2.0 else 10000
            if settings.electric.topology is ElectricTopology.P2_HYBRID:
                controls[InputData.AUTOMATIC_GEAR] = 4
        elif number % 500 == 0:
            for channel, entries in CHOICES.items():
                for index, choices in entries.items():
                    getattr(vehicle.data, channel)[index] = choose.choice(choices)
        vehicle.step(STEP)
        state = (vehicle.get_state_vars(), values, vehicle.data.chassis, vehicle.data.body)
        states.update(marshal.dumps(state, 2))  # types and bits, without references to what came before
        highest = max(highest, values[VehicleData.ENGINE_RPM])
    return states.hexdigest(), highest // 1000


def main() -> None:
    results = {name: drive(settings, SECONDS[settings.aids.esc.enabled]) for name, settings in DRIVES.items()}
    print(json.dumps({"build": model_build.describe(), "drives": results}))


main()
