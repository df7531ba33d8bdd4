"""Targets files for tests, and what is published of the engines in tests/sim/published_engines.py as such a file."""

from pathlib import Path

import yaml

from hilbridge.desk.fit.targets import Targets, load_targets

from ....sim.published_engines import ALL, DATA_SHEETS

ROADSTER = """\
name: roadster
displacement: 2.0
torque: {value: 200, rpm: 4600}
power: {value: 118, rpm: 6000}
"""

TOO_POWERFUL = """\
name: too much
fuel: diesel
displacement: 2.0
torque: {value: 400, rpm: 1750, until: 2500}
power: {value: 200, rpm: 4000}
best_consumption: {value: 200}
"""
"""200 kW at 4000 rpm are 477 Nm, more than the highest torque."""


def load(folder: Path, text: str) -> Targets:
    file = folder / "targets.yaml"
    file.write_text(text, encoding="utf-8")
    return load_targets(str(file))


def published(folder: Path, name: str) -> Targets:
    """The data sheet of a published engine: figures only, no parameter of its curve."""
    sheet, settings = DATA_SHEETS[name], ALL[name]
    figures = {
        "name": name,
        "fuel": "diesel" if name == "truck" else "petrol",
        "torque": {"value": sheet.max_torque, "rpm": sheet.max_torque_rpm, "capped": settings.torque_cap},
        "power": {"value": sheet.max_power_in_kw, "rpm": sheet.max_power_rpm},
        "idle": {"rpm": settings.idle_rpm, "torque": settings.idle_rpm_torque},
        "limit_rpm": {"rpm": sheet.limit_rpm},
        "stall": {"rpm": sheet.stall_rpm, "friction": sheet.friction_at_stall},
        "best_consumption": {
            "value": sheet.specific_fuel_consumption,
            "rpm": sheet.specific_fuel_consumption_rpm,
        },
        "friction": [
            {"rpm": "idle", "torque": sheet.friction_at_idle},
            {"rpm": "limit", "torque": sheet.friction_at_limit},
        ],
        "fuel_law": "charge",
        "fixed": {"inertia": settings.inertia},
    }
    return load(folder, yaml.safe_dump(figures))
