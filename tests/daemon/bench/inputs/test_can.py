"""What counts as a sample on a CAN bus. The database is written here; cantools encodes the frames."""

import random
from pathlib import Path

import pytest
from cantools.database.can import Database, Message
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.can import NOT_AVAILABLE, WRONG_LENGTH, CanSource
from hilbridge.bench.inputs.controls import INPUT_CONTROLS
from hilbridge.bench.inputs.signal_conditioner import OUT_OF_RANGE
from hilbridge.files.settings import CanInput, InputSignal
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, REMOTE, Frame
from vehiclesim.entries import Entries, Entry

DBC = """
VERSION ""
BS_:
BU_: DRIVER

BO_ 272 Pedals: 6 DRIVER
 SG_ Throttle : 0|10@1+ (0.1,0) [0|100] "%" Vector__XXX
 SG_ Key : 10|2@1- (1,0) [-1|1] "" Vector__XXX
 SG_ Wheel : 23|16@0- (0.1,0) [-780|780] "deg" Vector__XXX
 SG_ Raw : 40|8@1+ (1,0) [0|0] "" Vector__XXX

BO_ 2566869248 Levers: 4 DRIVER
 SG_ Kind M : 0|4@1+ (1,0) [0|15] "" Vector__XXX
 SG_ Gear m0 : 8|8@1+ (1,-125) [-125|125] "" Vector__XXX
 SG_ Brake m1 : 8|16@1+ (0.001,0) [0|1] "1" Vector__XXX

BO_ 274 Floats: 8 DRIVER
 SG_ Clutch : 0|32@1- (1,0) [0|0] "" Vector__XXX
 SG_ Handbrake : 32|32@1- (1,0) [0|1] "" Vector__XXX

BO_ 275 Column: 2 DRIVER
 SG_ Lever : 0|2@1+ (1,0) [0|3] "" Vector__XXX
 SG_ Beam : 2|1@1+ (1,0) [0|1] "" Vector__XXX
 SG_ Set : 8|8@1+ (1,0) [0|250] "km/h" Vector__XXX
 SG_ Oil : 3|5@1+ (4,0) [0|124] "%" Vector__XXX

VAL_ 275 Lever 0 "Off" 1 "Right" 2 "Left" 3 "SNA" ;
VAL_ 272 Throttle 1023 "SNA" 1022 "Error" ;
SIG_VALTYPE_ 274 Clutch : 1;
SIG_VALTYPE_ 274 Handbrake : 1;
"""


J1939 = """
BO_ 2565865982 EBC1: 8 DRIVER
 SG_ Brake : 8|8@1+ (0.4,0) [0|100] "%" Vector__XXX
BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";
BA_DEF_DEF_ "VFrameFormat" "J1939PG";
"""
"""18F001FE: the source address FE stands for anybody's."""

DATABASE = Database()
DATABASE.add_dbc_string(DBC)


def load_dbc(text: str) -> Message:
    """The only message of a database."""
    database = Database()
    database.add_dbc_string(f'VERSION ""\nBS_:\nBU_: DRIVER X\n\n{text}\n')
    return database.messages[0]


def listen(message: str, **signals: InputSignal) -> CanSource:
    settings = CanInput(source="can", bus="powertrain", message=message, signals=signals)
    return CanSource(Bus("powertrain"), settings, compile_message(DATABASE.get_message_by_name(message)), ("inputs", 0))


def pedals() -> CanSource:
    wheel = InputSignal(field="Wheel", minimum=-450, maximum=450)
    return listen("Pedals", Throttle=InputSignal(), Key=InputSignal(), Steer=wheel)


def frame_of(message: str, **values: float) -> Frame:
    definition = DATABASE.get_message_by_name(message)
    data = definition.encode({signal.name: 0.0 for signal in definition.signals} | values)
    return Frame(definition.frame_id | (EXTENDED if definition.is_extended_frame else 0), data)


def test_percent_arrive_as_a_ratio_and_calibrated_signals_as_a_share_of_their_way() -> None:
    source = pedals()
    source.receive(frame_of("Pedals", Throttle=12.3, Key=1, Wheel=-225), 7)
    assert (source.values, source.heard, source.accepted) == ([1230, 1, -5000], 7, 1)


