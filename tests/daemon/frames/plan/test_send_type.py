"""What makes a message go: the words of databases, the bench file before them, and what does not go together."""

from pathlib import Path
from typing import Any

import pytest
from cantools.database.can import Message

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import MessageMap
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.send_type import Sending, cannot_go, inactive_values, kind_of, sending

TICK = 1_000_000
MS = 1_000_000

DBC = """VERSION ""

BU_: ECU

BO_ 256 M: 1 ECU
 SG_ A : 0|8@1+ (1,0) [0|255] "" ECU

BA_DEF_ BO_ "GenMsgSendType" ENUM "{kind}","x";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "GenMsgDelayTime" INT 0 65535;
BA_DEF_ BO_ "GenMsgNrOfRepetition" INT 0 255;
BA_DEF_ BO_ "GenMsgCycleTimeFast" INT 0 65535;
BA_DEF_DEF_ "GenMsgSendType" "{kind}";
BA_DEF_DEF_ "GenMsgCycleTime" 0;
BA_DEF_DEF_ "GenMsgDelayTime" 0;
BA_DEF_DEF_ "GenMsgNrOfRepetition" 0;
BA_DEF_DEF_ "GenMsgCycleTimeFast" {fast};
"""


def message(folder: Path, kind: str = "Cyclic", fast: int = 0, **values: int) -> Message:
    path = folder / "one.dbc"
    rows = [f'BA_ "GenMsg{name}" BO_ 256 {value};\n' for name, value in values.items()]
    path.write_text(DBC.format(kind=kind, fast=fast) + "".join(rows))
    return load_database(path).message("M")


def resolved(one: Message, **own: Any) -> Sending:
    return sending(one, MessageMap.model_validate(own), TICK, ("m",))


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Cyclic", "cyclic"),
        ("cyclicX", "cyclic"),
        ("FixedPeriodic", "cyclic"),
        ("Event", "event"),
        ("spontaneous", "event"),
        ("OnChange", "on-change"),
        ("OnWriteWithRepetition", "on-change"),
        ("IfActive", "on-change"),
        ("CyclicAndSpontaneous", "cyclic-and-on-change"),
        ("CyclicAndSpontanX", "cyclic-and-on-change"),
        ("EventPeriodic", "cyclic-and-on-change"),
        ("NoMsgSendType", "cyclic"),
        ("NotUsed", "cyclic"),
    ],
)
def test_the_words_of_databases(tmp_path: Path, word: str, kind: str) -> None:
    """As Vector's attribute templates have them."""
    assert kind_of(message(tmp_path, word), MessageMap()) == kind


def test_the_bench_file_goes_before_the_database(tmp_path: Path) -> None:
    """By name; and a period alone makes an event cyclic."""
    event = message(tmp_path, "Event")
    assert resolved(event) == Sending("event", None)
    assert resolved(event, period=20) == Sending("cyclic", 20 * MS)
    assert resolved(event, send="on-change").kind == "on-change"
    both = message(tmp_path, "CyclicAndEvent", CycleTime=100)
    assert resolved(both, period=20).kind == "cyclic-and-on-change"


def test_times_of_the_database(tmp_path: Path) -> None:
    """Cycle, delay and repetitions, of the message itself or of all; a fast cycle goes in the next whole tick."""
    one = message(tmp_path, "CyclicAndSpontaneous", fast=20, CycleTime=100, DelayTime=15, NrOfRepetition=3)
    assert resolved(one) == Sending("cyclic-and-on-change", 100 * MS, None, 15 * MS, 3, 20 * MS)
    assert sending(one, MessageMap(), 50 * MS, ()).repetition_period == 50 * MS
    own = resolved(one, minimum_delay=2.5, repetitions=1, repetition_period=5, phase=10, period=50)
    assert own == Sending("cyclic-and-on-change", 50 * MS, 10 * MS, 2_500_000, 1, 5 * MS)
    assert resolved(one, repetitions=0).repetition_period == 0
    assert resolved(one, send="cyclic") == Sending("cyclic", 100 * MS)
    assert resolved(one, phase=0).phase == 0


def test_what_is_never_due_is_told(tmp_path: Path) -> None:
    """A cycle needs a period; what goes on change needs none."""
    assert "no period" in (cannot_go(message(tmp_path), MessageMap()) or "")
    assert "no period" in (cannot_go(message(tmp_path, "CyclicAndEvent"), MessageMap()) or "")
    assert cannot_go(message(tmp_path, "Event"), MessageMap()) is None
    assert cannot_go(message(tmp_path), MessageMap(period=10)) is None
    assert cannot_go(message(tmp_path), MessageMap(send="on-change")) is None


