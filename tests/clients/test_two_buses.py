"""Two buses in one bench, each with a database of its own: a python-can client on each, by TCP and by pty."""

import re
import time
from pathlib import Path

import can
import cantools
from cantools.database.can import Message

from ..program import decoded, running, until_listening

BODY = """VERSION ""
BU_: HILBRIDGE CLUSTER
BO_ 256 Cluster: 4 HILBRIDGE
 SG_ EngineRpm : 7|16@0+ (0.5,0) [0|32767] "1/min" CLUSTER
 SG_ Marker : 23|8@0+ (1,0) [0|255] "" CLUSTER
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 20;
"""
POWERTRAIN = """VERSION ""
BU_: HILBRIDGE
BO_ 256 Engine: 8 HILBRIDGE
 SG_ EngineRpm : 0|16@1+ (0.25,0) [0|16383] "1/min" HILBRIDGE
 SG_ Marker : 16|8@1+ (1,0) [0|255] "" HILBRIDGE
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 10;
"""
BENCH = """name: two
vehicle: compact
buses:
  powertrain:
    interface: embedded
    slcan: 0
    database: ./powertrain.dbc
    transmit: [HILBRIDGE]
    messages: {Engine: {signals: {Marker: {constant: 1}}}}
  body:
    interface: embedded
    slcan: pty
    database: ./body.dbc
    transmit: [HILBRIDGE]
    messages: {Cluster: {signals: {Marker: {constant: 2}}}}
inputs:
  - {source: demo-driver}
"""


def heard(bus: can.BusABC, message: Message, count: int) -> list[dict[str, float]]:
    """The next frames of a bus, of which every one has to be of that message."""
    values: list[dict[str, float]] = []
    end = time.monotonic() + 10.0
    while len(values) < count and time.monotonic() < end:
        frame = bus.recv(0.5)
        if frame is not None:
            assert (frame.arbitration_id, len(frame.data)) == (message.frame_id, message.length)
            values.append(decoded(message, frame))
    return values


def test_each_bus_carries_the_frames_of_its_own_database(tmp_path: Path) -> None:
    """The same identifier means different things on them, and nothing crosses over."""
    for name, text in (("powertrain.dbc", POWERTRAIN), ("body.dbc", BODY), ("bench.yaml", BENCH)):
        (tmp_path / name).write_text(text, encoding="ascii")
    databases = [cantools.database.load_file(tmp_path / f"{name}.dbc") for name in ("powertrain", "body")]
    with running(tmp_path / "bench.yaml") as program:
        for database, bus, marker in zip(databases, ("powertrain", "body"), (1.0, 2.0), strict=True):
            way = program.wait_for("bus open", bus=bus)["link"]
            found = re.search(r"socket://\S+|/dev/pts/\d+", way)
            assert found
            if found[0].startswith("socket:"):
                until_listening(int(found[0].rsplit(":", 1)[1]))
            assert isinstance(database, cantools.database.can.Database)
            with can.Bus(interface="slcan", channel=found[0], sleep_after_open=0) as client:
                values = heard(client, database.messages[0], 20)
            assert len(values) == 20
            assert {each["Marker"] for each in values} == {marker}
        program.stop()