def test_levers_of_the_body_and_entries_of_the_bench_come_from_a_message() -> None:
    """Positions by the names that the database has, which counts them otherwise; quantities in their units."""
    signals = {
        "body.TurnSignal": InputSignal(field="Lever"),
        "body.DippedBeam": InputSignal(field="Beam"),
        "body.CruiseSpeed": InputSignal(field="Set"),
        "custom.Oil": InputSignal(field="Oil"),
    }
    own = Entry("custom", "Oil", 1000, "%", "", "", limits=(0.0, 100.0))
    settings = CanInput(source="can", bus="powertrain", message="Column", signals=signals)
    message = compile_message(DATABASE.get_message_by_name("Column"))
    source = CanSource(Bus("powertrain"), settings, message, entries=Entries((own,)))
    source.receive(frame_of("Column", Lever=2, Beam=1, Set=90, Oil=48), 7)
    assert source.values == [1, 1, 25_000, 48_000]
    source.receive(frame_of("Column", Lever=1, Beam=0, Set=180, Oil=124), 8)
    assert source.values == [2, 0, 50_000, 100_000]


def test_a_source_is_a_node_of_its_bus() -> None:
    bus = Bus("powertrain")
    settings = CanInput(source="can", bus="powertrain", message="Pedals", signals={"Throttle": InputSignal()})
    source = CanSource(bus, settings, compile_message(DATABASE.get_message_by_name("Pedals")))
    bus.transmit(frame_of("Pedals", Throttle=50), None)
    bus.exchange(3)
    assert (source.name, source.values) == ("powertrain.Pedals", [5000])


def test_frames_of_other_identifiers_are_none_of_its_business() -> None:
    """Neither another number, nor the same one with 29 bits, nor a remote request."""
    source = pedals()
    for can_id in (273, 272 | EXTENDED, 272 | REMOTE):
        source.receive(Frame(can_id, bytes(6)), 0)
    assert (source.accepted, source.rejected) == (0, 0)


def test_a_short_frame_is_counted_and_a_long_one_is_read() -> None:
    source = pedals()
    frame = frame_of("Pedals", Throttle=50)
    source.receive(Frame(frame.can_id, frame.data[:5]), 0)
    assert (source.accepted, source.rejections[WRONG_LENGTH]) == (0, 1)
    source.receive(Frame(frame.can_id, frame.data + b"\x55\x55"), 0)
    assert source.values[0] == 5000


@pytest.mark.parametrize("raw", [1022, 1023])
def test_a_signal_that_is_not_available_is_not_in_the_sample(raw: int) -> None:
    """The error value neither; the other signals count, and the control times out by itself."""
    source = pedals()
    source.receive(frame_of("Pedals", Throttle=50, Key=0), 0)
    data = DATABASE.get_message_by_name("Pedals").encode(
        {"Throttle": raw, "Key": 1, "Wheel": 0, "Raw": 0}, scaling=False
    )
    source.receive(Frame(272, data), 400_000_000)
    source.expire(600_000_000)
    assert (source.values[:2], source.fresh) == ([5000, 1], [False, True, True])


def test_a_frame_without_any_available_signal_is_no_sample() -> None:
    source = listen("Pedals", Throttle=InputSignal())
    source.receive(Frame(272, b"\xff\x03\0\0\0\0"), 0)
    assert (source.accepted, source.rejections[NOT_AVAILABLE], source.fresh) == (0, 1, [False])


def test_a_value_outside_the_databases_range_spoils_the_frame() -> None:
    source = pedals()
    source.receive(Frame(272, (1001).to_bytes(6, "little")), 0)
    assert (source.accepted, source.rejections[OUT_OF_RANGE]) == (0, 1)


def test_every_value_inside_the_databases_range_counts() -> None:
    source = listen("Pedals", Throttle=InputSignal())
    for raw in range(1001):
        source.receive(Frame(272, raw.to_bytes(6, "little")), raw)
        assert source.values == [raw * 10]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_a_float_signal_must_be_finite(number: str) -> None:
    source = listen("Floats", Clutch=InputSignal())
    source.receive(frame_of("Floats", Clutch=float(number)), 0)
    assert (source.accepted, source.rejected) == (0, 1)


def test_of_a_multiplexed_message_each_frame_sets_what_it_carries() -> None:
    source = listen("Levers", ManualGear=InputSignal(field="Gear"), Brake=InputSignal())
    message = DATABASE.get_message_by_name("Levers")
    can_id = message.frame_id | EXTENDED
    source.receive(Frame(can_id, message.encode({"Kind": 0, "Gear": -1})), 0)
    assert (source.values, source.fresh) == ([-1, 0], [True, False])
    source.receive(Frame(can_id, message.encode({"Kind": 1, "Brake": 0.25})), 1)
    assert (source.values, source.fresh) == ([-1, 2500], [True, True])
    source.receive(Frame(can_id, b"\x07\0\0\0"), 2)
    assert source.rejections[NOT_AVAILABLE] == 1


def test_a_signal_that_is_not_in_the_message_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="unknown signal of Pedals 'Brake'") as error:
        listen("Pedals", Brake=InputSignal())
    assert error.value.place == ("inputs", 0, "signals", "Brake")


