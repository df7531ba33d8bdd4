"""The servers and the addresses of a diagnostic control unit."""

import pytest
from pydantic import TypeAdapter

from hilbridge.bench.diagnostics.answers.server import AnswerServer
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, SessionTimes
from hilbridge.files.settings.answers import AnswerTable
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import EXTENDED, Frame
from vehiclesim.databus import DataBus

from .control_units import ENGINE, TRANSMISSION, Bench


class Uds:
    def __init__(self) -> None:
        self.heard: list[tuple[str, bool, int]] = []
        self.application_runs = True
        self.answering = False
        self.kept = 0

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.heard.append((payload.hex(), functional, t))
        return b"\x50\x03"

    def poll(self, t: int) -> bytes | None:
        return b"\x71" if t == 7 else None

    @property
    def idle(self) -> bool:
        return True

    def keep_alive(self, t: int) -> None:
        self.kept += 1

    def end_session(self) -> None:
        self.heard.append(("session ends", False, 0))

    def restart(self) -> None:
        self.heard.append(("restart", False, 0))


def test_services_up_to_0a_are_obd_and_all_others_uds() -> None:
    uds = Uds()
    bench = Bench()
    ecu = Ecu("engine", bench.ecus[0].monitors, obd=bench.obd, uds=uds)
    assert ecu.request(b"\x03", functional=True, t=5) == b"\x43\x00"
    assert ecu.request(b"\x10\x03", functional=False, t=5) == b"\x50\x03"
    assert ecu.request(b"\x85\x02", functional=True, t=6) == b"\x50\x03"
    assert uds.heard == [("1003", False, 5), ("8502", True, 6)]
    assert [ecu.poll(t) for t in (6, 7)] == [None, b"\x71"]


def test_a_boot_loader_has_no_obd() -> None:
    """A request of OBD-II is one of UDS then, which does not know the service."""
    uds = Uds()
    uds.application_runs = False
    bench = Bench()
    ecu = Ecu("engine", bench.ecus[0].monitors, obd=bench.obd, uds=uds)
    assert ecu.request(b"\x03", functional=False, t=5) == b"\x50\x03"
    assert uds.heard == [("03", False, 5)]


def test_answers_as_data_come_first() -> None:
    """But not while UDS works on a request, which refuses others as busy, nor in a boot loader."""
    uds, bench = Uds(), Bench()
    table = TypeAdapter(AnswerTable).validate_python({"03": "43 01 23", "21 01": {"data": "61 01", "delay": 1}})
    answers = AnswerServer(table, DataBus(), DiagnosticSession({1: SessionTimes(0, 0, 0)}))
    ecu = Ecu("engine", bench.ecus[0].monitors, obd=bench.obd, uds=uds, answers=answers)
    assert ecu.request(b"\x03", functional=False, t=5) == b"\x43\x01\x23"
    assert uds.kept == 1
    assert ecu.request(b"\x21\x01", functional=False, t=5) is None
    assert not ecu.idle
    assert ecu.request(b"\x10\x03", functional=False, t=6) == b"\x7f\x10\x21"
    assert ecu.poll(2_000_000) == b"\x61\x01"
    assert ecu.idle
    uds.answering = True
    assert ecu.request(b"\x21\x01", functional=False, t=7) == b"\x50\x03"
    uds.answering, uds.application_runs = False, False
    assert ecu.request(b"\x21\x01", functional=False, t=8) == b"\x50\x03"


@pytest.mark.parametrize("payload", ["", "41 0c", "7f 01 12", "50 03", "c5 02"])
def test_answers_are_no_requests(payload: str) -> None:
    uds, bench = Uds(), Bench()
    ecu = Ecu("engine", bench.ecus[0].monitors, obd=bench.obd, uds=uds)
    assert ecu.request(bytes.fromhex(payload), functional=False, t=0) is None
    assert uds.heard == []


def test_a_missing_server_does_not_support_its_services() -> None:
    ecu = Ecu("gateway", Bench().ecus[0].monitors)
    ecu.advance(0)
    assert ecu.poll(0) is None
    for service in (0x01, 0x22):
        assert ecu.request(bytes((service, 0)), functional=True, t=0) is None
        assert ecu.request(bytes((service, 0)), functional=False, t=0) == bytes((0x7F, service, 0x11))


def test_on_the_bus_both_control_units_answer_in_the_tick_of_the_request() -> None:
    """7DF and 18DB33F1 reach both, each on its own identifier; a long answer begins with its first frame."""
    heard: list[str] = []

    class ScanTool:
        def receive(self, frame: Frame, t: int) -> None:
            heard.append(f"{frame.identifier:X} {frame.data[:5].hex(' ')}")

    bench, bus, tool = Bench(ENGINE, TRANSMISSION), Bus("powertrain"), ScanTool()
    bus.attach(tool)
    server = IsoTpServer(bus, [(address, ecu) for ecu in bench.ecus for address in ecu.addresses])

    def ask(can_id: int, request: str) -> list[str]:
        heard.clear()
        bench.t += 1_000_000
        bus.transmit(Frame(can_id, bytes.fromhex(request).ljust(8, b"\x55")), tool)
        bus.exchange(bench.t)
        server.poll(bench.t)
        bus.exchange(bench.t)
        return list(heard)

    assert ask(0x7DF, "02 01 0d") == ["7E8 03 41 0d 00 cc", "7E9 03 41 0d 00 cc"]
    assert ask(0x7DF, "02 01 0c") == ["7E8 04 41 0c 00 00"]
    assert ask(0x7E1, "02 01 0c") == ["7E9 03 7f 01 12 cc"]
    assert ask(0x18DB33F1 | EXTENDED, "01 03") == ["18DAF110 02 43 00 cc cc", "18DAF118 02 43 00 cc cc"]
    assert ask(0x7E0, "02 09 02") == ["7E8 10 14 49 02 01"]
