"""Signals that take their numbers in turn: sequences, and the pages of a rotating multiplexer."""

from collections import Counter
from pathlib import Path
from typing import Any

import cantools.database
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.channels import ROAD, VEHICLE, RoadData, VehicleData
from vehiclesim.databus import DataBus

from ....benches import KeepingLink

TICK = 1_000_000

ENGINE = """VERSION ""
BU_: X
BO_ 648 Motor_2: 8 X
 SG_ Page M : 6|2@1+ (1,0) [0|3] "" X
 SG_ Version m0 : 0|6@1+ (1,0) [0|63] "" X
 SG_ Code m1 : 0|6@1+ (1,0) [0|63] "" X
 SG_ Torque m3 : 0|6@1+ (10,0) [0|630] "" X
 SG_ Coolant : 8|8@1+ (0.75,-48) [0|0] "" X
VAL_ 648 Page 0 "version" 1 "engine" 3 "torque";
"""


class Sender:
    """A bench with one bus; its frames are noted."""

    def __init__(self, bus: dict[str, Any], database: Path | None = None) -> None:
        settings = BenchSettings.model_validate(
            {"name": "a", "vehicle": "compact", "buses": {"a": {"interface": "embedded"} | bus}}
        )
        self.frames: list[bytes] = []
        self.bus = Bus("a")
        self.line = KeepingLink()
        self.bus.attach_link(self.line)
        self.bus.attach_observer(lambda _t, _bus, _received, frame: self.frames.append(frame.data))
        databases = {} if database is None else {"a": load_database(database)}
        self.data = DataBus()
        self.plan = FramePlan(settings, databases, self.data, {"a": self.bus})
        self.t = 0

    def run(self, ticks: int) -> list[bytes]:
        """Return the frames of so many ticks."""
        first = len(self.frames)
        for _ in range(ticks):
            self.plan.publish(self.t)
            self.bus.exchange(self.t)
            self.t += TICK
        return self.frames[first:]


def raw(signals: dict[str, Any], data: str = "00 00 00 00", **keys: Any) -> dict[str, Any]:
    return {"raw": {"Frame": {"id": 0x3E8, "data": data, "period": 1, "phase": 0, "signals": signals} | keys}}


