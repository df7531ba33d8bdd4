"""What a client can set with AT commands, and how it is set after a reset."""

from dataclasses import dataclass, field
from typing import Final

from hilbridge.common.units import MILLISECOND

TIMEOUT_UNIT: Final = 4 * MILLISECOND
"""[ns] of AT ST."""

DEFAULT_TIMEOUT: Final = 0x32
"""[TIMEOUT_UNIT]: 200 ms."""


@dataclass(slots=True)
class FlowControl:
    """What answers a first frame: mode 0 is automatic, 1 the user's header and data, 2 the user's data."""

    enabled: bool = True
    mode: int = 0
    header: int | None = None
    data: bytes = b""

    def set_mode(self, mode: int) -> bool:
        """False where the user's part has not been given yet."""
        if (mode == 1 and self.header is None) or (mode in (1, 2) and not self.data):
            return False
        self.mode = mode
        return True


@dataclass(slots=True)
class Acceptance:
    """Which identifiers are received; None is what the protocol's answers have. A set bit of `mask` must match."""

    filter: int | None = None
    mask: int | None = None

    def clear(self) -> None:
        self.filter = self.mask = None


@dataclass(slots=True)
class Setup:
    """The options of one ELM327."""

    # the line to the client
    echo: bool = True  # E
    linefeeds: bool = False  # L
    spaces: bool = True  # S
    headers: bool = False  # H
    data_length: bool = False  # D: the DLC is shown beside the header
    # requests
    memory: bool = True  # M: a protocol that was found or set is kept over a reset
    long_messages: bool = False  # AL: requests of more than a single frame
    responses: bool = True  # R: answers are waited for
    header: int | None = None  # SH: 24 bits; the low 11 of them where identifiers have 11
    priority: int = 0x18  # CP: the upper 5 bits of 29
    tester: int = 0xF1  # TA
    variable_length: bool = False  # V: no padding to 8 bytes
    extended_address: int | None = None  # CEA: goes before the data
    extended_receive: int | None = None  # CER: stands before the data of answers; default: the tester's address
    # answers
    timeout: int = DEFAULT_TIMEOUT  # ST
    timer_factor: int = 1  # CTM
    adaptive: int = 1  # AT
    formatting: bool = True  # CAF: PCI bytes are made and taken away
    acceptance: Acceptance = field(default_factory=Acceptance)  # CF, CM, CRA
    flow_control: FlowControl = field(default_factory=FlowControl)  # CFC, FC

    @property
    def longest_wait(self) -> int:
        """[ns] for an answer."""
        return self.timeout * self.timer_factor * TIMEOUT_UNIT
