"""An input device that comes and goes; a pipe and a table of answers stand in for the kernel's."""

import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import LinkError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.links import event_device, event_port
from hilbridge.boundary.links.event_device import (
    DeviceAbsentError,
    DeviceUnknownError,
    EventDevice,
    devices,
    find_device,
    open_device,
)
from hilbridge.boundary.links.event_port import EVENTS_PER_TICK, EventPort

from ....event_device import ABS, KEY, SYN, FakeDevice

PATIENCE = 10.0
"""[s]"""

X, GAS, TRIGGER = 0, 9, 0x120
MINIMUM, MAXIMUM, OPENING = 0x100, 0x101, 0x102


@pytest.fixture
def wheel() -> Iterator[FakeDevice]:
    device = FakeDevice({X: (40, 0, 100), GAS: (255, 255, 0)}, [TRIGGER])
    yield device
    device.unplug()


@pytest.fixture
def port(wheel: FakeDevice) -> Iterator[EventPort]:
    opened = EventPort("Test Wheel", set(), wheel.opener)
    yield opened
    opened.close()


def records(data: bytes) -> list[tuple[int, int, int]]:
    return [*struct.iter_unpack("<HHi", data)]


def test_a_device_says_its_ranges_and_its_state_first(port: EventPort) -> None:
    assert records(port.poll(0)) == [
        (MINIMUM, X, 0),
        (MAXIMUM, X, 100),
        (MINIMUM, GAS, 255),
        (MAXIMUM, GAS, 0),
        (OPENING, X, 40),
        (OPENING, GAS, 255),
        (KEY, TRIGGER, 0),
        (SYN, 0, 0),
    ]
    assert port.poll(MILLISECOND) == b""


def test_events_come_without_their_time_and_without_what_no_control_needs(wheel: FakeDevice, port: EventPort) -> None:
    """Scan codes (MSC) and relative axes are left out."""
    port.poll(0)
    wheel.write((4, 4, 589825), (KEY, TRIGGER, 1), (2, 0, 3), (SYN, 0, 0))
    assert records(port.poll(MILLISECOND)) == [(KEY, TRIGGER, 1), (SYN, 0, 0)]


def test_where_the_kernel_dropped_events_the_state_takes_their_place(wheel: FakeDevice, port: EventPort) -> None:
    """All up to the next report belongs to half of a sample (kernel documentation, event codes, SYN_DROPPED)."""
    port.poll(0)
    wheel.axes[X][0], wheel.keys[TRIGGER] = 77, 1
    wheel.write((SYN, 3, 0), (ABS, X, 12))
    assert records(port.poll(MILLISECOND)) == []
    wheel.write((ABS, GAS, 13), (SYN, 0, 0), (ABS, X, 78), (SYN, 0, 0))
    found = records(port.poll(2 * MILLISECOND))
    assert found == [(ABS, X, 77), (ABS, GAS, 255), (KEY, TRIGGER, 1), (SYN, 0, 0), (ABS, X, 78), (SYN, 0, 0)]


def test_a_flood_is_read_by_the_piece(wheel: FakeDevice, port: EventPort) -> None:
    port.poll(0)
    for _ in range(4):
        wheel.write(*[(ABS, X, 1)] * EVENTS_PER_TICK)
        assert len(records(port.poll(MILLISECOND))) == EVENTS_PER_TICK
    wheel.write(*[(ABS, X, 1)] * (EVENTS_PER_TICK + 1))
    assert [len(records(port.poll(MILLISECOND))) for _ in range(3)] == [EVENTS_PER_TICK, 1, 0]


def test_a_device_that_was_pulled_out_is_opened_again(wheel: FakeDevice, port: EventPort) -> None:
    """It says its state anew, whatever it was before."""
    port.poll(0)
    wheel.unplug()
    assert port.poll(MILLISECOND) == b""
    assert (port.statistics.lost, port.trouble) == (1, "input device Test Wheel was unplugged")
    wheel.plug()
    wheel.axes[X][0] = 99
    data, t, end = b"", MILLISECOND, time.monotonic() + PATIENCE
    while not data and time.monotonic() < end:
        t += MILLISECOND
        data = port.poll(t)
    assert (OPENING, X, 99) in records(data)
    assert t >= 50 * MILLISECOND
    assert (port.statistics.opened, port.trouble) == (2, "")


def test_a_device_that_stays_away_is_looked_for_and_never_raises(wheel: FakeDevice) -> None:
    wheel.unplug()
    port = EventPort("Test Wheel", set(), wheel.opener)
    assert port.trouble == "no input device is 'Test Wheel'"
    for t in range(0, 5_000, 10):
        assert port.poll(t * MILLISECOND) == b""
    port.close()


