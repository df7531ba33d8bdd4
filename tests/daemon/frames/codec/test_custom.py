"""Entries that a bench declares for itself: their place on the data bus, and what is computed into them."""

from hilbridge.files.settings.custom import CustomEntry
from hilbridge.frames.codec.custom import entries_of
from vehiclesim.entries import STANDARD


def test_without_entries_of_its_own_a_bench_has_those_of_every_bench() -> None:
    assert entries_of({}) is STANDARD


def test_an_entry_has_the_unit_range_and_start_of_the_bench_file() -> None:
    """The start as an integer of the data bus, in the entry's resolution."""
    entry = CustomEntry.model_validate({"unit": "bar", "range": [0, 10], "default": 2.5})
    entries = entries_of({"Boost": entry})
    found = entries.find("custom.Boost")
    assert found is not None
    (boost,) = [one for one in entries.all() if one.path == "custom.Boost"]
    assert (boost.unit, boost.rest / boost.resolution, boost.limits) == ("bar", 2.5, (0, 10))
    assert len(list(entries.all())) == len(list(STANDARD.all())) + 1
