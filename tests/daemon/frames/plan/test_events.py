"""What the events of a frame mean in its bytes, and what is wrong with a list of them."""

from typing import Any

import cantools.database
import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import MessageMap
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.plan.events import build_events

TICK = 1_000_000
PLACE = ("buses", "a", "messages", "Message")
DATABASE = cantools.database.load_string(
    """VERSION ""
BU_: X
BO_ 417 Message: 8 X
 SG_ Show : 7|1@0+ (1,0) [0|0] "" X
 SG_ Number : 6|15@0+ (1,0) [0|0] "" X
 SG_ Level : 20|3@0+ (1,0) [0|0] "" X
 SG_ Speed : 32|16@1- (0.5,-10) [0|0] "" X
VAL_ 417 Level 0 "info" 5 "warning";
""",
    "dbc",
)
assert isinstance(DATABASE, cantools.database.Database)
LAYOUT = DATABASE.get_message_by_name("Message")


@pytest.fixture
def codec() -> CompiledMessage:
    return compile_message(LAYOUT)


def settings(**keys: Any) -> MessageMap:
    events = {
        "code": "Number",
        "active": {"Show": 1, "Level": "warning"},
        "inactive": {"Show": 0},
        "slot": 200,
        "repeat": 5000,
        "list": {"hot": {"code": 39, "when": "auxiliary.CoolantTemperature > 118"}},
    }
    return MessageMap.model_validate({"events": events | keys})


def test_an_event_is_laid_over_the_frame_as_it_stands(codec: CompiledMessage) -> None:
    """Motorola or Intel, by number or by name; cantools reads the signals, and all others stay."""
    table = build_events(settings(), codec, TICK, PLACE)
    assert table is not None
    (event,) = table.events
    frame = LAYOUT.encode({"Show": 0, "Number": 0x7FFF, "Level": 3, "Speed": -7.5})
    on = LAYOUT.decode(event.on.over(frame), decode_choices=False)
    assert on == {"Show": 1, "Number": 39, "Level": 5, "Speed": -7.5}
    assert event.off is not None
    off = LAYOUT.decode(event.off.over(frame), decode_choices=False)
    assert off == {"Show": 0, "Number": 39, "Level": 3, "Speed": -7.5}
    assert (table.slot, table.repeat, table.cycle) == (200_000_000, 5_000_000_000, None)


@pytest.mark.parametrize(
    ("keys", "place", "complaint"),
    [
        ({"code": "Numbr"}, ("code",), "unknown signal of Message 'Numbr': did you mean Number"),
        ({"active": {"Shown": 1}}, ("active",), "did you mean Show"),
        ({"active": {"Level": "alarm"}}, ("active", "Level"), "no value named 'alarm' .*info, warning"),
        ({"list": {"a": {"code": 40_000, "when": "1"}}}, ("list", "a", "code"), "does not fit into signal Number"),
        ({"list": {"a": {"code": 1, "when": "body.Dor"}}}, ("list", "a", "when"), "unknown data bus entry"),
        ({"slot": 0.5}, ("slot",), "0.5 ms is no multiple of the tick"),
    ],
)
def test_what_does_not_fit_the_frame_is_refused(
    keys: dict[str, Any], place: tuple[str, ...], complaint: str, codec: CompiledMessage
) -> None:
    """With its place."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        build_events(settings(**keys), codec, TICK, PLACE)
    assert raised.value.place == (*PLACE, "events", *place)


def test_a_frame_without_signals_has_no_place_for_a_code() -> None:
    with pytest.raises(ConfigurationError, match="needs 'signals'"):
        build_events(settings(), None, TICK, PLACE)


def test_a_cycle_lies_in_the_slots(codec: CompiledMessage) -> None:
    """Else the frame would go at other times than its period says."""
    own = settings().model_copy(update={"period": 500.0})
    with pytest.raises(ConfigurationError, match="is no multiple of the slot of the events, 200 ms") as raised:
        build_events(own, codec, TICK, PLACE)
    assert raised.value.place == (*PLACE, "period")


MANY = {f"e{code}": {"code": code, "when": "1"} for code in range(26)}


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"list": MANY}, "26 events take 5200 ms, one every 200 ms; 'repeat' is 5000 ms"),
        ({"one_at_a_time": True, "repeat": 300}, "an event and its end take 400 ms"),
        ({"list": {"a": {"code": 3, "when": "1"}, "b": {"code": 3, "when": "0"}}}, "has the code of a"),
        ({"list": {}}, "at least 1"),
    ],
)
def test_a_list_that_cannot_be_carried_is_refused(keys: dict[str, Any], complaint: str) -> None:
    """More events than slots, two of one code, none at all."""
    with pytest.raises(ValidationError, match=complaint):
        settings(**keys)
    assert settings(list={name: one for name, one in MANY.items() if name != "e0"}).events is not None


def test_events_have_their_own_times() -> None:
    """A send type beside them would say something else."""
    with pytest.raises(ValidationError, match="does not go with 'events', which have 'slot' and 'repeat'"):
        MessageMap.model_validate(settings().model_dump(by_alias=True, exclude_none=True) | {"send": "on-change"})
