"""`hilbridge profiles NAME --frames c`: a compiler's program makes the frames that a bench sends, to the byte."""

import json
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hilbridge.commands.cli import main
from hilbridge.frames.codec.frame import EXTENDED_MASK, Frame
from hilbridge.testing import VirtualBench

CC = shutil.which("gcc") or shutil.which("cc")
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
PROFILES = ["bmw-f", "vw-mqb", "honda-civic8", "mustang-s550", "subaru-wrx-va", "dodge-charger-ld", "chevrolet-camaro"]
"""CRCs with a constant and with data ids, sums of half bytes and of fields, parities, counters by a table."""

MAIN = """
#include <inttypes.h>
#include <stdio.h>
int main(void)
{{
    unsigned which, sent;
    while (scanf("%u %u", &which, &sent) == 2) {{
        uint8_t d[64] = {{0}};
        unsigned length = 0;
        switch (which) {{
{cases}
        }}
        for (unsigned i = 0; i < length; i++)
            printf("%02x", d[i]);
        putchar('\\n');
    }}
    return 0;
}}
"""


class Log:
    """A node that keeps what it hears."""

    def __init__(self) -> None:
        self.frames: list[tuple[int, bytes]] = []

    def receive(self, frame: Frame, _t: float) -> Iterable[Frame]:
        self.frames.append((frame.can_id & EXTENDED_MASK, bytes(frame.data)))
        return ()

    def tick(self, _t: float) -> Iterable[Frame]:
        return ()


def exported(profile: str, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    assert main(["profiles", profile, "--frames", form]) == 0
    return capsys.readouterr().out


def compiled(folder: Path, header: str, text: str) -> Path:
    """A program of the header and `text`."""
    assert CC is not None
    (folder / "frames.h").write_text(header, encoding="utf-8")
    (folder / "main.c").write_text('#include "frames.h"\n' + text, encoding="utf-8")
    subprocess.run([CC, *FLAGS, "-o", str(folder / "main"), str(folder / "main.c")], check=True)
    return folder / "main"


def functions(header: str) -> list[tuple[str, str]]:
    """The frames of a header: macro of the identifier, and function."""
    ids = [line.split()[1] for line in header.splitlines() if line.startswith("#define ") and "_ID 0x" in line]
    return [(one, one.removesuffix("_ID").lower()) for one in ids]


def number(data: bytes, runs: list[list[int]]) -> int:
    return sum(((data[byte] & mask) >> target) << source for byte, target, source, mask in runs)


def drive(profile: str) -> list[tuple[int, bytes]]:
    log = Log()
    with VirtualBench(f"cluster-{profile}", start={"coolant": 80}) as bench:
        bench.attach("cluster", log)
        bench.set("input.Key", 0)
        bench.advance(0.5)
        bench.set("input.Key", 1)
        bench.advance(1.0)
        bench.set("input.Key", 0)
        bench.set("input.Throttle", 0.5)
        bench.set("body.TurnSignal", 1)
        bench.advance(4.0)
    return log.frames


@pytest.mark.skipif(CC is None, reason="no C compiler")
@pytest.mark.parametrize("profile", PROFILES)
def test_a_compiled_header_makes_the_frames_of_a_drive(
    profile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the numbers of the signals and how often a frame was sent: counters, checksums and all bytes are ours."""
    header = exported(profile, "c", capsys)
    told: dict[str, Any] = json.loads(exported(profile, "json", capsys))
    made = functions(header)
    by_id = {frame["id"]: frame for frame in told["frames"]}
    numbers = {}
    cases = []
    for which, (macro, function) in enumerate(made):
        identifier = int(header.split(f"#define {macro} ")[1].split("u")[0], 16)
        numbers[identifier] = which
        frame = by_id[identifier]
        struct = header[: header.index(f"}} {function}_t;")].rpartition("typedef struct {")[2]
        members = [line.split()[1].rstrip(";") for line in struct.splitlines() if "int64_t" in line]
        assert len(members) == len(frame["signals"])
        reads = "".join(f'if (scanf("%" SCNd64, &s.{member}) != 1) return 1; ' for member in members)
        length = f"{macro.removesuffix('_ID')}_LENGTH"
        call = f"{reads}{function}(d, sent, &s); length = {length}; break;"
        cases.append(f"        case {which}: {{ {function}_t s = {{0}}; {call} }}")
    program = compiled(tmp_path, header, MAIN.format(cases="\n".join(cases)))
    sent: dict[int, int] = defaultdict(int)
    lines, expected = [], []
    for identifier, data in drive(profile):
        if identifier in numbers:
            raws = [number(data, signal["bits"]) for signal in by_id[identifier]["signals"]]
            lines.append(" ".join(map(str, [numbers[identifier], sent[identifier], *raws])))
            expected.append(data.hex())
            sent[identifier] += 1
    assert len(sent) == len(made)
    result = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=60)
    wrong = [
        (line, want, got) for line, want, got in zip(lines, expected, result.stdout.split(), strict=True) if want != got
    ]
    assert not wrong, wrong[:5]


@pytest.mark.skipif(CC is None, reason="no C compiler")
def test_thousandths_become_the_numbers_of_the_signals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """100 km/h are 6401 (64.01 a km/h), 90 °C 138 (48 more); beyond the bits is their limit, a negative scale turns."""
    text = """
#include <stdio.h>
int main(void)
{
    printf("%d %d %d %d\\n", (int)bmw_f_speed_speed(100000), (int)bmw_f_oil_coolant(90000),
           (int)bmw_f_oil_coolant(-273000), (int)bmw_f_oil_coolant(900000));
    return 0;
}
"""
    program = compiled(tmp_path, exported("bmw-f", "c", capsys), text)
    result = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.split() == ["6401", "138", "0", "255"]


def test_what_a_header_cannot_make_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """In its comment, and on standard error."""
    assert main(["profiles", "bmw-f", "--frames", "c"]) == 0
    out, err = capsys.readouterr()
    reason = "left out: CheckControl: it goes on events"
    assert reason in err
    assert f" * {reason}" in out


def test_frames_want_a_profile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profiles", "--frames", "c"]) == 2
    assert "needs the name of a profile" in capsys.readouterr().err


@pytest.mark.skipif(CC is None, reason="there is no C compiler")
@pytest.mark.parametrize("ending", ["*/", "**/", "*\\\n/", "*??/\n/"])
def test_what_a_profile_says_of_itself_is_no_code(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C99, 5.1.1.2: lines are spliced at a backslash, or at its trigraph, before comments are looked for."""
    text = f"x {ending} #error the words of a stranger\n/*"
    profile = {
        "title": text,
        "confidence": "B",
        "tested": text,
        "sources": [text],
        "notes": [text],
        "bus": {"raw": {"Engine": {"id": 0x110, "data": "00 00", "period": 20}}},
    }
    path = tmp_path / "theirs.yaml"
    path.write_text(json.dumps(profile))
    header, source = tmp_path / "frames.h", tmp_path / "frames.c"
    header.write_text(exported(str(path), "c", capsys))
    source.write_text('#include "frames.h"\nint main(void) { return 0; }\n')
    done = subprocess.run(
        [str(CC), "-std=c99", "-fsyntax-only", str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
