"""What is assumed of an engine when nothing is known but its peaks."""

import math
from pathlib import Path

import pytest

from hilbridge.desk.fit.model import Model, is_sound
from hilbridge.desk.fit.priors import given_settings, litres, unknowns
from vehiclesim.engine.full_load import FullLoad
from vehiclesim.engine.torque_curve import make_curve

from .sheets import ROADSTER, load

CHARGED = ROADSTER.replace("value: 200, rpm: 4600", "value: 320, rpm: 3000")
DIESEL = ROADSTER.replace("value: 200, rpm: 4600", "value: 380, rpm: 2000").replace("6000", "4000") + "fuel: diesel\n"


def expected(folder: Path, text: str) -> dict[str, float]:
    return {unknown.name: unknown.expected for unknown in unknowns(load(folder, text).settings)}


def friction_pressure(folder: Path, text: str, rpm: float) -> float:
    """[bar] of the expected engine: 4π·Tf/V."""
    prior = expected(folder, text)
    w = rpm * math.pi / 30.0
    friction = prior["friction_torque"] + w * prior["rotational_friction"] + (w * prior["viscous_friction"]) ** 2
    return friction * 4 * math.pi / 0.002 / 1e5


def test_friction_of_a_charged_engine_is_that_of_the_willans_line(tmp_path: Path) -> None:
    """p = 2.14063 + 0.0025·9² = 2.343 bar at 3000/min, 9 m/s of mean piston speed."""
    assert friction_pressure(tmp_path, CHARGED, 3000.0) == pytest.approx(2.34313)


@pytest.mark.parametrize("rpm", [700.0, 1000.0, 2000.0, 3000.0, 4500.0, 6000.0])
def test_friction_without_charger_is_that_of_motored_engines_and_of_the_throttle(tmp_path: Path, rpm: float) -> None:
    """Heywood 13.6, and 0.65 bar of pumping."""
    n = rpm / 1000.0
    assert friction_pressure(tmp_path, ROADSTER, rpm) == pytest.approx(0.97 + 0.15 * n + 0.05 * n * n + 0.65, abs=0.13)


def test_an_idling_engine_burns_what_is_published(tmp_path: Path) -> None:
    """Fact 861 of the US Department of Energy (Argonne): 2.0 l of petrol 0.16 gal/h, 0.61 l/h, with its consumers.

    These are 28 A at 14 V (`ElectricsSettings`), by an alternator of 67 %: 585 W.
    """
    targets = load(tmp_path, ROADSTER + "idle: {rpm: 700}\n")
    settings = Model(targets).engine([0.0] * len(unknowns(targets.settings)))
    engine = FullLoad(make_curve(settings), settings)
    w = 700.0 * math.pi / 30.0
    torque = 28.0 * 14.0 / 0.67 / w
    grams = engine.specific_fuel_consumption(700.0, torque) * torque * w / 1000.0
    assert grams / 1000.0 / settings.fuel_density == pytest.approx(0.61, rel=0.15)


@pytest.mark.parametrize(
    ("text", "least", "most", "marginal"),
    [(ROADSTER, 320, 380, 0.264), (CHARGED, 340, 380, 0.280), (DIESEL, 310, 350, 0.220)],
    ids=["petrol", "charged petrol", "diesel"],
)
def test_an_engine_of_which_nothing_is_known_burns_what_such_engines_burn(
    tmp_path: Path, text: str, least: float, most: float, marginal: float
) -> None:
    """At 2000/min and 2 bar as engine tests print it; and for one kWh more, in driving, what EU law counts with.

    "Consumption of effective power" in litres per kWh: Commission Implementing Decision (EU) 2020/728, table 2.
    """
    targets = load(tmp_path, text)
    engine = FullLoad(make_curve(settings := Model(targets).engine([0.0] * len(unknowns(targets.settings)))), settings)
    per_bar = 100.0 * litres(targets.settings) / (4.0 * math.pi)
    assert least < engine.specific_fuel_consumption(2000.0, 2.0 * per_bar) < most
    low, high = (bar * engine.specific_fuel_consumption(2000.0, bar * per_bar) for bar in (4.0, 6.0))
    assert (high - low) / 2.0 / (1000.0 * settings.fuel_density) == pytest.approx(marginal, rel=0.12)


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
