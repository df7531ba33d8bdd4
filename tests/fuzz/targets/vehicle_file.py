"""A vehicle file: any text is a vehicle that can be built and takes a step, or an error with its place."""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.vehicle import Vehicle

from .packaged import CHECKOUT, scratch_file

SEEDS = [(CHECKOUT / "config/vehicles" / f"{name}.yaml").read_bytes() for name in ("compact", "leaf-ze1", "truck")]
_FILE = scratch_file("fuzzed.yaml")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        file = load_vehicle(str(_FILE))
        file.warnings()
        Vehicle(file.settings).step(0.01)
