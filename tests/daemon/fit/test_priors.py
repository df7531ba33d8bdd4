"""What is assumed of an engine when nothing is known but its peaks."""

import math
from pathlib import Path

import pytest

from hilbridge.fit.model import is_sound
from hilbridge.fit.priors import given_settings, litres, unknowns

from .sheets import ROADSTER, load


def expected(folder: Path, text: str) -> dict[str, float]:
    return {unknown.name: unknown.expected for unknown in unknowns(load(folder, text).settings)}


def test_petrol_friction_is_that_of_motored_engines(tmp_path: Path) -> None:
    """p = 0.97 + 0.15·3 + 0.05·3² = 1.87 bar at 3000/min; Tf = p·V/4π = 29.76 N m for 2 l."""
    prior = expected(tmp_path, ROADSTER)
    w = 3000.0 * math.pi / 30.0
    friction = prior["friction_torque"] + w * prior["rotational_friction"] + (w * prior["viscous_friction"]) ** 2
    assert friction == pytest.approx(1.87e5 * 0.002 / (4 * math.pi))


def test_without_displacement_it_follows_from_the_torque(tmp_path: Path) -> None:
    """100 Nm a litre without supercharger, 190 Nm a litre for a charged diesel."""
    bare = ROADSTER.replace("displacement: 2.0\n", "")
    assert litres(load(tmp_path, bare).settings) == pytest.approx(2.0)
    assert litres(load(tmp_path, bare + "fuel: diesel\n").settings) == pytest.approx(200 / 190)
    assert litres(load(tmp_path, ROADSTER).settings) == 2.0


def test_what_is_fixed_is_not_sought_and_what_is_known_is_given(tmp_path: Path) -> None:
    """Bounds and priors of the file replace those of the fuel."""
    more = (
        "idle: {rpm: 700}\nlimiter_rpm: 6800\nfixed: {inertia: 0.2, max_rpm: 7400.0, idle_control: passive}\n"
        "bounds: {peak_rpm: [4000.0, 5000.0]}\npriors: {peak_rpm: {value: 4900, spread: 50}}\n"
    )
    targets = load(tmp_path, ROADSTER + more).settings
    settings = given_settings(targets)
    assert (settings.idle_rpm, settings.inertia, settings.max_rpm) == (700, 0.2, 7400)
    assert (settings.rpm_limiter, settings.rpm_limiter_max, settings.torque_cap) == (True, 6800, False)
    assert settings.idle_control.value == "passive"
    sought = {unknown.name: unknown for unknown in unknowns(targets)}
    assert sought["peak_rpm"][1:] == (4000, 5000, 4900, 50)
    assert not {"max_rpm", "stall_bias", "stalled_friction_torque"} & sought.keys()


def test_a_slow_engine_may_have_its_peak_below_the_idle_speed_of_others(tmp_path: Path) -> None:
    """A fixed parameter is judged with the idle speed of the targets, not with the model's default of 1000 rpm."""
    targets = load(tmp_path, ROADSTER + "idle: {rpm: 550}\nfixed: {peak_rpm: 900.0}\n")
    assert given_settings(targets.settings).peak_rpm == 900.0


def test_the_expected_engine_is_well_formed(tmp_path: Path) -> None:
    """So that a search begins with one."""
    for text in (ROADSTER, ROADSTER + "fuel: diesel\n", ROADSTER.replace("rpm: 4600", "rpm: 4600, until: 5000")):
        assert is_sound(given_settings(load(tmp_path, text).settings))
