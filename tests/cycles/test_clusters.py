"""Ten minutes of the WLTC with every profile of a cluster: the needles, the lamps, the trip and the litres."""

from collections.abc import Iterable
from pathlib import Path

import pytest
import yaml

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from ..clusters.catalogue import CLUSTERS
from ..clusters.recording import bench_of
from ..clusters.virtual import VirtualCluster

SECONDS = 600
STARTED = 6.0
"""[s] after which the engine runs by itself, and no bulb is checked any more."""


class Desk:
    """A virtual cluster on the wire of a bench, and who looks at it once a second: what is wrong is in `seen`."""

    def __init__(self, bench: VirtualBench, cluster: VirtualCluster) -> None:
        self.seen: dict[str, float] = {}
        self._bench = bench
        self._cluster = cluster
        self._looked = STARTED

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        self._cluster.receive(t, frame.can_id, bytes(frame.data))
        return ()

    def tick(self, t: float) -> Iterable[Frame]:
        ignition = self._bench.read("input.Key") >= 0
        self._cluster.power(t, ignition)
        if ignition and t > self._looked + 1.0:
            self._looked = t
            resting = {f"{name} rests" for name, value in self._cluster.needles.items() if value is None}
            for wrong in self._cluster.lamps | resting:
                self.seen.setdefault(wrong, t)
        return ()


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_cluster_lives_for_ten_minutes_of_the_cycle(name: str, tmp_path: Path) -> None:
    """No complaint, no lamp, no needle that rests; trip and litres within 1 % of the vehicle's."""
    trace = find_cycle("wltc")
    points = [[t, v * 3.6] for t, v in zip(trace.times, trace.speeds, strict=True) if t <= SECONDS]
    steps = [{"set": {"input.Key": 0}}, {"after": 1.5, "drive": {"points": points}}]
    scenario = tmp_path / "drive.yaml"
    scenario.write_text(yaml.safe_dump({"purpose": "Ten minutes of the WLTC", "steps": steps}), encoding="utf-8")
    cluster = VirtualCluster(CLUSTERS[name])
    with VirtualBench(bench_of([CLUSTERS[name]], tmp_path), start={"coolant": 70}) as bench:
        desk = Desk(bench, cluster)
        bench.attach(name, desk)
        assert bench.play(scenario).passed
        truth = {"trip": bench.read("auxiliary.Odometer"), "litres": bench.read("auxiliary.FuelUsed")}
    assert not desk.seen
    assert not cluster.complaints
    counted = {"trip": cluster.trip, "litres": cluster.litres}
    for field in (field for frame in CLUSTERS[name].frames for field in frame.fields if field.counts):
        assert counted[field.counts] == pytest.approx(truth[field.counts], rel=0.01, abs=2 / field.rate)
