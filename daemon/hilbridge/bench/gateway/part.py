"""The gateway as a part of a bench: its routes, a row each."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.rows import Family, counter, fact, gauge
from hilbridge.bench.gateway.gateway import Gateway
from hilbridge.bench.parts.part import Context, PartKind, Stage, Step
from hilbridge.boundary.links.poller import Ready

FRAMES: Final = Family("route_frames_total", "Frames on a route", ("route", "fate"))


class RouteRow(NamedTuple):
    """The status of a route; its counters are those of `RouteStatistics`."""

    route: Annotated[str, fact("carries")]
    taken: Annotated[int, counter()]
    forwarded: Annotated[int, counter("forwarded", FRAMES)]
    replaced: Annotated[int, counter("left out", FRAMES)]
    too_long: Annotated[int, counter("left out", FRAMES)]
    lost: Annotated[int, counter("left out", FRAMES)]
    waiting: Annotated[int, gauge("waiting")]
    disturbed: Annotated[bool, fact("state", texts=("", "disturbed"))]


class GatewayPart:
    """The routes of a bench in its tick and its status."""

    def __init__(self, gateway: Gateway) -> None:
        self.gateway: Final = gateway

    def stages(self) -> Mapping[Stage, Step]:
        return {"poll": self._poll} if self.gateway.routes else {}

    def _poll(self, t: int, _ready: Ready) -> None:
        self.gateway.poll(t)

    def rows(self) -> Iterator[tuple[str, RouteRow]]:
        for name, route in self.gateway.routes.items():
            yield (
                name,
                RouteRow(
                    self.gateway.describe(name),
                    **asdict(route.statistics),
                    waiting=route.waiting,
                    disturbed=route.disturbance is not None,
                ),
            )

    def describe(self) -> Mapping[str, str]:
        return {name: self.gateway.describe(name) for name in self.gateway.routes}

    def doubts(self) -> tuple[str, ...]:
        return ()

    def take_over(self, before: "GatewayPart") -> None:
        self.gateway.take_over(before.gateway)


def build(context: Context) -> GatewayPart:
    """Return the gateway of a bench, with its routes or without any. ConfigurationError: see `Gateway`."""
    return GatewayPart(Gateway(context.settings, context.buses, context.messages, context.own()))


KIND: Final[PartKind] = PartKind("gateway", "route", RouteRow, build, ("gateway",), logged="routes")
