"""Conditions of diagnostic services."""

import pytest

from hilbridge.bench.diagnostics.condition import Conditions
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.files.settings.conditions import ConditionSettings
from vehiclesim.channels import NAN, VehicleData
from vehiclesim.databus import DataBus


@pytest.mark.parametrize(
    ("speed", "rpm", "code"),
    [(0, 0, None), (1000, 3_000_000, 0x88), (0, 3_000_000, 0x22), (NAN, 0, 0x88), (0, NAN, 0x22)],
)
def test_the_first_condition_that_does_not_hold_refuses(speed: int, rpm: int, code: int | None) -> None:
    """With its own code, or 22; what is not available does not hold."""
    bus = DataBus()
    bus.vehicle[VehicleData.SPEED], bus.vehicle[VehicleData.ENGINE_RPM] = speed, rpm
    settings = [
        ConditionSettings(holds="vehicle.Speed == 0", refusal=0x88),
        ConditionSettings.model_validate("vehicle.EngineRpm < 2000"),
    ]
    conditions = Conditions(settings, bus, ())
    if code is None:
        conditions.require()
        return
    with pytest.raises(Refusal) as raised:
        conditions.require()
    assert raised.value.code == code
