"""An engine on the test stand, with its auxiliaries wired as a vehicle wires them."""

from vehiclesim.auxiliary import Auxiliaries
from vehiclesim.channels import AUXILIARY
from vehiclesim.databus import Channel
from vehiclesim.engine.engine import Engine
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AuxiliarySettings

from ..dynamometer import Stand, held_at, idling

PETROL = EngineSettings(can_stall=True, max_fuel_per_rev=0.08)
"""The default engine with the fuel of the 175 Nm engine's figure: some two litres, 87 kW, 240 g/kWh at best."""


class Rig:
    """The stand and the auxiliaries, stepped together; `values` is the Auxiliary channel."""

    def __init__(
        self,
        stand: Stand,
        settings: AuxiliarySettings = AuxiliarySettings(),  # noqa: B008 - frozen
        engine: EngineSettings = PETROL,
    ) -> None:
        self.stand = stand
        self.engine = stand.engine
        self.auxiliaries = Auxiliaries(settings, stand.engine, engine)
        self.values = [0] * len(ENTRIES[AUXILIARY])
        self.channel = Channel(self.values, AUXILIARY)

    def step(self, delta_time: float = 0.001) -> None:
        self.engine.breathe(self.auxiliaries.air_pressure, self.auxiliaries.ambient_temperature)
        self.engine.starter_supply = self.auxiliaries.starter_supply
        self.engine.allowed_fuel_ratio = 1.0 if self.auxiliaries.fuel_left else 0.0
        self.stand.solver.step(delta_time)
        self.auxiliaries.step(delta_time)
        self.auxiliaries.publish(self.channel)

    def run(self, seconds: float, delta_time: float = 0.01) -> None:
        for _ in range(round(seconds / delta_time)):
            self.step(delta_time)

    def hold(self, seconds: float, delta_time: float = 0.1) -> None:
        """The engine has settled and goes on as it is; only the auxiliaries are stepped, which takes less time."""
        for _ in range(round(seconds / delta_time)):
            self.auxiliaries.step(delta_time)
        self.auxiliaries.publish(self.channel)

    def read(self, index: int) -> float:
        """A value of the channel in its unit."""
        return self.channel.read(index)


def settled(rig: Rig) -> Rig:
    """After half a second the engine's torque and fuel are those of its speed and throttle."""
    rig.run(0.5)
    return rig


def at_rest(settings: AuxiliarySettings = AuxiliarySettings(), engine: EngineSettings = PETROL) -> Rig:  # noqa: B008
    """A stopped engine with the key on."""
    return Rig(Stand(Engine(engine)), settings, engine)


def at_idle(settings: AuxiliarySettings = AuxiliarySettings(), engine: EngineSettings = PETROL) -> Rig:  # noqa: B008
    return settled(Rig(idling(engine), settings, engine))


def driving(
    rpm: float,
    throttle: float,
    speed: float = 15.0,
    settings: AuxiliarySettings = AuxiliarySettings(),  # noqa: B008 - frozen
    engine: EngineSettings = PETROL,
) -> Rig:
    """An engine held at a speed [1/min], in a vehicle with a speed [m/s]."""
    rig = Rig(held_at(rpm, engine), settings, engine)
    rig.engine.throttle_input = throttle
    rig.auxiliaries.speed = speed
    return settled(rig)
