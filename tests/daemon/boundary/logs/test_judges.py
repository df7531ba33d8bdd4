"""What other programs read of the same files: python-can of what its writers wrote, and can-utils."""

import csv
import random
import shutil
import subprocess
from pathlib import Path

import can
import pytest

from hilbridge.boundary.logs.account import Account
from hilbridge.commands.cli import main

from .written import read

START = 1_700_000_000.0
HAS_FD = (".log", ".asc", ".blf", ".mf4")
HAS_OTHERS = (".log", ".asc", ".blf", ".csv")


def messages(suffix: str) -> list[can.Message]:
    """Frames of every kind that a writer has."""
    chance = random.Random(suffix)
    found = []
    for index in range(400):
        extended, fd = chance.random() < 0.3, suffix in HAS_FD and chance.random() < 0.3
        kind = chance.random() if suffix in HAS_OTHERS else 0.0
        length = chance.choice((1, 5, 8, *((12, 20, 64) if fd else (0,))))
        found.append(
            can.Message(
                timestamp=START + index * 0.0101, channel=index % 2, is_extended_id=extended,
                arbitration_id=chance.getrandbits(29 if extended else 11),
                is_fd=fd, bitrate_switch=fd and chance.random() < 0.5,
                is_remote_frame=not fd and 0.9 < kind < 0.95, is_error_frame=not fd and kind > 0.95,
                data=None if kind > 0.9 and not fd else chance.randbytes(length),
            )
        )  # fmt: skip
    return found


def row(
    time: float, can_id: int, data: bytes | bytearray, *, extended: bool, fd: bool, switch: bool
) -> tuple[object, ...]:
    return round(time * 10**5), can_id, bytes(data), extended, fd, switch


def theirs(path: Path) -> tuple[list[tuple[object, ...]], int]:
    """Data frames as python-can reads them, from the first one on, and how many others there are."""
    found, others = [], 0
    with can.LogReader(path) as reader:
        for one in reader:
            if one.is_error_frame or one.is_remote_frame:
                others += 1
            else:
                found.append(one)
    start = found[0].timestamp
    flags = [{"extended": one.is_extended_id, "fd": one.is_fd, "switch": one.bitrate_switch} for one in found]
    rows = zip(found, flags, strict=True)
    return [row(one.timestamp - start, one.arbitration_id, one.data, **which) for one, which in rows], others


def ours(path: Path) -> tuple[list[tuple[object, ...]], Account]:
    frames, account = read(path)
    found: list[tuple[object, ...]] = []
    start = float(frames[0].split()[0])
    for frame in frames:
        time, _, rest = frame.split()
        identifier, _, data = rest.partition("#")
        fd = data.startswith("#")
        content = bytes.fromhex(data[2:] if fd else data)
        which = {"extended": len(identifier) == 8, "fd": fd, "switch": data[1:2] == "1" and fd}
        found.append(row(float(time) - start, int(identifier, 16), content, **which))
    return found, account


@pytest.mark.parametrize("suffix", [".log", ".asc", ".trc", ".csv", ".blf", ".mf4"])
def test_what_python_can_writes_is_read_as_python_can_reads_it(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with can.Logger(path) as logger:
        for message in messages(suffix):
            logger.on_message_received(message)
    expected, others = theirs(path)
    found, account = ours(path)
    assert len(found) == len(expected) > 200
    for one, other in zip(found, expected, strict=True):
        assert one[1:] == other[1:]
        assert abs(int(str(one[0])) - int(str(other[0]))) <= 1  # 10 us: doubles since 1970 on their side
    assert account.left_out["error frame"] + account.left_out["remote frame"] == others
    assert account.unreadable == 0


@pytest.mark.skipif(shutil.which("log2asc") is None, reason="needs can-utils")
def test_a_log_that_can_utils_turn_into_asc_and_back_has_the_same_frames(tmp_path: Path) -> None:
    log, asc, back = tmp_path / "a.log", tmp_path / "a.asc", tmp_path / "b.log"
    lines = [f"({1000 + index / 100:.6f}) can0 {index * 7 % 2048:03X}#{index % 256:02X}11\n" for index in range(200)]
    lines += [f"({1010 + index / 100:.6f}) can0 {0x18DAF100 + index:08X}#{index % 256:02X}\n" for index in range(50)]
    log.write_text("".join(lines))
    subprocess.run(["log2asc", "-I", log, "-O", asc, "can0"], check=True, timeout=60)
    subprocess.run(["asc2log", "-I", asc, "-O", back], check=True, timeout=60)
    expected, _ = ours(log)
    assert ours(asc)[0] == expected
    assert [one[1:] for one in ours(back)[0]] == [one[1:] for one in expected]


DBC = """VERSION ""
BU_: A
BO_ 256 Engine: 8 A
 SG_ Speed : 0|16@1+ (0.25,0) [0|0] "rpm" A
 SG_ Torque : 23|12@0- (0.5,-10) [0|0] "Nm" A
BO_ 2566844672 Long: 8 A
 SG_ Whole : 0|64@1+ (1,0) [0|0] "" A
 SG_ Low : 7|9@0+ (0.1,3) [0|0] "" A
"""


def test_signals_of_an_mf4_log_are_as_asammdf_extracts_them(tmp_path: Path) -> None:
    """With `MDF.extract_bus_logging`, which reads file and database without any part of ours."""
    mdf = pytest.importorskip("asammdf").MDF
    chance, log, dbc = random.Random(7), tmp_path / "a.mf4", tmp_path / "car.dbc"
    dbc.write_text(DBC)
    with can.Logger(log) as logger:
        for index in range(500):
            data, extended = chance.randbytes(8), bool(index % 3)
            identifier = 0x18FEF100 if extended else 256
            logger.on_message_received(
                can.Message(
                    timestamp=START + index * 0.01, channel=0, data=data,
                    arbitration_id=identifier, is_extended_id=extended,
                )
            )  # fmt: skip
    assert main(["export", str(log), str(tmp_path / "out.csv"), "--dbc", str(dbc)]) == 0
    found = 0
    with mdf(log) as file, file.extract_bus_logging({"CAN": [(str(dbc), 0)]}) as signals:
        for message, names in (("Engine", ("Speed", "Torque")), ("Long", ("Whole", "Low"))):
            with (tmp_path / "out.csv" / f"{message}.csv").open(newline="") as table:
                rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
            for name in names:
                theirs = signals.get(name)
                ours = [float(next(value for key, value in row.items() if key.startswith(name))) for row in rows]
                assert ours == pytest.approx(theirs.samples.astype(float).tolist(), rel=1e-12)
                found += len(ours)
    assert found == 1000
