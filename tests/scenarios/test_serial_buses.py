"""The wires of a cluster beside CAN, as its profile has them: an E46 moves, and others judge by what is published."""

import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.testing import VirtualBench

from ..daemon.bench.lines.peers import KbusReader

HELLO = b"\x01\x01\x0c\x06\x06"
"""Of a board with 12 channels, 6 measures and 6 frequencies (docs/board-protocol.md)."""


def packed(content: bytes) -> bytes:
    """A packet of the board protocol, by the libraries for COBS and CRC."""
    return bytes(cobs.encode(content + struct.pack("<H", Crc16Ibm3740.calc(content)))) + b"\0"


def test_the_lamps_of_an_e46_are_telegrams_that_cars_sent() -> None:
    """D0 08 BF 5B 40 ... is the right turn signal of a car with LCM IV (wilhelm-docs), but for its one-shot bit."""
    with VirtualBench("cluster-bmw-e46") as bench:
        kbus = KbusReader()
        bench.set("input.Key", 0)
        bench.advance(0.5)
        kbus.feed(bench.read_serial("kbus"))
        assert "D0 08 BF 5B 00 00 00 00 00 3C" in kbus.telegrams
        assert "D0 04 BF 02 01 68" in kbus.telegrams
        assert "3B 06 80 40 01 08 00 F4" in kbus.telegrams  # eight o'clock, when virtual runs begin
        for entry, value, lamps in (
            ("body.MainBeam", 1, "05"),
            ("body.FrontFogLights", 1, "0D"),
            ("body.RearFogLights", 1, "1D"),
        ):
            kbus.telegrams.clear()
            bench.set(entry, value)
            bench.advance(0.2)
            kbus.feed(bench.read_serial("kbus"))
            assert kbus.telegrams[0].startswith(f"D0 08 BF 5B {lamps} 00 00 00 00")
        for entry in ("body.MainBeam", "body.FrontFogLights", "body.RearFogLights"):
            bench.set(entry, 0)
        bench.set("body.TurnSignal", 2)
        kbus.telegrams.clear()
        bench.advance(3)
        kbus.feed(bench.read_serial("kbus"))
        blinks = [one for one in kbus.telegrams if one.startswith("D0 08")]
        assert {"D0 08 BF 5B 40 00 00 00 00 7C", "D0 08 BF 5B 00 00 00 00 00 3C"} == set(blinks)
        assert len(blinks) >= 6
        kbus.telegrams.clear()
        bench.write_serial(bytes.fromhex("80 03 D0 5A 09"), "kbus")
        bench.write_serial(bytes.fromhex("80 03 D0 01 52"), "kbus")
        bench.advance(0.3)
        kbus.feed(bench.read_serial("kbus"))
        assert "D0 04 80 02 00 56" in kbus.telegrams
        assert kbus.refused == []


def test_the_speedometer_of_an_e46_has_its_pulses() -> None:
    """6.6 to 6.83 Hz for a km/h (CarCluster; 1680 Hz at 250; 410 Hz at 60), at the speed of the bench itself."""
    with VirtualBench("cluster-bmw-e46", start={"speed": 90}) as bench:
        bench.set("body.ParkingBrake", 1)
        bench.advance(0.6)
        bench.write_serial(packed(HELLO), "wires")
        bench.advance(0.6)
        bench.read_serial("wires")
        bench.advance(0.1)
        packets = [cobs.decode(one) for one in bench.read_serial("wires").split(b"\0") if one]
        values = [struct.unpack("<4i", one[1:-2]) for one in packets if one[0] == 3]
        kmh = bench.read("vehicle.Speed") * 3.6
        millihertz, brake, lower, upper = values[-1]
        assert 80 < kmh < 91
        assert 6.6 * kmh < millihertz / 1000 < 6.83 * kmh
        assert brake == 1
        share = bench.read("auxiliary.FuelShare")
        assert (lower + upper) / 2 / 65535 == pytest.approx(share, abs=0.01)


WIRES: dict[str, list[tuple[dict[str, float], dict[str, float]]]] = {
    "vw-pq": [
        # CarCluster, VWPQ25Cluster.cpp: the oil switch is open below 1500 rpm, closed above; 18 to 83 of 100 steps
        ({"request.MotionSpeed": 20, "request.MotionRpm": 1400}, {"OilPressure": 0, "HandBrake": 0, "BrakeFluid": 1}),
        (
            {"request.MotionSpeed": 20, "request.MotionRpm": 1600},
            {"OilPressure": 1, "WasherFluid": 0, "CoolantLevel": 0},
        ),
        ({"body.ParkingBrake": 1, "auxiliary.FuelShare": 0.5}, {"HandBrake": 1, "Fuel": 0.505}),
    ],
    "vw-mqb": [
        # VWMQBCluster.h: two pots, each for a half of the tank, 18 to 83 and 17 to 75
        ({"auxiliary.FuelShare": 0.25}, {"Fuel": 0.505, "Fuel2": 0.17}),
        ({"auxiliary.FuelShare": 0.75}, {"Fuel": 0.83, "Fuel2": 0.46}),
    ],
    "mazda-rx8": [
        ({"body.MainBeam": 1, "body.DoorFrontRight": 1}, {"MainBeam": 1, "Doors": 1, "TurnLeft": 0, "HandBrake": 0}),
        ({"input.Handbrake": 1}, {"HandBrake": 1, "MainBeam": 0}),
    ],
}
"""What is on the wires in a state of the car; of a potentiometer its share."""


