"""What the kernel says of an interface, by answers that the test makes up, and by those of this machine's kernel."""

import json
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from hilbridge.base.common.errors import NotNowError
from hilbridge.boundary.links import adapter, can_interface
from hilbridge.boundary.links.adapter import Adapter, interface_name, is_virtual, parse_kind, read_adapter


def attribute(kind: int, content: bytes) -> bytes:
    """struct nlattr with its padding."""
    return struct.pack("=HH", 4 + len(content), kind) + content + bytes(-len(content) % 4)


def answer(kind: str | None) -> bytes:
    """RTM_NEWLINK with a name, and IFLA_LINKINFO where there is a kind."""
    attributes = attribute(3, b"vcan5\0")
    if kind is not None:
        attributes += attribute(18 | 0x8000, attribute(2, b"data") + attribute(1, kind.encode() + b"\0"))
    message = struct.pack("=BxHiII", 0, 280, 7, 0x41, 0) + attributes + attribute(13, b"\1")
    return struct.pack("=IHHII", 16 + len(message), 16, 0, 1, 0) + message


@pytest.mark.parametrize("name", ["vcan5", "can0", "body"])
@pytest.mark.parametrize(
    ("kind", "virtual"),
    [
        ("vcan", True),
        ("vxcan", True),
        ("can", False),
        ("slcan", False),
        ("dummy", False),
        ("vcanx", False),
        (None, False),
    ],
)
def test_an_interface_is_what_its_link_is_whatever_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, kind: str | None, virtual: bool
) -> None:
    monkeypatch.setattr(socket, "if_nametoindex", lambda _: 7)
    monkeypatch.setattr(adapter, "_kind", lambda _: parse_kind(answer(kind)))
    assert is_virtual(name) is virtual
    assert isinstance(found := read_adapter(name), Adapter)
    assert found.kind == (kind or "")


@pytest.mark.parametrize("broken", [answer("vcan")[:60], struct.pack("=IHHIIi", 20, 2, 0, 1, 0, -19) + bytes(16)])
def test_what_the_kernel_does_not_say_is_hardware(monkeypatch: pytest.MonkeyPatch, broken: bytes) -> None:
    """An answer that is cut off, and an error; also where there is no such interface, or no netlink."""
    assert not is_virtual("hbnone0")
    monkeypatch.setattr(socket, "if_nametoindex", lambda _: 7)
    monkeypatch.setattr(adapter, "_kind", lambda _: parse_kind(broken))
    assert not is_virtual("vcan0")


@pytest.mark.skipif(shutil.which("ip") is None, reason="needs iproute2")
def test_iproute2_and_this_kernel_agree() -> None:
    """On the kind of every interface of this machine."""
    links = json.loads(subprocess.run(["ip", "-d", "-j", "link"], check=True, capture_output=True, timeout=60).stdout)
    for link in links:
        found = read_adapter(link["ifname"])
        assert isinstance(found, Adapter)
        assert found.kind == link.get("linkinfo", {}).get("info_kind", "")


