"""The measurements of load and of other programs in their order: calculations first, while no daemon runs."""

from typing import Final

from hilbridge.runs.benchmarks.rig import Measurement

from . import (
    answer,
    fabric,
    floods,
    forty_frames,
    full_bus,
    full_lateness,
    growth,
    hands,
    offline,
    peers,
    profile_cost,
    scan_tool,
    tools,
    unit_cost,
    viewers,
)

MEASUREMENTS: Final[tuple[Measurement, ...]] = (
    peers.MEASUREMENT,
    growth.MEASUREMENT,
    offline.MEASUREMENT,
    profile_cost.MEASUREMENT,
    unit_cost.MEASUREMENT,
    full_bus.MEASUREMENT,
    forty_frames.MEASUREMENT,
    answer.MEASUREMENT,
    scan_tool.MEASUREMENT,
    viewers.MEASUREMENT,
    fabric.MEASUREMENT,
    tools.MEASUREMENT,
    hands.MEASUREMENT,
    floods.MEASUREMENT,
    full_lateness.MEASUREMENT,
)
