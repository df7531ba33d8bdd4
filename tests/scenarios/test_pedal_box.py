"""The packaged bench of a pedal box, by the real program: on the virtual clock, and driven through its serial port."""

import os
import time
from itertools import pairwise
from pathlib import Path

import can
import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]
from opendbc.car.volkswagen.mqbcan import volkswagen_mqb_meb_checksum  # type: ignore[import-untyped]

from ..program import CHECKOUT, PATIENCE, database, decoded, record, running, slcan_client

pytestmark = pytest.mark.nightly

FOLDER = CHECKOUT / "config/benches"
ENGINE = database().get_message_by_name("EngineData1")


def embedded(folder: Path) -> Path:
    """The packaged bench on an embedded bus: for machines without CAN."""
    text = (FOLDER / "pedal-box.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("interface: socketcan", "interface: embedded"),
        ("channel: vcan0", "slcan: 0"),
        ("name: pedal-box", f"name: pedal-box\ncontrol: {{socket: {folder}/ctl.sock}}"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "pedal-box.log").write_bytes((FOLDER / "pedal-box.log").read_bytes())
    bench = folder / "bench.yaml"
    bench.write_text(text, encoding="utf-8")
    return bench


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[can.Message]:
    """Twelve seconds in which nobody touches the pedals; the log is played more than seven times."""
    folder = tmp_path_factory.mktemp("pedal-box")
    return record(embedded(folder), folder / "recording", 12.0)


def of(frames: list[can.Message], identifier: int) -> list[can.Message]:
    return [frame for frame in frames if frame.arbitration_id == identifier]


def test_the_rest_bus_goes_on_where_its_log_starts_again(frames: list[can.Message]) -> None:
    """Its protected frame goes every 50 ms, its counter without a break, its checksum as opendbc calculates it.

    Where the log starts again the interval is shorter: the log lasts 1.593 s, not 1.6.
    """
    airbag = of(frames, 0x040)
    assert len(airbag) == pytest.approx(12 * 20, abs=1)
    assert [frame.data[1] & 0x0F for frame in airbag] == [number % 16 for number in range(len(airbag))]
    assert all(frame.data[0] == volkswagen_mqb_meb_checksum(0x040, None, frame.data) for frame in airbag)
    intervals = [round((later.timestamp - earlier.timestamp) * 1000) for earlier, later in pairwise(airbag)]
    assert sum(interval != 50 for interval in intervals) == 12 // 1.6
    assert all(43 <= interval <= 50 for interval in intervals)


def test_the_log_is_what_the_clusters_bench_sends() -> None:
    """It is a recording of it: the same identifiers, checksums right."""
    logged = list(can.LogReader(FOLDER / "pedal-box.log"))
    assert {frame.arbitration_id for frame in logged} == {0x040, 0x3DB, 0x5F0}
    assert all(frame.data[0] == volkswagen_mqb_meb_checksum(0x040, None, frame.data) for frame in of(logged, 0x040))


def test_raw_frames_count_and_are_checked(frames: list[can.Message]) -> None:
    """0x3D0 every 100 ms with a counter and the CRC-8 of SAE J1850; 0x3D1 is silent while the ignition is off."""
    raw = of(frames, 0x3D0)
    assert len(raw) == 120
    for number, frame in enumerate(raw):
        assert frame.data[1] & 0x0F == number % 16
        assert frame.data[3] == Crc8SaeJ1850.calc(bytes(frame.data[:3]))
    assert of(frames, 0x3D1) == []


def line(throttle: float, *, second: float | None = None, ignition: int = 1, starter: int = 0) -> bytes:
    """What a pedal box writes, its second sensor at half the voltage of the first."""
    tracks = round(102 + 820 * throttle), round(51 + 410 * (throttle if second is None else second))
    text = f"PB,{tracks[0]},{tracks[1]},80,80,0,512,{ignition},{ignition},{starter},0"
    checksum = 0
    for character in text.encode():
        checksum ^= character
    return f"${text}*{checksum:02X}\r\n".encode()


def test_terminals_start_the_engine_and_the_pedal_revs_it(tmp_path: Path) -> None:
    """And when its two sensors disagree, no more than the limp share of the throttle is left."""
    with running(embedded(tmp_path)) as program:
        with slcan_client(program.slcan_port()) as client:
            port = os.open(program.pedal_port(), os.O_WRONLY | os.O_NOCTTY)

            def until(text: bytes, signal: str, low: float, high: float) -> None:
                """Writes the line at 50 Hz until the value is inside the bounds."""
                deadline, written = time.monotonic() + PATIENCE, 0.0
                while time.monotonic() < deadline:
                    if time.monotonic() - written >= 0.02:
                        os.write(port, text)
                        written = time.monotonic()
                    frame = client.recv(0.01)
                    if frame is not None and frame.arbitration_id == ENGINE.frame_id:
                        value = decoded(ENGINE, frame)[signal]
                        if low <= value <= high:
                            return
                raise AssertionError(f"{signal} never came to {low} ... {high}")

            until(line(0.0, starter=1), "EngineWorking", 1, 1)
            until(line(0.5), "EngineRpm", 3000, 9000)
            until(line(0.5), "ThrottleSignal", 49, 51)
            until(line(0.9, second=0.2), "ThrottleSignal", 14, 16)
            until(line(0.0, ignition=0), "EngineRpm", 0, 100)
            os.close(port)
        program.stop()
