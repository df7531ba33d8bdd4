"""Signals of logs: every value against cantools, over databases of many makers and random bytes."""

import errno
import random
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from cantools.database.can import Message

from hilbridge.boundary.logs import signals_folder
from hilbridge.boundary.logs.frames import BlockBuilder, LogFrame
from hilbridge.boundary.logs.signals import SignalDecoder
from hilbridge.commands.cli import main
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED

DBC = """VERSION ""
BU_: A
BO_ 256 Engine: 8 A
 SG_ Speed : 0|16@1+ (0.25,0) [0|0] "rpm" A
 SG_ Torque : 23|12@0- (0.5,-10) [0|0] "Nm" A
 SG_ Page M : 32|4@1+ (1,0) [0|0] "" A
 SG_ First m1 : 40|8@1+ (1,0) [0|0] "" A
 SG_ Second m2 : 40|8@1- (1,0) [0|0] "" A
BO_ 2566844672 Long: 8 A
 SG_ Whole : 0|64@1+ (1,0) [0|0] "" A
"""
PUBLIC = [
    "acura_ilx_2016_nidec",
    "vw_mqb",
    "toyota_2017_ref_pt",
    "tesla_can",
    "bmw_e9x_e8x",
    "ford_fusion_2018_pt",
]


def compared(messages: list[Message], seed: int) -> int:
    """Decode random frames by both; return how many values there were."""
    decoder = SignalDecoder(messages)
    builder = BlockBuilder()
    chance = random.Random(seed)
    frames = [(message, chance.randbytes(message.length)) for message in messages for _ in range(20)]
    for time, (message, data) in enumerate(frames):
        can_id = message.frame_id | (EXTENDED if message.is_extended_frame else 0)
        builder.add(LogFrame(time, can_id, data))
    found: list[dict[str, float]] = [{} for _ in frames]
    for decoded, rows, table in decoder.decode(builder.take(0)):
        for name, values, where in decoded.decode(table):
            chosen = slice(None) if where is None else where
            for row, value in zip(rows[chosen].tolist(), values[chosen].tolist(), strict=True):
                found[row][name] = value
    return sum(same(decoder, *frame, ours) for frame, ours in zip(frames, found, strict=True))


def same(decoder: SignalDecoder, message: Message, data: bytes, ours: dict[str, float]) -> int:
    """Check the values of a frame; return their number."""
    try:
        theirs = cast("dict[str, float]", message.decode(data, decode_choices=False))
    except Exception:  # noqa: BLE001 - a multiplexer of an unknown number
        return 0
    names = [name for name in theirs if f"{message.name}.{name}" not in decoder.left_out]
    for name in names:
        assert ours[name] == theirs[name] or np.isnan([ours[name], theirs[name]]).all(), (message.name, name)
    return len(names)


def test_values_are_those_of_cantools(tmp_path: Path) -> None:
    (tmp_path / "a.dbc").write_text(DBC)
    assert compared(list(load_database(tmp_path / "a.dbc").messages), 1) > 30


@pytest.mark.parametrize("name", PUBLIC)
def test_values_of_public_databases_are_those_of_cantools(name: str) -> None:
    opendbc = pytest.importorskip("opendbc")  # Python 3.13 and newer have none
    path = Path(opendbc.__file__).parent / "dbc" / f"{name}.dbc"
    once = {message.frame_id: message for message in reversed(load_database(path).messages)}
    assert compared(list(once.values()), 2) > 1000


LOG = """\
(1700000000.000000) can0 100#0400000000000000
(1700000000.010000) can0 18FEF100#0102
(1700000000.020000) can0 100#0800FFF0010700FF
(1700000000.030000) can0 100#0800
(1700000000.040000) can0 100#R
(1700000000.050000) can0 18FEF000#0100000000000080
"""


