"""A bench drafted from a database is one that the program accepts, whatever the database."""

from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.desk.draft.from_database import draft_bench
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.selection import select

LARGEST = 200_000
"""[bytes] Larger databases take seconds to read."""

OPENDBC = [path for path in sorted(Path(str(files("opendbc"))).rglob("*.dbc")) if path.stat().st_size < LARGEST]
PQ = next(path for path in OPENDBC if path.name == "vw_pq.dbc")

DBC = """VERSION ""
NS_ :
BS_:
BU_: ENGINE KOMBI
BO_ 256 Motor: 8 ENGINE
 SG_ Motordrehzahl : 0|16@1+ (0.25,0) [0|16000] "1/min" KOMBI
 SG_ Gang : 16|4@1+ (1,0) [0|15] "" KOMBI
 SG_ Ladedruck : 24|8@1+ (0.01,0) [0|2.5] "bar" KOMBI
BO_ 257 Kombi_1: 8 KOMBI
 SG_ VehicleSpeed : 0|16@1+ (0.01,0) [0|300] "km/h" ENGINE
BO_ 258 Tuer: 8 KOMBI
 SG_ Offen : 0|1@1+ (1,0) [0|1] "" ENGINE
BO_ 259 Temperaturen: 8 ENGINE
 SG_ CoolantTemp : 0|8@1+ (1,-40) [-40|200] "degC" KOMBI
 SG_ LateralSpeed : 8|16@1- (0.01,0) [-300|300] "m/s" KOMBI
BO_ 260 Zuendung: 8 ENGINE
 SG_ Klemme_15 : 0|1@1+ (1,0) [0|1] "" KOMBI
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 257 20;
"""


@pytest.mark.parametrize("path", OPENDBC, ids=lambda path: path.name)
def test_every_public_database_makes_a_bench(path: Path, tmp_path: Path) -> None:
    """All of opendbc but the six largest: the file is read, and each message of it can be sent."""
    database = load_database(path)
    file = tmp_path / "bench.yaml"
    file.write_text(draft_bench(database, str(path), "bench", "can", [], BusAccess()), encoding="utf-8")
    settings = load_bench(str(file)).settings
    chosen = select("can", settings.buses["can"], database, MILLISECOND)
    assert {one.message for one in chosen.outgoing} == set(settings.buses["can"].messages)


def drafted(tmp_path: Path, *nodes: str, access: BusAccess | None = None) -> str:
    path = tmp_path / "car.dbc"
    path.write_text(DBC, encoding="utf-8")
    return draft_bench(load_database(path), "car.dbc", "car", "can", list(nodes), access or BusAccess())


def test_each_line_says_how_sure_it_is(tmp_path: Path) -> None:
    """A guess is a comment; what is not mapped is listed with its unit; a made-up period is marked."""
    text = drafted(tmp_path)
    lines = {line.split(":")[0].strip(): line for line in text.splitlines()}
    assert "# sure: engine speed, by its name and its unit, 1/min" in lines["Motordrehzahl"]
    assert lines["# Gang"].strip().startswith('# Gang: {expression: "max(0, vehicle.GearboxGear)"}')
    assert "# at rest: Ladedruck [bar]" in text
    assert "# by their names, as values of the data bus: LateralSpeed [m/s]" in text


def test_a_period_that_the_database_does_not_name_follows_from_what_the_message_carries(tmp_path: Path) -> None:
    """Engine speed is fast, a switch has the usual period, a temperature is slow; the file says that it is a guess."""
    messages = yaml.safe_load(drafted(tmp_path))["buses"]["can"]["messages"]
    assert {name: message["period"] for name, message in messages.items()} == {
        "Motor": 20,
        "Temperaturen": 200,
        "Zuendung": 100,
    }
    assert "# guess: the database names no cycle time; usual for: engine speed" in drafted(tmp_path)


def test_drafts_of_different_names_have_different_ports() -> None:
    """So that two of them run side by side; the same name gives the same port."""
    database = load_database(PQ)
    ports = [
        yaml.safe_load(draft_bench(database, "x.dbc", name, "can", [], BusAccess()))["buses"]["can"]["slcan"]
        for name in ("golf", "polo", "golf")
    ]
    assert ports[0] == ports[2] != ports[1]
    assert all(1024 < port < 32768 for port in ports)


