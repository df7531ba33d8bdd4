"""Parameters of the body: mass, its distribution, and air drag."""

from dataclasses import dataclass
from typing import Annotated, Final

from vehiclesim.parameters.quantity import Quantity, check, ratio_of

GRAVITY: Final = 9.80665
"""[m/s²], standard gravity (ISO 80000-3)."""

AIR_DENSITY: Final = 1.225
"""[kg/m³], ISO 2533 at sea level and 15 °C."""


@dataclass(frozen=True, slots=True)
class BodySettings:
    """Mass and air drag."""

    mass: Annotated[float, Quantity("kg", "vehicle with driver", minimum=50.0, maximum=1e6)] = 1300.0
    drag_area: Annotated[float, Quantity("m²", "drag coefficient times frontal area", minimum=0.0, maximum=20.0)] = 0.65

    def __post_init__(self) -> None:
        check(self)


def _compliance(axle: str) -> Quantity:
    text = f"angle by which suspension and steering turn the {axle} wheels out of the corner at a side force of 1 g"
    return Quantity("deg", text, minimum=-3.0, maximum=10.0)


@dataclass(frozen=True, slots=True)
class ChassisSettings:
    """Geometry and mass distribution of a two-axled vehicle."""

    wheelbase: Annotated[float, Quantity("m", "distance of the axles", minimum=0.5, maximum=20.0)] = 2.6
    front_track: Annotated[float, Quantity("m", "distance of the front wheels", minimum=0.3, maximum=5.0)] = 1.5
    rear_track: Annotated[float, Quantity("m", "distance of the rear wheels", minimum=0.3, maximum=5.0)] = 1.5
    front_weight: Annotated[
        float, Quantity("1", "share of the weight on the front axle", minimum=0.05, maximum=0.95)
    ] = 0.6
    centre_of_gravity_height: Annotated[
        float, Quantity("m", "above the road; 0 switches load transfer off", minimum=0.0, maximum=5.0)
    ] = 0.5
    yaw_dynamic_index: Annotated[
        float, Quantity("1", "yaw inertia over mass times distances to the axles", minimum=0.4, maximum=3.0)
    ] = 0.95
    front_roll_stiffness: Annotated[float, ratio_of("share of the lateral load transfer at the front axle")] = 0.55
    front_cornering_compliance: Annotated[float, _compliance("front")] = 0.0
    rear_cornering_compliance: Annotated[float, _compliance("rear")] = 0.0

    def __post_init__(self) -> None:
        check(self)
        highest = min(0.5 * self.wheelbase, self.front_track, self.rear_track)
        if self.centre_of_gravity_height > highest:
            raise ValueError(
                f"centre_of_gravity_height: {self.centre_of_gravity_height} is more than {highest}, half the wheelbase "
                "or a track; the vehicle would turn over"
            )
