"""How an ISO-TP connection speaks: times, flow control and the size of its frames.

| | ISO 15765-2 | OBD (ISO 15765-4) | |
|---|---|---|---|
| N_Bs | 1000 ms | 75 ms | the sender waits for flow control |
| N_Cr | 1000 ms | 150 ms | the receiver waits for a consecutive frame |
| waits | | 0 | flow controls "wait" that the sender puts up with in a row |
| padding | optional | always | |

N_As and N_Ar (1000 ms, OBD 25 ms), in which the controller confirms a frame, are not kept here: a frame on the bus
counts as sent, and what a link cannot get rid of is refused and counted there. N_Br and N_Cs are 0: flow control and
the frames that it asks for leave in the tick that reads its cause.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from hilbridge.codec.frame import BRS, FD
from hilbridge.common.errors import ConfigurationError
from hilbridge.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.common.units import MILLISECOND
from hilbridge.settings.diagnostics import IsoTpSettings

FRAME_SIZES: Final = FRAME_LENGTHS[CLASSIC_LENGTH:]
"""Data bytes (TX_DL) that a full frame may have; above 8 it is CAN FD."""

PADDING: Final = 0xCC
"""The value that ISO 15765-2:2016 recommends, for few stuff bits on the wire."""

LONGEST_ST_MIN: Final = 127 * MILLISECOND
"""[ns]"""

LONGEST_LENGTH: Final = 0xFFFF_FFFF


class WhileBusy(Enum):
    """What happens to a request that comes while the answer to another is under way."""

    IGNORE = "ignore"
    REFUSE = "refuse"  # negative response 21, busyRepeatRequest, after the answer


@dataclass(frozen=True, slots=True)
class IsoTpParameters:
    """Of one connection. ConfigurationError, with the name of the parameter, for values that ISO-TP cannot express."""

    block_size: int = 0  # BS: consecutive frames between two flow controls that this side asks for; 0 for all
    st_min: int = 0  # [ns] STmin: least time between two consecutive frames that this side asks for
    n_bs: int = 1000 * MILLISECOND  # [ns]
    n_cr: int = 1000 * MILLISECOND  # [ns]
    waits: int = 10
    padding: int | None = PADDING  # None: frames end with their data, or at the next length that CAN FD has
    frame_size: int = 8  # TX_DL [bytes]
    flags: int = 0  # of the frames sent: 0, FD or FD | BRS
    longest: int = 4095  # [bytes] of a message that is received; beyond, flow control says "overflow"
    burst: int = 4  # consecutive frames a tick, with an STmin of 0: what 500 kbit/s carry in 1 ms
    functional_flow_control: bool = False  # take it on the functional identifier too: some testers send it there
    while_busy: WhileBusy = WhileBusy.IGNORE

    def __post_init__(self) -> None:
        for name, lowest, highest in (
            ("block_size", 0, 0xFF),
            ("st_min", 0, LONGEST_ST_MIN),
            ("n_bs", 1, LONGEST_LENGTH * MILLISECOND),
            ("n_cr", 1, LONGEST_LENGTH * MILLISECOND),
            ("waits", 0, LONGEST_LENGTH),
            ("longest", 1, LONGEST_LENGTH),
            ("burst", 1, LONGEST_LENGTH),
        ):
            value = getattr(self, name)
            if not lowest <= value <= highest:
                raise ConfigurationError(f"{value} is outside of {lowest}…{highest}", (name,))
        if self.padding is not None and not 0 <= self.padding <= 0xFF:
            raise ConfigurationError(f"{self.padding} is no byte", ("padding",))
        if self.frame_size not in FRAME_SIZES:
            raise ConfigurationError(
                f"{self.frame_size} is none of {', '.join(map(str, FRAME_SIZES))}", ("frame_size",)
            )
        if self.frame_size > CLASSIC_LENGTH and not self.flags & FD:
            raise ConfigurationError(f"{self.frame_size} bytes need CAN FD", ("frame_size",))


ISO_15765_2: Final = IsoTpParameters()
"""For UDS."""

OBD: Final = IsoTpParameters(n_bs=75 * MILLISECOND, n_cr=150 * MILLISECOND, waits=0)
"""For OBD on CAN (ISO 15765-4:2016, 10.2)."""


def parameters_of(settings: IsoTpSettings) -> IsoTpParameters:
    """What the bench file asks for."""
    timing = OBD if settings.timing == "iso-15765-4" else ISO_15765_2
    flags = FD if settings.frame_size > CLASSIC_LENGTH else 0
    return replace(
        timing,
        block_size=settings.block_size,
        st_min=round(settings.st_min * MILLISECOND),
        padding=settings.padding,
        frame_size=settings.frame_size,
        flags=flags | BRS if flags and settings.bit_rate_switch else flags,
        longest=settings.longest,
        burst=settings.burst,
        functional_flow_control=settings.functional_flow_control,
        while_busy=WhileBusy(settings.while_busy),
    )
