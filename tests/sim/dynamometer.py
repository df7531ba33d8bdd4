"""A test stand: an engine alone, or with its clutch against a flywheel that an outside torque may turn."""

from collections.abc import Iterator
from dataclasses import replace

from vehiclesim.block import RPM_TO_W, W_TO_RPM, Block
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ClutchSettings, EngineSettings
from vehiclesim.solver import Solver

from .blocks import Flywheel
from .states import change

GRIP = ClutchSettings(max_torque_transfer=1e6)
"""A clutch that never slips once it has closed."""

HEAVY = 1e9
"""[kg m²]. A flywheel of this inertia keeps its speed whatever an engine does."""


class Load(Flywheel):
    """A flywheel whose speed is given and read in 1/min, with an outside torque [N m] on it."""

    def __init__(self, inertia: float, rpm: float = 0.0, torque: float = 0.0) -> None:
        super().__init__(inertia, rpm * RPM_TO_W, torque)

    @property
    def rpm(self) -> float:
        return self.speed * W_TO_RPM


class Stand:
    """An engine and its load, stepped together."""

    def __init__(self, engine: Engine, load: Load | None = None, *, substep: float = 0.001) -> None:
        self.engine = engine
        self.load = load
        blocks: list[Block] = [engine]
        if load is not None:
            Block.connect(load, engine)
            blocks.append(load)
        self.solver = Solver(blocks, substep)

    def steps(self, seconds: float, delta_time: float = 0.001) -> Iterator[float]:
        """Steps for a while and yields the time [s] since the call after every step."""
        for k in range(round(seconds / delta_time)):
            self.solver.step(delta_time)
            yield (k + 1) * delta_time

    def run(self, seconds: float, delta_time: float = 0.001) -> None:
        """Steps for a while."""
        for _ in self.steps(seconds, delta_time):
            pass


def spin(engine: Engine, rpm: float, inertia: float, *, running: bool = True) -> None:
    """Sets an engine turning."""
    ignition = engine.get_state_vars()["_ignition"] | {"running": running}
    change(engine, _momentum=rpm * RPM_TO_W * inertia, _ignition=ignition)


def idling(settings: EngineSettings, load: Load | None = None, clutch: ClutchSettings | None = None) -> Stand:
    """An engine that runs at idle, with an open clutch."""
    engine = Engine(settings, clutch or ClutchSettings())
    spin(engine, settings.idle_rpm, settings.inertia)
    return Stand(engine, load)


def held_at(rpm: float, settings: EngineSettings) -> Stand:
    """An engine that a heavy flywheel holds at a speed, with its clutch closed."""
    engine = Engine(settings, GRIP)
    spin(engine, rpm, settings.inertia)
    engine.clutch_input = 1.0
    return Stand(engine, Load(HEAVY, rpm))


def frictionless(settings: EngineSettings = EngineSettings()) -> EngineSettings:  # noqa: B008 - frozen
    """The same engine without any friction."""
    return replace(
        settings, friction_torque=0.0, rotational_friction=0.0, viscous_friction=0.0, stalled_friction_torque=0.0
    )
