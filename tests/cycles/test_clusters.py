"""Ten minutes of the WLTC with every profile of a cluster: the needles, the lamps, the trip and the litres."""

from pathlib import Path

import pytest

from hilbridge.drive.cycles import find_cycle
from hilbridge.testing import VirtualBench

from ..clusters.catalogue import CLUSTERS
from ..clusters.recording import bench_of, record
from ..clusters.virtual import VirtualCluster

SECONDS = 600


@pytest.mark.parametrize("name", CLUSTERS)
def test_a_cluster_lives_for_ten_minutes_of_the_cycle(name: str, tmp_path: Path) -> None:
    """No complaint; trip and litres within 1 % of the vehicle's; no lamp and no resting needle after the first look."""
    trace = find_cycle("wltc")
    points = [[t, v * 3.6] for t, v in zip(trace.times, trace.speeds, strict=True) if t <= SECONDS]
    cluster = CLUSTERS[name]
    virtual = VirtualCluster(cluster)
    steps = [{"set": {"input.Key": 0}}, {"after": 1.5, "drive": {"points": points}}]
    with VirtualBench(bench_of(cluster, tmp_path), start={"coolant": 70}) as bench:
        heard = record(bench, tmp_path, {"purpose": "Ten minutes of the WLTC", "steps": steps})
    looked = 6.0
    for one in heard:
        virtual.power(one.t, one.car.ignition)
        virtual.receive(one.t, one.can_id, one.data)
        if one.t > looked + 1.0 and one.car.ignition:
            looked = one.t
            assert not virtual.lamps, one.t
            assert None not in virtual.needles.values(), one.t
    assert not virtual.complaints
    last = heard[-1].car
    for field in (field for frame in cluster.frames for field in frame.all_fields() if field.counts):
        counted, truth = {
            "trip": (virtual.trip, last.Odometer),
            "litres": (virtual.litres, last.FuelUsed),
        }[field.counts]
        assert counted == pytest.approx(truth, rel=0.01, abs=2 / field.rate)
