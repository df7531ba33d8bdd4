"""The benches that are measured: the packaged demo, and one with forty protected frames on two buses.

Their ports are any free ones, so that a daemon that runs already is not in the way.
"""

import json
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import yaml

from hilbridge.resources import Kind, find

BenchName: TypeAlias = Literal["demo", "forty"]

PERIODS: Final = (10, 20, 25, 40, 50, 100, 200, 250, 500, 1000) * 2
"""[ms] of the frames of each of the two buses."""

BUSES: Final = ("a", "b")
FIRST_IDENTIFIER: Final = 0x100

_SIGNALS: Final = """\
 SG_ EngineRpm : 0|16@1+ (0.25,0) [0|16000] "rpm" OTHER
 SG_ Speed : 16|14@1- (0.0625,0) [-500|500] "km/h" OTHER
 SG_ EngineWorking : 30|2@1+ (1,0) [0|1] "" OTHER
 SG_ ThrottleSignal : 32|10@1+ (0.1,0) [0|100] "%" OTHER
 SG_ EngineLoad : 42|10@1+ (0.1,0) [0|100] "%" OTHER
 SG_ COUNTER : 52|4@1+ (1,0) [0|15] "" OTHER
 SG_ CHECKSUM : 56|8@1+ (1,0) [0|255] "" OTHER
"""

_PROTECTION: Final = {"counter": {"at": "COUNTER"}, "checksum": {"at": "CHECKSUM", "algorithm": "crc8"}}


def write(name: BenchName, folder: Path) -> Path:
    """The bench file, with what it needs beside it."""
    content = _demo() if name == "demo" else _forty(folder)
    path = folder / f"{name}.yaml"
    path.write_text(json.dumps({**content, "control": {"enabled": False}, "state": "none"}), encoding="utf-8")
    return path


def _demo() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(find(Kind.BENCH, "demo").read_text(encoding="utf-8"))
    for bus in content["buses"].values():
        if "slcan" in bus:
            bus["slcan"] = 0
    for adapter in content["diagnostics"].get("elm327", []):
        adapter["ways"] = [way if way == "pty" else 0 for way in adapter["ways"]]
    return content


def _forty(folder: Path) -> dict[str, Any]:
    database = folder / "forty.dbc"
    database.write_text(_database(), encoding="ascii")
    messages = {f"M{number}": {"protection": [_PROTECTION]} for number in range(len(PERIODS))}
    bus = {
        "interface": "embedded",
        "slcan": 0,
        "database": str(database),
        "transmit": ["HILBRIDGE"],
        "messages": messages,
    }
    return {
        "name": "forty",
        "vehicle": "compact",
        "buses": dict.fromkeys(BUSES, bus),
        "inputs": [{"source": "demo-driver"}],
        "diagnostics": {"obd": {"bus": BUSES[0]}},
    }


def _database() -> str:
    identifiers = {FIRST_IDENTIFIER + number: period for number, period in enumerate(PERIODS)}
    frames = (
        f"BO_ {identifier} M{identifier - FIRST_IDENTIFIER}: 8 HILBRIDGE\n{_SIGNALS}" for identifier in identifiers
    )
    cycles = (f'BA_ "GenMsgCycleTime" BO_ {identifier} {period};\n' for identifier, period in identifiers.items())
    attribute = 'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;\nBA_DEF_DEF_ "GenMsgCycleTime" 0;\n'
    return "\n".join(['VERSION ""\n', "BU_: HILBRIDGE OTHER\n", *frames, attribute]) + "".join(cycles)
