"""What can be used of a DBC file that breaks the rules of the format."""

from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from random import Random

import cantools.database
import pytest
from cantools.database.can import Message
from cantools.database.errors import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.dbc_repair import repair

OPENDBC = sorted(Path(str(files("opendbc"))).rglob("*.dbc"))

DBC = """VERSION ""

NS_ :
	NS_DESC_
	VAL_
	BA_DEF_

BS_:

BU_: ENGINE

BO_ 256 EngineData: 8 ENGINE
 SG_ EngineSpeed : 0|16@1+ (0.25,0) [0|16000] "rpm" X
 SG_ Torque : 16|8@1+ (1,0) [0|255] "Nm" X

BO_ 128 EngineState: 1 ENGINE
 SG_ State : 0|8@1+ (1,0) [0|255] "" X

CM_ SG_ 256 Torque "At the crankshaft";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 10000;
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_ "GenMsgCycleTime" BO_ 256 10;
VAL_ 256 Torque 255 "SNA" ;
VAL_ 128 State 0 "Off" 1 "On" ;
"""


def salvaged(text: str) -> tuple[dict[str, list[str]], list[str]]:
    """The signals by message that cantools finds in what is left, and the findings."""
    rest, findings = repair(text)
    assert rest.count("\n") == text.count("\n")
    database = cantools.database.load_string(rest, "dbc", strict=False)
    assert isinstance(database, cantools.database.can.Database)
    messages = {message.name: [signal.name for signal in message.signals] for message in database.messages}
    return messages, [f"{line}: {text}" for line, text, *_ in findings]


WHOLE = {"EngineData": ["EngineSpeed", "Torque"], "EngineState": ["State"]}


def test_a_sound_file_stays_as_it_is() -> None:
    """But for the list of symbols, which says nothing."""
    assert salvaged(DBC) == (WHOLE, [])


@pytest.mark.parametrize(
    ("old", "new", "messages", "findings"),
    [
        ("BO_ 256 Eng", "BO_ 256 2Eng", {"EngineState": ["State"]}, ["12: message 2EngineData is left out: col"]),
        (
            "(1,0) [0|255] \"Nm\"", "(.5,0) [0|255] \"Nm\"", {"EngineData": ["EngineSpeed"], "EngineState": ["State"]},
            ["14: signal Torque of EngineData is left out: column 24, "],
        ),
        ('shaft";', 'shaft"', WHOLE, ["19: CM_ statement is left out: it has no end"]),
        ("VAL_ 128 State", "VAL_ 128 Stat", WHOLE, ["24: VAL_ statement is left out: message 128 has no signal Stat"]),
        ("VAL_ 128 State", "VAL_ 129 State", WHOLE, ["24: VAL_ statement is left out: message 129 has no"]),
        ("BO_ 256 10;", "BO_ 256 ten;", WHOLE, ["22: BA_ statement is left out: "]),
        ('BA_ "GenMsgC', 'BA_ "GenC', WHOLE, ["22: BA_ statement is left out: its value does not fit a definition: "]),
    ],
)  # fmt: skip
def test_only_what_is_at_fault_goes(old: str, new: str, messages: dict[str, list[str]], findings: list[str]) -> None:
    """With its line and the reason."""
    assert old in DBC
    kept, found = salvaged(DBC.replace(old, new))
    assert kept == messages
    assert len(found) == len(findings)
    assert all(one.startswith(start) for one, start in zip(found, findings, strict=True))


def test_a_29_bit_identifier_without_its_mark_is_taken_as_one() -> None:
    """It can be no other; what refers to the message finds it still."""
    rest, findings = repair(DBC.replace("256", str(0x18FEF100)))
    database = cantools.database.load_string(rest, "dbc", strict=True)
    assert isinstance(database, cantools.database.can.Database)
    message = database.get_message_by_name("EngineData")
    assert (message.frame_id, message.is_extended_frame, message.cycle_time) == (0x18FEF100, True, 10)
    assert message.get_signal_by_name("Torque").choices == {255: "SNA"}
    assert message.get_signal_by_name("Torque").comment == "At the crankshaft"
    assert [text for _, text, *_ in findings] == [
        "message EngineData: 0x18FEF100 is not marked as a 29-bit identifier, but taken as one"
    ]


def test_an_identifier_of_more_than_29_bits_is_none() -> None:
    """The message goes, and what belongs to it goes without further words."""
    messages, findings = salvaged(DBC.replace("256", str(0x40140639)))
    assert messages == {"EngineState": ["State"]}
    assert [one.partition(" is left out")[0] for one in findings] == ["12: message EngineData"]


@pytest.mark.parametrize("path", OPENDBC, ids=lambda path: path.name)
def test_every_message_of_the_public_databases_is_read_and_sent(path: Path) -> None:
    """All files of opendbc, many of which do not load strictly, as cantools does it.

    Signals that overlap are read one by one by cantools, which cannot read the whole message.
    """
    database = load_database(path)
    assert database.messages or "\nBO_ " not in path.read_text()
    random = Random(path.name)
    for message in database.messages:
        codec = compile_message(message)
        assert {*codec.left_out, *codec.signals} == {signal.name for signal in message.signals}
        values = codec.decode(random.randbytes(message.length))
        frame = codec.encode({name: value for name, value in values.items() if name not in codec.overlaps})
        if codec.overlaps or codec.left_out:
            for name, layout in codec.layouts.items():
                if layout.multiplexer_signal is None and not layout.is_multiplexer:
                    alone = Message(1, "Alone", message.length, [layout])
                    assert alone.decode_simple(frame, decode_choices=False)[name] == codec.decode(frame)[name]
            continue
        with suppress(DecodeError):  # a number that selects nothing
            expected = message.decode_simple(frame, decode_choices=False)
            assert codec.decode(frame) == expected
            assert message.encode(expected, strict=False) == frame


PIECES = st.sampled_from([*DBC.split(), *DBC.splitlines(keepends=True), "\n", " ", '"', ";", "BO_ 256 X: 8 Y\n"])


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=40), st.integers(0, len(DBC)), st.integers(0, 30))
def test_no_file_breaks_the_reader(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], place: int, gone: int
) -> None:
    """Pieces of a database in any order, inside of one: what loads can be compiled, the rest is refused in words."""
    path = tmp_path_factory.getbasetemp() / "pieces.dbc"
    path.write_text(DBC[:place] + "".join(pieces) + DBC[place + gone :], encoding="utf-8")
    with suppress(ConfigurationError):
        for message in load_database(path).messages:
            compile_message(message).encode({})
