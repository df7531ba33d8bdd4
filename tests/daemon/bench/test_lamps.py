"""The facts about lamps are read without a trace in the run."""

import pytest

from hilbridge.bench.lamps import lamp_pieces
from hilbridge.boundary.record.boundary import RecordedLink
from hilbridge.testing import VirtualBench


def test_looking_asks_nothing_that_a_recording_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay, in which nobody looks, would number the answers of the links otherwise."""
    with VirtualBench("cluster") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.5)

        def counted(link: RecordedLink, can_id: int) -> bool:
            raise AssertionError(f"{can_id:X} was asked for")

        monkeypatch.setattr(RecordedLink, "accepts", counted)
        pieces = dict(lamp_pieces(bench.parts))
        monkeypatch.undo()
    rows = pieces["lamps", "frames"]
    assert rows
