"""One ELM327: it reads characters of a client, writes characters to it, and sends requests on the bus.

A line ends with CR; spaces, NUL and line feeds in it are ignored.

    AT…                a command (commands.py)
    ST…                a command of an STN11xx (st_commands.py)
    hex digits         a request (request.py)
    empty line         repeats the last line
    any other line     answered with ?

Every answer ends with an empty line and the prompt ">". Before the prompt, any character of the client except a line
feed after CR ends the activity (STOPPED). The character is lost, unless it is an A: the chip would then take "ATZ" for
"TZ", from clients that do not wait. An activity also ends when the client does not read its output (BUFFER FULL).
A line that is not complete within 20 seconds is discarded (?).
"""

from dataclasses import replace
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.elm327.chip import Chip
from hilbridge.bench.diagnostics.elm327.command_target import UNKNOWN
from hilbridge.bench.diagnostics.elm327.commands import run_command
from hilbridge.bench.diagnostics.elm327.exchange import Exchange
from hilbridge.bench.diagnostics.elm327.group_exchange import GroupExchange
from hilbridge.bench.diagnostics.elm327.protocols import AUTOMATIC, WITHOUT_CAN, DataFormat, ProtocolSelection
from hilbridge.bench.diagnostics.elm327.request import ObdRequest, fits, parse_request
from hilbridge.bench.diagnostics.elm327.search import ProtocolSearch
from hilbridge.bench.diagnostics.elm327.session import AdapterActivity, AdapterSession, Connector, Setup
from hilbridge.bench.diagnostics.elm327.st_commands import run_st_command
from hilbridge.frames.codec.frame import Frame

STOPPED: Final = "STOPPED"
BUFFER_FULL: Final = "BUFFER FULL"
PROMPT: Final = b">"

OUTPUT_LIMIT: Final = 8 << 10
"""[bytes] Unread output beyond which an activity is ended."""

LONGEST_LINE: Final = 512
"""Characters of a line; a longer one is answered with "?"."""

LINE_TIMEOUT: Final = 20 * SECOND
"""[ns] Time for the client to complete a line."""

_CR: Final = 0x0D
_LF: Final = 0x0A
_BLANK: Final = frozenset(b"\x00\n ")
_KEPT: Final = frozenset(b"Aa")


