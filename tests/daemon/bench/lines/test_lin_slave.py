"""A bench that is a slave of a LIN, on a real pseudo terminal; the master (peers.py) knows nothing of hilbridge."""

import os
import select
import tty
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.bench.bench import Bench
from hilbridge.bench.lines.lin_slave import LinSlave
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.lines import LinLine
from vehiclesim.databus import DataBus

from .peers import LIN_IDENTIFIERS, LinMaster

BENCH = """
name: slave
rate: 200
vehicle: compact
lines:
  wheel:
    protocol: lin
    port: pty
    master: false
    baudrate: 2400
    echo: {echo}
    terminals: [15]
    frames:
      Buttons: {{id: 0x10, data: "{data}", signals: {{Turn: {{bit: 8, width: 8, from: body.TurnSignal}}}}}}
      Lamp: {{id: 0x01, length: 2}}
      Other: {{id: 0x21, length: 8}}
"""

BUTTONS, LAMP, OTHER, STRANGE = (LIN_IDENTIFIERS[one] for one in (0x10, 0x01, 0x21, 0x30))


class Rig:
    """A bench with its open line, ticked by hand; the master at the other end of the pseudo terminal."""

    def __init__(self, folder: Path, *, echo: bool, data: str = "01 00") -> None:
        file = folder / "slave.yaml"
        file.write_text(BENCH.format(echo=str(echo).lower(), data=data))
        self.bench = Bench(load_bench(str(file)))
        self.bench.open(waits=False)
        self.echo = echo
        self.ticks = 0
        self.master = LinMaster({BUTTONS: 2, OTHER: 8})
        port = self.bench.ports["serial bus"][0]
        assert port.descriptor is not None
        self.descriptor = port.descriptor
        self.end = os.open(next(iter(self.bench.output_ports.values())).describe().rpartition(" ")[2], os.O_RDWR)
        tty.setraw(self.end)
        self.bench.overrides.set("input.Key", 0)
        self.run()

    def wait(self, seconds: float) -> None:
        """Let the bench run while nothing is on the line."""
        for _ in range(round(seconds * 200)):
            self.run()

    def run(self, sent: bytes = b"", answer: int = 0) -> None:
        """Let the other end write, and the bench run for a tick; wait until `answer` bytes of it have come."""
        self.write(sent)
        t = self.ticks * 5_000_000
        self.ticks += 1
        self.bench.sample(t)
        self.bench.step()
        self.bench.serve(t)
        self.bench.publish(t)
        back = b""
        while len(back) < answer:
            assert select.select([self.end], [], [], 10)[0], f"{answer} bytes, and there came {back!r}"
            back += os.read(self.end, 4096)
        if back:
            self.master.feed(back)
        if back and self.echo:
            self.run(back)

    def write(self, data: bytes) -> None:
        """Write at the other end, and wait until the kernel has carried it over."""
        if data:
            os.write(self.end, data)
            assert select.select([self.descriptor], [], [], 10)[0]

    @property
    def is_silent(self) -> bool:
        """Whether nothing comes from the bench."""
        return not select.select([self.end], [], [], 0.02)[0]

    @property
    def counts(self) -> dict[str, int]:
        """The counters of the line that are not 0."""
        row = dict(self.bench.wiring.lines.rows())["wheel"]
        return {key: value for key, value in ({**row.gate, **row.counters}).items() if value}

    @property
    def last(self) -> str:
        """What was heard last."""
        return dict(self.bench.wiring.lines.rows())["wheel"].last


