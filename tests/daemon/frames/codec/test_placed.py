"""Frames whose signals the bench file places: read by their names, as those of a database are."""

import pytest

from hilbridge.files.settings.traffic import RawFrame
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.placed import with_raw_frames

from ....program import CHECKOUT

ENGINE = RawFrame.model_validate(
    {
        "id": 0x201,
        "data": "00 00 FF FF 00 00 00",
        "period": 20,
        "signals": {"Speed": {"bit": 39, "width": 16, "order": "big", "scale": 0.01, "offset": -100, "constant": 0}},
    }
)


def test_a_raw_frame_is_a_message_with_its_signals_and_its_period() -> None:
    """(0x3A98 · 0.01) − 100 = 50."""
    known = with_raw_frames(None, {"Engine": ENGINE})
    message = known.message("Engine")
    assert (message.frame_id, message.length, message.cycle_time) == (0x201, 7, 20)
    assert compile_message(message).decode(bytes.fromhex("00 00 FF FF 3A 98 00")) == {"Speed": pytest.approx(50)}


def test_what_the_database_says_of_the_same_identifier_does_not_hold() -> None:
    """The frame that is sent is the raw one; all other messages stay."""
    before = load_database(CHECKOUT / "dbc/powertrain.dbc")
    other = before.messages[0]
    frame = ENGINE.model_copy(update={"id": other.frame_id})
    known = with_raw_frames(before, {"Mine": frame})
    names = [message.name for message in known.messages]
    assert names[0] == "Mine"
    assert other.name not in names
    assert len(names) == len(before.messages)
