"""Parameters of a trailer."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from vehiclesim.parameters.aids import AbsSettings
from vehiclesim.parameters.quantity import Quantity, check, torque_of
from vehiclesim.parameters.running_gear import TyreSettings, WheelSettings


@dataclass(frozen=True, slots=True)
class TrailerSettings:
    """A semitrailer or a trailer with a rigid drawbar, whose axles count as one; the default is a caravan (assumed)."""

    equipment: ClassVar[str] = "vehiclesim.equipment.trailer:make_trailer"

    mass: Annotated[float, Quantity("kg", "loaded; 0: no trailer", minimum=0.0, maximum=1e6)] = 0.0
    yaw_inertia: Annotated[
        float, Quantity("kg m²", "about the vertical axis through its centre of gravity", minimum=1.0, maximum=1e8)
    ] = 2500.0
    centre_of_gravity_height: Annotated[
        float, Quantity("m", "above the road; 0 switches its load transfer off", minimum=0.0, maximum=5.0)
    ] = 0.8
    hitch_ahead: Annotated[
        float, Quantity("m", "of the hitch before the rear axle of the vehicle", minimum=-10.0, maximum=10.0)
    ] = -1.1
    hitch_height: Annotated[float, Quantity("m", "above the road", minimum=0.0, maximum=3.0)] = 0.4
    hitch_to_centre: Annotated[
        float, Quantity("m", "from the hitch back to its centre of gravity", minimum=0.1, maximum=30.0)
    ] = 3.8
    hitch_to_axle: Annotated[
        float, Quantity("m", "from the hitch back to the middle of its axles", minimum=0.5, maximum=30.0)
    ] = 4.0
    track: Annotated[float, Quantity("m", "distance of its wheels", minimum=0.3, maximum=5.0)] = 1.9
    drag_area: Annotated[float, Quantity("m²", "what it adds to that of the vehicle", minimum=0.0, maximum=20.0)] = 1.0
    brake_torque: Annotated[float, torque_of("each side, pedal fully down")] = 1500.0
    brake_lag: Annotated[
        float, Quantity("s", "time constant of its brakes behind the pedal", minimum=0.0, maximum=2.0)
    ] = 0.1
    abs: Annotated[AbsSettings, "anti-lock braking of its own, for each side"] = field(default_factory=AbsSettings)
    most_articulation: Annotated[
        float, Quantity("deg", "angle at which it hits the vehicle", minimum=10.0, maximum=90.0)
    ] = 90.0
    wheels: Annotated[WheelSettings, "both sides, each the sum of its axles"] = field(default_factory=WheelSettings)
    tyre: Annotated[TyreSettings | None, "of both sides; none: that of the vehicle's rear axle"] = None

    def __post_init__(self) -> None:
        check(self)
        if self.centre_of_gravity_height > self.track:
            raise ValueError(
                f"centre_of_gravity_height: {self.centre_of_gravity_height} is more than the track; it would turn over"
            )

    @property
    def hitch_mass(self) -> float:
        """Part of its mass that rests on the hitch [kg]."""
        return self.mass * (1.0 - self.hitch_to_centre / self.hitch_to_axle)
