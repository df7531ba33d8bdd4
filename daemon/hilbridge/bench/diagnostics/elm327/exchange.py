"""A request and its answers. Each answer is written when it arrives; a first frame is answered by flow control.

The exchange is done when:

    the requested number of frames has arrived, and no message among them is incomplete
    no answer arrives for the time that `AdaptiveTiming` allows; NO DATA if there was none at all
    the tick of the latest answer is over, for an adapter that does not wait like the chip
    the bus does not take the frame: CAN ERROR, at once

After an answer 7F xx 78, response pending, the interpreter waits five seconds.
"""

from typing import Final, TypeAlias

from hilbridge.bench.diagnostics.elm327.format import answer_lines, message_line
from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol
from hilbridge.bench.diagnostics.elm327.request import (
    FRAME_SIZE,
    ObdRequest,
    encoder,
    flow_control_id,
    is_accepted,
    padded,
    parameters,
    prefix,
    raw_frame,
    request_id,
)
from hilbridge.bench.diagnostics.elm327.session import PENDING_TIMEOUT, AdapterSession
from hilbridge.bench.diagnostics.isotp.frames import ConsecutiveFrame, FirstFrame, FlowControl, SingleFrame, decode
from hilbridge.bench.diagnostics.isotp.sender import IsoTpSender, SenderState
from hilbridge.bench.diagnostics.isotp.statistics import IsoTpStatistics
from hilbridge.bench.diagnostics.refusal import NEGATIVE, RESPONSE_PENDING
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame

CAN_ERROR: Final = "CAN ERROR"
NO_DATA: Final = "NO DATA"

IsoTpFrame: TypeAlias = SingleFrame | FirstFrame | ConsecutiveFrame | FlowControl

_LONGEST: Final = 4095
"""[byte] of a message that is assembled."""

_CONTINUE: Final = b"\x30\x00\x00"


def begin_sending(session: AdapterSession, protocol: CanProtocol, can_id: int) -> bool:
    """Return whether the bus takes frames of the protocol with this identifier; if not, say so to the client."""
    connector = session.connector
    if connector.bitrate == protocol.bitrate and connector.usable(can_id):
        return True
    session.write_line(CAN_ERROR)
    return False


