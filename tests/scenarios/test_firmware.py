"""Firmware compiled from C, through its header, on benches whose virtual clock waits for it; a compiler is the tool."""

import json
import os
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main
from hilbridge.frames.codec.frame import EXTENDED, FD

from ..program import CHECKOUT

SOURCE: Final = Path(__file__).with_name("firmware.c")
HEADER: Final = CHECKOUT / "daemon/hilbridge/boundary/lockstep"
STRICT: Final = ("-Wall", "-Wextra", "-Werror", "-pedantic")

BENCH: Final = """
name: firmware
rate: 1000
state: none
vehicle: compact
buses:
  powertrain:
    interface: embedded
    fd: true
    raw:
      Ten: {id: 0x100, period: 10, data: "01 02 03 04 05 06 07 08"}
      Empty: {id: 0x101, period: 20}
      Long: {id: 0x98765, extended: true, period: 10, data: "AA BB"}
      Fast: {id: 0x300, period: 20, fd: true, data: "00 11 22 33 44 55 66 77 88 99 AA BB CC DD EE FF"}
  body:
    interface: embedded
    raw:
      Door: {id: 0x400, period: 50, data: "C0 FF EE"}
"""


def compile_to(path: Path, *options: str, compiler: str = "cc", source: Path = SOURCE) -> None:
    """Compile a firmware with its header."""
    words = [compiler, "-D_GNU_SOURCE", *options, "-I", str(HEADER), "-o", str(path), str(source)]
    subprocess.run(words, check=True, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the firmware as a program, a library, in C++, and with sanitizers."""
    folder = tmp_path_factory.mktemp("firmware")
    compile_to(folder / "ecu", "-std=c99", *STRICT, "-O1")
    compile_to(folder / "ecu.so", "-std=c11", *STRICT, "-shared", "-fPIC")
    compile_to(
        folder / "in_cpp", "-x", "c++", "-std=c++20", *STRICT[:-1], "-Wno-missing-field-initializers", compiler="g++"
    )
    compile_to(folder / "sanitized", "-g", "-fsanitize=address,undefined")
    return folder


def run(folder: Path, clients: str, *more: str, seconds: float = 0.25) -> int:
    """Run the bench with clients and record it into a new `recording` of the folder."""
    (folder / "bench.yaml").write_text(f"{BENCH}lockstep:\n{clients}\n", encoding="utf-8")
    words = ["run", str(folder / "bench.yaml"), "--pace", "lockstep", "--duration", str(seconds), "--trust"]
    return main([*words, "--log", "json", "--record", str(folder / "recording"), *more])


def frames(folder: Path) -> list[tuple[int, FrameRecord]]:
    """Return the frames of the recording with the numbers of their ticks."""
    records = (each for each in Recording(folder / "recording").records() if each.kind == FRAME)
    return [(each.t // 1_000_000, FrameRecord.decode(each.payload)) for each in records]


def said(text: str, event: str = "firmware") -> list[tuple[float, str]]:
    """Return the lines of the firmware in a log with their times."""
    records = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return [(one["t"], one["says"]) for one in records if one["event"] == event]


@pytest.mark.parametrize("name", ["ecu", "ecu.so", "in_cpp", "sanitized"])
def test_firmware_hears_and_sends_every_kind_of_frame(name: str, built: Path, tmp_path: Path) -> None:
    """It sends each frame on, to the next bus, one higher: what it sends at T was on the other bus at T - 1."""
    assert run(tmp_path, f"  ecu: {{bus: [powertrain, body], firmware: {built / name}, arguments: [two]}}") == 0
    told = frames(tmp_path)
    sent = Counter(
        (t + 1, 1 - one.bus, one.frame._replace(can_id=one.frame.can_id + 1)) for t, one in told if not one.received
    )
    came = Counter((t, one.bus, one.frame) for t, one in told if one.received)
    last = max(t for t, _, _ in sent)
    assert came == Counter({key: count for key, count in sent.items() if key[0] < last or key in came})
    received = [one.frame for _, one in told if one.received]
    kinds = {(frame.flags & FD, frame.can_id & EXTENDED, len(frame.data)) for frame in received}
    assert kinds == {(0, 0, 0), (0, 0, 3), (0, 0, 8), (0, EXTENDED, 2), (FD, 0, 16)}
    assert {one.bus for _, one in told if one.received} == {0, 1}
    assert main(["replay", str(tmp_path / "recording")]) == 0


def test_two_runs_are_equal_and_the_way_it_was_built_does_not_matter(built: Path, tmp_path: Path) -> None:
    contents = []
    for number, name in enumerate(("ecu", "ecu", "ecu.so", "in_cpp")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "ecu").write_bytes((built / name).read_bytes())
        assert run(folder, "  ecu: {bus: [body, powertrain], firmware: ecu, arguments: [plain]}") == 0
        contents.append(b"".join(each.read_bytes() for each in sorted((folder / "recording").glob("record.*"))))
    assert len(set(contents)) == 1


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no rustc")
def test_the_twin_in_rust_hears_and_sends_the_same(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The recordings of both are equal, also with filters; and no controller sends what the header refuses."""
    for source in (SOURCE.with_suffix(".rs"), HEADER / "hilbridge_lockstep.rs"):
        shutil.copy(source, tmp_path)
    words = ["rustc", "-D", "warnings", "--edition", "2021", "-o", "ecu-rust", "firmware.rs"]
    subprocess.run(words, cwd=tmp_path, check=True)
    for mode in ("plain", "filter"):
        contents = []
        for program in (built / "ecu", tmp_path / "ecu-rust"):
            folder = tmp_path / f"{mode}-{program.name}"
            folder.mkdir()
            assert run(folder, f"  ecu: {{bus: [powertrain, body], firmware: {program}, arguments: [{mode}]}}") == 0
            contents.append(b"".join(each.read_bytes() for each in sorted((folder / "recording").glob("record.*"))))
        assert contents[0] == contents[1]
    capfd.readouterr()
    refused = f"  ecu: {{bus: powertrain, firmware: {tmp_path / 'ecu-rust'}, arguments: [refused]}}"
    assert run(tmp_path, refused, seconds=0.01) == 0
    assert [line for _, line in said(capfd.readouterr().out)] == [*(f"{i}: 0" for i in range(7)), "bus: 0"]


def test_the_twin_in_python_hears_and_sends_the_same(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """On each bus of the bench; a program has one."""
    for bus in ("powertrain", "body"):
        contents = []
        for way in (f"firmware: {built / 'ecu'}", f"program: {SOURCE.with_suffix('.py')}"):
            folder = tmp_path / f"{bus}-{way[:7]}"
            folder.mkdir()
            assert run(folder, f"  ecu: {{bus: {bus}, {way}, arguments: [plain]}}") == 0
            contents.append(b"".join(each.read_bytes() for each in sorted((folder / "recording").glob("record.*"))))
        assert contents[0] == contents[1]
    capfd.readouterr()
    refused = f"  ecu: {{bus: powertrain, program: {SOURCE.with_suffix('.py')}, arguments: [refused]}}"
    assert run(tmp_path, refused, seconds=0.01) == 0
    assert capfd.readouterr().err.splitlines()[-7:] == [f"{i}: 0" for i in range(7)]


def test_filters_let_pass_what_a_controller_would(built: Path, tmp_path: Path) -> None:
    """One identifier of 11 bits, and 29 bits that begin with 98; two firmwares on one bus hear each other."""
    clients = f"  one: {{bus: powertrain, firmware: {built / 'ecu'}, arguments: [filter]}}\n"
    clients += f"  two: {{bus: body, firmware: {built / 'ecu'}, every: 10}}"
    assert run(tmp_path, clients, seconds=0.1) == 0
    came = {(one.bus, one.frame.can_id) for _, one in frames(tmp_path) if one.received}
    assert came == {(0, 0x101), (0, 0x98766 | EXTENDED), (1, 0x401)}


def test_what_firmware_prints_is_in_the_log_in_its_tick(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The buses by name, what no controller sends, and frames for which its queue has no room."""
    two = f"{{bus: [powertrain, body], firmware: {built / 'ecu'}, arguments: [two]}}"
    assert run(tmp_path, f"  ecu: {two}", seconds=0.02) == 0
    assert said(capfd.readouterr().out) == [(0.0, "powertrain 0, body 1, none -1")]

    (tmp_path / "refused").mkdir()
    refused = f"{{bus: powertrain, firmware: {built / 'ecu'}, arguments: [refused]}}"
    assert run(tmp_path / "refused", f"  ecu: {refused}", seconds=0.02) == 0
    assert [line for _, line in said(capfd.readouterr().out)] == [*(f"{i}: 0" for i in range(7)), "bus: 0"]

    (tmp_path / "deaf").mkdir()
    deaf = f"{{bus: powertrain, firmware: {built / 'ecu'}, arguments: [deaf]}}"
    assert run(tmp_path / "deaf", f"  ecu: {deaf}", seconds=5) == 0
    heard = sum(not one.received and one.bus == 0 for _, one in frames(tmp_path / "deaf"))
    assert said(capfd.readouterr().out) == [(5.0, f"lost {heard - 1024}")]


@pytest.mark.parametrize(
    ("name", "mode", "words"),
    [
        (
            "ecu",
            "crash",
            ["its program ended with status -11 (SIGSEGV)", "last heard: 95000000 T0", "last sent: T000987662AABB"],
        ),
        ("ecu.so", "crash", ["its program ended with status -11 (SIGSEGV)"]),
        ("ecu", "leave", ["has gone in mid-run: its program ended with status 0"]),
        ("ecu", "sleep", ["has not said 'done' within 0.5 s", "last heard: 9"]),
        ("ecu", "past", ["has answered for the past: 'done 99000000' in the turn 'done 100000000'"]),
        ("ecu", "future", ["has answered for the future: 'done 101000000'"]),
        ("ecu", "nonsense", ["has sent 'what?', which is neither a frame nor 'done'"]),
        ("ecu", "flood", ["has sent more than 4096 frames in one turn"]),
        ("ecu", "fork", ["its program ended with status 3"]),
        ("sanitized", "overflow", ["is at fault: ", "runtime error: signed integer overflow"]),
        ("sanitized", "beyond", ["runtime error: index 4 out of bounds"]),
    ],
)
def test_firmware_that_is_lost_fails_the_run_with_its_tick(
    name: str, mode: str, words: list[str], built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was recorded up to there is whole; nothing that it had started is left."""
    seconds = 0.5 if mode == "sleep" else 10
    client = f"{{bus: powertrain, firmware: {built / name}, arguments: [{mode}], timeout: {seconds}}}"
    assert run(tmp_path, f"  ecu: {client}") == 1
    out = capfd.readouterr().out
    reason = next(line for line in out.splitlines() if "the run was given up" in line)
    for each in ("lockstep client ecu ", "in tick 100 at 0.1 s", *words):
        assert each in reason
    assert ("processes that it had started were killed" in out) == (mode == "fork")
    assert main(["replay", str(tmp_path / "recording")]) == 0


@pytest.mark.parametrize(
    ("client", "words"),
    [
        ("firmware: /bin/sleep, arguments: [1000], timeout: 0.5", "has not said 'done' within 0.5 s, in tick 0 at 0 s"),
        ("firmware: /bin/true", "has gone in mid-run: its program ended with status 0, in tick 0 at 0 s"),
    ],
)
def test_a_program_that_never_speaks_fails_the_run_in_its_first_tick(
    client: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One that has no header in it, and waits or ends."""
    assert run(tmp_path, f"  ecu: {{bus: powertrain, {client}}}") == 1
    assert f"lockstep client ecu {words}" in capfd.readouterr().out


def test_a_report_of_a_sanitizer_is_shown_whole(built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """AddressSanitizer's, of an access behind an array, after chatter that fills what a log takes."""
    compile_to(tmp_path / "address", "-g", "-fsanitize=address")
    assert run(tmp_path, "  ecu: {bus: powertrain, firmware: address, arguments: [beyond]}") == 1
    lines = [line for _, line in said(capfd.readouterr().out, "sanitizer")]
    assert "ERROR: AddressSanitizer: stack-buffer-overflow" in lines[0]
    assert any("firmware.c" in line and "fail" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "mode", "words"),
    [
        ("sanitized", "leak", "ERROR: LeakSanitizer"),
        ("ecu", "verdict", "ended with status 7, after the end of the run"),
    ],
)
def test_a_bad_end_fails_the_run(
    name: str, mode: str, words: str, built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, f"  ecu: {{bus: powertrain, firmware: {built / name}, arguments: [{mode}]}}") == 1
    assert words in next(line for line in capfd.readouterr().out.splitlines() if "the run has failed" in line)


def test_in_a_campaign_firmware_has_a_row_for_each_run_and_the_same_the_second_time(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It goes along with the bench, by its content; what a sanitizer says is without processes and places."""
    compile_to(tmp_path / "ecu", "-g", "-fsanitize=address")
    client = "  ecu: {bus: powertrain, firmware: ecu, arguments: [plain]}"
    (tmp_path / "bench.yaml").write_text(f"{BENCH}lockstep:\n{client}\n", encoding="utf-8")
    (tmp_path / "quiet.yaml").write_text(
        "steps:\n  - absent: {bus: powertrain, message: 0x7FF}\n    for: 0.2\n", encoding="utf-8"
    )
    (tmp_path / "all.yaml").write_text(
        "bench: bench.yaml\nscenario: quiet.yaml\nvary: {bench.lockstep.ecu.arguments.0: [two, crash, beyond]}\n",
        encoding="utf-8",
    )
    rows = []
    for into in ("first", "second"):
        assert main(["campaign", str(tmp_path / "all.yaml"), "--trust", "--into", str(tmp_path / into)]) == 1
        lines = (tmp_path / into / "rows.jsonl").read_text(encoding="utf-8").splitlines()
        rows.append(sorted((json.loads(line) for line in lines), key=lambda row: str(row["run"])))
    assert rows[0] == rows[1]
    capfd.readouterr()
    printed = [file.read_text(encoding="utf-8") for file in (tmp_path / "second/printed").iterdir()]
    assert any("ecu: " in text for text in printed)
    by_mode = {row["set"]["bench.lockstep.ecu.arguments.0"]: row for row in rows[0]}
    assert {mode: row["verdict"] for mode, row in by_mode.items()} == {
        "two": "passed",
        "crash": "died",
        "beyond": "died",
    }
    assert "AddressSanitizer: stack-buffer-overflow on address …" in by_mode["beyond"]["reason"]
    assert "in tick 100 at 0.1 s" in by_mode["crash"]["reason"]


def test_a_flood_of_lines_is_bounded_and_counted(
    built: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, f"  ecu: {{bus: powertrain, firmware: {built / 'ecu'}, arguments: [chatter]}}") == 0
    out = capfd.readouterr().out
    assert "printed 19,000 more lines, which are not in the log" in out
    assert 1 < len(said(out)) <= 1001


def other_processor(machine: int, content: bytes) -> bytes:
    """Return an ELF file that says it is for another machine (`e_machine`)."""
    return content[:18] + struct.pack("<H", machine) + content[20:]


def test_firmware_that_nothing_runs_is_refused_with_the_reason(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By `run` and by `check`, each with the place in the bench file. What a compiler made is the measure."""
    program = (built / "ecu").read_bytes()
    subprocess.run(["cc", "-c", "-I", HEADER, "-o", tmp_path / "object", SOURCE], check=True)
    subprocess.run(
        ["avr-gcc", "-nostdlib", "-o", tmp_path / "avr", "-x", "c", "-"],
        input=b"int main(void) {return 0;}",
        check=True,
    )
    for name, content in {
        "arm": other_processor(40, program),
        "unknown": other_processor(999, program),
        "cut": program[:100],
        "damaged": b"\x7fELF" + bytes(60),
        "empty": b"",
        "script": b"#!/bin/sh\nexit 0\n",
        "windows": b"MZ" + bytes(100),
        "hex": b":100000000C9434000C94\n",
        "text": b"int main\n",
        "archive": b"!<arch>\n",
    }.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    expected = {
        "missing": "cannot be read",
        "folder": "cannot be read",
        "avr": "a program for AVR (32 bit), which backend native does not run: this machine has ",
        "arm": "a program for ARM (64 bit), which backend native does not run: this machine has ",
        "unknown": "for machine 999",
        "object": "an object file, which the linker has not yet made a program",
        "archive": "an archive of object files",
        "cut": "an ELF file that is cut off",
        "damaged": "an ELF file with a damaged head",
        "empty": "is empty",
        "script": "a script: name it with the key 'program'",
        "windows": "a program for Windows (PE)",
        "hex": "an Intel HEX file",
        "text": "no ELF file: it begins with 69 6e 74 20",
    }
    for name, words in expected.items():
        assert run(tmp_path, f"  ecu: {{bus: powertrain, firmware: {name}, backend: native}}") == 2
        assert main(["check", str(tmp_path / "bench.yaml"), "--trust"]) == 2
        both = capsys.readouterr().err
        assert both.count("lockstep.ecu.firmware: ") == both.count(words) == 2, both


def test_a_library_that_cannot_be_run_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for source, words in (
        ("int other(void) { return 0; }", "has no function 'main' that others can call"),
        ("int missing(void); int main(void) { return missing(); }", "undefined symbol: missing"),
    ):
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-Wl,-z,now", "-o", tmp_path / "lib.so", "-x", "c", "-"],
            input=source.encode(),
            check=True,
        )
        assert run(tmp_path, "  ecu: {bus: powertrain, firmware: lib.so}", "--no-web") == 1
        out = capfd.readouterr().out
        assert words in out
        assert "ended with status 127" in out
        subprocess.run(["rm", "-r", tmp_path / "recording"], check=True)


@pytest.mark.parametrize(
    ("client", "words"),
    [
        ("{bus: [powertrain, x], firmware: ecu}", "lockstep.ecu.bus[1]: there is no bus 'x'"),
        ("{bus: [powertrain, powertrain], firmware: ecu}", "lockstep.ecu.bus[1]: the same bus as lockstep.ecu.bus"),
        ("{bus: [], firmware: ecu}", "lockstep.ecu.bus"),
        ("{bus: [powertrain], program: ecu}", "lockstep.ecu.bus: several buses are of 'firmware'"),
        ("{bus: powertrain, program: ecu, backend: native}", "lockstep.ecu.backend: is of 'firmware'"),
        ("{bus: powertrain, firmware: ecu, backend: abacus}", "lockstep.ecu.backend"),
        ("{bus: powertrain, firmware: ecu, program: ecu}", "needs one of the keys python, program, firmware, socket"),
    ],
)
def test_settings_that_mean_nothing_are_refused(
    client: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, f"  ecu: {client}") == 2
    assert words in capsys.readouterr().err


def test_firmware_that_nobody_trusts_is_not_run(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its content: a byte more, and it is another."""
    (tmp_path / "own").write_bytes((built / "ecu").read_bytes() + os.urandom(8))
    (tmp_path / "bench.yaml").write_text(f"{BENCH}lockstep:\n  ecu: {{bus: body, firmware: own}}\n", encoding="utf-8")
    for words in (["run", "--pace", "lockstep", "--duration", "1"], ["check"]):
        assert main([words[0], str(tmp_path / "bench.yaml"), *words[1:]]) == 2
        said_of_it = capsys.readouterr().err
        assert "lockstep.ecu.firmware: " in said_of_it
        assert "own' is code that nobody has trusted here" in said_of_it


def test_the_command_prints_the_header_its_twins_and_the_backends(capsys: pytest.CaptureFixture[str]) -> None:
    for what, suffix in (("header", "h"), ("python", "py"), ("rust", "rs")):
        assert main(["lockstep", what]) == 0
        assert capsys.readouterr().out == (HEADER / f"hilbridge_lockstep.{suffix}").read_text(encoding="utf-8")
    assert main(["lockstep", "backends"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["native", "labwired"]
