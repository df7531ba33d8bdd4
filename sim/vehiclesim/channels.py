"""The channels of the data bus: every value by name and id, its unit and its resolution.

Input, Vehicle and Settings are those of Vehicle Physics Pro's data bus; the others are added. Ids are append-only:
a new value gets the next free one, an old one is never reused.
"""

from typing import Final, NamedTuple

INPUT: Final = 0
VEHICLE: Final = 1
SETTINGS: Final = 2
AUXILIARY: Final = 3
CHASSIS: Final = 4
REQUEST: Final = 5
ROAD: Final = 6
FAULT: Final = 7
BODY: Final = 8
CLOCK: Final = 9
ELECTRIC: Final = 10
CUSTOM: Final = 11

NAN: Final = -2147483647
"""Integer that stands for "not a number"."""

UNAVAILABLE_LOAD: Final = -1
"""Integer of EngineLoad while the load is unknown (every other value uses NAN)."""

FULL_TRAVEL: Final = 10000
"""Resolution of every position of a control, and so the integer of one that is fully pressed."""


class InputData:
    """Ids of the Input channel: the positions of the driver's controls."""

    STEER: Final = 0
    THROTTLE: Final = 1
    BRAKE: Final = 2
    HANDBRAKE: Final = 3
    CLUTCH: Final = 4
    MANUAL_GEAR: Final = 5
    AUTOMATIC_GEAR: Final = 6
    GEAR_SHIFT: Final = 7
    RETARDER: Final = 8
    KEY: Final = 9


class VehicleData:
    """Ids of the Vehicle channel: the sensors of engine, transmission and driving aids."""

    SPEED: Final = 0
    ENGINE_RPM: Final = 1
    ENGINE_STALLED: Final = 2
    ENGINE_WORKING: Final = 3
    ENGINE_STARTING: Final = 4
    ENGINE_LIMITER: Final = 5
    ENGINE_LOAD: Final = 6
    ENGINE_TORQUE: Final = 7
    ENGINE_POWER: Final = 8
    ENGINE_FUEL_RATE: Final = 9
    CLUTCH_TORQUE: Final = 10
    CLUTCH_LOCK: Final = 11
    GEARBOX_GEAR: Final = 12
    GEARBOX_MODE: Final = 13
    GEARBOX_SHIFTING: Final = 14
    RETARDER_TORQUE: Final = 15
    TRANSMISSION_RPM: Final = 16
    ABS_ENGAGED: Final = 17
    TCS_ENGAGED: Final = 18
    ESC_ENGAGED: Final = 19
    ASR_ENGAGED: Final = 20
    AIDED_STEER: Final = 21
    FUEL_CONSUMPTION: Final = 22
    THROTTLE_SIGNAL: Final = 23
    CLUTCH_SIGNAL: Final = 24


class SettingsData:
    """Ids of the Settings channel: overrides that a driver or a test may set. 0 is "no override" everywhere."""

    DIFFERENTIAL_LOCK: Final = 0
    FRONT_DIFFERENTIAL_LOCK: Final = 1
    REAR_DIFFERENTIAL_LOCK: Final = 2
    DRIVELINE_LOCK: Final = 3
    ABS_OVERRIDE: Final = 4
    ESC_OVERRIDE: Final = 5
    TCS_OVERRIDE: Final = 6
    ASR_OVERRIDE: Final = 7
    STEERING_AIDS_OVERRIDE: Final = 8
    AUTO_SHIFT_OVERRIDE: Final = 9
    MIN_GEAR_OVERRIDE: Final = 10
    MAX_GEAR_OVERRIDE: Final = 11


class AuxiliaryData:
    """Ids of the Auxiliary channel: further values of clusters and scan tools. Integrals have 64 bits.

    INDICATOR_LAMP is not written by the model, but by the owner of the trouble codes.
    """

    COOLANT_TEMPERATURE: Final = 0
    OIL_TEMPERATURE: Final = 1
    TRANSMISSION_TEMPERATURE: Final = 2
    CATALYST_TEMPERATURE: Final = 3
    INTAKE_TEMPERATURE: Final = 4
    OIL_PRESSURE: Final = 5
    BATTERY_VOLTAGE: Final = 6
    FUEL_LEVEL: Final = 7
    FUEL_SHARE: Final = 8
    FUEL_FLOW: Final = 9
    FUEL_USED: Final = 10
    ODOMETER: Final = 11
    TRIP: Final = 12
    DISTANCE_PULSES: Final = 13
    PULSES_FRONT_LEFT: Final = 14
    PULSES_FRONT_RIGHT: Final = 15
    PULSES_REAR_LEFT: Final = 16
    PULSES_REAR_RIGHT: Final = 17
    RUN_TIME: Final = 18
    ENGINE_HOURS: Final = 19
    ENGINE_REVOLUTIONS: Final = 20
    INTAKE_PRESSURE: Final = 21
    AIR_MASS_FLOW: Final = 22
    IGNITION_ADVANCE: Final = 23
    LAMBDA: Final = 24
    SHORT_FUEL_TRIM: Final = 25
    LONG_FUEL_TRIM: Final = 26
    FUEL_SYSTEM: Final = 27
    COMMANDED_LAMBDA: Final = 28
    ABSOLUTE_LOAD: Final = 29
    REAR_OXYGEN_VOLTAGE: Final = 30
    FRICTION_TORQUE: Final = 31
    BATTERY_CHARGE: Final = 32
    BATTERY_CURRENT: Final = 33
    INDICATOR_LAMP: Final = 34
    AUTO_STOP: Final = 35


