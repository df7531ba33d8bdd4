"""The data bus: every value of the vehicle as an integer, by channel and id.

Modelled on the data bus of Vehicle Physics Pro: immediate access, no range checks, integers only. A quantity
with decimals is stored as `int(value * resolution)`, so a reader needs no floating point and two runs can be
compared for equality. Ids are append-only: a new value gets the next free one, an old one is never reused.
"""

from typing import Final, NamedTuple

from mypy_extensions import i64

INPUT: Final = 0
VEHICLE: Final = 1
SETTINGS: Final = 2

NAN: Final = -2147483647
"""What "not a number" is as an integer."""

UNAVAILABLE_LOAD: Final = -1
"""What EngineLoad holds while the load is unknown (every other value uses NAN)."""

_MAXIMUM: Final = 2147483647.0
_MINIMUM: Final = -2147483646.0


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


class Entry(NamedTuple):
    """One value of the bus: `channel.name` as configuration files write it, and how its integer reads."""

    channel: str
    name: str
    resolution: int
    unit: str

    @property
    def path(self) -> str:
        return f"{self.channel}.{self.name}"


def _entries(channel: str, *rows: tuple[str, int, str]) -> tuple[Entry, ...]:
    return tuple(Entry(channel, name, resolution, unit) for name, resolution, unit in rows)


ENTRIES: Final = (
    _entries(
        "input",
        ("Steer", 10000, "1"),
        ("Throttle", 10000, "1"),
        ("Brake", 10000, "1"),
        ("Handbrake", 10000, "1"),
        ("Clutch", 10000, "1"),
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
        ("AidedSteer", 10000, "1"),
        ("FuelConsumption", 1000, "l/100km"),
        ("ThrottleSignal", 10000, "1"),
        ("ClutchSignal", 10000, "1"),
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
)
"""The reference of the bus: `ENTRIES[channel][id]`. A unit "1" is a ratio, "" a number or a flag."""


def to_raw(value: float, resolution: i64) -> int:
    """`trunc(value * resolution)`, NAN for not-a-number, held inside 32 bits.

    Truncation is toward zero, as a cast does it. The lower bound is one above NAN, so that only NaN reads as NaN.
    """
    if value != value:
        return NAN
    scaled = value * float(resolution)
    if scaled >= _MAXIMUM:
        return 2147483647
    if scaled <= _MINIMUM:
        return -2147483646
    return int(scaled)


def find(path: str) -> tuple[int, int] | None:
    """The (channel, id) that a configuration file calls `vehicle.EngineRpm`, or None."""
    for channel, entries in enumerate(ENTRIES):
        for index, entry in enumerate(entries):
            if entry.path == path:
                return channel, index
    return None


class DataBus:
    """The channels as lists of integers: `bus.vehicle[VehicleData.ENGINE_RPM]` or `bus.get(VEHICLE, ...)`.

    `bus[channel]` is the same list as the attribute of that name; whoever holds it reads and writes directly.
    """

    def __init__(self) -> None:
        self.input: list[int] = [0] * len(ENTRIES[INPUT])
        self.vehicle: list[int] = [0] * len(ENTRIES[VEHICLE])
        self.settings: list[int] = [0] * len(ENTRIES[SETTINGS])
        self.channels: list[list[int]] = [self.input, self.vehicle, self.settings]

    def __getitem__(self, channel: int) -> list[int]:
        return self.channels[channel]

    def get(self, channel: int, index: int) -> int:
        """The stored integer."""
        return self.channels[channel][index]

    def set(self, channel: int, index: int, value: int) -> None:
        """Stores an integer as it is."""
        self.channels[channel][index] = value

    def read(self, channel: int, index: int) -> float:
        """The value in the entry's unit: stored integer / resolution, NaN where the bus says so."""
        raw = self.channels[channel][index]
        if raw == NAN or (channel == VEHICLE and index == VehicleData.ENGINE_LOAD and raw == UNAVAILABLE_LOAD):
            return float("nan")
        return raw / ENTRIES[channel][index].resolution

    def write(self, channel: int, index: int, value: float) -> None:
        """Stores a value given in the entry's unit, truncated to its resolution; not-a-number as `read` knows it."""
        raw = to_raw(value, ENTRIES[channel][index].resolution)
        if raw == NAN and channel == VEHICLE and index == VehicleData.ENGINE_LOAD:
            raw = UNAVAILABLE_LOAD
        self.channels[channel][index] = raw
