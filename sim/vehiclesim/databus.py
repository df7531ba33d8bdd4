"""The data bus: every value of the vehicle as an integer, by channel and id.

Modelled on the data bus of Vehicle Physics Pro: immediate access, no range checks, integers only. A quantity
with decimals is stored as `int(value * resolution)`, so a reader needs no floating point and two runs can be
compared for equality. The values are defined in entries.csv.
"""

from typing import Final

from mypy_extensions import i64

from vehiclesim.channels import (
    AUXILIARY,
    BODY,
    CHASSIS,
    CLOCK,
    CUSTOM,
    ELECTRIC,
    FAULT,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    UNAVAILABLE_LOAD,
    VEHICLE,
    VehicleData,
)
from vehiclesim.entries import ENTRIES, RESOLUTIONS, SIZES, STANDARD, Entries

_MAXIMUM: Final = 2147483647.0
_MINIMUM: Final = -2147483646.0
_NOT_A_NUMBER: Final = float("nan")

_LARGEST: Final = 4.0e18
"""More than any integer of the bus."""


def to_raw(value: float, resolution: float) -> int:
    """Return `trunc(value * resolution)`, NAN for not-a-number, held inside 32 bits.

    Truncation is toward zero, as a cast does it. The lower bound is one above NAN, so that only NaN reads as NaN.
    """
    scaled = value * resolution
    if _MINIMUM < scaled < _MAXIMUM:
        return int(scaled)
    if value != value:
        return NAN
    return 2147483647 if scaled > 0.0 else -2147483646


def keep(values: list[int], index: i64, raw: int) -> None:
    """Store an integer unless it is there already: three of four values of a step are those of the step before."""
    if values[index] != raw:
        values[index] = raw


class Channel:
    """A channel of the bus in the units of its entries; `values` are its integers."""

    def __init__(self, values: list[int], channel: int) -> None:
        self.values: list[int] = values
        self._resolutions: list[float] = RESOLUTIONS[channel]

    def read(self, index: i64) -> float:
        """Return the stored integer / resolution."""
        return self.values[index] / self._resolutions[index]

    def write(self, index: i64, value: float) -> None:
        """Store a value, truncated to the resolution; the integer that is there stays, as a new one costs more."""
        scaled = value * self._resolutions[index]
        if _MINIMUM < scaled < _MAXIMUM:  # nearly always: spares a call for every value of every step
            raw = int(scaled)
            values = self.values
            if values[index] != raw:
                values[index] = raw
        else:
            self.values[index] = to_raw(value, self._resolutions[index])


class DataBus:
    """The channels as lists of integers: `bus.vehicle[VehicleData.ENGINE_RPM]` or `bus.get(VEHICLE, ...)`.

    `bus[channel]` is the same list as the attribute of that name, for direct reading and writing. `entries` says what
    the integers mean.
    """

    def __init__(self) -> None:
        self.channels: list[list[int]] = [[entry.rest for entry in entries] for entries in ENTRIES]
        self.channels[CUSTOM] = [0] * SIZES[CUSTOM]
        self.entries: Entries = STANDARD
        self._resolutions: list[list[float]] = RESOLUTIONS
        self.input: list[int] = self.channels[INPUT]
        self.vehicle: list[int] = self.channels[VEHICLE]
        self.settings: list[int] = self.channels[SETTINGS]
        self.auxiliary: list[int] = self.channels[AUXILIARY]
        self.chassis: list[int] = self.channels[CHASSIS]
        self.request: list[int] = self.channels[REQUEST]
        self.road: list[int] = self.channels[ROAD]
        self.fault: list[int] = self.channels[FAULT]
        self.body: list[int] = self.channels[BODY]
        self.clock: list[int] = self.channels[CLOCK]
        self.electric: list[int] = self.channels[ELECTRIC]
        self.custom: list[int] = self.channels[CUSTOM]

    def declare(self, entries: Entries) -> None:
        """Take other entries of the Custom channel; one that had the same name before keeps its value.

        A value beyond the new limits is limited to them.
        """
        before = {entry.name: self.read(CUSTOM, index) for index, entry in enumerate(self.entries.custom)}
        self.entries = entries
        self._resolutions = RESOLUTIONS.copy()
        self._resolutions[CUSTOM] = [float(entry.resolution) for entry in entries.custom]
        for index, entry in enumerate(entries.custom):
            value = before.get(entry.name, float("nan"))
            if value != value:
                self.custom[index] = entry.rest
                continue
            if entry.limits is not None:
                value = min(max(value, entry.limits[0]), entry.limits[1])
            self.custom[index] = round(value * entry.resolution)
        for index in range(len(entries.custom), SIZES[CUSTOM]):
            self.custom[index] = 0

    def __getitem__(self, channel: int) -> list[int]:
        return self.channels[channel]

    def get(self, channel: int, index: int) -> int:
        """Return the stored integer."""
        return self.channels[channel][index]

    def set(self, channel: int, index: int, value: int) -> None:
        """Store an integer as it is."""
        self.channels[channel][index] = value

    def read(self, channel: int, index: int) -> float:
        """Return the value in the entry's unit: stored integer / resolution, or not-a-number."""
        raw = self.channels[channel][index]
        if raw == NAN or (channel == VEHICLE and index == VehicleData.ENGINE_LOAD and raw == UNAVAILABLE_LOAD):
            return _NOT_A_NUMBER
        return raw / self._resolutions[channel][index]

    def restore(self, channel: int, index: int, value: float) -> None:
        """Store the integer whose value `read` has returned, also one of more than 32 bits, as of an odometer.

        What no integer of the bus can be is not available.
        """
        scaled = value * self._resolutions[channel][index]
        if -_LARGEST < scaled < _LARGEST:
            self.channels[channel][index] = round(scaled)
        else:  # not-a-number too
            self.write(channel, index, float("nan"))

    def write(self, channel: int, index: int, value: float) -> None:
        """Store a value given in the entry's unit, truncated to its resolution; not-a-number as `read` knows it."""
        raw = to_raw(value, self._resolutions[channel][index])
        if raw == NAN and channel == VEHICLE and index == VehicleData.ENGINE_LOAD:
            raw = UNAVAILABLE_LOAD
        self.channels[channel][index] = raw
