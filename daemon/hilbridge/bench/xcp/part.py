"""The XCP slave as a part of a bench: in the tick a sample of all entries for a process, in the status one row."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.rows import Family, counter, fact, gauge, trouble_fact
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step
from hilbridge.bench.xcp.memory_map import encode_sample
from hilbridge.bench.xcp.sample_memory import COUNTERS, SampleMemory
from hilbridge.boundary.links.poller import Ready
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.xcp import XcpSettings
from hilbridge.frames.bus.bus import Bus
from vehiclesim.databus import DataBus

EVENTS: Final = Family("xcp_events_total", "What an XCP slave counts", ("slave", "event"))
MASTERS: Final = Family("xcp_masters", "Masters that are connected to an XCP slave", ("slave",))
LISTS: Final = Family("xcp_daq_lists", "DAQ lists that run", ("slave",))

_COLUMNS: Final = {
    "commands": "commands",
    "errors": "errors",
    "refused": "refused",
    "ignored": "errors",
    "sent": "samples",
    "overruns": "lost",
    "written": "written",
    "stimulated": "stimulated",
    "late": "late",
}


class SlaveRow(NamedTuple):
    """The status of the slave; `where`: its address, empty where the run has none, as on the virtual clock."""

    where: Annotated[str, fact("where")]
    trouble: Annotated[str, trouble_fact("trouble")]
    masters: Annotated[int, gauge("masters", MASTERS)]
    lists: Annotated[int, gauge("DAQ lists", LISTS)]
    counters: Annotated[Mapping[str, int], counter(_COLUMNS, EVENTS)]


class XcpPart:
    """The slave of a bench in its tick and its status.

    `where`: the address for masters, once the port is open; without one, as in a replay, nothing is sampled. `trouble`:
    why it is not.
    """

    def __init__(self, settings: XcpSettings, data: DataBus, bus: Bus | None = None) -> None:
        """`bus`: that of XCP on CAN."""
        self.settings: Final = settings
        self._bus: Final = bus
        self.where = self.trouble = ""
        self._memory: SampleMemory | None = None
        self._armed = False  # as the memory has it
        self._counters: Mapping[str, int] = dict.fromkeys(COUNTERS, 0)
        self._data: Final = data

    def begin(self, memory: SampleMemory, where: str) -> None:
        """Begin to sample into a memory, for masters that come to an address."""
        self._memory, self.where, self._armed = memory, where, False
        memory.write("armed", 0)

    def end(self) -> None:
        """End sampling, before the memory is closed; the counters stay."""
        self._counters, self._memory, self.where = self._counted(), None, ""

    def _counted(self) -> Mapping[str, int]:
        memory = self._memory
        return self._counters if memory is None else {name: memory.read(name) for name in COUNTERS}

    def stages(self) -> Mapping[Stage, Step]:
        return {"publish": self._sample}

    def _sample(self, t: int, _ready: Ready) -> None:
        memory = self._memory
        if memory is None:
            return
        if self._bus is not None and self._bus.is_armed != self._armed:
            self._armed = self._bus.is_armed
            memory.write("armed", int(self._armed))
        if memory.is_wanted:
            memory.ring.put(encode_sample(t, self._data.channels))

    def rows(self) -> Iterator[tuple[str, SlaveRow]]:
        memory = self._memory
        masters, lists = (0, 0) if memory is None else (memory.read("wanted"), memory.read("lists"))
        yield self.settings.transport, SlaveRow(self.where, self.trouble, masters, lists, self._counted())

    def describe(self) -> Mapping[str, str]:
        settings = self.settings
        how = "changes values" if settings.write else "is read-only"
        key = ", with a key" if settings.unlock is not None else ""
        where = f"port {settings.port or 'any'} of {settings.address}"
        if settings.transport == "can":
            where = f"frames {settings.request or 0:X} and {settings.answer or 0:X} of bus {settings.bus}"
        return {settings.transport: f"a master measures all entries, {how}{key}; {where}"}

    def doubts(self) -> Iterator[str]:
        settings = self.settings
        if settings.masters and settings.write:
            yield f"xcp: {', '.join(settings.masters)} may change values; what they send is not encrypted"

    def take_over(self, before: "XcpPart") -> None:
        self._memory, self.where, self.trouble = before._memory, before.where, before.trouble
        self._armed = before._armed


def build(context: Context) -> XcpPart | None:
    """Return the XCP slave of a bench, None without.

    ConfigurationError: its function cannot be had, or it writes and there is no control socket to do that by.
    """
    settings = context.settings.xcp
    if settings is None:
        return None
    if settings.write and not context.settings.control.enabled:
        raise ConfigurationError("needs the control socket, which is not enabled", ("xcp", "write"))
    if settings.unlock is not None:
        import_function(settings.unlock, KEY, ("xcp", "unlock"))
    return XcpPart(settings, context.data, None if settings.bus is None else context.buses[settings.bus])


def needs_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where anything of the section differs: its port is open."""
    return () if old.xcp == new.xcp else (("xcp",),)


KIND: Final[PartKind] = PartKind("xcp", "XCP slave", SlaveRow, build, ("xcp",), needs_restart)
