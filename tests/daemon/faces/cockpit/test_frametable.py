"""The rows that the page shows of the frames."""

import struct
from typing import Any

from hilbridge.faces.cockpit.decoding import Decoder
from hilbridge.faces.cockpit.frametable import FrameTable

from ....program import CHECKOUT

RPM = "A00F" + 12 * "0"
"""4000 quarters of an rpm in EngineData1."""
DRIVER_INPUTS = 0x180


def table() -> FrameTable:
    frames = FrameTable()
    frames.decoders = {"powertrain": Decoder([CHECKOUT / "dbc/powertrain.dbc"])}
    return frames


def planned(**keys: Any) -> dict[str, Any]:
    """A frame as the status tells of those that are sent."""
    plan = {"bus": "powertrain", "id": "0x100", "message": "EngineData1", "sent": 7, "held_back": 0, "cycle_ms": 10.0}
    plan |= {"last_ms": 70.0, "withheld": 0, "awake": True, "armed": True, "protection": {}, "disturbed": False}
    return plan | keys


def source(accepted: int = 0, protected: bool = True, **rejected: int) -> dict[str, Any]:
    """An input as the status tells of it."""
    told = {"bus": "powertrain", "message": "DriverInputs", "protected": protected}
    return told | {"accepted": accepted, "rejected": rejected}


def traffic(*sightings: list[Any], inputs: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return {"buses": {"powertrain": list(sightings)}, "inputs": inputs}


def test_a_frame_that_is_sent_is_shown_with_what_it_says() -> None:
    """What the plan counts and wants, the bytes that went, and what of it was on the bus since somebody looked."""
    (row,) = table().rows([planned()], traffic([0x100, False, 3, 69.0, RPM]))
    assert (row["seen"], row["seen_ms"]) == (3, 69.0)
    assert (row["id"], row["message"], row["received"]) == ("0x100", "EngineData1", False)
    assert (row["count"], row["last_ms"], row["cycle_ms"]) == (7, 70.0, 10.0)
    assert row["signals"][0] == ("EngineRpm", "1000", "rpm", "4000")


def test_intervals_are_those_of_the_last_frames() -> None:
    """Times [ns] in a ring of 16: 18 frames each 10 ms, the last one 3 ms late; those from outside have their own."""
    times = [number * 10_000_000 + (3_000_000 if number == 17 else 0) for number in range(18)]
    ring = struct.pack("<16q", times[16], times[17], *times[2:16]).hex()
    few = struct.pack("<16q", 0, 2_500_000, *(14 * [0])).hex()
    arrivals = {"powertrain": [[0x100, False, 18, ring], [DRIVER_INPUTS, True, 2, few]]}
    seen = traffic([0x100, False, 18, 173.0, RPM], [DRIVER_INPUTS, True, 2, 2.5, 16 * "0"], [0x7AB, True, 1, 0.0, ""])
    sent, known, unknown = table().rows([planned()], seen, arrivals)
    assert sent["intervals"] == [10.0] * 14 + [13.0]
    assert (known["intervals"], unknown["intervals"]) == ([2.5], [])


def test_a_frame_that_was_not_sent_yet_has_its_row() -> None:
    (row,) = table().rows([planned(sent=0, last_ms=None)], traffic())
    assert (row["count"], row["data"], row["signals"]) == (0, "", [])


def test_what_a_bus_that_is_not_armed_holds_back_does_not_count_as_sent() -> None:
    """Nor do other frames of the bench on it, such as those of a rest bus."""
    seen = traffic([0x100, False, 7, 69.0, RPM], [0x200, False, 3, 69.0, "00"]) | {"unarmed": ["powertrain"]}
    row, other = table().rows([planned(held_back=5, armed=False)], seen)
    assert (row["count"], row["held_back"], row["armed"]) == (2, 5, False)
    assert other["armed"] is False


def test_counters_and_checksums_that_went_are_shown_with_their_numbers() -> None:
    """Read from the bytes on the bus, of raw frames too; a number over two bytes; one that the bytes end before."""
    places = {
        "counter": [[6, 4, 0, 0xF0]],
        "checksum": [[0, 0, 0, 0xFF], [1, 0, 8, 0x03]],
        "checksum 2": [[8, 0, 0, 0xFF]],
    }
    frame = planned(id="0x77", message="Brakes", protection=places)
    (row,) = table().rows([frame], traffic([0x77, False, 1, 1.0, "2A0700000000B300"]))
    assert row["check"] == ["good", f"counter {0xB}, checksum {0x32A}, checksum 2"]
    assert row["roles"] == {0: "checksum", 1: "checksum", 6: "counter", 8: "checksum 2"}
    (unseen,) = table().rows([frame], traffic())
    assert unseen["check"] == ["good", "counter, checksum, checksum 2"]


def test_events_that_are_on_stand_with_the_signals() -> None:
    """By their names; a frame without events has none."""
    row, other = table().rows([planned(events=["door open"]), planned(id="0x200", events=None)], traffic())
    assert (row["signals"], other["signals"]) == ([["door open", "on", "", ""]], [])


def test_frames_from_outside_follow_known_or_not() -> None:
    """Also one with an identifier that the bench sends: two rows, for they are two senders."""
    sightings = ([0x100, True, 2, 5.0, RPM], [0x80000123, True, 1, 5.0, "AB"])
    sent, known, unknown = table().rows([planned()], traffic(*sightings))
    assert (sent["received"], sent["data"]) == (False, "")
    assert (known["received"], known["message"], known["count"]) == (True, "EngineData1", 2)
    assert (unknown["id"], unknown["message"], unknown["signals"]) == ("0x00000123", "", [])


def test_the_daemons_verdict_on_an_input_stands_until_the_next() -> None:
    """Valid; a wrong checksum; nothing new; valid again."""
    frames = table()
    seen = [DRIVER_INPUTS, True, 1, 1.0, 16 * "0"]
    steps = [source(5), source(5, wrong_checksum=1), source(5, wrong_checksum=1), source(6, wrong_checksum=1)]
    verdicts = [frames.rows([], traffic(seen, inputs=(step,)))[0]["check"] for step in steps]
    invalid = ["bad", "invalid: wrong checksum"]
    assert verdicts == [["good", "valid"], invalid, invalid, ["good", "valid"]]


def test_without_protection_there_is_nothing_to_check() -> None:
    seen = traffic([DRIVER_INPUTS, True, 1, 1.0, 16 * "0"], inputs=(source(1, protected=False),))
    assert table().rows([], seen)[0]["check"] == ["none", "nothing to check"]


def test_before_the_databases_are_read_there_are_bytes() -> None:
    (row,) = FrameTable().rows([], traffic([0x100, True, 1, 1.0, RPM]))
    assert (row["message"], row["data"], row["signals"]) == ("", RPM, [])
