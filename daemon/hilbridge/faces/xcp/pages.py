"""The two pages of the calibration segment: the engine as the vehicle file has it, and as the master wants it.

    page 0     the working page: what a master writes
    page 1     the reference page: the vehicle file, which no one writes

One of them is that of the control unit (ECU): the engine that runs. Another may be that of the master (XCP), who so
reads the file beside the engine, or prepares an engine while that of the file runs. A page becomes that of the engine
by the command `tune-engine`, between two ticks: all of it or, where no engine can be so, nothing of it. So does each
writing to a working page that the engine has. Being a command it is recorded, and a replay has it.

What the engine is stays when a master leaves, as it does in the memory of a control unit; the next one finds it so. Who
else changes the engine (the workshop of the cockpit) has changed the working page.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.bench.xcp.parameter_map import EPK_ADDRESS, SIZE, ParameterMap
from hilbridge.faces.xcp.calibration import Commanded
from hilbridge.faces.xcp.packets import Error, XcpError

WORKING: Final = 0
REFERENCE: Final = 1
PAGES: Final = (WORKING, REFERENCE)

ECU: Final = 0x01
XCP: Final = 0x02
ALL_SEGMENTS: Final = 0x80

_LONGEST_WORDS: Final = 300


class Pages:
    """The pages of one bench, through all sessions. XcpError of every method: the command is refused."""

    def __init__(
        self, memory: ParameterMap, bench: Commanded, say: Callable[[str], None] = lambda _words: None
    ) -> None:
        """`say`: takes what the log of the bench has to say."""
        self.memory: Final = memory
        self._bench: Final = bench
        self._say: Final = say
        self._working = memory.reference
        self._pages = {ECU: WORKING, XCP: WORKING}
        self._strange: list[str] = []
        self._is_used = False

    def begin(self) -> None:
        """Begin the session of a master: its page is that of the engine, at the first command about either."""
        self._is_used = False

    def refresh(self) -> None:
        """Take over what others have made of the engine, where the master uses the segment."""
        if self._is_used:
            self._refresh()

    def _use(self) -> None:
        if not self._is_used:
            self._is_used = True
            self._refresh()
            self._pages[XCP] = self._pages[ECU]

    def _refresh(self) -> None:
        """Take over what others have made of the engine; where the bench does not answer, leave all as it is."""
        try:
            answer = self._bench.exchange({"command": "status", "parts": ["engine"]})
            changes: Mapping[str, Any] = answer["engine"]["changes"]
        except (ConfigurationError, KeyError):
            return
        if changes == self.memory.changes(self._image(self._pages[ECU])):
            return
        if not changes:
            self._pages[ECU] = REFERENCE
            return
        self._working, strange = self.memory.image_of(changes)
        self._pages[ECU] = WORKING
        if strange and strange != self._strange:
            self._say(f"no characteristic shows {', '.join(strange)} of the engine that runs")
        self._strange = strange

    def page(self, mode: int, segment: int) -> int:
        """Return the page of the engine (ECU) or of the master (XCP)."""
        if mode not in self._pages:
            raise XcpError(Error.MODE_NOT_VALID)
        self.require(segment)
        self._use()
        return self._pages[mode]

    def require(self, segment: int, page: int = WORKING) -> None:
        """XcpError: there is no such segment, or page in it."""
        if segment != 0:
            raise XcpError(Error.SEGMENT_NOT_VALID)
        if page not in PAGES:
            raise XcpError(Error.PAGE_NOT_VALID)

    def choose(self, mode: int, segment: int, page: int) -> None:
        """Let the engine, the master or both have a page. XcpError PAGE_NOT_VALID: no engine can be so, too."""
        if mode & ~(ECU | XCP | ALL_SEGMENTS) or not mode & (ECU | XCP):
            raise XcpError(Error.MODE_NOT_VALID)
        self.require(0 if mode & ALL_SEGMENTS else segment, page)
        self._use()
        if mode & ECU:
            self._drive(self._image(page), Error.PAGE_NOT_VALID)
            self._pages[ECU] = page
        if mode & XCP:
            self._pages[XCP] = page

    def copy(self, source: tuple[int, int], target: tuple[int, int]) -> None:
        """Copy a page to another, each a segment and a page: the only one to copy is the reference page."""
        self.require(*source)
        self.require(*target)
        self._use()
        if target[1] == REFERENCE:
            raise XcpError(Error.WRITE_PROTECTED)
        self._put(self._image(source[1]))

    def read(self, address: int, length: int) -> bytes | None:
        """Return a range of the master's page, or of the EPK; None: it lies elsewhere."""
        begin = address - EPK_ADDRESS
        if begin >= 0 and begin + length <= len(self.memory.epk):
            return self.memory.epk[begin : begin + length].encode("ascii")
        offset = self.memory.offset(address, length)
        if offset is None:
            return None
        self._use()
        return self._image(self._pages[XCP])[offset : offset + length]

    def write(self, address: int, data: bytes) -> int | None:
        """Write a range of the master's page; return the number of cells, None where it lies elsewhere.

        XcpError WRITE_PROTECTED: it is the reference page; ACCESS_DENIED: not whole cells; OUT_OF_RANGE: beyond the
        bounds of a parameter, or the engine has this page and cannot be so: nothing is written then.
        """
        offset = self.memory.offset(address, len(data))
        if offset is None:
            return None
        self._use()
        if self._pages[XCP] == REFERENCE:
            raise XcpError(Error.WRITE_PROTECTED)
        if not self.memory.is_whole(offset, len(data)):
            raise XcpError(Error.ACCESS_DENIED)
        self._put(self._working[:offset] + data + self._working[offset + len(data) :])
        return len(data) // SIZE

    def _put(self, image: bytes) -> None:
        """Give the working page another content, and the engine with it where that has the page."""
        if self._pages[ECU] == WORKING:
            self._drive(image, Error.OUT_OF_RANGE)
        else:
            self._changes(image, Error.OUT_OF_RANGE)
        self._working = image

    def _drive(self, image: bytes, refusal: Error) -> None:
        changes = self._changes(image, refusal)
        try:
            answer = self._bench.exchange({"command": "tune-engine", "values": changes})
        except ConfigurationError:
            raise XcpError(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE) from None
        if "error" in answer:
            self._say(f"no engine can be so: {quoted(str(answer['error']), _LONGEST_WORDS)}")
            raise XcpError(refusal)

    def _changes(self, image: bytes, refusal: Error) -> dict[str, Any]:
        try:
            return self.memory.changes(image)
        except ValueError as error:
            self._say(f"no engine can be so: {error}")
            raise XcpError(refusal) from None

    def _image(self, page: int) -> bytes:
        return self._working if page == WORKING else self.memory.reference
