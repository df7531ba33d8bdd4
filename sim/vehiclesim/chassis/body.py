"""The body: the vehicle's mass, and the forces of air and slope on it."""

from math import sqrt

from mypy_extensions import mypyc_attr

from vehiclesim.parameters import AIR_DENSITY, GRAVITY, BodySettings


@mypyc_attr(allow_interpreted_subclasses=True)
class Body:
    """Air drag and the pull of a slope, each a force [N] that points backward when positive."""

    def __init__(self, settings: BodySettings = BodySettings()) -> None:  # noqa: B008 - frozen
        self.mass: float = settings.mass  # [kg]
        self.wind: float = 0.0  # input: head wind [m/s]
        self._drag: float = 0.5 * AIR_DENSITY * settings.drag_area  # [kg/m]
        self._weight: float = settings.mass * GRAVITY  # [N]
        self._slope: float = 0.0
        self._normal_force: float = self._weight  # m·g·cos(slope) [N]
        self._slope_force: float = 0.0  # m·g·sin(slope) [N]

    @property
    def slope(self) -> float:
        """Input: grade of the road, rise over run, positive uphill (0.2 is a 20 % slope)."""
        return self._slope

    @slope.setter
    def slope(self, grade: float) -> None:
        self._slope = grade
        self._normal_force = self._weight / sqrt(1.0 + grade * grade)
        self._slope_force = self._normal_force * grade

    def normal_force(self) -> float:
        """m·g·cos(slope): what all wheels together press on the road with."""
        return self._normal_force

    def drag_force(self, speed: float) -> float:
        """½·ρ·cd·A·|u|·u with the speed u = v + wind against the air."""
        air_speed = speed + self.wind
        return self._drag * air_speed * (air_speed if air_speed > 0.0 else -air_speed)

    def slope_force(self) -> float:
        """m·g·sin(slope), with sin(slope) = grade/√(1 + grade²)."""
        return self._slope_force
