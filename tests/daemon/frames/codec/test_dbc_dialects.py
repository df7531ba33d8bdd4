"""DBC as other tools write it: each dialect is read as they read it, and named with its line."""

from pathlib import Path
from typing import Any

import canmatrix.formats  # type: ignore[import-untyped]
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import Database, load_database
from hilbridge.frames.codec.inventory import take_inventory

HEAD = 'VERSION ""\n\nBS_:\n\nBU_: ECU\n\n'
ONE = 'BO_ 100 M: 8 ECU\n SG_ S : 0|16@1+ (0.25,0) [0|100] "rpm" X\n'
CYCLE = 'BA_DEF_ BO_ "GenMsgCycleTime" INT 0 1000;\nBA_DEF_DEF_ "GenMsgCycleTime" 0;\n'
NO_FORMAT = 'BA_ "VFrameFormat" BO_ 100 14;\n'


def load(folder: Path, content: str | bytes, name: str = "a.dbc") -> Database:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_database(path)


def facts(database: Database, *keys: str) -> dict[str, Any]:
    message = database.messages[0]
    signal = message.signals[0]
    known = {
        "message": message.name, "senders": message.senders, "cycle": message.cycle_time, "fd": message.is_fd,
        "signal": signal.name, "scale": signal.scale, "range": (signal.minimum, signal.maximum), "unit": signal.unit,
        "names": {number: str(name) for number, name in (signal.choices or {}).items()},
        "receivers": sorted(signal.receivers), "second": [one.name for one in message.signals[1:]],
    }  # fmt: skip
    return {key: known[key] for key in keys}


