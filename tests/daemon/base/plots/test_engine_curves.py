"""The numbers behind an engine's graph: published figures and the relations between the curves."""

from dataclasses import replace

import pytest

from hilbridge.base.plots.engine_curves import engine_curves, marked_points, throttle_map
from vehiclesim.parameters import EngineSettings, IdleControl

DEFAULT = EngineSettings()
"""135 Nm at 1000 rpm, 188 Nm at 4200 rpm, 0 at 6500 rpm; friction 31.57, 83.33 and 134.40 Nm."""


def test_raw_torque_is_torque_and_friction_together() -> None:
    curves = engine_curves(DEFAULT, 100)
    pairs = zip(curves.raw_torque, curves.friction_torque, strict=True)
    at = dict(zip(curves.rpm, pairs, strict=True))
    assert at[1000.0] == pytest.approx((166.57, 31.57), abs=0.005)
    assert at[4200.0] == pytest.approx((271.33, 83.33), abs=0.005)
    assert at[6500.0] == pytest.approx((134.40, 134.40), abs=0.005)
    assert (curves.rpm[0], curves.rpm[-1]) == (1000.0, 6500.0)


def test_a_cap_is_seen_in_the_torque_alone() -> None:
    """What the management does not allow stays in the curves without cap."""
    free = engine_curves(DEFAULT, 100)
    capped = engine_curves(replace(DEFAULT, torque_cap=True, torque_cap_limit=170.0), 100)
    assert max(capped.torque) == 170.0
    assert capped.uncapped_torque == free.torque
    assert capped.raw_torque == pytest.approx(free.raw_torque, rel=1e-12)


def test_the_throttle_map_begins_with_the_torque_that_holds_idle() -> None:
    """At idle friction/raw = 31.57/166.57; without active idle the share is the pedal."""
    hold = 31.57 / 166.57
    assert throttle_map(DEFAULT, 0.5, [1000.0]) == pytest.approx([hold + (1 - hold) * 0.5], abs=1e-4)
    passive = replace(DEFAULT, idle_control=IdleControl.PASSIVE)
    assert throttle_map(passive, 0.25, [1000.0, 4000.0]) == [0.25, 0.25]


def test_the_circles_are_the_points_that_the_settings_give() -> None:
    """Idle, peak and maximum speed, or the rows of a table."""
    assert marked_points(DEFAULT) == [(1000.0, 135.0), (4200.0, 188.0), (6500.0, 0.0)]
    table = EngineSettings(
        max_rpm=6000.0,
        table_rpm=(800.0, 4000.0, 6000.0),
        table_torque=(100.0, 200.0, 0.0),
        table_resistive_torque=(-20.0, -40.0, -60.0),
    )
    assert marked_points(table) == [(800.0, 100.0), (4000.0, 200.0), (6000.0, 0.0)]
