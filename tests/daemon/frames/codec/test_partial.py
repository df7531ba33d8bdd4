"""KCD, ARXML and SYM: a message that is wrong costs itself, and SYM 5.0 is read as canmatrix reads it."""

from pathlib import Path

import canmatrix.formats  # type: ignore[import-untyped]
import cantools.database
import pytest
from cantools.database.can import Database as CanDatabase
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import Database, load_database

KCD = (
    '<NetworkDefinition xmlns="http://kayak.2codeornot2code.org/1.0"><Document/><Bus name="b">{}</Bus>'
    "</NetworkDefinition>"
)
GOOD = '<Message id="0x{0:X}" name="M{0}" length="8"><Signal name="S" offset="{1}" length="8"/></Message>'
BAD = [
    '<Message id="0xff9b41" name="Wide" length="8"/>',
    '<Message id="what" name="Wide" length="8"/>',
    '<Message name="Wide" length="8"/>',
    '<Message id="0x1" name="Wide" length="many"/>',
    '<Message id="0x1" name="Wide" length="8"><Signal name="S"/></Message>',
]
SYM = 'FormatVersion={}.0 // Do not edit this line!\nTitle="x"\n\n{{SENDRECEIVE}}\n\n{}'
SYM_5 = """FormatVersion=5.0 // Do not edit this line!
Title="example"

{ENUMS}
enum Gear(0="neutral",
  1="first") // of the gearbox

{SENDRECEIVE}

[Engine]
ID=100h
DLC=8
CycleTime=20
Var=Speed unsigned 0,16 /u:rpm /f:0.25 /max:16000
Var=Torque signed 23,12 -m /u:Nm
Var=Gear unsigned 40,4 /e:Gear
Var=Lambda float 32,32 /u:V

[Body]
ID=09Ah
DLC=4
Var=Lamp bit 3,1
"""


def load(folder: Path, content: str, name: str) -> Database:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return load_database(path)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=6), st.sampled_from(BAD))
def test_a_bad_message_of_kcd_costs_itself(
    tmp_path_factory: pytest.TempPathFactory, order: list[bool], bad: str
) -> None:
    """The others are as cantools reads them without it; each loss is named."""
    folder = tmp_path_factory.getbasetemp()
    good = [GOOD.format(100 + number, 8 * number) for number, sound in enumerate(order) if sound]
    rows = [GOOD.format(100 + number, 8 * number) if sound else bad for number, sound in enumerate(order)]
    if not good:
        with pytest.raises(ConfigurationError, match=r"a\.kcd"):
            load(folder, KCD.format("".join(rows)), "a.kcd")
        return
    found = load(folder, KCD.format("".join(rows)), "a.kcd")
    sound = cantools.database.load_string(KCD.format("".join(good)), "kcd")
    assert isinstance(sound, CanDatabase)
    assert [(one.name, one.frame_id, one.signals[0].start) for one in found.messages] == [
        (one.name, one.frame_id, one.signals[0].start) for one in sound.messages
    ]
    told = [warning for warning in found.warnings if "message Wide is left out: " in warning]
    assert len(told) == len(order) - len(good)


def test_a_lost_message_is_named_when_it_is_asked_for(tmp_path: Path) -> None:
    """With the reason; a document type keeps the file whole."""
    text = KCD.format(GOOD.format(100, 0) + BAD[0])
    with pytest.raises(ConfigurationError, match=r"message Wide of a\.kcd is unusable: Standard frame id 0xff9b41"):
        load(tmp_path, text, "a.kcd").message("Wide")
    with pytest.raises(ConfigurationError, match=r"a\.kcd: Standard frame id 0xff9b41 is more than 11 bits"):
        load(tmp_path, f"<!DOCTYPE x>{text}", "a.kcd")


def test_a_bad_message_of_sym_costs_itself(tmp_path: Path) -> None:
    """And the lines keep their numbers."""
    good, bad, last = (f"[{name}]\nID=10{n}h\nLen=8\n" for n, name in enumerate(("Good", "Bad", "Last")))
    rows = f"{good}Var=A unsigned 0,8\n\n{bad}Var=B odd 0,8\n\n{last}"
    database = load(tmp_path, SYM.format(6, rows), "a.sym")
    assert [one.name for one in database.messages] == ["Good", "Last"]
    assert [warning.partition(" is left out")[0] for warning in database.warnings] == ["a.sym: message Bad"]


def test_an_identifier_of_sym_whose_first_digit_is_a_letter_is_one(tmp_path: Path) -> None:
    """As canmatrix writes them; cantools takes FF9B41h for a word."""
    rows = (
        "[One]\nType=Extended\nID=FF9B41h\nLen=8\nVar=A unsigned 0,8\n\n[Two]\nID=12Ah\nLen=8\nVar=B unsigned 0,8\n\n"
    )
    first = "[Three]\nID=200h\nLen=8\nMux=P 0,8 9h\nVar=C unsigned 8,8\n\n"
    pages = f"{first}[Three]\nLen=8\nMux=Q 0,8 Ah\nVar=D unsigned 8,8\n"
    database = load(tmp_path, SYM.format(6, rows + pages), "a.sym")
    numbers = {one.name: one.frame_id for one in database.messages}
    assert numbers == {"One": 0xFF9B41, "Two": 0x12A, "Three": 0x200}
    assert compile_message(database.message("Three")).decode(b"\x0a\x07" + bytes(6))["D"] == 7
    assert database.warnings == ["a.sym: numbers such as FFh are read as 0FFh"]


def test_version_5_of_sym_is_read_as_canmatrix_reads_it(tmp_path: Path) -> None:
    """Names, identifiers, cycle times, and the values of the same bytes."""
    database = load(tmp_path, SYM_5, "a.sym")
    assert database.warnings == ["a.sym: SYM 5.0 is read as 6.0"]
    (matrix,) = canmatrix.formats.loadp(str(tmp_path / "a.sym")).values()
    theirs = {frame.name: frame for frame in matrix.frames}
    assert {one.name: (one.frame_id, one.length, one.cycle_time or 0) for one in database.messages} == {
        name: (frame.arbitration_id.id, frame.size, frame.cycle_time) for name, frame in theirs.items()
    }
    for message in database.messages:
        codec = compile_message(message)
        for full in (bytes(range(16, 24)), bytes([0x81, 0x42, 0x7F, 0xE1, 0, 0, 0x80, 0x3F])):
            data = full[: message.length]
            decoded = theirs[message.name].decode(data)
            assert codec.decode(data) == pytest.approx({name: float(one.phys_value) for name, one in decoded.items()})
    names = database.signal("Engine", "Gear").choices
    assert {number: str(name) for number, name in (names or {}).items()} == {0: "neutral", 1: "first"}


def test_arxml_says_what_is_missing_in_words(tmp_path: Path) -> None:
    """Not in those of Python; frames that can be read are."""
    folder = Path(canmatrix.__file__).parent / "tests"
    with pytest.raises(ConfigurationError, match="a part that the format wants is missing"):
        load_database(folder / "ARXMLCompuMethod1.arxml")
    database = load_database(folder / "ARXMLSecuredPDUTest.arxml")
    assert len(database.messages) == 1
    assert ["message FRAME_testFrame1_SEC is left out: " in warning for warning in database.warnings] == [True]
    assert "NoneType" not in "".join(load_database(folder / "ARXMLContainerTest.arxml").warnings)
