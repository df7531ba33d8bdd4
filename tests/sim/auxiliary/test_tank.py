"""The fuel tank."""

from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.tank import MICROLITRES, Tank
from vehiclesim.parameters.auxiliary import TankSettings

FLOWS = st.lists(st.floats(0.0, 0.05), max_size=100)


@given(FLOWS, st.floats(0.0, 1.0))
def test_what_is_left_and_what_is_used_are_one_constant(flows: list[float], share: float) -> None:
    """To the microlitre, with an empty tank too; neither runs back."""
    tank = Tank(TankSettings(capacity=0.5, initial_share=share))
    whole = tank.left
    for flow in flows:
        left, used = tank.left, tank.used.count
        tank.step(flow, 0.1)
        assert 0 <= tank.left <= left
        assert tank.used.count >= used
        assert tank.left + tank.used.count == whole


def test_hours_of_idling_are_accounted_for_to_the_microlitre() -> None:
    """0.8 l/h for five hours are four litres, in steps that each burn 2.2 of a microlitre."""
    tank = Tank(TankSettings(capacity=50.0))
    for _ in range(5 * 3600 * 100):
        tank.step(0.8 / 3600.0, 0.01)
    assert abs(tank.used.count - 4 * MICROLITRES) <= 1
    assert tank.left == 50 * MICROLITRES - tank.used.count


def test_an_empty_tank_gives_nothing() -> None:
    tank = Tank(TankSettings(capacity=0.1, initial_share=0.0))
    tank.step(0.01, 0.1)
    assert (tank.left, tank.used.count, tank.share) == (0, 0, 0.0)


def test_an_endless_tank_counts_what_is_used_and_keeps_its_level() -> None:
    tank = Tank(TankSettings(endless=True, initial_share=0.5))
    tank.step(0.01, 0.1)
    assert (tank.share, tank.used.count) == (0.5, 1000)


def test_no_more_goes_in_than_fits() -> None:
    tank = Tank(TankSettings(capacity=40.0))
    tank.fill(41 * MICROLITRES)
    assert tank.left == 40 * MICROLITRES
    tank.fill(-1)
    assert tank.left == 0