@given(st.lists(st.integers(0, 255), min_size=1, max_size=8), st.integers(1, 5), st.integers(1, 120))
def test_every_number_has_its_turn(numbers: list[int], frames: int, count: int) -> None:
    """Always in the order of the list, each for `frames` frames: none is ahead of another by more than its turn."""
    sent = Sender(raw({"Page": {"bit": 0, "width": 8, "in_turn": numbers, "frames": frames}})).run(count)
    turns = [data[0] for data in sent]
    assert len(turns) == count
    long = [number for number in numbers for _ in range(frames)]
    assert turns == (long * (count // len(long) + 1))[:count]
    if len(set(numbers)) == len(numbers):
        counts = Counter(dict.fromkeys(numbers, 0)) + Counter(turns)
        assert max(counts.values()) - min(counts.get(number, 0) for number in numbers) <= frames


def test_a_multiplexed_message_sends_its_pages_in_turn(tmp_path: Path) -> None:
    """Four frames each, as a VW engine does: cantools finds the signals of each page, and what lies on all of them."""
    file = tmp_path / "engine.dbc"
    file.write_text(ENGINE)
    signals = {
        "Page": {"in_turn": ["version", "engine", 3], "frames": 4},
        "Version": {"constant": 21}, "Code": {"constant": 7},
        "Torque": {"expression": "vehicle.EngineTorque"},
        "Coolant": {"expression": "vehicle.Speed"},
    }  # fmt: skip
    sender = Sender({"database": "x", "messages": {"Motor_2": {"period": 1, "signals": signals}}}, file)
    sender.data.write(VEHICLE, VehicleData.ENGINE_TORQUE, 200.0)
    sender.data.write(VEHICLE, VehicleData.SPEED, 30.0)
    layout = cantools.database.load_string(ENGINE, "dbc")
    assert isinstance(layout, cantools.database.Database)
    decoded = [layout.decode_message("Motor_2", data, decode_choices=False) for data in sender.run(26)]
    version = {"Page": 0, "Version": 21, "Coolant": 30}
    engine = {"Page": 1, "Code": 7, "Coolant": 30}
    torque = {"Page": 3, "Torque": 200, "Coolant": 30}
    assert decoded == [*(4 * [version] + 4 * [engine] + 4 * [torque]) * 2, version, version]


def test_a_raw_frame_has_pages_with_signals_and_bytes_of_their_own() -> None:
    """Where a page has no signal its bits are those of `data`; a signal without a page lies on all of them."""
    sender = Sender(
        raw(
            {
                "Page": {"bit": 0, "width": 8, "in_turn": [0, 5]},
                "Speed": {"page": 0, "bit": 15, "width": 16, "order": "big", "from": "vehicle.EngineRpm"},
                "Barometer": {"page": 5, "bit": 8, "width": 8, "from": "road.AirPressure"},
                "Flag": {"bit": 24, "width": 1, "constant": 1},
            },
            "FF FF EE 10",
        )
    )
    sender.data.write(VEHICLE, VehicleData.ENGINE_RPM, 0x1234)
    sender.data.write(ROAD, RoadData.AIR_PRESSURE, 0x63)
    assert [data.hex(" ") for data in sender.run(4)] == ["00 12 34 11", "05 63 ee 11"] * 2


def test_a_number_whose_frame_was_not_sent_keeps_its_turn() -> None:
    """While the link is lost nothing goes on; a reload goes on as well, if the numbers are the same."""
    frame = raw({"Page": {"bit": 0, "width": 8, "in_turn": [1, 2, 3]}})
    sender = Sender(frame)
    sender.run(4)
    sender.line.works = False
    sender.run(10)
    sender.line.works = True
    assert [data[0] for data in sender.run(2)] == [2, 3]
    again, other = Sender(frame), Sender(raw({"Page": {"bit": 0, "width": 8, "in_turn": [7, 8]}}))
    for after, turns in ((again, [1, 2]), (other, [7, 8])):
        after.t = sender.t
        after.plan.take_over(sender.plan, sender.t)
        assert [data[0] for data in after.run(2)] == turns


PAGE = {"bit": 0, "width": 8, "in_turn": [0, 1]}
VALUE = {"bit": 8, "width": 8, "constant": 0}


@pytest.mark.parametrize(
    ("signals", "complaint"),
    [
        ({"A": VALUE | {"page": 1}}, "needs one signal with 'in_turn', which has the pages: there is none"),
        ({"A": VALUE | {"page": 1}, "P": PAGE, "Q": PAGE | {"bit": 16}}, "P and Q have it"),
        ({"A": VALUE | {"page": 2}, "P": PAGE}, "P has no 2 'in_turn'"),
        ({"P": PAGE | {"page": 1}}, "lies on all of them"),
        ({"P": PAGE | {"constant": 1}}, "has 'constant' and 'in_turn': one only"),
        ({"P": PAGE | {"slew": 1}}, "does not go with 'in_turn'"),
        ({"A": VALUE | {"frames": 2}}, "belongs to 'in_turn'"),
    ],
)
def test_pages_that_say_nothing_are_refused(signals: dict[str, Any], complaint: str) -> None:
    """Without a signal that has them, with two, or beside it."""
    with pytest.raises(ValidationError, match=complaint):
        Sender(raw(signals))


@pytest.mark.parametrize(
    ("bus", "place", "complaint"),
    [
        (raw({"P": PAGE | {"in_turn": [0, 256]}}), ("P", "in_turn", 1), "256 does not fit into signal P"),
        (raw({"P": PAGE | {"in_turn": ["a"]}}), ("P", "in_turn", 0), "no value named 'a'"),
        (raw({"P": PAGE}, send="cyclic-and-on-change"), ("P", "in_turn"), "goes by its period alone"),
    ],
)
def test_numbers_that_cannot_be_sent_are_refused(bus: dict[str, Any], place: tuple[Any, ...], complaint: str) -> None:
    """With their place. On change a frame that never rests would go in every tick."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        Sender(bus)
    assert raised.value.place == ("buses", "a", "raw", "Frame", "signals", *place)


def test_a_mapped_signal_on_a_page_that_is_never_sent_is_refused(tmp_path: Path) -> None:
    """It would look driven, and nobody would ever see it."""
    file = tmp_path / "engine.dbc"
    file.write_text(ENGINE)
    signals = {"Page": {"in_turn": [0, 1]}, "Torque": {"constant": 0}}
    with pytest.raises(ConfigurationError, match="is never sent: Page has no 3 'in_turn'") as raised:
        Sender({"database": "x", "messages": {"Motor_2": {"period": 1, "signals": signals}}}, file)
    assert raised.value.place[-1] == "Torque"
