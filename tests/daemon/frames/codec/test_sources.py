"""What a signal gets from an entry of the data bus."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.generated import function
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.sources import EntryEncoding, EntrySource, FixedSource, entry_source, find_entry
from hilbridge.frames.codec.units import Conversion
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.databus import DataBus

from .examples import signal

SPEED = signal(
    "Speed", 0, 16, signed=True, scale=0.01, minimum=-300, maximum=300, choices={-32768: "SNA", 32767: "Error"}
)
KMH = Conversion(3.6, 0.0)


@pytest.mark.parametrize(
    ("integer", "raw"),
    [
        (0, 0),
        (10_000, 3600),
        (-10_000, -3600),
        (83_333, 30_000),
        (83_334, 30_000),
        (2147483647, 30_000),
        (-2147483646, -30_000),
        (NAN, -32768),
    ],
)
def test_an_entry_is_converted_limited_and_may_be_unavailable(integer: int, raw: int) -> None:
    """10,000 mm/s are 36.00 km/h; NaN is sent as SNA, which no speed reaches."""
    encoding = EntryEncoding(entry_source((VEHICLE, VehicleData.SPEED), KMH), SignalCodec(SPEED))
    bus = DataBus()
    bus.vehicle[VehicleData.SPEED] = integer
    assert encoding.read(bus.channels) == encoding.limited(integer) == raw


def test_the_common_case_covers_all_values_within_the_limits() -> None:
    """From the first to the last integer whose value needs no limit."""
    encoding = EntryEncoding(entry_source((VEHICLE, VehicleData.SPEED), KMH), SignalCodec(SPEED))
    assert (encoding.first, encoding.last) == (-83_333, 83_333)
    flag = EntryEncoding(
        entry_source((VEHICLE, VehicleData.ENGINE_WORKING)), SignalCodec(signal("A", 0, 2, minimum=0, maximum=1))
    )
    assert (flag.first, flag.last) == (0, 1)


@pytest.mark.parametrize(("integer", "raw"), [(0, 0), (500, 100), (1000, 200), (-1, 255), (-2, 255)])
def test_an_engine_load_of_minus_one_is_unavailable(integer: int, raw: int) -> None:
    """The only entry whose "unknown" is not NaN."""
    load = SignalCodec(signal("EngineLoad", 0, 8, scale=0.5, minimum=0, maximum=100, choices={255: "SNA"}))
    encoding = EntryEncoding(entry_source((VEHICLE, VehicleData.ENGINE_LOAD), Conversion(100.0, 0.0)), load)
    assert encoding.limited(integer) == raw


def test_a_substitute_is_sent_for_nan() -> None:
    """Where the signal itself has no way to say it."""
    rpm = SignalCodec(signal("A", 0, 16))
    assert EntryEncoding(entry_source((VEHICLE, VehicleData.ENGINE_RPM), substitute=800), rpm).limited(NAN) == 800
    assert EntryEncoding(entry_source((VEHICLE, VehicleData.ENGINE_RPM)), rpm).limited(NAN) == 0
    floating = EntryEncoding(
        entry_source((VEHICLE, VehicleData.ENGINE_RPM)), SignalCodec(signal("A", 0, 32, floating=True))
    )
    assert math.isnan(floating.limited(NAN))


def test_a_model_value_never_lands_on_a_reserved_number() -> None:
    """Mode 9 is named and stands beyond the maximum; 15 would say "not available" and is limited."""
    mode = SignalCodec(signal("Mode", 0, 4, minimum=0, maximum=4, choices={9: "D5", 14: "Error", 15: "SNA"}))
    encoding = EntryEncoding(entry_source((VEHICLE, VehicleData.GEARBOX_MODE)), mode)
    assert [encoding.limited(mode) for mode in (3, 9, 8, 14, 15, 99)] == [3, 9, 4, 4, 4, 4]


def test_limits_that_no_value_meets_are_no_endless_search() -> None:
    """A signal whose limits lie between two steps of the entry."""
    narrow = SignalCodec(signal("A", 0, 8, scale=0.001, minimum=0.0004, maximum=0.0006))
    encoding = EntryEncoding(entry_source((VEHICLE, VehicleData.GEARBOX_GEAR)), narrow)
    assert encoding.first > encoding.last
    assert encoding.limited(7) == 1


@given(
    integer=st.integers(0, 2**63 - 1),
    scale=st.sampled_from([2.0**k for k in range(-16, 5)] + [0.1, 0.75, 3.0]),
    resolution=st.sampled_from([1, 10, 1000, 4096]),
)
def test_what_is_divided_once_is_rounded_as_if_it_were_divided_twice(
    integer: int, scale: float, resolution: int
) -> None:
    """raw = round(integer / resolution / scale), to the last bit, whichever way it is written."""
    encoding = EntryEncoding(EntrySource(VEHICLE, 0, resolution), SignalCodec(signal("A", 0, 48, scale=scale)))
    value = function("v, limit0", encoding.text(0).replace("bus1[0]", "v"), {})
    expected = round(integer / resolution / scale)
    if encoding.first <= integer <= encoding.last:
        assert value(integer, None) == expected


def test_an_entry_is_read_in_the_unit_that_is_asked_for() -> None:
    """As the frames send it: 13.889 m/s are 50.0004 km/h, what is not available is NaN."""
    data = DataBus()
    speed = entry_source(find_entry("vehicle.Speed"), KMH)
    data.channels[VEHICLE][VehicleData.SPEED] = 13_889
    assert speed.read(data.channels) == 13_889 / 1000 * 3.6
    assert KMH.invert(KMH.apply(10.0)) == pytest.approx(10.0)
    data.channels[VEHICLE][VehicleData.SPEED] = NAN
    assert math.isnan(speed.read(data.channels))


def test_a_fixed_number_depends_on_no_entry() -> None:
    assert FixedSource(5).entries == ()


def test_an_unknown_entry_is_refused_with_near_misses() -> None:
    with pytest.raises(ConfigurationError, match=r"vehicle\.Sped.*vehicle\.Speed") as raised:
        find_entry("vehicle.Sped", ("buses", "a"))
    assert raised.value.place == ("buses", "a")
