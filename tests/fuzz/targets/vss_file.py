"""A table of VSS: any text makes signals that can be read from a data bus, or an error with its place."""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.vss.signals import Reader, signals_of
from hilbridge.files.configuration.vss import load_vss

from .packaged import CHECKOUT, scratch_file

_SMALL = b"""\
release: "6.0"
leaves: 3
signals:
  Vehicle.Speed: {type: float, unit: km/h, min: -500, value: vehicle.Speed}
  Vehicle.Gear: {type: int8, value: "126 if body.SelectorShown == 'P' else vehicle.GearboxGear"}
  Vehicle.Wiper: {type: string, value: body.Wiper, states: {"off": OFF, "2": SLOW}}
"""
SEEDS = [_SMALL, (CHECKOUT / "config/vss.yaml").read_bytes()]
_FILE = scratch_file("fuzzed.yaml")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        assert Reader(signals_of(load_vss(str(_FILE)))).read({})
