"""The brakes of a trailer behind the pedal."""

import pytest

from vehiclesim import TrailerSettings, TyreSettings
from vehiclesim.chassis.trailer import Trailer


@pytest.mark.parametrize("lag", [0.0, 0.29, 1.0])
def test_its_brakes_follow_with_their_lag_and_then_are_where_the_pedal_is(lag: float) -> None:
    """1 - 1/e after the lag; after 15 of them exactly the pedal, so that a braked train comes to exact rest."""
    trailer = Trailer(TrailerSettings(mass=1200.0, brake_lag=lag), TyreSettings())
    for tick in range(round(15.0 * max(lag, 0.1) / 0.001)):
        trailer.follow(0.8, 0.001)
        if tick == round(lag / 0.001) and lag > 0.0:
            assert trailer.brake == pytest.approx(0.8 * 0.632, rel=0.01)
    assert trailer.brake == 0.8
