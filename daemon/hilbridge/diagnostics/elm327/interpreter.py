"""One ELM327: characters of a client in, characters for it out, requests on the bus in between.

A line ends with CR; spaces, NUL and linefeeds in it count for nothing.

    AT…                a command (commands.py)
    hex digits         a request (request.py)
    nothing            the last line once more
    anything else      ?

Every answer ends with an empty line and the prompt ">". Until it has its prompt, any character of the client ends what
the interpreter is busy with (STOPPED), but a linefeed behind the CR. That character is lost, unless it is an A: there
the chip would take "ATZ" for "TZ", from clients that do not wait. An output that nobody reads ends it too (BUFFER
FULL). Half a line that is not finished within 20 seconds is forgotten (?).
"""

from typing import Final

from hilbridge.codec.frame import Frame
from hilbridge.common.units import SECOND
from hilbridge.diagnostics.elm327.commands import UNKNOWN, run_command
from hilbridge.diagnostics.elm327.exchange import Exchange
from hilbridge.diagnostics.elm327.protocols import AUTOMATIC, WITHOUT_CAN, ProtocolSelection
from hilbridge.diagnostics.elm327.request import ObdRequest, fits, parse_request
from hilbridge.diagnostics.elm327.search import ProtocolSearch
from hilbridge.diagnostics.elm327.session import AdapterActivity, AdapterSession, Connector, Setup

STOPPED: Final = "STOPPED"
BUFFER_FULL: Final = "BUFFER FULL"
PROMPT: Final = b">"

OUTPUT_LIMIT: Final = 8 << 10
"""[bytes] that wait for the client, beyond which answers are broken off."""

LONGEST_LINE: Final = 512
"""Characters; a longer one is not understood."""

LINE_PATIENCE: Final = 20 * SECOND
"""[ns]"""

_CR: Final = 0x0D
_LF: Final = 0x0A
_BLANK: Final = frozenset(b"\x00\n ")
_KEPT: Final = frozenset(b"Aa")


