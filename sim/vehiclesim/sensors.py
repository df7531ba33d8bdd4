"""Sensors that are wrong: what bus, control units and clusters read of a value instead of what the vehicle has.

A fault acts between the vehicle and its bus. The parts keep the truth: before each step the bus has it again, and
behind the step each fault makes a reading of it, one after the other in the order of their beginning. What the engine
control hears of it, it follows:

    coolant      mixture, idle speed and fan of a cold or hot engine
    lambda       the fuel trims, and through them the mixture
    air mass     the injected fuel: lambda = commanded·true/read before the trims answer

Nothing else in the vehicle reads a sensor. `sensors.csv` names them: what each reads with an open line and with one
shorted to ground or supply (assumed, for the usual circuit that its `kind` tells), and entries that are made of it.
Counts of pulses go on.
"""

import csv
import pkgutil
from typing import Final, NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import AUXILIARY, NAN, AuxiliaryData
from vehiclesim.curves import clamp
from vehiclesim.databus import DataBus
from vehiclesim.entries import RESOLUTIONS, find


class Sensor(NamedTuple):
    """A sensor: readings in the unit of its entry, None where the circuit has no such fault."""

    entry: str
    open: float | None
    ground: float | None
    supply: float | None
    follows: tuple[str, ...]
    """Entries that are made of it, in proportion."""
    kind: str


def _sensor(row: dict[str, str]) -> Sensor:
    opened, ground, supply = (float(row[key]) if row[key] else None for key in ("open", "ground", "supply"))
    return Sensor(row["entry"], opened, ground, supply, tuple(row["follows"].split()), row["kind"])


def _read() -> dict[str, Sensor]:
    table = pkgutil.get_data("vehiclesim", "sensors.csv") or b""
    return {row["entry"]: _sensor(row) for row in csv.DictReader(table.decode().splitlines())}


SENSORS: Final = _read()
"""The sensors by the path of their entry."""


@mypyc_attr(allow_interpreted_subclasses=True)
class SensorFault:
    """A fault of one sensor; subclasses say what it reads."""

    def __init__(self, sensor: Sensor) -> None:
        self.places: list[tuple[int, int]] = [_place(path) for path in (sensor.entry, *sensor.follows)]

    def read(self, value: float, delta_time: float) -> float:
        """Return the reading of a value after a step [s], in the unit of its entry; not-a-number: there is none."""
        return value


class Sensors:
    """The sensors of one vehicle, as far as they are wrong."""

    def __init__(self, data: DataBus, auxiliaries: Auxiliaries) -> None:
        self.wrong: bool = False  # there are faults, or readings on the bus that are to be taken back
        self._data: DataBus = data
        self._auxiliaries: Auxiliaries = auxiliaries
        self._faults: list[SensorFault] = []
        self._truth: dict[tuple[int, int], int] = {}

    def add(self, fault: SensorFault) -> None:
        """Have a fault act from the next step on."""
        self._faults.append(fault)
        self.wrong = True

    def remove(self, fault: SensorFault) -> None:
        """End a fault; the bus has the truth after the next step."""
        self._faults.remove(fault)

    def restore(self) -> None:
        """Give the bus the truth, before a step."""
        for place, raw in self._truth.items():
            channel, index = place
            self._data.set(channel, index, raw)
        self._truth = {}

    def falsify(self, delta_time: float) -> None:
        """Put the readings on the bus, behind a step of `delta_time` [s]."""
        data = self._data
        for fault in self._faults:
            channel, index = fault.places[0]
            before = data.read(channel, index)
            for place in fault.places:
                if place not in self._truth:
                    self._truth[place] = data.get(place[0], place[1])
            after = fault.read(before, delta_time)
            data.write(channel, index, after)
            if before > 0.0:
                for place in fault.places[1:]:
                    data.write(place[0], place[1], data.read(place[0], place[1]) * (after / before))
        self._tell_engine_control()
        if not self._faults:
            self.wrong = False

    def _tell_engine_control(self) -> None:
        """Pass on what the engine control hears."""
        sensed = self._auxiliaries.sensed
        sensed.coolant = self._error(AuxiliaryData.COOLANT_TEMPERATURE)
        sensed.lambda_ = self._error(AuxiliaryData.LAMBDA)
        read = self._data.read(AUXILIARY, AuxiliaryData.AIR_MASS_FLOW)
        true = read - self._error(AuxiliaryData.AIR_MASS_FLOW)
        sensed.metering = clamp(read / true, 0.0, 10.0) if true > 0.0 else 1.0

    def _error(self, index: int) -> float:
        """Return the reading of an entry of the Auxiliary channel less the truth, 0 where either has no value."""
        place = (AUXILIARY, index)
        if place not in self._truth:
            return 0.0
        error = self._data.read(AUXILIARY, index) - self._truth[place] / RESOLUTIONS[AUXILIARY][index]
        return error if error == error and self._truth[place] != NAN else 0.0


def _place(path: str) -> tuple[int, int]:
    place = find(path)
    if place is None:
        raise ValueError(f"there is no {path}")
    return place
