"""Which signals of sent frames are what a needle shows, and how they are read back."""

from pathlib import Path

import pytest

from hilbridge.faces.cockpit.gauges import gauges_of
from hilbridge.testing import VirtualBench
from vehiclesim.entries import STANDARD

BENCH = """
name: gauges
vehicle: compact
buses:
  can:
    interface: embedded
    raw:
      Other:
        id: 0x100
        data: "00 00 00 00 00 00"
        period: 10
        signals: {SIGNALS}
      Needle:
        id: 0x200
        data: "00 00"
        period: 10
        feeds: [speedometer]
        signals:
          Kmh: {bit: 0, width: 16, scale: 0.01, offset: -100, expression: abs(vehicle.Speed) * 3.6}
"""


def gauges(folder: Path, signals: str) -> list[tuple[str, str, str, float, float]]:
    path = folder / "bench.yaml"
    path.write_text(BENCH.replace("SIGNALS", signals))
    with VirtualBench(str(path)) as bench:
        found = gauges_of(bench.parts.wiring.plan.frames, STANDARD)
    return [
        (one["entry"], one["message"], one["signal"], round(one["factor"], 3), round(one["offset"], 3)) for one in found
    ]


KMH = ("vehicle.Speed", "Needle", "Kmh", 3.6, 0.0)
"""In km/h, as the frame's signal is, from m/s; scale and offset of its bits are undone before."""


@pytest.mark.parametrize(
    ("signal", "found"),
    [
        ("Rpm: {bit: 0, width: 16, from: vehicle.EngineRpm}", [("vehicle.EngineRpm", "Other", "Rpm", 1.0, 0.0)]),
        (
            "Rpm: {bit: 0, width: 16, expression: vehicle.EngineRpm / 2 + 40}",
            [("vehicle.EngineRpm", "Other", "Rpm", 0.5, 40.0)],
        ),
        ("Square: {bit: 0, width: 32, expression: vehicle.EngineRpm * vehicle.EngineRpm}", []),
        ("Mixed: {bit: 0, width: 16, expression: vehicle.EngineRpm * input.Throttle}", []),
        ("Flag: {bit: 0, width: 1, expression: vehicle.EngineRpm > 400}", []),
        ("Fixed: {bit: 0, width: 16, constant: 900}", []),
    ],
)
def test_a_straight_line_of_one_entry_is_a_gauge(
    tmp_path: Path, signal: str, found: list[tuple[str, str, str, float, float]]
) -> None:
    """Found with factor and offset; a square, a product, a comparison and a constant are none."""
    assert gauges(tmp_path, signal) == [*found, KMH]


def test_a_frame_that_feeds_a_needle_comes_first(tmp_path: Path) -> None:
    """Two frames have the speed: the one that the bench says moves the needle is the one that is drawn."""
    other = ("vehicle.Speed", "Other", "Speed", 1.0, 0.0)
    assert gauges(tmp_path, "Speed: {bit: 0, width: 16, from: vehicle.Speed}") == [KMH, other]