def test_frames_of_a_display_are_not_sent_unless_they_are_ours(tmp_path: Path) -> None:
    """Its own speed comes from the cluster on the desk; with its node named, the bench is the cluster."""
    assert set(yaml.safe_load(drafted(tmp_path))["buses"]["can"]["messages"]) == {"Motor", "Temperaturen", "Zuendung"}
    assert "sent by a display itself, so not by this bench: Kombi_1 (VehicleSpeed)" in drafted(tmp_path)
    bus = yaml.safe_load(drafted(tmp_path, "KOMBI"))["buses"]["can"]
    assert bus["transmit"] == ["KOMBI"]
    assert set(bus["messages"]) == {"Kombi_1", "Tuer"}
    assert "period" not in bus["messages"]["Kombi_1"]


def test_a_node_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """With the one that may be meant."""
    with pytest.raises(ConfigurationError, match="did you mean KOMBI"):
        drafted(tmp_path, "KOMBY")


def test_the_way_to_hardware(tmp_path: Path) -> None:
    """Interface, channel and bit rate stand in the bus; an embedded one has its bit rate for the load."""
    assert yaml.safe_load(drafted(tmp_path, access=BusAccess(bitrate=100_000)))["buses"]["can"]["bitrate"] == 100_000
    bus = yaml.safe_load(drafted(tmp_path, access=BusAccess("slcan", "/dev/ttyACM0", 500_000)))["buses"]["can"]
    assert (bus["interface"], bus["channel"], bus["bitrate"]) == ("slcan", "/dev/ttyACM0", 500_000)


def test_the_same_database_gives_the_same_text() -> None:
    """To the letter."""
    database = load_database(PQ)
    texts = {draft_bench(database, "x.dbc", "x", "can", [], BusAccess()) for _ in range(2)}
    assert len(texts) == 1
    assert max(len(line) for line in texts.pop().splitlines()) <= 120


LEFT_OUT = {
    ' SG_ X : 60|8@1+ (1,0) [0|1] "" K': "it does not fit into 8 bytes",
    ' SG_ X : 16|8@1+ (0,0) [0|1] "" K': "it has scale 0",
    ' SG_ X : 16|8@1+ (1e400,0) [0|1] "" K': "its scale and offset are too large for any number",
    ' SG_ X : 16|20@1- (1,0) [0|1] "" K\nSIG_VALTYPE_ 256 X : 1;': "it is a float of 20 bits",
    ' SG_ X m1 : 16|8@1+ (1,0) [0|1] "" K\nSG_MUL_VAL_ 256 X Gone 1-1;': "no number of a multiplexer Gone selects it",
    ' SG_ F M : 60|8@1+ (1,0) [0|1] "" K\n SG_ X m1 : 16|8@1+ (1,0) [0|1] "" K': "its multiplexer F is left out",
}


@pytest.mark.parametrize(("rows", "reason"), LEFT_OUT.items(), ids=LEFT_OUT.values())
def test_a_signal_that_cannot_be_is_listed(tmp_path: Path, rows: str, reason: str) -> None:
    """In a message that carries a value, under the name of a checksum too; the draft is a bench."""
    path = tmp_path / "car.dbc"
    for name in ("X", "CHECKSUM"):
        path.write_text(
            'VERSION ""\nBU_: ENGINE\nBO_ 256 Motor: 8 ENGINE\n'
            f' SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|16000] "rpm" K\n{rows.replace(" X ", f" {name} ")}\n'
        )
        database = load_database(path)
        text = draft_bench(database, str(path), "car", "can", [], BusAccess())
        assert f"left out: {name}: {reason}" in " ".join(text.replace("#", " ").split())
        file = tmp_path / "bench.yaml"
        file.write_text(text)
        (frame,) = select("can", load_bench(str(file)).settings.buses["can"], database, MILLISECOND).outgoing
        assert frame.message == "Motor"


def test_a_name_on_two_pages_has_one_line(tmp_path: Path) -> None:
    """Which is for both."""
    path = tmp_path / "car.dbc"
    path.write_text(
        'VERSION ""\nBU_: ENGINE\nBO_ 256 Motor: 8 ENGINE\n SG_ Page M : 0|8@1+ (1,0) [0|1] "" K\n'
        ' SG_ EngineSpeed m0 : 8|16@1+ (0.25,0) [0|16000] "rpm" K\n'
        ' SG_ EngineSpeed m1 : 16|16@1+ (1,0) [0|16000] "rpm" K\n'
    )
    text = draft_bench(load_database(path), str(path), "car", "can", [], BusAccess())
    assert list(yaml.safe_load(text)["buses"]["can"]["messages"]["Motor"]["signals"]) == ["EngineSpeed"]
    assert text.count("EngineSpeed") == 1
