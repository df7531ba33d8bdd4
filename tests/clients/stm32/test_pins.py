"""GPIO of emulated STM32s as named pins of a board: a key that they read, a lamp that they drive."""

from pathlib import Path
from typing import Final

import pytest

from hilbridge.boundary.lockstep.labwired_pins import Wire
from hilbridge.commands.cli import main

from .test_stm32 import compile_firmware

BENCH: Final = """
name: pins
rate: 1000
state: none
vehicle: compact
custom: {Lamp: {range: [0, 1]}}
buses:
  can: {interface: embedded}
boards:
  wires:
    port: lockstep
    period: 1
    channels:
      key: {kind: KIND, pin: PIN, value: {expression: "input.Key > 0.5"}}
    measures:
      lamp: {kind: switch, pin: 17}
inputs:
  - {source: board, board: wires, signals: {custom.Lamp: {field: lamp}}}
lockstep:
  ecu: {bus: can, board: wires, firmware: ecu.elf, chip: CHIP, clock: 8}
"""

SCENARIO: Final = """
steps:
  - name: Dark without the key
    always: "custom.Lamp < 0.5"
    for: 0.006
  - set: {input.Key: 1}
  - name: It shines
    expect: "custom.Lamp > 0.5"
    within: 0.01
  - set: {input.Key: 0}
  - name: Dark again
    expect: "custom.Lamp < 0.5"
    within: 0.003
"""


def bench(folder: Path, chip: str, kind: str = "digital", pin: int = 0) -> Path:
    file = folder / "bench.yaml"
    text = BENCH.replace("CHIP", chip).replace("KIND", kind).replace("PIN", str(pin))
    file.write_text(text, encoding="utf-8")
    return file


def compile_pins(folder: Path, core: str, clock: int, clocks: int, ports: tuple[int, int], *, first: bool) -> None:
    registers = [f"-DCLOCKS={clocks:#x}", f"-DPORT_A={ports[0]:#x}", f"-DPORT_B={ports[1]:#x}"]
    compile_firmware(folder / "ecu.elf", core, ["pins.c"], clock, *registers, f"-DFIRST_FAMILY={first:d}")


@pytest.mark.parametrize(
    ("chip", "core", "clock", "clocks", "ports"),
    [
        ("stm32f103", "cortex-m3", 0x40021018, 0b1100, (0x40010800, 0x40010C00)),
        ("stm32f407", "cortex-m4", 0x40023830, 0b11, (0x40020000, 0x40020400)),
        ("stm32l476", "cortex-m4", 0x4002104C, 0b11, (0x48000000, 0x48000400)),
        ("stm32h563", "cortex-m33", 0x44020C8C, 0b11, (0x42020000, 0x42020400)),
    ],
)
def test_a_chip_reads_and_drives_the_pins_of_its_board(
    chip: str, core: str, clock: int, clocks: int, ports: tuple[int, int], tmp_path: Path
) -> None:
    compile_pins(tmp_path, core, clock, clocks, ports, first=chip == "stm32f103")
    (tmp_path / "drive.yaml").write_text(SCENARIO, encoding="utf-8")
    words = ["run", str(bench(tmp_path, chip)), "--pace", "lockstep", "--trust"]
    assert main([*words, "--scenario", str(tmp_path / "drive.yaml"), "--record", str(tmp_path / "recording")]) == 0
    assert main(["replay", str(tmp_path / "recording")]) == 0


@pytest.mark.parametrize(
    ("kind", "pin", "words"),
    [
        ("pwm", 0, "lockstep.ecu.board: pin key: of an emulated microcontroller only kind 'digital' can be, not 'pwm'"),
        ("digital", 200, "lockstep.ecu.board: pin key: there is no 200, for it has the ports A, B, C"),
    ],
)
def test_pins_that_cannot_be_are_refused(
    kind: str, pin: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_pins(tmp_path, "cortex-m3", 0x40021018, 0b1100, (0x40010800, 0x40010C00), first=True)
    assert main(["check", str(bench(tmp_path, "stm32f103", kind, pin)), "--trust"]) == 2
    assert words in capsys.readouterr().err


def test_a_pin_drives_nothing_until_it_is_an_output() -> None:
    """Modes by ST's RM0008, section 9.2 (two bits of four), and RM0090, section 8.4.1 (two bits)."""
    first, later = Wire("gpiob", 0x40010C00, 9, is_first=True), Wire("gpiob", 0x40020400, 9, is_first=False)
    assert first.registers() == (0x40010C04, 0x40010C0C)
    assert later.registers() == (0x40020400, 0x40020414)
    assert [first.level(mode << 4, 1 << 9) for mode in (0x4, 0x3, 0x2)] == [0, 1, 1]
    assert [later.level(mode << 18, 1 << 9) for mode in (0, 1, 2)] == [0, 1, 0]
    assert Wire.parse(first.word("read", "key")) == ("read", "key", first)
