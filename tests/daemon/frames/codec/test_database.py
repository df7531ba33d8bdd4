"""Databases are found, read, and searched; what is wrong with them is said with the place."""

import gc
import weakref
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.database import LARGEST, MOST_MESSAGES, Database, load_database, merged

DBC = """VERSION ""

BU_: ENGINE CLUSTER

BO_ 256 EngineData: 8 ENGINE
 SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|16000] "rpm" CLUSTER
 SG_ Temperature : 16|8@1+ (1,-40) [-40|210] "°C" CLUSTER

BO_ 128 EngineState: 1 ENGINE
 SG_ State : 0|8@1+ (1,0) [0|255] "" CLUSTER

BA_DEF_ "Baudrate" INT 0 1000000;
BA_DEF_DEF_ "Baudrate" 500000;
BA_ "Baudrate" 250000;
"""

KCD = """<NetworkDefinition xmlns="http://kayak.2codeornot2code.org/1.0"><Document/>
<Bus name="B"><Message id="0x100" name="EngineData" length="2"><Signal name="EngineSpeed" offset="0" length="16"/>
</Message></Bus></NetworkDefinition>"""

SYM = """FormatVersion=6.0 // Do not edit this line!
Title="Example"

{SENDRECEIVE}

[EngineData]
ID=100h
Len=2
Var=EngineSpeed unsigned 0,16
"""

OVERLAP = DBC.replace("16|8@1+", "8|8@1+")


def load(folder: Path, content: str | bytes, name: str = "example.dbc") -> Database:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return load_database(path, ("buses", "a", "database"))


def test_a_database_knows_its_messages_and_their_senders(tmp_path: Path) -> None:
    """The messages of a node come in the order of their identifiers."""
    database = load(tmp_path, DBC)
    assert [message.name for message in database.sent_by("ENGINE")] == ["EngineState", "EngineData"]
    assert database.sent_by("CLUSTER") == []
    assert database.signal("EngineData", "Temperature").offset == -40
    assert database.bitrate == 250_000
    assert database.warnings == []


@pytest.mark.parametrize(("name", "content"), [("a.KCD", KCD), ("a.sym", SYM), ("a.Dbc", DBC)])
def test_the_extension_tells_the_format(tmp_path: Path, name: str, content: str) -> None:
    """In upper or lower case."""
    assert load(tmp_path, content, name).message("EngineData").frame_id == 0x100


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_umlauts_and_degree_signs_survive(tmp_path: Path, encoding: str) -> None:
    """Old tools write Windows-1252, new ones UTF-8."""
    assert load(tmp_path, DBC.encode(encoding)).signal("EngineData", "Temperature").unit == "°C"


def test_what_cannot_be_read_is_refused_with_the_reason(tmp_path: Path) -> None:
    """Missing, a folder, of another kind."""
    with pytest.raises(ConfigurationError, match=r"there is no database .*nowhere\.dbc") as raised:
        load_database(tmp_path / "nowhere.dbc", ("buses", "a", "database"))
    assert raised.value.place == ("buses", "a", "database")
    (tmp_path / "folder.dbc").mkdir()
    with pytest.raises(ConfigurationError, match=r"cannot read .*folder\.dbc: Is a directory"):
        load_database(tmp_path / "folder.dbc")
    with pytest.raises(ConfigurationError, match=r"notes\.txt is no database: \.dbc, \.kcd, \.arxml, \.sym are"):
        load(tmp_path, DBC, "notes.txt")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.dbc", "hello", r"a\.dbc:1: "),
        ("a.dbc", "BO_ x", r"a\.dbc:1: "),
        ("a.dbc", "", r"a\.dbc:1: "),
        ("a.kcd", "<NetworkDefinition", r"a\.kcd: .*line 1"),
        ("a.arxml", "<a/>", r"a\.arxml: .*namespace"),
        ("a.sym", "FormatVersion=7.0", r"a\.sym: .*version 6"),
    ],
)
def test_what_cannot_be_parsed_is_refused_with_the_line(
    tmp_path: Path, name: str, content: str, complaint: str
) -> None:
    """Where the parser names it."""
    with pytest.raises(ConfigurationError, match=complaint):
        load(tmp_path, content, name)


def test_a_database_that_would_take_minutes_is_refused(tmp_path: Path) -> None:
    """By its size, or by the number of its messages."""
    many = DBC + "".join(f"\nBO_ {0x80000000 + number} M{number}: 8 ENGINE\n" for number in range(MOST_MESSAGES))
    with pytest.raises(ConfigurationError, match=r"example\.dbc has 10002 messages, more than 10000"):
        load(tmp_path, many)
    with (tmp_path / "large.kcd").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(ConfigurationError, match=r"large\.kcd is larger than 64 MiB"):
        load_database(tmp_path / "large.kcd")


