"""Serial buses of a bench on real pseudo terminals, with peers that know nothing of hilbridge (peers.py)."""

import os
import select
import termios
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.bench.hardware import Hardware
from hilbridge.bench.lines.part import LineRow, needs_restart
from hilbridge.boundary.links.serial_output import SerialOutputPort
from hilbridge.boundary.record.boundary_records import SERIAL, PortRecord
from hilbridge.files.configuration.benchfile import load_bench

from .peers import KbusReader, LinNode

BENCH = """
name: serial
rate: 200
vehicle: compact
lines:
  kbus:
    protocol: telegrams
    port: pty
    echo: {echo}
    telegrams:
      Lamps:
        source: 0xD0
        destination: 0xBF
        data: "5B 00 00 00 00 00"
        send: cyclic-and-on-change
        period: 1000
        replies_to: [".. 03 D0 5A"]
        signals:
          Left: {{bit: 13, width: 1, expression: body.TurnSignal == 1}}
          Right: {{bit: 14, width: 1, expression: body.TurnSignal == 2}}
      Here: {{source: 0xD0, destination: 0x80, data: "02 00", replies_to: ["80 03 D0 01"]}}
  lin:
    protocol: lin
    port: pty
    echo: {echo}
    frames:
      A: {{id: 0x10, data: "01 00", signals: {{Turn: {{bit: 8, width: 8, from: body.TurnSignal}}}}}}
      B: {{id: 0x21, length: 2}}
      C: {{id: 0x01, length: 1, checksum: classic}}
    schedule: [{{frame: A, time: 20}}, {{frame: B, time: 20}}, {{frame: C, time: 20}}]
"""


class Rig:
    """A bench with open ports, ticked by hand. `ends`: the other ends of its pseudo terminals, by name of the line."""

    def __init__(self, folder: Path, *, echo: bool = False) -> None:
        file = folder / "serial.yaml"
        file.write_text(BENCH.format(echo=str(echo).lower()))
        self.bench = Bench(load_bench(str(file)))
        self.records: list[tuple[int, int, bytes]] = []
        self.bench.boundary.listen(self._record)
        self.bench.open(waits=False)
        self.tick = 0
        self.echo = echo
        self.ends: dict[str, int] = {}
        for name, port in self.bench.output_ports.items():
            end = self.ends[name] = os.open(port.describe().rpartition(" ")[2], os.O_RDWR | os.O_NOCTTY)
            tty.setraw(end)
            os.set_blocking(end, False)
        self.kbus = KbusReader()
        self.lin = LinNode({0x50: 2}, {0x61: b"\x12\x34", 0xC1: b"\xff"}, frozenset({0xC1}))
        self.garble: Callable[[bytes], bytes] = lambda data: data
        self.ports = dict(zip(self.ends, self.bench.ports["serial bus"], strict=True))

    def _record(self, kind: int, t: int, payload: bytes) -> bool:
        self.records.append((kind, t, payload))
        return True

    def write(self, name: str, data: bytes) -> None:
        """Write at the other end, and wait until the kernel has carried it over."""
        if data:
            os.write(self.ends[name], data)
            descriptor = self.ports[name].descriptor
            assert descriptor is not None
            assert select.select([descriptor], [], [], 10)[0]

    def heard(self, name: str) -> bytes:
        try:
            return os.read(self.ends[name], 4096)
        except BlockingIOError:
            return b""

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 200)):
            t = self.tick * 5_000_000
            self.tick += 1
            self.bench.sample(t)
            self.bench.step()
            self.bench.serve(t)
            self.bench.publish(t)
            data = self.heard("kbus")
            self.kbus.feed(data)
            back = self.heard("lin")
            answer = self.lin.feed(back)
            self.write("kbus", self.garble(data) if self.echo else b"")
            self.write("lin", (back if self.echo else b"") + answer)

    @property
    def rows(self) -> dict[str, LineRow]:
        return dict(self.bench.wiring.lines.rows())

    def counts(self, name: str) -> dict[str, int]:
        row = self.rows[name]
        return {key: value for key, value in ({**row.gate, **row.counters}).items() if value}

    def close(self) -> None:
        for end in self.ends.values():
            os.close(end)
        self.bench.close()


