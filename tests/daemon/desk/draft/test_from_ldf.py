"""A bench for a LIN from its description; the file is written by hand after LIN 2.1, and read by ldfparser."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.commands.cli import main
from hilbridge.desk.draft.draft import draft
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.lines import LinLine

LDF = """
LIN_description_file;
LIN_protocol_version = "2.1";
LIN_language_version = "2.1";
LIN_speed = 19.2 kbps;
Nodes { Master: CEM, 5 ms, 0.1 ms; Slaves: LSM; }
Signals {
  Dimmer: 8, 64, CEM, LSM;
  Heat: 10, 0, CEM, LSM;
  Switch: 2, 0, LSM, CEM;
}
Frames {
  CEM_Frm1: 0x10, CEM, 3 { Dimmer, 0; Heat, 8; }
  LSM_Frm1: 0x21, LSM, 2 { Switch, 4; }
}
Node_attributes {
  LSM { LIN_protocol = "2.1"; configured_NAD = 0x20; product_id = 0x4A4F, 0x4841; response_error = Switch;
        P2_min = 150 ms; ST_min = 50 ms; configurable_frames { LSM_Frm1; } }
}
Schedule_tables { Normal { CEM_Frm1 delay 15 ms; LSM_Frm1 delay 18 ms; } }
Signal_encoding_types { Celsius { physical_value, 0, 1000, 0.1, -40, "degC"; } }
Signal_representation { Celsius: Heat; }
"""


def test_a_bench_is_drafted_from_a_description(tmp_path: Path) -> None:
    (tmp_path / "seat.ldf").write_text(LDF)
    bench = tmp_path / "seat.yaml"
    assert main(["new", "--from", str(tmp_path / "seat.ldf"), str(bench)]) == 0
    line = load_bench(str(bench)).settings.lines["lin"]
    assert isinstance(line, LinLine)
    assert (line.baudrate, line.checksum) == (19200, "enhanced")
    assert [(slot.frame, slot.time) for slot in line.schedule] == [("CEM_Frm1", 15), ("LSM_Frm1", 20)]
    assert (line.frames["LSM_Frm1"].id, line.frames["LSM_Frm1"].length) == (0x21, 2)
    ours = line.frames["CEM_Frm1"].signals
    assert {name: (one.bit, one.width, one.scale, one.offset, one.constant) for name, one in ours.items()} == {
        "Dimmer": (0, 8, 1, 0, 64),
        "Heat": (8, 10, 0.1, -40, -40),
    }


@pytest.mark.parametrize("word", ["true", "null", "No", "on", "y"])
def test_names_that_yaml_takes_for_something_else_stay_names(tmp_path: Path, word: str) -> None:
    """An identifier of LIN is one of C (LIN 2.2A, 9.1.1), and so it may be a word of YAML."""
    text = LDF.replace("CEM_Frm1", word).replace("Dimmer", f"{word}_").replace("Heat", f"{word.upper()}")
    (tmp_path / "seat.ldf").write_text(text)
    (tmp_path / "seat.yaml").write_text(draft(str(tmp_path / "seat.ldf"), None, None, [], BusAccess()))
    line = load_bench(str(tmp_path / "seat.yaml")).settings.lines["lin"]
    assert isinstance(line, LinLine)
    assert line.schedule[0].frame == word
    assert list(line.frames[word].signals) == [f"{word}_", word.upper()]


@pytest.mark.parametrize("strange", ["\x85", "\u2028", "\x1b", "\0"])
def test_a_unit_stays_in_its_comment(tmp_path: Path, strange: str) -> None:
    (tmp_path / "seat.ldf").write_text(LDF.replace("degC", f"degC]{strange}rate: 5 #"), encoding="utf-8")
    (tmp_path / "seat.yaml").write_text(draft(str(tmp_path / "seat.ldf"), None, None, [], BusAccess()))
    assert load_bench(str(tmp_path / "seat.yaml")).settings.rate == 200


def test_a_slave_is_drafted_where_another_node_is_the_master(tmp_path: Path) -> None:
    (tmp_path / "seat.ldf").write_text(LDF)
    bench = tmp_path / "seat.yaml"
    assert main(["new", "--from", str(tmp_path / "seat.ldf"), "--node", "LSM", str(bench)]) == 0
    line = load_bench(str(bench)).settings.lines["lin"]
    assert isinstance(line, LinLine)
    assert (line.master, line.schedule) == (False, [])
    assert {name: (one.id, one.length, list(one.signals)) for name, one in line.frames.items()} == {
        "CEM_Frm1": (0x10, 3, []),
        "LSM_Frm1": (0x21, None, ["Switch"]),
        "MasterReq": (0x3C, 8, []),
        "SlaveResp": (0x3D, 8, []),
    }
    assert load_bench(str(bench)).settings.rate == 1000
    with pytest.raises(ConfigurationError, match=r"has no node LMS \(it has: CEM, LSM\)"):
        draft(str(tmp_path / "seat.ldf"), None, None, ["LMS"], BusAccess())


@pytest.mark.parametrize("node", ["CEM", "LSM"])
def test_a_node_of_lin_1_has_its_checksum(tmp_path: Path, node: str) -> None:
    """LIN 2.2A, 2.3.1.5: nodes of LIN 1.x use the classic checksum, also on a line of LIN 2."""
    text = LDF.replace('LIN_protocol = "2.1"', 'LIN_protocol = "1.3"')
    line = drafted(tmp_path, text, node)
    assert line.checksum == "enhanced"
    assert line.frames["LSM_Frm1"].checksum == "classic"
    assert line.frames["CEM_Frm1"].checksum is None


def test_numbers_are_those_of_the_description(tmp_path: Path) -> None:
    """0x12D687 is 1234567; 0.12345678 * 1234 + 12345678 is 12345830.34566652."""
    text = LDF.replace("Heat: 10, 0,", "Heat: 16, 1234, ").replace("CEM, 3 {", "CEM, 8 { Way, 32; ")
    text = text.replace("  Switch: 2", "  Way: 24, {135, 214, 18}, CEM, LSM;\n  Switch: 2")
    text = text.replace("0, 1000, 0.1, -40,", "0, 65535, 0.12345678, 12345678,")
    ours = drafted(tmp_path, text, "CEM").frames["CEM_Frm1"].signals
    assert ours["Way"].constant == 1234567
    heat = ours["Heat"]
    assert (heat.scale, heat.offset, heat.constant) == (0.12345678, 12345678, 12345830.34566652)


def drafted(folder: Path, text: str, node: str) -> LinLine:
    (folder / "seat.ldf").write_text(text)
    (folder / "seat.yaml").write_text(draft(str(folder / "seat.ldf"), None, None, [node], BusAccess()))
    line = load_bench(str(folder / "seat.yaml")).settings.lines["lin"]
    assert isinstance(line, LinLine)
    return line


@pytest.mark.parametrize("text", ["", "LIN_description_file;", "\0" * 100, "{" * 5000])
def test_what_is_no_description_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.ldf").write_text(text)
    with pytest.raises(ConfigurationError, match=r"cannot be read as an LDF|need ldfparser"):
        draft(str(tmp_path / "odd.ldf"), None, None, [], BusAccess())
