"""Outputs and boards as a part of a bench: a row for each that has a port."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.rows import Family, armed_fact, counter, fact, trouble_fact
from hilbridge.base.common.statistics import counters
from hilbridge.bench.outputs.build import AnyOutput, build_outputs
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step
from hilbridge.boundary.links.poller import Ready
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.files.settings import BenchSettings
from vehiclesim.databus import DataBus

PACKETS: Final = Family("output_packets_total", "Packets of an output or a board", ("output", "fate"))
EVENTS: Final = Family("output_events_total", "What an output and its port count", ("output", "event"))


class OutputRow(NamedTuple):
    """The status of an output or a board; the keys are those of a bus."""

    link: Annotated[str, fact("port")]
    profile: Annotated[str, fact("packets")]
    trouble: Annotated[str, trouble_fact("state", Family("output_up", "Whether an output works", ("output",)))]
    armed: Annotated[bool, armed_fact("state", Family("output_armed", "Whether an output may send", ("output",)))]
    gate: Annotated[Mapping[str, int], counter({"passed": "sent", "unarmed": "held back"}, PACKETS)]
    counters: Annotated[Mapping[str, int], counter({"dropped": "dropped"}, EVENTS)]


class OutputsPart:
    """The outputs and boards of a bench in its tick and its status. `ports`: those that are open, by name."""

    def __init__(self, outputs: Mapping[str, AnyOutput], ports: Mapping[str, OutputPort], data: DataBus) -> None:
        self.outputs: Final = outputs
        self._ports: Final = ports
        self._data: Final = data

    def stages(self) -> Mapping[Stage, Step]:
        return {"hear": self._hear, "publish": self._publish} if self.outputs else {}

    def _hear(self, t: int, ready: Ready) -> None:
        for output, port in self._open():
            if port.descriptor in ready:
                output.hear(port.poll(t), t)

    def _publish(self, t: int, _ready: Ready) -> None:
        channels = self._data.channels
        for output, port in self._open():
            output.publish(channels, port, t)

    def _open(self) -> Iterator[tuple[AnyOutput, OutputPort]]:
        """Yield the outputs and boards whose port is open, with it; serial buses have ports among these too."""
        for name, output in self.outputs.items():
            if name in self._ports:
                yield output, self._ports[name]

    def rows(self) -> Iterator[tuple[str, OutputRow]]:
        for output, port in self._open():
            name = output.name
            counted = counters(output.statistics)
            gate: dict[str, int] = {fate: counted.pop(fate) for fate in ("passed", "unarmed") if fate in counted}
            yield (
                name,
                OutputRow(
                    port.describe(),
                    output.describe(),
                    port.trouble or output.trouble,
                    output.armed,
                    gate,
                    counted | counters(port.statistics),
                ),
            )

    def describe(self) -> Mapping[str, str]:
        return {name: output.describe() for name, output in self.outputs.items()}

    def doubts(self) -> Iterator[str]:
        for output in self.outputs.values():
            yield from output.doubts(self._data.channels)

    def take_over(self, before: "OutputsPart") -> None:
        for name, output in self.outputs.items():
            output.take_over(before.outputs.get(name))


def build(context: Context) -> OutputsPart:
    """Return the outputs and boards of a bench. ConfigurationError: see `Output` and `Board`."""
    return OutputsPart(build_outputs(context.settings, context.data.entries), context.ports, context.data)


def needs_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where other ports are open, in another order, or with other names."""
    return () if _ports(old) == _ports(new) else (("outputs",),)


def _ports(settings: BenchSettings) -> list[Hashable]:
    return [(name, one.port, one.baudrate) for name, one in settings.serial_outputs.items()]


KIND: Final[PartKind] = PartKind("outputs", "output", OutputRow, build, ("outputs", "boards"), needs_restart)
