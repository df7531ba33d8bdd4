"""A status as a daemon answers it, cut down to what a test is about."""

from typing import Any

from vehiclesim.channels import AUXILIARY, VEHICLE
from vehiclesim.entries import ENTRIES


def status(
    *, ticks: int = 1000, missed: int = 0, received: int = 0, transmitted: int = 0, **given: Any
) -> dict[str, Any]:
    """At 1 kHz, with one bus; `rpm` and further keys of a status as given."""
    rpm = given.pop("rpm", 0.0)
    values = {entry.name: {"value": 0.0, "unit": entry.unit} for entry in ENTRIES[VEHICLE]}
    values["EngineRpm"]["value"] = rpm
    bus = {
        "received": received,
        "transmitted": transmitted,
        "armed": True,
        "trouble": "",
        "gate": {"passed": transmitted},
    }
    figures = {"p50": 1.0, "p99": 2.0, "p99_9": 3.0, "max": 4.0}
    return {
        "bench": "demo",
        "vehicle": "compact",
        "rate_hz": 1000,
        "ticks": ticks,
        "missed_ticks": missed,
        "overload": {"percent": 0, "times": 0, "seconds": 0.0, "left_out_ms": 0.0},
        "lateness_us": figures,
        "tick_us": figures,
        "values": values,
        "auxiliary": {entry.name: {"value": 0.0, "unit": entry.unit} for entry in ENTRIES[AUXILIARY]},
        "buses": {"powertrain": bus},
        "inputs": [],
        "faults": [],
        "troubles": {},
        "frames": [],
        "observer": {"restarts": 0, "events_lost": 0},
        "recording": None,
        "scenario": None,
    } | given
