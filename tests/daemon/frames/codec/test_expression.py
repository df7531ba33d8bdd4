"""Values computed from the data bus."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings import SignalMap
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.expression import DEEPEST, LONGEST, parse
from hilbridge.frames.codec.mapping import assign
from vehiclesim.channels import AUXILIARY, INPUT, NAN, VEHICLE, AuxiliaryData, InputData, VehicleData
from vehiclesim.databus import DataBus

from .examples import message, signal

BUS = DataBus()
BUS.channels[VEHICLE][VehicleData.ENGINE_RPM] = 3_000_500  # 3000.5 rpm
BUS.channels[VEHICLE][VehicleData.SPEED] = -12_500  # m/s
BUS.channels[VEHICLE][VehicleData.GEARBOX_GEAR] = 3
BUS.channels[INPUT][InputData.THROTTLE] = 2_500  # a quarter
BUS.channels[AUXILIARY][AuxiliaryData.DISTANCE_PULSES] = 70_000
BUS.channels[VEHICLE][VehicleData.ENGINE_TORQUE] = NAN
BUS.channels[VEHICLE][VehicleData.ENGINE_LOAD] = -1  # the load's own "not available"


def value(text: str) -> float:
    return float(parse(text).value(BUS.channels))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("vehicle.EngineRpm * 0.25 + 3", 753.125),
        ("vehicle.EngineRpm / (2 - 4)", -1500.25),
        ("-vehicle.Speed * 3.6", 45.0),
        ("abs(vehicle.Speed)", 12.5),
        ("auxiliary.DistancePulses % 65536", 4464.0),
        ("auxiliary.DistancePulses // 65536", 1.0),
        ("min(vehicle.EngineRpm, 2000)", 2000.0),
        ("max(vehicle.EngineRpm, 2000, 4000)", 4000.0),
        ("vehicle.GearboxGear == 3", 1.0),
        ("1 < vehicle.GearboxGear <= 2", 0.0),
        ("7 if vehicle.GearboxGear > 2 else 8", 7.0),
        ("vehicle.GearboxGear and input.Throttle", 1.0),
        ("vehicle.EngineStalled or 0", 0.0),
        ("not vehicle.EngineStalled", 1.0),
        ("5 * (vehicle.GearboxGear > 2) + (vehicle.Speed < 0)", 6.0),
        ("  vehicle.GearboxGear\n  + 1", 4.0),
        ("2 + 3 * 4", 14.0),
        ("body.BeltDriver == 'fastened'", 1.0),
        ("'Off' != body.TurnSignal", 0.0),
        ("3 if body.DriveMode == 'sport plus' else 4", 4.0),
    ],
)
def test_an_expression_is_calculated_in_the_units_of_the_entries(text: str, result: float) -> None:
    """With decimals, by the rules of Python; truth is 1 or 0."""
    assert value(text) == result


@pytest.mark.parametrize(
    "text",
    [
        "vehicle.EngineTorque",
        "vehicle.EngineTorque * 0",
        "vehicle.EngineLoad + 1",
        "1 if vehicle.GearboxGear else vehicle.EngineTorque",
        "vehicle.EngineTorque > 3",
        "1 / vehicle.EngineStalled",
        "1 % vehicle.EngineStalled",
        "1 // (vehicle.GearboxGear - 3)",
        "not 1 / vehicle.EngineStalled",
    ],
)
def test_what_is_computed_from_nothing_is_not_available(text: str) -> None:
    """One entry without a value, wherever it stands, or a division by 0."""
    assert math.isnan(value(text))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("vehicle.EngineRmp * 2", r"column 1: unknown data bus entry 'vehicle.EngineRmp': did you mean vehicle"),
        ("1 + (body.TurnSignal == 'lfet')", r"column 25: unknown code of body.TurnSignal 'lfet': did you mean left"),
        ("vehicle.Speed == 'left'", r"column 18: unknown code of vehicle.Speed 'left'"),
        ("1 == 'left'", r"column 6: 'left' is no number, and no code of an entry beside it"),
        ("2 * EngineRpm", r"column 5: 'EngineRpm' is no data bus entry; entries have a channel"),
        ("2 * (3 + ", r"column 5: .*never closed"),
        ("2 **3", r"column 1: '2 \*\* 3' is not part of the language"),
        (" vehicle.Speed.real", r"column 2: 'vehicle.Speed.real' is not part of the language"),
        ("open('x')", r"column 1: there is no function 'open'; there are min, max, abs"),
        ("2 + sin(1)", r"column 5: there is no function 'sin'; there are min, max, abs"),
        ("vehicle.EngineRpm *", r"column 19: a value is missing after \*$"),
        (" 1 and", r"column 4: a value is missing after and$"),
        ("'ü' + __import__('os')", r"column 1: "),
        ("1 + [2 for a in b]", r"column 5: "),
        ("(lambda: 1)()", r"column 1: "),
        ("min(1)", r"column 1: min\(\) takes two values or more"),
        ("abs(1, 2)", r"column 1: abs\(\) takes one value"),
        ("max(1, 2, key=3)", r"column 1: .* is not part of the language"),
        ("1 in 2", r"column 1: "),
        ("True", r"column 1: 'True' is not part of the language"),
        ("1e999", r"column 1: the number is too large"),
        ("1" * 400, r"column 1: the number is too large"),
        ("1;2", r"column 2: "),
        ("", r"column 1: "),
        ("\0", r"no expression|column"),
        ("-" * 200 + "1", r"nested deeper than 50 levels"),
        ("(" * 300 + "1" + ")" * 300, r"column|no expression"),
        ("1+" * LONGEST, r"more than 1000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_expression_is_refused_with_the_column(text: str, complaint: str) -> None:
    """Nothing but the language of expressions gets through."""
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        parse(text, place=("signals", "A", "expression"))
    assert raised.value.place == ("signals", "A", "expression")


def test_the_depth_that_is_allowed_works() -> None:
    """Python's parser has limits of its own, and ours come first."""
    assert value("-(" * (DEEPEST // 2) + "1" + ")" * (DEEPEST // 2)) == -1
    assert value("+".join(["vehicle.GearboxGear"] * 45)) == 135


ATOMS = st.sampled_from(["vehicle.EngineRpm", "vehicle.EngineTorque", "input.Throttle", "0", "2.5", "1e300", "x", "''"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(
            inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "<", "==", "and", "or", "**", "if"]), inner
        ).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
        st.tuples(st.sampled_from(["min", "max", "abs", "not", "-", "open"]), inner, inner).map(
            lambda parts: "{}({}, {})".format(*parts)
        ),
    ),
    max_leaves=20,
)


