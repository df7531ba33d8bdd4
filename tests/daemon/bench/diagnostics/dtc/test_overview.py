"""The trouble codes of a bench, for commands and status."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.dtc.overview import TroubleOverview
from hilbridge.bench.diagnostics.rows import MemoryRow

from ..control_units import Bench


def test_a_code_is_set_told_and_cleared() -> None:
    """P0301 needs two trips: the first failure leaves it pending, with a freeze frame, and the indicator off."""
    troubles = TroubleOverview({"engine": Bench().store})
    assert troubles.status() == {"engine": MemoryRow(indicator=False, stored=[])}
    troubles.set("engine", "P0301", "failed", 0)
    told = troubles.status()["engine"]
    assert told.indicator is False
    assert [(row.code, row.states, row.frozen) for row in told.stored] == [("P0301", ["failing", "pending"], True)]
    troubles.clear(None)
    assert troubles.status() == {"engine": MemoryRow(indicator=False, stored=[])}


def test_a_held_failure_is_told_until_a_command_ends_it() -> None:
    """Also while a tester has cleared it, or switched the setting of codes off."""
    store = Bench().store
    troubles = TroubleOverview({"engine": store})
    troubles.set("engine", "P0171", "held", 0)
    store.clear()
    assert [(row.code, row.states, row.held) for row in troubles.status()["engine"].stored] == [("P0171", [], True)]
    troubles.set("engine", "P0171", "passed", 0)
    assert store.held == []
    troubles.set("engine", "P0172", "held", 0)
    troubles.set("engine", "P0171", "failed", 0)
    troubles.clear("engine")
    assert troubles.status() == {"engine": MemoryRow(indicator=False, stored=[])}


def test_every_code_has_its_text() -> None:
    assert TroubleOverview({"engine": Bench().store}).codes()["engine"]["P0301"]


def test_what_there_is_not_is_refused() -> None:
    troubles = TroubleOverview({"engine": Bench().store})
    with pytest.raises(ConfigurationError, match="control unit 'brakes'"):
        troubles.set("brakes", "P0301", "failed", 0)
    with pytest.raises(ConfigurationError, match="trouble code 'P0999'"):
        troubles.set("engine", "P0999", "held", 0)
    with pytest.raises(ConfigurationError, match="control unit 'brakes'"):
        troubles.clear("brakes")
