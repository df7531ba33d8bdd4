"""Logs of programs that python-can does not read: lines as those programs write them, and lines as nobody does.

The lines are of can-utils' candump, SavvyCAN's export, BUSMASTER 3.2 and Kvaser's CanKing and converter.
"""

from contextlib import suppress
from pathlib import Path

import can
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.record.text_logs import LogLineError, find_format
from hilbridge.boundary.record.traffic_log import OpenLog

CANDUMP = """\
 (1700000000.000000)  can0  123   [2]  11 22
 (1700000000.010000)  can0  18DAF110   [3]  01 02 03   '...'
 (1700000000.020000)  can0  124   [0]  remote request
 (1700000000.030000)  can0  20000004   [8]  00 04 00 00 00 00 00 00   ERRORFRAME
\tcontroller-problem{rx-overflow-error-status}
 (1700000000.040000)  can0  300  [12]  00 01 02 03 04 05 06 07 08 09 0A 0B
"""
SAVVYCAN = """\
Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8
1000000,00000123,false,Rx,0,2,11,22,
1010000,18DAF110,true,Rx,0,3,01,02,03,
1040000,00000300,false,Rx,0,12,00,01,02,03,04,05,06,07,08,09,0A,0B
"""
BUSMASTER = """\
***BUSMASTER Ver 3.2.2***
***PROTOCOL CAN***
***NOTE: PLEASE DO NOT EDIT THIS DOCUMENT***
***[START LOGGING SESSION]***
***START DATE AND TIME 8:8:2014 11:49:7:965***
***HEX***
***SYSTEM MODE***
***START CHANNEL BAUD RATE***
***CHANNEL 1 - Kvaser - 500000 bps***
***END CHANNEL BAUD RATE***
***<Time><Tx/Rx><Channel><CAN ID><Type><DLC><DataBytes>***
11:49:07:9650 Rx 1 0x123 s 2 11 22
11:49:07:9750 Rx 1 0x18DAF110 x 3 01 02 03
11:49:07:9850 Rx 1 0x124 sr 0
***[STOP LOGGING SESSION]***
"""
CANKING = """\
Chn Identifier Flg   DLC  D0...1...2...3...4...5...6..D7       Time     Dir
 0    00000123         2  11  22                             395.000000 R
 0    18DAF110 X       3  01  02  03                         395.010000 R
 0    00000124 R       0                                     395.020000 R
 0    00000000            ErrorFrame                         395.030000 R
Logging stopped.
"""
KVASER = """\
Time,Channel,ID,Flags,DLC,Data0,Data1,Data2,Data3,Data4,Data5,Data6,Data7,Counter,AbsTime
395.000000,0,123,2,2,11,22,,,,,,,1,2014-08-08 11:49:07
395.010000,0,18DAF110,4,3,01,02,03,,,,,,2,2014-08-08 11:49:07
395.020000,0,124,3,0,,,,,,,,,3,2014-08-08 11:49:07
"""
KVASER_FD = """\
Time,Channel,ID,Flags,DLC,Data0,Data1,Data2,Data3,Data4,Data5,Data6,Data7
0.000,1,7FF,0x30002,2,11,22,,,,,,
0.010,1,7FF,65538,2,11,22,,,,,,
0.020,2,0,32,0,,,,,,,,
0.030,2,18DAF110,5,0,,,,,,,,
"""
DATA = [(0, 0x123, False, b"\x11\x22"), (10, 0x18DAF110, True, b"\x01\x02\x03")]
LONG = (40, 0x300, False, bytes(range(12)))


def read(folder: Path, content: str, name: str = "a.log") -> list[can.Message]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    log = OpenLog(path)
    try:
        return list(log.messages)
    except Exception as error:
        raise LogLineError(f"{log.place}: {log.reason(error)}") from error
    finally:
        log.close()


def frames(messages: list[can.Message]) -> list[tuple[int, int, bool, bytes]]:
    """The data frames: time after the first one [ms], identifier, whether it has 29 bits, bytes."""
    data = [one for one in messages if not one.is_error_frame and not one.is_remote_frame]
    return [
        (round((one.timestamp - data[0].timestamp) * 1000), one.arbitration_id, one.is_extended_id, bytes(one.data))
        for one in data
    ]


