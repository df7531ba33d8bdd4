"""A SocketCAN link whose interface is another one when it comes back; the kernel is the test's."""

import socket
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.links import can_interface, socketcan
from hilbridge.boundary.links.adapter import Adapter
from hilbridge.boundary.links.socketcan import SocketcanLink
from hilbridge.files.settings import BusSettings
from hilbridge.frames.bus.bus import Bus


class Kernel:
    """Opens any interface, and says what the test wants of its adapter."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, adapter: Adapter | str) -> None:
        self.adapter = adapter
        monkeypatch.setattr(socketcan, "_require_interface", lambda *_: None)
        monkeypatch.setattr(socketcan, "read_adapter", lambda _: self.adapter)
        monkeypatch.setattr(socketcan, "open_interface", self._open)

    def _open(self, *_: Any, **__: Any) -> socket.socket:
        return socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)


def link(**keys: Any) -> SocketcanLink:
    return SocketcanLink(Bus("a"), BusSettings(interface="socketcan", channel="vcan5", **keys))


def come_back(it: SocketcanLink) -> None:
    """Lose the interface, and look for it once more."""
    it._lose("No such device", 0)
    it.poll(60 * SECOND)


VCAN, FIRST, SECOND_ONE = Adapter("vcan"), Adapter("can", "serial number A1"), Adapter("can", "serial number B2")


@pytest.mark.parametrize(
    ("before", "after", "replaced"),
    [
        (FIRST, FIRST, False),
        (FIRST, SECOND_ONE, True),
        (FIRST, Adapter("can"), True),
        (Adapter("slcan", "", 7), Adapter("slcan", "", 8), True),
        (Adapter("slcan", "", 7), Adapter("slcan", "", 7), False),
        (FIRST, Adapter(""), True),
        (VCAN, FIRST, True),
        (FIRST, "netlink: Permission denied", True),
    ],
)
def test_hardware_that_comes_back_is_the_same_or_takes_no_frames(
    monkeypatch: pytest.MonkeyPatch, before: Adapter, after: Adapter | str, replaced: bool
) -> None:
    """By what the kernel knows; where it knows nothing it may be any, and the bus is disarmed."""
    kernel = Kernel(monkeypatch, before)
    it = link()
    assert it.accepts(1)
    kernel.adapter = after
    come_back(it)
    assert (it.trouble, it.replaced, it.accepts(1)) == ("", replaced, not replaced)
    it.close()


@pytest.mark.parametrize(
    ("hardware", "comes", "virtual"),
    [(None, VCAN, True), (None, FIRST, False), (True, VCAN, False), (False, VCAN, False)],
)
def test_an_interface_that_comes_late_says_whether_it_is_virtual(
    monkeypatch: pytest.MonkeyPatch, hardware: bool | None, comes: Adapter, virtual: bool
) -> None:
    """Unless the bench file says it, or a recording; another adapter in its place takes that back."""
    kernel = Kernel(monkeypatch, "No such device")

    def missing(*_: Any) -> None:
        raise NotNowError("there is no vcan5", ("channel",))

    monkeypatch.setattr(socketcan, "_require_interface", missing)
    settings = BusSettings(interface="socketcan", channel="vcan5", hardware=hardware)
    it = SocketcanLink(Bus("a"), settings, waits=True)
    assert it.trouble
    monkeypatch.setattr(socketcan, "_require_interface", lambda *_: None)
    kernel.adapter = comes
    it.poll(60 * SECOND)
    assert (it.trouble, it.came_virtual, it.replaced) == ("", virtual, False)
    kernel.adapter = SECOND_ONE
    come_back(it)
    assert not it.came_virtual
    it.close()


@pytest.mark.parametrize("after", [FIRST, Adapter(""), "netlink: Permission denied"])
def test_what_was_virtual_at_the_start_is_not_opened_as_hardware(
    monkeypatch: pytest.MonkeyPatch, after: Adapter | str
) -> None:
    """Its gate would let frames pass that no hardware may get; the same virtual one is opened."""
    kernel = Kernel(monkeypatch, VCAN)
    it = link(hardware=False)
    come_back(it)
    assert it.accepts(1)
    kernel.adapter = after
    come_back(it)
    assert not it.accepts(1)
    assert "virtual at the start" in it.trouble
    it.close()


def test_an_operator_s_word_that_it_is_no_hardware_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an adapter that the kernel takes for hardware from the start."""
    Kernel(monkeypatch, FIRST)
    it = link(hardware=False)
    come_back(it)
    assert it.accepts(1)
    it.close()


