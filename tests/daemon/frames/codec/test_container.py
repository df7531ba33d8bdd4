"""Containers of AUTOSAR, and secured messages: the file and the judge are cantools'."""

import random
from pathlib import Path

import cantools
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from cantools.database.can import Database as CanDatabase

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.commands.cli import main
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.container import opened
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import FD, Frame
from hilbridge.testing import VirtualBench

ARXML = """<?xml version="1.0" encoding="UTF-8"?>
<AUTOSAR xmlns="http://autosar.org/schema/r4.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://autosar.org/schema/r4.0 AUTOSAR_4-2-2.xsd"><AR-PACKAGES>
<AR-PACKAGE><SHORT-NAME>C</SHORT-NAME><ELEMENTS><CAN-CLUSTER><SHORT-NAME>Cluster</SHORT-NAME>
<CAN-CLUSTER-VARIANTS><CAN-CLUSTER-CONDITIONAL><BAUDRATE>500000</BAUDRATE><PHYSICAL-CHANNELS><CAN-PHYSICAL-CHANNEL>
<SHORT-NAME>Channel</SHORT-NAME><FRAME-TRIGGERINGS>
<CAN-FRAME-TRIGGERING><SHORT-NAME>T1</SHORT-NAME><FRAME-REF DEST="CAN-FRAME">/F/Box</FRAME-REF>
<CAN-ADDRESSING-MODE>STANDARD</CAN-ADDRESSING-MODE><CAN-FRAME-TX-BEHAVIOR>CAN-FD</CAN-FRAME-TX-BEHAVIOR>
<IDENTIFIER>291</IDENTIFIER></CAN-FRAME-TRIGGERING>
</FRAME-TRIGGERINGS>
<PDU-TRIGGERINGS>
<PDU-TRIGGERING><SHORT-NAME>P1</SHORT-NAME><I-PDU-REF DEST="I-SIGNAL-I-PDU">/P/Wheels</I-PDU-REF></PDU-TRIGGERING>
<PDU-TRIGGERING><SHORT-NAME>P2</SHORT-NAME><I-PDU-REF DEST="I-SIGNAL-I-PDU">/P/Engine</I-PDU-REF></PDU-TRIGGERING>
</PDU-TRIGGERINGS>
</CAN-PHYSICAL-CHANNEL></PHYSICAL-CHANNELS></CAN-CLUSTER-CONDITIONAL></CAN-CLUSTER-VARIANTS></CAN-CLUSTER>
</ELEMENTS></AR-PACKAGE>
<AR-PACKAGE><SHORT-NAME>F</SHORT-NAME><ELEMENTS><CAN-FRAME><SHORT-NAME>Box</SHORT-NAME><FRAME-LENGTH>64</FRAME-LENGTH>
<PDU-TO-FRAME-MAPPINGS><PDU-TO-FRAME-MAPPING><SHORT-NAME>M</SHORT-NAME>
<PACKING-BYTE-ORDER>MOST-SIGNIFICANT-BYTE-LAST</PACKING-BYTE-ORDER>
<PDU-REF DEST="CONTAINER-I-PDU">/P/Box</PDU-REF><START-POSITION>0</START-POSITION>
</PDU-TO-FRAME-MAPPING></PDU-TO-FRAME-MAPPINGS></CAN-FRAME></ELEMENTS></AR-PACKAGE>
<AR-PACKAGE><SHORT-NAME>P</SHORT-NAME><ELEMENTS>
<CONTAINER-I-PDU><SHORT-NAME>Box</SHORT-NAME><LENGTH>64</LENGTH><CONTAINED-PDU-TRIGGERING-REFS>
<CONTAINED-PDU-TRIGGERING-REF DEST="PDU-TRIGGERING">/C/Cluster/Channel/P1</CONTAINED-PDU-TRIGGERING-REF>
<CONTAINED-PDU-TRIGGERING-REF DEST="PDU-TRIGGERING">/C/Cluster/Channel/P2</CONTAINED-PDU-TRIGGERING-REF>
</CONTAINED-PDU-TRIGGERING-REFS><HEADER-TYPE>SHORT-HEADER</HEADER-TYPE></CONTAINER-I-PDU>
<I-SIGNAL-I-PDU><SHORT-NAME>Wheels</SHORT-NAME><LENGTH>4</LENGTH>
<CONTAINED-I-PDU-PROPS><HEADER-ID-SHORT-HEADER>0x0A0B0C</HEADER-ID-SHORT-HEADER></CONTAINED-I-PDU-PROPS>
<I-SIGNAL-TO-PDU-MAPPINGS><I-SIGNAL-TO-I-PDU-MAPPING><SHORT-NAME>M</SHORT-NAME>
<I-SIGNAL-REF DEST="I-SIGNAL">/S/Left</I-SIGNAL-REF><PACKING-BYTE-ORDER>MOST-SIGNIFICANT-BYTE-LAST</PACKING-BYTE-ORDER>
<START-POSITION>8</START-POSITION></I-SIGNAL-TO-I-PDU-MAPPING></I-SIGNAL-TO-PDU-MAPPINGS></I-SIGNAL-I-PDU>
<I-SIGNAL-I-PDU><SHORT-NAME>Engine</SHORT-NAME><LENGTH>2</LENGTH>
<CONTAINED-I-PDU-PROPS><HEADER-ID-SHORT-HEADER>0x000007</HEADER-ID-SHORT-HEADER></CONTAINED-I-PDU-PROPS>
<I-SIGNAL-TO-PDU-MAPPINGS><I-SIGNAL-TO-I-PDU-MAPPING><SHORT-NAME>M</SHORT-NAME>
<I-SIGNAL-REF DEST="I-SIGNAL">/S/Right</I-SIGNAL-REF><PACKING-BYTE-ORDER>MOST-SIGNIFICANT-BYTE-LAST</PACKING-BYTE-ORDER>
<START-POSITION>0</START-POSITION></I-SIGNAL-TO-I-PDU-MAPPING></I-SIGNAL-TO-PDU-MAPPINGS></I-SIGNAL-I-PDU>
</ELEMENTS></AR-PACKAGE>
<AR-PACKAGE><SHORT-NAME>S</SHORT-NAME><ELEMENTS>
<I-SIGNAL><SHORT-NAME>Left</SHORT-NAME><LENGTH>16</LENGTH>
<SYSTEM-SIGNAL-REF DEST="SYSTEM-SIGNAL">/S/LeftS</SYSTEM-SIGNAL-REF></I-SIGNAL>
<SYSTEM-SIGNAL><SHORT-NAME>LeftS</SHORT-NAME></SYSTEM-SIGNAL>
<I-SIGNAL><SHORT-NAME>Right</SHORT-NAME><LENGTH>8</LENGTH>
<SYSTEM-SIGNAL-REF DEST="SYSTEM-SIGNAL">/S/RightS</SYSTEM-SIGNAL-REF></I-SIGNAL>
<SYSTEM-SIGNAL><SHORT-NAME>RightS</SHORT-NAME></SYSTEM-SIGNAL>
</ELEMENTS></AR-PACKAGE>
</AR-PACKAGES></AUTOSAR>
"""
CONTAINER = 0x123
HEADERS = {"Wheels": 0x0A0B0C, "Engine": 7}


