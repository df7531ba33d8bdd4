"""What a tool for heavy-duty OBD asks of the truck, in the order of etools' J1939-84, by its decoders' bytes.

Layouts: SupportedSPN, ScaledTestResult, DM25ExpandedFreezeFrame, DM29DtcCounts, DM31DtcToLampAssociation and
DM56EngineFamilyPacket of Equipment-and-Tool-Institute/j1939-84; scales of SPNs: dbc/j1939.dbc, of PIDs: dbc/obd2.dbc.
"""

from collections.abc import Iterator
from typing import Any

import cantools
import pytest

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.trouble import FreezeFrame, Trouble
from hilbridge.bench.diagnostics.j1939.hd_reports import FROZEN, SLOTS, expanded_frames, lamps_of_codes, supported
from hilbridge.bench.diagnostics.j1939.trouble_reports import trouble_reports
from hilbridge.bench.diagnostics.obd.scaling_units import UNITS
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.testing import VirtualBench
from vehiclesim.databus import DataBus

from .....program import CHECKOUT

ENGINE, TRANSMISSION, TOOL, ALL = 0x00, 0x03, 0xF9, 0xFF
STEPS = {
    "DM5": 0xFECE,
    "DM24": 0xFDB6,
    "VI": 0xFEEC,
    "DM56": 0xFCC7,
    "DM19": 0xD300,
    "DM20": 0xC200,
    "CI": 0xFEEB,
    "DM21": 0xC100,
    "DM26": 0xFDB8,
    "DM1": 0xFECA,
    "DM2": 0xFECB,
    "DM6": 0xFECF,
    "DM12": 0xFED4,
    "DM23": 0xFDB5,
    "DM28": 0xFD80,
    "DM27": 0xFD82,
    "DM29": 0x9E00,
    "DM31": 0xA300,
    "DM25": 0xFDB7,
}
"""Part 1 of J1939-84, without the steps that clear."""


class Tool:
    """A tool that asks one address, takes long messages, and keeps what it hears by group."""

    def __init__(self, bench: VirtualBench) -> None:
        self.bench = bench
        self.heard: dict[int, bytes] = {}
        self.refused: list[int] = []
        self._pieces: dict[int, tuple[int, int, bytearray]] = {}
        bench.attach("truck", self)

    def receive(self, frame: Frame, t: float) -> list[Frame]:
        can_id = frame.can_id & ~EXTENDED
        group, source, to = can_id >> 8 & 0x3FF00, can_id & 0xFF, can_id >> 8 & 0xFF
        if group == 0xEC00 and to == TOOL and frame.data[0] == 0x10:
            size, packets = int.from_bytes(frame.data[1:3], "little"), frame.data[3]
            self._pieces[source] = (int.from_bytes(frame.data[5:8], "little"), size, bytearray())
            return [self._frame(0xEC, source, bytes((0x11, packets, 1, 0xFF, 0xFF)) + frame.data[5:8])]
        if group == 0xEB00 and to == TOOL and source in self._pieces:
            pgn, size, content = self._pieces[source]
            content += frame.data[1:]
            if len(content) >= size:
                self.heard[pgn] = bytes(content[:size])
                end = bytes((0x13,)) + size.to_bytes(2, "little") + bytes((frame.data[0], 0xFF))
                return [self._frame(0xEC, source, end + pgn.to_bytes(3, "little"))]
            return []
        if group == 0xE800:
            self.refused.append(int.from_bytes(frame.data[5:8], "little"))
        elif group < 0xF000 and to in (TOOL, ALL):
            self.heard[group] = frame.data
        elif group >= 0xF000:
            self.heard[can_id >> 8 & 0x3FFFF] = frame.data
        return []

    def tick(self, t: float) -> list[Frame]:
        return []

    @staticmethod
    def _frame(pdu: int, to: int, data: bytes) -> Frame:
        return Frame((0x18 << 24 | pdu << 16 | to << 8 | TOOL) | EXTENDED, data)

    def ask(self, pgn: int, of: int = ENGINE) -> bytes | None:
        """Request a group of one address; None: negatively acknowledged."""
        return self._answer(pgn, self._frame(0xEA, of, pgn.to_bytes(3, "little")), pgn)

    def test(self, test: int, spn: int, fmi: int, of: int = ENGINE) -> bytes | None:
        """Ask for test results (DM7)."""
        data = bytes((test, spn & 0xFF, spn >> 8 & 0xFF, spn >> 16 << 5 | fmi)) + b"\xff" * 4
        return self._answer(0xA400, self._frame(0xE3, of, data), 0xE300)

    def _answer(self, pgn: int, request: Frame, refused: int) -> bytes | None:
        self.heard.pop(pgn, None)
        self.refused.clear()
        self.bench.send("truck", request)
        for _ in range(2000):
            self.bench.advance(0.001)
            if pgn in self.heard:
                return self.heard[pgn]
            if refused in self.refused:
                return None
        raise TimeoutError(f"{pgn:X}: neither an answer nor an acknowledgement")


