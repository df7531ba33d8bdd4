"""A bench in OpenHTF: a plug, and measurements with the units of the data bus.

    CONF.load(hilbridge_bench="demo")

    @htf.plug(car=BenchPlug)
    @htf.measures(measurement("vehicle.EngineRpm").in_range(700, 1100))
    def idles(test, car):
        car.bench.set("input.Key", "start")
        car.bench.wait_until("vehicle.EngineWorking", 5)
        car.measure(test, "vehicle.EngineRpm")

Keys of the configuration: `hilbridge_bench`, a name or file; `hilbridge_running`, true for a bench that runs already,
by its name or control socket, in place of a virtual one; `hilbridge_seed`. OpenHTF makes a plug for each execution of a
test, so each begins with a virtual bench at rest; of one that runs, what the test holds is given back at its end.
"""

import os
from typing import Any, Final

from openhtf import Measurement
from openhtf.plugs import BasePlug
from openhtf.util.configuration import CONF
from openhtf.util.units import UNITS_BY_SUFFIX, UnitDescriptor

from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.frames.codec.sources import find_entry
from hilbridge.testing.bench import VirtualBench
from vehiclesim.entries import STANDARD

CONF.declare("hilbridge_bench", "A name, a file, or the control socket of one that runs.", default_value="demo")
CONF.declare("hilbridge_running", "The bench runs already; otherwise a virtual one is made.", default_value=False)
CONF.declare("hilbridge_seed", "For all that is random on a virtual bench; None: its file's.", default_value=None)


class BenchPlug(BasePlug):  # type: ignore[misc]
    """One bench for the phases of a test: `bench` has the verbs of the clients, on a virtual bench also the wires.

    ConfigurationError of its making: there is no such bench.
    """

    def __init__(self) -> None:
        name, holder = CONF.hilbridge_bench, f"OpenHTF, process {os.getpid()}"
        self.bench: Final[AnyClient] = (
            Client(name, by=holder) if CONF.hilbridge_running else VirtualBench(name, seed=CONF.hilbridge_seed)
        )

    def measure(self, test: Any, *entries: str) -> None:
        """Take the values of entries as the measurements of these names; one that is not available stays unset."""
        for entry, found in self.bench.values(*entries).entries.items():
            if found.value is not None:
                test.measurements[entry] = found.value

    def tearDown(self) -> None:
        """End a virtual bench, or give back what is held of one that runs, and leave it."""
        with self.bench:
            """Its end gives back what is held."""


def measurement(entry: str) -> Measurement:
    """Return the measurement of an entry of the data bus, with unit and meaning; limits are added as to any other.

    ConfigurationError: there is no entry of that name.
    """
    known = STANDARD.at(find_entry(entry))
    unit = UNITS_BY_SUFFIX.get(known.unit) or UnitDescriptor(known.unit, known.unit, known.unit)
    return Measurement(entry).doc(known.meaning).with_units(unit)
