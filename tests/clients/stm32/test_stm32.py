"""The same C on this machine and on emulated STM32s with bxCAN and FDCAN: the same frames in the same ticks.

The drivers are those of silicon: registers by ST's reference manuals; arm-none-eabi-gcc compiles them for labwired.
"""

import json
import pickle
import subprocess
from pathlib import Path
from typing import Final

import labwired
import pytest

from hilbridge.boundary.lockstep import labwired_chips
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main
from hilbridge.frames.codec.frame import Frame

from ...program import CHECKOUT

SOURCES: Final = Path(__file__).parent
HEADER: Final = CHECKOUT / "daemon/hilbridge/boundary/lockstep"
STRICT: Final = ("-O1", "-Wall", "-Wextra", "-Werror")
PHASE: Final = 3
"""[ms] of the first frame: a controller is deaf until its driver has set it up."""

BENCH: Final = """
name: stm32
rate: 1000
state: none
vehicle: compact
buses:
  more: {{interface: embedded}}
  can:
    interface: embedded
    fd: {fd}
    raw:
      Ten: {{id: 0x100, period: 10, phase: {phase}, data: "01 02 03 04 05 06 07 08"}}
      Empty: {{id: 0x101, period: 10, phase: {phase}}}
      Long: {{id: 0x98765, extended: true, period: 10, phase: {phase}, data: "AA BB"}}
      Other: {{id: 0x102, period: 10, phase: {phase}, data: "AA"}}
      More: {{id: 0x103, period: 5, phase: {phase}, data: "AA"}}
"""
FAST: Final = """\
      Fast: {{id: 0x300, period: 20, phase: {phase}, fd: true, data: "00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF"}}
"""


ASKER: Final = """
from hilbridge.testing import Frame

class Asker:
    def receive(self, frame, t):
        return []

    def tick(self, t):
        return {5: [Frame(0x40000124, bytes(4))], 16: [Frame(0xC0012345, b"")]}.get(round(1000 * t), [])
"""
"""Another unit, with remote requests: the bench itself has none."""


def compile_native(path: Path) -> None:
    words = ["cc", *STRICT, "-I", str(HEADER), "-o", str(path), str(SOURCES / "ecu.c"), str(SOURCES / "bench.c")]
    subprocess.run(words, check=True)


def compile_chip(path: Path, core: str, driver: str, clock: int, *more: str, flash: str = "0x08000000") -> None:
    """Compile the application with a driver."""
    compile_firmware(path, core, ["ecu.c", driver], clock, *more, flash=flash)


