"""Saved states in tests: parts that begin in a certain state, and what is in a state."""

from collections.abc import Iterator
from typing import Any

from vehiclesim.state import Stateful
from vehiclesim.vehicle import Vehicle


def change(part: Stateful, **values: Any) -> None:
    """Give some of a part's state variables another value."""
    part.set_state_vars(part.get_state_vars() | values)


def roll_at(vehicle: Vehicle, speed: float) -> None:
    """Make a vehicle roll straight ahead at a speed [m/s] from now on."""
    settings, state = vehicle.settings, vehicle.get_state_vars()
    chassis = state["chassis"] | {"_momentum_x": settings.train_mass * speed}
    if settings.trailer.mass > 0.0:
        behind = [wheel | {"spin": speed / settings.trailer.wheels.radius} for wheel in chassis["trailer"]["wheels"]]
        chassis["trailer"] = chassis["trailer"] | {"wheels": behind}
    wheels = [wheel | {"spin": speed / settings.wheels.radius} for wheel in state["wheels"]]
    vehicle.set_state_vars(state | {"chassis": chassis, "wheels": wheels})


def numbers(state: Any) -> Iterator[float]:
    """Yield every number of a saved state, those of its parts too."""
    if isinstance(state, dict | list | tuple):
        for value in state.values() if isinstance(state, dict) else state:
            yield from numbers(value)
    elif state is not None:
        yield state
