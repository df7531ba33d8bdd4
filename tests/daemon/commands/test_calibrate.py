"""`hilbridge calibrate` through a terminal: a board behind a pseudo terminal, a wheel behind a pipe."""

import argparse
import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.boundary.links import event_port
from hilbridge.boundary.links.event_port import EventPort
from hilbridge.boundary.record.boundary_records import PORT, SERIAL, PortRecord
from hilbridge.boundary.record.playback import PlayedPort
from hilbridge.commands import calibrate
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import EvdevInput
from hilbridge.frames.codec.input_events import event_codes
from vehiclesim.channels import InputData

from ...event_device import ABS, FakeDevice
from ...serial_board import Board

PATIENCE = 10.0
"""[s]"""
TICK = 10_000_000
"""[ns]"""

BENCH = """\
# my desk, do not touch
name: desk
vehicle: compact
rate: 100
buses: {{powertrain: {{interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}}}}
inputs:
  - {source}
    signals:
      Throttle: {throttle}   # the right one
      Brake: {brake}
"""


class Somebody:
    """Who sits before a terminal: reads what the command shows, and types."""

    def __init__(self) -> None:
        self._own, other = pty.openpty()
        tty.setraw(other)
        self._keyboard = os.fdopen(other, "r", encoding="utf-8")
        self._screen = os.fdopen(os.dup(other), "w", encoding="utf-8")
        self.terminal = calibrate.Terminal(self._keyboard, self._screen)
        self.shown = ""
        self._read = 0

    def expect(self, text: str) -> None:
        """Wait until the command shows a text, after what was expected before."""
        end = time.monotonic() + PATIENCE
        while (at := self.shown.find(text, self._read)) < 0:
            assert select.select([self._own], [], [], max(end - time.monotonic(), 0))[0], self.shown[-500:]
            self.shown += os.read(self._own, 4096).decode(errors="replace")
        self._read = at + len(text)

    def type(self, text: str) -> None:
        os.write(self._own, text.encode())

    def leave(self) -> None:
        self._keyboard.close()
        self._screen.close()
        os.close(self._own)


@contextmanager
def command(somebody: Somebody, *arguments: str) -> Iterator[list[int]]:
    """The command in a thread; the list gets its exit status at the end."""
    status: list[int] = []
    parser = argparse.ArgumentParser()
    calibrate.add_arguments(parser)
    options = parser.parse_args(arguments)
    thread = threading.Thread(target=lambda: status.append(calibrate.converse(options, somebody.terminal)), daemon=True)
    thread.start()
    yield status
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.fixture
def somebody(monkeypatch: pytest.MonkeyPatch) -> Iterator[Somebody]:
    monkeypatch.setattr(calibrate, "_INTERVAL", 0.001)
    one = Somebody()
    yield one
    one.leave()


