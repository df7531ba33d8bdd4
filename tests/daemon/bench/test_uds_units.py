"""UDS servers on a bench: resets and programming, on the time of the ticks, and what is kept of memory."""

import gc
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from bincopy import BinFile  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.base.resources import Kind, find
from hilbridge.bench.bench import Bench
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.bench.stored_state import StoredState
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.testing import VirtualBench

Settings = Callable[[dict[str, object]], str]


@pytest.fixture
def with_uds(tmp_path: Path) -> Settings:
    """The diagnostics bench with further settings of the engine's UDS server; returns its path."""

    def written(settings: dict[str, object]) -> str:
        bench = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text())
        bench["diagnostics"]["units"]["engine"]["uds"] |= settings
        bench["rate"] = 100  # so that seconds of silence are few ticks
        bench["diagnostics"].pop("elm327")
        path = tmp_path / "desk.yaml"
        path.write_text(yaml.safe_dump(bench, sort_keys=False))
        return str(path)

    return written


def asked(car: VirtualBench, request: str) -> str:
    return car.uds(bytes.fromhex(request)).hex(" ").upper()


def test_a_control_unit_that_starts_anew_is_silent_for_its_time(with_uds: Settings) -> None:
    """The answer to the reset comes first; for 6 s neither OBD-II nor UDS is answered, and others are."""
    with VirtualBench(with_uds({"reset": {"time": 6000}})) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert asked(car, "11 01") == "51 01"
        begun = car.time
        with pytest.raises(TimeoutError):
            car.uds(bytes.fromhex("3E 00"))
        assert car.time - begun < 6.0
        assert car.uds(bytes.fromhex("3E 00"), ecu="transmission") == b"\x7e\x00"
        car.advance(6.0 - (car.time - begun) + 0.01)
        assert asked(car, "22 F1 86") == "62 F1 86 01"


FLASH, SIZE = 0x8_0000, 0x1_0000
DELIVERED = bytes(range(256)) * (SIZE // 256)


@pytest.fixture
def flashable(with_uds: Settings, tmp_path: Path) -> str:
    """A bench whose engine has 64 KiB of flash out of an S-record file, with a boot loader."""
    file = BinFile()
    file.add_binary(DELIVERED, FLASH)
    (tmp_path / "engine.s19").write_text(file.as_srec())
    memory = [{"image": "engine.s19", "flash": True}]
    return with_uds({"memory": memory, "programming": {"erase_time": 100, "bootloader": True, "block_length": 4095}})


def flash(car: VirtualBench, image: bytes) -> None:
    asked(car, "10 02")
    assert asked(car, "31 01 FF 00") == "71 01 FF 00 00"
    assert asked(car, f"34 00 44 {FLASH:08X} {len(image):08X}") == "74 20 0F FF"
    for number, begin in enumerate(range(0, len(image), 4093), 1):
        assert asked(car, f"36 {number:02X} {image[begin : begin + 4093].hex()}") == f"76 {number:02X}"
    assert asked(car, "37") == "77"
    assert asked(car, "31 01 FF 01") == "71 01 FF 01 00"
    assert asked(car, "11 01") == "51 01"


def state_of(car: VirtualBench) -> dict[str, Any]:
    """What the run would store now, and its pieces of memory."""
    pieces: dict[str, Any] = {}
    stored = StoredState(car.parts)

    def store(unit: str, address: str, piece: str | int | None) -> bool:
        pieces.setdefault(unit, {})[address] = piece
        return True

    assert stored.store_memory(store)
    return stored.state() | {"memory_pieces": pieces}


def test_what_was_flashed_is_there_after_a_restart_of_the_program(flashable: str) -> None:
    """It is read back from the state that a run stores; the file of the bench stays as it is."""
    image = bytes(byte ^ 0x5A for byte in DELIVERED[:20_000])
    with VirtualBench(flashable) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert asked(car, f"23 14 {FLASH:08X} 04") == "63 00 01 02 03"
        flash(car, image)
        kept = state_of(car)
    with VirtualBench(flashable) as car:
        StoredState(car.parts).restore(kept, pytest.fail)
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert car.uds(bytes.fromhex(f"23 24 {FLASH:08X} 0F FE"))[1:] == image[:4094]
        assert asked(car, f"23 14 {FLASH + len(image) - 1:08X} 03") == f"63 {image[-1]:02X} FF FF"
        assert car.obd(0x0C) is not None


def test_a_unit_may_write_at_its_shutdown(tmp_path: Path) -> None:
    """What a tester changed is kept when the ignition goes off, at a reset, and at the end of the run, not before."""
    bench = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text())
    bench["diagnostics"]["units"]["engine"]["nv_storage"] = "shutdown"
    bench["diagnostics"].pop("elm327")
    bench["rate"] = 100
    path = tmp_path / "desk.yaml"
    path.write_text(yaml.safe_dump(bench, sort_keys=False))

    with VirtualBench(str(path)) as car:
        stored = StoredState(car.parts)
        stored.restore({}, pytest.fail)
        car.parts.nvram.connected = True

        def kept(*, ended: bool = False) -> str:
            written: dict[str, str] = stored.state(ended=ended)["identifiers"]["engine"]
            return written.get("F199", "")

        def write(number: int) -> None:
            asked(car, "10 03")
            assert asked(car, f"2E F1 99 20 26 11 {number:02X}") == "6E F1 99"
            assert not car.parts.nvram.is_busy

        car.set("input.Key", 0)
        car.advance(1.0)
        stored.handed_over(round(car.time * 1e9))
        write(1)
        assert not stored.due(round(car.time * 1e9) + SECOND)
        assert kept() == ""
        assert kept(ended=True) == "20261101"
        car.set("input.Key", -1)
        car.advance(0.1)
        assert stored.due(round(car.time * 1e9) + 2 * SECOND)
        assert kept() == "20261101"
        car.set("input.Key", 0)
        car.advance(0.1)
        write(2)
        assert kept() == "20261101"
        assert asked(car, "11 01") == "51 01"
        assert kept() == "20261102"


