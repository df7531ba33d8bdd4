"""The gateway: it hears the frames of each bus, and puts those that its routes carry on other buses.

What it puts on a bus is its own frame there: it does not hear it, so that no frame is carried twice and no routes make
a loop, however they lie. A carried frame goes the way of every other: faults of the link, and the gate before it.
"""

from collections.abc import Collection, Mapping
from typing import Final

from hilbridge.base.common.errors import ErrorCollector, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.gateway.lane import Lane, build_lane, build_unit_lanes
from hilbridge.bench.gateway.route import Outlet, Queue, Route
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.gateway import RouteSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.gate import Brought, never_sent
from hilbridge.frames.codec.database import Database
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.gating import is_counted, makes_count
from hilbridge.frames.plan.selection import Selection

_MOST_KNOWN: Final = 4096
"""Identifiers of a bus whose ways are remembered."""


class GatewayNode:
    """The gateway as a node of one bus. `ways`: the routes that begin here, in their order, with their lane and end."""

    def __init__(self, bus: Bus, *, fd: bool) -> None:
        """`fd`: the bus has CAN FD frames."""
        self.bus: Final = bus
        self.fd: Final = fd
        self.ways: Final[list[tuple[Lane, Route, Outlet]]] = []
        self._known: Final[dict[int, tuple[tuple[Lane, Route, Outlet], ...]]] = {}

    def receive(self, frame: Frame, t: int) -> None:
        """Hand a frame of the bus to the routes that carry it."""
        ways = self._known.get(frame.can_id)
        if ways is None:
            ways = self._find(frame.can_id)
        for lane, route, outlet in ways:
            route.take(lane.rename(frame), outlet, t)

    def _find(self, can_id: int) -> tuple[tuple[Lane, Route, Outlet], ...]:
        """Return the ways of an identifier (with its flag): to each other bus the first that chooses it."""
        found: dict[str, tuple[Lane, Route, Outlet]] = {}
        for way in self.ways:
            if way[0].target not in found and way[0].chooses(can_id):
                found[way[0].target] = way
        ways = tuple(way for way in found.values() if way[0].carries(can_id))
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[can_id] = ways
        return ways


class Gateway:
    """The routes of a bench by their names."""

    def __init__(
        self,
        settings: BenchSettings,
        buses: Mapping[str, Bus],
        messages: Mapping[str, Database],
        own: Mapping[str, Collection[int]],
    ) -> None:
        """`messages` and `own` by bus: what its frames mean, and the identifiers (with their flag) that it sends.

        The gateway joins the buses on which routes begin or end. ConfigurationError, with the key path: a route of
        something that does not exist, see `build_lane`.
        """
        self._settings: Final = settings
        self._queue: Final = Queue()
        self.routes: Final[dict[str, Route]] = {}
        self.lanes: Final[dict[str, tuple[Lane, ...]]] = {}
        self._nodes: Final[dict[str, GatewayNode]] = {}
        errors = ErrorCollector()
        for name, one in settings.gateway.items():
            with errors.attempt():
                place = ("gateway", name)
                lanes = self._lanes(one, messages, own, place)
                self._add(name, one, lanes, buses)
        errors.verdict()
        for name, node in self._nodes.items():
            buses[name].attach(node)

    def _lanes(
        self,
        one: RouteSettings,
        messages: Mapping[str, Database],
        own: Mapping[str, Collection[int]],
        place: KeyPath,
    ) -> tuple[Lane, ...]:
        if one.units:
            units = self._settings.diagnostics.units
            return build_unit_lanes(one, [units[name] for name in one.units])
        return (build_lane(one, self._settings.buses[one.source], messages.get(one.source), own[one.target], place),)

    def _add(self, name: str, settings: RouteSettings, lanes: tuple[Lane, ...], buses: Mapping[str, Bus]) -> None:
        place, tick = ("gateway", name), self._settings.period
        delay = tick if settings.delay is None else in_whole_ticks(settings.delay, tick, (*place, "delay"))
        period = 0 if settings.period is None else in_whole_ticks(settings.period, tick, (*place, "period"))
        route = self.routes[name] = Route(name, delay, period, self._queue)
        self.lanes[name] = lanes
        for lane in lanes:
            self._node(buses[lane.source]).ways.append((lane, route, self._node(buses[lane.target])))

    def _node(self, bus: Bus) -> GatewayNode:
        if bus.name not in self._nodes:
            self._nodes[bus.name] = GatewayNode(bus, fd=self._settings.buses[bus.name].fd)
        return self._nodes[bus.name]

    def describe(self, name: str) -> str:
        """Return a route for people: `powertrain to body: 0x100-0x1FF, EngineData1 as 0x321, 1 ms later`."""
        settings = self._settings.gateway[name]
        chosen = [settings.frames] if isinstance(settings.frames, str) else map(str, settings.choices or settings.units)
        text = f"{settings.source} to {settings.target}: {', '.join(chosen)}"
        if settings.exclude:
            text += f" but {', '.join(map(str, settings.exclude))}"
        if settings.identifier is not None:
            text += f" as 0x{settings.identifier:X}"
        if settings.period is not None:
            text += f", {settings.period:g} ms apart at least"
        return f"{text}, {settings.delay or self._settings.period / MILLISECOND:g} ms later"

    def brought(self, bus: str, selections: Mapping[str, Selection]) -> Brought:
        """Return what the routes to a bus bring with them; `selections` by bus: the frames of the plan."""
        lanes = [lane for lanes in self.lanes.values() for lane in lanes if lane.target == bus]
        sources = {lane.source: self._settings.buses[lane.source] for lane in lanes}
        never = tuple(one for settings in sources.values() for one in never_sent(settings))
        moving = any(settings.source_address is not None for settings in sources.values())
        if not is_counted(self._settings.buses[bus]):
            return Brought(never, frozenset(), moving)
        counting = {
            lane.renamed(frame.can_id)
            for lane in lanes
            for frame in selections[lane.source].outgoing
            if makes_count(frame) and lane.chooses(frame.can_id)
        }
        return Brought(never, frozenset(counting), moving)

    def poll(self, t: int) -> None:
        """Send the frames that are due at `t` [ns]; a single look when none waits."""
        if self._queue.waiting:
            self._queue.release(t)

    def take_over(self, before: "Gateway") -> None:
        """Continue the routes that another gateway has too; what waits for a bus that no route leads to now is lost."""
        for name, route in self.routes.items():
            if name in before.routes:
                route.continue_from(before.routes[name])
        for entry in sorted(before._queue.waiting):
            if entry.route.name in self.routes:
                self.routes[entry.route.name].wait(entry, self._nodes.get(entry.outlet.bus.name))
