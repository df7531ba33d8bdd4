"""The picture of a recording: panels by unit, states by name, commands on top."""

from array import array

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from hilbridge.base.plots.courses import SampledQuantity
from hilbridge.base.plots.recording import Span, draw_recording

TIMES = [0.0, 1.0, 2.0, 3.0]
QUANTITIES = [
    SampledQuantity("vehicle.EngineTorque", "Nm", array("d", [0, 50, 80, 90])),
    SampledQuantity("input.Key", "", array("d", [0, 1, 0, 0])),
    SampledQuantity("vehicle.ClutchTorque", "Nm", array("d", [0, 40, 70, 80])),
]
CODES = {"input.Key": {-1: "off", 0: "on", 1: "start"}}


def drawn(*spans: Span) -> Figure:
    return draw_recording("demo", TIMES, QUANTITIES, spans, CODES)


def names(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.get_yticklabels()]


def test_entries_with_the_same_unit_share_a_panel() -> None:
    torque, key = drawn().axes
    assert [line.get_label() for line in torque.lines] == ["vehicle.EngineTorque", "vehicle.ClutchTorque"]
    assert torque.get_ylabel() == "Nm"
    assert np.asarray(torque.lines[1].get_ydata()).tolist() == [0, 40, 70, 80]
    assert [line.get_label() for line in key.lines] == ["input.Key"]


def test_a_code_is_labelled_with_the_states_that_it_had() -> None:
    assert names(drawn().axes[1]) == ["on", "start"]


def test_commands_stand_on_top() -> None:
    """A bar as long as an entry was held, to the end where it was not released; a diamond for what has no length."""
    top = drawn(("input.Key", 0.5, 1.5), ("road.Slope", 2.0, None), ("arm can0", 1.0, 1.0), ("late", 9.0, None)).axes[0]
    assert names(top) == ["input.Key", "road.Slope", "arm can0"]
    assert [(bar.get_x(), bar.get_width()) for bar in top.patches if isinstance(bar, Rectangle)] == [
        (0.5, 1.0),
        (2.0, 1.0),
    ]
    (diamond,) = top.lines
    assert (np.asarray(diamond.get_xdata()).tolist(), diamond.get_marker()) == ([1.0], "D")


def test_too_many_rows_of_commands_are_counted() -> None:
    top = drawn(*((f"fault {number}", 1.0, 1.0) for number in range(100))).axes[0]
    assert names(top)[-1] == "and 71 more"
    assert len(names(top)) == 30
