"""The commands of XCP about the pages of the calibration segment (PAG)."""

from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.bench.xcp.parameter_map import BASE
from hilbridge.faces.xcp.daq_commands import Handler
from hilbridge.faces.xcp.packets import Command, Error, XcpError, dword, parse, positive
from hilbridge.faces.xcp.pages import PAGES, REFERENCE, Pages

SEGMENTS: Final = 1

ANY_ACCESS: Final = 0x3F
"""Properties of the working page: the engine may have it, and the master read and write it, together or not."""

READ_ACCESS: Final = 0x0F
"""Those of the reference page: the master does not write it."""


class PageCommands:
    """The handlers of the commands; `changing` are those that change the engine or a page.

    `changed`: called after one of them, so that what is read next is of an engine that has it.
    """

    changing: Final = (Command.SET_CAL_PAGE, Command.COPY_CAL_PAGE)

    def __init__(self, pages: Pages, changed: Callable[[], None]) -> None:
        self._pages: Final = pages
        self._changed: Final = changed

    def handlers(self) -> Mapping[int, Handler]:
        """Return the handlers by command."""
        return {
            Command.SET_CAL_PAGE: self._set,
            Command.GET_CAL_PAGE: self._get,
            Command.GET_PAG_PROCESSOR_INFO: self._processor,
            Command.GET_SEGMENT_INFO: self._segment,
            Command.GET_PAGE_INFO: self._page,
            Command.COPY_CAL_PAGE: self._copy,
        }

    def _set(self, packet: bytes) -> bytes:
        self._pages.choose(*parse(packet, (1, 1, 1)))
        self._changed()
        return positive()

    def _get(self, packet: bytes) -> bytes:
        return positive(0, 0, self._pages.page(*parse(packet, (1, 1))))

    def _processor(self, _packet: bytes) -> bytes:
        return positive(SEGMENTS, 0)

    def _segment(self, packet: bytes) -> bytes:
        mode, segment, what, _ = parse(packet, (1, 1, 1, 1))
        if segment >= SEGMENTS:
            raise XcpError(Error.SEGMENT_NOT_VALID)
        match mode, what:
            case 0, 0:
                return positive(0, 0, 0, dword(BASE))
            case 0, 1:
                return positive(0, 0, 0, dword(len(self._pages.memory)))
            case 1, _:
                return positive(len(PAGES), 0, 0, 0, 0)  # its address extension; no mapping, compression, encryption
        raise XcpError(Error.OUT_OF_RANGE)

    def _page(self, packet: bytes) -> bytes:
        _, segment, page = parse(packet, (1, 1, 1))
        self._pages.require(segment, page)
        return positive(READ_ACCESS if page == REFERENCE else ANY_ACCESS, 0)

    def _copy(self, packet: bytes) -> bytes:
        source_segment, source, segment, page = parse(packet, (1, 1, 1, 1))
        self._pages.copy((source_segment, source), (segment, page))
        self._changed()
        return positive()