class Interpreter:
    """What the client is to read stands in `output`, from which whoever writes it takes it away."""

    def __init__(self, connector: Connector) -> None:
        self.output: Final = bytearray()
        self.session: Final[AdapterSession] = AdapterSession(connector, self.show)
        self.saved_byte: int = 0  # SD
        self.t = 0  # [ns] of the tick
        self._stored = (AUTOMATIC, True)  # protocol that a reset brings back
        self._activity: AdapterActivity | None = None
        self._asleep = False
        self._line = bytearray()
        self._line_since = 0  # [ns]
        self._overlong = False
        self._after_cr = False
        self._last = ""

    @property
    def listening(self) -> bool:
        """Frames of the bus are wanted."""
        return self._activity is not None

    # -- what comes in ----------------------------------------------------------------------------------------------

    def feed(self, data: bytes, t: int) -> None:
        """Takes what the client wrote, in pieces of any size."""
        self.t = t
        for character in data:
            after_cr, self._after_cr = self._after_cr, character == _CR
            if character == _LF and after_cr:
                continue
            if self._activity is not None:
                self._stop(STOPPED)
                if character not in _KEPT:
                    continue
            if self._asleep:
                self._wake(character)
            else:
                self._take(character)

    def receive(self, frame: Frame, t: int) -> None:
        """Takes a frame of the bus."""
        self.t = t
        if self._activity is not None:
            self._activity.receive(frame, t)
            self._go_on()

    def poll(self, t: int) -> None:
        """Once a tick."""
        self.t = t
        if self._activity is not None:
            self._activity.poll(t)
            self._go_on()
        elif self._line and t - self._line_since >= LINE_PATIENCE:
            self._line.clear()
            self.show(UNKNOWN)
            self.prompt()

    # -- what commands do -------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """As switched on, with the protocol that is stored."""
        session = self.session
        session.setup = Setup()
        session.selection = ProtocolSelection()
        session.selection.choose(*self._stored)
        session.timing.forget()

    def remember(self) -> None:
        """Stores the protocol."""
        self._stored = (self.session.selection.number, self.session.selection.automatic)

    def sleep(self) -> None:
        """Low power, without a prompt, until the next line."""
        self._asleep = True
        self._last = ""

    def begin(self, request: ObdRequest) -> None:
        """A request, with a search before it where the protocol is not known to work."""
        selection = self.session.selection
        failure = WITHOUT_CAN.get(selection.number)
        if selection.automatic and not selection.active:
            self.start(ProtocolSearch(self.session, lambda t: self._found(request, t), self.t))
        elif failure is not None:
            self.show(failure)
            self.prompt()
        else:
            self.start(self._exchange(request, self.t))

    def start(self, activity: AdapterActivity | None) -> None:
        """Is busy with something until it is done; nothing is done at once."""
        self._activity = activity
        if activity is None:
            self.prompt()
        else:
            self._go_on()

    # -- what goes out ----------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Characters as they are, but for the linefeed that may belong to a CR."""
        self.output.extend((text.replace("\r", "\r\n") if self.session.setup.linefeeds else text).encode("ascii"))

    def show(self, line: str) -> None:
        self.write(f"{line}\r")

    def prompt(self) -> None:
        self.write("\r")
        self.output.extend(PROMPT)

    # -- lines ------------------------------------------------------------------------------------------------------

    def _take(self, character: int) -> None:
        """A character while there is a prompt."""
        if self.session.setup.echo and character not in b"\x00\n":
            self.output.append(character)
            if character == _CR and self.session.setup.linefeeds:
                self.output.append(_LF)
        if character == _CR:
            self._execute()
        elif character not in _BLANK:
            self._line_since = self.t
            if len(self._line) < LONGEST_LINE:
                self._line.append(character)
            else:
                self._overlong = True

    def _execute(self) -> None:
        line = self._line.decode("latin-1").upper()
        self._line.clear()
        overlong, self._overlong = self._overlong, False
        if line and not overlong:
            self._last = line
        line = self._last
        if overlong:
            answer: str | None = UNKNOWN
        elif line.startswith("AT"):
            answer = run_command(self, line[2:])
        else:
            answer = self._request(line)
        if answer is not None:
            if answer:
                self.show(answer)
            self.prompt()

    def _request(self, line: str) -> str | None:
        if not line:
            return ""
        request = parse_request(line)
        protocol = self.session.selection.can
        if request is None or (protocol is not None and not fits(request, self.session.setup, protocol)):
            return UNKNOWN
        self.begin(request)
        return None

    # -- activities -------------------------------------------------------------------------------------------------

    def _exchange(self, request: ObdRequest, t: int) -> Exchange | None:
        protocol = self.session.selection.can
        if protocol is None or not fits(request, self.session.setup, protocol):
            self.show(UNKNOWN)
            return None
        self.session.selection.active = True
        return Exchange(request, protocol, self.session, t)

    def _found(self, request: ObdRequest, t: int) -> Exchange | None:
        if self.session.setup.memory:
            self.remember()
        return self._exchange(request, t)

    def _go_on(self) -> None:
        """To what follows an activity that is done; and away from one whose output nobody reads."""
        activity = self._activity
        while activity is not None and activity.done:
            activity = activity.successor(self.t)
            if activity is None:
                self._activity = None
                self.prompt()
                return
            self._activity = activity
        if activity is not None and len(self.output) > OUTPUT_LIMIT:
            self._stop(BUFFER_FULL)

    def _stop(self, reason: str) -> None:
        self._activity = None
        self.show(reason)
        self.prompt()

    def _wake(self, character: int) -> None:
        """By the end of a line, which is lost, or the beginning of a command."""
        self._asleep = character not in _KEPT and character != _CR
        if character in _KEPT:
            self._take(character)
        elif character == _CR:
            self.prompt()
