"""The examples in sim/README.md run, and do what the text says."""

import re
from pathlib import Path
from typing import Any

import pytest

from vehiclesim import W_TO_RPM

README = Path(__file__).parents[2] / "sim" / "README.md"


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What all examples, run one after the other, leave behind."""
    space: dict[str, Any] = {"__name__": "readme"}
    for example in re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        exec(compile(example, str(README), "exec"), space)
    return space


def test_the_first_example_starts_the_engine(names: dict[str, Any]) -> None:
    """A quarter of throttle in neutral revs it up."""
    assert names["rpm"] > 1500.0


def test_a_block_in_plain_python_joins_the_tree(names: dict[str, Any]) -> None:
    """Engine speed = gear ratio · the block's ratio · final drive · wheel speed, and the car moves."""
    engine, gearbox = names["engine"], names["gearbox"]
    wheels = names["wheels"][0].sensor_rpm
    assert names["chassis"].sensor_speed > 1.0
    assert wheels > 50.0
    assert engine.sensor_rpm == pytest.approx(3.84 * 2.0 * 3.7 * wheels, rel=1e-6)
    assert gearbox.sensor_output_rpm == pytest.approx(2.0 * 3.7 * wheels, rel=1e-12)


def test_the_block_passes_on_what_hangs_on_it(names: dict[str, Any]) -> None:
    """Momentum and torque divided by the ratio, inertia by its square, drive torque multiplied."""
    gear, wheel = names["transfer_case"], names["wheels"][0]
    upper, lower = gear.inputs[0], gear.outputs[0]
    speed = upper.L / upper.I
    assert speed * W_TO_RPM == pytest.approx(2.0 * 3.7 * wheel.sensor_rpm, rel=1e-12)
    assert upper.I == lower.I / 4.0
    assert upper.Tr == lower.Tr / 2.0
    assert lower.out_td == upper.out_td * 2.0 != 0.0
