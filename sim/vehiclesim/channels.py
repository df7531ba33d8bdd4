"""The numbers of the data bus's channels, and the ids of their entries, as constants of the compiler.

Generated from entries.csv by `python -m tests.channel_ids --write`.
"""

from typing import Final

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

CHANNELS: Final = (
    "input",
    "vehicle",
    "settings",
    "auxiliary",
    "chassis",
    "request",
    "road",
    "fault",
    "body",
    "clock",
    "electric",
    "custom",
)
"""The names of the channels, by number."""

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
    """Ids of the Auxiliary channel: further values of clusters and scan tools. Integrals have 64 bits."""

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
    THROTTLE_POSITION: Final = 36
    THROTTLE_COMMAND: Final = 37
    EXHAUST_RECIRCULATION: Final = 38
    EXHAUST_TEMPERATURE: Final = 39
    RAIL_PRESSURE: Final = 40
    BOOST_PRESSURE: Final = 41
    BOOST_COMMAND: Final = 42
    RECIRCULATION_COMMAND: Final = 43
    KNOCK_RETARD: Final = 44
    CHARGING_VOLTAGE: Final = 45
    CHARGE_INDICATOR: Final = 46


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
    STEERING_TORQUE: Final = 13
    TRAILER_CONNECTED: Final = 14
    ARTICULATION: Final = 15
    TRAILER_STOP: Final = 16
    HITCH_LOAD: Final = 17
    REAR_AXLE_LOAD: Final = 18
    TRAILER_AXLE_LOAD: Final = 19
    TRAILER_BRAKE: Final = 20
    FRONT_AXLE_LOAD: Final = 21
    TRAILER_ABS_ENGAGED: Final = 22


class RequestData:
    """Ids of the Request channel: requests of external control units to engine and brakes. NAN is "no request"."""

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
    MISFIRE_CYLINDER: Final = 7
    KNOCK: Final = 8
    TRAILER_BRAKE_LOSS: Final = 9
    TRAILER_ABS_FAILURE: Final = 10


class BodyData:
    """Ids of the Body channel: lights, doors, belts, and what the driver has chosen at cluster and levers."""

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
    CRUISE_BUTTON: Final = 36


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
    SECOND_MOTOR_RPM: Final = 12
    SECOND_MOTOR_TORQUE: Final = 13
    SECOND_MOTOR_POWER: Final = 14
