"""What error frames say, in the numbers of linux/can/error.h."""

import pytest

from hilbridge.codec.frame import ERROR, Frame
from hilbridge.links import error_frame
from hilbridge.links.link import LinkStatistics


@pytest.mark.parametrize(
    ("classes", "controller", "condition"),
    [
        (0x004, 0x04, "error_warning"),  # reception has 96 errors
        (0x004, 0x08, "error_warning"),  # transmission has
        (0x004, 0x10, "error_passive"),
        (0x004, 0x20, "error_passive"),
        (0x004, 0x28, "error_passive"),  # both, of which the worse counts
        (0x040, 0x00, "bus_off"),
        (0x044, 0x30, "bus_off"),
        (0x004, 0x01, None),  # receive buffer overflow
        (0x004, 0x40, None),  # error active again
        (0x100, 0x00, None),  # restarted
        (0x008, 0x30, None),  # a protocol violation: data[1] is no matter of the controller
    ],
)
def test_the_worst_condition_is_counted(classes: int, controller: int, condition: str | None) -> None:
    """Every error frame counts as an error, and under one condition at most."""
    statistics = LinkStatistics()
    error_frame.count(Frame(ERROR | classes, bytes([0, controller, 0, 0, 0, 0, 0, 0])), statistics)
    expected = LinkStatistics(errors=1)
    if condition is not None:
        setattr(expected, condition, 1)
    assert statistics == expected


def test_an_error_frame_without_data_is_survived() -> None:
    statistics = LinkStatistics()
    error_frame.count(Frame(ERROR | 0x004, b""), statistics)
    assert statistics.errors == 1
