"""A part of a bench: built from its section of the bench file, called in the stages of a tick, shown by its rows.

    kind = PartKind("gateway", "route", RouteRow, build)      what there can be: one row of bench/kinds.py
    part = kind.build(context)                                what a bench has; None: its file does not ask for it

From the rows follow the part's JSON in `hilbridge ctl status`, its table there, its metrics, its statistics in the log
and its table on the page (base/common/rows.py). A reload builds new parts beside the old ones; then each continues what
the one before it did.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.rows import Layout, Row, layout_of
from hilbridge.boundary.links.poller import Ready
from hilbridge.boundary.links.serial_output import OutputPort
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import Settings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import Database
from vehiclesim.databus import DataBus

Stage: TypeAlias = Literal["begin", "poll", "hear", "sample", "serve", "publish"]
"""A place in the tick:

| stage | is called |
|---|---|
| begin | first of all, before it is known which ports have something to do: what is disturbed from this tick on |
| poll | before frames are read: what it sends goes out with the frames of the tick |
| hear | after the frames of the tick are delivered |
| sample | after all have heard: the inputs of the tick are decided |
| serve | after the step of the vehicle: answers from the values of this tick |
| publish | last, after the frames of the tick, for what leaves by ports |
"""

Step: TypeAlias = Callable[[int, Ready], None]
"""A call in a stage: the time [ns], and the descriptors that have something to do."""


class ReachedUnit(Protocol):
    """A control unit, as testers reach it by a transport that carries whole messages."""

    @property
    def longest(self) -> int:
        """[bytes] of a request that there is room for."""

    @property
    def vin(self) -> str | None:
        """Its vehicle identification number, if it has one."""

    def is_powered(self) -> bool:
        """Return whether it has its supply."""

    def join(self, connection: Any) -> Any:
        """Return the way to it for a tester whose answers a connection carries (diagnostics/isotp/server.py)."""

    def request(self, channel: Any, payload: bytes, functional: bool, t: int) -> bool:
        """Pass a request at `t` [ns]; return False if there is no room for it."""


class Context(NamedTuple):
    """The bench around a part while it is built."""

    settings: BenchSettings
    data: DataBus
    buses: Mapping[str, Bus]
    messages: Mapping[str, Database]
    """The database of each bus, with its raw frames."""
    own: Callable[[], Mapping[str, Collection[int]]]
    """Returns the identifiers (with their flag) that the bench itself sends, by bus."""
    ports: Mapping[str, OutputPort]
    """The ports of outputs and boards by name, once they are open."""
    units: Mapping[str, ReachedUnit] = {}
    """The control units that testers reach, by name; none until they are built."""
    section: Any = None
    """The settings of a part of a package beyond hilbridge."""


class Part(Protocol):
    """A part of a running bench."""

    def stages(self) -> Mapping[Stage, Step]:
        """Return its calls in a tick, by stage."""

    def rows(self) -> Iterable[tuple[str, Row]]:
        """Yield its status by name; each row is made when it is asked for, in some 100 µs at most."""

    def describe(self) -> Mapping[str, str]:
        """Return one line for each of its items, for `hilbridge check`."""

    def doubts(self) -> Iterable[str]:
        """Return what the user may not have meant."""

    def take_over(self, before: Any) -> None:
        """Continue what the part of the wiring before did; that one is of the same kind."""


def nothing_needs_restart(_old: BenchSettings, _new: BenchSettings) -> Iterable[KeyPath]:
    """Return no key: a reload adopts every change of the section."""
    return ()


class Table(NamedTuple):
    """A further table of a part in the status, beside its own rows; `logged`: see PartKind, empty by default."""

    title: str
    row: type[Row]
    rows: Callable[[Any], Iterable[tuple[str, Row]]]
    """Yields the rows of a part by name."""
    usual: bool = False
    logged: str = ""


class PartKind(NamedTuple):
    """A kind of part.

    `key`: its name in the status; `title`: the heading of its rows; `sections`: its keys in the bench file.
    `logged`: the name of its counters in the statistics of the log, where that is not its key; empty: they are not
    there. `usual`: it is in a status by default; `listed`: as a list there, whose rows have their names within them.
    `tables`: further ones by their keys in the status. `needs_restart` returns the keys that a reload cannot adopt.
    `settings`, of a part of a package beyond hilbridge: what its section below `parts` can say.
    """

    key: str
    title: str
    row: type[Row]
    build: Callable[[Context], Part | None]
    sections: tuple[str, ...] = ()
    needs_restart: Callable[[BenchSettings, BenchSettings], Iterable[KeyPath]] = nothing_needs_restart
    settings: type[Settings] | None = None
    logged: str | None = None
    usual: bool = True
    listed: bool = False
    tables: Mapping[str, Table] = MappingProxyType({})

    @property
    def layout(self) -> Layout:
        """The layout of its rows."""
        return layout_of(self.row, self.title)