def test_a_unit_that_does_not_fit_is_refused_unless_the_signal_is_calibrated() -> None:
    with pytest.raises(ConfigurationError, match=r"'deg' is a unit of angle.*minimum and maximum"):
        listen("Pedals", Steer=InputSignal(field="Wheel"))


def test_the_packaged_database_sets_every_control_of_the_driver() -> None:
    path = Path(__file__).parents[4] / "dbc" / "powertrain.dbc"
    message = load_database(path).message("DriverInputs")
    signals = {control.name: InputSignal() for control in INPUT_CONTROLS}
    settings = CanInput(source="can", bus="powertrain", message="DriverInputs", signals=signals)
    source = CanSource(Bus("powertrain"), settings, compile_message(message))
    driver = {"Steer": -50, "Throttle": 40, "Brake": 100, "Handbrake": 20, "Clutch": 60}
    levers = {"ManualGear": -1, "AutomaticGear": 4, "GearShift": 1, "Retarder": 3, "Key": 1}
    source.receive(Frame(message.frame_id, message.encode(driver | levers)), 0)
    assert source.values == [-5000, 4000, 10000, 2000, 6000, -1, 4, 1, 3, 1]


def test_a_database_name_is_a_position_whatever_its_number() -> None:
    """The packaged lever counts as the data bus does; another one counts P R N D from 0."""
    message = load_dbc(
        'BO_ 100 Lever: 1 DRIVER\n SG_ Sel : 0|4@1+ (1,0) [0|15] "" X\n'
        'VAL_ 100 Sel 0 "P" 1 "R" 2 "N" 3 "D" 14 "Moving";'
    )
    settings = CanInput(source="can", bus="b", message="Lever", signals={"AutomaticGear": InputSignal(field="Sel")})
    source = CanSource(Bus("b"), settings, compile_message(message))
    for raw, position in ((0, 1), (1, 2), (2, 3), (3, 4), (14, 4)):
        source.receive(Frame(100, bytes([raw])), raw)
        assert source.values == [position]
    assert (source.heard, source.rejected) == (3, 0)


def test_an_ecu_may_ask_for_torque_in_its_own_unit() -> None:
    message = load_dbc('BO_ 100 Tcu: 2 DRIVER\n SG_ Lim : 0|16@1+ (0.001,0) [0|60] "kNm" X')
    signals = {"request.EngineTorqueLimit": InputSignal(field="Lim")}
    settings = CanInput(source="can", bus="b", message="Tcu", signals=signals)
    source = CanSource(Bus("b"), settings, compile_message(message))
    source.receive(Frame(100, (250).to_bytes(2, "little")), 0)
    assert source.values == [250_000]


def test_the_key_from_terminals_and_a_pedal_from_two_tracks_of_one_frame() -> None:
    message = load_dbc(
        "BO_ 100 Cabin: 4 DRIVER\n"
        + "".join(f' SG_ {name} : {i}|1@1+ (1,0) [0|1] "" X\n' for i, name in enumerate(("KlS", "Kl15", "Kl50")))
        + ' SG_ A : 8|8@1+ (1,0) [0|255] "" X\n SG_ B : 16|8@1+ (1,0) [0|255] "" X'
    )
    tracks = [{"field": "A", "minimum": 0, "maximum": 200}, {"field": "B", "minimum": 200, "maximum": 0}]
    signals = {
        "Key": InputSignal.model_validate({"terminals": {"S": "KlS", "15": "Kl15", "50": "Kl50"}}),
        "Throttle": InputSignal.model_validate({"tracks": tracks}),
    }
    settings = CanInput(source="can", bus="b", message="Cabin", signals=signals)
    source = CanSource(Bus("b"), settings, compile_message(message))
    source.receive(Frame(100, bytes([0b111, 100, 100, 0])), 0)
    assert source.values == [1, 5000]
    source.receive(Frame(100, bytes([0b011, 100, 60, 0])), 1)
    assert source.values == [0, 5000]


HONDA = [
    bytes.fromhex(data) for data in ("138809c40000000d", "138809c40000001c", "138809c40000002b", "138809c40000003a")
]
"""0x158 at 50 km/h and 2500 rpm with counters 0 to 3: published vectors."""


def protected() -> CanSource:
    message = load_dbc('BO_ 344 Dynamics: 8 DRIVER\n SG_ Speed : 7|16@0+ (0.01,0) [0|250] "km/h" X')
    signals = {"road.HeadWind": InputSignal(field="Speed")}
    settings = CanInput.model_validate(
        {"source": "can", "bus": "b", "message": "Dynamics", "protection": [{"preset": "honda"}], "signals": signals}
    )
    return CanSource(Bus("b"), settings, compile_message(message), ("inputs", 0))