class Exchange:
    """The exchange of one request; creating it sends the request."""

    def __init__(self, request: ObdRequest, protocol: CanProtocol, session: AdapterSession, t: int) -> None:
        setup, connector = session.setup, session.connector
        self.done = False
        self._request: Final = request
        self._protocol: Final = protocol
        self._session: Final = session
        self._setup: Final = setup
        self._connector: Final = connector
        self._timing: Final = session.timing
        self._write_line: Final = session.write_line
        self._frames = 0  # received
        self._missing: dict[int, int] = {}  # bytes that incomplete messages lack, by identifier
        self._since = t  # [ns] begin of the present wait
        self._wait = setup.longest_wait(protocol)
        self._assembled: Final[dict[int, bytearray]] = {}  # parts of messages that are shown whole, by identifier
        sends = parameters(setup, protocol)
        self._sender = IsoTpSender(encoder(setup, protocol), self._transmit, sends, IsoTpStatistics())
        self._send(t)

    def receive(self, frame: Frame, t: int) -> None:
        """Write the lines of a frame that is accepted as an answer."""
        if self.done or not is_accepted(frame, self._setup, self._protocol):
            return
        start = len(prefix(self._setup))
        if start and frame.data[:1] != bytes((self._extended_receive,)):
            return
        content = decode(frame.data, start) if self._protocol.formatted else None
        if isinstance(content, FlowControl) and self._sender.state is SenderState.WAITING:
            separation = max(content.separation, self._setup.least_separation)
            self._sender.flow_control(content._replace(separation=separation), t)
            self._since = t
            return
        if not self._setup.responses:
            return
        lines = answer_lines(frame, self._setup, self._protocol)
        if not lines:
            return
        self._session.last_frame = frame
        if self._setup.assemble and content is not None:
            lines = self._assemble(frame, content)
        for line in lines:
            self._write_line(line)
        self._frames += 1
        self._timing.record(t - self._since)
        self._since = t
        self._wait = self._timing.wait(self._setup, self._protocol)
        self._track(frame, content)
        if self._missing:
            self._wait = max(self._wait, self._setup.longest_wait(self._protocol))
        elif self._request.answers and self._frames >= self._request.answers:
            self.done = True

    def poll(self, t: int) -> None:
        """Send due frames of a long request, and end the exchange when its time is over."""
        if self._sender.state is SenderState.SENDING:
            self._sender.poll(t)
            self._since = t
        self._end_without_answers()
        complete = self._session.eager and self._frames and not self._missing and self._wait < PENDING_TIMEOUT
        if not self.done and (complete or t - self._since >= self._wait):
            if not self._frames:
                self._write_line(NO_DATA)
            self.done = True

    def successor(self, t: int) -> None:
        return None

    @property
    def _extended_receive(self) -> int:
        setup = self._setup
        return setup.tester_address(self._protocol) if setup.extended_receive is None else setup.extended_receive

    def _send(self, t: int) -> None:
        setup, protocol = self._setup, self._protocol
        if not begin_sending(self._session, protocol, request_id(setup, protocol)):
            self.done = True
            return
        if self._request.remote or not (setup.formatting and protocol.formatted):
            self._transmit(raw_frame(self._request, setup, protocol))
        else:
            self._sender.start(self._request.data, t)
        self._wait = self._timing.first_wait(setup, protocol)
        self._end_without_answers()

    def _transmit(self, frame: Frame) -> None:
        self._session.last_frame = frame
        self._connector.transmit(frame)

    def _end_without_answers(self) -> None:
        """End the exchange once the request is sent, if the client wants no answers (AT R0)."""
        if not self._setup.responses and self._sender.state is SenderState.IDLE:
            self.done = True

    def _assemble(self, frame: Frame, content: IsoTpFrame) -> list[str]:
        """Return the line of a message that this frame completes; none before."""
        match content:
            case SingleFrame(data):
                return [message_line(frame, data, self._setup)]
            case FirstFrame(length, data) if length <= _LONGEST:
                self._assembled[frame.can_id] = bytearray(data)
            case ConsecutiveFrame(_, data) if frame.can_id in self._assembled:
                message = self._assembled[frame.can_id]
                message += data
                missing = self._missing.get(frame.can_id, 0) - len(data)
                if missing <= 0:
                    del self._assembled[frame.can_id]
                    return [message_line(frame, bytes(message[: len(message) + missing]), self._setup)]
        return []

    def _track(self, frame: Frame, content: object) -> None:
        """Track incomplete messages of several frames, and ECUs that need more time."""
        can_id = frame.can_id
        match content:
            case SingleFrame(data):
                if len(data) == 3 and data[0] == NEGATIVE and data[2] == RESPONSE_PENDING:
                    self._wait = PENDING_TIMEOUT
            case FirstFrame(length, data):
                self._missing[can_id] = length - len(data)
                self._control_flow(frame)
            case ConsecutiveFrame(_, data) if can_id in self._missing:
                self._missing[can_id] -= len(data)
                if self._missing[can_id] <= 0:
                    del self._missing[can_id]

    def _control_flow(self, frame: Frame) -> None:
        can_id, setup = frame.can_id, self._setup
        control = setup.flow_control
        if not control.enabled or not setup.filters.controls_flow(frame):
            self._missing.pop(can_id)
            return
        identifier = flow_control_id(can_id)
        if control.mode == 1 and control.header is not None:
            identifier = can_id & ~EXTENDED_MASK | control.header
        elif frame.identifier in control.pairs:
            identifier = can_id & ~EXTENDED_MASK | control.pairs[frame.identifier]
        data = prefix(setup) + (_CONTINUE if control.mode == 0 else control.data)
        self._connector.transmit(Frame(identifier, padded(data, setup, self._protocol)[:FRAME_SIZE]))
