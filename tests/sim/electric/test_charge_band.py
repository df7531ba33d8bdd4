"""The band of charge of a hybrid's battery."""

import pytest

from vehiclesim.electric.charge_band import ChargeBand
from vehiclesim.parameters import HybridSettings


@pytest.mark.parametrize(
    ("charge", "power"), [(0.2, 8e3), (0.4, 8e3), (0.5, 4e3), (0.6, 0.0), (0.7, -4e3), (0.8, -8e3), (0.9, -8e3)]
)
def test_the_engine_brings_the_charge_to_the_middle(charge: float, power: float) -> None:
    """By 8 kW at the lower end 0.4, nothing at 0.6, and as much less at the upper end."""
    band = ChargeBand(HybridSettings(low_charge=0.4, high_charge=0.8, charge_power=8.0))
    assert band.power(charge) == pytest.approx(power, abs=1e-9)


def test_a_band_has_a_width() -> None:
    with pytest.raises(ValueError, match="high_charge"):
        HybridSettings(low_charge=0.5, high_charge=0.5)