def test_frames_with_the_right_counter_and_checksum_are_believed() -> None:
    source = protected()
    for t in range(40):
        source.receive(Frame(344, HONDA[t % 4]), t)
    assert (source.accepted, source.rejected, source.values) == (40, 0, [13_889])


@given(st.integers(0, 63))
def test_a_frame_with_a_wrong_bit_is_counted_by_its_reason_and_keeps_nothing_alive(bit: int) -> None:
    source = protected()
    source.receive(Frame(344, HONDA[0]), 0)
    damaged = (int.from_bytes(HONDA[1], "big") ^ 1 << bit).to_bytes(8, "big")
    source.receive(Frame(344, damaged), 400_000_000)
    assert (source.accepted, source.rejected, source.heard) == (1, 1, 0)
    source.expire(500_000_001)
    assert source.fresh == [False]


def test_a_frozen_sender_times_out() -> None:
    source = protected()
    for t in range(0, 1000, 10):
        source.receive(Frame(344, HONDA[2]), t * 1_000_000)
        source.expire(t * 1_000_000)
    assert source.fresh == [False]
    assert source.rejections["counter_frozen"] > 90


@pytest.mark.parametrize(("cycle_time", "warnings"), [(None, 0), (100.0, 0), (500.0, 1), (1000.0, 1)])
def test_a_time_out_within_the_senders_cycle_is_warned_of(cycle_time: float | None, warnings: int) -> None:
    """The time-out is 500 ms."""
    message = compile_message(DATABASE.get_message_by_name("Pedals"))
    settings = CanInput(source="can", bus="b", message="Pedals", signals={"Throttle": InputSignal()})
    assert len(CanSource(Bus("b"), settings, message, cycle_time=cycle_time).warnings) == warnings


@given(st.lists(st.tuples(st.sampled_from([272, 344, 273]), st.binary(max_size=64)), max_size=30))
def test_any_frames_are_survived_and_the_next_good_one_counts(frames: list[tuple[int, bytes]]) -> None:
    plain, checked = pedals(), protected()
    for t, (can_id, data) in enumerate(frames):
        for source in (plain, checked):
            source.receive(Frame(can_id, data), t)
            assert len(source.rejections) <= 10
    plain.receive(frame_of("Pedals", Throttle=50, Key=0), 100)
    assert plain.values[:2] == [5000, 0]
    for t in range(101, 109):
        checked.receive(Frame(344, HONDA[t % 4]), t)
    assert (checked.values, checked.heard) == ([13_889], 108)


def test_ten_thousand_random_frames_are_counted_and_survived() -> None:
    """Seeded; identifiers, lengths and bytes at random, every second one with the identifier of the message."""
    randomness = random.Random(7)
    sources = [pedals(), listen("Levers", Brake=InputSignal()), listen("Floats", Clutch=InputSignal())]
    for t in range(10_000):
        for source, can_id in zip(sources, (272, 2566869248, 274), strict=True):
            identifier = can_id if randomness.random() < 0.5 else randomness.getrandbits(32)
            source.receive(Frame(identifier, randomness.randbytes(randomness.choice((0, 1, 4, 6, 8, 8, 64)))), t)
            for binding, value in zip(source.bindings, source.values, strict=True):
                resolution = binding.control.resolution
                assert binding.control.lowest * resolution <= value <= binding.control.highest * resolution
    for source in sources:
        assert source.accepted > 0
        assert source.rejected > 100


@given(st.floats(0, 100), st.integers(-1, 1), st.floats(-450, 450))
def test_what_cantools_encodes_arrives_to_the_signals_resolution(throttle: float, key: int, wheel: float) -> None:
    source = pedals()
    source.receive(frame_of("Pedals", Throttle=throttle, Key=key, Wheel=wheel), 0)
    assert abs(source.values[0] - throttle * 100) <= 5.001
    assert source.values[1] == key
    assert abs(source.values[2] - wheel / 450 * 10000) <= 0.05 / 450 * 10000 + 0.501


@pytest.mark.parametrize(
    ("identifier", "counts"), [(0x18F0010B, True), (0x0CF00121, True), (0x18F0020B, False), (0x19F0010B, False)]
)
def test_a_j1939_message_is_told_by_its_group_whoever_sends_it(identifier: int, counts: bool) -> None:
    """Source address and priority are the sender's; another group or data page is another message."""
    settings = CanInput(source="can", bus="truck", message="EBC1", signals={"Brake": InputSignal()})
    source = CanSource(Bus("truck"), settings, compile_message(load_dbc(J1939)))
    source.receive(Frame(EXTENDED | identifier, bytes.fromhex("FF7DFFFFFFFFFFFF")), 0)
    assert source.fresh == [counts]
    assert source.values == [5000 if counts else 0]
