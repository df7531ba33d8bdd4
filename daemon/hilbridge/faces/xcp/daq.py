"""The DAQ lists of a master: allocated, filled, started, and made into packets from samples of the tick.

    packet = [ numbers of ODT and DAQ list | time stamp in the first ODT | values of the entries ]

The time stamp is the time of the bench in the unit of the layout, modulo 2^32 or 2^16: number of the tick times its
period. What is allocated is bounded, whatever a master asks for, so that a sample is too. Lists of direction STIM
are allocated alike; their packets come from the master (stimulation.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from hilbridge.bench.xcp.event_channels import EventChannel
from hilbridge.bench.xcp.layout import LARGEST_ENTRY, MOST_LISTS, PacketLayout
from hilbridge.bench.xcp.memory_map import MemoryMap, Place
from hilbridge.faces.xcp.calibration import STEPS
from hilbridge.faces.xcp.packets import FIRST_COMMAND, Error, XcpError
from vehiclesim.entries import Entry

MOST_ODTS: Final = 252
"""ODTs of all lists together; no number of an ODT is beyond the codes of packets with values."""

MOST_ENTRIES: Final = 2048
"""Entries of all ODTs together."""

MOST_STIMULATED: Final = 64
"""Entries of all STIM lists together: one command holds them."""

TIME_STAMPED: Final = 0x10
STIM_DIRECTION: Final = 0x02
"""Bits of the mode of a list."""

SELECTED: Final = 0x01
RUNNING: Final = 0x40


@dataclass(slots=True)
class Inbox:
    """Holds what has come for a STIM list: the values of some ODTs, and those of all of them for its next event."""

    parts: dict[int, bytes] = field(default_factory=dict)
    values: dict[str, float] = field(default_factory=dict)
    has_begun: bool = False
    is_late: bool = False


@dataclass(slots=True)
class DaqList:
    """A DAQ list: the entries of each ODT, None where nothing was written yet, and how it is sampled."""

    odts: list[list[Place | None]] = field(default_factory=list)
    mode: int = 0
    event: int | None = None
    prescaler: int = 1
    selected: bool = False
    running: bool = False
    packets: list[tuple[bytes, bool, list[slice]]] = field(default_factory=list)
    targets: list[list[Entry]] = field(default_factory=list)
    """The entries of each ODT of a STIM list."""

    inbox: Inbox = field(default_factory=Inbox)

    passed: int = 0
    """Events since the last sample."""

    @property
    def is_stim(self) -> bool:
        """Its packets come from the master."""
        return bool(self.mode & STIM_DIRECTION)

    def begin(self, odt: int, layout: PacketLayout) -> int:
        """Return where the values begin in the packet of an ODT."""
        return layout.head + (layout.stamp if odt == 0 and self.mode & TIME_STAMPED else 0)

    def size(self, odt: int, layout: PacketLayout) -> int:
        """Return the length [byte] of the packet of an ODT, as far as it is written."""
        return self.begin(odt, layout) + sum(place.length for place in self.odts[odt] if place is not None)


class DaqLists:
    """The DAQ lists of one session. XcpError of every method: the command is refused."""

    def __init__(
        self, memory_map: MemoryMap, channels: Sequence[EventChannel], layout: PacketLayout, *, stim: bool = False
    ) -> None:
        """`stim`: lists may be of this direction."""
        self.has_stim: Final = stim
        self.channels: Final = channels
        self.layout: Final = layout
        self._map: Final = memory_map
        self._lists: list[DaqList] = []
        self._pointer: tuple[DaqList, int, int] | None = None
        self._due: Final = [0] * len(channels)  # [ns] the next time of each event
        self._stage = ""

    @property
    def running(self) -> int:
        """Number of lists that run."""
        return sum(one.running for one in self._lists)

    # -- allocation ---------------------------------------------------------------------------------------------

    def free(self) -> None:
        """Stop all lists and forget them."""
        self._lists, self._pointer, self._stage = [], None, "free"

    def allocate_lists(self, count: int) -> None:
        self._require_stage("free")
        if count > MOST_LISTS:
            raise XcpError(Error.MEMORY_OVERFLOW)
        self._lists, self._stage = [DaqList() for _ in range(count)], "lists"

    def allocate_odts(self, number: int, count: int) -> None:
        self._require_stage("lists", "odts")
        one = self._idle(number)
        if sum(len(each.odts) for each in self._lists) + count > MOST_ODTS:
            raise XcpError(Error.MEMORY_OVERFLOW)
        one.odts += [[] for _ in range(count)]
        self._stage = "odts"

    def allocate_entries(self, number: int, odt: int, count: int) -> None:
        self._require_stage("odts", "entries")
        entries = self._odt(self._idle(number), odt)
        if sum(len(each) for one in self._lists for each in one.odts) + count > MOST_ENTRIES:
            raise XcpError(Error.MEMORY_OVERFLOW)
        entries += [None] * count
        self._stage = "entries"

    # -- content ------------------------------------------------------------------------------------------------

    def point(self, number: int, odt: int, entry: int) -> None:
        one = self._idle(number)
        if entry >= len(self._odt(one, odt)):
            raise XcpError(Error.OUT_OF_RANGE)
        self._pointer = (one, odt, entry)

    def write(self, bit_offset: int, size: int, extension: int, address: int) -> None:
        """Write the entry at the pointer, and move that to the next one of its ODT."""
        if self._pointer is None:
            raise XcpError(Error.SEQUENCE)
        one, odt, entry = self._pointer
        if one.running:
            raise XcpError(Error.DAQ_ACTIVE)
        place = self._map.place(address, size)
        if bit_offset != 0xFF or not 0 < size <= LARGEST_ENTRY:
            raise XcpError(Error.OUT_OF_RANGE)
        if extension != 0 or place is None:
            raise XcpError(Error.ACCESS_DENIED)
        entries = one.odts[odt]
        before, entries[entry] = entries[entry], place
        if one.size(odt, self.layout) > self.layout.most_data:
            entries[entry] = before
            raise XcpError(Error.DAQ_CONFIG)
        self._pointer = (one, odt, entry + 1) if entry + 1 < len(entries) else None

    def clear(self, number: int) -> None:
        """Stop a list and forget what was written into its entries."""
        one = self._list(number)
        one.running = one.selected = False
        for entries in one.odts:
            entries[:] = [None] * len(entries)

    def set_mode(self, number: int, mode: int, event: int, prescaler: int) -> None:
        one = self._idle(number)
        if mode & ~(TIME_STAMPED | STIM_DIRECTION) or (mode & STIM_DIRECTION and not self.has_stim):
            raise XcpError(Error.MODE_NOT_VALID)
        if event >= len(self.channels) or prescaler == 0 or (mode & STIM_DIRECTION and prescaler != 1):
            raise XcpError(Error.OUT_OF_RANGE)
        before, one.mode = one.mode, mode
        if one.odts and one.size(0, self.layout) > self.layout.most_data:
            one.mode = before
            raise XcpError(Error.DAQ_CONFIG)
        one.event, one.prescaler = event, prescaler

    def mode(self, number: int) -> tuple[int, int, int]:
        """Return mode, event channel and prescaler of a list."""
        one = self._list(number)
        bits = one.mode | (RUNNING if one.running else 0) | (SELECTED if one.selected else 0)
        return bits, one.event or 0, one.prescaler

    # -- start and stop -----------------------------------------------------------------------------------------

    def stop(self, number: int) -> None:
        one = self._list(number)
        one.running = one.selected = False

    def start(self, number: int) -> None:
        self._start([(number, self._list(number))])

    def first(self, number: int) -> int:
        """Return the number of the first ODT of a list in its packets."""
        self._list(number)
        return sum(len(one.odts) for one in self._lists[:number]) if self.layout.is_absolute else 0

    def select(self, number: int) -> None:
        one = self._list(number)
        _require_whole(one)
        self._targets(number, one)
        one.selected = True

    def stop_all(self) -> None:
        for one in self._lists:
            one.running = one.selected = False

    def start_selected(self) -> None:
        self._start([(number, one) for number, one in enumerate(self._lists) if one.selected])

    def stop_selected(self) -> None:
        for one in self._lists:
            if one.selected:
                one.running = one.selected = False

    def _start(self, lists: Sequence[tuple[int, DaqList]]) -> None:
        for number, one in lists:
            _require_whole(one)
            one.targets, one.inbox = self._targets(number, one), Inbox()
        if sum(len(entries) for one in self._lists for entries in one.targets) > MOST_STIMULATED:
            raise XcpError(Error.MEMORY_OVERFLOW)
        if not self.running:
            self._due[:] = [0] * len(self._due)
        for number, one in lists:
            one.packets = [
                (self._head(number, odt), odt == 0 and bool(one.mode & TIME_STAMPED), _slices(entries))
                for odt, entries in enumerate(one.odts)
                if entries
            ]
            one.passed = one.prescaler - 1
            one.running, one.selected = True, False

    # -- sampling -----------------------------------------------------------------------------------------------

    def events(self, t: int) -> list[bool]:
        """Return which events occur in a tick at `t` [ns]."""
        occurs = []
        for number, channel in enumerate(self.channels):
            occurs.append(t >= self._due[number])
            if occurs[-1]:
                self._due[number] = (t // channel.interval + 1) * channel.interval
        return occurs

    def packets(self, t: int, image: bytes, occurs: Sequence[bool]) -> Iterator[list[bytes]]:
        """Yield the packets of each list that the events of a tick at `t` [ns] sample."""
        stamp = (t // self.layout.unit & (1 << 8 * self.layout.stamp) - 1).to_bytes(self.layout.stamp, "little")
        for one in self._lists:
            if not one.running or one.is_stim or one.event is None or not occurs[one.event]:
                continue
            one.passed += 1
            if one.passed >= one.prescaler:
                one.passed = 0
                yield [
                    head + (stamp if stamped else b"") + b"".join([image[part] for part in parts])
                    for head, stamped, parts in one.packets
                ]

    # -- stimulation --------------------------------------------------------------------------------------------

    def stimulating(self) -> Iterator[tuple[int, DaqList]]:
        """Yield the STIM lists that run, with their numbers."""
        return ((number, one) for number, one in enumerate(self._lists) if one.running and one.is_stim)

    def stim_packet(self, packet: bytes) -> tuple[DaqList, int, bytes] | None:
        """Return list, ODT and values of a packet; None: it is of no STIM list that runs, or too short."""
        for number, one in self.stimulating():
            odt = packet[0] - self.first(number)
            if not self.layout.is_absolute and (len(packet) < self.layout.head or packet[1] != number):
                continue
            if 0 <= odt < len(one.targets):
                begin, end = one.begin(odt, self.layout), one.size(odt, self.layout)
                return (one, odt, packet[begin:end]) if len(packet) >= end else None
        return None

    def _targets(self, number: int, one: DaqList) -> list[list[Entry]]:
        """Return the entries of each ODT of a STIM list. XcpError DAQ_CONFIG: not all of them can be held."""
        if not one.is_stim:
            return []
        if self.first(number) + len(one.odts) > FIRST_COMMAND:
            raise XcpError(Error.DAQ_CONFIG)
        return [[entry for place in odt for entry in self._holdable(place)] for odt in one.odts]

    def _holdable(self, place: Place | None) -> list[Entry]:
        entries = None if place is None else self._map.entries_at(place.address, place.length)
        if entries is None or any(entry.limits is None or entry.path == STEPS for entry in entries):
            raise XcpError(Error.DAQ_CONFIG)
        return entries

    # -- looking up ---------------------------------------------------------------------------------------------

    def _head(self, number: int, odt: int) -> bytes:
        return bytes((self.first(number) + odt,)) if self.layout.is_absolute else bytes((odt, number))

    def _require_stage(self, *stages: str) -> None:
        """Lists, ODTs and entries are allocated in this order, after FREE_DAQ."""
        if self.running:
            raise XcpError(Error.DAQ_ACTIVE)
        if self._stage not in stages:
            raise XcpError(Error.SEQUENCE)

    def _list(self, number: int) -> DaqList:
        if number >= len(self._lists):
            raise XcpError(Error.OUT_OF_RANGE)
        return self._lists[number]

    def _idle(self, number: int) -> DaqList:
        one = self._list(number)
        if one.running:
            raise XcpError(Error.DAQ_ACTIVE)
        return one

    @staticmethod
    def _odt(one: DaqList, number: int) -> list[Place | None]:
        if number >= len(one.odts):
            raise XcpError(Error.OUT_OF_RANGE)
        return one.odts[number]


def _require_whole(one: DaqList) -> None:
    """XcpError: a list has no event, an entry that was not written, or none in its first ODT, which has the time."""
    entries = [entry for odt in one.odts for entry in odt]
    if one.event is None or not one.odts or not one.odts[0] or None in entries:
        raise XcpError(Error.DAQ_CONFIG)


def _slices(entries: Sequence[Place | None]) -> list[slice]:
    """Return the parts of the image that the entries of an ODT are; neighbours become one."""
    parts: list[slice] = []
    for place in entries:
        if place is None:
            continue
        if parts and parts[-1].stop == place.offset:
            parts[-1] = slice(parts[-1].start, place.offset + place.length)
        else:
            parts.append(slice(place.offset, place.offset + place.length))
    return parts