@pytest.fixture(params=[False, True], ids=["quiet", "echo"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Rig]:
    rig = Rig(tmp_path, echo=request.param)
    yield rig
    os.close(rig.end)
    rig.bench.close()


def test_a_master_has_its_answer_in_the_tick_in_which_it_asked(rig: Rig) -> None:
    for turn in (0, 2, 1):
        rig.bench.overrides.set("body.TurnSignal", turn)
        rig.run(rig.master.header(BUTTONS), 3)
        assert rig.master.answered[-1] == (BUTTONS, f"01 0{turn}")
    rig.run()
    assert (rig.master.refused, rig.master.missing) == (0, 0)
    assert rig.counts == {"passed": 3}


def test_frames_of_the_master_and_of_other_nodes_are_heard_in_any_portions(rig: Rig) -> None:
    """The header of a frame of ours is data within the answer of another node: 00 55 50 is not answered there."""
    data = b"\x01\x00\x55" + bytes([BUTTONS]) + b"\x02\x03\x04\x05"
    sent = rig.master.frame(LAMP, b"\x12\x34") + rig.master.frame(OTHER, data)
    for byte in sent:
        rig.run(bytes([byte]))
    assert rig.last == f"Other: {data.hex(' ').upper()}"
    rig.run(sent)
    assert rig.counts == {"heard": 4}
    assert rig.is_silent


def test_after_a_node_that_is_silent_the_next_header_is_answered(rig: Rig) -> None:
    rig.run(rig.master.header(OTHER))
    rig.run(rig.master.header(BUTTONS), 3)
    assert rig.master.answered == [(BUTTONS, "01 00")]
    rig.run()
    assert rig.counts == {"passed": 1, "unanswered": 1}


@pytest.mark.parametrize(("answer", "counted"), [(b"", "unanswered"), (b"\x01\x02", "damaged"), (b"\x01\0", "damaged")])
def test_a_header_after_an_answer_that_never_comes_is_heard(rig: Rig, answer: bytes, counted: str) -> None:
    """A diagnostic frame is next, which the line does not name; the 00 is its break, heard before its time was over."""
    rig.run(rig.master.header(OTHER) + answer)
    rig.wait(0.1)
    rig.run(b"\x55\x7d" if answer.endswith(b"\0") else b"\x00\x55\x7d")
    rig.wait(0.1)
    rig.run(rig.master.header(BUTTONS), 3)
    rig.run()
    assert rig.master.answered == [(BUTTONS, "01 00")]
    assert rig.counts == {"passed": 1, "others": 1, counted: 1}


def test_an_answer_that_an_adapter_hands_over_late_is_heard(rig: Rig) -> None:
    sent = rig.master.frame(LAMP, b"\x12\x34")
    rig.run(sent[:4])
    rig.wait(0.1)
    rig.run(sent[4:])
    assert rig.counts == {"heard": 1}


@pytest.mark.parametrize(
    ("sent", "counted"),
    [
        (b"\x00\x55" + bytes([BUTTONS ^ 0x40]), {"damaged": 1}),  # parity of the identifier
        (b"\x00\x55" + bytes([STRANGE]) + b"\x01\x02\x03", {"others": 1}),
        (b"\x00\x55" + bytes([LAMP]) + b"\x12\x34\x00", {"damaged": 1}),  # checksum
        (b"\x00\x55" + bytes([BUTTONS]) + b"\x09\x09", {"unanswered": 1}),  # somebody else has answered
        (b"\x00\x55" + bytes([BUTTONS]) + b"\x00\x55" + bytes([STRANGE]), {"unanswered": 1, "others": 1}),
        (b"\x00" * 40, {}),
        (bytes(range(1, 256)) * 2, {"flooded": 2 * 255 - 64}),
    ],
)
def test_what_is_wrong_on_the_line_is_counted_and_the_next_header_answered(
    rig: Rig, sent: bytes, counted: dict[str, int]
) -> None:
    rig.run(sent)
    assert rig.counts == counted
    assert rig.is_silent
    rig.run(rig.master.header(BUTTONS), 3)
    rig.run()
    assert rig.master.answered == [(BUTTONS, "01 00")]
    assert rig.counts == {"passed": 1} | counted


def test_an_answer_that_comes_back_otherwise_is_a_collision(tmp_path: Path) -> None:
    rig = Rig(tmp_path, echo=True)
    rig.echo = False
    rig.run(rig.master.header(BUTTONS), 3)
    rig.run(b"\x01\x07")
    rig.run(rig.master.header(BUTTONS), 3)
    rig.run(rig.master.header(BUTTONS), 3)  # the one before did not come back at all
    assert rig.counts == {"collisions": 1, "silent": 1}
    os.close(rig.end)
    rig.bench.close()


def test_an_echo_that_never_comes_does_not_take_the_next_break(tmp_path: Path) -> None:
    """The answer begins with 00, as the header does, and the adapter has no echo."""
    rig = Rig(tmp_path, echo=True, data="00 00")
    rig.echo = False
    for turn in range(2):
        rig.run(rig.master.header(BUTTONS)[:1])
        rig.run(b"\x55" + bytes([BUTTONS]), 3)
        rig.wait(0.1)
        assert rig.master.answered == [(BUTTONS, "00 00")] * (turn + 1)
    rig.run(b"\0")
    assert rig.counts == {"silent": 2}
    os.close(rig.end)
    rig.bench.close()


def test_an_answer_that_the_port_does_not_take_is_not_expected_back() -> None:
    class Stuck:
        trouble = "takes no bytes"

        def write(self, packet: bytes, t: int) -> bool:
            return False

        def set_break(self, on: bool, t: int) -> bool:
            return False

        def describe(self) -> str:
            return "stuck"

    frames = {"A": {"id": 0x10, "data": "00"}, "B": {"id": 0x01, "length": 1}}
    line = slave(frames=frames, armed=True, echo=True)
    line.feed(b"\x00\x55" + bytes([BUTTONS]), 0)
    line.publish(0, Stuck())
    line.feed(b"\x00", 1)
    line.feed(b"\x55" + bytes([BUTTONS]), 2)
    line.publish(2, Stuck())
    assert line.statistics.silent == 2


def test_while_its_terminals_are_off_or_it_is_not_armed_it_is_silent(rig: Rig) -> None:
    line = rig.bench.wiring.lines.lines["wheel"]
    line.armed = False
    rig.run(rig.master.header(BUTTONS))
    line.armed = True
    rig.bench.overrides.set("input.Key", -1)
    for _ in range(20):
        rig.run()
    rig.run(rig.master.header(BUTTONS))
    assert rig.is_silent
    assert rig.counts == {"unarmed": 1, "unanswered": 1}


def slave(**keys: Any) -> LinSlave:
    settings = {"protocol": "lin", "port": "/dev/ttyS9", "master": False} | keys
    return LinSlave("wheel", LinLine.model_validate(settings), 5_000_000, ("lines", "wheel"), DataBus())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            "00 01 02 03 04 05 06 07",
            "1.88 ms, beyond which a strict master hears none: it needs a 'rate' of 625",
        ),
        ("00 01", "0.62 ms, beyond which a strict master hears none: the highest 'rate' is 1000"),
    ],
)
def test_a_rate_that_keeps_a_master_waiting_is_told(data: str, words: str) -> None:
    """LIN 2.2A, 2.3.2: an answer takes 1.4 times its 10 (n + 1) bits at most: 36 bits of reserve, or 12."""
    (doubt,) = slave(frames={"A": {"id": 1, "data": data}}).doubts()
    assert f"up to 5 ms after their header, and LIN has a reserve of {words}" in doubt
    assert list(slave(frames={"A": {"id": 1, "data": data}}, port="pty").doubts()) == []
    assert list(slave(frames={"A": {"id": 1, "length": 8}}).doubts()) == []


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"master": False, "schedule": [{"frame": "A", "time": 20}]}, "for the master"),
        ({"master": True}, "needs 'schedule', or 'master: false'"),
    ],
)
def test_the_schedule_belongs_to_the_master(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        slave(frames={"A": {"id": 1, "data": "00"}}, **keys)