@pytest.mark.parametrize(
    ("kind", "usual", "given", "read", "warnings"),
    [
        ("INT -10 10000", "100", "-5", [100, None], ["no cycle time is -5 ms"]),
        ("STRING", '""', '"ten"', [None, None], ["no cycle time is 'ten' ms"]),
        ("FLOAT 0 10000", "0", "2.5", [None, 2.5], []),
    ],
)
def test_a_cycle_time_that_is_no_time_is_none(
    tmp_path: Path, kind: str, usual: str, given: str, read: list[float | None], warnings: list[str]
) -> None:
    """Negative, or text: a file may define the attribute as it likes. Empty text is none, without a word."""
    database = load(
        tmp_path,
        f'{DBC}BA_DEF_ BO_ "GenMsgCycleTime" {kind} ;\nBA_DEF_DEF_ "GenMsgCycleTime" {usual};\n'
        f'BA_ "GenMsgCycleTime" BO_ 256 {given};\n',
    )
    assert [message.cycle_time for message in database.sent_by("ENGINE")] == read
    assert database.warnings == [f"example.dbc: message EngineData: {warning}" for warning in warnings]


def test_signals_that_overlap_make_no_message_unusable(tmp_path: Path) -> None:
    """The codec reads all of them, and whoever sends the message hears which ones go."""
    database = load(tmp_path, OVERLAP)
    assert {database.message(name).name for name in ("EngineState", "EngineData")} == {"EngineState", "EngineData"}
    assert database.warnings == []


def test_what_a_dbc_file_says_in_no_known_way_is_left_out(tmp_path: Path) -> None:
    """Each with its line; the reason comes back when the bench file names the message."""
    database = load(tmp_path, DBC.replace("BO_ 256 EngineData", "BO_ 256 Engine Data") + 'VAL_ 256 Nothing 1 "One" ;\n')
    assert [message.name for message in database.messages] == ["EngineState"]
    assert [warning.partition(" is left out")[0] for warning in database.warnings] == [
        "example.dbc:5: message Engine",
        "example.dbc:15: VAL_ statement",
    ]
    with pytest.raises(ConfigurationError, match=r"message Engine of example\.dbc is unusable: column 16"):
        database.message("Engine")


def test_several_files_are_one_database(tmp_path: Path) -> None:
    """With the messages, nodes and bit rate of all; what is in two of them is named."""
    other = DBC.replace("ENGINE", "GEARBOX").replace("BO_ 128 EngineState", "BO_ 128 GearState").replace("250000", "9")
    database = merged([load(tmp_path, DBC, "a.dbc"), load(tmp_path, other, "b.dbc")])
    assert (database.name, database.bitrate) == ("a.dbc, b.dbc", 250_000)
    assert [message.name for message in database.sent_by("ENGINE")] == ["EngineState", "EngineData"]
    assert [message.name for message in database.sent_by("GEARBOX")] == ["GearState"]
    assert database.warnings == [
        "message EngineData is in a.dbc and in b.dbc: that of a.dbc is used",
        "b.dbc: GearState has the same identifier, 0x80, as EngineState of a.dbc",
    ]


def test_an_identifier_that_two_messages_of_a_file_have_is_named(tmp_path: Path) -> None:
    """Both can be used, though not on one bus."""
    database = load(tmp_path, DBC.replace("BO_ 128", "BO_ 256"))
    assert database.warnings == [
        "example.dbc: EngineState has the same identifier, 0x100, as EngineData of example.dbc"
    ]


def test_unknown_names_come_with_what_may_have_been_meant(tmp_path: Path) -> None:
    """The closest name, in any case; else all of them, if they are few."""
    database = load(tmp_path, DBC)
    with pytest.raises(
        ConfigurationError, match=r"unknown node of example.dbc 'Engin': did you mean ENGINE\?"
    ) as raised:
        database.sent_by("Engin", ("x",))
    assert raised.value.place == ("x",)
    with pytest.raises(
        ConfigurationError, match=r"unknown message of example.dbc 'EngineDta': did you mean EngineData\?"
    ):
        database.message("EngineDta")
    with pytest.raises(
        ConfigurationError, match=r"unknown signal of EngineData 'Torque' \(there are EngineSpeed, Temp"
    ):
        database.signal("EngineData", "Torque")


def test_a_file_that_is_read_again_is_parsed_again_if_its_text_is_another(tmp_path: Path) -> None:
    file = tmp_path / "one.dbc"
    file.write_text('VERSION ""\nBU_: N\nBO_ 1 First: 8 N\n', encoding="utf-8")
    first = load_database(file)
    assert load_database(file) is first
    file.write_text('VERSION ""\nBU_: N\nBO_ 1 Second: 8 N\n', encoding="utf-8")
    assert [one.name for one in load_database(file).messages] == ["Second"]
    assert [one.name for one in first.messages] == ["First"]
    file.write_bytes('VERSION ""\nBU_: N\nBO_ 1 Second: 8 N\n'.encode("utf-16"))
    assert any("UTF-16" in warning for warning in load_database(file).warnings)


def test_of_a_file_that_changes_one_version_is_kept(tmp_path: Path) -> None:
    """A day of edits would otherwise keep sixteen of a megabyte."""
    file = tmp_path / "one.dbc"
    file.write_text('VERSION ""\nBU_: N\nBO_ 1 First: 8 N\n', encoding="utf-8")
    first = weakref.ref(load_database(file))
    file.write_text('VERSION ""\nBU_: N\nBO_ 1 Second: 8 N\n', encoding="utf-8")
    load_database(file)
    gc.collect()
    assert first() is None
