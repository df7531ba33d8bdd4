"""The serial buses of a bench as a part: a row for each.

The bytes of their ports come in with those of the inputs, which are recorded; so a replay hears what the run has heard.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple, TypeAlias

from hilbridge.base.common.errors import ErrorCollector, KeyPath
from hilbridge.base.common.rows import Family, armed_fact, counter, fact, trouble_fact
from hilbridge.base.common.statistics import counters
from hilbridge.bench.lines.lin_line import LinBus
from hilbridge.bench.lines.lin_slave import LinSlave
from hilbridge.bench.lines.telegram_line import TelegramBus
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step
from hilbridge.boundary.links.poller import Ready
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.lines import SerialBus, TelegramLine

AnyLine: TypeAlias = TelegramBus | LinBus | LinSlave

PACKETS: Final = Family("line_telegrams_total", "Telegrams or frames of a serial bus", ("line", "fate"))
EVENTS: Final = Family("line_events_total", "What a serial bus counts", ("line", "event"))

_COLUMNS: Final = {
    "heard": "heard",
    "damaged": "damaged",
    "silent": "unheard",
    "repeated": "repeated",
    "lost": "lost",
    "unanswered": "lost",
    "flooded": "lost",
    "*": "",
}


class LineRow(NamedTuple):
    """The status of a serial bus."""

    link: Annotated[str, fact("port")]
    profile: Annotated[str, fact("line")]
    last: Annotated[str, fact("heard last")]
    trouble: Annotated[str, trouble_fact("state", Family("line_up", "Whether a serial bus works", ("line",)))]
    armed: Annotated[bool, armed_fact("state", Family("line_armed", "Whether a serial bus may send", ("line",)))]
    gate: Annotated[Mapping[str, int], counter({"passed": "sent", "unarmed": "held back"}, PACKETS)]
    counters: Annotated[Mapping[str, int], counter(_COLUMNS, EVENTS)]


class LinesPart:
    """The serial buses in their tick and their status. `ports`: those that are open, by name."""

    def __init__(self, lines: Mapping[str, AnyLine], ports: Mapping[str, OutputPort], tick: int) -> None:
        self.lines: Final = lines
        self._ports: Final = ports
        self._tick: Final = tick
        self._t = 0

    def stages(self) -> Mapping[Stage, Step]:
        return {"publish": self._publish} if self.lines else {}

    def _publish(self, t: int, _ready: Ready) -> None:
        self._t = t
        for name, line in self.lines.items():
            line.publish(t, self._ports.get(name))

    def rows(self) -> Iterator[tuple[str, LineRow]]:
        for name, line in self.lines.items():
            counted = counters(line.statistics)
            gate: dict[str, int] = {fate: counted.pop(fate) for fate in ("passed", "unarmed") if fate in counted}
            port = self._ports.get(name)
            where, trouble = ("", "") if port is None else (port.describe(), port.trouble)
            yield name, LineRow(where, line.describe(), line.last, trouble, line.armed, gate, counted)

    def describe(self) -> Mapping[str, str]:
        return {name: line.describe() for name, line in self.lines.items()}

    def doubts(self) -> Iterator[str]:
        for line in self.lines.values():
            yield from line.doubts()

    def take_over(self, before: "LinesPart") -> None:
        for name, line in self.lines.items():
            line.take_over(before.lines.get(name), before._t + self._tick)

    def cut_off(self) -> None:
        """Switch all terminals off for good: the end of the run."""
        for line in self.lines.values():
            line.cut_off()


def build(context: Context) -> LinesPart | None:
    """Return the serial buses of a bench, None without. ConfigurationError: see `TelegramBus`, `LinBus`, `LinSlave`."""
    if not context.settings.lines:
        return None
    lines: dict[str, AnyLine] = {}
    errors = ErrorCollector()
    for name, settings in context.settings.lines.items():
        place = ("lines", name)
        with errors.attempt():
            if isinstance(settings, TelegramLine):
                lines[name] = TelegramBus(name, settings, context.settings.period, place, context.data)
            else:
                kind = LinBus if settings.master else LinSlave
                lines[name] = kind(name, settings, context.settings.period, place, context.data)
    errors.verdict()
    return LinesPart(lines, context.ports, context.settings.period)


def needs_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where other ports are open, in another order, with other names or for another kind of line."""
    return () if _ports(old) == _ports(new) else (("lines",),)


def _ports(settings: BenchSettings) -> list[Hashable]:
    return [(name, one.port, one.baudrate, one.parity, _kind(one)) for name, one in settings.lines.items()]


def _kind(settings: SerialBus) -> str:
    """Return who speaks on the line: a port whose break may be under way is not handed to another kind."""
    if isinstance(settings, TelegramLine):
        return "telegrams"
    return "master" if settings.master else "slave"


KIND: Final[PartKind] = PartKind("lines", "serial bus", LineRow, build, ("lines",), needs_restart)
