"""Frames without a database."""

from typing import Any

import cantools.database
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import BenchSettings, BusSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, Frame
from hilbridge.frames.plan.gating import odometer_identifiers
from hilbridge.frames.plan.plan import FramePlan
from hilbridge.frames.plan.raw import with_raw_frames
from hilbridge.frames.plan.selection import Selection
from hilbridge.frames.plan.send_type import Sending
from vehiclesim.channels import AUXILIARY, VEHICLE, AuxiliaryData, VehicleData
from vehiclesim.databus import DataBus

TICK = 1_000_000
NOTHING = Selection((), {}, (), None, None)


def selected(*raw: dict[str, Any], **bus: Any) -> Selection:
    """Frames that are called Frame0, Frame1 and so on."""
    named = {f"Frame{number}": frame for number, frame in enumerate(raw)}
    settings = BusSettings.model_validate({"interface": "embedded", "raw": named, **bus})
    return with_raw_frames(NOTHING, settings, TICK, ("buses", "a"))


def test_a_raw_frame_is_sent_as_it_stands() -> None:
    """Identifiers above 0x7FF have 29 bits, contents above 8 bytes are CAN FD; by identifier, as all frames."""
    one, other, long = selected(
        {"id": 0x18FEF100, "data": "0A0b", "period": 100},
        {"id": 0x3D0, "data": "01 02 FF", "period": 10},
        {"id": 0x100, "extended": True, "data": " ".join(["00"] * 12), "period": 20},
        fd=True,
    ).outgoing[::-1]
    assert (one.can_id, one.flags, one.length, one.encode([])) == (0x18FEF100 | EXTENDED, 0, 2, b"\x0a\x0b")
    assert (long.can_id, long.flags, long.encode([])) == (0x3D0, 0, b"\x01\x02\xff")
    assert (other.can_id, other.flags, other.encode([])) == (0x100 | EXTENDED, FD | BRS, bytes(12))


def carrying(data: str = "FF" * 8, **signals: dict[str, Any]) -> dict[str, Any]:
    return {"id": 0x349, "data": data, "period": 100, "signals": signals}


@given(st.integers(0, 0xFFF), st.integers(-128, 127), st.binary(min_size=8, max_size=8))
def test_signals_are_laid_upon_the_bytes(speed: int, trim: int, data: bytes) -> None:
    """Intel and Motorola, signed, scaled: cantools reads the values, and all other bits are those of the file."""
    (frame,) = selected(
        carrying(
            data.hex(),
            Speed={"bit": 4, "width": 12, "scale": 0.1, "constant": speed * 0.1},
            Trim={
                "bit": 23,
                "width": 8,
                "order": "big",
                "signed": True,
                "scale": 2,
                "offset": 5,
                "constant": 2 * trim + 5,
            },
        )
    ).outgoing
    layout = cantools.database.load_string(
        """VERSION ""
BU_: X
BO_ 841 Frame: 8 X
 SG_ Speed : 4|12@1+ (0.1,0) [0|0] "" X
 SG_ Trim : 23|8@0- (2,5) [0|0] "" X
""",
        "dbc",
    )
    assert isinstance(layout, cantools.database.Database)
    sent = frame.encode([])
    assert layout.decode_message("Frame", sent) == {"Speed": pytest.approx(speed * 0.1), "Trim": 2 * trim + 5}
    assert (sent[0] & 0x0F, sent[3:]) == (data[0] & 0x0F, data[3:])


def test_a_signal_of_a_raw_frame_follows_the_model() -> None:
    """In its unit, with the counter and checksum of the frame, which may name the signals."""
    (frame,) = selected(
        carrying(
            Speed={"bit": 0, "width": 16, "scale": 0.01, "from": "vehicle.Speed", "unit": "km/h"},
            Sum={"bit": 56, "width": 8, "constant": 0},
        )
        | {"protection": [{"checksum": {"at": "Sum", "algorithm": "sum8"}}]}
    ).outgoing
    data = DataBus()
    data.channels[VEHICLE][VehicleData.SPEED] = 10_000  # 10 m/s at a resolution of 1/1000
    content = bytearray(frame.encode(data.channels))
    assert content[:2] == (3600).to_bytes(2, "little")
    assert frame.protector is not None
    frame.protector.protect(content)
    assert content[7] == sum(content[:7]) & 0xFF
    assert next((one.signal, one.text) for one in frame.assignments) == ("Speed", "vehicle.Speed in km/h")


def test_a_lamp_of_a_raw_frame_has_its_bulb_check() -> None:
    """It is lit for its time, upon the same bytes."""
    (frame,) = selected(carrying("A0", Lamp={"bit": 0, "width": 1, "constant": 0, "bulb_check": 2000})).outgoing
    ((end, lit),) = frame.lamps
    assert (end, frame.encode([]), lit([])) == (2_000_000_000, b"\xa0", b"\xa1")


