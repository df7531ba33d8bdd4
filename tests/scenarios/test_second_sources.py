"""Frames of cluster profiles as other people's programs send them, read from those programs and not from our tables.

Each case names the program, sets the car, and has the bytes that this program would send; `??` is not said by it.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final, NamedTuple

import pytest

from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

FATIHCESUR: Final = "fatihcesur/bmw-f30-cluster-simhub, firmware/bmw_f30_cluster/SHCustomProtocol.h, with a camera"
DAVIS0D: Final = "DAviS0d/G30-BMW-Instrument-Cluster-for-Simhub, SHCustomProtocol.h"
GIZMO: Final = "gizmo87898/BMW_6WA_Controller_BeamNG, 6WA_v2.py"
VEIKKOS: Final = "veikkos/e90-can-cluster: check control 215"
CARCLUSTER: Final = "r00li/CarCluster, src/Clusters/MERCEDES_W204/MercedesW204Cluster.cpp"


class Case(NamedTuple):
    """What a program sends in a state of the car, in one of the frames of `can_id`."""

    source: str
    bench: str
    state: Mapping[str, float]
    can_id: int
    bytes_: str


CASES: Final = [
    Case(FATIHCESUR, "bmw-f", {"body.DoorFrontLeft": 1}, 0x5C0, "40 0F 00 29 FF FF FF FF"),
    Case(FATIHCESUR, "bmw-f", {"body.DoorFrontRight": 1}, 0x5C0, "40 0E 00 29 FF FF FF FF"),
    Case(FATIHCESUR, "bmw-f", {"body.DoorRearLeft": 1}, 0x5C0, "40 10 00 29 FF FF FF FF"),
    Case(FATIHCESUR, "bmw-f", {"body.DoorRearRight": 1}, 0x5C0, "40 11 00 29 FF FF FF FF"),
    Case(DAVIS0D, "bmw-f", {"body.DoorFrontRight": 1}, 0x5C0, "40 0E 00 29 FF FF FF FF"),
    Case(FATIHCESUR, "bmw-f", {}, 0x291, "02 12 59 00 00 00 00 00"),
    Case(FATIHCESUR, "bmw-f", {"body.TemperatureUnit": 1}, 0x291, "02 22 59 00 00 00 00 00"),
    Case(FATIHCESUR, "bmw-f", {"body.ConsumptionUnit": 1}, 0x291, "02 12 42 00 00 00 00 00"),
    Case(FATIHCESUR, "bmw-f", {"body.ConsumptionUnit": 3}, 0x291, "02 12 4C 00 00 00 00 00"),
    Case(FATIHCESUR, "bmw-f", {"body.SpeedUnit": 1}, 0x291, "02 12 91 00 00 00 00 00"),
    Case(FATIHCESUR, "bmw-f", {"body.SpeedUnit": 1, "body.ConsumptionUnit": 1}, 0x291, "02 12 93 00 00 00 00 00"),
    Case(DAVIS0D, "bmw-f", {}, 0x3F9, "?? ?? 82 4E 8A ?? 05 89"),
    Case(CARCLUSTER, "mercedes-w204", {}, 0x2F8, "00 FF 00 00 00 00 00 00"),
    Case(CARCLUSTER, "mercedes-w204-b", {}, 0x206, "00 00 00 00 00 00 00 00"),
    Case(CARCLUSTER, "mercedes-w204-b", {}, 0x208, "00 00 00 00 00 00 00 00"),
    Case(CARCLUSTER, "mercedes-w204-b", {}, 0x30E, "00 00 00 00 00 00 00 00"),
]


class Log:
    """A node that keeps what it hears, by identifier."""

    def __init__(self) -> None:
        self.frames: dict[int, list[bytes]] = {}

    def receive(self, frame: Frame, _t: float) -> Iterable[Frame]:
        self.frames.setdefault(frame.can_id, []).append(bytes(frame.data))
        return ()

    def tick(self, _t: float) -> Iterable[Frame]:
        return ()


def heard(profile: str, state: Mapping[str, float], seconds: float = 3.0) -> Log:
    """What a cluster hears from the ignition on, in a state of the car; the coolant has 90 °C."""
    log = Log()
    with VirtualBench(f"cluster-{profile}", start={"coolant": 90}) as bench:
        for entry, value in state.items():
            bench.set(entry, value)
        bench.attach("cluster", log)
        bench.set("input.Key", 0)
        bench.advance(seconds)
    return log


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.bench}-{case.can_id:03X}-{case.bytes_[:11]}")
def test_a_frame_has_the_bytes_of_a_foreign_program(case: Case) -> None:
    wanted = [None if byte == "??" else int(byte, 16) for byte in case.bytes_.split()]
    frames = heard(case.bench, case.state).frames[case.can_id]
    assert any(
        len(data) == len(wanted) and all(want in (None, byte) for want, byte in zip(wanted, data, strict=True))
        for data in frames
    ), (case.source, {data.hex(" ") for data in frames})


@pytest.mark.parametrize("speed", [850, 1234, 3021, 4100])
def test_the_rev_counter_of_a_bmw_f_has_twelve_bits(speed: int) -> None:
    """Between the scales of two programs: 10.3 a bit (gizmo87898), 1.557 sixteenths (fatihcesur)."""
    frames = heard("bmw-f", {"request.MotionSpeed": 15, "request.MotionRpm": speed}).frames[0x0F3]
    raw = int.from_bytes(frames[-1][1:3], "little") >> 4
    assert speed / 10.3 - 1 <= raw <= speed * 1.557 / 16 + 1, GIZMO
    assert {(now[1] - before[1]) % 16 for before, now in pairwise(frames)} <= {1, 2}


def test_a_wheel_that_spins_is_the_message_of_the_stability_control() -> None:
    """Check control 215, as four programs send it."""
    log = Log()
    with VirtualBench("cluster-bmw-f", start={"speed": 20, "coolant": 90}) as bench:
        bench.attach("cluster", log)
        bench.set("road.Friction", 0.1)
        bench.set("input.Throttle", 1)
        bench.advance(4.0)
    assert bytes.fromhex("40D70029FFFFFFFF") in log.frames[0x5C0], VEIKKOS


@pytest.mark.parametrize("can_id", [0x2C3, 0x368])
def test_sos_and_tyre_pressure_of_a_bmw_f_are_eight_bytes_that_move(can_id: int) -> None:
    """As fatihcesur sends them: all alike, one more in each frame."""
    frames = heard("bmw-f", {}).frames[can_id]
    assert all(len(data) == 8 and len(set(data)) == 1 for data in frames)
    assert {now[0] - before[0] for before, now in pairwise(frames)} == {1}
