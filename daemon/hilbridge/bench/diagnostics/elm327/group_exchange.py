"""A request in protocol A (SAE J1939), and its answers.

Answers to the request of a parameter group (PGN 59904) are messages of that group, and acknowledgements that name it
(PGN 59392). Answers to any other message are those that are addressed to the tester. A filter of the client takes the
place of both.

The exchange is done when:

    the requested number of messages has arrived, or without a number, one message of the only unit that was asked
    nothing comes for the time-out (AT ST, AT JTM), within a long message for 750 ms; NO DATA if there was none at all
    the bus does not take the frame: CAN ERROR, at once

There is no adaptive timing: broadcasts pause for up to 200 ms between their packets.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.bench.diagnostics.elm327.exchange import NO_DATA, begin_sending
from hilbridge.bench.diagnostics.elm327.format import answer_lines
from hilbridge.bench.diagnostics.elm327.group_messages import GroupMessages
from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol
from hilbridge.bench.diagnostics.elm327.request import ObdRequest, has_layout, is_accepted, is_filtered, raw_frame
from hilbridge.bench.diagnostics.elm327.session import AdapterSession
from hilbridge.bench.diagnostics.j1939.controller_application import ACKNOWLEDGEMENT, REQUEST, requested
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import GLOBAL, Identifier, split


class GroupExchange:
    """The exchange of one request; creating it sends the request."""

    def __init__(self, request: ObdRequest, protocol: CanProtocol, session: AdapterSession, t: int) -> None:
        self.done = False
        self._protocol: Final = protocol
        self._session: Final = session
        self._setup: Final = session.setup
        self._answers: Final = request.answers
        self._since = t  # [ns] begin of the present wait
        frame = raw_frame(request, session.setup, protocol)
        self._asked: Final = split(frame.can_id)
        tester = self._asked.source
        group = requested(frame.data) if self._asked.pgn == REQUEST else None
        self._group: Final = group
        self._messages: Final = GroupMessages(_wanted(group, tester), tester, session.connector.transmit)
        self._shown = 0
        self.done = not begin_sending(session, protocol, frame.can_id)
        if not self.done:
            session.last_frame = frame
            session.connector.transmit(frame)
            self.done = not session.setup.responses

    def receive(self, frame: Frame, t: int) -> None:
        """Write the lines of a frame that belongs to an answer."""
        if self.done or not self._belongs(frame):
            return
        for line in answer_lines(frame, self._setup, self._protocol):
            self._session.write_line(line)
        self._session.last_frame = frame
        self._shown += 1
        self._since = t
        complete = self._messages.complete if not is_filtered(self._setup) else self._shown
        if self._answers:
            self.done = complete >= self._answers
        elif self._asked.destination != GLOBAL:
            self.done = complete > 0 and not is_filtered(self._setup)

    def poll(self, t: int) -> None:
        """End the exchange when its time is over."""
        if self.done:
            return
        pause = self._messages.longest_pause
        if self._session.eager and self._messages.complete and not pause:
            self.done = True
        elif t - self._since >= max(self._setup.longest_wait(self._protocol), pause):
            if not self._shown:
                self._session.write_line(NO_DATA)
            self.done = True

    def successor(self, t: int) -> None:
        return None

    def _belongs(self, frame: Frame) -> bool:
        if is_filtered(self._setup):
            return is_accepted(frame, self._setup, self._protocol)
        if not has_layout(frame, self._protocol) or self._setup.filters.blocks(frame):
            return False
        acknowledges = self._group is not None and split(frame.can_id).pgn == ACKNOWLEDGEMENT
        if acknowledges and requested(frame.data[5:]) != self._group:
            return False
        return self._messages.take(frame)


def _wanted(group: int | None, tester: int) -> Callable[[Identifier], bool]:
    """Return which messages answer the request of a group, or another message."""
    if group is None:
        return lambda identifier: identifier.destination == tester
    return lambda identifier: identifier.pgn in (group, ACKNOWLEDGEMENT)
