"""The control units of config/benches/truck.yaml: each sends its parameter groups to a tool that requests them.

J1939-21 allows 200 ms for an answer (Tr); here it begins in the tick that reads its request. Numbers of
the groups are those of SAE J1939DA.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.codec.pgn import split
from hilbridge.testing import VirtualBench

from .....program import CHECKOUT

BUS = "truck"
ENGINE, TRANSMISSION, BRAKES, RETARDER = 0x00, 0x03, 0x0B, 0x10
TOOL, ALL = 0xF9, 0xFF
REQUEST = 0x18EA_0000
"""With its priority."""

ACKNOWLEDGEMENT, CONNECTION = 0xE800, 0xEC00

CONTROL, ABORT = 0x1CEC_0000, 0xFF
"""The tool ends a long message, which it does not take."""

TICKS, RESPONSE_TIME = 0.002, 0.2
"""[s] in which an answer begins, and in which it is over, unless a tool has to do its part."""

GROUPS = {
    "ERC1": (0xF000, RETARDER),
    "EBC1": (0xF001, BRAKES),
    "ETC1": (0xF002, TRANSMISSION),
    "EEC2": (0xF003, ENGINE),
    "EEC1": (0xF004, ENGINE),
    "ETC2": (0xF005, TRANSMISSION),
    "DM21": (0xC100, ENGINE),
    "DM20": (0xC200, ENGINE),
    "DM19": (0xD300, ENGINE),
    "DM29": (0x9E00, ENGINE),
    "DM31": (0xA300, ENGINE),
    "DM56": (0xFCC7, ENGINE),
    "DM28": (0xFD80, ENGINE),
    "DM27": (0xFD82, ENGINE),
    "DM23": (0xFDB5, ENGINE),
    "DM24": (0xFDB6, ENGINE),
    "DM25": (0xFDB7, ENGINE),
    "DM26": (0xFDB8, ENGINE),
    "ECUID": (0xFDC5, ENGINE),
    "DM1": (0xFECA, ENGINE),
    "DM2": (0xFECB, ENGINE),
    "DM4": (0xFECD, ENGINE),
    "DM5": (0xFECE, ENGINE),
    "DM6": (0xFECF, ENGINE),
    "DM12": (0xFED4, ENGINE),
    "SOFT": (0xFEDA, ENGINE),
    "EEC3": (0xFEDF, ENGINE),
    "VD": (0xFEE0, ENGINE),
    "HOURS": (0xFEE5, ENGINE),
    "VW": (0xFEEA, BRAKES),
    "VI": (0xFEEC, ENGINE),
    "ET1": (0xFEEE, ENGINE),
    "EFL/P1": (0xFEEF, ENGINE),
    "CCVS1": (0xFEF1, ENGINE),
    "LFE1": (0xFEF2, ENGINE),
    "AMB": (0xFEF5, ENGINE),
    "IC1": (0xFEF6, ENGINE),
    "VEP1": (0xFEF7, ENGINE),
    "DD": (0xFEFC, ENGINE),
}
ON_REQUEST = {
    "DM2",
    "SOFT",
    "HOURS",
    "VI",
    "ECUID",
    *(f"DM{number}" for number in (4, 5, 6, 12, 19, 20, 21, 23, 24, 25, 26, 27, 28, 29, 31, 56)),
}
"""Not in cycles."""

CLEARING = {"DM3": 0xFECC, "DM11": 0xFED3}


@pytest.fixture(scope="module")
def truck() -> Iterator[VirtualBench]:
    with VirtualBench(BUS) as bench:
        bench.set("input.Key", 0)
        bench.advance(1.0)
        yield bench


def heard(truck: VirtualBench, seconds: float) -> set[tuple[int, int]]:
    """Groups and their senders within a time; a group that the transport protocol announces counts as sent."""
    begun, found = truck.time, set()
    truck.advance(seconds)
    for frame in (one.frame for one in truck.frames(BUS) if one.t >= begun):
        identifier = split(frame.can_id)
        announced = int.from_bytes(frame.data[5:8], "little")
        found.add((announced if identifier.pgn == CONNECTION else identifier.pgn, identifier.source))
    return found


def answers(truck: VirtualBench, pgn: int, destination: int) -> set[tuple[int, int]]:
    """What is heard in the next ticks after a request: a group with a cycle hardly comes by chance."""
    truck.send(BUS, Frame(REQUEST | destination << 8 | TOOL | EXTENDED, pgn.to_bytes(3, "little")))
    told = heard(truck, TICKS)
    if destination != ALL:
        abort = bytes((ABORT, *b"\x02\xff\xff\xff")) + pgn.to_bytes(3, "little")
        truck.send(BUS, Frame(CONTROL | destination << 8 | TOOL | EXTENDED, abort))
    truck.advance(RESPONSE_TIME)
    return told


@pytest.mark.parametrize("group", GROUPS)
def test_every_group_is_told_on_request(truck: VirtualBench, group: str) -> None:
    """By the control unit that has it, to itself and to all."""
    pgn, source = GROUPS[group]
    for destination in (source, ALL):
        assert (pgn, source) in answers(truck, pgn, destination)


@pytest.mark.parametrize("group", CLEARING)
def test_clearing_is_acknowledged(truck: VirtualBench, group: str) -> None:
    """In answer to a request to the engine; not to a global request."""
    assert (ACKNOWLEDGEMENT, ENGINE) in answers(truck, CLEARING[group], ENGINE)
    assert (ACKNOWLEDGEMENT, ENGINE) not in answers(truck, CLEARING[group], ALL)


def test_an_elm327_reads_the_truck_with_its_default_headers(truck: VirtualBench) -> None:
    """Protocol A: the VIN as a broadcast, to one unit by RTS, DM1 as it is sent; ECFE00 is FEEC as it is sent."""
    vin = ["012 ", "01: 57 48 42 30 30 30 30 ", "02: 30 30 30 30 30 30 30 ", "03: 30 30 31 2A FF FF FF "]
    elm = truck.parts.adapters[0].plug_in()

    def ask(line: str) -> list[str]:
        elm.output.clear()
        elm.feed(f"{line}\r".encode(), round(truck.time * 1e9))
        for _ in range(5000):
            if elm.output.endswith(b">"):
                break
            truck.advance(0.001)
        return elm.output.decode().removesuffix("\r\r>").split("\r")

    for setting in ("ATZ", "ATE0", "ATSPA"):
        ask(setting)
    assert [f"{line.rstrip()} " for line in ask("00FEEC")] == vin
    for setting in ("ATSHEA00F9", "ATJS"):
        assert ask(setting) == ["OK"]
    assert [f"{line.rstrip()} " for line in ask("ECFE00")] == vin
    assert ask("ATMPFECA1") == ["00 FF 00 00 00 00 FF FF "]
    truck.parts.adapters[0].unplug(elm)


def test_what_goes_in_cycles_needs_no_request(truck: VirtualBench) -> None:
    """The others wait until they are asked for."""
    told = heard(truck, 1.1)
    assert told >= {where for group, where in GROUPS.items() if group not in ON_REQUEST}
    assert not told & {GROUPS[group] for group in ON_REQUEST}


def test_broadcasts_stop_and_are_still_told_on_request(truck: VirtualBench) -> None:
    """DM13 to all, held by nobody: nothing for six seconds but the answer to a request; then as before."""
    truck.send(BUS, Frame(0x18DF_FFF9 | EXTENDED, bytes.fromhex("FCFFFFFFFFFFFFFF")))
    truck.advance(0.1)
    assert heard(truck, 1.1) == set()
    assert GROUPS["EEC1"] in answers(truck, 0xF004, ENGINE)
    truck.advance(5.0)
    assert heard(truck, 1.1) >= {where for group, where in GROUPS.items() if group not in ON_REQUEST}


def test_a_trouble_code_is_in_the_lists_of_its_state(truck: VirtualBench) -> None:
    """A stuck throttle, confirmed: DM12 has SPN 51, FMI 7, with the malfunction indicator; DM4 its freeze frame."""
    truck.command("trouble-set", ecu="engine", code="P2111", result="stored")
    begun = truck.time
    for pgn in (0xFED4, 0xFECD):
        truck.send(BUS, Frame(REQUEST | TOOL | EXTENDED, pgn.to_bytes(3, "little")))
        truck.advance(0.5)
    told = [one.frame for one in truck.frames(BUS) if one.t >= begun and one.frame.can_id & 0xFF == ENGINE]
    assert any(split(one.can_id).pgn == 0xFED4 and one.data[:6].hex() == "40ff33000701" for one in told)
    frames = [one for one in told if split(one.can_id).pgn in (0xFECD, CONNECTION)]
    assert frames
    truck.command("trouble-set", ecu="engine", code="P2111", result="passed")


def test_an_external_brake_request_decelerates_the_truck_as_demanded() -> None:
    """-2 m/s² at 60 km/h with the clutch open, every 40 ms with counter and checksum; drag and tyres add a little."""
    with VirtualBench(BUS, start={"speed": 60}) as bench:
        bench.set("input.Throttle", 0.0)
        bench.set("input.Clutch", 1.0)
        bench.advance(1.0)
        for count in range(50):
            data = bytes.fromhex("7F6DE3FFFFFFFF")
            total = sum(data) + count % 16 + sum(bytes.fromhex("0C040B2A"))
            checksum = (total + (total >> 4)) & 0x0F
            frame = Frame(0x0C04_0B2A | EXTENDED, data + bytes((checksum << 4 | count % 16,)))
            bench.send(BUS, frame)
            bench.advance(0.04)
        before = bench.history("vehicle.Speed", 1.0)
        times, speeds = before
        assert (speeds[-1] - speeds[0]) / (times[-1] - times[0]) == pytest.approx(-2.0, abs=0.35)
        bench.advance(0.5)
        assert bench.read("request.BrakeRatio") != bench.read("request.BrakeRatio")


def with_memory(folder: Path, unit: str) -> Path:
    """The truck with a control unit of UDS beside it, whose memory the node of the engine shows."""
    text = (CHECKOUT / "config/benches/truck.yaml").read_text(encoding="utf-8")
    security = "{provider: hilbridge.bench.diagnostics.uds.demo_security:key}"
    memory = "[{address: 0x1000, data: CAFE, security: 1}]"
    uds = f"{{memory: {memory}, security: {security}}}"
    units = f"diagnostics:\n  units: {{ecm: {{unit: engine, bus: truck, uds: {uds}}}}}\n"
    for old, new in (
        ("diagnostics:\n", units),
        ("ENGINE: {function: 0,", f"ENGINE: {{function: 0, memory: {{unit: {unit}, provider: keys.py:key}},"),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "keys.py").write_text("def key(level, seed): return seed ^ level\n", encoding="utf-8")
    bench = folder / "truck.yaml"
    bench.write_text(text, encoding="utf-8")
    return bench


def test_a_node_shows_the_memory_of_a_control_unit(tmp_path: Path) -> None:
    """DM14 read of two bytes at 1000; the key for the seed in DM15 comes from the file beside the bench file."""
    with VirtualBench(with_memory(tmp_path, "ecm"), trust=True) as bench:
        bench.set("input.Key", 0)
        bench.advance(0.3)
        request = bytes.fromhex("021300100000")
        bench.send(BUS, Frame(0x18D9_00F9 | EXTENDED, request + b"\xff\xff"))
        bench.advance(0.01)
        (answer,) = [one.frame.data for one in bench.frames(BUS) if one.frame.can_id == 0x18D8_F900 | EXTENDED]
        key = int.from_bytes(answer[6:], "little") ^ 1
        bench.send(BUS, Frame(0x18D9_00F9 | EXTENDED, request + key.to_bytes(2, "little")))
        bench.advance(0.01)
        told = [one.frame for one in bench.frames(BUS)]
    assert Frame(0x18D7_F900 | EXTENDED, bytes.fromhex("02CAFE")) in told


def test_memory_of_a_unit_that_is_not_there_is_an_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="gearbox is no control unit with 'uds'"):
        VirtualBench(with_memory(tmp_path, "gearbox"), trust=True)


def test_a_dash_reads_the_axle_loads_and_the_lamp_of_a_train(tmp_path: Path) -> None:
    """Places and scales of SAE's Digital Annex: VW 1 axle, 2-3 0.5 kg, 4-5 2 kg; EBC1 8.5 SPN 1836, 8.7 SPN 1792."""
    file = tmp_path / "train.yaml"
    text = (CHECKOUT / "config" / "benches" / "truck.yaml").read_text(encoding="utf-8")
    file.write_text(text.replace("vehicle: truck ", "vehicle: semitrailer "), encoding="utf-8")
    with VirtualBench(file) as bench:
        bench.set("input.Key", 0)
        bench.advance(3.5)
        weights = [one.frame.data for one in bench.frames(BUS) if split(one.frame.can_id).pgn == 0xFEEA]
        loads = {data[0]: 0.5 * int.from_bytes(data[1:3], "little") for data in weights}
        assert [*loads] == [0x1F, 0x2F, 0x3F]
        assert sum(loads.values()) == pytest.approx(40_000.0, rel=0.01)
        assert 2 * int.from_bytes(weights[-1][3:5], "little") == pytest.approx(32_000.0, rel=0.01)
        states = []
        for override in ("no override", "off"):
            bench.set("settings.AbsOverride", override)
            bench.advance(0.2)
            sent = [one.frame for one in bench.frames(BUS) if split(one.frame.can_id).pgn == 0xF001]
            states.append(sent[-1].data[7] >> 4)
        assert states == [0b0000, 0b0100]