@given(st.one_of(EXPRESSIONS, st.text(max_size=40), st.text("()+-*/.01<>=!vehicl EngRpm", max_size=40)))
def test_no_text_breaks_anything(text: str) -> None:
    """It is refused in words, or has a value, which has bytes."""
    try:
        source = parse(text)
    except ConfigurationError:
        return
    codec = compile_message(message(signal("A", 0, 16), signal("B", 32, 32, floating=True)))
    assert len(codec.bus_encoder({"A": source, "B": source})(BUS.channels)) == 8


def test_an_expression_fills_a_signal_in_its_unit() -> None:
    """Limited as any value; what is not available is sent as such, or as the substitute."""
    codec = compile_message(
        message(
            signal("A", 0, 16, scale=0.25, unit="km/h"),
            signal("B", 16, 8, maximum=100),
            signal("C", 24, 8, choices={255: "SNA"}),
            signal("D", 32, 8),
            signal("E", 40, 1),
        )
    )
    maps = {
        "A": "vehicle.EngineRpm * 0.25 + 3", "B": "vehicle.EngineRpm", "C": "vehicle.EngineTorque + 1",
        "D": "vehicle.EngineTorque + 1", "E": "vehicle.EngineRpm > 1000",
    }  # fmt: skip
    settings = {name: SignalMap(expression=text, substitute=7 if name == "D" else None) for name, text in maps.items()}
    assigned = assign(codec, settings, ())
    assert [one.text for one in assigned] == list(maps.values())
    sources = {one.signal: one.source for one in assigned}
    assert codec.bus_encoder(sources)(BUS.channels) == (3012).to_bytes(2, "little") + bytes([100, 255, 7, 1, 0, 0])


def test_a_multiplexer_may_be_an_expression() -> None:
    """The page follows from it."""
    codec = compile_message(
        message(
            signal("Page", 0, 4, is_multiplexer=True),
            signal("A", 8, 8, multiplexer_signal="Page", multiplexer_ids=[3], raw_initial=33),
            signal("B", 8, 8, multiplexer_signal="Page", multiplexer_ids=[4], raw_initial=44),
        )
    )
    for text, expected in (("vehicle.GearboxGear", 33), ("vehicle.GearboxGear + 1", 44)):
        assert codec.bus_encoder({"Page": parse(text)})(BUS.channels)[1] == expected
