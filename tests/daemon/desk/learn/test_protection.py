"""Checksums with their certainty: what is right, and what must not be claimed."""

from typing import Any

import numpy as np
import pytest
from tests.learn_rates import outcome

from hilbridge.desk.learn.bits import bit_statistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.protection import Finding, find_protection, with_the_others
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.protection import build_checker

from .frames import protected, series

IDS = [0x67, 0x8A, 0xAE, 0x22, 0x4D, 0xD0, 0x51, 0x80, 0x5C, 0xB9, 0xCE, 0x1E, 0xDF, 0x02, 0x2D, 0xD4]


def find(protection: Any, **frames: Any) -> Finding:
    one = protected(protection, **frames)
    return find_protection(one, bit_statistics(one.data))


@pytest.mark.parametrize(
    "name",
    ["bmw-e", "chrysler", "fca-giorgio", "honda", "hyundai-canfd", "j1939", "j1939-xbr", "subaru", "tesla", "toyota"],
)
def test_a_preset_is_recognized(name: str) -> None:
    """With its places, constants and counter."""
    found = find(name)
    assert found.preset == name
    assert found.settings == [{"preset": name}]
    assert found.certainty is Certainty.SURE


def test_the_data_ids_of_a_preset_make_it_sure_though_nothing_else_changes() -> None:
    """The identifier has 16 of its own: no chance makes these."""
    found = find("vw-mqb", identifier=0x0FD, still=(1, 2, 3, 4, 5, 6, 7))
    assert found.settings == [{"preset": "vw-mqb"}]
    assert found.certainty is Certainty.SURE


def test_data_ids_that_nobody_knows_are_found() -> None:
    checksum = {"algorithm": "crc8", "polynomial": 0x2F, "after": ["data-id"], "data_ids": IDS}
    group = {"counter": {"at": {"bit": 8, "width": 4}}, "checksum": {"at": {"bit": 0, "width": 8}, **checksum}}
    found = find(group, count=1500)
    assert found.checksum is not None
    assert found.checksum.settings["data_ids"] == IDS
    assert found.certainty is Certainty.SURE


@pytest.mark.parametrize(
    "checksum",
    [
        {"at": {"bit": 56, "width": 8}, "algorithm": "crc8", "polynomial": 0x9B, "initial": 0, "xor_out": 0x77},
        {"at": {"bit": 0, "width": 16}, "algorithm": "crc16", "polynomial": 0x8005, "initial": 0, "xor_out": 0xFFFF},
        {"at": {"bit": 24, "width": 8}, "algorithm": "sum8", "negate": True, "initial": 0x13},
        {"at": {"bit": 52, "width": 4}, "algorithm": "nibble-sum", "negate": True, "initial": 11},
        {"at": {"bit": 56, "width": 8}, "algorithm": "sum8", "first": 2},
    ],
)
def test_a_checksum_is_found_as_it_was_written(checksum: dict[str, Any]) -> None:
    """All bytes changed: it is sure."""
    found = find({"counter": {"at": {"bit": 32, "width": 4}}, "checksum": checksum})
    assert found.settings == [{"counter": {"at": {"bit": 32, "width": 4}}, "checksum": checksum}]
    assert found.certainty is Certainty.SURE


def test_a_byte_that_never_changed_may_count_or_not() -> None:
    """So nobody can be sure, unless other frames of the log are made alike."""
    group = {"checksum": {"at": {"bit": 56, "width": 8}, "algorithm": "crc8"}}
    quiet = protected(group, still=(2, 3), identifier=0x200)
    full = [protected(group, identifier=identifier) for identifier in (0x201, 0x202)]
    findings = [find_protection(one, bit_statistics(one.data)) for one in (quiet, *full)]
    assert [one.certainty for one in findings] == [Certainty.LIKELY, Certainty.SURE, Certainty.SURE]
    assert "bytes 2, 3" in findings[0].evidence
    assert with_the_others([quiet, *full], findings)[0].certainty is Certainty.SURE


def test_a_rule_that_a_few_payloads_fit_is_not_claimed() -> None:
    """Constant content under a counter: xor, sums and many CRCs make the same."""
    group = {"counter": {"at": {"bit": 8, "width": 4}}, "checksum": {"at": {"bit": 0, "width": 8}, "algorithm": "xor8"}}
    still = protected(group, still=(2, 3, 4, 5, 6, 7), identifier=0x300)
    found = find_protection(still, bit_statistics(still.data))
    assert found.checksum is None or found.certainty < Certainty.SURE


def test_an_unknown_checksum_over_content_that_rests_is_kept_by_its_numbers() -> None:
    """Said to be unknown, and sent right as long as nothing else changes."""
    checksum = {"algorithm": "crc8", "polynomial": 0x2F, "after": ["data-id"], "data_ids": IDS}
    group = {"counter": {"at": {"bit": 8, "width": 4}}, "checksum": {"at": {"bit": 0, "width": 8}, **checksum}}
    one = protected(group, still=(2, 3, 4, 5, 6, 7, 1), identifier=0x301)
    found = find_protection(one, bit_statistics(one.data))
    assert found.certainty is Certainty.UNKNOWN
    checker = build_checker([ProtectionSettings.model_validate(each) for each in found.settings], None, 0x301, 8, ())
    assert checker is not None
    assert {checker.check(row.tobytes()) for row in one.data} == {None}


def test_a_signal_that_is_sent_twice_is_no_checksum() -> None:
    rng = np.random.default_rng(1)
    data = rng.integers(0, 256, (400, 8), np.uint8)
    data[:, 3] = ~data[:, 6]
    data[:, 1] = 7
    one = series(data)
    assert find_protection(one, bit_statistics(data)).settings == []


def test_payloads_that_a_starting_sender_spoils_do_not_hide_a_checksum() -> None:
    """A few of a thousand are zeros; how many agree is in the evidence."""
    group = {"checksum": {"at": {"bit": 56, "width": 8}, "algorithm": "crc8", "polynomial": 0x31}}
    data = protected(group, count=1000).data.copy()
    data[:3] = np.arange(3)[:, None] + 1
    one = series(data)
    found = find_protection(one, bit_statistics(data))
    assert found.checksum is not None
    assert found.checksum.settings["polynomial"] == 0x31
    assert found.checksum.payloads < found.checksum.of


@pytest.mark.parametrize("seed", range(60))
def test_no_checksum_is_claimed_as_sure_that_is_wrong(seed: int) -> None:
    """Random frames, random protections, made without the code under test."""
    kind, what = outcome(seed)
    assert what != "sure, wrong", kind
    assert "wrong" not in what or kind != "none"
