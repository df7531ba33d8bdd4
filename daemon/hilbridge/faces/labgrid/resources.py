"""A bench as labgrid sees it: one of this machine, and one that an exporter tells of."""

import contextlib
import socket
from pathlib import Path
from typing import Final

import attr
from labgrid.factory import target_factory
from labgrid.resource.common import ManagedResource, NetworkResource, ResourceManager
from labgrid.resource.remote import RemotePlaceManager

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.socket_paths import find_socket

_PATIENCE: Final = 1.0
"""[s] for a connection to a Unix socket; the exporter serves all of its resources in one thread."""

_TEXT_OR_NONE: Final = attr.validators.optional(attr.validators.instance_of(str))


@attr.s(eq=False)
class BenchManager(ResourceManager):
    """The watch over the benches of this machine."""

    def poll(self) -> None:
        for bench in self.resources:
            bench.look()


@target_factory.reg_resource
@attr.s(eq=False)
class HilbridgeBench(ManagedResource):
    """A bench of this machine, by its name or the path of its control socket; default: the only one that runs.

    It is available while its control socket is served: a connection that says nothing is kept to see that.
    """

    manager_cls = BenchManager

    bench: str | None = attr.ib(default=None, validator=_TEXT_OR_NONE)

    def __attrs_post_init__(self) -> None:
        self.control: str | None = None
        self._connection: socket.socket | None = None
        super().__attrs_post_init__()

    def look(self) -> None:
        """Find out whether the bench is up."""
        if self._connection is not None and not _is_silent(self._connection):
            self._connection.close()
            self._connection = None
        if self._connection is None:
            self._connect()
        self.avail = self._connection is not None

    def _connect(self) -> None:
        with contextlib.suppress(ConfigurationError, OSError), contextlib.ExitStack() as on_failure:
            path = find_socket(self.bench).absolute()
            connection = on_failure.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            connection.settimeout(_PATIENCE)
            connection.connect(str(path))
            connection.setblocking(False)
            on_failure.pop_all()
            self.control, self._connection = str(path), connection


def _is_silent(connection: socket.socket) -> bool:
    """Tell whether nothing has come: the daemon speaks to a silent client only to take its place, and then closes."""
    try:
        connection.recv(1)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


@target_factory.reg_resource
@attr.s(eq=False)
class NetworkHilbridgeBench(NetworkResource, ManagedResource):
    """A bench of the machine `host`, that an exporter tells of; `control`: the path of its control socket there."""

    manager_cls = RemotePlaceManager

    control: str | None = attr.ib(default=None, validator=_TEXT_OR_NONE)


def boot() -> str:
    """Return what the machine, more exactly its kernel, is known by until its next boot (random(4))."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
