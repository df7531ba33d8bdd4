"""The session of one ELM327 client: options, adaptive timing, diagnostic connector, and the activity in progress.

The options are those that AT commands set; a new `Setup` has the values that the chip has after a reset.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol, DataFormat, ProtocolSelection
from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import AUXILIARY, NAN, AuxiliaryData, InputData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES

TIMEOUT_UNIT: Final = 4 * MILLISECOND
"""[ns] Unit of AT ST."""

DEFAULT_TIMEOUT: Final = 200 * MILLISECOND
"""[ns] Time-out after a reset."""

TESTER: Final = 0xF1
"""Address of a tester (ISO 15765-4)."""

J1939_TESTER: Final = 0xF9
"""Address of a tester (SAE J1939: off-board diagnostic tool 1)."""


@dataclass(slots=True)
class FlowControlOptions:
    """The flow control that the interpreter sends after a first frame (AT FC).

    Mode 0 is automatic, mode 1 uses the client's header and data, mode 2 the client's data.
    """

    enabled: bool = True
    mode: int = 0
    header: int | None = None
    data: bytes = b""
    pairs: dict[int, int] = field(default_factory=dict)  # ST CFCPA: identifier of flow control by that of answers

    def set_mode(self, mode: int) -> bool:
        """Set the mode; return False if the client has not set the header or data that the mode needs."""
        if (mode == 1 and self.header is None) or (mode in (1, 2) and not self.data):
            return False
        self.mode = mode
        return True


@dataclass(slots=True)
class Acceptance:
    """The acceptance filter for identifiers; None stands for the default of the protocol.

    Set bits of `mask` must match.
    """

    filter: int | None = None
    mask: int | None = None

    def clear(self) -> None:
        """Restore the default of the protocol."""
        self.filter = self.mask = None


class Pattern(NamedTuple):
    """A filter of an STN11xx: set bits of `mask` must match, from the first byte of the identifier on."""

    value: bytes
    mask: bytes

    def matches(self, content: bytes) -> bool:
        """Return whether identifier and data of a frame, as bytes, match."""
        return len(content) >= len(self.mask) and all(
            not (byte ^ value) & mask for byte, value, mask in zip(content, self.value, self.mask, strict=False)
        )


@dataclass(slots=True)
class FrameFilters:
    """The filters of an STN11xx (ST F…): a frame passes that one of `passing` matches, and none of `blocking`.

    Without any in `passing` the filter of AT commands decides in their place.
    """

    passing: list[Pattern] = field(default_factory=list)
    blocking: list[Pattern] = field(default_factory=list)
    flow_control: list[Pattern] = field(default_factory=list)  # first frames that are answered; empty: all

    def blocks(self, frame: Frame) -> bool:
        """Return whether a frame is blocked."""
        return bool(self.blocking) and any(one.matches(_content(frame)) for one in self.blocking)

    def passes(self, frame: Frame) -> bool:
        """Return whether a frame matches one of `passing`."""
        return any(one.matches(_content(frame)) for one in self.passing)

    def controls_flow(self, frame: Frame) -> bool:
        """Return whether a first frame is answered."""
        return not self.flow_control or any(one.matches(_content(frame)) for one in self.flow_control)


def _content(frame: Frame) -> bytes:
    return frame.identifier.to_bytes(4 if frame.is_extended else 2, "big") + frame.data


@dataclass(slots=True)
class Setup:
    """The options of one ELM327."""

    # line to the client
    echo: bool = True  # E
    linefeeds: bool = False  # L
    spaces: bool = True  # S
    headers: bool = False  # H
    data_length: bool = False  # D: show the DLC after the header
    # requests
    memory: bool = True  # M: store a protocol that was found or set
    long_messages: bool = False  # AL: requests of more than a single frame
    responses: bool = True  # R: wait for answers
    header: int | None = None  # SH: 24 bits; the low 11 of them where identifiers have 11
    priority: int = 0x18  # CP: the upper 5 bits of 29
    tester: int | None = None  # TA; default: by the protocol
    variable_length: bool = False  # V: no padding to 8 bytes
    padding: int = 0x00  # PP 26
    extended_address: int | None = None  # CEA: precedes the data
    extended_receive: int | None = None  # CER: precedes the data of answers; default: TA
    reverse_group: bool = True  # JE, JS: three bytes are a parameter group number, its highest byte first
    least_separation: int = 0  # ST CSTM: [ns] between consecutive frames of a request
    # answers
    timeout: int = DEFAULT_TIMEOUT  # ST: [ns]
    timer_factor: int = 1  # CTM
    j1939_timer_factor: int = 1  # JTM
    adaptive: int = 1  # AT
    formatting: bool = True  # CAF: add and remove PCI bytes
    group_headers: bool = True  # JHF: priority, group and source instead of four bytes
    assemble: bool = False  # ST CSEGR: a message of several frames is one line
    receiver: int | None = None  # RA, SR: address of answers with 29 bits; default: TA
    acceptance: Acceptance = field(default_factory=Acceptance)  # CF, CM, CRA
    filters: FrameFilters = field(default_factory=FrameFilters)  # ST F…
    flow_control: FlowControlOptions = field(default_factory=FlowControlOptions)  # CFC, FC

    def longest_wait(self, protocol: CanProtocol) -> int:
        """Return the longest time [ns] to wait for an answer."""
        return self.timeout * (self.j1939_timer_factor if _is_j1939(protocol) else self.timer_factor)

    def tester_address(self, protocol: CanProtocol) -> int:
        """Return the address of the tester."""
        return self.tester if self.tester is not None else J1939_TESTER if _is_j1939(protocol) else TESTER


def _is_j1939(protocol: CanProtocol) -> bool:
    return protocol.format is DataFormat.J1939


PENDING_TIMEOUT: Final = 5_000 * MILLISECOND
"""[ns] Time for the answer of an ECU after 7F xx 78, response pending (P2* of ISO 14229-2)."""

FIRST_ANSWER: Final = 60 * MILLISECOND
"""[ns] Shortest wait for the first answer."""


class AdaptiveTiming:
    """The time that the interpreter waits for an answer, adapted to the answers received. All times are in ns.

        AT0    T
        AT1    min(T, 2 L + 20 ms)
        AT2    min(T, 1.5 L + 8 ms)

    The wait for the first answer to a request is at least 60 ms, but not longer than T, because every ECU may take
    P2 = 50 ms (ISO 15765-4). T is the time-out of AT ST. L is the latency of the ECUs: the latest one measured, or
    seven eighths of the previous L, whichever is larger. The data sheet does not publish the chip's own rule; it states
    that the wait follows the answers, closer with AT2, and never exceeds T.
    """

    def __init__(self) -> None:
        self._latency: int | None = None

    def first_wait(self, setup: Setup, protocol: CanProtocol) -> int:
        """Return the time to wait for the first answer."""
        return min(setup.longest_wait(protocol), max(self.wait(setup, protocol), FIRST_ANSWER))

    def wait(self, setup: Setup, protocol: CanProtocol) -> int:
        """Return the time to wait for a further answer."""
        longest = setup.longest_wait(protocol)
        latency = self._latency
        if setup.adaptive == 0 or latency is None:
            return longest
        if setup.adaptive == 1:
            return min(longest, 2 * latency + 20 * MILLISECOND)
        return min(longest, latency + latency // 2 + 8 * MILLISECOND)

    def record(self, latency: int) -> None:
        """Record the latency [ns] of an answer."""
        before = self._latency or 0
        self._latency = max(latency, before - before // 8)

    def reset(self) -> None:
        """Discard the latency: another protocol reaches other ECUs."""
        self._latency = None


_RESOLUTION: Final = ENTRIES[AUXILIARY][AuxiliaryData.BATTERY_VOLTAGE].resolution


class Connector:
    """The diagnostic connector (SAE J1962) that the interpreter is plugged into: one CAN bus and one battery.

    CAN is on pins 6 and 14. The battery is on pin 16, which has voltage with the ignition off too. `usable` returns
    whether the link accepts a frame with this identifier at present.
    """

    def __init__(
        self, bitrate: int, transmit: Callable[[Frame], None], usable: Callable[[int], bool], data: DataBus
    ) -> None:
        self.bitrate: Final = bitrate
        self.transmit: Final = transmit
        self.usable: Final = usable
        self.heard = 0  # [ns] when the bus had its latest frame
        self._auxiliary: Final = data.auxiliary
        self._input: Final = data.input

    @property
    def voltage(self) -> float:
        """Battery voltage [V]; 0 if the vehicle model has none."""
        raw = self._auxiliary[AuxiliaryData.BATTERY_VOLTAGE]
        return 0.0 if raw == NAN else raw / _RESOLUTION

    @property
    def ignition(self) -> bool:
        """Whether terminal 15 has voltage."""
        return self._input[InputData.KEY] >= 0


class AdapterActivity(Protocol):
    """The activity of the interpreter between two prompts: a request, a protocol search, or bus monitoring.

    Any character of the client ends it.
    """

    @property
    def done(self) -> bool:
        """Whether the activity is complete."""

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus."""

    def poll(self, t: int) -> None:
        """Do what is due at `t` [ns]; called once a tick."""

    def successor(self, t: int) -> "AdapterActivity | None":
        """Return the activity that follows a completed one without a prompt between them, if there is one."""


@dataclass(slots=True)
class AdapterSession:
    """The options, protocol and timing of one client, its connector, and `write_line`, which sends it a line."""

    connector: Connector
    write_line: Callable[[str], None]
    setup: Setup = field(default_factory=Setup)
    selection: ProtocolSelection = field(default_factory=ProtocolSelection)
    timing: AdaptiveTiming = field(default_factory=AdaptiveTiming)
    eager: bool = False  # an exchange ends with the answers of its tick
    last_frame: Frame | None = None  # sent, or taken as an answer (BD)