@pytest.fixture(params=[False, True], ids=["quiet", "echo"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, echo=request.param)
    yield rig
    rig.close()


def test_telegrams_are_those_of_a_car_when_they_change_and_in_cycles(rig: Rig) -> None:
    rig.run(0.5)
    rig.bench.overrides.set("body.TurnSignal", 2)
    rig.run(0.3)
    rig.bench.overrides.set("body.TurnSignal", 1)
    rig.run(2.0)
    published, left = "D0 08 BF 5B 40 00 00 00 00 7C", "D0 08 BF 5B 20 00 00 00 00 1C"
    assert rig.kbus.telegrams[:3] == ["D0 08 BF 5B 00 00 00 00 00 3C", published, left]
    assert rig.kbus.telegrams[3:] == [left] * 2
    assert rig.kbus.refused == []
    assert rig.counts("kbus") == {"passed": 5}


def test_a_request_is_answered(rig: Rig) -> None:
    rig.run(0.2)
    rig.write("kbus", bytes.fromhex("60 03 D0 5A E9"))
    rig.run(0.2)
    rig.write("kbus", bytes.fromhex("80 03 D0 01 52"))
    rig.run(0.2)
    assert rig.kbus.telegrams[1:] == ["D0 08 BF 5B 00 00 00 00 00 3C", "D0 04 80 02 00 56"]
    assert rig.rows["kbus"].last == "80 03 D0 01"
    assert rig.counts("kbus")["heard"] == 2


def test_a_lin_is_read_back_and_answers_are_believed(rig: Rig) -> None:
    rig.bench.overrides.set("body.TurnSignal", 2)
    rig.run(0.6)
    assert set(rig.lin.frames) == {(0x50, "01 02")}
    assert len(rig.lin.frames) == 10
    counts = rig.counts("lin")
    assert counts.pop("heard") in (19, 20)
    assert counts == {"passed": 10}
    assert rig.rows["lin"].last in ("B: 12 34", "C: FF")


def test_lin_answers_that_are_wrong_or_missing_are_counted(rig: Rig) -> None:
    rig.lin.answers = {0x61: b"\x12\x34"}
    rig.lin.classic = frozenset({0x61})  # the wrong kind of checksum
    rig.run(0.6)
    counts = rig.counts("lin")
    assert counts.get("heard", 0) == 0
    assert counts["damaged"] in (9, 10)
    assert counts["unanswered"] in (9, 10)


def test_the_nodes_of_a_lin_are_sent_to_sleep_at_the_end(rig: Rig) -> None:
    rig.lin.lengths[0x3C] = 8
    rig.lin.classic |= {0x3C}
    rig.run(0.2)
    rig.bench.shut_down(rig.tick * 5_000_000)
    rig.run(0.2)
    assert rig.lin.frames[-1] == (0x3C, "00 FF FF FF FF FF FF FF")


def test_nothing_goes_to_a_line_that_is_not_armed(rig: Rig) -> None:
    for line in rig.bench.wiring.lines.lines.values():
        line.armed = False
    rig.run(1.5)
    assert rig.kbus.telegrams == []
    assert rig.lin.frames == []
    assert rig.counts("kbus") == {"unarmed": 2}
    assert rig.counts("lin").keys() == {"unarmed"}


def test_noise_and_floods_are_counted_and_survived(rig: Rig) -> None:
    rig.run(0.2)
    for name in ("kbus", "lin"):
        rig.write(name, bytes(range(256)) * 4)
    rig.run(0.5)
    assert rig.counts("kbus")["flooded"] > 0
    assert rig.counts("lin")["flooded"] > 0
    before = len(rig.kbus.telegrams)
    rig.bench.overrides.set("body.TurnSignal", 2)
    rig.run(0.5)
    assert rig.kbus.telegrams[before:][0].startswith("D0 08 BF 5B 40")


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, echo=True)
    yield rig
    rig.close()


def test_a_telegram_that_collides_is_tried_again_and_arrives(wire: Rig) -> None:
    spoilt = iter([True, True])
    wire.garble = lambda data: bytes([data[0] ^ 1]) + data[1:] if data and next(spoilt, False) else data
    wire.run(0.9)
    assert len(wire.kbus.telegrams) == 3
    counts = wire.counts("kbus")
    assert (counts["passed"], counts["collisions"], counts["repeated"]) == (1, 2, 2)
    assert "lost" not in counts


