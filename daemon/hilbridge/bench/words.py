"""The words that editors offer in bench, vehicle and scenario files: entries, controls, units, interfaces, files."""

from collections.abc import Sequence

from can.interfaces import VALID_INTERFACES

from hilbridge.base.resources import Kind, names
from hilbridge.bench.inputs.controls import control_names
from hilbridge.files.configuration.completion import Words
from hilbridge.frames.codec.units import unit_names
from vehiclesim.channels import FAULT
from vehiclesim.entries import ENTRIES


def words() -> dict[Words, Sequence[str]]:
    """Return the lists of words by their names."""
    return {
        "entry": [entry.path for channel in ENTRIES for entry in channel],
        "control": control_names(),
        "fault": [entry.path for entry in ENTRIES[FAULT]],
        "unit": unit_names(),
        "interface": ["embedded", *sorted({"socketcan", *VALID_INTERFACES})],
        "vehicle": names(Kind.VEHICLE),
        "profile": names(Kind.PROFILE),
        "template": names(Kind.UNIT),
        "layout": names(Kind.LAYOUT),
        "database": names(Kind.DATABASE),
    }
