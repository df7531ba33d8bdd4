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

NAN: Final = -2147483647
"""What "not a number" is as an integer."""

UNAVAILABLE_LOAD: Final = -1
"""What EngineLoad holds while the load is unknown (every other value uses NAN)."""

FULL_TRAVEL: Final = 10000
"""Resolution of every position of a control, and so the integer of one that is fully pressed."""


class InputData:
    """Ids of the Input channel: where the driver's controls stand."""

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
    """Ids of the Vehicle channel: what the parts of the vehicle do."""

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
    """Ids of the Auxiliary channel: what clusters and scan tools show besides. Integrals have 64 bits.

    INDICATOR_LAMP is not the model's: whoever keeps the trouble codes writes it.
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


class ChassisData:
    """Ids of the Chassis channel: how the vehicle moves over ground, as brake and steering modules measure it."""

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
    """Ids of the Request channel: what a control unit outside asks of engine and brakes. NAN is "no request"."""

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


class RoadData:
    """Ids of the Road channel: what the vehicle drives on and through."""

    SLOPE: Final = 0
    FRICTION: Final = 1
    HEAD_WIND: Final = 2
    AMBIENT_TEMPERATURE: Final = 3
    AIR_PRESSURE: Final = 4


class FaultData:
    """Ids of the Fault channel: what is wrong with the vehicle, 0 (NAN for a position) where nothing is."""

    MISFIRE: Final = 0
    LEAN_MIXTURE: Final = 1
    STUCK_THROTTLE: Final = 2
    COOLING_LOSS: Final = 3
    CHARGING_LOSS: Final = 4
    BATTERY_LOSS: Final = 5
    OVERCHARGE: Final = 6


class Entry(NamedTuple):
    """One value of the bus: `channel.name` as configuration files write it, and how its integer reads."""

    channel: str
    name: str
    resolution: int
    unit: str
    rest: int = 0
    """The integer before anybody has set it."""

    @property
    def path(self) -> str:
        return f"{self.channel}.{self.name}"


def _entries(channel: str, *rows: tuple[str, int, str] | tuple[str, int, str, int]) -> tuple[Entry, ...]:
    return tuple(Entry(channel, *row) for row in rows)


ENTRIES: Final = (
    _entries(
        "input",
        ("Steer", FULL_TRAVEL, "1"),
        ("Throttle", FULL_TRAVEL, "1"),
        ("Brake", FULL_TRAVEL, "1"),
        ("Handbrake", FULL_TRAVEL, "1"),
        ("Clutch", FULL_TRAVEL, "1"),
        ("ManualGear", 1, ""),
        ("AutomaticGear", 1, ""),
        ("GearShift", 1, ""),
        ("Retarder", 1, ""),
        ("Key", 1, ""),
    ),
    _entries(
        "vehicle",
        ("Speed", 1000, "m/s"),
        ("EngineRpm", 1000, "rpm"),
        ("EngineStalled", 1, ""),
        ("EngineWorking", 1, ""),
        ("EngineStarting", 1, ""),
        ("EngineLimiter", 1, ""),
        ("EngineLoad", 1000, "1"),
        ("EngineTorque", 1000, "Nm"),
        ("EnginePower", 1000, "kW"),
        ("EngineFuelRate", 1000, "g/s"),
        ("ClutchTorque", 1000, "Nm"),
        ("ClutchLock", 1000, "1"),
        ("GearboxGear", 1, ""),
        ("GearboxMode", 1, ""),
        ("GearboxShifting", 1, ""),
        ("RetarderTorque", 1000, "Nm"),
        ("TransmissionRpm", 1000, "rpm"),
        ("AbsEngaged", 1, ""),
        ("TcsEngaged", 1, ""),
        ("EscEngaged", 1, ""),
        ("AsrEngaged", 1, ""),
        ("AidedSteer", FULL_TRAVEL, "1"),
        ("FuelConsumption", 1000, "l/100km"),
        ("ThrottleSignal", FULL_TRAVEL, "1"),
        ("ClutchSignal", FULL_TRAVEL, "1"),
    ),
    _entries(
        "settings",
        ("DifferentialLock", 1, ""),
        ("FrontDifferentialLock", 1, ""),
        ("RearDifferentialLock", 1, ""),
        ("DrivelineLock", 1, ""),
        ("AbsOverride", 1, ""),
        ("EscOverride", 1, ""),
        ("TcsOverride", 1, ""),
        ("AsrOverride", 1, ""),
        ("SteeringAidsOverride", 1, ""),
        ("AutoShiftOverride", 1, ""),
        ("MinGearOverride", 1, ""),
        ("MaxGearOverride", 1, ""),
    ),
    _entries(
        "auxiliary",
        ("CoolantTemperature", 1000, "°C"),
        ("OilTemperature", 1000, "°C"),
        ("TransmissionTemperature", 1000, "°C"),
        ("CatalystTemperature", 1000, "°C"),
        ("IntakeTemperature", 1000, "°C"),
        ("OilPressure", 1000, "kPa"),
        ("BatteryVoltage", 1000, "V"),
        ("FuelLevel", 1000, "l"),
        ("FuelShare", 10000, "1"),
        ("FuelFlow", 1000, "l/h"),
        ("FuelUsed", 1000000, "l"),
        ("Odometer", 1000, "m"),
        ("Trip", 1000, "m"),
        ("DistancePulses", 1, ""),
        ("PulsesFrontLeft", 1, ""),
        ("PulsesFrontRight", 1, ""),
        ("PulsesRearLeft", 1, ""),
        ("PulsesRearRight", 1, ""),
        ("RunTime", 1000, "s"),
        ("EngineHours", 1000000, "h"),
        ("EngineRevolutions", 1, ""),
        ("IntakePressure", 1000, "kPa"),
        ("AirMassFlow", 1000, "g/s"),
        ("IgnitionAdvance", 1000, "deg"),
        ("Lambda", 10000, "1"),
        ("ShortFuelTrim", 10000, "1"),
        ("LongFuelTrim", 10000, "1"),
        ("FuelSystem", 1, ""),
        ("CommandedLambda", 10000, "1"),
        ("AbsoluteLoad", 10000, "1"),
        ("RearOxygenVoltage", 1000, "V"),
        ("FrictionTorque", 1000, "Nm"),
        ("BatteryCharge", 10000, "1"),
        ("BatteryCurrent", 1000, "A"),
        ("IndicatorLamp", 1, ""),
    ),
    _entries(
        "chassis",
        ("WheelSpeedFrontLeft", 1000, "m/s"),
        ("WheelSpeedFrontRight", 1000, "m/s"),
        ("WheelSpeedRearLeft", 1000, "m/s"),
        ("WheelSpeedRearRight", 1000, "m/s"),
        ("Acceleration", 1000, "m/s2"),
        ("LateralAcceleration", 1000, "m/s2"),
        ("YawRate", 1000, "deg/s"),
        ("LateralSpeed", 1000, "m/s"),
        ("SteeringWheelAngle", 1000, "deg"),
        ("BrakePressure", FULL_TRAVEL, "1"),
        ("PositionX", 1000, "m"),
        ("PositionY", 1000, "m"),
        ("Heading", 1000, "deg"),
    ),
    _entries(
        "request",
        ("EngineTorque", 1000, "Nm", NAN),
        ("EngineTorqueLimit", 1000, "Nm", NAN),
        ("EngineRpm", 1000, "rpm", NAN),
        ("EngineRpmLimit", 1000, "rpm", NAN),
        ("AllowedFuelRatio", 10000, "1", NAN),
        ("TcsRpm", 1000, "rpm", NAN),
        ("TcsRatio", 10000, "1", NAN),
        ("TcsThrottleFactor", 10000, "1", NAN),
        ("RetarderRatio", FULL_TRAVEL, "1", NAN),
        ("BrakeRatio", FULL_TRAVEL, "1", NAN),
    ),
    _entries(
        "road",
        ("Slope", 10000, "1"),
        ("Friction", 10000, "1", 10000),
        ("HeadWind", 1000, "m/s"),
        ("AmbientTemperature", 1000, "°C", 20000),
        ("AirPressure", 1000, "kPa", 101325),
    ),
    _entries(
        "fault",
        ("Misfire", 10000, "1"),
        ("LeanMixture", 10000, "1"),
        ("StuckThrottle", FULL_TRAVEL, "1", NAN),
        ("CoolingLoss", 10000, "1"),
        ("ChargingLoss", 10000, "1"),
        ("BatteryLoss", 10000, "1"),
        ("Overcharge", 10000, "1"),
    ),
)
"""The reference of the bus: `ENTRIES[channel][id]`. A unit "1" is a ratio, "" a number or a flag."""

RESOLUTIONS: Final[list[list[float]]] = [[float(entry.resolution) for entry in entries] for entries in ENTRIES]
"""Integers per unit, by channel and id: the resolutions of `ENTRIES`."""


def find(path: str) -> tuple[int, int] | None:
    """The (channel, id) that a configuration file calls `vehicle.EngineRpm`, or None."""
    for channel, entries in enumerate(ENTRIES):
        for index, entry in enumerate(entries):
            if entry.path == path:
                return channel, index
    return None