@pytest.fixture(scope="module")
def tool() -> Iterator[Tool]:
    with VirtualBench("truck", seed=1) as bench:
        bench.set("input.Key", 1)
        bench.advance(3.0)
        yield Tool(bench)


def spns(content: bytes) -> dict[int, tuple[int, int]]:
    """The SPNs of DM24 with what each supports (1: it does; frame, stream, tests, rationality) and its length."""
    found = {}
    for at in range(0, len(content), 4):
        low, middle, high, width = content[at : at + 4]
        found[high >> 5 << 16 | middle << 8 | low] = (~high & 0xF, width)
    return found


def test_the_first_questions_of_a_tool_are_answered_in_their_order(tool: Tool) -> None:
    for name, pgn in STEPS.items():
        assert tool.ask(pgn), name


def test_dm56_has_year_and_family(tool: Tool) -> None:
    content = tool.ask(STEPS["DM56"])
    assert content == b"2026E-MYHILBR12.8TRK*"
    assert tool.ask(STEPS["DM56"], TRANSMISSION) is None


def test_dm24_names_what_the_frames_bring(tool: Tool) -> None:
    """Engine speed, coolant and fuel level are in the stream; a signal that is not available in the bench is not."""
    content = tool.ask(STEPS["DM24"])
    assert content
    found = spns(content)
    assert {190, 110, 96} <= {spn for spn, (flags, _) in found.items() if flags & 0b10}
    assert found[190] == (0b0010, 2)
    assert found[110] == (0b0110, 1)
    assert 974 not in found  # remote accelerator pedal: not available
    assert not any(flags & 0b1000 for flags, _ in found.values())


def test_each_test_that_dm24_names_has_results(tool: Tool) -> None:
    """DM7 for each SPN with tests gets DM30 of that SPN; all tests at once are the same; others are refused."""
    content = tool.ask(STEPS["DM24"])
    assert content
    tested = [spn for spn, (flags, _) in spns(content).items() if flags & 0b100]
    assert tested
    single = b""
    for spn in tested:
        results = tool.test(247, spn, 31)
        assert results
        assert len(results) % 12 == 0
        for at in range(0, len(results), 12):
            assert results[at] == 247
            assert int.from_bytes(results[at + 1 : at + 3], "little") | results[at + 3] >> 5 << 16 == spn
            value, highest, lowest = (int.from_bytes(results[at + n : at + n + 2], "little") for n in (6, 8, 10))
            assert value == 0xFB00 or value <= 0xFAFF
            assert (highest, lowest) == (0xFFFF, 0xFFFF) or min(highest, lowest) <= 0xFAFF
            assert tool.test(250, spn, results[at + 3] & 0x1F) == bytes((250,)) + results[at + 1 : at + 12]
        single += results
    everything = tool.test(246, 5846, 31)
    assert everything is not None
    assert sorted(everything[at + 1 : at + 12] for at in range(0, len(everything), 12)) == sorted(
        single[at + 1 : at + 12] for at in range(0, len(single), 12)
    )
    assert tool.test(247, 4711, 31) is None
    assert tool.test(245, tested[0], 31) is None
    assert tool.test(247, tested[0], 3) is None