class ElectricData:
    """Ids of the Electric channel: motor and traction battery of a vehicle that has them; else not available."""

    DRIVE_READY: Final = 0
    MOTOR_RPM: Final = 1
    MOTOR_TORQUE: Final = 2
    MOTOR_POWER: Final = 3
    TRACTION_CHARGE: Final = 4
    TRACTION_VOLTAGE: Final = 5
    TRACTION_CURRENT: Final = 6
    TRACTION_POWER: Final = 7
    POWER_SHARE: Final = 8
    ENERGY_USED: Final = 9
    ENERGY_RECUPERATED: Final = 10
    ENERGY_CONSUMPTION: Final = 11


class ChassisData:
    """Ids of the Chassis channel: the motion over ground, as brake and steering modules measure it."""

    WHEEL_SPEED_FRONT_LEFT: Final = 0
    WHEEL_SPEED_FRONT_RIGHT: Final = 1
    WHEEL_SPEED_REAR_LEFT: Final = 2
    WHEEL_SPEED_REAR_RIGHT: Final = 3
    ACCELERATION: Final = 4
    LATERAL_ACCELERATION: Final = 5
    YAW_RATE: Final = 6
    LATERAL_SPEED: Final = 7
    STEERING_WHEEL_ANGLE: Final = 8
    BRAKE_PRESSURE: Final = 9
    POSITION_X: Final = 10
    POSITION_Y: Final = 11
    HEADING: Final = 12


class RequestData:
    """Ids of the Request channel: requests of external control units to engine and brakes. NAN is "no request".

    MOTION_SPEED to MOTION_GEAR are the motion that another simulation, such as a game, prescribes.
    """

    ENGINE_TORQUE: Final = 0
    ENGINE_TORQUE_LIMIT: Final = 1
    ENGINE_RPM: Final = 2
    ENGINE_RPM_LIMIT: Final = 3
    ALLOWED_FUEL_RATIO: Final = 4
    TCS_RPM: Final = 5
    TCS_RATIO: Final = 6
    TCS_THROTTLE_FACTOR: Final = 7
    RETARDER_RATIO: Final = 8
    BRAKE_RATIO: Final = 9
    MOTION_SPEED: Final = 10
    MOTION_RPM: Final = 11
    MOTION_GEAR: Final = 12


class RoadData:
    """Ids of the Road channel: road and weather."""

    SLOPE: Final = 0
    FRICTION: Final = 1
    HEAD_WIND: Final = 2
    AMBIENT_TEMPERATURE: Final = 3
    AIR_PRESSURE: Final = 4
    FRICTION_FRONT_LEFT: Final = 5
    FRICTION_FRONT_RIGHT: Final = 6
    FRICTION_REAR_LEFT: Final = 7
    FRICTION_REAR_RIGHT: Final = 8


class FaultData:
    """Ids of the Fault channel: the severity of each fault, 0 (NAN for a position) without one."""

    MISFIRE: Final = 0
    LEAN_MIXTURE: Final = 1
    STUCK_THROTTLE: Final = 2
    COOLING_LOSS: Final = 3
    CHARGING_LOSS: Final = 4
    BATTERY_LOSS: Final = 5
    OVERCHARGE: Final = 6


class BodyData:
    """Ids of the Body channel: lights, doors, belts, and what the driver has chosen at cluster and levers.

    LEFT_TURN to SELECTOR_SHOWN are computed.
    """

    TURN_SIGNAL: Final = 0
    HAZARD_LIGHTS: Final = 1
    SIDE_LIGHTS: Final = 2
    DIPPED_BEAM: Final = 3
    MAIN_BEAM: Final = 4
    FRONT_FOG_LIGHTS: Final = 5
    REAR_FOG_LIGHTS: Final = 6
    DOOR_FRONT_LEFT: Final = 7
    DOOR_FRONT_RIGHT: Final = 8
    DOOR_REAR_LEFT: Final = 9
    DOOR_REAR_RIGHT: Final = 10
    BONNET: Final = 11
    BOOT: Final = 12
    BELT_DRIVER: Final = 13
    BELT_PASSENGER: Final = 14
    BELT_REAR_LEFT: Final = 15
    BELT_REAR_CENTRE: Final = 16
    BELT_REAR_RIGHT: Final = 17
    PARKING_BRAKE: Final = 18
    CRUISE_STATE: Final = 19
    CRUISE_SPEED: Final = 20
    DRIVE_MODE: Final = 21
    SELECTOR: Final = 22
    WIPER: Final = 23
    DIMMING: Final = 24
    SPEED_UNIT: Final = 25
    TEMPERATURE_UNIT: Final = 26
    CONSUMPTION_UNIT: Final = 27
    LANGUAGE: Final = 28
    LEFT_TURN: Final = 29
    RIGHT_TURN: Final = 30
    LEFT_TURN_LAMP: Final = 31
    RIGHT_TURN_LAMP: Final = 32
    SELECTOR_SHOWN: Final = 33
    AIR_CONDITIONING: Final = 34
    STOP_START_OFF: Final = 35


