"""A TCP port: where it is, and that it can be had."""

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.boundary.links.doors import listen, open_port
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.frames.bus.bus import Bus

from .bench import Bench


@pytest.fixture
def link(bus: Bus) -> Iterator[EmbeddedLink]:
    embedded = EmbeddedLink(bus, [0])
    embedded.poll(0)
    yield embedded
    embedded.close()


def port_of(link: EmbeddedLink) -> int:
    return int(link.describe().rsplit(":", 1)[1])


def test_a_port_in_use_is_an_error_that_names_it_and_its_key(link: EmbeddedLink, bus: Bus) -> None:
    with pytest.raises(
        LinkError, match=rf"127\.0\.0\.1:{port_of(link)} cannot be opened: Address already in use"
    ) as refusal:
        EmbeddedLink(bus, ["pty", port_of(link)])
    assert refusal.value.place == ("slcan",)


def test_a_port_can_be_used_again_at_once(bus: Bus, bench: Bench) -> None:
    """Also while connections of the last run are still being forgotten by the kernel."""
    first = EmbeddedLink(bus, [0])
    port = port_of(first)
    first.poll(0)
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        first.poll(0)
        first.close()
    EmbeddedLink(bus, [port]).close()


def test_the_port_is_on_the_loopback_address_only(link: EmbeddedLink) -> None:
    assert link.describe().startswith("slcan on socket://127.0.0.1:")
    local = [line.split()[1].split(":") for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    loopback = int.from_bytes(socket.inet_aton("127.0.0.1"), sys.byteorder)
    assert {int(address, 16) for address, port in local if int(port, 16) == port_of(link)} == {loopback}


def test_a_port_that_is_closed_can_still_be_named(bus: Bus) -> None:
    """The statistics at the end of a run do."""
    link = EmbeddedLink(bus, [0])
    name = link.describe()
    link.close()
    assert link.describe() == name


@pytest.mark.parametrize(("address", "shown"), [("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")])
def test_a_port_listens_at_the_address_that_it_is_given(address: str, shown: str) -> None:
    door = listen(0, address)
    port = int(door.describe().removeprefix(f"socket://{shown}:"))
    with socket.create_connection((address, port), timeout=5):
        client = door.enter()
        door.leave(client)
    door.close()


def test_an_address_that_the_machine_does_not_have_is_refused_with_the_remedy() -> None:
    """192.0.2.0/24 is for documentation (RFC 5737)."""
    with pytest.raises(LinkError, match=r"this machine has no address 192\.0\.2\.1; `ip address` lists"):
        open_port(0, "ELM327", address="192.0.2.1")


def test_a_port_takes_no_client_before_somebody_answers() -> None:
    """A tester that comes while the bench is still being built is refused at once, and tries again."""
    door = open_port(0, "ELM327")
    port = int(door.describe().removeprefix("socket://127.0.0.1:"))
    assert door.descriptor is None
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)
    with pytest.raises(NotNowError, match=rf"{port} cannot be opened: Address already in use"):
        open_port(port, "ELM327")  # it is taken already
    door.renew(0)
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        door.leave(door.enter())
    door.close()


def test_of_two_that_bind_a_port_at_once_the_second_says_why_it_waits_and_takes_over() -> None:
    """Both can where a connection of the last run is still being forgotten by the kernel."""
    last = listen(0)
    port = int(last.describe().rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=5):
        last.leave(last.enter())
        last.close()
    first, second = open_port(port, "ELM327"), open_port(port, "ELM327")
    first.renew(0)
    second.renew(0)
    assert second.descriptor is None
    assert "in use" in second.trouble
    first.close()
    second.renew(1)
    assert second.descriptor is None  # not in every tick
    second.renew(2_000_000_000)
    assert second.descriptor is not None
    assert second.trouble == ""
    second.close()


def test_the_first_opening_of_a_port_is_not_counted_as_another_one(bus: Bus) -> None:
    link = EmbeddedLink(bus, [0], socketcand=0)
    assert link.trouble == ""
    link.poll(0)
    assert link.statistics.reopened == 0
    link.close()
