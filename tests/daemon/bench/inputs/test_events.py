"""The samples of an input device: axes with the range of the device, hats, buttons, what is silent and what is gone."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.events import REPEAT, EventSource
from hilbridge.files.settings import EvdevInput
from hilbridge.frames.codec.input_events import NAMES, event_name, find_event

SYN, KEY, ABS = 0, 1, 3
MINIMUM, MAXIMUM, OPENING = 0x100, 0x101, 0x102
X, Y, Z, HAT = 0, 1, 2, 0x10
TRIGGER, THUMB = 0x120, 0x121


def source(**signals: object) -> EventSource:
    return EventSource(EvdevInput.model_validate({"source": "evdev", "device": "wheel", "signals": signals}))


def events(*records: tuple[int, int, int]) -> bytes:
    """Events with a report behind them."""
    return b"".join(struct.pack("<HHi", *record) for record in (*records, (SYN, 0, 0)))


def opening(**axes: tuple[int, int, int]) -> bytes:
    """What a device says first: value, minimum and maximum of each axis."""
    codes = {"x": X, "y": Y, "z": Z, "hat": HAT}
    ranges = [
        record
        for name, (_, low, high) in axes.items()
        for record in ((MINIMUM, codes[name], low), (MAXIMUM, codes[name], high))
    ]
    return events(*ranges, *((OPENING, codes[name], axis[0]) for name, axis in axes.items()))


def test_an_axis_has_the_range_of_its_device() -> None:
    wheel = source(Steer={"field": "ABS_X"}, Throttle={"field": "ABS_Z"})
    wheel.feed(opening(x=(49152, 0, 65536), z=(64, 0, 256)), 5)
    assert (wheel.values, wheel.fresh) == ([5000, 2500], [True, True])


def test_an_axis_has_the_ends_of_the_bench_file_before_those_of_its_device() -> None:
    """A pedal that is inverted, and whose ends its range does not reach."""
    wheel = source(Throttle={"field": "ABS_Z", "minimum": 240, "maximum": 40})
    wheel.feed(opening(z=(140, 0, 255)), 0)
    assert wheel.values == [5000]
    wheel.feed(events((ABS, Z, 255)), 1)
    assert wheel.values == [0]


def test_one_axis_is_two_pedals() -> None:
    """The upper half of the way is the brake, the lower one the throttle; neither is implausible for the other."""
    pedals = source(
        Throttle={"field": "ABS_Y", "minimum": 128, "maximum": 0},
        Brake={"field": "ABS_Y", "minimum": 128, "maximum": 255},
    )
    pedals.feed(opening(y=(128, 0, 255)), 0)
    assert pedals.values == [0, 0]
    pedals.feed(events((ABS, Y, 64)), 1)
    assert pedals.values == [5000, 0]
    pedals.feed(events((ABS, Y, 255)), 2)
    assert (pedals.values, pedals.rejected) == ([0, 10000], 0)


def test_a_dead_zone_a_curve_and_a_centre_are_those_of_every_input() -> None:
    """(35 - 10) / (90 - 10) of the way, 10 % of the travel dead at each end: 31.25 %; squared."""
    wheel = source(
        Throttle={"field": "ABS_Z", "minimum": 0, "maximum": 100, "dead_zone": 0.1, "gamma": 2},
        Steer={"field": "ABS_X", "curve": [[0, 0], [0.1, 0], [1, 1]]},
    )
    wheel.feed(opening(x=(105, 0, 200), z=(35, 0, 100)), 0)
    assert wheel.values == [pytest.approx(10000 * 0.3125**2, abs=1), 0]


def test_a_hat_has_positions_and_its_directions_are_buttons() -> None:
    pad = source(
        **{
            "GearShift": {"field": "ABS_HAT0X", "values": {"-1": "down", "0": 0, "1": "up"}},
            "body.DippedBeam": {"toggles": {"ABS_HAT0X+": "on"}},
        }
    )
    pad.feed(opening(hat=(0, -1, 1)), 0)
    assert (pad.values, pad.fresh) == ([0, 0], [True, False])
    pad.feed(events((ABS, HAT, 1)), 1)
    assert (pad.values, pad.fresh) == ([1, 1], [True, True])
    pad.feed(events((ABS, HAT, 0)), 2)
    assert pad.values == [0, 1]


def test_a_button_is_a_switch_of_any_control() -> None:
    """The kernel sends 2 for a key that repeats itself."""
    box = source(**{"body.HazardLights": {"field": "BTN_TRIGGER"}, "Handbrake": {"buttons": {"BTN_THUMB": 0.5}}})
    box.feed(events((KEY, TRIGGER, 0), (KEY, THUMB, 0)), 0)
    assert box.values == [0, 0]
    box.feed(events((KEY, TRIGGER, 2), (KEY, THUMB, 1)), 1)
    assert box.values == [1, 5000]


def test_a_device_that_says_nothing_still_counts() -> None:
    wheel = source(Throttle={"field": "ABS_Z"})
    wheel.feed(opening(z=(128, 0, 256)), 0)
    wheel.expire(3600 * 10**9)
    assert (wheel.values, wheel.fresh) == ([5000], [True])


def test_a_device_that_was_pulled_out_loses_its_controls_and_is_believed_when_it_is_back() -> None:
    wheel = source(Throttle={"field": "ABS_Z"})
    wheel.feed(opening(z=(128, 0, 256)), 0)
    wheel.news = False
    wheel.feed(b"", 1, "unplugged")
    assert wheel.news
    wheel.expire(1)
    assert (wheel.fresh, wheel.is_silent(0, 1)) == ([False], True)
    wheel.feed(opening(z=(64, 0, 256)), 2)
    wheel.expire(2)
    assert (wheel.values, wheel.fresh) == ([2500], [True])


def test_a_zero_that_nobody_sent_moves_no_pedal() -> None:
    """A device that has not spoken reads zero: full throttle on an inverted pedal, full left on a wheel from 0."""
    wheel = source(Steer={"field": "ABS_X"}, Throttle={"field": "ABS_Z", "minimum": 255, "maximum": 0})
    wheel.feed(opening(x=(0, 0, 65535), z=(0, 0, 255)), 0)
    assert wheel.fresh == [False, False]
    wheel.feed(events((ABS, Z, 255)), 1)
    assert (wheel.values[1], wheel.fresh) == (0, [False, True])
    wheel.feed(events((ABS, X, 65535), (ABS, Z, 0)), 2)
    assert (wheel.values, wheel.fresh) == ([10000, 10000], [True, True])


def test_a_zero_at_rest_is_believed() -> None:
    wheel = source(Steer={"field": "ABS_X"}, Throttle={"field": "ABS_Z"})
    wheel.feed(opening(x=(0, -32768, 32768), z=(0, 0, 255)), 0)
    assert (wheel.values, wheel.fresh) == ([0, 0], [True, True])


def test_an_axis_without_a_range_says_what_to_do() -> None:
    wheel = source(Throttle={"field": "ABS_Z"})
    wheel.feed(opening(z=(7, 0, 0)), 0)
    assert wheel.complaint is not None
    assert "ABS_Z has no range of its own: give 'minimum' and 'maximum'" in wheel.complaint
    assert wheel.fresh == [False]


def test_a_filter_settles_though_the_device_is_silent() -> None:
    """The kernel sends a step once; after five time constants 99 % of it must have passed."""
    wheel = source(Throttle={"field": "ABS_Z", "smoothing": 20})
    wheel.feed(opening(z=(1, 0, 100)), 0)
    wheel.feed(events((ABS, Z, 100)), REPEAT)
    t = REPEAT
    while t < 11 * REPEAT:
        assert wheel.due is not None
        t = wheel.due
        wheel.expire(t)
    assert wheel.values[0] > 9900


def test_two_tracks_that_differ_fail_though_the_device_is_silent() -> None:
    tracks = [{"field": "ABS_Y", "minimum": 1, "maximum": 101}, {"field": "ABS_Z", "minimum": 1, "maximum": 51}]
    pedal = source(Throttle={"tracks": tracks, "time": 100})
    pedal.feed(opening(y=(51, 0, 200), z=(26, 0, 200)), 0)
    assert pedal.values == [5000]
    pedal.feed(events((ABS, Y, 81)), 1)
    assert pedal.values == [5000]
    t = 1
    while t < 110_000_000:
        assert pedal.due is not None
        t = pedal.due
        pedal.expire(t)
    assert (pedal.values, pedal.status().track_failures) == ([0], 1)


def test_a_reload_keeps_what_the_device_has_said() -> None:
    """It says its ranges once."""
    before, after = source(Throttle={"field": "ABS_Z"}), source(Throttle={"field": "ABS_Z"}, Brake={"field": "ABS_Y"})
    before.feed(opening(y=(64, 0, 256), z=(128, 0, 256)), 0)
    after.take_over(before)
    after.feed(events((ABS, Y, 192)), 1)
    assert (after.values, after.fresh) == ([5000, 7500], [True, True])


@pytest.mark.parametrize(
    ("signal", "message"),
    [
        ({"field": "ABS_RX1"}, "unknown axis or button 'ABS_RX1': did you mean ABS_RX?"),
        ({"field": "BTN_TRIGGER+"}, "unknown axis or button"),
        ({"buttons": {"ABS_Z": 1}}, "ABS_Z is an axis; buttons are"),
    ],
)
def test_a_field_must_be_an_axis_or_a_button(signal: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        source(Throttle=signal)
    assert message in str(caught.value)


def test_every_name_stands_for_one_place_and_back() -> None:
    """BTN_A, B, X and Y are second names; numbers have no name."""
    for name in NAMES:
        event = find_event(name)
        assert event is not None
        assert event_name(event.kind, event.code) == name or name in ("BTN_A", "BTN_B", "BTN_X", "BTN_Y")
    assert find_event("BTN_0x2ff") == (KEY, 0x2FF, 0)
    assert find_event("ABS_0x28") == (ABS, 0x28, 0)
    assert event_name(KEY, 0x2FF) == "BTN_0x2ff"
    assert [find_event(name) for name in ("BTN_0x300", "ABS_0x40", "ABS_0x", "KEY_0x-1", "")] == [None] * 5


@pytest.mark.parametrize(
    ("name", "number"),
    [("ABS_GAS", 9), ("KEY_A", 30), ("KEY_F12", 88), ("KEY_HOME", 102), ("KEY_PAUSE", 119), ("BTN_TRIGGER", 288),
     ("BTN_MODE", 316), ("BTN_TRIGGER_HAPPY40", 743), ("BTN_DPAD_RIGHT", 547), ("KEY_KPDOT", 83), ("KEY_F24", 194)],
)  # fmt: skip
def test_names_have_the_numbers_of_the_kernel(name: str, number: int) -> None:
    event = find_event(name)
    assert event is not None
    assert event.code == number


@given(st.lists(st.tuples(st.binary(max_size=80), st.sampled_from(["", "gone"])), max_size=12))
def test_no_bytes_break_a_source(portions: list[tuple[bytes, str]]) -> None:
    """Whatever is in a damaged recording: values stay inside their ranges."""
    wheel = source(
        Steer={"field": "ABS_X"},
        Throttle={"field": "ABS_Z", "smoothing": 20},
        Brake={"tracks": [{"field": f, "minimum": 0, "maximum": 99} for f in ("ABS_Y", "ABS_RX")]},
        ManualGear={"buttons": {"BTN_TRIGGER": 1, "ABS_HAT0X-": "R"}},
    )
    for t, (data, trouble) in enumerate(portions):
        wheel.feed(data, t * REPEAT, trouble)
        wheel.expire(t * REPEAT)
        assert -10000 <= wheel.values[0] <= 10000
        assert all(0 <= value <= 10000 for value in wheel.values[1:3])


@given(st.lists(st.tuples(st.sampled_from([SYN, KEY, ABS, MINIMUM, MAXIMUM, OPENING]), st.sampled_from([X, Y, Z, HAT, TRIGGER]), st.integers(-(2**31), 2**31 - 1)), max_size=30))  # fmt: skip # noqa: E501
def test_no_events_break_a_source(records: list[tuple[int, int, int]]) -> None:
    """Events of any value and any range, in any order."""
    wheel = source(Steer={"field": "ABS_X"}, Throttle={"field": "ABS_Z"}, ManualGear={"buttons": {"ABS_HAT0X-": "R"}})
    for t, record in enumerate(records):
        wheel.feed(events(record), t)
        assert -10000 <= wheel.values[0] <= 10000
        assert 0 <= wheel.values[1] <= 10000
