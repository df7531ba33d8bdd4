"""The commands of XCP about DAQ lists and event channels, for the lists of one session."""

from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.base.common.units import MICROSECOND
from hilbridge.bench.xcp.layout import LARGEST_ENTRY, LARGEST_STIM_ENTRY, MOST_LISTS
from hilbridge.bench.xcp.memory_map import SIZE
from hilbridge.faces.xcp.daq import DaqLists
from hilbridge.faces.xcp.packets import Command, Error, XcpError, parse, positive, word

Handler = Callable[[bytes], bytes]
"""Carries out a command and returns its answer. XcpError: it is refused."""

PROPERTIES: Final = 0x01 | 0x02 | 0x10 | 0x80
"""Lists are dynamic, with prescaler and time stamps; an overload is an event packet."""

RELATIVE: Final = 0x40
"""The key byte where packets begin with the number of the ODT within its list, and that of the list, a byte each."""

UNITS: Final = {MICROSECOND: 0x30, 100 * MICROSECOND: 0x50}
"""The codes of units of time stamps, beside their size [byte]."""

EVENT_PROPERTIES: Final = 0x84
"""Samples of DAQ lists; all entries of one event are of the same tick."""

STIM_PROPERTY: Final = 0x08
"""STIM lists too."""

LISTS_OF_EVENT: Final = MOST_LISTS

_ENTRY: Final = 8


class DaqCommands:
    """The handlers of the commands. `names`: called with the name of an event channel, which is uploaded next."""

    def __init__(self, lists: DaqLists, names: Callable[[bytes], None]) -> None:
        self.lists = lists
        self._upload_next: Final = names

    def handlers(self) -> Mapping[int, Handler]:
        """Return the handlers by command."""
        return {
            Command.FREE_DAQ: self._free,
            Command.ALLOC_DAQ: self._allocate_lists,
            Command.ALLOC_ODT: self._allocate_odts,
            Command.ALLOC_ODT_ENTRY: self._allocate_entries,
            Command.CLEAR_DAQ_LIST: self._clear,
            Command.SET_DAQ_PTR: self._point,
            Command.WRITE_DAQ: self._write,
            Command.WRITE_DAQ_MULTIPLE: self._write_multiple,
            Command.SET_DAQ_LIST_MODE: self._set_mode,
            Command.GET_DAQ_LIST_MODE: self._mode,
            Command.START_STOP_DAQ_LIST: self._start_stop,
            Command.START_STOP_SYNCH: self._start_stop_all,
            Command.GET_DAQ_PROCESSOR_INFO: self._processor,
            Command.GET_DAQ_RESOLUTION_INFO: self._resolution,
            Command.GET_DAQ_EVENT_INFO: self._event,
        }

    def _free(self, _packet: bytes) -> bytes:
        self.lists.free()
        return positive()

    def _allocate_lists(self, packet: bytes) -> bytes:
        _, count = parse(packet, (1, 2))
        self.lists.allocate_lists(count)
        return positive()

    def _allocate_odts(self, packet: bytes) -> bytes:
        _, number, count = parse(packet, (1, 2, 1))
        self.lists.allocate_odts(number, count)
        return positive()

    def _allocate_entries(self, packet: bytes) -> bytes:
        _, number, odt, count = parse(packet, (1, 2, 1, 1))
        self.lists.allocate_entries(number, odt, count)
        return positive()

    def _clear(self, packet: bytes) -> bytes:
        _, number = parse(packet, (1, 2))
        self.lists.clear(number)
        return positive()

    def _point(self, packet: bytes) -> bytes:
        _, number, odt, entry = parse(packet, (1, 2, 1, 1))
        self.lists.point(number, odt, entry)
        return positive()

    def _write(self, packet: bytes) -> bytes:
        self.lists.write(*parse(packet, (1, 1, 1, 4)))
        return positive()

    def _write_multiple(self, packet: bytes) -> bytes:
        (count,) = parse(packet, (1,))
        if not count or len(packet) < 2 + count * _ENTRY:
            raise XcpError(Error.CMD_SYNTAX)
        for place in range(count):
            bit_offset, size, address, extension = parse(packet[1 + place * _ENTRY :], (1, 1, 4, 1))
            self.lists.write(bit_offset, size, extension, address)
        return positive()

    def _set_mode(self, packet: bytes) -> bytes:
        mode, number, event, prescaler, _priority = parse(packet, (1, 2, 2, 1, 1))
        self.lists.set_mode(number, mode, event, prescaler)
        return positive()

    def _mode(self, packet: bytes) -> bytes:
        _, number = parse(packet, (1, 2))
        mode, event, prescaler = self.lists.mode(number)
        return positive(mode, word(0), word(event), prescaler, 0)

    def _start_stop(self, packet: bytes) -> bytes:
        mode, number = parse(packet, (1, 2))
        match mode:
            case 0:
                self.lists.stop(number)
            case 1:
                self.lists.start(number)
            case 2:
                self.lists.select(number)
            case _:
                raise XcpError(Error.MODE_NOT_VALID)
        return positive(self.lists.first(number))

    def _start_stop_all(self, packet: bytes) -> bytes:
        (mode,) = parse(packet, (1,))
        match mode:
            case 0:
                self.lists.stop_all()
            case 1:
                self.lists.start_selected()
            case 2:
                self.lists.stop_selected()
            case _:
                raise XcpError(Error.MODE_NOT_VALID)
        return positive()

    def _processor(self, _packet: bytes) -> bytes:
        return positive(
            PROPERTIES,
            word(MOST_LISTS),
            word(len(self.lists.channels)),
            0,
            0 if self.lists.layout.is_absolute else RELATIVE,
        )

    def _resolution(self, _packet: bytes) -> bytes:
        layout = self.lists.layout
        stim = (SIZE, LARGEST_STIM_ENTRY) if self.lists.has_stim else (1, 0)
        return positive(1, LARGEST_ENTRY, *stim, UNITS[layout.unit] | layout.stamp, word(1))

    def _event(self, packet: bytes) -> bytes:
        _, number = parse(packet, (1, 2))
        if number >= len(self.lists.channels):
            raise XcpError(Error.OUT_OF_RANGE)
        channel = self.lists.channels[number]
        name = channel.name.encode()
        self._upload_next(name)
        properties = EVENT_PROPERTIES | (STIM_PROPERTY if self.lists.has_stim else 0)
        return positive(properties, LISTS_OF_EVENT, len(name), channel.cycle, channel.unit, 0)
