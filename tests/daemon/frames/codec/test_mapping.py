"""Where the signals of a message take their values from."""

import math

import pytest
from pydantic import ValidationError

from hilbridge.base.common.errors import ConfigurationError, Doubt
from hilbridge.files.settings import SignalMap
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.mapping import Assignment, assign
from hilbridge.frames.codec.sources import EntrySource, ExpressionSource, FixedSource, entry_source, find_entry
from hilbridge.frames.codec.units import Conversion
from vehiclesim.channels import INPUT, SETTINGS, VEHICLE, InputData, SettingsData, VehicleData
from vehiclesim.databus import DataBus

from .examples import message, signal

MESSAGE = compile_message(
    message(
        signal("EngineRpm", 0, 16, scale=0.25, unit="1/min", minimum=0, maximum=16000),
        signal("Speed", 16, 8, unit="km/h"),
        signal("Throttle", 24, 8, unit="%"),
        signal("AbsOverride", 32, 2),
        signal("Counter", 40, 8, raw_initial=7, scale=2),
        signal("Gear", 48, 4, choices={15: "SNA"}, minimum=0, maximum=8),
    )
)
PLACE = ("buses", "a", "messages", "Example", "signals")


def assigned(**maps: SignalMap | str) -> dict[str, Assignment]:
    settings = {name: SignalMap.model_validate(one) for name, one in maps.items()}
    return {assignment.signal: assignment for assignment in assign(MESSAGE, settings, PLACE)}


def test_signals_take_the_entry_of_their_name() -> None:
    """From the Vehicle, Input or Settings channel, in the signal's unit."""
    found = assigned()
    assert found["EngineRpm"].source == entry_source((VEHICLE, VehicleData.ENGINE_RPM))
    assert found["Speed"].source == entry_source((VEHICLE, VehicleData.SPEED), Conversion(3.6, 0.0))
    assert found["Throttle"].source == entry_source((INPUT, InputData.THROTTLE), Conversion(100.0, 0.0))
    assert found["AbsOverride"].source == entry_source((SETTINGS, SettingsData.ABS_OVERRIDE))
    assert {found[name].origin for name in ("EngineRpm", "Speed", "Throttle", "AbsOverride")} == {"by name"}
    assert found["Speed"].text == "vehicle.Speed in km/h"


def test_all_others_rest() -> None:
    """At the start value of the database, or at 0."""
    found = assigned()
    assert (found["Counter"].origin, found["Counter"].source, found["Counter"].text) == (
        "default",
        FixedSource(7),
        "14, start value of the database",
    )
    assert (found["Gear"].source, found["Gear"].text) == (FixedSource(0), "0, the database has no start value")


def test_the_bench_file_goes_first() -> None:
    """An entry, with a unit and a substitute if wanted, or a constant."""
    found = assigned(
        Gear="vehicle.GearboxGear",
        Counter=SignalMap.model_validate({"from": "vehicle.Speed", "unit": "mph", "substitute": 5}),
        EngineRpm=SignalMap(constant=850),
    )
    assert (found["Gear"].origin, found["Gear"].text) == ("mapped", "vehicle.GearboxGear")
    source = found["Counter"].source
    assert isinstance(source, EntrySource)
    assert source.substitute == 5
    assert source.conversion.factor == pytest.approx(2.2369362920544)
    assert (found["EngineRpm"].origin, found["EngineRpm"].source) == ("constant", FixedSource(3400))


FUEL = [[0, 625], [0.25, 1950], [0.5, 3600], [1, 9700]]


