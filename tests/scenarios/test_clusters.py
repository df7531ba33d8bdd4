"""Every profile of a cluster against a virtual cluster and a table encoder, which know nothing of the profile.

One drive, a minute with every needle moving and every entry of the body, for six profiles at a time whose frames keep
step with 200 Hz: each has a bus of the same car. tests/cycles drives ten minutes.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from hilbridge.files.configuration.profiles import load_profile
from hilbridge.testing import VirtualBench

from ..clusters.catalogue import CLUSTERS
from ..clusters.mutations import mutations
from ..clusters.recording import DRIVING, Heard, bench_of, judged, minute, rate_of, record
from ..clusters.table import Cluster
from ..clusters.virtual import VirtualCluster
from ..program import CHECKOUT

SHARING = 6
"""Profiles with a bus of the same car."""

STARTED = 6.0
"""[s] after which the engine runs by itself, and no bulb is checked any more."""


PROFILES = sorted(
    file.stem for file in (CHECKOUT / "config/clusters").glob("*.yaml") if not file.stem.startswith("dash-")
)
"""Of instrument clusters; dashes of engine control units have protocols that other programs read."""


@pytest.fixture(scope="module", params=PROFILES)
def cluster(request: pytest.FixtureRequest) -> Cluster:
    return CLUSTERS[request.param]


def driven(clusters: Sequence[Cluster], folder: Path) -> dict[str, list[Heard]]:
    """What each of these clusters hears while one car drives."""
    recorded: dict[str, list[Heard]] = {cluster.name: [] for cluster in clusters}
    with VirtualBench(bench_of(clusters, folder), start={"coolant": 70}) as bench:
        for one in record(bench, folder, minute()):
            recorded[one.bus].append(one)
    return recorded


@pytest.fixture(scope="module")
def together(request: pytest.FixtureRequest) -> list[str]:
    """The profiles that are tried in this run and that may share a car."""
    tried = {item.callspec.params.get("cluster") for item in request.session.items if hasattr(item, "callspec")}
    return [name for name in PROFILES if name in tried and rate_of(CLUSTERS[name]) == 200]


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[Heard]]:
    """Drives that have been recorded and not been tried."""
    return {}


@pytest.fixture(scope="module")
def heard(
    cluster: Cluster,
    together: list[str],
    recorded: dict[str, list[Heard]],
    tmp_path_factory: pytest.TempPathFactory,
) -> list[Heard]:
    if cluster.name not in recorded:
        at = together.index(cluster.name) if cluster.name in together else 0
        names = together[at : at + SHARING] if cluster.name in together else [cluster.name]
        recorded.update(driven([CLUSTERS[name] for name in names], tmp_path_factory.mktemp(cluster.name)))
    return recorded.pop(cluster.name)


def driving(heard: list[Heard]) -> list[Heard]:
    """From after the check of the bulbs, when the engine runs, to the end of the ignition."""
    return [one for one in heard if one.t > STARTED and one.car.ignition]


def test_every_frame_is_that_of_the_table_to_the_byte(cluster: Cluster, heard: list[Heard]) -> None:
    """While the engine runs, with the body at rest and with every entry of it moved."""
    wrong: Counter[str] = Counter()
    for one in driving(heard):
        frame = cluster.by_id.get(one.can_id)
        if frame is None:
            wrong[f"{one.can_id:03X} is in no table"] += 1
        elif len(one.data) != frame.length:
            wrong[f"{frame.name} has {len(one.data)} bytes"] += 1
        else:
            expected = frame.encode(one.car, one.data)
            for number, (want, is_) in enumerate(zip(expected, one.data, strict=True)):
                if want != is_:
                    wrong[f"{one.can_id:03X} {frame.name} byte {number}"] += 1
    assert not wrong, wrong


def test_needles_follow(cluster: Cluster, heard: list[Heard]) -> None:
    """Within the resolution of what the frame says; every needle is up, and moves, while the car drives."""
    shown: dict[str, set[float]] = {}
    for one in driving(heard):
        frame = cluster.by_id[one.can_id]
        for field in frame.fields:
            if field.shows:
                value = field.physical(one.data)
                assert value == pytest.approx(one.car.needle(field.shows), abs=field.step), (frame.name, one.t)
                shown.setdefault(field.shows, set()).add(value)
    assert shown.keys() >= {
        field.shows for frame in cluster.frames if not frame.optional for field in frame.fields if field.shows
    }
    assert all(len(values) > 20 for name, values in shown.items() if name in {"rpm", "speed"})


def test_nothing_is_wrong(cluster: Cluster, heard: list[Heard]) -> None:
    """No complaint of any frame; no needle rests; with the body at rest no lamp is lit; asleep after the ignition."""
    virtual = VirtualCluster(cluster)
    looked = STARTED
    for one in heard:
        virtual.power(one.t, one.car.ignition)
        virtual.receive(one.t, one.can_id, one.data)
        if one.t > looked + 0.5 and one.car.ignition:
            looked = one.t
            assert virtual.awake
            assert None not in virtual.needles.values(), one.t
            assert not virtual.lamps or one.t > DRIVING, one.t
    assert not virtual.complaints
    assert not virtual.awake


def test_trip_and_litres_are_those_of_the_vehicle(cluster: Cluster, heard: list[Heard]) -> None:
    """Within 1 % and a count, as far as the cluster counts them by CAN."""
    frames = driving(heard)
    virtual = judged(cluster, frames)
    for counting, field in ((frame, field) for frame in cluster.frames for field in frame.fields if field.counts):
        cars = [one.car for one in frames if one.can_id == counting.id]
        counted, truth = {
            "trip": (virtual.trip, cars[-1].Odometer - cars[0].Odometer),
            "litres": (virtual.litres, cars[-1].FuelUsed - cars[0].FuelUsed),
        }[field.counts]
        assert counted == pytest.approx(truth, rel=0.01, abs=2 / field.rate)


def test_every_frame_that_is_wrong_is_named(cluster: Cluster, heard: list[Heard]) -> None:
    """Left out, late, short, with a wrong counter or checksum, in turn: at least 95 % of the cases."""
    noticed = {f"{one.frame.name} {one.how}": one.is_noticed() for one in mutations(cluster, heard, 12.0)}
    missed = [name for name, is_noticed in noticed.items() if not is_noticed]
    assert len(missed) <= 0.05 * len(noticed), missed


def test_a_profile_says_where_the_table_knows_no_byte(cluster: Cluster) -> None:
    """A frame of which no source shows a byte is guessed, or may be any bytes; and the other way round."""
    known = {frame.identifier: frame for frame in load_profile(cluster.name).frames}
    for frame in cluster.frames:
        said = known.get(frame.id)
        if said is None:
            continue
        doubtful = {"guess", "any bytes"} & {said.confidence, *(signal.confidence for signal in said.signals)}
        if set(frame.words) == {"??"} and not frame.fields:
            assert doubtful, f"{frame.id:03X} {said.name}"
        if said.confidence == "any bytes":
            assert "??" in frame.words, f"{frame.id:03X} {said.name}"


@pytest.mark.parametrize(("name", "can_id", "on"), [("bmw-e9x", 0x592, 0x31), ("bmw-f", 0x5C0, 0x29)])
def test_check_control_tells_what_is_open(name: str, can_id: int, on: int, tmp_path: Path) -> None:
    """Codes 14 to 17 are the doors, 18 the bonnet, 19 the boot; each comes and goes, and none comes by itself."""
    with VirtualBench(bench_of([CLUSTERS[name]], tmp_path), start={"coolant": 70}) as bench:
        heard = record(bench, tmp_path, minute())
    told = [(one.t, int.from_bytes(one.data[1:3], "little"), one.data[3]) for one in heard if one.can_id == can_id]
    assert not [code for t, code, state in told if state == on and STARTED < t < DRIVING]
    for code in (14, 15, 16, 17, 18, 19):
        states = [state for _, number, state in told if number == code]
        assert on in states
        assert states[-1] == on - 1