def test_an_adapter_is_known_by_its_serial_number_else_by_its_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At another USB port it is the same; another one at the same port is not; the channels of one differ."""

    def interface(name: str, port: str, channel: str) -> None:
        device = tmp_path / "devices" / port / f"{port}:1.0"
        device.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "dev_id").write_text(f"{channel}\n")
        (tmp_path / name / "device").unlink(missing_ok=True)
        (tmp_path / name / "device").symlink_to(device)

    def found() -> Adapter:
        return Adapter("can", adapter._device("can0"))

    monkeypatch.setattr(can_interface, "NETWORK", tmp_path)
    nothing = found()
    interface("can0", "1-1", "0x0")
    by_path = found()
    assert str(by_path).endswith("devices/1-1/1-1:1.0, channel 0x0")
    assert not nothing.differs(by_path)
    (tmp_path / "devices" / "1-1" / "serial").write_text("A1\n")
    first = found()
    assert first == Adapter("can", "serial number A1, channel 0x0")
    interface("can0", "1-2", "0x0")
    (tmp_path / "devices" / "1-2" / "serial").write_text("A1\n")
    assert not found().differs(first)
    interface("can0", "1-2", "0x1")
    assert found().differs(first)
    interface("can0", "1-1", "0x0")
    (tmp_path / "devices" / "1-1" / "serial").write_text("B2\n")
    assert found().differs(first)
    assert Adapter("can").differs(Adapter("vcan"))


@pytest.fixture
def adapters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, str, str, int], None]:
    """Makes interfaces as /sys has them: name, folder of the device, serial number of its parent, channel."""
    monkeypatch.setattr(can_interface, "NETWORK", tmp_path / "net")
    (tmp_path / "net").mkdir()

    def make(name: str, port: str, serial: str, channel: int) -> None:
        device = tmp_path / "devices" / port / f"{port}:1.0"
        device.mkdir(parents=True, exist_ok=True)
        if serial:
            (tmp_path / "devices" / port / "serial").write_text(f"{serial}\n")
        folder = tmp_path / "net" / name
        folder.mkdir()
        for file, text in (("type", "280"), ("flags", "0xc1"), ("mtu", "16"), ("dev_id", hex(channel))):
            (folder / file).write_text(f"{text}\n")
        (folder / "device").symlink_to(device)

    return make


def test_an_adapter_is_found_whatever_its_interface_is_called(adapters: Callable[[str, str, str, int], None]) -> None:
    """By its serial number, or by folders of its path; a plain name is the name itself."""
    adapters("can0", "1-1", "A1", 0)
    adapters("can1", "1-1", "A1", 1)
    adapters("body", "1-2", "", 0)
    assert interface_name("adapter:A1#0") == "can0"
    assert interface_name("adapter:A1#1") == "can1"
    assert interface_name("adapter:1-2") == interface_name("adapter:1-2/1-2:1.0") == "body"
    assert interface_name("can7") == "can7"


@pytest.mark.parametrize(
    ("channel", "words"),
    [
        ("adapter:A1", "several interfaces fit, can0, can1"),
        ("adapter:B2", "there is no such adapter; there is can0 is A1#0, can1 is A1#1"),
        ("adapter:A1#2", "there is no such adapter"),
        ("adapter:-1", "there is no such adapter"),
    ],
)
def test_what_could_be_another_adapter_is_not_taken(
    adapters: Callable[[str, str, str, int], None], channel: str, words: str
) -> None:
    """Cheap adapters have one serial number all together; part of a name is no name."""
    adapters("can0", "1-1", "A1", 0)
    adapters("can1", "1-2", "A1", 1)
    with pytest.raises(NotNowError, match=words):
        interface_name(channel)


def test_adapters_without_a_serial_number_on_one_hub_are_two(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The root hub's own number is the address of its controller; /sys as of a USB adapter without a number."""
    hub = tmp_path / "devices/pci0000:00/0000:00:14.0/usb1"
    monkeypatch.setattr(can_interface, "NETWORK", tmp_path)
    (tmp_path / "can0").mkdir()

    def plug_in(port: str, product: str) -> Adapter:
        interface = hub / port / f"{port}:1.0"
        interface.mkdir(parents=True, exist_ok=True)
        for folder, facts in ((hub, ("1d6b", "0002", "0000:00:14.0")), (hub / port, ("1d50", product))):
            for name, text in zip(("idVendor", "idProduct", "serial"), facts, strict=False):
                (folder / name).write_text(f"{text}\n")
        (tmp_path / "can0/device").unlink(missing_ok=True)
        (tmp_path / "can0/device").symlink_to(interface)
        return Adapter("can", adapter._device("can0"))

    first = plug_in("1-1", "606f")
    assert "0000:00:14.0/usb1/1-1" in str(first)
    assert not first.differs(plug_in("1-1", "606f"))
    assert plug_in("1-2", "606f").differs(first)
    assert plug_in("1-1", "5740").differs(first)  # another product in the same socket


def test_what_cannot_be_told_from_another_is_not_surely_the_same() -> None:
    """An interface that was only down has its index still; one that was pulled has not, and may be any."""
    slcan = Adapter("slcan", "", 7)
    assert slcan.is_surely(Adapter("slcan", "", 7))
    assert not slcan.is_surely(Adapter("slcan", "", 8))
    assert not Adapter("slcan").is_surely(Adapter("slcan"))
    assert Adapter("vcan", "", 7).is_surely(Adapter("vcan", "", 8))
    assert Adapter("can", "A1", 7).is_surely(Adapter("can", "A1", 8))
    assert not Adapter("can", "A1", 7).is_surely(Adapter("can", "B2", 7))


def test_a_serial_adapter_is_known_by_what_is_behind_its_port(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A USB converter by its serial number, under any name of its port; a pseudo terminal by nothing."""
    converter = tmp_path / "usb/1-1/1-1:1.0/ttyUSB0"
    converter.mkdir(parents=True)
    (tmp_path / "usb/1-1/serial").write_text("FT123\n")
    (tmp_path / "tty/ttyUSB0").mkdir(parents=True)
    (tmp_path / "tty/ttyUSB0/device").symlink_to(converter)
    (tmp_path / "ttyUSB0").touch()
    (tmp_path / "serial-FT123").symlink_to(tmp_path / "ttyUSB0")
    monkeypatch.setattr(adapter, "TERMINALS", tmp_path / "tty")
    found = adapter.serial_adapter("slcan", f"{tmp_path}/serial-FT123@115200")
    assert found == Adapter("slcan", "serial number FT123")
    assert found.is_surely(found)
    assert not adapter.serial_adapter("slcan", "/dev/pts/7").device


def test_an_answer_that_is_cut_off_is_never_a_virtual_interface() -> None:
    """At every byte: an error, or no kind; the whole of it is one."""
    whole = answer("vcan")
    kinds = set()
    for end in range(len(whole)):
        with suppress(OSError):
            kinds.add(parse_kind(whole[:end]))
        if end < whole.index(b"vcan\0", 40) + 5:
            assert kinds <= {""}
    assert parse_kind(whole) == "vcan"
