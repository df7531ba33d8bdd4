"""No repair of a DBC file invents, displaces or silences a message: text in quotes stays text, damage stays damage."""

from pathlib import Path
from typing import TypeAlias

import cantools.database
import pytest
from cantools.database.can import Database
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.dbc_statements import joined, split

Content: TypeAlias = list[tuple[str, int, list[tuple[str, int, int, float, str | None]]]]

HEAD = 'VERSION ""\n\nNS_ :\n\tCM_\n\tBA_DEF_\n\nBS_:\n\nBU_: ECU\n\n'
REAL = 'BO_ 100 Real: 8 ECU\n SG_ A : 0|16@1+ (0.25,0) [0|100] "rpm" X\n\n'
TWO = 'BO_ 101 Two: 8 ECU\n SG_ C : 0|8@1+ (1,0) [0|1] "" X\n\n'
NOTE = 'BA_DEF_ BO_ "Note" STRING ;\nBA_DEF_DEF_ "Note" "";\n'
FALSE = 'BO_ 555 False: 8 ECU\n SG_ F : 0|8@1+ (1,0) [0|1] "" X\n'


def content(database: Database) -> Content:
    return sorted(
        (
            one.name,
            one.frame_id,
            sorted(
                (signal.name, signal.start, signal.length, float(signal.scale), signal.unit) for signal in one.signals
            ),
        )
        for one in database.messages
    )


def judged(text: str) -> Content:
    """What cantools reads in a sound file."""
    database = cantools.database.load_string(text, "dbc", strict=False)
    assert isinstance(database, Database)
    return content(database)


def read(path: Path, text: str) -> tuple[Content, list[str]]:
    path.write_text(text, encoding="utf-8")
    database = load_database(path)
    return content(Database(database.messages)), database.warnings


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f'{REAL}CM_ BO_ 100 "said\n{FALSE.replace(chr(34), chr(39))} end";\njunk here\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "a "quoted" word\nBO_ 555 False: 8 ECU\n end";\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "5" wide\nBO_ 555 False: 8 ECU\n end";\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "said \\"\nBO_ 555 False: 8 ECU\n\\" end";\njunk\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "never closed;\n{TWO}CM_ BO_ 101 "closed";\n', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "never closed\n{TWO}VAL_ 101 C 0 "Off" 1 "On" ;\n', ["Real", "Two"]),
        (f"{REAL}CM_ BO_ 100 \"C:\\\";\n{TWO}CM_ BO_ 101 \"closed\";\n", ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "no semicolon"\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "\nCM_ BO_ 101 "\nBO_ 555 False: 8 ECU\n";\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 ""\njunk\n{TWO}CM_ BO_ 101 "";\n', ["Real", "Two"]),
        (f'{REAL}CM_ BO_ 100 "a "quoted" word"\njunk\n{TWO}CM_ BO_ 101 "";\n', ["Real", "Two"]),
        (f'{NOTE}{REAL}BA_ "Note" BO_ 100 "\nCM_ BO_ 101 "\nBO_ 555 False: 8 ECU\n";\n{TWO}', ["Real", "Two"]),
        (f'{REAL}CM_\nBO_ 100 "on the next line";\njunk\n{TWO}', ["Real", "Two"]),
        (f'{NOTE}{REAL}BA_ "Note" BO_ 100 "said\nBO_ 555 False: 8 ECU\n";\njunk\n{TWO}', ["Real", "Two"]),
        (f"{REAL}// BO_ 555 False: 8 ECU\njunk\n{TWO}", ["Real", "Two"]),
        (f'{REAL}CM_ "one"; CM_ BO_ 100 "two" junk\n{TWO}', ["Real", "Two"]),
        (f'{REAL}VAL_ 100 A 0 "Off 1 "On" ;\n{TWO}', ["Real", "Two"]),
        (f"{REAL.strip()} {TWO.strip()}\njunk\n", ["Real", "Two"]),
        (f'{REAL} SG_ B : 16|8@1+ (1,0) [0|1] """ X\n SG_ D : 24|8@1+ (1,0) [0|1] "" X\n{TWO}', ["Real", "Two"]),
    ],
)  # fmt: skip
def test_messages_are_those_that_a_reader_sees(tmp_path: Path, text: str, names: list[str]) -> None:
    """Whatever stands in comments and behind statements, and whatever quote is missing."""
    found, _ = read(tmp_path / "a.dbc", HEAD + text)
    assert [name for name, *_ in found] == names
    assert [signals[0] for _, _, signals in found] == [("A", 0, 16, 0.25, "rpm"), ("C", 0, 8, 1.0, None)]