def test_a_log_becomes_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is not in it is said."""
    (tmp_path / "a.dbc").write_text(DBC.replace("2566844672", str(0x18FEF000 | 1 << 31)))
    (tmp_path / "a.log").write_text(LOG)
    arguments = [str(tmp_path / "a.log"), "--dbc", str(tmp_path / "a.dbc")]
    assert main(["export", arguments[0], str(tmp_path / "a.parquet"), *arguments[1:]]) == 0
    table = pq.read_table(tmp_path / "a.parquet" / "Engine.parquet").to_pydict()
    assert table == {
        "time": [1700000000.0, 1700000000.02, 1700000000.03],
        "Speed": [1.0, 2.0, 2.0],
        "Torque": [-10.0, -10.5, None],
        "Page": [0, 1, None],
        "First": [None, 7, None],
        "Second": [None, None, None],
    }
    table = pq.read_table(tmp_path / "a.parquet" / "Long.parquet").to_pydict()
    assert table == {"time": [1700000000.05], "Whole": [(1 << 63) + 1]}
    said = capsys.readouterr()
    assert "a.parquet: 4 rows in 2 tables, one for each message" in said.out
    assert "the log: candump: 5 frames; 1 remote frame left out" in said.err
    assert "no message of the databases: 1 frame (0x18FEF100)" in said.err
    assert "shorter than the database says: 1 frame 0x100; signals beyond are empty" in said.err
    assert main(["export", arguments[0], str(tmp_path / "a.csv"), *arguments[1:]]) == 0
    lines = (tmp_path / "a.csv" / "Engine.csv").read_text().splitlines()
    assert lines[0] == "time [s],Speed [rpm],Torque [Nm],Page,First,Second"
    assert lines[2] == "1700000000.02,2.0,-10.5,1,7,"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "name databases for its signals with --dbc"),
        (("a.blf", "--dbc", "a.dbc"), r"signals are written as \.parquet or \.csv"),
        (("--dbc", "a.dbc"), "FILE is missing"),
        (("a.log", "--dbc", "a.dbc"), "signals are written as"),
        (("a.csv", "--dbc", "a.dbc", "--values", "Engine"), "--values and --interval are of a recording"),
        (("none/a.csv", "--dbc", "a.dbc"), "cannot write none/a.csv: No such file or directory"),
    ],
)
def test_what_cannot_be_made_is_refused(
    tmp_path: Path,
    words: tuple[str, ...],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.dbc").write_text(DBC)
    Path("a.log").write_text(LOG)
    assert main(["export", "a.log", *words]) == 2
    captured = capsys.readouterr()
    assert complaint.replace("\\", "") in captured.err


def test_a_damaged_log_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.dbc").write_text(DBC)
    (tmp_path / "a.log").write_text("nonsense\n")
    assert main(["export", str(tmp_path / "a.log"), str(tmp_path / "a.csv"), "--dbc", str(tmp_path / "a.dbc")]) == 2
    assert not (tmp_path / "a.csv").exists()


def test_messages_whose_names_differ_in_case_alone_have_tables_of_their_own(tmp_path: Path) -> None:
    text = DBC.replace("Long", "ENGINE").replace("2566844672", "257")
    (tmp_path / "a.dbc").write_text(text)
    (tmp_path / "a.log").write_text("(1.0) can0 100#0000000000000000\n(2.0) can0 101#0000000000000000\n")
    assert main(["export", str(tmp_path / "a.log"), str(tmp_path / "a.csv"), "--dbc", str(tmp_path / "a.dbc")]) == 0
    assert sorted(one.name for one in (tmp_path / "a.csv").iterdir()) == ["ENGINE_2.csv", "Engine.csv"]


def test_frames_of_several_senders_are_rows_in_the_order_of_the_log(tmp_path: Path) -> None:
    """Of a message of J1939, which is known by its PGN whoever sends it."""
    text = DBC.replace("2566844672", str(0x18FEF0FE | 1 << 31))
    j1939 = 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";\n'
    (tmp_path / "a.dbc").write_text(f'{text}{j1939}BA_ "VFrameFormat" BO_ {0x18FEF0FE | 1 << 31} 3;\n')
    lines = [
        f"({index}.0) can0 18FEF0{sender}#{index:02X}00000000000000\n" for index, sender in enumerate(["21", "00"] * 4)
    ]
    (tmp_path / "a.log").write_text("".join(lines))
    out = tmp_path / "a.parquet"
    assert main(["export", str(tmp_path / "a.log"), str(out), "--dbc", str(tmp_path / "a.dbc")]) == 0
    table = pq.read_table(out / "Long.parquet").to_pydict()
    assert table["Whole"] == table["time"] == list(range(8))


def test_a_block_without_a_frame_of_the_channel_has_no_values(tmp_path: Path) -> None:
    (tmp_path / "a.dbc").write_text(DBC)
    builder = BlockBuilder()
    builder.add(LogFrame(0, 256, bytes(8), channel="can0"))
    decoder = SignalDecoder(load_database(tmp_path / "a.dbc").messages)
    block = builder.take(0)
    assert list(decoder.decode(block.of_channel("can1"))) == []
    assert len(list(decoder.decode(block.of_channel("can0")))) == 1


def test_a_disk_that_is_full_at_the_end_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some formats write their last bytes when a table is closed."""
    (tmp_path / "a.dbc").write_text(DBC)
    (tmp_path / "a.log").write_text(LOG)

    close = signals_folder._Csv.close

    def full(table: signals_folder._Csv) -> None:
        close(table)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(signals_folder._Csv, "close", full)
    words = ["export", str(tmp_path / "a.log"), str(tmp_path / "a.csv"), "--dbc", str(tmp_path / "a.dbc")]
    assert main(words) == 2
    assert not (tmp_path / "a.csv").exists()


