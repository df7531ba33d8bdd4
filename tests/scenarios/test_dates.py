"""The date of a run is set while it goes on, as when the clock of the machine was set; its replay is the same."""

import json
from pathlib import Path

import can
import cantools
from cantools.database.can import Database

from hilbridge.client.sync_client import Client

from ..program import hilbridge, running

DATABASE = """VERSION ""
BU_: HILBRIDGE
BO_ 256 Clock: 8 HILBRIDGE
 SG_ Year : 0|16@1+ (1,0) [0|65535] "" X
 SG_ Hour : 16|8@1+ (1,0) [0|255] "" X
 SG_ Minute : 24|8@1+ (1,0) [0|255] "" X
 SG_ Second : 32|8@1+ (1,0) [0|255] "" X
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_ "GenMsgCycleTime" BO_ 256 20;
"""

BENCH = """name: dated
rate: 200
vehicle: compact
clock: "2026-11-27T23:59:58"
control: {{socket: {socket}}}
buses:
  one:
    interface: embedded
    database: clock.dbc
    transmit: [HILBRIDGE]
    messages:
      Clock:
        signals: {{Year: clock.Year, Hour: clock.Hour, Minute: clock.Minute, Second: clock.Second}}
"""


def test_a_step_of_the_date_is_on_the_bus_and_in_the_replay(tmp_path: Path) -> None:
    """From 2026 to 2031 at once, then two seconds smoothly; cantools reads the frames."""
    bench, directory, socket = tmp_path / "bench.yaml", tmp_path / "recording", tmp_path / "control.sock"
    (tmp_path / "clock.dbc").write_text(DATABASE, encoding="utf-8")
    bench.write_text(BENCH.format(socket=socket), encoding="utf-8")
    with running(bench, "--record", directory) as program:
        program.wait_for("ready")
        with Client(socket) as client:
            client.command("date", date="2031-05-06T07:08:09")
            client.wait_until("clock.Year == 2031")
            client.command("date", date="2031-05-06T07:08:12", smoothly=True)
            client.wait_until("clock.Second >= 11")
        program.stop()
    database = cantools.database.load_file(tmp_path / "clock.dbc")
    assert isinstance(database, Database)
    shown = [database.decode_message(0x100, bytes(one.data)) for one in can.BLFReader(directory / "frames.blf")]
    seconds = [(one["Year"], one["Hour"], one["Minute"], one["Second"]) for one in shown if isinstance(one, dict)]
    assert seconds[0] == (2026, 23, 59, 58)
    after = [one for one in dict.fromkeys(seconds) if one[0] == 2031]
    assert after[:3] == [(2031, 7, 8, 9), (2031, 7, 8, 10), (2031, 7, 8, 11)]
    outcome = hilbridge("replay", directory, "--json")
    assert json.loads(outcome.stdout)["identical"] is True, outcome.stdout + outcome.stderr