@pytest.mark.parametrize(
    ("own", "complaint", "key"),
    [
        ({"period": 10, "minimum_delay": 5}, "a cyclic message has no minimum_delay", "minimum_delay"),
        ({"period": 10, "repetitions": 2}, "has no repetitions", "repetitions"),
        ({"period": 10, "phase": 10}, "10 ms is not within the period, 10 ms", "phase"),
        ({"period": 10, "phase": 2.5}, "nearest: 2 ms or 3 ms", "phase"),
        ({"send": "event", "period": 10}, "goes on events has no period", "period"),
        ({"send": "on-change", "phase": 10}, "goes on change has no phase", "phase"),
        ({"send": "event", "repetitions": 2}, "need a 'repetition_period'", "repetitions"),
        ({"send": "event", "repetitions": 2, "repetition_period": 2.5}, "nearest: 2", "repetition_period"),
        (
            {"send": "cyclic-and-on-change", "period": 10, "minimum_delay": 11},
            "11 ms between two frames leave no room for a period of 10 ms",
            "minimum_delay",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path: Path, own: dict[str, Any], complaint: str, key: str) -> None:
    """With the key that is to blame."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        resolved(message(tmp_path), **own)
    assert raised.value.place == ("m", key)


VECTOR = """VERSION ""
BU_: ECU
BO_ 256 M: 1 ECU
 SG_ A : 0|4@1+ (1,0) [0|15] "" ECU
 SG_ B : 4|4@1+ (1,0) [0|15] "" ECU
BA_DEF_ BO_ "GenMsgSendType" ENUM "Cyclic","cyclicIfActive","NoMsgSendType","NotUsed";
BA_DEF_ BO_ "GenMsgCycleTime" INT 0 65535;
BA_DEF_ BO_ "GenMsgILSupport" ENUM "No","Yes";
BA_DEF_ SG_ "GenSigSendType" ENUM "Cyclic","OnChange","NoSigSendType";
BA_DEF_ SG_ "GenSigInactiveValue" INT 0 15;
BA_DEF_ SG_ "GenSigStartValue" INT 0 15;
BA_DEF_DEF_ "GenMsgSendType" "NoMsgSendType";
BA_DEF_DEF_ "GenMsgCycleTime" 200;
BA_DEF_DEF_ "GenMsgILSupport" "Yes";
BA_DEF_DEF_ "GenSigSendType" "NoSigSendType";
BA_DEF_DEF_ "GenSigInactiveValue" 0;
BA_DEF_DEF_ "GenSigStartValue" 3;
"""


def by_vector(folder: Path, *rows: str) -> Message:
    path = folder / "vector.dbc"
    path.write_text(VECTOR + "".join(f"BA_ {row};\n" for row in rows))
    return load_database(path).message("M")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "it has no send type (NoMsgSendType), and the cycle time is the default of all messages"),
        (['"GenMsgSendType" BO_ 256 3'], "it has no send type (NotUsed), and the cycle time is the default"),
        (['"GenMsgSendType" BO_ 256 0', '"GenMsgILSupport" BO_ 256 0'], "the database leaves it to others"),
        (['"GenMsgCycleTime" BO_ 256 50'], None),
        (['"GenMsgSendType" BO_ 256 0'], None),
        (['"GenSigSendType" SG_ 256 B 0'], None),
        (['"GenSigSendType" SG_ 256 B 1'], None),
    ],
)
def test_what_the_database_does_not_send_is_not_sent(tmp_path: Path, rows: list[str], reason: str | None) -> None:
    """No send type of message and signals, or another sender; the bench file sends it all the same."""
    one = by_vector(tmp_path, *rows)
    found = cannot_go(one, MessageMap())
    assert found is None if reason is None else found is not None and found.startswith(reason)
    assert cannot_go(one, MessageMap(period=20)) is None
    assert resolved(one, period=20, send="cyclic") == Sending("cyclic", 20 * MS)


def test_signals_decide_where_the_message_has_no_send_type(tmp_path: Path) -> None:
    """Cyclic by the default cycle time, on change, or both."""
    assert resolved(by_vector(tmp_path, '"GenSigSendType" SG_ 256 A 0')) == Sending("cyclic", 200 * MS)
    assert resolved(by_vector(tmp_path, '"GenSigSendType" SG_ 256 A 1')).kind == "on-change"
    both = by_vector(tmp_path, '"GenSigSendType" SG_ 256 A 0', '"GenSigSendType" SG_ 256 B 1')
    assert resolved(both).kind == "cyclic-and-on-change"


def test_while_a_signal_is_active(tmp_path: Path) -> None:
    """Its own word, and the numbers at which signals are not."""
    one = by_vector(tmp_path, '"GenMsgSendType" BO_ 256 1', '"GenSigInactiveValue" SG_ 256 B 7')
    assert resolved(one) == Sending("cyclic-if-active", 200 * MS)
    assert inactive_values(one) == {"A": 0, "B": 7}
    assert resolved(one, send="cyclic") == Sending("cyclic", 200 * MS)


def test_the_default_of_start_values_is_that_of_every_signal(tmp_path: Path) -> None:
    """Unless a signal has its own."""
    codec = compile_message(by_vector(tmp_path, '"GenSigStartValue" SG_ 256 B 5'))
    assert codec.encode({}).hex() == "53"