LONG = """VERSION ""
BU_: A
BO_ 2566834686 Long: 39 A
 SG_ First : 0|16@1+ (0.125,0) [0|0] "rpm" A
 SG_ Middle : 151|16@0- (0.5,-10) [0|0] "" A
 SG_ End : 304|8@1+ (1,0) [0|0] "" A
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
"""


def test_messages_in_packets_of_j1939_are_put_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two senders' broadcasts in between each other, one of which loses a packet; the judge of a value is cantools."""
    database, log, out = tmp_path / "long.dbc", tmp_path / "a.log", tmp_path / "out.parquet"
    database.write_text(LONG)
    chance = random.Random(5)
    payloads = [chance.randbytes(39) for _ in range(4)]
    lines = []

    def say(time: float, identifier: int, data: bytes) -> None:
        lines.append(f"({time:.6f}) can0 {identifier:08X}#{data.hex()}")

    for turn in range(2):
        pair = payloads[2 * turn : 2 * turn + 2]
        for source in (0, 1):
            say(100 + turn, 0x1CECFF00 | source, bytes((0x20, 39, 0, 6, 0xFF, 0xC9, 0xFE, 0)))
        for number in range(1, 7):
            for source, payload in enumerate(pair):
                if (turn, number, source) != (1, 3, 1):
                    part = payload[7 * number - 7 : 7 * number].ljust(7, b"\xff")
                    say(100 + turn + number / 20, 0x1CEBFF00 | source, bytes((number,)) + part)
    log.write_text("\n".join(lines) + "\n")
    assert main(["export", str(log), str(out), "--dbc", str(database)]) == 0
    assert "packets of J1939 are missing: 1 message" in capsys.readouterr().err
    table = pq.read_table(out / "Long.parquet").to_pydict()
    judge = load_database(database).message("Long")
    wanted = [cast("dict[str, float]", judge.decode(payload)) for payload in payloads[:3]]
    assert [round(one, 6) for one in table["time"]] == [100.3, 100.3, 101.3]
    for name in ("First", "Middle", "End"):
        assert table[name] == [one[name] for one in wanted]