class ClockData:
    """Ids of the Clock channel: date and time of the run. They rest where a run on the virtual clock begins."""

    YEAR: Final = 0
    MONTH: Final = 1
    DAY: Final = 2
    WEEKDAY: Final = 3
    HOUR: Final = 4
    MINUTE: Final = 5
    SECOND: Final = 6
    DAY_OF_YEAR: Final = 7
    ELAPSED: Final = 8


class Entry(NamedTuple):
    """One value of the bus: `channel.name` as configuration files write it, and how its integer reads."""

    channel: str
    name: str
    resolution: int
    unit: str
    meaning: str
    writer: str
    codes: tuple[tuple[int, str], ...] = ()
    """The integers that stand for states, with the state; () of a number."""
    rest: int = 0
    """The integer before the first write."""
    limits: tuple[float, float] | None = None
    """The lowest and the highest value that may be set, in the unit; None of a computed entry."""

    @property
    def path(self) -> str:
        return f"{self.channel}.{self.name}"


class _Row(NamedTuple):
    """An entry without its channel; `writer`: if it is another than that of the channel."""

    name: str
    resolution: int
    unit: str
    meaning: str
    codes: tuple[tuple[int, str], ...] = ()
    rest: int = 0
    writer: str = ""
    limits: tuple[float, float] | None = None
    """None: over the codes, and a number from 0 to 1."""


_DRIVER: Final = "inputs (driver's controls)"
_MODEL: Final = "model"
_COMMAND: Final = "command (or an input)"
_FAULTS: Final = "faults"
_TROUBLES: Final = "trouble codes"
_RUN: Final = "clock of the run"
_COMPUTED: Final = (_MODEL, _TROUBLES, _RUN)

