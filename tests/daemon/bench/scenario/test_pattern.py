"""Frame patterns, on frames encoded by cantools."""

import cantools
import pytest
from cantools.database.can import Database
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.scenario.pattern import Pattern
from hilbridge.files.settings.scenario import FrameSettings, Wanted
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, Frame

from .stages import DBC

DATABASES = {"can": load_database(DBC)}


def engine_data(**signals: float | str) -> Frame:
    """EngineData1 with these signals."""
    database = cantools.database.load_file(DBC)
    assert isinstance(database, Database)
    message = database.get_message_by_name("EngineData1")
    rest: dict[str, float | str] = {signal.name: 0 for signal in message.signals}
    return Frame(message.frame_id, message.encode(rest | signals))


def pattern(**signals: Wanted) -> Pattern:
    return Pattern(FrameSettings(bus="can", message="EngineData1", signals=signals), DATABASES, ())


@pytest.mark.parametrize(
    ("wanted", "fitting", "other"),
    [
        (800.1, 800.0, 800.25),  # a signal with steps of 0.25
        ("> 500", 500.25, 500),
        (">=500", 500, 499.75),
        ("< 500", 499.75, 500),
        ("<= 500", 500, 500.25),
        ("== 500", 500, 500.25),
        ("!= 5e2", 500.25, 500),
        ([700.0, 900.0], 900, 900.25),
        ([700.0, 900.0], 700, 699.75),
        ("SNA", "SNA", 0),
        ("> 500", 501, "SNA"),  # whose raw number is the highest of all
    ],
)
def test_a_signal_is_as_wanted(wanted: Wanted, fitting: float | str, other: float | str) -> None:
    one = pattern(EngineRpm=wanted)
    assert one.accepts(engine_data(EngineRpm=fitting))
    assert not one.accepts(engine_data(EngineRpm=other))


def test_all_signals_must_be_as_wanted() -> None:
    one = pattern(EngineRpm="> 500", EngineWorking="Yes")
    assert one.accepts(engine_data(EngineRpm=800, EngineWorking=1))
    assert not one.accepts(engine_data(EngineRpm=800))
    assert one.describe(engine_data(EngineRpm=800)) == "EngineRpm = 800, EngineWorking = No"


def test_a_frame_is_known_by_its_identifier_alone() -> None:
    frame = engine_data()
    assert pattern().matches(frame)
    assert not pattern().matches(Frame(frame.can_id | EXTENDED, frame.data))
    assert not pattern().matches(Frame(frame.can_id + 1, frame.data))


def test_a_short_frame_has_no_signals() -> None:
    frame = Frame(engine_data().can_id, b"\x01\x02")
    assert pattern().accepts(frame)
    assert not pattern(EngineRpm=0).accepts(frame)
    assert pattern(EngineRpm=0).describe(frame) == "01 02"


def test_an_identifier_needs_no_database() -> None:
    """Above 0x7FF it has 29 bits."""
    short = Pattern(FrameSettings(bus="other", message=0x3D0), {}, ())
    long = Pattern(FrameSettings(bus="other", message=0x18FEF100), {}, ())
    assert short.matches(Frame(0x3D0, b""))
    assert long.matches(Frame(0x18FEF100 | EXTENDED, b""))
    assert (short.title, long.title) == ("other.0x3D0", "other.0x18FEF100")


@pytest.mark.parametrize(
    ("wanted", "fitting", "other"),
    [
        ("03 22 F1 90 *", "03 22 F1 90 CC CC CC CC", "03 22 F1 86 CC CC CC CC"),
        ("10 .. 62", "10 14 62", "10 14 62 F1"),
        ("*", "", None),
    ],
)
def test_an_identifier_has_bytes(wanted: str, fitting: str, other: str | None) -> None:
    """Two dots are any byte, a star at the end any number of them."""
    one = Pattern(FrameSettings(bus="can", message=0x7E0, data=wanted), {}, ())
    assert one.accepts(Frame(0x7E0, bytes.fromhex(fitting)))
    assert other is None or not one.accepts(Frame(0x7E0, bytes.fromhex(other)))


@pytest.mark.parametrize(("message", "data"), [("EngineData1", "01"), (0x7E0, "0"), (0x7E0, "* 01")])
def test_bytes_belong_to_an_identifier_and_have_two_digits(message: str | int, data: str) -> None:
    with pytest.raises(ValidationError):
        FrameSettings(bus="can", message=message, data=data)


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ({"bus": "other", "message": "EngineData1"}, ("bus",)),
        ({"bus": "can", "message": "EngineData9"}, ("message",)),
        ({"bus": "can", "message": 256, "signals": {"EngineRpm": 1.0}}, ("signals",)),
        ({"bus": "can", "message": "EngineData1", "signals": {"Rpm": 1.0}}, ("signals", "Rpm")),
        ({"bus": "can", "message": "EngineData1", "signals": {"EngineRpm": 99999.0}}, ("signals", "EngineRpm")),
        ({"bus": "can", "message": "EngineData1", "signals": {"EngineRpm": "fast"}}, ("signals", "EngineRpm")),
        ({"bus": "can", "message": "EngineData1", "signals": {"EngineRpm": "> 1.2.3"}}, ("signals", "EngineRpm")),
        ({"bus": "can", "message": "EngineData1", "signals": {"EngineRpm": [2.0, 1.0]}}, ("signals", "EngineRpm")),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(settings: dict[str, object], place: tuple[str, ...]) -> None:
    with pytest.raises(ConfigurationError) as error:
        Pattern(FrameSettings.model_validate(settings), DATABASES, ())
    assert error.value.place == place