@contextmanager
def sending(board: Board, line: Callable[[], bytes]) -> Iterator[None]:
    """A board that sends its line again and again."""
    over = threading.Event()

    def send() -> None:
        while not over.wait(0.001):
            with suppress(OSError):
                board.write(line())

    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_serial_pedal_is_calibrated_and_only_its_keys_change(tmp_path: Path, somebody: Somebody) -> None:
    """Brake is skipped; a pedal that was not pressed is refused and asked for again."""
    board = Board(tmp_path / "port")
    board.plug()
    source = f"source: serial\n    port: {board.path}"
    before = BENCH.format(source=source, throttle="{field: gas}", brake="{field: brake}")
    file = tmp_path / "desk.yaml"
    file.write_text(before)
    gas = [62]
    with sending(board, lambda: b"gas=%d brake=7\n" % gas[0]), command(somebody, str(file)) as status:
        for value in (62, 62, 958, 62):
            somebody.expect("then Enter")
            gas[0] = value
            somebody.expect(f"gas {value}")
            somebody.type("\n")
        somebody.expect("Brake: let go of it, then Enter")
        somebody.type("s\n")
        somebody.expect("write this?")
        somebody.type("y\n")
        somebody.expect("is written")
    board.unplug()
    assert status == [0]
    assert "refused: gas moved by 0 only" in somebody.shown
    assert "-      Throttle: {field: gas}   # the right one" in somebody.shown
    assert file.read_text() == before.replace(
        "{field: gas}", "{field: gas, minimum: 62, maximum: 958, dead_zone: 0.01}"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["desk.yaml"]


def test_nothing_is_written_without_a_yes(tmp_path: Path, somebody: Somebody) -> None:
    file = tmp_path / "desk.yaml"
    source = f"source: serial\n    port: {tmp_path}/nothing"
    text = BENCH.format(source=source, throttle="{field: gas}", brake="{field: brake}")
    file.write_text(text)
    with command(somebody, str(file), "--control", "Brake") as status:
        somebody.expect("nothing at 115200 baud cannot be opened")
        somebody.type("\n")
        somebody.expect("refused: brake is silent")
        somebody.type("q\n")
        somebody.expect("nothing is written")
    assert (status, file.read_text()) == ([1], text)


def test_a_wheel_is_calibrated_driven_pulled_out_and_put_back(
    tmp_path: Path, somebody: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its throttle is inverted, 240 released and 20 pressed; and a replay of what it said moves the same controls."""
    wheel = FakeDevice({2: (240, 0, 255), 5: (1, 0, 255)})
    monkeypatch.setattr(event_port.EventPort.__init__, "__defaults__", (wheel.opener,))
    file = tmp_path / "desk.yaml"
    text = BENCH.format(
        source="source: evdev\n    device: Test Wheel", throttle="{field: ABS_Z}", brake="{field: ABS_RZ}"
    )
    file.write_text(text)
    with command(somebody, str(file), "1", "--control", "Throttle") as status:
        for value in (240, 20, 240):
            somebody.expect("then Enter")
            wheel.send((ABS, 2, value))
            somebody.expect(f"ABS_Z {value}")
            somebody.type("\n")
        somebody.expect("write this?")
        somebody.type("y\n")
        somebody.expect("is written")
    assert status == [0]
    assert "{field: ABS_Z, minimum: 240, maximum: 20, dead_zone: 0.01}" in file.read_text()

    bench = Bench(load_bench(str(file)))
    settings = bench.settings.inputs[0]
    assert isinstance(settings, EvdevInput)
    port = EventPort(settings.device, event_codes(settings), wheel.opener)
    bench.connect(input_port=lambda _: port)
    records: list[tuple[int, int, bytes]] = []

    def keep(kind: int, t: int, payload: bytes) -> bool:
        records.append((kind, t, payload))
        return True

    bench.boundary.listen(keep)
    driven: list[int] = []

    def tick() -> int:
        bench.sample(len(driven) * TICK)
        driven.append(bench.vehicle.data.input[InputData.THROTTLE])
        return driven[-1]

    assert tick() == 0
    wheel.send((ABS, 2, 130))
    assert tick() == 5000
    wheel.unplug()
    assert tick() == 0
    wheel.axes[2][0] = 185
    wheel.plug()
    end = time.monotonic() + PATIENCE
    while port.trouble and time.monotonic() < end:
        tick()
        time.sleep(0.001)
    assert tick() == 2449  # 55 of 220, less 1 % at each end: (0.25 - 0.01) / 0.98
    bench.close()
    assert replayed(file, records, len(driven)) == driven


def replayed(file: Path, records: list[tuple[int, int, bytes]], ticks: int) -> list[int]:
    """The throttle of a bench that hears what was recorded of another one's input."""
    again = Bench(load_bench(str(file)))
    played = PlayedPort()
    again.connect(input_port=lambda _: played)
    repeated: list[int] = []
    for number in range(ticks):
        for kind, t, payload in records:
            if t == number * TICK and kind == SERIAL:
                played.data += PortRecord.decode(payload).content
            elif t == number * TICK and kind == PORT:
                played.trouble = PortRecord.decode(payload).content.decode()
        again.sample(number * TICK)
        repeated.append(again.vehicle.data.input[InputData.THROTTLE])
    return repeated


def test_an_input_must_be_named_where_there_are_several(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = BENCH.format(source="source: serial\n    port: pty", throttle="{}", brake="{}")
    text += "  - source: evdev\n    device: G29\n    signals: {Steer: {field: ABS_X}}\n"
    file = tmp_path / "desk.yaml"
    file.write_text(text)
    assert main(["calibrate", str(file)]) == 2
    assert "which input? there are: 1 (serial pty), 2 (evdev G29)" in capsys.readouterr().err
    assert main(["calibrate", str(file), "pty"]) == 2
    assert "start the bench first" in capsys.readouterr().err