@pytest.mark.parametrize("name", WIRES)
def test_the_wires_of_a_cluster_are_switched_as_others_switch_them(name: str) -> None:
    """Read from the packets of the board, by the libraries for COBS and CRC."""
    for state, wanted in WIRES[name]:
        share = {"vehicle.auxiliary.tank.initial_share": state.get("auxiliary.FuelShare", 1.0)}
        with VirtualBench(f"cluster-{name}", set=share) as bench:
            bench.set("input.Key", 0)
            for entry, value in state.items():
                if entry != "auxiliary.FuelShare":
                    bench.set(entry, value)
            bench.advance(0.6)
            bench.write_serial(packed(HELLO), "wires")
            bench.advance(0.6)
            bench.read_serial("wires")
            bench.advance(0.1)
            packets = [cobs.decode(one) for one in bench.read_serial("wires").split(b"\0") if one]
            channels = list(load_bench(f"cluster-{name}").settings.boards["wires"].channels.items())
        values = [struct.unpack(f"<{len(channels)}i", one[1:-2]) for one in packets if one[0] == 3][-1]
        shown = {
            channel: value / 65535 if settings.kind == "resistance" else value
            for (channel, settings), value in zip(channels, values, strict=True)
        }
        for channel, value in wanted.items():
            assert shown[channel] == pytest.approx(value, abs=0.01), (state, channel)


def test_the_wiring_is_a_table_and_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles", "bmw-e46", "--wiring", "text"]) == 0
    rows = [row.split("  ") for row in capsys.readouterr().out.splitlines()]
    assert any((row[0], row[-1].strip()) == ("CAN high", "CAN high, 500 kbit/s, 120 ohm at each end") for row in rows)
    assert main(["profiles", "bmw-e46", "--wiring", "svg"]) == 0
    root = ET.fromstring(capsys.readouterr().out)
    drawn = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"kbus: telegrams at 9600 bit/s", "black 14", "wires.Speed: frequency at pin 5", "black 22"} <= set(drawn)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 10  # but the lamp that nothing moves


PROFILE = """
title: Odd
confidence: C
tested: nowhere
sources: [one]
wiring:
  1: {to: kbus, text: the bus}
bus: {raw: {A: {id: 1, data: "00", period: 100}}}
lines:
  kbus: {protocol: telegrams, telegrams: {T: {source: 1, destination: 2, data: "03 00", period: 500}}}
boards:
  wires: {channels: {Lamp: {kind: digital, pin: 4, value: body.MainBeam}}}
"""


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("to: kbus", "to: kbuss", "leads to nothing of the profile"),
        ("protocol: telegrams,", "protocol: telegrams, port: /dev/ttyS0,", "is for the bench to say"),
        ('data: "03 00"', 'data: "03 0"', "not in hexadecimal"),
        ("period: 500", "period: 501", "no multiple of the tick"),
        ("source: 1", "source: 256", "must be at most 255"),
        ("period: 500", "replies_to: ['0x']", "replies_to"),
    ],
)
def test_what_is_wrong_in_a_profile_is_told_with_its_line(tmp_path: Path, before: str, after: str, words: str) -> None:
    (tmp_path / "odd.yaml").write_text(PROFILE.replace(before, after))
    bench = tmp_path / "bench.yaml"
    bench.write_text(
        "name: b\nrate: 100\nvehicle: compact\nbuses: {c: {profile: ./odd.yaml, interface: embedded}}\n"
        "lines: {kbus: {profile: ./odd.yaml, protocol: telegrams, port: pty}}\n"
    )
    with pytest.raises(ConfigurationError, match=words) as caught, VirtualBench(str(bench)):
        pass
    assert "odd.yaml:" in str(caught.value)


def test_a_bench_that_names_another_line_is_told_which_there_are(tmp_path: Path) -> None:
    (tmp_path / "odd.yaml").write_text(PROFILE)
    bench = tmp_path / "bench.yaml"
    bench.write_text(
        "name: b\nvehicle: compact\nlines: {ibus: {profile: ./odd.yaml, protocol: telegrams, port: pty}}\n"
    )
    with pytest.raises(ConfigurationError, match=r"has no line of the name ibus \(it has: kbus"):
        load_bench(str(bench))
