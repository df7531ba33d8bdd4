"""A frame that goes while a signal of it is active: its cycles pass without a frame in between."""

from pathlib import Path

from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus

MS = 1_000_000
DBC = """VERSION ""
BU_: ECU
BO_ 256 M: 2 ECU
 SG_ EngineRpm : 0|8@1+ (100,0) [0|25500] "rpm" ECU
 SG_ Other : 8|8@1+ (1,0) [0|255] "" ECU
BA_DEF_ BO_ "GenMsgSendType" ENUM "Cyclic","cyclicIfActive";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ SG_ "GenSigInactiveValue" INT 0 255;
BA_DEF_DEF_ "GenMsgSendType" "Cyclic";
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgSendType" BO_ 256 1;
BA_ "GenMsgCycleTime" BO_ 256 10;
BA_ "GenSigInactiveValue" SG_ 256 EngineRpm 8;
"""


def test_its_cycles_go_while_a_signal_is_active(tmp_path: Path) -> None:
    """At 800 rpm, which the database calls inactive, nothing goes; the other signal does not count."""
    path = tmp_path / "a.dbc"
    path.write_text(DBC)
    bench = BenchSettings.model_validate(
        {"name": "a", "vehicle": "compact", "rate": 1000,
         "buses": {"b": {"interface": "embedded", "database": "a.dbc", "transmit": ["ECU"]}}}
    )  # fmt: skip
    data, sent = DataBus(), list[int]()
    bus = Bus("b")
    plan = FramePlan(bench, {"b": load_database(path)}, data, {"b": bus})
    (frame,) = plan.frames
    assert frame.outgoing.sending.kind == "cyclic-if-active"
    for t in range(0, 300 * MS, MS):
        data.channels[VEHICLE][VehicleData.ENGINE_RPM] = 2_000_000 if 100 * MS <= t < 200 * MS else 800_000
        before = frame.sent
        plan.publish(t)
        sent += [t] * (frame.sent - before)
    assert len(sent) == 10
    assert 100 * MS <= sent[0] < sent[-1] < 200 * MS
    assert frame.skipped == 0