@pytest.mark.parametrize(
    ("name", "content", "expected", "remotes", "errors"),
    [
        ("a.log", CANDUMP, [*DATA, LONG], 1, 1),
        ("a.txt", CANDUMP, [*DATA, LONG], 1, 1),
        ("a.csv", SAVVYCAN, [*DATA, LONG], 0, 0),
        ("a.log", BUSMASTER, DATA, 1, 0),
        ("a.txt", CANKING, DATA, 1, 1),
        ("a.csv", KVASER, DATA, 1, 0),
        ("a.txt", KVASER.replace(",", ";"), DATA, 1, 0),
    ],
)
def test_each_program_s_log_is_read(
    tmp_path: Path,
    name: str,
    content: str,
    expected: list[tuple[int, int, bool, bytes]],
    remotes: int,
    errors: int,
) -> None:
    """Whatever the file is called; what carries no data is there to be counted."""
    messages = read(tmp_path, content, name)
    assert frames(messages) == expected
    assert sum(one.is_remote_frame for one in messages) == remotes
    assert sum(one.is_error_frame for one in messages) == errors
    assert [one.is_fd for one in messages] == [len(one.data) > 8 for one in messages]


def flags_of(message: can.Message) -> str:
    """x: 29 bits, f: CAN FD, b: its second bit rate, r: remote frame, e: error frame, which has no more."""
    if message.is_error_frame:
        return "e"
    flags = {
        "x": message.is_extended_id, "f": message.is_fd, "b": message.bitrate_switch, "r": message.is_remote_frame
    }  # fmt: skip
    return "".join(flag for flag, is_set in flags.items() if is_set)


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (
            CANDUMP,
            [(0, "can0", ""), (10, "can0", "x"), (20, "can0", "r"), (30, "can0", "e"), (40, "can0", "f")],
        ),
        (
            SAVVYCAN.replace(",Rx,0,3,", ",Tx,1,3,"),
            [(0, "0", ""), (10, "1", "x"), (40, "0", "f")],
        ),
        (  # as older ones wrote it: no direction
            SAVVYCAN.replace("Dir,", "").replace("Rx,0,3", "Rx,1,3").replace("Rx,", ""),
            [(0, "0", ""), (10, "1", "x"), (40, "0", "f")],
        ),
        (
            BUSMASTER.replace("***[STOP", "11:49:07:9950 Tx 2 ERR\n11:49:08:0050 Rx 2 0x1 xr 8\n***[STOP"),
            [(0, "1", ""), (10, "1", "x"), (20, "1", "r"), (30, "2", "e"), (40, "2", "xr")],
        ),
        (
            CANKING + " 1    00000300 FB   12  00  01  02  03  04  05  06  07  08  09  0A  0B  395.040000 T\n",
            [(0, "0", ""), (10, "0", "x"), (20, "0", "r"), (30, "0", "e"), (40, "1", "fb")],
        ),
        (KVASER, [(0, "0", ""), (10, "0", "x"), (20, "0", "r")]),
        (KVASER_FD, [(0, "1", "fb"), (10, "1", "f"), (20, "2", "e"), (30, "2", "xr")]),
    ],
    ids=["candump", "SavvyCAN", "SavvyCAN of old", "BUSMASTER", "CanKing", "Kvaser", "Kvaser CAN FD"],
)
def test_times_channels_and_flags_are_those_of_the_log(
    tmp_path: Path, content: str, rows: list[tuple[int, str, str]]
) -> None:
    """Of every frame, with data or without; times [ms] from the first one."""
    messages = read(tmp_path, content)
    start = messages[0].timestamp
    assert [(round((one.timestamp - start) * 1000), one.channel, flags_of(one)) for one in messages] == rows


@pytest.mark.parametrize(
    ("head", "times"), [("Time Stamp,ID,Extended,LEN", ("1.5", "1.51")), ("Time Stamp;ID;Extended;LEN", ("0", "10000"))]
)
def test_other_programs_write_savvycan_s_columns_too(tmp_path: Path, head: str, times: tuple[str, str]) -> None:
    """Times with a point are seconds; without a column for the bus there is one, `0`; bytes follow their number."""
    rows = (f"{times[0]},123,0,2,11,22", f"{times[1]},18DAF110,1,3,01,02,03")
    content = "\n".join((head, *rows)).replace(",", ";" if ";" in head else ",")
    messages = read(tmp_path, content, "a.csv")
    assert frames(messages) == DATA
    assert {one.channel for one in messages} == {"0"}


