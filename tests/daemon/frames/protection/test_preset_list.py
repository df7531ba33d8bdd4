"""The presets in words."""

from typing import get_args

import pytest

from hilbridge.files.settings.protection import Preset
from hilbridge.frames.protection.preset_list import preset_facts


@pytest.mark.parametrize("preset", get_args(Preset))
def test_every_preset_says_who_uses_it_and_who_found_out(preset: Preset) -> None:
    """And where checksum and counter lie."""
    facts = preset_facts(preset)
    assert all(facts[key] for key in ("used_by", "checksum", "counter", "source"))


@pytest.mark.parametrize(
    ("preset", "key", "words"),
    [
        ("bmw-f", "checksum", "byte 0: crc8, polynomial 0x1D, start 0xFF, final xor by identifier"),
        ("bmw-e", "checksum", "byte 0: sum8, start: the identifier, carry added back"),
        ("vw-mqb", "checksum", "byte 0: crc8, polynomial 0x2F, start 0xFF, final xor 0xFF, after the bytes: data-id"),
        ("honda", "counter", "last byte (bits 4 to 5): 0 to 3"),
        ("chrysler", "counter", "byte before the last (bits 4 to 7): 0 to 15"),
        ("psa", "counter", "none, or where named"),
    ],
)
def test_places_and_parameters(preset: Preset, key: str, words: str) -> None:
    """As the makers' projects describe them."""
    assert preset_facts(preset)[key] == words


def test_places_by_frame() -> None:
    """Of the E65, by its frames in HeinrichG-V12/E65_ReverseEngineering; they are the usual ones elsewhere."""
    places = preset_facts("bmw-e")["places of checksum and counter by identifier"]
    assert {key: place for key, place in places.items() if place != places["others"]} == {
        "0x0BA": "byte 5 and byte 6 (bits 0 to 3)",
        "0x130": "byte 4 (bits 4 to 7) and byte 4 (bits 0 to 3)",
        "0x190": "byte 7 (bits 4 to 7) and byte 3 (bits 0 to 3)",
        "0x1A0": "byte 7 and byte 6 (bits 4 to 7)",
        "0x1B4": "byte 7 and byte 3 (bits 0 to 3)",
    }
    assert places["others"] == "byte 0 and byte 1 (bits 0 to 3)"


def test_constants_by_frame() -> None:
    """One for each frame that is known, and that of the others where there is one."""
    assert preset_facts("bmw-f")["final xor by identifier"]["0x0F3"] == "0x7A"
    assert preset_facts("vw-mqb")["data ids by identifier"]["0x0FD"].startswith("B4 EF F8 49")
    assert preset_facts("vw-mqb")["data ids by identifier"]["0x3C0"] == "C3 for all counts"
    assert preset_facts("psa")["start by identifier"]["others"] == "0x0B"
    assert preset_facts("hyundai-canfd")["final xor by length"]["8 bytes"] == "0x5F29"