def test_a_bus_that_the_bench_file_arms_sends_at_any_adapter_but_one_that_is_certainly_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`armed: true` is the operator's word that whatever is there may hear."""
    for before, after, replaced in ((FIRST, Adapter("can"), False), (FIRST, SECOND_ONE, True)):
        kernel = Kernel(monkeypatch, before)
        it = link(armed=True)
        kernel.adapter = after
        come_back(it)
        assert it.replaced is replaced
        it.close()


@pytest.mark.parametrize("comes_after", [0, 0.3, 7, 3600, 30 * 86400])
def test_an_adapter_that_comes_late_is_in_use_two_seconds_later(
    monkeypatch: pytest.MonkeyPatch, comes_after: float
) -> None:
    """An hour, or a month: what is awaited costs an attempt a second, and is not given up."""
    Kernel(monkeypatch, FIRST)
    attempts = 0

    def missing(*_: Any) -> None:
        nonlocal attempts
        attempts += 1
        raise NotNowError("there is no vcan5", ("channel",))

    monkeypatch.setattr(socketcan, "_require_interface", missing)
    it = SocketcanLink(Bus("a"), BusSettings(interface="socketcan", channel="vcan5"), waits=True)
    step, t = max(SECOND // 10, int(comes_after * SECOND) // 36_000), 0
    while t < comes_after * SECOND:
        t += step
        it.poll(t)
        assert it.trouble
    assert attempts <= comes_after + 10
    monkeypatch.setattr(socketcan, "_require_interface", lambda *_: None)
    while it.trouble:
        t += SECOND // 10
        it.poll(t)
        assert t <= comes_after * SECOND + step + 2 * SECOND
    assert it.accepts(1)
    it.close()


def test_a_bus_of_an_adapter_has_its_interface_whatever_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine boots with it renamed, and it comes back under a third name: armed as it was, nothing is typed."""
    Kernel(monkeypatch, FIRST)
    names: list[str] = []

    def named(channel: str) -> str:
        assert channel == "adapter:A1"
        if not names:
            raise NotNowError("there is no such adapter", ("channel",))
        return names[-1]

    opened: list[str] = []
    monkeypatch.setattr(socketcan, "interface_name", named)
    monkeypatch.setattr(socketcan, "_require_interface", lambda channel, _fd: opened.append(channel))
    it = SocketcanLink(Bus("a"), BusSettings(interface="socketcan", channel="adapter:A1"), waits=True)
    assert it.trouble == "socketcan adapter:A1 cannot be opened: there is no such adapter"
    names.append("can7")
    it.poll(60 * SECOND)
    assert (it.trouble, it.describe()) == ("", "socketcan adapter:A1 (can7)")
    names.append("can3")
    it._lose("No such device", 60 * SECOND)
    it.poll(120 * SECOND)
    assert (opened, it.replaced, it.accepts(1)) == (["can7", "can3"], False, True)
    it.close()


@pytest.mark.parametrize(("index", "lost"), [(4, False), (5, True), (None, True)])
def test_an_interface_that_stands_still_under_another_name_is_let_go(
    monkeypatch: pytest.MonkeyPatch, index: int | None, lost: bool
) -> None:
    """Its socket would still send there, while the name may belong to another adapter by now."""

    def look(_: str) -> int:
        if index is None:
            raise OSError("no such interface")
        return index

    Kernel(monkeypatch, Adapter("can", "serial number A1", 4))
    monkeypatch.setattr(socket, "if_nametoindex", look)
    monkeypatch.setattr(SocketcanLink, "_carries", lambda *_: True)
    it = link()
    it._stand_still("is down", 0)
    it.poll(2 * SECOND)
    assert ("is not called vcan5 any more" in it.trouble) is lost
    assert it.accepts(1) is not lost
    it.close()


@pytest.mark.parametrize("there", [True, False])
def test_an_interface_that_goes_while_it_is_looked_at_is_awaited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: bool
) -> None:
    """It was there at the first question and is gone at the second: no word of the file being wrong."""
    monkeypatch.setattr(socketcan, "missing_sockets", lambda: None)
    monkeypatch.setattr(socketcan, "NETWORK", tmp_path)
    monkeypatch.setattr(can_interface, "NETWORK", tmp_path)
    monkeypatch.setattr(socket, "if_nametoindex", lambda _: 4)
    if there:
        (tmp_path / "vcan5").mkdir()  # and no CAN interface
    with pytest.raises(LinkError) as refusal:
        link()
    assert isinstance(refusal.value, NotNowError) is not there


@pytest.mark.parametrize("adapter", ["", "/", "#1", "A1#", "A1#x", "A1#-1"])
def test_an_adapter_needs_a_number_or_a_path(adapter: str) -> None:
    with pytest.raises(ValueError, match="names no adapter"):
        BusSettings(interface="socketcan", channel=f"adapter:{adapter}")
