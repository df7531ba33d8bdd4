"""The log of a clone is played against it: what is equal is counted, what differs is named, and not called sure."""

import json
import re
from pathlib import Path

import pytest

from hilbridge.commands.cli import main

TALK = """
7E4#023E00
7EC#027E00
7E4#0322F18C
7EC#0562F18C4142
7E4#0322F18C
7EC#0562F18C4142
7E4#03222203
7EC#056222030001
7E4#03222203
7EC#056222030002
7E4#021A81
7EC#045A810102
7E4#021A81
7EC#045A810102
7E4#022705
7EC#066705CAFEBABE
7E4#062706DEADBEEF
7EC#026706
7E4#031902FF
7EC#075902FF91401309
7E4#02010C
7EC#04410C1AF8
7E4#022101
7E4#022101
"""
"""A talk by hand, in frames of one each: 0x7E4 asks, 0x7EC answers; 21 01 is not answered."""

EQUAL = ["3E 00", "22 F1 8C", "1A 81"]
UNEQUAL = {
    "22 22 03": "it changes in the log",
    "27 05": "secrets are not cloned",
    "27 06 …": "secrets are not cloned",
    "19 02 FF": "codes are set by command",
    "21 01": "the log has no answer, this bench 7F 21 11",
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    lines = TALK.split()
    path = tmp_path / "talk.log"
    path.write_text("".join(f"({1 + 0.01 * n:.6f}) can0 {line}\n" for n, line in enumerate(lines)))
    return path


def test_every_request_is_played_and_what_differs_has_its_reason(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = tmp_path / "clone.yaml"
    assert main(["clone", str(log), "-o", str(bench)]) == 0
    said = capsys.readouterr().out
    equal, asked = map(int, re.search(r"played against this clone: (\d+) of (\d+) answers equal", said).groups())  # type: ignore[union-attr]
    assert asked == sum(line.startswith("7E4") for line in TALK.split()) == 13
    for request, reason in UNEQUAL.items():
        assert re.search(rf"unit_7EC: {re.escape(request)}: \d of \d answers differ: .*{reason}", said), request
    for request in EQUAL:
        assert f"unit_7EC: {request}: " not in said
    assert equal >= 5
    assert not re.search("CA FE|DE AD", said)


def test_nothing_that_differs_is_called_sure(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in the bench file, nor of the unit, nor in JSON."""
    bench = tmp_path / "clone.yaml"
    assert main(["clone", str(log), "-o", str(bench), "--json"]) == 0
    unit = json.loads(capsys.readouterr().out)["units"]["unit_7EC"]
    played = unit["played"]
    assert (played["requests"], unit["certainty"]) == (13, "likely")
    assert played["equal"] + sum(one["unequal"] for one in played["unequal"]) == 13
    differing = {one["request"] for one in played["unequal"]}
    assert {"22 22 03", "27 05", "19 02 FF"} <= differing
    sure = [line for line in bench.read_text().splitlines() if "# sure: " in line]
    assert [line for line in sure if "F18C" in line]
    assert not [line for line in sure if "2203" in line]


def test_a_pause_of_the_tester_ends_a_session_as_in_the_car(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """22 F1 86 says 3 within S3, and 1 after six seconds without a request; a second log begins anew."""
    frames = [
        (1.0, "7E4#021003"),
        (1.01, "7EC#065003003201F4"),
        (1.2, "7E4#0322F186"),
        (1.21, "7EC#0462F18603"),
        (8.0, "7E4#0322F186"),
        (8.01, "7EC#0462F18601"),
    ]
    for name, some in (("one", frames), ("two", frames[4:])):
        (tmp_path / f"{name}.log").write_text("".join(f"({t:.6f}) can0 {frame}\n" for t, frame in some))
    assert main(["clone", str(tmp_path / "one.log"), str(tmp_path / "two.log")]) == 0
    assert "4 of 4 answers equal" in capsys.readouterr().out


def test_pids_that_no_template_has_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Such as EGR, fuel trims of other sensors and a hybrid's battery: the database knows them, the model does not."""
    numbers = (0x0A, 0x12, 0x2C, 0x55, 0x5B, 0x6F)
    frames = [f"7E0#0201{pid:02X}\n7E8#0341{pid:02X}64" for pid in numbers for _ in range(2)]
    lines = "\n".join(frames).split()
    log = tmp_path / "talk.log"
    log.write_text("".join(f"({1 + 0.01 * n:.6f}) can0 {line}\n" for n, line in enumerate(lines)))
    assert main(["clone", str(log), "-o", str(tmp_path / "clone.yaml")]) == 0
    said = capsys.readouterr()
    assert "refused" not in said.err
    assert "12 of 12 answers equal" in said.out
    assert main(["check", str(tmp_path / "clone.yaml")]) == 0
