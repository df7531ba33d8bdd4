"""Known values and the bits that carry them; the frames are encoded by cantools."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cantools.database.can import Database

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.correlation import Signal, find_signals
from hilbridge.desk.learn.known_values import Known, read_known

from .frames import series

PERIOD = 10_000_000


def at(count: int) -> np.ndarray:
    """The times of frames [ns]."""
    return np.arange(count, dtype=np.float64) * PERIOD


def learned(signal: str, values: np.ndarray, name: str = "speed", unit: str = "km/h") -> Signal:
    """The signal found in frames that a database line encodes, beside one of noise."""
    text = f'VERSION ""\nBU_: A\nBO_ 291 M: 8 A\n SG_ S : {signal} [0|0] "" A\n SG_ N : 56|8@1+ (1,0) [0|0] "" A\n'
    database = Database()
    database.add_dbc_string(text)
    rng = np.random.default_rng(1)
    rows = [
        database.encode_message("M", {"S": float(value), "N": int(noise)}, strict=False)
        for value, noise in zip(values, rng.integers(0, 256, len(values)), strict=True)
    ]
    known = Known(name, unit, at(len(values)), values)
    (found,) = find_signals(series(rows), [known], np.zeros(8, np.uint8))
    return found


WALK = 110 + 80 * np.sin(np.arange(3000) / 300) + np.random.default_rng(2).normal(0, 0.3, 3000)


@pytest.mark.parametrize(
    ("signal", "settings"),
    [
        ("8|16@1+ (0.01,0)", {"bit": 8, "width": 16, "scale": 0.01}),
        ("15|16@0+ (0.0625,0)", {"bit": 15, "width": 16, "order": "big", "scale": 0.0625}),
        ("16|8@1+ (1,-40)", {"bit": 16, "width": 8, "offset": -40.0}),
        ("12|12@1+ (0.1,-20)", {"bit": 12, "width": 12, "scale": 0.1, "offset": -20.0}),
    ],
)
def test_place_order_scale_and_offset_are_found(signal: str, settings: dict[str, Any]) -> None:
    found = learned(signal, WALK)
    assert found.settings() == pytest.approx(settings) if "order" not in settings else found.settings() == settings
    assert abs(found.correlation) > 0.9999


def test_a_signed_signal_is_found() -> None:
    found = learned("8|16@1- (0.5,0)", WALK * 20 - 2000)
    assert found.settings() == {"bit": 8, "width": 16, "signed": True, "scale": 0.5}
    assert found.certainty is Certainty.SURE


def test_a_value_with_noise_is_likely_at_most() -> None:
    values = WALK * 1.0
    text = learned("8|16@1+ (0.01,0)", values)
    noisy = Known("speed", "", at(3000), values + np.random.default_rng(3).normal(0, 0.5, 3000))
    assert text.certainty is Certainty.SURE
    rows = np.zeros((3000, 8), np.uint8)
    rows[:, 1:3] = np.round(values * 100).astype("<u2").view(np.uint8).reshape(-1, 2)
    (found,) = find_signals(series(rows), [noisy], np.zeros(8, np.uint8))
    assert found.certainty is Certainty.LIKELY


def test_nothing_is_said_of_values_that_no_bits_carry() -> None:
    rows = np.random.default_rng(4).integers(0, 256, (1000, 8), np.uint8)
    known = Known("speed", "", at(1000), WALK[:1000])
    assert find_signals(series(rows), [known], np.zeros(8, np.uint8)) == []


def test_times_of_the_log_or_from_its_start_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("time [s],speed [km/h],rpm\n0,1,\n5,2,800\n10,3,900\n")
    speed, rpm = read_known(path, 1_000 * 10**9, 1_010 * 10**9)
    assert (speed.name, speed.unit, speed.times[0]) == ("speed", "km/h", 1_000e9)
    assert rpm.values.tolist() == [800, 900]
    path.write_text("timestamp [ms];x\n".replace(";", ",") + "1000000,1\n1010000,2\n")
    (only,) = read_known(path, 1_000 * 10**9, 1_010 * 10**9)
    assert only.times.tolist() == [1_000e9, 1_010e9]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the file is empty"),
        ("a,b\n1,2\n2,3\n", r":1: there is no column 'time'; there are a, b"),
        ("time\n1\n2\n", ":1: there are no values beside the time"),
        ("time [h],x\n1,2\n2,3\n", ":1: time: the unit 'h', but s or ms is expected"),
        ("time,x\n1,2\n2,fast\n", r"v\.csv:3: x: 'fast' is not a number"),
        ("time,x\n1,2\n2\n", r"v\.csv:3: 1 values for 2 columns"),
        ("time,x\n2,2\n1,3\n", r"v\.csv:3: 1 after 2: times ascend"),
        ("time,x\n,2\n1,3\n", r"v\.csv:2: time: '' is not a number"),
        ("time,x\n1,2\n", "1 lines of values: too few"),
        ("time,x\n1,\n9,\n", "no numbers"),
        ("time,x\n500,1\n600,2\n", r"500\.000 to 600\.000 s, do not overlap those of the log"),
    ],
)
def test_values_that_cannot_be_used_are_refused_with_their_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "v.csv"
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=complaint):
        read_known(path, 1_000 * 10**9, 1_010 * 10**9)
