"""The test equipment for clusters, by itself: frames as a table makes them, and what a virtual cluster says to them.

No bench and no profile: the drive is a sine, and the frames are those of the table.
"""

import pytest

from ..clusters.catalogue import CLUSTERS
from ..clusters.mutations import mutations
from ..clusters.recording import Heard, judged, synthetic
from ..clusters.table import Cluster

SECONDS = 6.0
FROM = 2.0


@pytest.fixture(scope="module", params=CLUSTERS)
def cluster(request: pytest.FixtureRequest) -> Cluster:
    return CLUSTERS[request.param]


@pytest.fixture(scope="module")
def heard(cluster: Cluster) -> list[Heard]:
    return list(synthetic(cluster, SECONDS))


def test_a_cluster_believes_its_own_table(cluster: Cluster, heard: list[Heard]) -> None:
    """No complaint, all needles up, every lamp dark, and trip and litres are those of the drive."""
    virtual = judged(cluster, heard)
    assert not virtual.complaints
    assert virtual.awake
    assert None not in virtual.needles.values()
    assert not virtual.lamps
    first, last = heard[0].car, heard[-1].car
    for frame in cluster.frames:
        for field in frame.fields:
            if field.counts == "trip":
                driven = last.Odometer - first.Odometer
                assert virtual.trip == pytest.approx(driven, rel=0.01, abs=2 / field.rate + 3)


def test_a_cluster_names_what_is_wrong(cluster: Cluster, heard: list[Heard]) -> None:
    """Each frame left out, late, short, with a stuck or jumping counter or a wrong checksum, in turn."""
    unseen = [
        f"{mutation.frame.name} {mutation.how}"
        for mutation in mutations(cluster, heard, FROM)
        if mutation.frame.period < 1000 * (SECONDS - FROM) / 6
        if not mutation.is_noticed()
    ]
    assert not unseen
