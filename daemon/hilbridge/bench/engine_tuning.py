"""Other parameters for the engine that runs: the engine workshop's "drive this engine now".

Every parameter of the engine can be changed between two ticks: curves, friction, idle, limiter, fuel, inertia. What was
made to fit the engine of the vehicle file stays as it was made: shift program, cooling, alternator, thresholds of
trouble codes, the demo driver. A change is a command, so a recording has it. It takes some 2 ms, once: at 1 kHz a tick
is missed for it, and counted.
"""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.vehiclefile import VehicleFile, engine_of
from vehiclesim.vehicle import Vehicle


class EngineTuning:
    """The changes to the engine of a vehicle file that its running vehicle has. `changes`: values by parameter."""

    def __init__(self, file: VehicleFile, vehicle: Vehicle) -> None:
        self.changes: dict[str, Any] = {}
        self._section: Final[dict[str, Any]] = dict(file.file.data.get("engine") or {})
        self._vehicle: Final = vehicle
        engine_of(self._section)  # builds at start what the first change would have to build in a tick

    def tune(self, values: Mapping[str, Any]) -> None:
        """Drive the engine of the vehicle file with these values in place of its own; {}: as it is in the file.

        ConfigurationError, with the key path below `values`: there is no such engine; the running one stays.
        """
        try:
            settings = engine_of(self._section | dict(values))
        except ConfigurationError as error:
            raise ConfigurationError(error.message, ("values", *error.place)) from None
        self._vehicle.retune(settings)
        self.changes = dict(values)
