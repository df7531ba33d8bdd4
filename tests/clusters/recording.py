"""What was on the wires of a bench, with the values of the vehicle at each instant; and a drive without a bench."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from hilbridge.frames.codec.frame import EXTENDED_MASK
from hilbridge.frames.codec.frame import Frame as BusFrame
from hilbridge.testing import VirtualBench
from vehiclesim.entries import find

from .car import RESTING, Car
from .table import Cluster
from .virtual import VirtualCluster


@dataclass(frozen=True, slots=True)
class Heard:
    """A frame on a bus at the time `t` [s], and the values of the vehicle then."""

    t: float
    bus: str
    can_id: int
    data: bytes
    car: Car


@dataclass
class Recorder:
    """A node on a wire that keeps what it hears: one for each bus of a bench; they share the car of an instant."""

    bench: VirtualBench
    bus: str
    heard: list[Heard]
    cars: dict[float, Car] = field(default_factory=dict)

    def receive(self, frame: BusFrame, t: float) -> Iterable[BusFrame]:
        car = self.cars.get(t)
        if car is None:
            data = self.bench.data
            car = self.cars[t] = Car({name: data.read(*place) for name, place in _PLACES.items()})
        self.heard.append(Heard(t, self.bus, frame.can_id & EXTENDED_MASK, bytes(frame.data), car))
        return ()

    def tick(self, t: float) -> Iterable[BusFrame]:
        return ()


_PLACES: Final = {name: place for name in RESTING if (place := find(name))}

BODY: Final[Sequence[tuple[str, Sequence[float], float]]] = (
    ("body.TurnSignal", (1, 2), 2.5),
    ("body.HazardLights", (1,), 1.5),
    *((f"body.{name}", (1,), 0.8) for name in ("SideLights", "DippedBeam", "MainBeam")),
    *((f"body.{name}", (1,), 0.8) for name in ("FrontFogLights", "RearFogLights")),
    *((f"body.Door{place}", (1,), 0.8) for place in ("FrontLeft", "FrontRight", "RearLeft", "RearRight")),
    *((f"body.{name}", (1,), 0.8) for name in ("Bonnet", "Boot", "ParkingBrake")),
    *((f"body.Belt{seat}", (0,), 0.8) for seat in ("Driver", "Passenger", "RearLeft", "RearCentre", "RearRight")),
    ("body.CruiseSpeed", (25,), 3.0),
    ("body.CruiseState", (1, 2, 3), 0.8),
    ("body.DriveMode", (1, 2, 3, 4, 5), 0.8),
    ("body.Selector", (1, 2, 3, 4, 5, 6), 0.5),
    ("body.Wiper", (1, 2, 3), 0.5),
    ("body.Dimming", (0.4,), 0.8),
    ("body.SpeedUnit", (1,), 1.0),
    ("body.TemperatureUnit", (1,), 1.0),
    ("body.ConsumptionUnit", (1, 2, 3), 0.8),
    ("body.Language", tuple(range(1, 10)), 0.4),
)
"""Entry, values that it takes one after the other, and seconds for each: all of the body channel."""

APART: Final = 0.35
"""[s] between the first movements of two entries, so that no two of them move alike."""

DRIVING: Final = 20.0
"""[s] of driving with the body at rest, before its entries are moved."""

POINTS: Final = [[0, 0], [1, 0], [6, 45], [9, 45], [16, 100], [20, 100], [28, 30], [32, 0], [33, 0], [36, 20]]
"""[s], [km/h] of the drive."""


def minute() -> dict[str, Any]:
    """The scenario: ignition, engine, a drive with all needles moving; then every entry of the body."""
    moves: list[tuple[float, dict[str, Any]]] = [
        (0.0, {"set": {"input.Key": 0}}),
        (1.5, {"drive": {"points": POINTS}, "background": True}),
    ]
    at = DRIVING
    for entry, values, seconds in BODY:
        moves += [(at + number * seconds, {"set": {entry: value}}) for number, value in enumerate(values)]
        moves.append((at + len(values) * seconds, {"set": {entry: RESTING.get(entry, 0)}}))
        at += APART
    steps = [{"at": round(t, 3)} | move for t, move in sorted(moves, key=lambda move: move[0])]
    return {"purpose": "A drive, and every entry of the body moved", "steps": steps}


def rate_of(cluster: Cluster) -> int:
    """Return how often [Hz] a bench ticks that the periods of the table want."""
    return 1000 if any(frame.period % 5 for frame in cluster.frames) else 200


def bench_of(clusters: Sequence[Cluster], folder: Path) -> Path:
    """Write the bench of a compact car with a bus for each cluster, that of its profile and with its name."""
    file = folder / "bench.yaml"
    buses = {cluster.name: {"profile": cluster.name, "interface": "embedded"} for cluster in clusters}
    bench = {"name": "clusters", "rate": max(map(rate_of, clusters)), "vehicle": "compact", "buses": buses}
    file.write_text(yaml.safe_dump(bench), encoding="utf-8")
    return file


def record(bench: VirtualBench, folder: Path, scenario: dict[str, Any]) -> list[Heard]:
    """Play a scenario on a bench; return what was on its buses."""
    heard: list[Heard] = []
    cars: dict[float, Car] = {}
    for bus in bench.parts.buses:
        bench.attach(bus, Recorder(bench, bus, heard, cars))
    file = folder / "drive.yaml"
    file.write_text(yaml.safe_dump(scenario), encoding="utf-8")
    report = bench.play(file)
    assert report.passed
    bench.set("input.Key", -1)
    bench.advance(2.0)
    return heard


def judged(cluster: Cluster, frames: Iterable[Heard]) -> VirtualCluster:
    """A virtual cluster that has heard all this."""
    virtual = VirtualCluster(cluster)
    for one in frames:
        virtual.power(one.t, one.car.ignition)
        virtual.receive(one.t, one.can_id, one.data)
    return virtual


def synthetic(cluster: Cluster, seconds: float) -> Iterator[Heard]:
    """Frames as the table itself makes them, in a drive with the speed of a sine: key on after half a second."""
    counters: dict[int, list[int]] = {}
    due = {frame.id: 0.5 + 0.001 * number for number, frame in enumerate(cluster.frames)}
    odometer = used = 0.0
    speed = 0.0
    for tick in range(int(seconds * 1000)):
        t = tick / 1000.0
        speed = 15.0 - 15.0 * math.cos(max(t - 1.0, 0.0) / 5.0)
        odometer += speed * 0.001
        used += 1e-6 * (1.0 + speed / 10.0)
        car: Car | None = None
        for frame in cluster.frames:
            if t < due[frame.id]:
                continue
            due[frame.id] += frame.period / 1000.0
            car = car or _driven(t, speed, odometer, used)
            data = frame.start
            values = [
                counter.after(before)
                for counter, before in zip(frame.counters, counters.get(frame.id, ()), strict=False)
            ] or [(counter.values or (0,))[0] for counter in frame.counters]
            counters[frame.id] = values
            for counter, value in zip(frame.counters, values, strict=True):
                data = counter.place.put(data, value)
            yield Heard(t, "", frame.id, frame.encode(car, data), car)


def _driven(t: float, speed: float, odometer: float, used: float) -> Car:
    return Car(
        {
            **RESTING,
            "vehicle.Speed": speed,
            "vehicle.EngineRpm": 800.0 + 100.0 * speed,
            "vehicle.EngineWorking": 1,
            "auxiliary.Odometer": odometer,
            "auxiliary.FuelUsed": used,
            "auxiliary.CoolantTemperature": 60.0 + 20.0 * t / 60.0,
        }
    )


def candump(frames: Iterable[Heard], channel: str = "can0") -> str:
    """A log in the format of `candump -l`."""
    return "".join(f"({one.t:.6f}) {channel} {one.can_id:03X}#{one.data.hex().upper()}\n" for one in frames)
