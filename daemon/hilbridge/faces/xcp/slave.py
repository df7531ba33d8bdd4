"""The XCP slave without its transport: a packet of the master in, the packets for it out; no packet raises.

Before CONNECT nothing is answered. A session ends by DISCONNECT, by a wrong key, or with its connection; then its DAQ
lists are gone, its values are given back, and its locks are shut.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol

from hilbridge.base.common.units import MICROSECOND
from hilbridge.bench.xcp.memory_map import MemoryMap, time_and_image
from hilbridge.faces.xcp.access import Delay, KeyFunction, Locks
from hilbridge.faces.xcp.daq import STIM_DIRECTION, DaqLists
from hilbridge.faces.xcp.daq_commands import DaqCommands, Handler
from hilbridge.faces.xcp.packets import (
    CAL_PAG,
    DAQ,
    DAQ_RUNNING,
    PROTOCOL_VERSION,
    STIM,
    TRANSPORT_VERSION,
    Command,
    Error,
    XcpError,
    dword,
    negative,
    parse,
    positive,
    word,
)
from hilbridge.faces.xcp.page_commands import PageCommands
from hilbridge.faces.xcp.stimulation import Stimulation
from hilbridge.faces.xcp.writing import Writing

COMM_MODE: Final = 0x80
"""Least significant byte first, bytes are addressed, GET_COMM_MODE_INFO is there."""

DRIVER_VERSION: Final = 0x10

CRC_32: Final = 0x09
"""XCP_CRC_32: that of IEEE 802.3."""

_OPEN: Final = (Command.GET_DAQ_PROCESSOR_INFO, Command.GET_DAQ_RESOLUTION_INFO, Command.GET_DAQ_EVENT_INFO)
"""The commands about DAQ lists that need no key."""

_TEXT: Final = 1
"""The address extension of texts that are uploaded: identifications, names of event channels."""

_LARGEST_BLOCK: Final = 0x10000


class Identity(NamedTuple):
    """The answers to GET_ID: the name of the bench, and the text of its A2L file."""

    name: str
    a2l: Callable[[], bytes]


class Counted(Protocol):
    """The counters that the status shows."""

    def count(self, cell: str, number: int = 1) -> None:
        """Add to a counter."""


class Samples(Protocol):
    """The samples of the tick."""

    def newest(self) -> bytes | None:
        """Return the newest one; None while there is none."""

    def await_next(self) -> None:
        """Wait for the next tick, for a bounded time."""


class Slave:
    """The slave behind all connections, with one session at a time. `connected`: whether there is one."""

    def __init__(
        self,
        memory_map: MemoryMap,
        samples: Samples,
        lists: DaqLists,
        identity: Identity,
        counters: Counted,
        *,
        writing: Writing | None = None,
        key: KeyFunction | None = None,
        say: Callable[[str], None] = lambda _words: None,
    ) -> None:
        """`writing`: None where nothing may be written. `say`: takes what the log of the bench has to say."""
        self.connected = False
        self.lists: Final = lists
        self._layout: Final = lists.layout
        self._map: Final = memory_map
        self._samples: Final = samples
        self._identity: Final = identity
        self._counters: Final = counters
        self._writing: Final = writing
        self._stimulation: Final = None if writing is None else Stimulation(lists, writing.inputs)
        self._key: Final = key
        self._resources: Final = DAQ | (CAL_PAG | STIM if writing is not None else 0)
        self._say: Final = say
        self._delay: Final = Delay()
        self._locks = Locks(self._resources, key, self._delay)
        self._master = ""
        self._a2l = b""
        self._text = b""
        self._seed_left = b""  # what of a seed the next answer has
        self._mta = (0, 0)  # address extension and address of the next transfer
        self._daq: Final = DaqCommands(self.lists, self._offer)
        self._daq_handlers: Final = self._daq.handlers()
        self._handlers: Final[Mapping[int, Handler]] = {
            Command.GET_STATUS: self._status,
            Command.SYNCH: self._synch,
            Command.GET_COMM_MODE_INFO: self._comm_mode,
            Command.GET_ID: self._identify,
            Command.GET_SEED: self._seed,
            Command.SET_MTA: self._set_mta,
            Command.UPLOAD: self._upload,
            Command.SHORT_UPLOAD: self._short_upload,
            Command.BUILD_CHECKSUM: self._checksum,
            Command.DOWNLOAD: self._download,
            Command.SHORT_DOWNLOAD: self._short_download,
            Command.GET_DAQ_CLOCK: self._clock,
            **self._page_handlers(),
        }

    def connect(self, master: str) -> bytes:
        """Begin a session, anew where there is one, and return the answer to CONNECT."""
        self.end()
        self.connected = True
        self._master = master
        self._locks = Locks(self._resources, self._key, self._delay)
        self._mta, self._text, self._seed_left = (0, 0), b"", b""
        if self._writing is not None:
            self._writing.begin(master)
        self._counters.count("commands")
        layout = self._layout
        sizes = (layout.most_command, word(layout.most_data))
        return positive(self._resources, COMM_MODE, *sizes, PROTOCOL_VERSION, TRANSPORT_VERSION)

    def end(self) -> None:
        """End the session, if there is one."""
        self.connected = False
        self.lists.free()
        self.give_back()

    def give_back(self) -> None:
        """Give back what the master has written."""
        if self._writing is not None:
            self._writing.inputs.give_back()

    def answer(self, packet: bytes) -> bytes:
        """Return the answer to a packet of the master that is connected; CONNECT is none of these."""
        self._counters.count("commands")
        try:
            answer = self._answer(packet)
        except XcpError as error:
            answer = negative(error.code)
        if answer[0] != 0xFF:
            self._counters.count("errors")
        return answer

    def stimulate(self, packet: bytes) -> None:
        """Take a packet with values of a STIM list."""
        is_locked = self._locks.locked & STIM
        if self._stimulation is None or is_locked or not self._stimulation.take(packet):
            self._counters.count("ignored")

    def sample(self, sample: bytes) -> Iterator[list[bytes]]:
        """Yield the packets of each DAQ list that samples a tick; hold the values of STIM lists."""
        t, image = time_and_image(sample)
        occurs = self.lists.events(t)
        if self._stimulation is not None:
            held, late = self._stimulation.occur(occurs)
            for cell, number in (("stimulated", held), ("late", late), ("errors", self._stimulation.refusals())):
                if number:
                    self._counters.count(cell, number)
        return self.lists.packets(t, image, occurs)

    def news(self) -> list[bytes]:
        """Return the event packets about STIM lists since the last call."""
        if self._stimulation is None or not self._stimulation.news:
            return []
        news = self._stimulation.news[:]
        self._stimulation.news.clear()
        return news

    def renew(self) -> None:
        """Hold what the master has written."""
        if self.connected and self._writing is not None:
            self._writing.renew()

    def _answer(self, packet: bytes) -> bytes:
        code = packet[0]
        if code == Command.DISCONNECT:
            self.end()
            return positive()
        if code == Command.UNLOCK:
            return self._unlock(packet)
        if code in self._daq_handlers:
            if code not in _OPEN:
                self._locks.require(DAQ)
            if code == Command.SET_DAQ_LIST_MODE and self.lists.has_stim and parse(packet, (1,))[0] & STIM_DIRECTION:
                self._locks.require(STIM)
            return self._daq_handlers[code](packet)
        if code not in self._handlers:
            raise XcpError(Error.CMD_UNKNOWN)
        if code in PageCommands.changing:
            self._locks.require(CAL_PAG)
        return self._handlers[code](packet)

    # -- the session --------------------------------------------------------------------------------------------

    def _status(self, _packet: bytes) -> bytes:
        return positive(DAQ_RUNNING if self.lists.running else 0, self._locks.locked, 0, word(0))

    def _synch(self, _packet: bytes) -> bytes:
        raise XcpError(Error.CMD_SYNCH)

    def _comm_mode(self, _packet: bytes) -> bytes:
        return positive(0, 0, 0, 0, 0, 0, DRIVER_VERSION)

    def _identify(self, packet: bytes) -> bytes:
        (kind,) = parse(packet, (1,))
        match kind:
            case 0 | 1:
                self._offer(self._identity.name.encode())
            case 4:
                self._a2l = self._a2l or self._identity.a2l()
                self._offer(self._a2l)
            case _:
                self._offer(b"")
        return positive(0, word(0), dword(len(self._text)))

    def _page_handlers(self) -> Mapping[int, Handler]:
        if self._writing is None or self._writing.pages is None:
            return {}
        return PageCommands(self._writing.pages, self._samples.await_next).handlers()

    def _seed(self, packet: bytes) -> bytes:
        mode, resource = parse(packet, (1, 1))
        if mode == 0:
            self._seed_left = self._locks.seed(resource)
        elif not self._seed_left:  # the seed was whole in the answer before
            raise XcpError(Error.SEQUENCE)
        left, room = self._seed_left, self._layout.most_command - 2
        self._seed_left = left[room:]
        return positive(len(left), left[:room])

    def _unlock(self, packet: bytes) -> bytes:
        (length,) = parse(packet, (1,))
        if not self._locks.unlock(length, packet[2:]):
            self._counters.count("refused")
            fault = self._locks.fault
            self._say(f"key function failed: {fault}" if fault else f"wrong key from {self._master}")
            self.end()
            raise XcpError(Error.ACCESS_LOCKED)
        return positive(self._locks.locked)

    # -- memory -------------------------------------------------------------------------------------------------

    def _offer(self, text: bytes) -> None:
        """Let the next UPLOAD begin with a text."""
        self._text, self._mta = text, (_TEXT, 0)

    def _set_mta(self, packet: bytes) -> bytes:
        _, extension, address = parse(packet, (2, 1, 4))
        self._mta = (extension, address)
        return positive()

    def _upload(self, packet: bytes) -> bytes:
        (length,) = parse(packet, (1,))
        extension, address = self._mta
        data = self._read(extension, address, length, self._layout.most_command - 1)
        self._mta = (extension, address + length)
        return positive(data)

    def _short_upload(self, packet: bytes) -> bytes:
        length, _, extension, address = parse(packet, (1, 1, 1, 4))
        data = self._read(extension, address, length, self._layout.most_command - 1)
        self._mta = (extension, address + length)
        return positive(data)

    def _checksum(self, packet: bytes) -> bytes:
        _, length = parse(packet, (3, 4))
        extension, address = self._mta
        data = self._read(extension, address, length, _LARGEST_BLOCK)
        self._mta = (extension, address + length)
        return positive(CRC_32, word(0), dword(zlib.crc32(data)))

    def _read(self, extension: int, address: int, length: int, most: int) -> bytes:
        """Return a range of memory of the newest tick. XcpError: it is too long, or not all of it is there."""
        if not 0 < length <= most:
            raise XcpError(Error.OUT_OF_RANGE)
        if extension == _TEXT:
            if address + length > len(self._text):
                raise XcpError(Error.ACCESS_DENIED)
            return self._text[address : address + length]
        data = self._writing.read(address, length) if self._writing is not None and extension == 0 else None
        if data is not None:
            return data
        place = self._map.place(address, length) if extension == 0 else None
        if place is None:
            raise XcpError(Error.ACCESS_DENIED)
        _, image = time_and_image(self._sample())
        return image[place.offset : place.offset + length]

    def _sample(self) -> bytes:
        sample = self._samples.newest()
        if sample is None:  # the bench stands still
            raise XcpError(Error.RESOURCE_TEMPORARY_NOT_ACCESSIBLE)
        return sample

    def _clock(self, _packet: bytes) -> bytes:
        t, _ = time_and_image(self._sample())
        return positive(0, 0, 0, dword(t // MICROSECOND))

    # -- writing ------------------------------------------------------------------------------------------------

    def _download(self, packet: bytes) -> bytes:
        (length,) = parse(packet, (1,))
        extension, address = self._mta
        self._write(extension, address, length, packet[2:])
        self._mta = (extension, address + length)
        return positive()

    def _short_download(self, packet: bytes) -> bytes:
        length, _, extension, address = parse(packet, (1, 1, 1, 4))
        self._write(extension, address, length, packet[8:])
        self._mta = (extension, address + length)
        return positive()

    def _write(self, extension: int, address: int, length: int, data: bytes) -> None:
        """Have the bench hold, or the engine be, what lies at a range of addresses. XcpError: that may not be."""
        if self._writing is None:
            raise XcpError(Error.WRITE_PROTECTED)
        self._locks.require(CAL_PAG)
        if len(data) < length:
            raise XcpError(Error.CMD_SYNTAX)
        if extension != 0:
            raise XcpError(Error.ACCESS_DENIED)
        count = self._writing.write(self._map, address, data[:length])
        self._samples.await_next()  # what is read next has what was written
        self._counters.count("written", count)
