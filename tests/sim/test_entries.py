"""Tests of the table of the data bus: what its columns say, and that the ids in the code are its lines."""

import csv

from vehiclesim import channels, entries
from vehiclesim.entries import ENTRIES, Entry, find

from .. import channel_ids


def entry(path: str) -> Entry:
    place = find(path)
    assert place is not None
    return entries.STANDARD.at(place)


def test_the_ids_of_the_code_are_the_lines_of_the_table() -> None:
    assert channel_ids.MODULE.read_text(encoding="utf-8") == channel_ids.module()
    with channel_ids.TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [one.path for one in entries.STANDARD.all()] == [f"{row['channel']}.{row['name']}" for row in rows]


def test_ids_and_channels_are_where_recordings_and_the_published_data_bus_have_them() -> None:
    """The first three channels as Vehicle Physics Pro publishes them, and the newest id of each of the others."""
    assert (channels.INPUT, channels.VEHICLE, channels.SETTINGS) == (0, 1, 2)
    published = {"input.Key": 9, "vehicle.EngineRpm": 1, "vehicle.EngineFuelRate": 9, "vehicle.GearboxGear": 12}
    ours = {"auxiliary.AutoStop": (3, 35), "chassis.Heading": (4, 12), "body.StopStartOff": (8, 35)}
    assert {path: (find(path) or (0, 0))[1] for path in published} == published
    assert {path: find(path) for path in ours} == ours
    assert channels.ElectricData.ENERGY_CONSUMPTION == 11


def test_states_have_integers_from_zero_or_their_own() -> None:
    assert entry("vehicle.EngineStalled").codes == ((0, "no"), (1, "yes"))
    assert entry("input.Key").codes == ((-1, "off"), (0, "on"), (1, "start"))


def test_limits_are_those_of_the_line_or_of_the_states_or_a_share() -> None:
    assert entry("input.Steer").limits == (-1.0, 1.0)
    assert entry("input.Key").limits == (-1.0, 1.0)
    assert entry("body.Language").limits == (0.0, 9.0)
    assert entry("input.Throttle").limits == (0.0, 1.0)
    assert entry("vehicle.EngineRpm").limits is None
    assert entry("body.LeftTurn").limits is None


def test_an_entry_rests_at_zero_or_its_own_value_or_is_not_available() -> None:
    assert entry("vehicle.Speed").rest == 0
    assert entry("road.AirPressure").rest == 101325
    assert entry("request.EngineTorque").rest == channels.NAN


def test_every_line_has_a_sentence() -> None:
    assert all(one.meaning.endswith(".") for channel in ENTRIES for one in channel)
