"""What the cluster says is a sentence: shown against sent."""

from hilbridge.faces.explain.said import sentences
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from .cluster import status


def test_shown_is_told_against_sent(bench: VirtualBench) -> None:
    """With the tolerance; where nothing is compared, what it says alone."""
    for said, wrong, words in (
        (0, False, "Speed shown: cluster says 0 km/h, we send 0 km/h (within 3 km/h)"),
        (9, True, "Speed shown: cluster says 9 km/h, we send 0 km/h (differs by more than 3 km/h)"),
    ):
        bench.send("dash", Frame(0x430, bytes((1, said))))
        bench.advance(0.01)
        first, second = sentences(status(bench, "cluster"))
        assert (first.report, first.text, first.wrong) == ("Cluster (0x430)", words, wrong)
        assert (second.text, second.wrong) == ("Light: cluster says 1", False)


def test_a_cluster_that_is_silent_is_told(bench: VirtualBench) -> None:
    """Before its first frame, and after three of its periods."""
    bench.advance(1)
    (said,) = sentences(status(bench, "cluster"))
    assert (said.text, said.wrong) == ("the cluster has not sent it", True)
    bench.send("dash", Frame(0x430, b"\x00\x00"))
    bench.advance(0.5)
    (said,) = sentences(status(bench, "cluster"))
    assert (said.text, said.wrong) == ("the cluster has been silent for 499 ms", True)
