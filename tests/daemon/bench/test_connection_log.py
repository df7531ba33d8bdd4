"""What is said about the ways in: when something changes, and what is counted once a second at most."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hilbridge.base.clock import VirtualClock
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import ConnectionLog
from hilbridge.bench.lines.part import LinesPart
from hilbridge.bench.outputs.board import Board
from hilbridge.bench.outputs.part import OutputsPart
from hilbridge.boundary.links.client_server import ClientStatistics
from hilbridge.boundary.links.embedded import EmbeddedLink
from hilbridge.boundary.links.socket_link import SocketLink
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.gate import GateStatistics
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.plan.id_conflicts import IdConflicts
from hilbridge.testing.wire import HeardPort
from vehiclesim.databus import DataBus

from ..frames.plan.planning import Solo

MILLISECOND = SECOND // 1000


class Reports:
    """Keeps what is logged: milliseconds, event, and the fields asked for."""

    def __init__(self) -> None:
        self.told: list[tuple[int, str, dict[str, Any]]] = []

    def info(self, t: int, event: str, **fields: Any) -> None:
        self.told.append((t // MILLISECOND, event, fields))

    warning = info


class ScanTools:
    """A way in that always works."""

    trouble = ""

    def __init__(self) -> None:
        self.statistics = ClientStatistics()

    def describe(self) -> str:
        return "scan tools"


class Tick(VirtualClock):
    """A clock that stands at a time."""

    def __init__(self, t: int) -> None:
        super().__init__(MILLISECOND)
        self.t = t


def outputs_of(**boards: tuple[Board, HeardPort]) -> OutputsPart:
    """The part of these boards with their ports."""
    return OutputsPart(
        {name: board for name, (board, _) in boards.items()},
        {name: port for name, (_, port) in boards.items()},
        DataBus(),
    )


def bench_of(**parts: Any) -> Bench:
    """A bench that has these parts alone."""
    wiring = SimpleNamespace(
        bench_files=SimpleNamespace(file=SimpleNamespace(profiles={})),
        outputs=outputs_of(),
        lines=LinesPart({}, {}, 1),
    )
    without = {"buses": {}, "links": {}, "gates": {}, "ports": {}, "output_ports": {}, "lost_at": {}, "wiring": wiring}
    return cast(Bench, SimpleNamespace(**without | parts))


def test_who_is_turned_away_is_told_once_a_second() -> None:
    """At every way in by itself, with the attempts since it was logged last; nothing while there are none."""
    reports, tools, control = Reports(), ScanTools(), ClientStatistics()
    connections = ConnectionLog(reports, bench_of(ports={"scan tool port": [tools]}))
    connections.watch("control socket", control)
    for millisecond in range(4000):
        tools.statistics.turned_away += 1000 < millisecond <= 2500
        control.turned_away += millisecond == 1500
        connections.write(Tick(millisecond * MILLISECOND))
    assert [(t, event, fields["at"], fields["attempts"]) for t, event, fields in reports.told] == [
        (2000, "clients turned away", "scan tools", 1000),
        (2000, "clients turned away", "control socket", 1),
        (3000, "clients turned away", "scan tools", 500),
    ]


def test_a_way_that_is_lost_and_comes_back_is_told_each_time() -> None:
    """With the reason; connections are compared a hundred times a second."""
    reports, tools = Reports(), ScanTools()
    connections = ConnectionLog(reports, bench_of(ports={"scan tool port": [tools]}))
    connections.introduce()
    for number, trouble in enumerate(("", "unplugged", "unplugged", "", "")):
        tools.trouble = trouble
        connections.write(Tick(number * 10 * MILLISECOND))
    assert reports.told == [
        (0, "scan tool port open", {"port": "scan tools"}),
        (10, "link lost", {"link": "scan tools", "reason": "unplugged"}),
        (30, "link back", {"link": "scan tools"}),
    ]


class Gate:
    """An armed one that holds nothing back until a test says so."""

    def __init__(self) -> None:
        self.armed = True
        self.is_hardware = False
        self.statistics = GateStatistics()

    def describe(self) -> str:
        return "a gate"


class Connected:
    """A bus with an embedded link, and its log."""

    def __init__(self) -> None:
        self.log, self.gate, self.bus = Reports(), Gate(), Bus("powertrain")
        self.link = EmbeddedLink(self.bus)
        name = self.bus.name
        self.id_conflicts = {name: IdConflicts()}
        parts = {"buses": {name: self.bus}, "links": {name: self.link}, "gates": {name: self.gate}}
        self.connections = ConnectionLog(self.log, bench_of(**parts, id_conflicts=self.id_conflicts))

    def second(self, number: int) -> list[tuple[int, str, dict[str, Any]]]:
        """The lines of a second."""
        self.log.told.clear()
        self.connections.write(Tick(number * SECOND))
        return [*self.log.told]


def test_a_bus_that_is_not_armed_is_introduced_with_the_remedy() -> None:
    rig = Connected()
    rig.connections.introduce()
    rig.gate.armed = False
    rig.connections.introduce()
    (_, _, armed), (_, _, unarmed) = rig.log.told
    assert "remedy" not in armed
    assert unarmed["remedy"] == "nothing is sent before: hilbridge ctl arm powertrain"


def test_what_is_sent_from_the_start_is_told() -> None:
    """`armed: true` of a bus on hardware, at each start; whether it is taken as hardware always."""
    rig = Connected()
    rig.connections.introduce()
    rig.gate.is_hardware = True
    rig.connections.introduce()
    lines = [(event, fields.get("taken_as")) for _, event, fields in rig.log.told]
    assert lines == [("bus open", "virtual"), ("bus open", "hardware"), ("bus is armed", None)]


class Reopening(SocketLink):
    """A link on hardware that the test loses and finds again."""

    def _open(self) -> socket.socket:
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        opened.setblocking(False)
        return opened

    def describe(self) -> str:
        return "socketcan can0"

    def describe_adapter(self) -> str:
        return "serial number A1"


@pytest.mark.parametrize(("armed", "replaced"), [(True, False), (True, True), (False, False)])
def test_a_link_that_is_back_is_told_as_still_armed_with_the_same_adapter(armed: bool, replaced: bool) -> None:
    """With another one its bus waits for what adapters.py does."""
    rig = Connected()
    link, name = Reopening(rig.bus, MILLISECOND), rig.bus.name
    rig.gate.is_hardware, rig.gate.armed = True, armed
    bench = bench_of(
        now=0, buses={name: rig.bus}, links={name: link}, gates={name: rig.gate}, id_conflicts=rig.id_conflicts
    )
    log = ConnectionLog(rig.log, bench)
    link._lose("No such device", 0)
    log.write(Tick(SECOND))
    for _ in range(2000):
        if not link.trouble:
            break
        link.poll(10 * SECOND)
    link.replaced = replaced
    rig.log.told.clear()
    log.write(Tick(20 * SECOND))
    ((_, event, fields),) = rig.log.told
    assert (event, fields.get("gate")) == ("link back", "still armed" if armed and not replaced else None)
    link.close()


def test_another_sender_is_told_once() -> None:
    """With the identifier and the message that the bench sends itself; who goes on sending is only counted."""
    solo, rig = Solo("cyclic", period=10), Connected()
    solo.play(range(101))
    id_conflicts = rig.id_conflicts["powertrain"] = IdConflicts([solo.frame], rig.gate)
    lines = []
    for second in range(3):
        id_conflicts.note(105 * MILLISECOND, 0, True, Frame(solo.frame.can_id, b""))
        lines += rig.second(second)
    message = solo.frame.outgoing.message
    assert lines == [(0, "another sender", {"bus": "powertrain", "id": "0x1", "message": message})]


def test_clients_and_frames_of_a_link_are_logged_as_they_grow() -> None:
    """Who came and left with the number of those that are there, dropped frames with those since the last line."""
    rig = Connected()
    rig.link.statistics.connected = 3
    rig.link.statistics.disconnected = 1
    rig.link.statistics.dropped = 5
    assert [(event, fields) for _, event, fields in rig.second(0)] == [
        ("clients joined", {"bus": "powertrain", "clients": 2}),
        ("clients left", {"bus": "powertrain", "clients": 2}),
        ("frames dropped", {"bus": "powertrain", "frames": 5}),
    ]
    rig.link.statistics.dropped = 7
    assert rig.second(1) == [(1000, "frames dropped", {"bus": "powertrain", "frames": 2})]
    assert rig.second(2) == []


def test_what_a_gate_holds_back_is_logged_by_reason() -> None:
    """But not what a bus holds back because it is not armed: that it is so is one line."""
    rig = Connected()
    rig.gate.statistics.passed = rig.gate.statistics.over_budget = 4
    assert rig.second(0) == [(0, "frames held back", {"bus": "powertrain", "over_budget": 4})]
    rig.gate.armed = False
    rig.gate.statistics.unarmed = 9
    assert rig.second(1) == [(1000, "bus disarmed", {"bus": "powertrain"})]


def test_an_output_that_is_silent_armed_or_in_trouble_is_named() -> None:
    """At the start with its remedy; then once a second what has changed."""
    log, port = Reports(), HeardPort()
    settings = BoardSettings.model_validate(
        {"port": "/dev/ttyBoard", "channels": {"crank": {"kind": "wheel", "pin": 6}}}
    )
    board = Board("stand", settings, MILLISECOND, ())
    wiring = SimpleNamespace(outputs=outputs_of(stand=(board, port)), lines=LinesPart({}, {}, 1))
    connection_log = ConnectionLog(log, bench_of(wiring=wiring, output_ports={"stand": port}))
    connection_log.introduce()
    board.armed = True
    connection_log.write(Tick(SECOND))
    board.trouble = "the board does not answer"
    connection_log.write(Tick(2 * SECOND))
    connection_log.write(Tick(3 * SECOND))
    board.trouble = ""
    connection_log.write(Tick(4 * SECOND))
    assert log.told == [
        (0, "output is silent", {"output": "stand", "remedy": "nothing is sent before: hilbridge ctl arm stand"}),
        (1000, "output armed", {"output": "stand"}),
        (2000, "board in trouble", {"board": "stand", "reason": "the board does not answer"}),
        (4000, "board works", {"board": "stand"}),
    ]


def test_a_serial_bus_that_is_armed_is_named_as_an_output_is(tmp_path: Path) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text(
        "name: kbus\nrate: 200\nvehicle: compact\n"
        "lines: {kbus: {protocol: telegrams, port: pty, telegrams: "
        "{A: {source: 1, destination: 2, data: '00', period: 100}}}}\n"
    )
    bench, log = Bench(load_bench(str(file))), Reports()
    connection_log = ConnectionLog(log, bench)
    bench.wiring.lines.lines["kbus"].armed = False
    connection_log.write(Tick(SECOND))
    bench.wiring.lines.lines["kbus"].armed = True
    connection_log.write(Tick(2 * SECOND))
    assert [event for _, event, _ in log.told][-1:] == ["output armed"]
    assert log.told[-1][2] == {"output": "kbus"}