@pytest.fixture
def arxml(tmp_path: Path) -> Path:
    path = tmp_path / "box.arxml"
    path.write_text(ARXML)
    return path


def packed(**parts: bytes) -> bytes:
    """The bytes of a container, filled with zeros as a frame of CAN FD is."""
    body = b"".join(HEADERS[name].to_bytes(3, "big") + bytes((len(data),)) + data for name, data in parts.items())
    return body.ljust(64, b"\0")


def test_what_is_in_a_container_is_what_cantools_finds(arxml: Path) -> None:
    content = cantools.database.load_file(arxml)
    assert isinstance(content, CanDatabase)
    judge = content.messages[0]
    source = random.Random(4)
    database = load_database(arxml)
    for _ in range(50):
        parts = {name: source.randbytes(4 if name == "Wheels" else 2) for name in HEADERS if source.random() < 0.7}
        frame = Frame(CONTAINER, packed(**parts), FD)
        bare = frame.data[: sum(4 + len(one) for one in parts.values())]
        wanted = {one.name: data for one, data in judge.unpack_container(bare)}  # type: ignore[union-attr]
        for name in HEADERS:
            codec = compile_message(database.message(name))
            assert codec.content(frame) == wanted.get(name)
            if name in wanted:
                assert codec.decode(wanted[name]) == judge.get_contained_message_by_name(name).decode(wanted[name])  # type: ignore[union-attr]
        assert opened(frame.data) == {HEADERS[name]: data for name, data in parts.items()}


def test_one_that_is_cut_off_is_not_there() -> None:
    whole = packed(Wheels=b"\1\2\3\4", Engine=b"\5\6")
    assert opened(whole[:13]) == {HEADERS["Wheels"]: b"\1\2\3\4"}
    assert opened(whole[:7]) == {}