class Interpreter:
    """The interpreter of one client.

    `output` holds the characters for the client; the writer removes what it has written.
    """

    def __init__(self, connector: Connector, chip: Chip) -> None:
        self.output: Final = bytearray()
        self.chip: Final = chip
        self.session: Final[AdapterSession] = AdapterSession(connector, self.write_line, eager=chip.eager)
        self.t = 0  # [ns] time of the tick
        self._stored = (AUTOMATIC, True)  # protocol after a reset
        self._activity: AdapterActivity | None = None
        self._asleep = False
        self._line = bytearray()
        self._line_since = 0  # [ns]
        self._overlong = False
        self._after_cr = False
        self._last = ""
        self.reset()

    @property
    def listening(self) -> bool:
        """Whether the interpreter needs the frames of the bus."""
        return self._activity is not None

    # -- input ----------------------------------------------------------------------------------------------

    def feed(self, data: bytes, t: int) -> None:
        """Process characters of the client, in pieces of any size."""
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
                self._add_character(character)

    def receive(self, frame: Frame, t: int) -> None:
        """Take a frame of the bus."""
        self.t = t
        if self._activity is not None:
            self._activity.receive(frame, t)
            self._continue()

    def poll(self, t: int) -> None:
        """Do what is due at `t` [ns]; called once a tick."""
        self.t = t
        if self._activity is not None:
            self._activity.poll(t)
            self._continue()
        elif self._line and t - self._line_since >= LINE_TIMEOUT:
            self._line.clear()
            self.write_line(UNKNOWN)
            self.write_prompt()

    # -- effects of commands -------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Restore the state after power-on, with the stored protocol."""
        session = self.session
        session.setup = self.chip.parameters.setup()
        session.selection = ProtocolSelection(user=self.chip.parameters.protocols())
        session.selection.choose(*self._stored)
        session.timing.reset()

    def store_protocol(self) -> None:
        """Store the protocol, so that it survives a reset."""
        self._stored = (self.session.selection.number, self.session.selection.automatic)

    def enter_low_power(self) -> None:
        """Enter low power, without a prompt, until the next line."""
        self._asleep = True
        self._last = ""

    def begin_request(self, request: ObdRequest, setup: Setup | None = None) -> None:
        """Send a request, after a protocol search if the protocol is automatic and not known to work.

        `setup`: options for this request alone.
        """
        selection = self.session.selection
        failure = WITHOUT_CAN.get(selection.number)
        if selection.automatic and not selection.active:
            self.start_activity(ProtocolSearch(self.session, lambda t: self._found(request, setup, t), self.t))
        elif failure is not None:
            self.write_line(failure)
            self.write_prompt()
        else:
            self.start_activity(self._exchange(request, setup, self.t))

    def start_activity(self, activity: AdapterActivity | None) -> None:
        """Start an activity; without one, write the prompt."""
        self._activity = activity
        if activity is None:
            self.write_prompt()
        else:
            self._continue()

    # -- output ----------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Write characters; with line feeds on, add one to each CR."""
        self.output.extend((text.replace("\r", "\r\n") if self.session.setup.linefeeds else text).encode("ascii"))

    def write_line(self, line: str) -> None:
        """Write a line."""
        self.write(f"{line}\r")

    def write_prompt(self) -> None:
        """Write an empty line and the prompt."""
        self.write("\r")
        self.output.extend(PROMPT)

    # -- lines ------------------------------------------------------------------------------------------------------

    def _add_character(self, character: int) -> None:
        """Add a character to the line; the interpreter has shown its prompt."""
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
        elif line.startswith("ST") and self.chip.stn is not None:
            answer = run_st_command(self, self.chip.stn, line[2:])
        else:
            answer = self._request(line)
        if answer is not None:
            if answer:
                self.write_line(answer)
            self.write_prompt()

    def _request(self, line: str) -> str | None:
        if not line:
            return ""
        request = parse_request(line)
        protocol = self.session.selection.can
        if request is None or (protocol is not None and not fits(request, self.session.setup, protocol)):
            return UNKNOWN
        self.begin_request(request)
        return None

    # -- activities -------------------------------------------------------------------------------------------------

    def _exchange(self, request: ObdRequest, setup: Setup | None, t: int) -> AdapterActivity | None:
        session = self.session if setup is None else replace(self.session, setup=setup)
        protocol = session.selection.can
        if protocol is None or not fits(request, session.setup, protocol):
            self.write_line(UNKNOWN)
            return None
        session.selection.active = True
        if protocol.format is DataFormat.J1939 and protocol.extended:
            return GroupExchange(request, protocol, session, t)
        return Exchange(request, protocol, session, t)

    def _found(self, request: ObdRequest, setup: Setup | None, t: int) -> AdapterActivity | None:
        if self.session.setup.memory:
            self.store_protocol()
        return self._exchange(request, setup, t)

    def _continue(self) -> None:
        """Start the successor of a completed activity, and end one whose output the client does not read."""
        activity = self._activity
        while activity is not None and activity.done:
            activity = activity.successor(self.t)
            if activity is None:
                self._activity = None
                self.write_prompt()
                return
            self._activity = activity
        if activity is not None and len(self.output) > OUTPUT_LIMIT:
            self._stop(BUFFER_FULL)

    def _stop(self, reason: str) -> None:
        self._activity = None
        self.write_line(reason)
        self.write_prompt()

    def _wake(self, character: int) -> None:
        """Leave low power at the end of a line, which is lost, or at the first letter of a command."""
        self._asleep = character not in _KEPT and character != _CR
        if character in _KEPT:
            self._add_character(character)
        elif character == _CR:
            self.write_prompt()