def test_a_dead_wire_costs_a_bounded_number_of_attempts(wire: Rig) -> None:
    wire.garble = lambda data: b""
    wire.run(0.95)
    assert wire.counts("kbus") == {"silent": 4, "repeated": 3, "lost": 1}
    wire.garble = lambda data: data
    wire.run(1.0)
    assert wire.counts("kbus")["passed"] == 1


def test_a_talking_line_is_listened_to_first(wire: Rig) -> None:
    """Another device talks without a pause for 0.4 s: nothing is sent into it."""
    wire.run(0.3)
    before = len(wire.kbus.telegrams)
    wire.bench.overrides.set("body.TurnSignal", 1)
    for _ in range(80):
        wire.write("kbus", bytes.fromhex("C8 04 FF 02 31 00")[_ % 6 : _ % 6 + 1])
        wire.run(0.005)
        assert len(wire.kbus.telegrams) == before
    wire.run(0.1)
    assert len(wire.kbus.telegrams) == before + 1
    assert wire.counts("kbus")["heard"] == 13


def test_a_replay_hears_and_counts_the_same(wire: Rig, tmp_path: Path) -> None:
    wire.run(0.2)
    wire.write("kbus", bytes.fromhex("60 03 D0 5A E9 FF"))
    wire.run(0.8)
    told: dict[tuple[int, int], bytearray] = {}
    for kind, t, payload in wire.records:
        if kind == SERIAL:
            record = PortRecord.decode(payload)
            told.setdefault((t, record.port), bytearray()).extend(record.content)
    assert told
    other = Bench(load_bench(str(tmp_path / "serial.yaml")))
    for tick in range(wire.tick):
        t = tick * 5_000_000
        for number, line in enumerate(other.wiring.fed):
            line.feed(bytes(told.get((t, number), b"")), t)
        other.step()
        other.publish(t)
    assert other.wiring.fed
    for name, row in other.wiring.lines.rows():
        assert (row.gate, row.counters, row.last) == (
            wire.rows[name].gate,
            wire.rows[name].counters,
            wire.rows[name].last,
        )
    other.close()


def test_a_reload_keeps_what_was_counted_and_sent(wire: Rig) -> None:
    wire.run(0.3)
    wire.bench.adopt(wire.bench.wiring.bench_files, wire.tick * 5_000_000)
    wire.run(0.3)
    assert wire.kbus.telegrams == ["D0 08 BF 5B 00 00 00 00 00 3C"]
    assert wire.counts("kbus") == {"passed": 1}


def test_another_kind_of_line_needs_a_restart(tmp_path: Path) -> None:
    """The port stays open on a reload, perhaps in the middle of a break that only a master ends."""
    file = tmp_path / "serial.yaml"
    file.write_text(BENCH.format(echo="true"))
    master = load_bench(str(file)).settings
    text = BENCH.format(echo="true").replace("protocol: lin", "protocol: lin\n    master: false")
    file.write_text(text[: text.index("    schedule")])
    slave = load_bench(str(file)).settings
    assert list(needs_restart(master, slave)) == [("lines",)]
    assert list(needs_restart(master, master)) == []


def test_hardware_waits_to_be_armed(tmp_path: Path) -> None:
    file = tmp_path / "serial.yaml"
    file.write_text(BENCH.format(echo="true").replace("port: pty", "port: /dev/ttyUSB77", 1))
    bench = Bench(load_bench(str(file)))
    assert [line.armed for line in bench.wiring.lines.lines.values()] == [False, True]
    hardware = Hardware(bench.settings, bench.boundary, waits=True)
    port = hardware.input_port(0)
    assert "ttyUSB77" in port.trouble
    port.close()
    bench.close()


def test_a_serial_port_checks_parity_and_makes_breaks(tmp_path: Path) -> None:
    """As far as a pty shows it: the kernel is asked to check, and takes the beginning and the end of a break."""
    own, other = os.openpty()
    port = SerialOutputPort(os.ttyname(other), 9600, "even")
    assert termios.tcgetattr(other)[0] & termios.INPCK  # that a byte has parity a pty does not keep
    assert port.set_break(True, 0)
    assert port.set_break(False, 0)
    port.close()
    assert not port.set_break(True, 0)
    os.close(own)
    os.close(other)