def test_a_raw_frame_is_in_the_plan_with_its_counter() -> None:
    """The database is not needed; key off and on as any frame."""
    frame = {
        "id": 0x3D0, "data": "AA 00", "period": 10, "phase": 3,
        "protection": [{"counter": {"at": {"bit": 8, "width": 4}, "maximum": 2}}],
    }  # fmt: skip
    bench = BenchSettings.model_validate(
        {"name": "a", "vehicle": "compact", "buses": {"a": {"interface": "embedded", "raw": {"Alive": frame}}}}
    )
    sent: list[tuple[int, Frame]] = []
    bus = Bus("a")
    bus.attach_observer(lambda t, _bus, _received, frame: sent.append((t // TICK, frame)))
    plan = FramePlan(bench, {}, DataBus(), {"a": bus})
    for t in range(0, 40 * TICK, TICK):
        plan.publish(t)
        bus.exchange(t)
    assert sent == [(3 + 10 * n, Frame(0x3D0, bytes([0xAA, n % 3]))) for n in range(4)]
    (row,) = plan.describe()[0].frames
    told = [(signal.signal, signal.origin, signal.text) for signal in row.signals]
    assert told == [("counter", "counter", "byte 1, bits 0 to 3; filled in when the frame goes")]


def test_a_raw_frame_goes_on_change_or_once_as_a_message_does() -> None:
    """`send` and its times are those of a message; what no database says is cyclic."""
    once, change, cyclic = selected(
        {"id": 1, "data": "00", "send": "once", "repetitions": 2, "repetition_period": 20},
        {"id": 2, "data": "00", "send": "on-change", "minimum_delay": 50},
        {"id": 3, "data": "00", "period": 10},
    ).outgoing
    assert once.sending == Sending("once", None, None, 0, 2, 20_000_000)
    assert change.sending == Sending("on-change", None, None, 50_000_000)
    assert cyclic.sending == Sending("cyclic", 10_000_000)


@pytest.mark.parametrize(
    ("frames", "bus", "place", "complaint"),
    [
        ([{"id": 1}], {}, ("raw", "Frame0"), "needs 'period', or another 'send' than cyclic"),
        ([{"id": 1, "send": "once", "period": 20}], {}, ("raw", "Frame0", "period"), "that goes once has no period"),
        ([{"id": 1, "send": "once", "minimum_delay": 20}], {}, ("raw", "Frame0", "minimum_delay"), "no minimum_delay"),
        ([{"id": 1, "period": 2.5}], {}, ("raw", "Frame0", "period"), "2.5 ms is no multiple of the tick"),
        ([{"id": 1, "period": 2}, {"id": 1, "period": 3}], {}, ("raw", "Frame1"), "have the same identifier"),
        ([{"id": 1, "period": 2, "data": "00" * 12}], {}, ("raw", "Frame0"), "the bus needs 'fd: true'"),
        (
            [carrying(A={"bit": 60, "width": 8, "constant": 1})],
            {},
            ("raw", "Frame0", "signals"),
            "does not fit into 8 bytes",
        ),
        (
            [carrying(A={"bit": 0, "width": 8, "constant": 1}, B={"bit": 7, "width": 2, "constant": 1})],
            {},
            ("raw", "Frame0", "signals"),
            "signals A and B overlap",
        ),
        (
            [carrying(A={"bit": 0, "width": 8, "from": "vehicle.Sped"})],
            {},
            ("raw", "Frame0", "signals", "A", "from"),
            "did you mean vehicle.Speed",
        ),
    ],
)
def test_a_raw_frame_that_cannot_be_sent_is_refused(
    frames: list[dict[str, Any]], bus: dict[str, Any], place: tuple[Any, ...], complaint: str
) -> None:
    """With its place."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        selected(*frames, **bus)
    assert raised.value.place[2 : 2 + len(place)] == place


def test_a_raw_frame_has_a_name_of_its_own() -> None:
    """Faults and scenarios name frames: two of one name on a bus would be one too many."""
    settings = BusSettings.model_validate({"interface": "embedded", "raw": {"Frame0": {"id": 2, "period": 2}}})
    with pytest.raises(ConfigurationError, match="is the name of a message of the database") as raised:
        with_raw_frames(selected({"id": 1, "period": 2}), settings, TICK, ("buses", "a"))
    assert raised.value.place == ("buses", "a", "raw", "Frame0")


@pytest.mark.parametrize(("keys", "held"), [({}, 0), ({"odometer": True}, None), ({"hardware": False}, None)])
def test_on_hardware_a_count_of_the_way_rests_and_its_frame_goes(keys: dict[str, Any], held: int | None) -> None:
    """A real odometer counts only where the bus says so; elsewhere the value is the model's."""
    way = {"bit": 0, "width": 8, "expression": "auxiliary.Odometer % 256", "without_odometer": 0}
    settings = {"interface": "socketcan", "channel": "can0"} | keys
    (frame,) = selected(carrying(Way=way), **settings).outgoing
    data = DataBus()
    data.write(AUXILIARY, AuxiliaryData.ODOMETER, 7.0)
    assert frame.encode(data.channels)[0] == (7 if held is None else held)
    assert odometer_identifiers(BusSettings.model_validate(settings), [frame]) == []
