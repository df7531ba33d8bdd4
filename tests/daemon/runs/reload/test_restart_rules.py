"""What a reload may change and what it may not: the table in restart_rules.py, a row each."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import dotted
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import BusSettings
from hilbridge.runs.reload.restart_rules import _LINK_KEYS, needs_restart

from ....program import demo_bench

ADOPTED_OF_A_BUS = {
    "profile",
    "reports",
    "diagnostics",
    "database",
    "transmit",
    "messages",
    "source_address",
    "raw",
    "rest_bus",
    "hardware",
    "armed",
    "never_send",
    "allow",
    "load_budget",
    "odometer",
    "protection",
    "range",
}
"""Keys of a bus that a reload adopts; `armed` at the next start."""


def test_each_key_of_a_bus_is_adopted_or_needs_a_restart() -> None:
    """A new key needs a decision: here, or in `_LINK_KEYS`."""
    assert not ADOPTED_OF_A_BUS & set(_LINK_KEYS)
    assert set(BusSettings.model_fields) == ADOPTED_OF_A_BUS | set(_LINK_KEYS)


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        ("rate: 1000 ", "rate: 500 ", ["rate"]),
        ("name: demo", "name: other", ["name"]),
        ("vehicle: compact", "vehicle: mx5-nd", ["vehicle"]),
        ("slcan: 0", "slcan: pty", ["buses.powertrain.slcan"]),
        ("port: pty", "port: /dev/ttyACM0", ["inputs"]),
        ("ways: [0, pty]", "ways: [0]", ["diagnostics.elm327"]),
        ("transmit: [HILBRIDGE]", "transmit: []", []),
        ("name: demo", "gateway: {}\nname: demo", []),
        ("name: demo", "shutdown: 1\nname: demo", []),
        ("name: demo", "clock: 2030-05-01T12:00:00\nname: demo", []),
    ],
)
def test_what_is_opened_once_needs_a_restart(old: str, new: str, keys: list[str], tmp_path: Path) -> None:
    file = demo_bench(tmp_path)
    text = file.read_text()
    assert text.count(old) == 1
    before = load_bench(str(file))
    file.write_text(text.replace(old, new))
    assert [dotted(key) for key in needs_restart(before, load_bench(str(file)))] == keys
