"""The types that a user of the Python face sees. mypy checks this file (make lint); pytest checks that it also runs.

`assert_type` fixes what an expression is; a `type: ignore` stands where mypy must refuse, and mypy itself complains
when it does not.
"""

from typing import Any, assert_type

import pytest

from hilbridge import __version__
from vehiclesim import (
    Block,
    Chassis,
    Connection,
    DataBus,
    Derivative,
    Engine,
    EngineSettings,
    EngineSpecifications,
    Gearbox,
    InputData,
    RpmLimiterMode,
    Solver,
    State,
    Vehicle,
    VehicleData,
    VehicleSettings,
)


def test_the_version_is_text() -> None:
    assert_type(__version__, str)
    assert __version__.count(".") == 2


def test_an_engine_from_its_settings() -> None:
    engine = Engine(EngineSettings(idle_rpm=800.0, rpm_limiter_mode=RpmLimiterMode.INJECTION_LIMIT))
    specifications = assert_type(engine.specifications(), EngineSpecifications)
    assert_type(specifications.max_power_in_kw, float)
    assert_type(specifications.malformed_torque, bool)
    assert_type(engine.calculate_torque(3000.0, throttle=0.5), float)
    assert_type(engine.calculate_power_in_kw(3000.0), float)
    assert_type(engine.calculate_specific_fuel_consumption(3000.0), float)
    assert_type(engine.calculate_instant_fuel_consumption(20.0), float)
    assert_type(engine.sensor_rpm, float)
    assert_type(engine.sensor_working, bool)


def test_settings_refuse_wrong_types_and_unknown_names() -> None:
    with pytest.raises(TypeError):
        EngineSettings(idle_rpm="fast")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        EngineSettings(idle_speed=800.0)  # type: ignore[call-arg]


def test_settings_cannot_be_changed_afterwards() -> None:
    settings = EngineSettings()
    with pytest.raises(AttributeError):
        settings.idle_rpm = 900.0  # type: ignore[misc]


def test_a_vehicle_and_its_bus() -> None:
    vehicle = Vehicle(VehicleSettings())
    data = assert_type(vehicle.data, DataBus)
    assert_type(data.input, list[int])
    assert_type(data.input[InputData.THROTTLE], int)
    assert_type(data.vehicle[VehicleData.ENGINE_RPM], int)
    assert_type(vehicle.engine, Engine)
    assert_type(vehicle.gearbox, Gearbox)
    assert_type(vehicle.chassis, Chassis)
    assert_type(vehicle.solver, Solver)
    assert_type(vehicle.get_state_vars(), dict[str, Any])
    vehicle.step(0.001)


def test_a_block_of_ones_own() -> None:
    """A subclass in plain Python: typed events, typed shafts."""

    class Coupling(Block):
        """Passes momentum up and torque down."""

        def initialize(self) -> None:
            self.set_inputs(1)
            self.set_outputs(1)

        def get_state(self, state: State) -> None:
            assert_type(state.L, float)

        def get_substep_derivative(self, derivative: Derivative) -> None:
            assert_type(derivative.T, float)

    coupling = Coupling()
    shaft = assert_type(Block.connect(coupling, Engine()), Connection)
    assert_type(coupling.inputs, list[Connection | None])
    assert shaft.downstream is coupling
    with pytest.raises((TypeError, AttributeError)):
        Block.connect(coupling, "engine")  # type: ignore[arg-type]