def compile_firmware(
    path: Path, core: str, sources: list[str], clock: int, *more: str, flash: str = "0x08000000", ram: str = "16K"
) -> None:
    """Compile for a core; `clock`: the address of the register that clocks what it uses."""
    script = path.with_suffix(".ld")
    text = (SOURCES / "chip.ld").read_text(encoding="utf-8")
    script.write_text(text.replace("0x08000000", flash).replace("LENGTH = 16K", f"LENGTH = {ram}"), encoding="utf-8")
    words = ["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-ffreestanding", *STRICT, "-nostdlib", "-nostartfiles"]
    words += [f"-DCLOCK={clock:#x}", *more, "-T", str(script), "-o", str(path)]
    subprocess.run([*words, *(str(SOURCES / one) for one in sources), "-lgcc"], check=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the firmware for this machine, and for an STM32F103."""
    folder = tmp_path_factory.mktemp("stm32")
    compile_native(folder / "ecu")
    compile_chip(folder / "ecu.elf", "cortex-m3", "bxcan.c", 0x4002101C)
    return folder


def run(folder: Path, client: str, *, fd: bool = False, phase: int = PHASE, seconds: float = 0.03) -> int:
    """Run the bench with a client, and record it into a new `recording` of the folder."""
    folder.mkdir(exist_ok=True)
    text = (BENCH + FAST * fd).format(fd=str(fd).lower(), phase=phase)
    client = client if client.startswith("bus: ") else f"bus: can, {client}"
    clients = f"lockstep:\n  asker: {{bus: can, python: 'asker.py:Asker'}}\n  ecu: {{{client}}}\n"
    (folder / "bench.yaml").write_text(text + clients, encoding="utf-8")
    (folder / "asker.py").write_text(ASKER, encoding="utf-8")
    words = ["run", str(folder / "bench.yaml"), "--pace", "lockstep", "--duration", str(seconds), "--trust"]
    return main([*words, "--log", "json", "--record", str(folder / "recording")])


def content(folder: Path) -> bytes:
    return b"".join(each.read_bytes() for each in sorted((folder / "recording").glob("record.*")))


def said(text: str) -> list[str]:
    records = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [one["says"] for one in records if one["event"] == "firmware"]


@pytest.mark.parametrize(
    ("chip", "core", "driver", "clock", "megahertz"),
    [
        ("stm32f103", "cortex-m3", "bxcan.c", 0x4002101C, 8),
        ("stm32f407", "cortex-m4", "bxcan.c", 0x40023840, 16),
        ("stm32l476", "cortex-m4", "bxcan.c", 0x40021058, 8),
        ("stm32h563", "cortex-m33", "fdcan.c", 0x44020CA0, 32),
    ],
)
def test_on_the_chip_and_here_the_recordings_are_equal_to_the_byte(
    chip: str, core: str, driver: str, clock: int, megahertz: int, tmp_path: Path
) -> None:
    """Also with five frames in one tick, where a controller has room for three; and a replay needs neither."""
    compile_native(tmp_path / "ecu")
    compile_chip(tmp_path / "ecu.elf", core, driver, clock)
    fd = driver == "fdcan.c"
    assert run(tmp_path / "native", "firmware: ../ecu", fd=fd) == 0
    assert run(tmp_path / "chip", f"firmware: ../ecu.elf, chip: {chip}, clock: {megahertz}", fd=fd) == 0
    assert content(tmp_path / "chip") == content(tmp_path / "native")
    records = [each for each in Recording(tmp_path / "chip/recording").records() if each.kind == FRAME]
    received = [one.frame for one in (FrameRecord.decode(each.payload) for each in records) if one.received]
    assert len(received) > 15
    assert Frame(0x40000125, bytes(4)) in received
    assert Frame(0xC0012346, b"") in received
    assert main(["replay", str(tmp_path / "chip/recording")]) == 0


def test_a_branch_goes_on_where_the_chip_was(built: Path, tmp_path: Path) -> None:
    """Its core has run again up to there: a branch with the rest of the inputs is the straight run."""
    assert run(tmp_path / "chip", f"firmware: {built / 'ecu.elf'}, chip: stm32f103, clock: 8") == 0
    recording, branch = tmp_path / "chip/recording", tmp_path / "branch"
    words = ["replay", str(recording), "--until", "0.0145", "--branch", str(branch), "--rest", "--trust"]
    assert main([*words, "--duration", "0.0155"]) == 0
    straight, again = (
        [(one.t, one.payload) for one in Recording(each).records() if one.kind == FRAME] for each in (recording, branch)
    )
    assert again == straight


def test_what_a_controller_does_not_take_is_told_and_counted(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """In the first tick it has no clock yet; CAN FD never reaches a classical one."""
    client = f"firmware: {built / 'ecu.elf'}, chip: stm32f103, clock: 8"
    assert run(tmp_path / "chip", client, fd=True, phase=0) == 0
    lines = said(capfd.readouterr().out)
    deaf, classic = "controller clock is not enabled", "a CAN-FD frame cannot be received by a classic CAN controller"
    assert lines[0] == f"(bxcan1 has lost T000987652AABB at 0 s: {deaf})"
    assert f"(bxcan1 has lost 2 in all: {classic})" in lines


@pytest.mark.parametrize(
    ("crash", "words"),
    [
        ('__asm__ volatile("udf #0")', "has crashed: Instruction"),
        ('__asm__ volatile("bkpt #0")', "the core has halted"),
    ],
)
def test_a_crash_of_the_core_fails_the_run_with_its_tick(
    crash: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    compile_chip(tmp_path / "ecu.elf", "cortex-m3", "bxcan.c", 0x4002101C, "-DCRASH_AT=3", f"-DCRASH={crash}")
    assert run(tmp_path / "chip", "firmware: ../ecu.elf, chip: stm32f103, clock: 8") == 1
    out = capfd.readouterr().out
    assert words in said(out)[-1]
    assert "lockstep client ecu has gone in mid-run: its program ended with status 126, in tick 4 at 0.004 s" in out
    assert main(["replay", str(tmp_path / "chip/recording")]) == 0


def test_a_program_that_was_linked_elsewhere_fails_the_run_at_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where this chip has no memory, as a program for ARM Linux."""
    compile_chip(tmp_path / "ecu.elf", "cortex-m3", "bxcan.c", 0x4002101C, flash="0x30000000")
    assert run(tmp_path / "chip", "firmware: ../ecu.elf, chip: stm32f103, clock: 8") == 1
    out = capfd.readouterr().out
    assert any("ecu.elf has crashed: Memory access violation" in line for line in said(out))
    assert "its program ended with status 126, in tick 1 at 0.001 s" in out


def test_firmware_that_hangs_is_silent_and_the_clock_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The emulator counts cycles: an endless loop cannot hang it, and the queue of the controller overflows."""
    compile_chip(tmp_path / "ecu.elf", "cortex-m3", "bxcan.c", 0x4002101C, "-DCRASH_AT=3", "-DCRASH=for(;;){}")
    assert run(tmp_path / "chip", "firmware: ../ecu.elf, chip: stm32f103, clock: 8") == 0
    assert any("in all: RX FIFO0 is full)" in line for line in said(capfd.readouterr().out))
    assert run(tmp_path / "bounded", "firmware: ../ecu.elf, chip: stm32f103, clock: 8, silence: 10") == 1
    assert "lockstep client ecu has been silent for 10 ticks, in tick " in capfd.readouterr().out


@pytest.mark.parametrize(
    ("client", "words"),
    [
        ("firmware: ../ecu.elf", "lockstep.ecu.chip: is missing: which microcontroller is it? One of stm32f103, "),
        ("firmware: ../ecu.elf, chip: stm32f108", "lockstep.ecu.chip: labwired has no microcontroller 'stm32f108'"),
        (
            "firmware: ../ecu.elf, chip: stm32f411ceu6",
            "lockstep.ecu.chip: stm32f411ceu6 has no CAN controller in labwired",
        ),
        ("firmware: ../ecu.elf, chip: stm32f103, controllers: [can2]", "has the CAN controllers bxcan1, not 'can2'"),
        ("firmware: ../ecu.elf, chip: stm32f103, controllers: []", "lockstep.ecu.controllers: must be as many"),
        (
            "bus: [can, more], firmware: ../ecu.elf, chip: stm32f103",
            "lockstep.ecu.bus[1]: has no controller in stm32f103",
        ),
        (
            "bus: [can, more], firmware: ../ecu.elf, chip: stm32h735, controllers: [fdcan1, fdcan1]",
            "lockstep.ecu.controllers: names one twice",
        ),
        ("firmware: ../ecu.elf, chip: stm32f103, clock: 0", "lockstep.ecu.clock"),
        ("firmware: ../ecu.elf, chip: stm32f103, arguments: [1]", "lockstep.ecu.arguments: a microcontroller has none"),
        ("firmware: ../ecu.elf, chip: stm32f103, backend: native", "which backend native does not run"),
        ("firmware: ../ecu.elf, clock: 8", "lockstep.ecu.clock: is of a microcontroller"),
        ("firmware: ../ecu, chip: stm32f103", "lockstep.ecu.chip: a program for this machine"),
        ("firmware: ../ecu, backend: labwired", "which backend labwired does not run"),
        ("program: ../ecu, chip: stm32f103", "lockstep.ecu.chip: is of 'firmware'"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    client: str, words: str, built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "chip", client.replace("..", str(built))) == 2
    assert main(["check", str(tmp_path / "chip/bench.yaml"), "--trust"]) == 2
    assert capsys.readouterr().err.count(words) == 2


def test_without_the_package_the_remedy_is_told(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labwired_chips, "find_spec", lambda name: None)
    assert run(tmp_path / "chip", f"firmware: {built / 'ecu.elf'}, chip: stm32f103") != 0
    said_of_it = capsys.readouterr().err
    assert "lockstep.ecu.firmware: needs the package labwired: " in said_of_it
    assert "-m pip install" in said_of_it


def test_snapshots_of_the_emulator_belong_to_their_session(built: Path, tmp_path: Path) -> None:
    """So no recording can keep one, and a branch runs the core again; once this fails, look again."""
    system = tmp_path / "system.yaml"
    chip = labwired_chips._folder() / "stm32f103.yaml"
    described = {"name": "ecu", "chip": str(chip), "cpu_hz": 8_000_000, "external_devices": [], "board_io": []}
    system.write_text(json.dumps(described), encoding="utf-8")
    one, other = (labwired.Sim(str(built / "ecu.elf"), system=str(system)) for _ in range(2))
    one.run_for("1ms")
    snapshot = one.snapshot()
    one.run_for("1ms")
    cycles = one.cycles
    one.restore(snapshot)
    assert one.cycles < cycles
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(snapshot)
    with pytest.raises(RuntimeError, match="different session"):
        other.restore(snapshot)
