"""Settings of faults of diagnostics: each effect has its keys, and a key that does nothing is told."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.diagnostic_faults import KINDS, DiagnosticsFault

CHECKOUT = Path(__file__).parents[4]
NEEDED = {
    "late": {"delay": 5},
    "refuse": {"code": 0x22},
    "wrong-padding": {"value": 0},
    "wrong-dlc": {"length": 4},
    "wrong-length": {"amount": -1},
    "wrong-pace": {"st_min": 0},
    "foreign-flow-control": {"can_id": 0x7E9},
}


def made(effect: str, **keys: Any) -> DiagnosticsFault:
    return DiagnosticsFault.model_validate({"kind": "diagnostics", "unit": "engine", "effect": effect, **keys})


@pytest.mark.parametrize("effect", KINDS)
def test_each_effect_needs_its_keys_and_no_others(effect: str) -> None:
    made(effect, **NEEDED.get(effect, {}))
    if effect in NEEDED:
        with pytest.raises(ValidationError, match="needs"):
            made(effect)


@pytest.mark.parametrize(
    ("effect", "keys", "reason"),
    [
        ("missing", {"delay": 5}, "belongs to 'effect: late or lost-session or reset'"),
        ("late", {"delay": 5, "count": 2}, "belongs to 'effect: pending or wait'"),
        ("babble", {"service": 0x22}, "babbles without being asked"),
        ("swapped-frames", {"frame": 0}, "at least 1"),
        ("wrong-dlc", {"length": 9}, "no CAN frame of 9 bytes"),
        ("wrong-length", {"amount": 0}, "0 changes nothing"),
        ("missing", {"service": 0x62}, "62 is an answer, not a request"),
    ],
)
def test_a_key_without_an_effect_is_told(effect: str, keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        made(effect, **keys)


@pytest.mark.parametrize(
    ("data", "reason"), [("7", "not in hexadecimal"), ("", "1 to 7 bytes"), ("00" * 8, "1 to 7 bytes")]
)
def test_what_is_babbled_fits_into_a_frame(data: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        made("babble", data=data)


def test_keys_have_the_defaults_of_their_effect() -> None:
    assert (made("reset").get("delay"), made("lost-session").get("delay")) == (500, 0)
    assert (made("pending").get("count"), made("pending").get("interval")) == (None, 100)
    assert made("reset", delay=0).get("delay") == 0


def test_it_is_described_with_what_was_said() -> None:
    fault = made("pending", count=3, interval=50, service=0x22, identifier=0x0100, every=2)
    assert fault.describe() == ("diagnostics engine pending count=3 interval=50 ms service=22 identifier=0100 every=2")
    assert made("babble", data="7E 00").describe() == "diagnostics engine babble data=7E 00"


def test_the_reference_has_every_effect_with_its_keys() -> None:
    reference = (CHECKOUT / "config/reference/faults.md").read_text(encoding="utf-8")
    table = reference.partition("Effects of `kind: diagnostics`")[2].partition("\n##")[0]
    for effect, kind in KINDS.items():
        (row,) = (line for line in table.splitlines() if line.startswith(f"| `{effect}` |"))
        assert set(row.split("|")[2].replace("`", "").replace(",", "").split()) == {*kind.needs, *kind.has}