def candump(*times: str) -> str:
    return "".join(f" ({time})  vcan0  123   [1]  00\n" for time in times)


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (("1700000000.5", "1700000001.0"), [0, 500]),
        (("000.000000", "000.010000", "000.025000"), [0, 10, 25]),
        (("000.000000", "000.010000", "000.005000"), [0, 10, 15]),
        (("2023-11-14 22:13:20.100000", "2023-11-14 22:13:20.300000"), [0, 200]),
    ],
)
def test_times_of_candump_are_absolute_from_zero_or_differences(
    tmp_path: Path, times: tuple[str, ...], expected: list[int]
) -> None:
    """-t a, z, d and A; differences go back somewhere, times do not."""
    assert [time for time, *_ in frames(read(tmp_path, candump(*times)))] == expected


def test_further_columns_of_candump_are_passed_over(tmp_path: Path) -> None:
    """-x: direction, and of CAN FD the switch of the bit rate."""
    (message,) = read(tmp_path, " (1700000000.0)  can0  RX B -  123  [02]  11 22\n")
    assert (message.is_fd, message.bitrate_switch, bytes(message.data)) == (True, True, b"\x11\x22")


@pytest.mark.parametrize(
    ("mode", "times", "expected"),
    [
        ("SYSTEM", ("11:49:07:9650", "11:49:07:9750"), [0, 10]),
        ("SYSTEM", ("23:59:59:9000", "00:00:00:1000"), [0, 200]),
        ("RELATIVE", ("00:00:00:0000", "00:00:00:0120"), [0, 12]),
    ],
)
def test_times_of_busmaster_may_be_relative_or_pass_midnight(
    tmp_path: Path, mode: str, times: tuple[str, str], expected: list[int]
) -> None:
    content = BUSMASTER.replace("SYSTEM MODE", f"{mode} MODE")
    for before, after in zip(("11:49:07:9650", "11:49:07:9750"), times, strict=True):
        content = content.replace(before, after)
    assert [time for time, *_ in frames(read(tmp_path, content))] == expected


def test_numbers_may_be_decimal(tmp_path: Path) -> None:
    """BUSMASTER says so in its head, Kvaser's converter does not: no number has a letter or leading zeros there."""
    decimal = BUSMASTER.replace("***HEX***", "***DEC***").replace("0x123 s 2 11 22", "291 s 2 17 34")
    decimal = decimal.replace("0x18DAF110 x", "417001744 x").replace("0x124 sr", "292 sr")
    assert frames(read(tmp_path, decimal)) == DATA
    table = KVASER.replace(",123,2,2,11,22", ",291,2,2,17,34").replace(",18DAF110,4,3,01,02,03", ",417001744,4,3,1,2,3")
    assert frames(read(tmp_path, table.replace(",124,3", ",292,3"), "a.csv")) == DATA


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (CANDUMP + "nonsense\n", r"a\.log:7: this is no line of candump: 'nonsense'"),
        (CANDUMP.replace("[2]", "[3]"), r"a\.log:\d: this is no line of candump: .*\[3\]  11 22"),
        (" can0  123   [1]  00\n", r"a\.log:1: the frames have no times: record with `candump -L`"),
        (SAVVYCAN.replace("false", "maybe").replace("123,", "12345,"), r"a\.log:2: this is no line of SavvyCAN's CSV"),
        (BUSMASTER.replace("s 2", "s two"), r"a\.log:12: this is no line of a BUSMASTER log"),
        (CANKING.replace("11  22  ", "1G  22  "), r"a\.log:2: this is no line of Kvaser CanKing's text"),
        (KVASER.replace(",2,2,11", ",2,9,11"), r"this is no line of Kvaser's CSV"),
    ],
)
def test_a_line_that_is_none_is_told_with_its_place(tmp_path: Path, content: str, complaint: str) -> None:
    """In words of ours, with the line."""
    with pytest.raises(LogLineError, match=complaint):
        read(tmp_path, content)


PIECES = st.sampled_from(
    [word for text in (CANDUMP, SAVVYCAN, BUSMASTER, CANKING, KVASER) for word in text.replace(",", " , ").split()]
)
LINES = st.lists(st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=30), max_size=6).map("\n".join)


@given(st.sampled_from([CANDUMP, SAVVYCAN, BUSMASTER, CANKING, KVASER]), LINES)
def test_no_text_breaks_a_reader(beginning: str, rest: str) -> None:
    """Any lines after a head give messages, or an error in words."""
    found = find_format(beginning + rest)
    assert found is not None
    with suppress(LogLineError):
        for message in found.read((beginning + rest).splitlines(keepends=True)):
            assert len(message.data) <= 64
