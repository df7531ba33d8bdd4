"""A cluster that shows the car of a game: whatever the way of the datagrams does to them."""

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.base.common.datagrams import pack
from hilbridge.bench.bench import Bench
from hilbridge.boundary.record.boundary_records import FRAME, FrameRecord
from hilbridge.boundary.record.playback import Playback
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.testing import VirtualBench

from ..clusters.catalogue import CLUSTERS
from ..clusters.recording import Heard, Recorder, judged
from ..games import GameCar, outgauge

TICK = 0.001
RATE = 60.0
"""[Hz] of the game."""

STEEPEST = 0.0165
"""[m/s] in a tick: 15 m/s², and the steps of the entry."""


def drive(t: float) -> GameCar:
    """The car of the game at `t` [s]: it pulls out, runs through the gears, brakes to a stop, and stands."""
    speed = 30.0 * min(max(t - 2.0, 0.0) / 10.0, 1.0) * min(max(22.0 - t, 0.0) / 6.0, 1.0)
    gear = 1 + int(speed // 7.0) if 1.5 < t < 22.0 else 0
    rpm = 900.0 + (speed * 130.0 / gear if gear else 0.0)
    accelerating, braking = 2.0 < t < 12.0, 16.0 < t < 22.0
    lamp = 8.0 < t < 11.0 and t % 0.7 < 0.35
    throttle = 0.5 if accelerating else 0.1 if speed > 0 and not braking else 0.0
    return GameCar(100.0 + t, speed, rpm, gear, throttle, 0.4 if braking else 0.0, main_beam=5.0 < t < 12.0, left=lamp)


class Way:
    """The way of the datagrams: a share is lost, each is late by up to `jitter` [s], so that some overtake others."""

    def __init__(self, game: Callable[[float], GameCar], loss: float = 0.0, jitter: float = 0.0) -> None:
        self._game, self._loss, self._jitter = game, loss, jitter
        self._chance = random.Random(17)
        self._under_way: list[tuple[float, bytes]] = []
        self._sent = 0

    def come(self, t: float) -> list[bytes]:
        while self._sent / RATE <= t:
            at = self._sent / RATE
            self._sent += 1
            if self._chance.random() >= self._loss:
                self._under_way.append((at + self._chance.random() * self._jitter, outgauge(self._game(at), 7)))
        arrived = sorted(one for one in self._under_way if one[0] <= t)
        self._under_way = [one for one in self._under_way if one[0] > t]
        return [datagram for _, datagram in arrived]


@pytest.fixture
def bench() -> Iterator[VirtualBench]:
    with VirtualBench("game") as bench:
        yield bench


def play(bench: VirtualBench, way: Way, seconds: float, start: float = 0.0) -> list[float]:
    """Let the game run; return the speed that is shown, tick by tick [m/s]."""
    shown = []
    for tick in range(round(seconds / TICK)):
        if datagrams := way.come(start + tick * TICK):
            bench.write_serial(pack(datagrams))
        bench.advance(TICK)
        shown.append(bench.read("vehicle.Speed"))
    return shown


def test_a_cluster_shows_the_car_of_the_game(bench: VirtualBench) -> None:
    """With 20 % loss and 50 ms of jitter: needles, lamps and trip are right, and the cluster believes every frame."""
    heard: list[Heard] = []
    bench.attach("cluster", Recorder(bench, "cluster", heard))
    shown = play(bench, Way(drive, loss=0.2, jitter=0.05), 24.0)

    for tick in range(3000, 24000):
        at = tick * TICK
        before, after = drive(at - 0.4).speed, drive(at).speed
        assert min(before, after) - 0.3 <= shown[tick] <= max(before, after) + 0.3, at
    way = sum(shown) * TICK
    assert way > 300.0
    assert bench.read("auxiliary.Trip") == pytest.approx(way, rel=0.005)
    assert way == pytest.approx(sum(drive(tick * TICK).speed for tick in range(24000)) * TICK, rel=0.005)

    cluster = CLUSTERS["vw-pq"]
    virtual = judged(cluster, [one for one in heard if one.t > 0.5])
    assert not virtual.complaints
    assert virtual.trip == pytest.approx(way, rel=0.01, abs=2.0)
    for one in heard:
        if 3.0 < one.t < 23.0:
            frame = cluster.by_id[one.can_id]
            for field in frame.fields:
                if field.shows:
                    assert field.physical(one.data) == pytest.approx(one.car.needle(field.shows), abs=field.step)
    beam = {round(one.t): one.car.MainBeam for one in heard}
    assert [beam[second] for second in (4, 6, 11, 13)] == [0, 1, 1, 0]
    turn = [one.car.LeftTurn for one in heard if 8.5 < one.t < 11.0]
    assert set(turn) == {1}
    status = bench.command("status", parts=["statistics"])["inputs"]["outgauge on UDP port 4444"]
    assert status["accepted"] > 800
    assert status["not_newer"] > 50


def test_a_paused_game_lets_the_car_stop_and_goes_on(bench: VirtualBench) -> None:
    """What was shown is held for the time-out; then our own car brakes, and nothing jumps when the game is back."""
    game = lambda _t: GameCar(0.0, 25.0, 3000.0, 3, 0.3)  # noqa: E731
    play(bench, Way(game), 4.0)
    assert bench.read("vehicle.Speed") == pytest.approx(25.0, abs=0.01)
    silence = play(bench, Way(game, loss=1.0), 0.45)
    assert silence[-1] == pytest.approx(25.0, abs=0.01)
    stopped = play(bench, Way(game, loss=1.0), 15.0)
    assert stopped[-1] == 0.0
    assert bench.read("vehicle.EngineWorking") == 1
    slowest = min(after - before for before, after in pairwise(stopped))
    assert slowest > -12.0 * TICK
    holders = {row["control"]: row["source"] for row in bench.command("status", parts=["inputs"])["inputs"]}
    assert "request.MotionSpeed" not in holders
    back = play(bench, Way(game), 4.0)
    assert back[-1] == pytest.approx(25.0, abs=0.01)
    assert max(after - before for before, after in pairwise(back)) < STEEPEST


def test_a_car_that_is_put_elsewhere_and_a_game_that_starts_anew(bench: VirtualBench) -> None:
    """The game's speed jumps, and its clock begins anew: the shown speed follows as a car can, and the way with it."""
    play(bench, Way(lambda t: GameCar(50.0 + t, 40.0, 4000.0, 5, 0.4)), 5.0)
    before = bench.read("auxiliary.Trip")
    shown = play(bench, Way(lambda t: GameCar(0.01 + t, 0.0, 900.0, 0)), 4.0)
    assert max(before - after for before, after in pairwise(shown)) < STEEPEST
    assert shown[-1] == 0.0
    assert bench.read("auxiliary.Trip") - before == pytest.approx(sum(shown) * TICK, rel=0.005)
    assert bench.read("vehicle.GearboxGear") == 0


def test_a_scenario_may_prescribe_a_motion_too(tmp_path: Path) -> None:
    """request.MotionSpeed is an entry like any other."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 0)
        bench.set("request.MotionSpeed", 20.0)
        bench.set("request.MotionRpm", 2200.0)
        bench.set("request.MotionGear", 3)
        bench.advance(3.0)
        assert bench.read("vehicle.Speed") == pytest.approx(20.0, abs=0.01)
        assert bench.read("vehicle.EngineRpm") == pytest.approx(2200.0, abs=0.1)


def test_a_recorded_drive_is_replayed_to_the_byte(bench: VirtualBench) -> None:
    """The datagrams are inputs of the recording: from them alone follows every frame, those that were refused too."""
    records: list[BoundaryRecord] = []

    def put(kind: int, t: int, payload: bytes) -> bool:
        records.append(BoundaryRecord(t, kind, payload))
        return True

    bench.parts.boundary.listen(put)
    play(bench, Way(drive, loss=0.2, jitter=0.05), 6.0)
    recorded = [record for record in records if record.kind == FRAME]
    assert len(recorded) > 1000

    again = Bench(load_bench("game").without_demo_driver())
    playback = Playback(records, again.settings.period)
    again.connect(playback.link, playback.port)
    for gate in again.gates.values():
        gate.armed = True
    replayed: list[bytes] = []
    for bus in again.buses.values():
        bus.attach_observer(
            lambda _t, index, received, frame: replayed.append(FrameRecord(index, received, frame).encode())
        )
    while playback.wait():
        again.sample(playback.t)
        again.step()
        again.serve(playback.t)
        again.publish(playback.t)
    assert replayed == [record.payload for record in recorded]
