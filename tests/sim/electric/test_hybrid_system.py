"""What the sheet of a hybrid says of engine, motor and battery together."""

from vehiclesim.electric.hybrid_system import HybridSystem
from vehiclesim.parameters import EngineSettings, HybridSettings


def test_the_system_gives_its_torque_up_to_its_power() -> None:
    """265 N m and 104 kW: 104 kW from 392.5 rad/s on, 208 N m at 500; less is given as it is."""
    system = HybridSystem(HybridSettings(max_torque=265.0, max_power=104.0), EngineSettings())
    assert system.limit(300.0, 0.0) == 265.0
    assert system.limit(300.0, 392.0) == 265.0
    assert system.limit(300.0, 500.0) == 208.0
    assert system.limit(100.0, 500.0) == 100.0
