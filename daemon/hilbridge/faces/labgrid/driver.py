"""The driver of a bench in labgrid: a client of the bench, and python-can's way to its buses."""

import re
from contextlib import ExitStack

import attr
from labgrid.driver.common import Driver
from labgrid.factory import target_factory

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.faces.labgrid.ways import way_to


@target_factory.reg_driver
@attr.s(eq=False)
class HilbridgeDriver(Driver, AnyClient):
    """Controls a bench that labgrid has reserved, as `hilbridge ctl` does: the methods of `hilbridge.client.Client`."""

    bindings = {"bench": {"HilbridgeBench", "NetworkHilbridgeBench"}}  # noqa: RUF012 - labgrid's form

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._open = ExitStack()

    def on_activate(self) -> None:
        """Open the way to the bench. UnreachableError: it does not answer there."""
        with ExitStack() as opened:
            self._way = opened.enter_context(way_to(self.bench))
            self._client = opened.enter_context(Client(self._way.control))
            self._client.status("buses")
            self._open = opened.pop_all()

    def on_deactivate(self) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    @Driver.check_active
    def exchange(self, command: Command) -> Answer:
        return self._client.exchange(command)

    @Driver.check_active
    def can_channel(self, bus: str | None = None) -> str:
        """Return the SLCAN port of a bus, for `can.Bus(interface="slcan", channel=…)`; the only one may be left out.

        ConfigurationError: there is none. From another machine the port is one that SSH forwards.
        """
        links = {name: one["link"] for name, one in self.status("buses")["buses"].items()}
        ports = {name: int(found[1]) for name, link in links.items() if (found := _SLCAN_PORT.search(link))}
        if bus is None and len(ports) == 1:
            (bus,) = ports
        if bus not in ports:
            which = "which bus?" if bus is None else f"bus {bus!r} has no SLCAN port."
            raise ConfigurationError(f"{which} SLCAN ports have: {', '.join(ports) or 'none'}")
        return f"socket://127.0.0.1:{self._way.port(ports[bus])}"


_SLCAN_PORT = re.compile(r"slcan on [^;]*?socket://127\.0\.0\.1:(\d+)")
