"""What was published about a vehicle, to be shown beside what the model does; the model does not use it."""

from dataclasses import dataclass
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check


def _consumption_in(cycle: str) -> Quantity:
    return Quantity("l/100 km", f"consumption in the {cycle}; 0: not published", minimum=0.0, maximum=200.0)


@dataclass(frozen=True, slots=True)
class PublishedSettings:
    """Published consumption by cycle; a field has the name of its cycle."""

    nedc: Annotated[float, _consumption_in("NEDC, combined")] = 0.0
    wltc: Annotated[float, _consumption_in("WLTC, combined")] = 0.0
    udds: Annotated[float, _consumption_in("UDDS, as measured, not as on a label")] = 0.0
    hwfet: Annotated[float, _consumption_in("HWFET, the same")] = 0.0

    def __post_init__(self) -> None:
        check(self)