@pytest.mark.parametrize(
    "origin", [{"from": "auxiliary.FuelShare"}, {"expression": "auxiliary.FuelLevel / 50"}], ids=["entry", "expression"]
)
@pytest.mark.parametrize(
    ("share", "sent"), [(0, 625), (0.1, 1155), (0.25, 1950), (0.375, 2775), (0.5, 3600), (0.9, 8480), (1, 9700)]
)
def test_a_table_leads_from_the_value_to_the_signal(origin: dict[str, str], share: float, sent: float) -> None:
    """Straight lines between the points, here of a fuel sender; the expected values by hand."""
    found = assigned(EngineRpm=SignalMap.model_validate(origin | {"table": FUEL}))["EngineRpm"]
    data = DataBus()
    data.write(*find_entry("auxiliary.FuelShare"), share)
    data.write(*find_entry("auxiliary.FuelLevel"), 50 * share)
    assert isinstance(found.source, ExpressionSource)
    assert found.source.value(data.channels) == pytest.approx(sent, abs=2)
    assert found.text.endswith(" by a table of 4 points")


def test_a_table_holds_its_ends_and_knows_what_is_not_available() -> None:
    """Beyond the points the first and the last value; of NaN the substitute is sent."""
    settings = SignalMap.model_validate({"from": "vehicle.Speed", "table": [[1, 100], [2, 300]], "substitute": 7})
    source = assigned(EngineRpm=settings)["EngineRpm"].source
    assert isinstance(source, ExpressionSource)
    data = DataBus()
    shown = []
    for speed in (-5.0, 0.5, 1.5, 3.0, math.nan):
        data.write(*find_entry("vehicle.Speed"), speed)
        shown.append(source.value(data.channels))
    assert shown[:4] == [100, 100, 200, 300]
    assert math.isnan(shown[4])
    assert source.substitute == 7