@pytest.mark.parametrize(
    ("text", "read", "warning"),
    [
        (ONE.replace("0.25,", ".25,"), {"scale": 0.25}, "a.dbc:8: .25 is read as 0.25"),
        (ONE.replace("0.25,", "-.5,"), {"scale": -0.5}, "a.dbc:8: -.5 is read as -0.5"),
        (ONE.replace("0|100", "-.5|.5"), {"range": (-0.5, 0.5)}, "a.dbc:8: -.5 is read as -0.5"),
        (ONE.replace("0|100", "0|inf"), {"range": (None, None)}, "a.dbc:8: [0|inf] is no range, and none is taken"),
        (ONE.replace("0|100", "-1.#INF|1.#INF"), {"range": (None, None)}, "a.dbc:8: [-1.#INF|1.#INF] is no range, "),
        (ONE.replace(" M:", " 4a7M:"), {"message": "4a7M"}, "a.dbc:7: 4a7M is taken as a name"),
        (ONE.replace("SG_ S", "SG_ 2ND"), {"signal": "2ND", "scale": 0.25}, "a.dbc:8: 2ND is taken as a name"),
        (ONE.replace("SG_ S", "SG_ FILTER"), {"signal": "FILTER"}, "a.dbc:8: FILTER is taken as a name"),
        (ONE.replace("SG_ S", "SG_ Öl-Temp"), {"signal": "Öl-Temp"}, "a.dbc:8: Öl-Temp is taken as a name"),
        (ONE.replace("ECU", "4WD"), {"senders": ["4WD"]}, "a.dbc:7: 4WD is taken as a name"),
        (ONE.replace(" ECU", ""), {"senders": []}, "a.dbc:7: message M names no sender"),
        (ONE.replace('"rpm" X', '"rpm"'), {"unit": "rpm"}, "a.dbc:8: signal S names no receiver"),
        (ONE.replace('"rpm" X', '"rpm" A B,'), {"receivers": ["A", "B"]}, "a.dbc:8: receivers of S: 'A B,' is read"),
        (f'{ONE}VAL_TABLE_ T 0 "Off" 1 "On" ;\nVAL_ 100 S T ;\n', {"names": {0: "Off", 1: "On"}}, "a.dbc:10: the val"),
        (f'{ONE}VAL_ 100 S 0x10 "On" ;\n', {"names": {16: "On"}}, "a.dbc:9: 0x10 is read as 16"),
        (f'{ONE}VAL_ 100 S 1 "On"\n{CYCLE}', {"names": {1: "On"}}, "a.dbc:9: VAL_ statement without its semicolon"),
        (f'{ONE}BA_ "GenMsgCycleTime" BO_ 100 20;\n', {"cycle": 20}, "a.dbc:9: attribute GenMsgCycleTime is"),
        (f"{ONE}{NO_FORMAT}", {"fd": True}, "a.dbc:9: attribute VFrameFormat is not defined, and taken by its values"),
        (f'{ONE}CM_ BO_ 100 "a "word" of it";\n', {"signal": "S"}, "a.dbc:9: quotes within a comment are"),
        (f'{ONE}CM_ BO_ 100 "a word;\n{CYCLE}', {"signal": "S"}, "a.dbc:9: a comment without its second quote is left"),
        (f'{ONE}VAL_ 100 S 1 "On" ;\x1a\0\0', {"names": {1: "On"}}, "a.dbc: marks of the end of a file (NUL, 1A) at"),
        (f'{ONE}\x1aVAL_ 100 S 1 "On" ;', {"names": {1: "On"}}, "a.dbc: marks of the end of a file (NUL, 1A) in"),
    ],
)  # fmt: skip
def test_a_dialect_is_read_and_named(tmp_path: Path, text: str, read: dict[str, Any], warning: str) -> None:
    """With the value that its author meant; one warning for each."""
    database = load(tmp_path, HEAD + text)
    assert facts(database, *read) == read
    assert any(one.startswith(warning) for one in database.warnings), database.warnings
    assert len(database.warnings) <= 2
    assert compile_message(database.messages[0]).left_out == {}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252", "utf-8"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    """UTF-16 is named; the others are usual."""
    database = load(tmp_path, (HEAD + ONE.replace("rpm", "°C")).encode(encoding))
    assert facts(database, "unit", "scale") == {"unit": "°C", "scale": 0.25}
    assert database.warnings == (["a.dbc: is read as UTF-16"] if encoding == "utf-16" else [])


@pytest.mark.parametrize(
    "text",
    [
        ONE.replace(" M:", " 4a7M:"), ONE.replace("SG_ S", "SG_ 2ND"), ONE.replace("0.25,", ".25,"),
        f'{ONE}BA_ "GenMsgCycleTime" BO_ 100 20;\n', f'{ONE}CM_ BO_ 100 "a "word" of it";\n',
        f'{ONE}CM_ BO_ 100 "first\nBO_ 555 False: 8 X\nlast";\n',
    ],
)  # fmt: skip
def test_canmatrix_reads_the_same(tmp_path: Path, text: str) -> None:
    """Names, lengths, scales and units."""
    database = load(tmp_path, HEAD + text)
    (matrix,) = canmatrix.formats.loadp(str(tmp_path / "a.dbc")).values()
    theirs = [
        (
            one.arbitration_id.id,
            one.name,
            [(each.name, each.size, float(each.factor), each.unit) for each in one.signals],
        )
        for one in matrix.frames
    ]
    ours = [
        (one.frame_id, one.name, [(each.name, each.length, each.scale, each.unit) for each in one.signals])
        for one in database.messages
    ]
    assert ours == theirs


@pytest.mark.parametrize("scale", ["1e400", "1,1e400", "1e308"])
def test_a_scale_beyond_all_floats_leaves_the_signal_out(tmp_path: Path, scale: str) -> None:
    """And no other."""
    text = ONE.replace("0.25,0", scale if "," in scale else f"{scale},0") + ' SG_ T : 16|8@1+ (1,0) [0|1] "" X\n'
    codec = compile_message(load(tmp_path, HEAD + text).messages[0])
    assert codec.left_out == {"S": "its scale and offset are too large for any number"}
    assert codec.decode(bytes(8)) == {"T": 0}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", r"a\.dbc:1: the file is empty"),
        (" \n\n", r"a\.dbc:1: the file is empty"),
        ("<html><body>404</body></html>", r"a\.dbc:1: it has no message \(BO_\): it is no DBC file"),
        (bytes(range(256)), r"a\.dbc:1: it has no message \(BO_\): it is no DBC file"),
    ],
)
def test_what_is_no_database_is_refused(tmp_path: Path, content: str | bytes, complaint: str) -> None:
    """With what is missing."""
    with pytest.raises(ConfigurationError, match=complaint):
        load(tmp_path, content)


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("bus.ldf", "LIN"), ("unit.cdd", "hilbridge clone"), ("car.dbf", "canconvert"), ("car.xlsx", "canconvert"),
        ("unit.odx", "control_units"),
    ],
)  # fmt: skip
def test_files_of_other_kinds_are_refused_with_advice(tmp_path: Path, name: str, advice: str) -> None:
    """What to do with them instead."""
    with pytest.raises(ConfigurationError, match=rf"{name} is no database: .*; .*{advice}"):
        load(tmp_path, "x", name)


def test_two_messages_of_one_name_are_both_sent_by_their_node(tmp_path: Path) -> None:
    """By name neither can be meant; a file that says the same message twice means one."""
    two = f"{ONE}{ONE.replace('100 M', '200 M').replace('0|16', '16|16')}"
    database = load(tmp_path, HEAD + two)
    assert [one.frame_id for one in database.sent_by("ECU")] == [100, 200]
    assert database.warnings == ["a.dbc: two messages are called M, 0x64 and 0xC8: only a node sends them"]
    with pytest.raises(ConfigurationError, match="has several messages M, 0x64, 0xC8: rename all but one of them"):
        database.message("M")
    assert load(tmp_path, HEAD + ONE + ONE).message("M").frame_id == 100


def test_messages_without_a_sender_have_one_to_ask_for(tmp_path: Path) -> None:
    """As Vector's tools write it."""
    database = load(tmp_path, HEAD + ONE.replace("8 ECU", "8 Vector__XXX"))
    assert [one.name for one in database.sent_by("Vector__XXX")] == ["M"]


def test_what_can_be_used_is_counted(tmp_path: Path) -> None:
    """And what cannot, by its reason."""
    text = f"""{ONE} SG_ Zero : 16|8@1+ (0,0) [0|1] "" X
 SG_ Far : 60|8@1+ (1,0) [0|1] "" X
 SG_ Broken : 24|8@1+ (1;0) [0|1] "" X
BO_ 101 Two words: 8 ECU
"""
    database = load(tmp_path, HEAD + text)
    assert take_inventory(database).describe() == (
        "1 message with 1 signal can be used; left out: 1 message (1: it cannot be read), 3 signals (1: it cannot be "
        "read; 1: it has scale 0; 1: it does not fit into 8 bytes)"
    )
    assert take_inventory(load(tmp_path, HEAD + ONE)).describe() == (
        "1 message with 1 signal can be used; nothing is left out"
    )


def test_a_name_of_several_values_is_read_and_not_sent(tmp_path: Path) -> None:
    """Which of them is meant, only the number says."""
    codec = compile_message(load(tmp_path, f'{HEAD}{ONE}VAL_ 100 S 0 "Off" 1 "On" 2 "On" ;\n').messages[0])
    assert [codec.decode(bytes([raw, *bytes(7)]), names=True)["S"] for raw in range(3)] == ["Off", "On", "On"]
    with pytest.raises(ValueError, match=r"signal S has several values named 'On' \(1, 2\): write the number"):
        codec.encode({"S": "On"})
    assert codec.encode({"S": "Off"}) == bytes(8)
