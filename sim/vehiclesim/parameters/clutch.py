"""Parameters of the clutch or torque converter between engine and gearbox."""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check, check_rows, speed_of, torque_of


class ClutchType(Enum):
    """Type of the clutch or converter between engine and gearbox."""

    FRICTION_DISC = "friction-disc"
    LOCK_RATIO = "lock-ratio"
    TORQUE_CONVERTER = "torque-converter"
    TORQUE_CONVERTER_LIMITED = "torque-converter-limited"
    HYDRODYNAMIC = "hydrodynamic-converter"


@dataclass(frozen=True, slots=True)
class ClutchSettings:
    """The clutch or torque converter between engine and gearbox.

    The default tables of the hydrodynamic converter are assumed, in the manner of a passenger car's: it doubles the
    torque at stall and couples from a speed ratio of 0.85 on.
    """

    type: Annotated[ClutchType, "what joins engine and gearbox"] = ClutchType.FRICTION_DISC
    max_torque_transfer: Annotated[
        float, torque_of("at which disc, limited converter or lock-up slips; a lock ratio gives torque in proportion")
    ] = 300.0
    lock_rpm: Annotated[
        float, speed_of("a converter locks: from this engine speed, with lock-up this turbine speed")
    ] = 2000.0
    lock_ratio_bias: Annotated[
        float, Quantity("1", "lock ratio of a torque converter at half of lock_rpm", minimum=0.0001, maximum=0.9999)
    ] = 0.1
    speed_ratio: Annotated[
        tuple[float, ...],
        Quantity("1", "hydrodynamic: turbine over engine speed, from 0 ascending", minimum=0.0, maximum=0.99),
    ] = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94)
    capacity_factor: Annotated[
        tuple[float, ...],
        Quantity("rpm/√Nm", "engine speed over root of engine torque at each", minimum=1.0, maximum=10_000.0),
    ] = (118.0, 117.0, 118.0, 125.0, 131.0, 140.0, 148.0, 170.0, 210.0)
    torque_ratio: Annotated[
        tuple[float, ...], Quantity("1", "turbine over engine torque at each", minimum=0.1, maximum=5.0)
    ] = (2.23, 1.98, 1.72, 1.41, 1.25, 1.10, 1.01, 1.0, 1.0)
    lock_up: Annotated[bool, "a disc bridges the hydrodynamic converter from lock_rpm on"] = False
    lock_up_time: Annotated[
        float, Quantity("s", "in which that disc closes, with slip and growing pressure", minimum=0.01, maximum=10.0)
    ] = 0.5

    def __post_init__(self) -> None:
        check(self)
        if not self.speed_ratio or self.speed_ratio[0] != 0.0:
            raise ValueError("speed_ratio: the first one is 0, the stalled converter")
        columns = {"capacity_factor": self.capacity_factor, "torque_ratio": self.torque_ratio}
        check_rows("speed_ratio", self.speed_ratio, **columns)
        rows = zip((*self.speed_ratio, 1.0), (*self.torque_ratio, 1.0), strict=True)
        for (s1, t1), (s2, t2) in pairwise(rows):
            slope = (t2 - t1) / (s2 - s1)
            best = s2 if slope >= 0.0 else min(max(s1, 0.5 * (s1 - t1 / slope)), s2)  # where s·t(s) is highest
            if best * (t1 + slope * (best - s1)) > 1.0 + 1e-9:
                raise ValueError(f"torque_ratio: at speed ratio {best:.3g} more power would come out than goes in")