@pytest.mark.parametrize(
    ("slew", "shown", "words"),
    [
        (36, [0, 18, 36], "vehicle.Speed in km/h, by 36 a second at most"),
        ({"up": 18}, [0, 9, 18], "vehicle.Speed in km/h, up by 18 a second at most"),
    ],
)
def test_a_limit_per_second_is_one_of_the_value_that_is_sent(slew: object, shown: list[float], words: str) -> None:
    """In the signal's unit: 36 km/h a second, though the model's speed jumps to 100 m/s."""
    found = assigned(Speed=SignalMap.model_validate({"from": "vehicle.Speed", "slew": slew}))["Speed"]
    data = DataBus()
    sent = []
    for elapsed, speed in ((0.0, 0.0), (0.5, 100.0), (1.0, 100.0)):
        data.write(*find_entry("clock.Elapsed"), elapsed)
        data.write(*find_entry("vehicle.Speed"), speed)
        assert isinstance(found.source, ExpressionSource)
        sent.append(found.source.value(data.channels))
    assert (sent, found.text) == (shown, words)


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"slew": 0}, "must be above 0, found 0: a limit per second"),
        ({"slew": -1.5}, "must be above 0, found -1.5"),
        ({"slew": {}}, "needs a limit per second"),
        ({"constant": 1, "slew": 2}, "a constant never changes"),
    ],
)
def test_a_limit_that_is_none_is_refused(keys: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        SignalMap.model_validate(({} if "constant" in keys else {"from": "vehicle.Speed"}) | keys)


def test_a_mapped_unit_of_another_dimension_is_refused() -> None:
    """The error names both units and the signal's place."""
    with pytest.raises(ConfigurationError, match="'Nm' is a unit of torque, 'km/h' one of speed") as raised:
        assigned(Speed="vehicle.EngineTorque")
    assert raised.value.place == (*PLACE, "Speed")


def test_a_name_whose_unit_does_not_fit_is_left_alone() -> None:
    """Another database's Speed may be a fan's: it rests, and a warning says why."""
    fan = compile_message(message(signal("Speed", 0, 8, unit="V"), signal("Clutch", 8, 8, unit="quux")))
    speed, clutch = assign(fan, {}, PLACE)
    assert (speed.origin, speed.source) == (clutch.origin, clutch.source) == ("default", FixedSource(0))
    reason = "Speed is not taken from vehicle.Speed: 'm/s' is a unit of speed, 'V' one of voltage"
    assert speed.warning == Doubt(reason, (*PLACE, "Speed"))
    assert clutch.warning is not None
    assert clutch.warning.place == (*PLACE, "Clutch")
    assert clutch.warning.message.startswith("Clutch is not taken from input.Clutch: unknown unit 'quux'")


def test_the_unit_of_the_bench_file_replaces_the_database_s() -> None:
    """For signals whose unit is missing, misspelt or wrong."""
    odd = compile_message(message(signal("Speed", 0, 8, unit="quux")))
    maps = {"Speed": SignalMap.model_validate({"from": "vehicle.Speed", "unit": "km/h"})}
    (speed,) = assign(odd, maps, PLACE)
    assert speed.source == entry_source((VEHICLE, VehicleData.SPEED), Conversion(3.6, 0.0))


@pytest.mark.parametrize(("constant", "sent"), [(20, 8), (-3, 0)])
def test_a_constant_outside_of_the_signal_is_limited_with_a_warning(constant: float, sent: int) -> None:
    """As every value is."""
    gear = assigned(Gear=SignalMap(constant=constant))["Gear"]
    assert gear.source == FixedSource(sent)
    where = "the database's range [0|8], which 'range: raw' lifts"
    assert gear.warning == Doubt(f"Gear: {constant} is beyond {where}: {sent} is sent", (*PLACE, "Gear", "constant"))


def ratio(maximum: float, unit: str, mapped: dict[str, str] | None = None, scale: float = 1.0) -> Doubt | None:
    """The doubt about a signal of 8 bits that is called Throttle, by name or as mapped."""
    codec = compile_message(message(signal("Throttle", 0, 8, scale=scale, unit=unit, minimum=0, maximum=maximum)))
    maps = {} if mapped is None else {"Throttle": SignalMap.model_validate(mapped)}
    return assign(codec, maps, PLACE)[0].warning


def test_a_ratio_in_a_signal_of_percent_without_unit_is_doubtful() -> None:
    """It would be sent as 0 or 1 of 100; the doubt has the place of the signal and the remedy."""
    for mapped in (None, {"from": "input.Brake"}):
        doubt = ratio(100, "", mapped)
        assert doubt is not None
        assert doubt.place == (*PLACE, "Throttle")
        entry = "input.Throttle" if mapped is None else "input.Brake"
        assert f"write {{from: {entry}, unit: '%'}}" in doubt.message


def test_a_ratio_is_at_home_in_percent_in_small_ranges_and_where_the_user_says_so() -> None:
    """Units convert; a flag, a lambda or a share ends below 10; unit '1' says that the ratio goes as it is."""
    assert ratio(100, "%") is None
    assert ratio(3, "") is None
    assert ratio(2.55, "", scale=0.01) is None
    assert ratio(100, "", {"from": "input.Throttle", "unit": "%"}) is None
    assert ratio(100, "", {"from": "input.Throttle", "unit": "1"}) is None
    assert ratio(100, "", {"from": "vehicle.GearboxGear"}) is None
    assert ratio(100, "", {"expression": "input.Throttle * 100"}) is None


def test_unknown_names_are_refused_with_what_may_have_been_meant() -> None:
    """Of signals and of data bus entries."""
    with pytest.raises(ConfigurationError, match=r"unknown signal of Example 'Sped': did you mean Speed\?") as raised:
        assigned(Sped="vehicle.Speed")
    assert raised.value.place == (*PLACE, "Sped")
    with pytest.raises(
        ConfigurationError, match=r"unknown data bus entry 'vehicle.Sped': did you mean vehicle.Speed\?"
    ):
        assigned(Speed="vehicle.Sped")
    with pytest.raises(
        ConfigurationError, match=r"unknown data bus entry 'EngineRpm': did you mean vehicle.EngineRpm\?"
    ):
        assigned(Speed="EngineRpm")