def test_without_an_application_there_is_no_obd(flashable: str) -> None:
    """The boot loader refuses it (11), over a restart too."""
    with VirtualBench(flashable) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 02")
        asked(car, "31 01 FF 00")
        kept = state_of(car)
    with VirtualBench(flashable) as car:
        StoredState(car.parts).restore(kept, pytest.fail)
        car.set("input.Key", 0)
        car.advance(0.1)
        assert [asked(car, one) for one in ("01 0C", "19 01 FF")] == ["7F 01 11", "7F 19 11"]
        testers = dict(car.parts.wiring.control_units.statistics())
        assert (testers["engine"].events["boot_loader"], "boot_loader" in testers["transmission"].events) == (1, False)


def test_pieces_wait_for_room_and_go_before_the_state(flashable: str) -> None:
    """Four of 16 KiB are all; two that are taken are not offered again."""
    with VirtualBench(flashable) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        asked(car, "10 02")
        asked(car, "31 01 FF 00")
        stored, taken = StoredState(car.parts), []

        def store(_unit: str, address: str, _piece: str | int | None) -> bool:
            taken.append(address)
            return True

        assert not stored.store_memory(lambda *_: False)
        assert not stored.store_memory(store, 2)
        assert stored.store_memory(store, 2)
        assert taken == [f"{FLASH + number * 0x4000:010X}" for number in range(4)]


def test_a_recording_has_the_file_of_the_memory(flashable: str) -> None:
    files = bundle(load_bench(flashable))
    assert files["engine.s19"].startswith(b"S")
    assert b"image: engine.s19" in files["bench.yaml"]


def test_a_file_that_is_missing_is_told_with_its_key(flashable: str) -> None:
    Path(flashable).with_name("engine.s19").unlink()
    with pytest.raises(ConfigurationError, match=r"engine\.s19: No such file"), VirtualBench(flashable):
        pass


def test_a_reload_keeps_what_was_flashed(flashable: str) -> None:
    """And a unit whose file is another one begins anew with it."""
    with VirtualBench(flashable) as car:
        car.set("input.Key", 0)
        car.advance(0.1)
        flash(car, b"new program")
        car.parts.adopt(load_bench_files(load_bench(flashable)), 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert bytes.fromhex(asked(car, f"23 14 {FLASH:08X} 0B"))[1:] == b"new program"
        file = BinFile()
        file.add_binary(b"delivered later", FLASH)
        Path(flashable).with_name("engine.s19").write_text(file.as_srec())
        car.parts.adopt(load_bench_files(load_bench(flashable)), 0)
        car.advance(0.1)
        asked(car, "10 03")
        assert bytes.fromhex(asked(car, f"23 14 {FLASH:08X} 09"))[1:] == b"delivered"


def test_a_replaced_server_is_gone_without_a_collector(flashable: str) -> None:
    """The tick has none, and a server may have some MiB of memory."""
    bench = Bench(load_bench(flashable))
    replaced = weakref.ref(bench.wiring.control_units.uds["engine"])
    memory = weakref.ref(bench.wiring.control_units.uds["engine"].memory)
    gc.collect()
    gc.disable()
    try:
        bench.adopt(load_bench_files(load_bench(flashable)), 0)
        assert (replaced(), memory()) == (None, None)
    finally:
        gc.enable()
        bench.close()


def test_a_unit_that_nobody_asks_costs_nothing(with_uds: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever services it has: its server is not called, once periodic messages and events have ended."""
    path = with_uds({"periodic": {}, "events": {}, "dynamic": True, "identifiers": {"F200": {"data": "01"}}})
    calls: list[int] = []
    poll = UdsServer.poll

    def counted(self: UdsServer, t: int) -> bytes | None:
        calls.append(t)
        return poll(self, t)

    monkeypatch.setattr(UdsServer, "poll", counted)
    with VirtualBench(path) as car:
        car.set("input.Key", 0)
        car.advance(0.2)
        assert calls == []
        for request in ("86 03 02 F2 00 22 F2 00", "86 05 02", "10 03", "2A 01 00"):
            asked(car, request)
        car.advance(0.2)
        assert len(calls) >= 20
        for request in ("2A 04", "10 01"):
            asked(car, request)
        car.advance(0.02)
        calls.clear()
        car.advance(0.2)
        assert calls == []
