"""The parameters of an ISO-TP connection: times, flow control, frame size.

| | ISO 15765-2 | OBD (ISO 15765-4) | |
|---|---|---|---|
| N_Bs | 1000 ms | 75 ms | the sender waits for flow control |
| N_Cr | 1000 ms | 150 ms | the receiver waits for a consecutive frame |
| waits | | 0 | flow controls "wait" in a row that the sender accepts |
| padding | optional | always | |

N_As and N_Ar (1000 ms, OBD 25 ms), in which the CAN controller confirms a frame, are not checked here: a frame on the
bus counts as sent, and a link counts the frames that it cannot send. N_Br and N_Cs are 0: flow control and the frames
that it permits are sent in the tick that reads their cause.
"""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH, FRAME_LENGTHS
from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.units import IsoTpSettings
from hilbridge.frames.codec.frame import FD

FRAME_SIZES: Final = FRAME_LENGTHS[CLASSIC_LENGTH:]
"""Data bytes (TX_DL) that a full frame may have; above 8 it is CAN FD."""

PADDING: Final = 0xCC
"""The value that ISO 15765-2:2016 recommends, for few stuff bits on the wire."""

LONGEST_ST_MIN: Final = 127 * MILLISECOND
"""[ns] Longest separation time."""

LONGEST_LENGTH: Final = 0xFFFF_FFFF


class WhileBusy(Enum):
    """The reaction to a request that arrives while the answer to another one is in progress."""

    IGNORE = "ignore"
    REFUSE = "refuse"  # negative response 21, busyRepeatRequest, after the answer


@dataclass(frozen=True, slots=True)
class IsoTpParameters:
    """The parameters of one connection.

    ConfigurationError, with the name of the parameter, for a value that ISO-TP cannot express.
    """

    block_size: int = 0  # BS: consecutive frames per block that this side requests; 0: all
    st_min: int = 0  # [ns] STmin that this side requests
    n_bs: int = 1000 * MILLISECOND  # [ns]
    n_cr: int = 1000 * MILLISECOND  # [ns]
    waits: int = 10
    padding: int | None = PADDING  # None: no padding, except to the next length of CAN FD
    frame_size: int = 8  # TX_DL [bytes]
    flags: int = 0  # of the frames sent: 0, FD or FD | BRS
    longest: int = 4095  # [bytes] of a received message; for longer ones flow control is "overflow"
    burst: int = 4  # consecutive frames a tick at an STmin of 0: the capacity of 500 kbit/s in 1 ms
    functional_flow_control: bool = False  # accept it on the functional identifier too: some testers send it there
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
"""Parameters for UDS."""

OBD: Final = IsoTpParameters(n_bs=75 * MILLISECOND, n_cr=150 * MILLISECOND, waits=0)
"""Parameters for OBD on CAN (ISO 15765-4:2016, 10.2)."""


def parameters_of(settings: IsoTpSettings) -> IsoTpParameters:
    """Return the parameters that the bench file sets."""
    timing = OBD if settings.timing == "iso-15765-4" else ISO_15765_2
    return replace(
        timing,
        block_size=settings.block_size,
        st_min=round(settings.st_min * MILLISECOND),
        padding=settings.padding,
        frame_size=settings.frame_size,
        flags=FD if settings.frame_size > CLASSIC_LENGTH else 0,
        longest=settings.longest,
        burst=settings.burst,
        functional_flow_control=settings.functional_flow_control,
        while_busy=WhileBusy(settings.while_busy),
    )
