"""What the cluster says itself is kept, decoded when somebody looks, and compared with the model."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.reported_frames import ReportedFrames
from hilbridge.files.settings.reports import Report
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench
from vehiclesim.databus import DataBus

from ..faces.explain.cluster import desk, status


def report(**keys: object) -> Report:
    signal = {"bit": 0, "width": 8} | keys
    return Report.model_validate({"id": 0x430, "period": 100, "signals": {"Speed": signal}})


def test_what_is_said_is_compared_with_the_model() -> None:
    """Beyond the larger tolerance it differs; half a step is rounding."""
    data = DataBus()
    frames = ReportedFrames({"Cluster": report(compare="80", percent=5, tolerance=2)}, ())
    for said, differs in ((80, False), (84, False), (85, True), (76, False), (75, True)):
        frames.receive(Frame(0x430, bytes((said,))), MILLISECOND)
        (signal,) = frames.status(data.channels, 2 * MILLISECOND)[0].signals
        assert (signal.says, signal.compared, signal.allowed) == (said, 80, 4)
        assert signal.differs is differs


def test_a_report_is_missing_after_three_of_its_periods() -> None:
    """Before its first frame too; a frame that is too short counts as none."""
    data = DataBus()
    frames = ReportedFrames({"Cluster": report()}, ())
    assert frames.status(data.channels, 0)[0].missing
    frames.receive(Frame(0x430, b""), 0)
    assert frames.status(data.channels, 0)[0].count == 0
    frames.receive(Frame(0x430, b"\x07"), 0)
    assert not frames.status(data.channels, 300 * MILLISECOND)[0].missing
    assert frames.status(data.channels, 301 * MILLISECOND)[0].missing


@given(st.binary(max_size=64), st.integers(0, 55), st.integers(1, 8), st.sampled_from(["little", "big"]))
def test_no_frame_of_the_cluster_does_harm(data: bytes, bit: int, width: int, order: str) -> None:
    """Whatever its bytes are."""
    frames = ReportedFrames({"Cluster": report(bit=bit | 7, width=width, order=order, compare="1")}, ())
    frames.receive(Frame(0x430, data), 0)
    assert len(frames.status(DataBus().channels, 0)[0].signals) == 1


def test_the_status_has_what_the_cluster_says(dash: VirtualBench) -> None:
    """By bus, with what it should say, and how long it has been silent."""
    dash.advance(0.1)
    dash.send("dash", Frame(0x430, bytes((1, 90))))
    dash.advance(0.05)
    (said,) = status(dash, "cluster")["cluster"]["dash"]["reports"]
    assert (said["report"], said["id"], said["count"], said["missing"]) == ("Cluster", "0x430", 1, False)
    assert 40 <= said["silent_ms"] <= 50
    assert [(one["signal"], one["says"], one["differs"]) for one in said["signals"]] == [
        ("Speed shown", 90, True),
        ("Light", 1, False),
    ]


def test_mistakes_have_their_place(tmp_path: Path) -> None:
    """File, line and key, as everywhere."""
    for old, new, key in (
        ("compare: abs(vehicle.Speed) * 3.6", "compare: abs(vehicle.Sped) * 3.6", "compare"),
        ("{bit: 0, width: 1}", "{bit: 8, width: 1}", "signals"),
        ("{bit: 0, width: 1}", "{bit: 0, width: 1, percent: 3}", "percent"),
        ("answer: 0x660", "answer: 0x6F1", "answer"),
    ):
        with pytest.raises(ConfigurationError, match=rf"desk.yaml:\d+: .*{key}"), desk(tmp_path, (old, new)):
            pass