_FLAG: Final = ((0, "no"), (1, "yes"))
_LAMP: Final = ((0, "off"), (1, "lit"))
_KEY: Final = ((-1, "off"), (0, "on"), (1, "start"))
_STEPS: Final = ((-1, "down"), (0, "none"), (1, "up"))
_SELECTOR: Final = tuple(enumerate(("M", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5")))
_LOCK: Final = ((0, "no override"), (1, "locked"), (2, "open"))
_OVERRIDE: Final = ((0, "no override"), (1, "on"), (2, "off"))
_OFF_ONLY: Final = ((0, "no override"), (2, "off"))
_SHIFTING: Final = ((0, "no override"), (1, "automatic"), (2, "by hand"))
_SWITCH: Final = ((0, "off"), (1, "on"))
_DOOR: Final = ((0, "closed"), (1, "open"))
_BELT: Final = ((0, "open"), (1, "fastened"))
_PARKING_BRAKE: Final = ((0, "released"), (1, "applied"))
_TURN: Final = ((0, "off"), (1, "left"), (2, "right"))
_CRUISE: Final = ((0, "off"), (1, "standby"), (2, "active"), (3, "limiter"))
_DRIVE_MODE: Final = tuple(enumerate(("comfort", "eco", "sport", "sport plus", "individual", "winter")))
_SHOWN: Final = tuple(enumerate(("none", "P", "R", "N", "D", "S", "M")))
_WIPER: Final = ((0, "off"), (1, "interval"), (2, "slow"), (3, "fast"))
_SPEED_UNIT: Final = ((0, "km/h"), (1, "mph"))
_TEMPERATURE_UNIT: Final = ((0, "°C"), (1, "°F"))
_CONSUMPTION_UNIT: Final = ((0, "l/100km"), (1, "mpg UK"), (2, "mpg US"), (3, "km/l"))
_LANGUAGE: Final = tuple(
    enumerate(
        (
            "English",
            "German",
            "French",
            "Italian",
            "Spanish",
            "Portuguese",
            "Dutch",
            "Polish",
            "Swedish",
            "Turkish",
        )
    )
)
_WEEKDAYS: Final = tuple(
    enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"), start=1)
)
_FUEL_SYSTEM: Final = (
    (0, "off"),
    (1, "open loop (cold)"),
    (2, "closed loop"),
    (4, "open loop (enrichment or fuel cut)"),
)

_HIGHEST_GEAR: Final = 125.0
"""SAE J1939-71 counts gears from -125 to 125; the gearbox decides which of them exist."""

_GEARS: Final = (-_HIGHEST_GEAR, _HIGHEST_GEAR)
_GRIP: Final = (0.0, 2.0)
_TORQUES: Final = (-100_000.0, 100_000.0)
_SPEEDS: Final = (0.0, 100_000.0)
"""Limits of gears, the grip of the road, torques [Nm] and speeds of engines [rpm]."""


def _limits(row: _Row) -> tuple[float, float]:
    """Return the limits of an entry: its own, else those of its codes, else those of a share."""
    codes = [float(code) for code, _ in row.codes]
    return row.limits or ((min(codes), max(codes)) if codes else (0.0, 1.0))  # mypyc loses a constant tuple of floats


def _entries(channel: str, writer: str, *rows: _Row) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            channel,
            row.name,
            row.resolution,
            row.unit,
            row.meaning,
            row.writer or writer,
            row.codes,
            row.rest,
            None if (row.writer or writer) in _COMPUTED else _limits(row),
        )
        for row in rows
    )


ENTRIES: Final = (
    _entries(
        "input",
        _DRIVER,
        _Row(
            "Steer",
            FULL_TRAVEL,
            "1",
            "Position of the steering wheel: -1 full left, 0 straight, 1 full right.",
            limits=(-1.0, 1.0),
        ),
        _Row("Throttle", FULL_TRAVEL, "1", "Position of the accelerator pedal: 0 released, 1 fully pressed."),
        _Row("Brake", FULL_TRAVEL, "1", "Position of the brake pedal: 0 released, 1 fully pressed."),
        _Row("Handbrake", FULL_TRAVEL, "1", "Position of the parking brake: 0 released, 1 fully applied."),
        _Row("Clutch", FULL_TRAVEL, "1", "Position of the clutch pedal: 0 released (clutch engaged), 1 fully pressed."),
        _Row(
            "ManualGear",
            1,
            "",
            "Gear lever of a manual gearbox: -1 reverse, 0 neutral, 1, 2, 3, ... forward gears.",
            limits=_GEARS,
        ),
        _Row("AutomaticGear", 1, "", "Selector of an automatic gearbox.", codes=_SELECTOR),
        _Row(
            "GearShift",
            1,
            "",
            "Gear steps that are asked for; 0 again as soon as the gearbox has taken them.",
            codes=_STEPS,
        ),
        _Row("Retarder", 1, "", "Stick of the retarder: 0 off, 1, 2, 3, ... levels.", limits=(0.0, 255.0)),
        _Row("Key", 1, "", "Ignition key.", codes=_KEY),
    ),
    _entries(
        "vehicle",
        _MODEL,
        _Row("Speed", 1000, "m/s", "Speed over ground, negative backwards."),
        _Row("EngineRpm", 1000, "rpm", "Speed of the crankshaft."),
        _Row("EngineStalled", 1, "", "The ignition is on and the engine does not run.", codes=_FLAG),
        _Row("EngineWorking", 1, "", "The engine runs by itself.", codes=_FLAG),
        _Row("EngineStarting", 1, "", "The starter turns the engine.", codes=_FLAG),
        _Row("EngineLimiter", 1, "", "The speed limiter cuts power.", codes=_FLAG),
        _Row(
            "EngineLoad",
            1000,
            "1",
            "Combustion torque over the highest at this speed; not available while the engine does not run.",
        ),
        _Row("EngineTorque", 1000, "Nm", "Torque at the flywheel, negative on overrun."),
        _Row("EnginePower", 1000, "kW", "Power at the flywheel, negative on overrun."),
        _Row("EngineFuelRate", 1000, "g/s", "Mass of fuel that the engine takes per second."),
        _Row("ClutchTorque", 1000, "Nm", "Torque at the output of the clutch or torque converter."),
        _Row("ClutchLock", 1000, "1", "How far the clutch joins engine and driveline: 0 open, 1 locked."),
        _Row("GearboxGear", 1, "", "Engaged gear: negative in reverse, 0 in neutral and park."),
        _Row("GearboxMode", 1, "", "Mode that the transmission is in.", codes=_SELECTOR),
        _Row("GearboxShifting", 1, "", "A gear change is under way.", codes=_FLAG),
        _Row("RetarderTorque", 1000, "Nm", "Brake torque of the retarder."),
        _Row("TransmissionRpm", 1000, "rpm", "Speed of the gearbox output, negative in reverse."),
        _Row("AbsEngaged", 1, "", "The valves of the anti-lock braking system act on a wheel.", codes=_FLAG),
        _Row("TcsEngaged", 1, "", "The traction control limits the throttle.", codes=_FLAG),
        _Row("EscEngaged", 1, "", "The stability control brakes a wheel and closes the throttle.", codes=_FLAG),
        _Row("AsrEngaged", 1, "", "The anti-slip regulation brakes a spinning wheel.", codes=_FLAG),
        _Row(
            "AidedSteer",
            FULL_TRAVEL,
            "1",
            "Position of the steering wheel after the steering aids: -1 full left, 1 full right.",
        ),
        _Row(
            "FuelConsumption",
            1000,
            "l/100km",
            "Fuel per distance at the present rate; not available below walking speed.",
        ),
        _Row(
            "ThrottleSignal",
            FULL_TRAVEL,
            "1",
            "Throttle as the engine gets it: the pedal less what ESC closes, or where it is stuck.",
        ),
        _Row(
            "ClutchSignal",
            FULL_TRAVEL,
            "1",
            "Clutch as the driveline gets it: 0 open (pedal pressed), 1 engaged.",
        ),
    ),
    _entries(
        "settings",
        _COMMAND,
        _Row("DifferentialLock", 1, "", "Override of the lock of the axle differentials.", codes=_LOCK),
        _Row(
            "FrontDifferentialLock",
            1,
            "",
            "Override of the lock of the front differential, before DifferentialLock.",
            codes=_LOCK,
        ),
        _Row(
            "RearDifferentialLock",
            1,
            "",
            "Override of the lock of the rear differential, before DifferentialLock.",
            codes=_LOCK,
        ),
        _Row(
            "DrivelineLock",
            1,
            "",
            "Override of the lock between the axles (centre differential or clutch).",
            codes=_LOCK,
        ),
        _Row("AbsOverride", 1, "", "Override of the anti-lock braking system.", codes=_OVERRIDE),
        _Row("EscOverride", 1, "", "Override of the stability control.", codes=_OVERRIDE),
        _Row("TcsOverride", 1, "", "Override of the traction control.", codes=_OVERRIDE),
        _Row("AsrOverride", 1, "", "Override of the anti-slip regulation.", codes=_OVERRIDE),
        _Row("SteeringAidsOverride", 1, "", "Override of all steering aids.", codes=_OFF_ONLY),
        _Row("AutoShiftOverride", 1, "", "Override of who shifts the gears.", codes=_SHIFTING),
        _Row(
            "MinGearOverride",
            1,
            "",
            "Lowest gear that the gearbox may choose, forward and in reverse; 0 is no override.",
            limits=_GEARS,
        ),
        _Row(
            "MaxGearOverride",
            1,
            "",
            "Highest gear that the gearbox may choose, forward and in reverse; 0 is no override.",
            limits=_GEARS,
        ),
    ),
    _entries(
        "auxiliary",
        _MODEL,
        _Row("CoolantTemperature", 1000, "°C", "Temperature of the coolant."),
        _Row("OilTemperature", 1000, "°C", "Temperature of the engine oil."),
        _Row("TransmissionTemperature", 1000, "°C", "Temperature of the transmission oil."),
        _Row("CatalystTemperature", 1000, "°C", "Temperature of the catalyst."),
        _Row("IntakeTemperature", 1000, "°C", "Temperature of the air in the intake."),
        _Row("OilPressure", 1000, "kPa", "Pressure of the engine oil."),
        _Row("BatteryVoltage", 1000, "V", "Voltage at the terminals of the battery."),
        _Row("FuelLevel", 1000, "l", "Fuel in the tank."),
        _Row("FuelShare", 10000, "1", "Fuel in the tank, as a share of its capacity: the fuel gauge."),
        _Row("FuelFlow", 1000, "l/h", "Volume of fuel that the engine takes per hour."),
        _Row("FuelUsed", 1000000, "l", "Fuel used in the life of the vehicle."),
        _Row("Odometer", 1000, "m", "Distance driven in the life of the vehicle."),
        _Row("Trip", 1000, "m", "Distance driven since the trip was reset."),
        _Row("DistancePulses", 1, "", "Count of the pulses of the distance sensor."),
        _Row("PulsesFrontLeft", 1, "", "Count of the teeth that passed the sensor of the front left wheel."),
        _Row("PulsesFrontRight", 1, "", "Count of the teeth that passed the sensor of the front right wheel."),
        _Row("PulsesRearLeft", 1, "", "Count of the teeth that passed the sensor of the rear left wheel."),
        _Row("PulsesRearRight", 1, "", "Count of the teeth that passed the sensor of the rear right wheel."),
        _Row("RunTime", 1000, "s", "Time that the engine has run since the key was turned on."),
        _Row("EngineHours", 1000000, "h", "Time that the engine has run in its life."),
        _Row("EngineRevolutions", 1, "", "Revolutions of the crankshaft in the life of the engine."),
        _Row("IntakePressure", 1000, "kPa", "Absolute pressure in the intake manifold."),
        _Row("AirMassFlow", 1000, "g/s", "Mass of air that the engine takes in per second."),
        _Row("IgnitionAdvance", 1000, "deg", "Ignition (diesel: main injection) before top dead centre."),
        _Row("Lambda", 10000, "1", "Air-fuel equivalence ratio of the exhaust: 1 stoichiometric, above lean."),
        _Row("ShortFuelTrim", 10000, "1", "Short-term fuel trim of the lambda control: 0 none, positive adds fuel."),
        _Row("LongFuelTrim", 10000, "1", "Long-term fuel trim of the lambda control: 0 none, positive adds fuel."),
        _Row("FuelSystem", 1, "", "State of the lambda control, coded as in SAE J1979 PID 03.", codes=_FUEL_SYSTEM),
        _Row("CommandedLambda", 10000, "1", "Air-fuel equivalence ratio that the engine control asks for."),
        _Row(
            "AbsoluteLoad", 10000, "1", "Mass of air per stroke over that of a full cylinder of air (SAE J1979 PID 43)."
        ),
        _Row("RearOxygenVoltage", 1000, "V", "Voltage of the oxygen sensor behind the catalyst."),
        _Row("FrictionTorque", 1000, "Nm", "Friction torque of the engine at its present speed."),
        _Row("BatteryCharge", 10000, "1", "State of charge of the battery: 0 empty, 1 full."),
        _Row("BatteryCurrent", 1000, "A", "Current into the battery, negative while it is discharged."),
        _Row("IndicatorLamp", 1, "", "Malfunction indicator lamp (MIL).", codes=_LAMP, writer=_TROUBLES),
        _Row("AutoStop", 1, "", "Stop and start has stopped the engine, and will start it again.", codes=_FLAG),
    ),
    _entries(
        "chassis",
        _MODEL,
        _Row("WheelSpeedFrontLeft", 1000, "m/s", "Circumferential speed of the front left wheel, negative backwards."),
        _Row(
            "WheelSpeedFrontRight", 1000, "m/s", "Circumferential speed of the front right wheel, negative backwards."
        ),
        _Row("WheelSpeedRearLeft", 1000, "m/s", "Circumferential speed of the rear left wheel, negative backwards."),
        _Row("WheelSpeedRearRight", 1000, "m/s", "Circumferential speed of the rear right wheel, negative backwards."),
        _Row("Acceleration", 1000, "m/s2", "Acceleration over ground, positive forwards."),
        _Row("LateralAcceleration", 1000, "m/s2", "Lateral acceleration, positive to the left."),
        _Row("YawRate", 1000, "deg/s", "Yaw rate, positive to the left."),
        _Row("LateralSpeed", 1000, "m/s", "Lateral speed of the centre of gravity, positive to the left."),
        _Row(
            "SteeringWheelAngle", 1000, "deg", "Turn of the steering wheel from straight ahead, positive to the left."
        ),
        _Row("BrakePressure", FULL_TRAVEL, "1", "Brake pressure, as a share of that at full pedal."),
        _Row("PositionX", 1000, "m", "Distance from the start, along the heading of the start."),
        _Row("PositionY", 1000, "m", "Distance from the start, to the left of the heading of the start."),
        _Row("Heading", 1000, "deg", "Heading: yaw angle since the start, positive to the left."),
    ),
    _entries(
        "request",
        _COMMAND,
        _Row(
            "EngineTorque",
            1000,
            "Nm",
            "Torque at the flywheel that a control unit asks for in place of the pedal.",
            rest=NAN,
            limits=_TORQUES,
        ),
        _Row(
            "EngineTorqueLimit",
            1000,
            "Nm",
            "Highest torque at the flywheel that a control unit allows.",
            rest=NAN,
            limits=_TORQUES,
        ),
        _Row(
            "EngineRpm",
            1000,
            "rpm",
            "Engine speed that a control unit has the engine hold, whatever the pedal is.",
            rest=NAN,
            limits=_SPEEDS,
        ),
        _Row(
            "EngineRpmLimit", 1000, "rpm", "Highest engine speed that a control unit allows.", rest=NAN, limits=_SPEEDS
        ),
        _Row(
            "AllowedFuelRatio",
            10000,
            "1",
            "Share of its fuel that a control unit leaves to the engine: 0 none, 1 all.",
            rest=NAN,
        ),
        _Row(
            "TcsRpm",
            1000,
            "rpm",
            "Engine speed down to which traction control holds back the engine.",
            rest=NAN,
            limits=_SPEEDS,
        ),
        _Row("TcsRatio", 10000, "1", "How far the request of traction control is followed: 0 not, 1 fully.", rest=NAN),
        _Row("TcsThrottleFactor", 10000, "1", "Highest throttle that traction control may ask for.", rest=NAN),
        _Row(
            "RetarderRatio", FULL_TRAVEL, "1", "Share of the retarder's torque that a control unit asks for.", rest=NAN
        ),
        _Row(
            "BrakeRatio",
            FULL_TRAVEL,
            "1",
            "Brake that a control unit asks for; the higher of it and the pedal counts.",
            rest=NAN,
        ),
        _Row(
            "MotionSpeed",
            1000,
            "m/s",
            "Speed that another simulation prescribes, as rollers under the wheels would: the vehicle follows it.",
            rest=NAN,
            limits=(-150.0, 150.0),
        ),
        _Row(
            "MotionRpm",
            1000,
            "rpm",
            "With MotionSpeed: speed of the crankshaft, as a test stand would hold it; else the wheels turn it.",
            rest=NAN,
            limits=_SPEEDS,
        ),
        _Row(
            "MotionGear",
            1,
            "",
            "With MotionSpeed: engaged gear, negative in reverse, 0 in neutral; else the gearbox has its own.",
            rest=NAN,
            limits=_GEARS,
        ),
    ),
    _entries(
        "road",
        _COMMAND,
        _Row(
            "Slope", 10000, "1", "Grade of the road, rise over run: positive uphill, 0.1 is 10 %.", limits=(-1.0, 1.0)
        ),
        _Row(
            "Friction",
            10000,
            "1",
            "Grip of the road, as a factor on that of the tyres: 1 dry asphalt.",
            rest=10000,
            limits=_GRIP,
        ),
        _Row("HeadWind", 1000, "m/s", "Wind against the vehicle, negative from behind.", limits=(-100.0, 100.0)),
        _Row("AmbientTemperature", 1000, "°C", "Temperature of the air outside.", rest=20000, limits=(-90.0, 100.0)),
        _Row("AirPressure", 1000, "kPa", "Pressure of the air outside.", rest=101325, limits=(30.0, 120.0)),
        _Row(
            "FrictionFrontLeft", 10000, "1", "Factor on Friction under the front left wheel.", rest=10000, limits=_GRIP
        ),
        _Row(
            "FrictionFrontRight",
            10000,
            "1",
            "Factor on Friction under the front right wheel.",
            rest=10000,
            limits=_GRIP,
        ),
        _Row("FrictionRearLeft", 10000, "1", "Factor on Friction under the rear left wheel.", rest=10000, limits=_GRIP),
        _Row(
            "FrictionRearRight", 10000, "1", "Factor on Friction under the rear right wheel.", rest=10000, limits=_GRIP
        ),
    ),
    _entries(
        "fault",
        _FAULTS,
        _Row("Misfire", 10000, "1", "Share of the combustions that fail."),
        _Row("LeanMixture", 10000, "1", "Share of the fuel that does not reach the mixture."),
        _Row(
            "StuckThrottle",
            FULL_TRAVEL,
            "1",
            "Position in which the throttle is stuck, whatever the pedal is.",
            rest=NAN,
        ),
        _Row("CoolingLoss", 10000, "1", "Share of the radiator's cooling that is lost."),
        _Row("ChargingLoss", 10000, "1", "Share of the alternator's current that is lost."),
        _Row("BatteryLoss", 10000, "1", "Share of the battery's conductance and capacity to take charge that is lost."),
        _Row("Overcharge", 10000, "1", "Share by which the alternator's regulated voltage is too high."),
    ),
    _entries(
        "body",
        _COMMAND,
        _Row("TurnSignal", 1, "", "Lever of the turn signals.", codes=_TURN),
        _Row("HazardLights", 1, "", "Switch of the hazard lights.", codes=_SWITCH),
        _Row("SideLights", 1, "", "Side lights.", codes=_SWITCH),
        _Row("DippedBeam", 1, "", "Dipped beam.", codes=_SWITCH),
        _Row("MainBeam", 1, "", "Main beam.", codes=_SWITCH),
        _Row("FrontFogLights", 1, "", "Front fog lights.", codes=_SWITCH),
        _Row("RearFogLights", 1, "", "Rear fog lights.", codes=_SWITCH),
        _Row("DoorFrontLeft", 1, "", "Front left door.", codes=_DOOR),
        _Row("DoorFrontRight", 1, "", "Front right door.", codes=_DOOR),
        _Row("DoorRearLeft", 1, "", "Rear left door.", codes=_DOOR),
        _Row("DoorRearRight", 1, "", "Rear right door.", codes=_DOOR),
        _Row("Bonnet", 1, "", "Bonnet.", codes=_DOOR),
        _Row("Boot", 1, "", "Boot lid or tailgate.", codes=_DOOR),
        _Row("BeltDriver", 1, "", "Seat belt of the driver.", codes=_BELT, rest=1),
        _Row("BeltPassenger", 1, "", "Seat belt of the front passenger.", codes=_BELT, rest=1),
        _Row("BeltRearLeft", 1, "", "Seat belt in the rear on the left.", codes=_BELT, rest=1),
        _Row("BeltRearCentre", 1, "", "Seat belt in the middle of the rear.", codes=_BELT, rest=1),
        _Row("BeltRearRight", 1, "", "Seat belt in the rear on the right.", codes=_BELT, rest=1),
        _Row(
            "ParkingBrake",
            1,
            "",
            "Parking brake as the cluster is told; input.Handbrake is the brake that holds the vehicle.",
            codes=_PARKING_BRAKE,
        ),
        _Row("CruiseState", 1, "", "State of cruise control or speed limiter as the cluster is told.", codes=_CRUISE),
        _Row("CruiseSpeed", 1000, "m/s", "Set speed of cruise control or speed limiter.", limits=(0.0, 150.0)),
        _Row("DriveMode", 1, "", "Driving mode that the driver has chosen.", codes=_DRIVE_MODE),
        _Row(
            "Selector",
            1,
            "",
            "Position of the selector that the cluster is told, whatever the gearbox does.",
            codes=((0, "as the gearbox"), *_SHOWN[1:]),
        ),
        _Row("Wiper", 1, "", "Lever of the windscreen wiper.", codes=_WIPER),
        _Row("Dimming", 10000, "1", "Brightness of the instrument lighting: 0 dark, 1 full.", rest=10000),
        _Row("SpeedUnit", 1, "", "Unit of speeds on the display.", codes=_SPEED_UNIT),
        _Row("TemperatureUnit", 1, "", "Unit of temperatures on the display.", codes=_TEMPERATURE_UNIT),
        _Row("ConsumptionUnit", 1, "", "Unit of fuel consumption on the display.", codes=_CONSUMPTION_UNIT),
        _Row("Language", 1, "", "Language of the display.", codes=_LANGUAGE),
        _Row(
            "LeftTurn",
            1,
            "",
            "The left turn signals indicate, steady: for clusters that blink by themselves.",
            codes=_FLAG,
            writer=_MODEL,
        ),
        _Row(
            "RightTurn",
            1,
            "",
            "The right turn signals indicate, steady: for clusters that blink by themselves.",
            codes=_FLAG,
            writer=_MODEL,
        ),
        _Row("LeftTurnLamp", 1, "", "The left turn signals in this instant.", codes=_LAMP, writer=_MODEL),
        _Row("RightTurnLamp", 1, "", "The right turn signals in this instant.", codes=_LAMP, writer=_MODEL),
        _Row(
            "SelectorShown",
            1,
            "",
            "Position of the selector: body.Selector, else that of an automatic gearbox; none of a manual one.",
            codes=_SHOWN,
            writer=_MODEL,
        ),
        _Row("AirConditioning", 1, "", "Switch of the air conditioning.", codes=_SWITCH),
        _Row("StopStartOff", 1, "", "Button by which the driver switches stop and start off.", codes=_FLAG),
    ),
    _entries(
        "clock",
        _RUN,
        _Row(
            "Year",
            1,
            "",
            "Year of the run's date, which goes on from the start with the ticks, in local time.",
            rest=2026,
        ),
        _Row("Month", 1, "", "Month: 1 January to 12 December.", rest=1),
        _Row("Day", 1, "", "Day of the month, from 1.", rest=1),
        _Row("Weekday", 1, "", "Day of the week.", codes=_WEEKDAYS, rest=4),
        _Row("Hour", 1, "h", "Hour of the day: 0 to 23.", rest=8),
        _Row("Minute", 1, "min", "Minute of the hour: 0 to 59."),
        _Row("Second", 1, "s", "Second of the minute: 0 to 59."),
        _Row("DayOfYear", 1, "", "Day of the year: 1 is January 1.", rest=1),
        _Row("Elapsed", 1000000, "s", "Time since the start of the run, whatever the key does."),
    ),
    _entries(
        "electric",
        _MODEL,
        _Row("DriveReady", 1, "", "The electric drive is ready to move the vehicle.", codes=_FLAG),
        _Row("MotorRpm", 1000, "rpm", "Speed of the motor, negative backwards.", rest=NAN),
        _Row("MotorTorque", 1000, "Nm", "Torque of the motor, negative while it brakes.", rest=NAN),
        _Row("MotorPower", 1000, "kW", "Power at the shaft of the motor, negative while it recuperates.", rest=NAN),
        _Row("TractionCharge", 10000, "1", "State of charge of the traction battery: 0 empty, 1 full.", rest=NAN),
        _Row("TractionVoltage", 1000, "V", "Voltage at the terminals of the traction battery.", rest=NAN),
        _Row(
            "TractionCurrent", 1000, "A", "Current out of the traction battery, negative while it is charged.", rest=NAN
        ),
        _Row("TractionPower", 1000, "kW", "Power out of the traction battery, negative while it is charged.", rest=NAN),
        _Row(
            "PowerShare",
            10000,
            "1",
            "Power gauge: power of the battery over the highest, -1 full recuperation, 1 full power.",
            rest=NAN,
        ),
        _Row("EnergyUsed", 1000, "kWh", "Energy that the battery has given, in all runs.", rest=NAN),
        _Row(
            "EnergyRecuperated",
            1000,
            "kWh",
            "Energy that the battery has taken while driving, in all runs.",
            rest=NAN,
        ),
        _Row(
            "EnergyConsumption",
            1000,
            "kWh/100km",
            "Energy per distance at the present power; not available below walking speed.",
            rest=NAN,
        ),
    ),
    (),
)
"""The reference of the bus: `ENTRIES[channel][id]`. A unit "1" is a ratio, "" a number or a flag.

The Custom channel has no entries of its own: each bench declares those that it needs.
"""

MOST_CUSTOM: Final = 64
"""Entries that a bench may declare."""

SIZES: Final = tuple(MOST_CUSTOM if channel == CUSTOM else len(entries) for channel, entries in enumerate(ENTRIES))
"""Integers of each channel: the same for every bench, so that records of all values have one size."""

RESOLUTIONS: Final[list[list[float]]] = [[float(entry.resolution) for entry in entries] for entries in ENTRIES]
"""Integers per unit, by channel and id: the resolutions of `ENTRIES`."""


class Entries:
    """The entries of one bus: those of `ENTRIES`, and in the Custom channel those that its bench declares."""

    def __init__(self, custom: tuple[Entry, ...] = ()) -> None:
        self.custom: tuple[Entry, ...] = custom
        self.channels: tuple[tuple[Entry, ...], ...] = (*ENTRIES[:CUSTOM], custom, *ENTRIES[CUSTOM + 1 :])
        self._places: dict[str, tuple[int, int]] = {
            entry.path: (channel, index)
            for channel, entries in enumerate(self.channels)
            for index, entry in enumerate(entries)
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entries) and self.custom == other.custom

    def __hash__(self) -> int:
        return hash(self.custom)

    def find(self, path: str) -> tuple[int, int] | None:
        """Return the (channel, id) of a name like `vehicle.EngineRpm`, as configuration files write it, or None."""
        return self._places.get(path)

    def at(self, place: tuple[int, int]) -> Entry:
        """Return the entry of a channel and an id."""
        channel, index = place
        return self.channels[channel][index]

    def all(self) -> list[Entry]:
        """Return all entries in the order of their channels and ids."""
        return [entry for entries in self.channels for entry in entries]


STANDARD: Final = Entries()
"""The entries of a bench that declares none."""


def find(path: str) -> tuple[int, int] | None:
    """Return the (channel, id) of a name like `vehicle.EngineRpm`, which every bench has, or None."""
    return STANDARD.find(path)