def test_a_bench_reads_and_does_not_send_it(arxml: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = arxml.parent / "bench.yaml"
    bench.write_text(
        "name: box\nvehicle: compact\nbuses:\n  can:\n    interface: embedded\n    fd: true\n    database: box.arxml\n"
        "inputs:\n  - source: can\n    bus: can\n    message: Engine\n    timeout: 2000\n"
        "    signals: {Throttle: {field: Right, minimum: 0, maximum: 255}}\n"
    )
    assert main(["check", str(bench)]) == 0
    assert "2 messages with 2 signals can be used" in capsys.readouterr().out
    with VirtualBench(bench) as running:
        running.send("can", Frame(CONTAINER, packed(Wheels=b"\0\x34\x12\0", Engine=b"\xff\0"), FD))
        assert running.wait_for("can", "Wheels")["Left"] == 0x1234
        running.send("can", Frame(CONTAINER, packed(Wheels=b"\0\x34\x12\0"), FD))
        running.advance(0.1)
        assert running.get("input.Throttle") == pytest.approx(1, abs=0.01)
        assert len(running.frames("can", "Engine")) == 1
        with pytest.raises(ConfigurationError, match="goes in a container"):
            running.inject("can", "Engine", Right=1)
    bench.write_text(bench.read_text().replace("box.arxml\n", "box.arxml\n    messages: {Engine: {period: 100}}\n"))
    assert main(["check", str(bench)]) == 2
    assert "Engine cannot be sent: it goes in a container" in capsys.readouterr().err


def test_a_log_of_containers_becomes_tables(arxml: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, out = tmp_path / "a.log", tmp_path / "out.parquet"
    frames = [
        packed(Wheels=bytes((0, one, 1, 0)), **({"Engine": bytes((one, 0))} if one % 2 else {})) for one in range(6)
    ]
    log.write_text("".join(f"({100 + i}.0) can0 123##1{data.hex()}\n" for i, data in enumerate(frames)))
    assert main(["export", str(log), str(out), "--dbc", str(arxml)]) == 0
    assert pq.read_table(out / "Wheels.parquet").to_pydict()["Left"] == [256 + one for one in range(6)]
    engine = pq.read_table(out / "Engine.parquet").to_pydict()
    assert engine == {"time": [101.0, 103.0, 105.0], "Right": [1, 3, 5]}
    assert "left out" not in capsys.readouterr().err


SECURED = """<SECURED-I-PDU><SHORT-NAME>Safe</SHORT-NAME><LENGTH>6</LENGTH>
<CONTAINED-I-PDU-PROPS><HEADER-ID-SHORT-HEADER>0x000008</HEADER-ID-SHORT-HEADER></CONTAINED-I-PDU-PROPS>
<AUTHENTICATION-PROPS-REF DEST="SECURE-COMMUNICATION-AUTHENTICATION-PROPS">/O/Set/A</AUTHENTICATION-PROPS-REF>
<FRESHNESS-PROPS-REF DEST="SECURE-COMMUNICATION-FRESHNESS-PROPS">/O/Set/B</FRESHNESS-PROPS-REF>
<PAYLOAD-REF DEST="PDU-TRIGGERING">/C/Cluster/Channel/P1</PAYLOAD-REF>
<SECURE-COMMUNICATION-PROPS><DATA-ID>5</DATA-ID></SECURE-COMMUNICATION-PROPS></SECURED-I-PDU>"""
PROPERTIES = """<AR-PACKAGE><SHORT-NAME>O</SHORT-NAME><ELEMENTS>
<SECURE-COMMUNICATION-PROPS-SET><SHORT-NAME>Set</SHORT-NAME>
<AUTHENTICATION-PROPSS><SECURE-COMMUNICATION-AUTHENTICATION-PROPS><SHORT-NAME>A</SHORT-NAME>
<AUTH-ALGORITHM>CMAC</AUTH-ALGORITHM><AUTH-INFO-TX-LENGTH>10</AUTH-INFO-TX-LENGTH>
</SECURE-COMMUNICATION-AUTHENTICATION-PROPS></AUTHENTICATION-PROPSS>
<FRESHNESS-PROPSS><SECURE-COMMUNICATION-FRESHNESS-PROPS><SHORT-NAME>B</SHORT-NAME>
<FRESHNESS-VALUE-LENGTH>32</FRESHNESS-VALUE-LENGTH><FRESHNESS-VALUE-TX-LENGTH>6</FRESHNESS-VALUE-TX-LENGTH>
</SECURE-COMMUNICATION-FRESHNESS-PROPS></FRESHNESS-PROPSS></SECURE-COMMUNICATION-PROPS-SET></ELEMENTS></AR-PACKAGE>"""


def test_what_is_secured_is_read_and_named(tmp_path: Path) -> None:
    """In a container too. AUTOSAR: the payload is followed by freshness and authenticator."""
    reference = '<I-PDU-REF DEST="SECURED-I-PDU">/P/Safe</I-PDU-REF>'
    trigger = f"<PDU-TRIGGERING><SHORT-NAME>P3</SHORT-NAME>{reference}</PDU-TRIGGERING>"
    text = ARXML.replace("/Channel/P1</CONTAINED-PDU", "/Channel/P3</CONTAINED-PDU")
    text = text.replace("</PDU-TRIGGERINGS>", f"{trigger}</PDU-TRIGGERINGS>")
    text = text.replace("<I-SIGNAL-I-PDU><SHORT-NAME>Engine", f"{SECURED}<I-SIGNAL-I-PDU><SHORT-NAME>Engine")
    path = tmp_path / "secured.arxml"
    path.write_text(text.replace("</AR-PACKAGES></AUTOSAR>", f"{PROPERTIES}</AR-PACKAGES></AUTOSAR>"))
    database = load_database(path)
    codec = compile_message(database.message("Safe"))
    assert codec.decode(b"\0\x34\x12\0\xaa\xbb") == {
        "Left": 0x1234,
        "Safe_Freshness": 0xAA >> 2,
        "Safe_Authenticator": 0x2BB,
    }
    bits = "6 bits of freshness, 10 of a code"
    remark = f"message Safe is secured ({bits}): neither is checked or made, and receivers may refuse it"
    assert [one for one in database.warnings if "is secured" in one] == [f"secured.arxml: {remark}"]
