"""What the bench file may say about a control of a source."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.binding import FieldDescription, bind, build_conditioner
from hilbridge.bench.inputs.signal_conditioner import OUT_OF_RANGE
from hilbridge.files.settings import InputSignal

from .conditioning import convert, refusal

TRACKS = [{"field": "a", "minimum": 0, "maximum": 1000}, {"field": "b", "minimum": 500, "maximum": 0}]


def bound(name: str, **settings: Any) -> Any:
    (binding,) = bind({name: InputSignal.model_validate(settings)}, ("inputs", 2))
    return binding


@pytest.mark.parametrize(
    ("name", "signal", "message"),
    [
        ("Trottle", {}, "unknown input 'Trottle'"),
        ("vehicle.Speed", {}, "vehicle.Speed is a result"),
        ("chassis.YawRate", {}, "chassis.YawRate is a result"),
        ("ManualGear", {"minimum": 0, "maximum": 5}, "ManualGear has positions"),
        ("request.EngineRpm", {"minimum": 0, "maximum": 5}, "request.EngineRpm has a value, not a travel"),
        ("Key", {"gamma": 2}, "Key has positions"),
        ("Key", {"smoothing": 20}, "nothing to filter"),
        ("Throttle", {"terminals": {"15": "kl15"}}, "only the Key"),
        ("Throttle", {"safe": 2}, "2 of Throttle is not within 0..1"),
        ("GearShift", {"safe": 0}, "GearShift takes steps"),
        ("Key", {"safe": 1}, "the starter must not stay on"),
        ("Key", {"safe": "held"}, "unknown position of Key 'held'"),
    ],
)
def test_what_cannot_be_bound_is_refused_with_its_place(name: str, signal: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        bound(name, **signal)
    assert error.value.place[:4] == ("inputs", 2, "signals", name)


def test_a_control_is_set_once_by_a_source() -> None:
    with pytest.raises(ConfigurationError, match="Throttle is set twice"):
        bind({"Throttle": InputSignal(), "input.Throttle": InputSignal()}, ())


def test_a_field_has_the_name_of_its_input_unless_it_is_named() -> None:
    bindings = bind({"settings.AbsOverride": InputSignal(), "Brake": InputSignal(field="Brk_Pdl")}, ())
    assert [binding.field for binding in bindings] == ["AbsOverride", "Brk_Pdl"]


def test_tracks_and_terminals_have_a_field_each() -> None:
    assert bound("Throttle", tracks=TRACKS).fields == ("a", "b")
    assert bound("Key", terminals={"S": "in", "15": "ign", "50": "crank"}).fields == ("in", "ign", "crank")


@pytest.mark.parametrize(
    ("name", "field", "settings", "reading", "bus"),
    [
        ("Throttle", FieldDescription("%"), {}, 12.3, 1230),
        ("request.EngineTorqueLimit", FieldDescription("kNm"), {}, 0.25, 250_000),
        ("road.HeadWind", FieldDescription("km/h"), {}, 36.0, 10_000),
        ("road.AmbientTemperature", FieldDescription("K"), {}, 293.15, 20_000),
        ("road.AmbientTemperature", FieldDescription(), {"unit": "degF"}, 68.0, 20_000),
        ("Throttle", FieldDescription("V"), {"minimum": 0.5, "maximum": 4.5}, 1.5, 2500),
        ("AutomaticGear", FieldDescription("", {"P": 8.0}), {}, 8.0, 1),
        ("AutomaticGear", FieldDescription(), {"values": {"park": "P"}}, "park", 1),
    ],
)
def test_a_reading_arrives_in_the_unit_of_the_entry(
    name: str, field: FieldDescription, settings: dict[str, Any], reading: float, bus: int
) -> None:
    assert convert(build_conditioner(bound(name, **settings), field), (reading,)) == bus


@pytest.mark.parametrize("unit", ["V", "furlong"])
def test_a_unit_that_does_not_fit_is_refused_with_a_way_out(unit: str) -> None:
    with pytest.raises(ConfigurationError, match="or give its minimum and maximum"):
        build_conditioner(bound("Throttle", unit=unit))


@pytest.mark.parametrize(
    ("name", "settings", "last", "after"),
    [
        ("Throttle", {}, 5000, 0),
        ("Throttle", {"safe": "hold"}, 5000, 5000),
        ("Throttle", {"safe": 0.25}, 5000, 2500),
        ("Key", {"safe": "hold"}, 1, 0),
        ("request.EngineTorqueLimit", {}, 5000, -2147483647),
        ("road.Friction", {}, 2000, 10000),
    ],
)
def test_after_a_loss_the_bench_file_decides_and_else_the_kind_of_control(
    name: str, settings: dict[str, Any], last: int, after: int
) -> None:
    """Nothing makes a starter go on without anybody at the key."""
    assert bound(name, **settings).after_loss(last) == after


@pytest.mark.parametrize(
    ("name", "settings", "text"),
    [
        ("Throttle", {"minimum": 0, "maximum": 1023, "gamma": 2}, "from Throttle, 0..1023, curved; 0 when lost"),
        ("Throttle", {"tracks": TRACKS}, "from a, b, two tracks within 0.05 for 100 ms, else at most 0; 0 when lost"),
        ("Key", {"terminals": {"15": "k15", "50": "k50"}}, "from k15, k50, terminals 15 50; stays when lost"),
        ("AutomaticGear", {"values": {"0": "P", "1": "D"}}, "from AutomaticGear, 0=P 1=D; stays when lost"),
        ("request.EngineTorque", {"smoothing": 20}, "from EngineTorque, filter 20 ms; no request when lost"),
    ],
)
def test_a_binding_describes_itself_in_one_line(name: str, settings: dict[str, Any], text: str) -> None:
    assert bound(name, **settings).describe() == text


@pytest.mark.parametrize(
    ("keys", "reading", "reason"),
    [
        ({}, 1300, None),
        ({}, 5000, OUT_OF_RANGE),
        ({}, -301, OUT_OF_RANGE),
        ({"minimum": 900, "maximum": 100}, 5000, OUT_OF_RANGE),
        ({"plausible": [50, 950]}, 1000, OUT_OF_RANGE),
        ({"plausible": [50, 950]}, 950, None),
    ],
)
def test_a_reading_far_beyond_the_ends_is_a_fault_and_not_full_throttle(
    keys: dict[str, Any], reading: float, reason: str | None
) -> None:
    """Half the way beyond either end is the most that a sensor does by itself; a short to supply reads more."""
    signal = InputSignal.model_validate({"minimum": 100, "maximum": 900, **keys})
    (binding,) = bind({"Throttle": signal}, ())
    assert refusal(build_conditioner(binding), reading) == reason


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"plausible": [0, 1]}, "needs 'minimum' and 'maximum'"),
        ({"minimum": 0, "maximum": 10, "plausible": [1, 10]}, "must hold 'minimum' and 'maximum'"),
    ],
)
def test_the_plausible_range_holds_the_ends(keys: dict[str, Any], complaint: str) -> None:
    """And belongs to a sensor that has ends."""
    with pytest.raises(ValueError, match=complaint):
        InputSignal.model_validate(keys)