def test_among_the_same_devices_it_is_not_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search reads a dozen files of each device, which no second is worth; another device starts a new one."""
    here, searches = [frozenset({"event0"})], []
    monkeypatch.setattr(event_port, "present", lambda: here[0])

    def search(name: str, _codes: object) -> EventDevice:
        searches.append(here[0])
        raise DeviceUnknownError(f"no input device is {name!r}")

    port = EventPort("wheel", set(), search)
    for t in range(0, 5_000, 10):
        port.poll(t * MILLISECOND)
    assert len(searches) == 1
    here[0] = frozenset({"event0", "event1"})
    t, end = 5_000, time.monotonic() + PATIENCE
    while len(searches) < 2 and time.monotonic() < end:
        t += 10
        port.poll(t * MILLISECOND)
    assert searches == [{"event0"}, {"event0", "event1"}]
    port.close()


def test_what_can_never_be_this_device_ends_the_start(tmp_path: Path) -> None:
    file = tmp_path / "event0"
    file.write_bytes(b"")
    with pytest.raises(LinkError, match="event0 is no input device"):
        EventPort(str(file), set())


def test_a_path_without_a_device_may_get_one_later(tmp_path: Path) -> None:
    with pytest.raises(DeviceAbsentError, match="No such file"):
        open_device(str(tmp_path / "event0"), set())


def test_a_device_without_a_wanted_axis_names_those_it_has(
    wheel: FakeDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "event0").write_bytes(b"")
    monkeypatch.setattr(event_device.EventDevice.__init__, "__defaults__", (wheel.ioctl,))
    with pytest.raises(LinkError, match="Test Wheel has no ABS_BRAKE; it has ABS_X, ABS_GAS, BTN_TRIGGER"):
        open_device(str(tmp_path / "event0"), {(ABS, X), (ABS, 0x0A)})


def make_sysfs(root: Path, number: int, name: str, ids: str, axes: str, keys: str) -> None:
    device = root / f"event{number}/device"
    (device / "id").mkdir(parents=True)
    (device / "capabilities").mkdir()
    (device / "name").write_text(name + "\n")
    for key, value in zip(("vendor", "product"), ids.split(":"), strict=True):
        (device / "id" / key).write_text(value + "\n")
    (device / "capabilities/abs").write_text(axes + "\n")
    (device / "capabilities/key").write_text(keys + "\n")


def test_a_device_is_found_by_name_or_by_its_numbers(tmp_path: Path) -> None:
    """A G29's capabilities as its driver sets them: X, Y, Z, RZ and a hat (30027), buttons 0x120 to 0x12f and on."""
    make_sysfs(
        tmp_path, 2, "AT Keyboard", "0001:0001", "0", "402000000 3803078f800d001 feffffdfffefffff fffffffffffffffe"
    )
    make_sysfs(tmp_path, 10, "G29 Wheel", "046d:c24f", "30027", "1ff 0 0 0 0 0 0 ffff00000000 0 0 0 0")
    make_sysfs(
        tmp_path, 3, "G29 Wheel", "046d:c24f", "0", "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe"
    )
    wanted = {(ABS, 0), (ABS, 5), (KEY, 0x120)}
    assert find_device("046D:C24F", wanted, tmp_path) == "/dev/input/event10"
    assert find_device("G29 Wheel", wanted, tmp_path) == "/dev/input/event10"
    assert find_device("g29", set(), tmp_path) == "/dev/input/event3"
    assert find_device("/dev/input/by-id/any", wanted, tmp_path) == "/dev/input/by-id/any"
    with pytest.raises(DeviceAbsentError, match=r"no input device is 'T300' \(there are: G29 Wheel\)"):
        find_device("T300", wanted, tmp_path)
    assert [(one.path.name, one.is_controller) for one in devices(tmp_path)] == [
        ("event2", False),
        ("event3", False),
        ("event10", True),
    ]
    wheel = [*devices(tmp_path)][2]
    assert wheel.axes == {0, 1, 2, 5, 16, 17}
    assert {0x120, 0x12F, 0x2C0} <= wheel.keys


def test_nothing_is_ever_written_to_a_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is opened for reading alone: force feedback cannot be touched."""
    flags: list[int] = []

    def opening(_path: str, how: int) -> int:
        flags.append(how)
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", opening)
    with pytest.raises(DeviceAbsentError, match="Permission denied; `hilbridge doctor` says how to allow it"):
        open_device("/dev/input/event0", set())
    assert flags[0] & os.O_ACCMODE == os.O_RDONLY
