"""The publication: what has changed is due once, and what is no more is due as no value."""

from hilbridge.client.talks import EntryValue
from hilbridge.faces.vss.publication import Publication
from hilbridge.faces.vss.signals import BEYOND, NOT_AVAILABLE, signals_of
from hilbridge.files.configuration.vss import load_vss

SPEED, ENGINE = "Vehicle.Speed", "Vehicle.Powertrain.CombustionEngine.Speed"
PEDAL = "Vehicle.Chassis.Accelerator.PedalPosition"
SIGNALS = signals_of(load_vss())


def answer(**values: float) -> dict[str, EntryValue]:
    return {name.replace("_", "."): EntryValue(value, "") for name, value in values.items()}


def begun() -> Publication:
    one = Publication(SIGNALS)
    one.begin([SPEED, ENGINE, PEDAL])
    return one


def test_at_first_all_paths_of_the_databroker_are_due_and_no_others() -> None:
    one = begun()
    assert one.due(answer(vehicle_Speed=10.0)) == {SPEED: 36.0, ENGINE: None, PEDAL: None}
    assert one.withheld == {ENGINE: NOT_AVAILABLE, PEDAL: NOT_AVAILABLE}


def test_then_what_has_changed_and_an_empty_message_counts_for_none() -> None:
    one = begun()
    one.due(answer(vehicle_Speed=10.0, input_Throttle=0.5))
    assert one.due(answer(vehicle_Speed=10.0, input_Throttle=0.501)) == {}
    assert one.due(answer(vehicle_Speed=5.0, input_Throttle=0.501)) == {SPEED: 18.0}
    assert (one.messages, one.values) == (2, 4)


def test_a_value_that_is_no_more_is_told_once() -> None:
    one = begun()
    one.due(answer(vehicle_Speed=10.0, input_Throttle=0.5))
    assert one.due(answer(vehicle_Speed=10.0, input_Throttle=2.0)) == {PEDAL: None}
    assert one.withheld[PEDAL] is BEYOND
    assert one.due({}) == {SPEED: None}
    assert one.due({}) == {}


def test_the_paths_without_a_value_are_counted_by_their_reason() -> None:
    """Those that the vehicle has not are many, and have no names here."""
    one = begun()
    one.due(answer(vehicle_Speed=10.0, vehicle_EngineRpm=900.0, input_Throttle=0.5))
    assert one.gaps() == "none"
    one.due(answer(vehicle_Speed=10.0, input_Throttle=2.0))
    assert one.gaps() == f"1 not available, 1 beyond bounds ({PEDAL})"


def test_another_databroker_knows_nothing() -> None:
    one = begun()
    one.due(answer(vehicle_Speed=10.0))
    one.begin([SPEED])
    assert one.due(answer(vehicle_Speed=10.0)) == {SPEED: 36.0}


def test_refusals_are_counted_and_the_first_of_a_path_is_new() -> None:
    one = begun()
    assert one.refuse(SPEED, "too fast")
    assert not one.refuse(SPEED, "much too fast")
    assert one.refuse(PEDAL, "too deep")
    assert (one.refusals, one.refused) == (3, {SPEED: "much too fast", PEDAL: "too deep"})