def test_counts_and_lamps_follow_a_code(tool: Tool) -> None:
    """A confirmed over-temperature counts under its lamp, and DM31 has it with the malfunction indicator."""
    assert tool.ask(STEPS["DM29"]) == bytes((0, 0, 0, 0, 0)) + b"\xff" * 3
    assert tool.ask(STEPS["DM31"]) == bytes((0, 0, 0, 0, 0)) + b"\xff" * 3
    engine = next(ecu for ecu in tool.bench.parts.wiring.control_units.ecus if ecu.name == "engine")
    engine.store.confirm("P0217", t=0)
    tool.bench.advance(0.5)
    assert tool.ask(STEPS["DM29"]) == bytes((1, 1, 1, 0, 1)) + b"\xff" * 3
    lamps = tool.ask(STEPS["DM31"])
    assert lamps
    assert (lamps[:3], lamps[4]) == (bytes((110, 0, 0)), 0x40)
    pending = tool.ask(STEPS["DM27"])
    assert pending
    assert pending[2:5] == bytes((110, 0, 0))


def code(name: str, spn: int | None, *, emission: bool = True) -> Trouble:
    return Trouble(TroubleCode(name, name, 0, spn, 11, emission))


def test_an_expanded_frame_has_the_spns_in_the_order_of_dm24() -> None:
    """Length, code, then each SPN at its place; J1939's scale gives the value that OBD-II's gives."""
    database: Any = cantools.database.load_file(CHECKOUT / "dbc/j1939.dbc")
    obd: Any = cantools.database.load_file(CHECKOUT / "dbc/obd2.dbc")
    signals = {signal.spn: signal for message in database.messages for signal in message.signals if signal.spn}
    (response,) = (one for one in obd.messages if one.name == "ObdResponse")
    pids: dict[int, Any] = {}
    for signal in response.signals:
        prefix, _, name = signal.name.partition("_")
        if name and prefix.startswith("S01PID"):
            pids.setdefault(int(prefix[-2:], 16), signal)
    for share in (0.2, 0.6):
        values = {
            one.pid: round(share * (1 << pids[one.pid].length)).to_bytes(pids[one.pid].length // 8) for one in FROZEN
        }
        trouble = code("P0217", 110)
        trouble.frame = FreezeFrame(values=values, order=1)
        content = expanded_frames([trouble])
        assert content[0] == len(content) - 1
        assert content[1:4] == bytes((110, 0, 11))
        at = 5
        for spn, (flags, width) in spns(supported({}, has_frames=True, tests=[])).items():
            assert flags == 0b0001
            raw = int.from_bytes(content[at : at + width], "little")
            at += width
            (one,) = (frozen for frozen in FROZEN if frozen.spn == spn)
            pid, signal = pids[one.pid], signals[spn]
            expected = int.from_bytes(values[one.pid], "big") * pid.scale + pid.offset
            highest = (0xFAFF if width == 2 else 0xFA) * signal.scale + signal.offset
            assert raw * signal.scale + signal.offset == pytest.approx(min(expected, highest), abs=signal.scale), spn
        assert at == len(content)


def test_without_frames_or_codes_a_message_says_so() -> None:
    none = bytes((0, 0, 0, 0, 0)) + b"\xff" * 3
    assert expanded_frames([code("P0217", 110)]) == none
    assert lamps_of_codes([code("P0217", 110), code("P0999", None)]) == none
    assert supported({}, has_frames=False, tests=[]) == bytes((0, 0, 0x1F, 0))


def test_a_slot_has_the_unit_of_its_scaling_id() -> None:
    """What SAE J1979 scales and J1939 scales is the same number within one step of either, where both have room."""
    for unit, slot in SLOTS.items():
        factor, offset = UNITS[unit]
        for raw in (1000, 2000):
            value = raw * factor + offset
            told = round((value - slot.offset) / slot.scale) * slot.scale + slot.offset
            assert told == pytest.approx(value, abs=slot.scale)


def test_dm5_has_the_standard_that_the_unit_names() -> None:
    from hilbridge.bench.diagnostics.dtc.store import TroubleStore

    store, data = TroubleStore({}, DataBus()), DataBus()
    assert trouble_reports(store, data, "electric")[0xFECE]()[2] == 5
    assert trouble_reports(store, data, "electric", 20)[0xFECE]()[2] == 20
