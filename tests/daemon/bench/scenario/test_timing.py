"""Steps that measure the cycle time of a frame. A tick is 10 ms."""

from collections.abc import Collection
from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.frames.codec.frame import Frame

from .stages import Rig

STEP = "{{period: {{bus: can, message: 0x123, cycle: 0.03{}}}, for: 0.3}}"


def played(folder: Path, step: str, ticks: Collection[int]) -> Rig:
    """A frame 0x123 in these ticks."""
    rig = Rig(folder, step)
    for tick in range(40):
        if tick in ticks:
            rig.bus.transmit(Frame(0x123, b""), None)
        rig.tick()
    return rig


def test_the_mean_must_be_the_cycle_time(tmp_path: Path) -> None:
    """Intervals of 20 and 40 ms have the mean of 30 ms; without a jitter they pass."""
    rig = played(tmp_path, STEP.format(""), (1, 3, 7, 9, 13))
    assert rig.verdicts() == ["passed"]
    assert rig.scenario.verdicts[0].seen == "5 frames: mean 30 ms for 30 ms, shortest 20 ms, longest 40 ms"


@pytest.mark.parametrize(("jitter", "verdict"), [(0.01, "passed"), (0.009, "failed")])
def test_a_single_interval_may_not_differ_by_more_than_the_jitter(tmp_path: Path, jitter: float, verdict: str) -> None:
    assert played(tmp_path, STEP.format(f", jitter: {jitter}"), (1, 3, 7, 9, 13)).verdicts() == [verdict]


@pytest.mark.parametrize(("tolerance", "verdict"), [(0.34, "passed"), (0.33, "failed")])
def test_the_mean_has_a_tolerance(tmp_path: Path, tolerance: float, verdict: str) -> None:
    """40 ms for 30 ms: a third too long."""
    assert played(tmp_path, STEP.format(f", tolerance: {tolerance}"), (1, 5, 9)).verdicts() == [verdict]


def test_a_single_frame_has_no_cycle(tmp_path: Path) -> None:
    rig = played(tmp_path, STEP.format(""), (1,))
    assert rig.verdicts() == ["failed"]
    assert rig.scenario.verdicts[0].seen == "1 can.0x123 in 0.3 s"


def test_in_the_background_it_is_measured_to_the_end(tmp_path: Path) -> None:
    step = "{period: {bus: can, message: 0x123, cycle: 0.03}, background: true}\n{always: '1', for: 0.2}"
    assert played(tmp_path, step, range(1, 40, 3)).verdicts() == ["passed", "passed"]


def test_the_cycle_time_is_that_of_the_database(tmp_path: Path) -> None:
    """EngineData1 has one, and does not come; an identifier has none, and needs to be told it."""
    rig = Rig(tmp_path, "{period: {bus: can, message: EngineData1}, for: 0.1}")
    rig.tick(20)
    assert rig.verdicts() == ["failed"]
    with pytest.raises(InvalidFileError, match=r"scenario.yaml:2: .*period.cycle: is missing"):
        Rig(tmp_path, "{period: {bus: can, message: 0x123}, for: 0.1}")
