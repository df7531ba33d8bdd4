"""What was on the wires of a bench, with the values of the vehicle at each instant; and a drive without a bench."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from hilbridge.codec.frame import Frame as BusFrame
from hilbridge.testing import VirtualBench
from vehiclesim.channels import find

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
    """A node on a wire that keeps what it hears; one for each bus of a bench."""

    bench: VirtualBench
    bus: str
    heard: list[Heard]
    _newest: tuple[float, Car] = field(default_factory=lambda: (-1.0, Car({})))

    def receive(self, frame: BusFrame, t: float) -> Iterable[BusFrame]:
        if t != self._newest[0]:
            data = self.bench.data
            self._newest = t, Car({name: data.read(*place) for name, place in _PLACES.items()})
        self.heard.append(Heard(t, self.bus, frame.can_id, bytes(frame.data), self._newest[1]))
        return ()

    def tick(self, t: float) -> Iterable[BusFrame]:
        return ()


_PLACES: Final = {name: place for name in RESTING if (place := find(name))}

BODY: Final[Sequence[tuple[str, float, float]]] = (
    ("body.TurnSignal", 1, 3.0),
    ("body.TurnSignal", 2, 3.0),
    ("body.HazardLights", 1, 2.0),
    ("body.SideLights", 1, 0.6),
    ("body.DippedBeam", 1, 0.6),
    ("body.MainBeam", 1, 0.6),
    ("body.FrontFogLights", 1, 0.6),
    ("body.RearFogLights", 1, 0.6),
    ("body.DoorFrontLeft", 1, 0.6),
    ("body.DoorFrontRight", 1, 0.6),
    ("body.DoorRearLeft", 1, 0.6),
    ("body.DoorRearRight", 1, 0.6),
    ("body.Bonnet", 1, 0.6),
    ("body.Boot", 1, 0.6),
    ("body.BeltDriver", 0, 0.6),
    ("body.BeltPassenger", 0, 0.6),
    ("body.BeltRearLeft", 0, 0.6),
    ("body.BeltRearCentre", 0, 0.6),
    ("body.BeltRearRight", 0, 0.6),
    ("body.ParkingBrake", 1, 0.6),
    ("body.CruiseState", 1, 0.5),
    ("body.CruiseSpeed", 25, 0.5),
    ("body.CruiseState", 2, 0.5),
    ("body.CruiseState", 3, 0.5),
    *(("body.DriveMode", mode, 0.5) for mode in range(1, 6)),
    *(("body.Selector", place, 0.3) for place in range(1, 7)),
    *(("body.Wiper", stage, 0.3) for stage in (1, 2, 3)),
    ("body.Dimming", 0.4, 0.5),
    ("body.SpeedUnit", 1, 0.6),
    ("body.TemperatureUnit", 1, 0.6),
    *(("body.ConsumptionUnit", unit, 0.5) for unit in (1, 2, 3)),
    *(("body.Language", language, 0.3) for language in range(1, 10)),
)
"""Entry, value and seconds: every entry of the body channel is moved once, and given back."""

DRIVING: Final = 25.0
"""[s] of driving with the body at rest, before its entries are moved."""

POINTS: Final = [[0, 0], [2, 0], [9, 45], [13, 45], [22, 100], [30, 85], [40, 30], [44, 0], [48, 0], [56, 60], [70, 60]]
"""[s], [km/h] of the minute's drive."""


def minute() -> dict[str, Any]:
    """The scenario: ignition, engine, a drive with all needles moving; then every entry of the body; the key off."""
    steps: list[dict[str, Any]] = [
        {"set": {"input.Key": 0}},
        {"wait": 1.5},
        {"drive": {"points": POINTS}, "background": True},
        {"wait": DRIVING},
    ]
    for entry, value, seconds in BODY:
        steps += [{"set": {entry: value}}, {"wait": seconds}]
        if entry != "body.CruiseSpeed":
            steps += [{"release": [entry]}]
    return {"purpose": "A minute of driving, and every entry of the body", "steps": steps}


def record(bench: VirtualBench, folder: Path, scenario: dict[str, Any]) -> list[Heard]:
    """Play a scenario on a bench; return what was on its buses."""
    heard: list[Heard] = []
    for bus in bench.parts.buses:
        bench.attach(bus, Recorder(bench, bus, heard))
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
            yield Heard(t, frame.bus, frame.id, frame.encode(car, data), car)


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