NAMES = st.sampled_from(["Alpha", "Beta", "Gamma", "Delta", "FILTERED", "BO_X", "SG"])
SCALES = st.sampled_from(["1", "0.5", "2.5E-1"])
UNITS = st.sampled_from(["", "rpm", "km/h", "//", ";", "BO_ 1 X: 8 Y", "1/min", "°C"])
TEXTS = st.lists(
    st.sampled_from(
        ["\n", "BO_ 999 Invented: 8 ECU", ' SG_ I : 0|8@1+ (1,0) [0|1] \\"\\" X', "VAL_ 1 A 0", ";", "//", "\\\"",
         "words", "CM_ BO_ 1", "BA_ 5;", "BU_: X", ":"]
    ), max_size=6,
).map("".join)  # fmt: skip
JUNK = st.sampled_from(
    ["hello", "BO_REL_ 5 7;", "FOO_ 1 ;", "=====", "} {", "12 34", "NOTE: x", "VAL_ 100 ;", "BA_ 7;"]
)
LATE = ("CM_", "BA_", "VAL_")


@st.composite
def files(draw: st.DrawFn) -> tuple[str, str]:
    """A sound file, and the same with damage that is no message's; of two missing quotes each hides the other."""
    sound = [HEAD, NOTE]
    identifiers = draw(st.lists(st.integers(1, 2000), min_size=1, max_size=4, unique=True))
    for number, identifier in enumerate(identifiers):
        rows = [
            f' SG_ {name} : {8 * place}|8@1+ ({draw(SCALES)},0) [0|0] "{draw(UNITS)}" ECU\n'
            for place, name in enumerate(draw(st.lists(NAMES, max_size=4, unique=True)))
        ]
        sound.append(f"BO_ {identifier} M{number}: 8 ECU\n{''.join(rows)}\n")
        sound.append(f'CM_ BO_ {identifier} "{draw(TEXTS)}";\n')
        sound.append(f'BA_ "Note" BO_ {identifier} "{draw(st.sampled_from(["", "a note", "BO_ 9 X: 8 Y"]))}";\n')
    sound[2:] = draw(st.permutations(sound[2:]))
    damaged = list(sound)
    kinds = ["junk", "semicolon", "cut", "unclosed"]
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(2, len(damaged) - 1))
        kind = draw(st.sampled_from(kinds))
        if kind == "junk":
            damaged.insert(place, f"{draw(JUNK)}\n")
        elif damaged[place].startswith(LATE) and "\n" not in damaged[place].strip():
            text = damaged[place].rstrip("\n")
            if kind == "semicolon":
                text = text.removesuffix(";")
            elif kind == "cut":
                text = text.split('"')[0]
            elif "\\" not in text:
                text = text.removesuffix('";')
                kinds = ["junk", "semicolon", "cut"]
            damaged[place] = f"{text}\n"
    return "".join(sound), "".join(damaged)


@settings(max_examples=100, deadline=None)
@given(files())
def test_damage_costs_no_message_and_makes_none(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[str, str]
) -> None:
    """The messages are those that cantools reads in the file as it was before, to the signal."""
    sound, damaged = pair
    found, warnings = read(tmp_path_factory.getbasetemp() / "damaged.dbc", damaged)
    assert found == judged(sound)
    assert damaged == sound or warnings


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from([*'"\\;/\n :', "CM_ ", "BO_ 1 X: 8 Y", "VAL_ ", "SG_ ", "BA_ ", "NS_ :", "x"])).map(
        "".join
    )
)
def test_statements_are_the_whole_text(text: str) -> None:
    """Cut anywhere, nothing is lost but what stands before the first keyword and the list of symbols."""
    head, statements = split(text)
    assert head.count("\n") + joined(statements).count("\n") == text.count("\n")
    assert all(len(one.text) == len(one.mask) for one in statements)
    lines = text.split("\n")
    assert all(one.text.split("\n")[0].strip() in lines[one.line - 1] for one in statements)
