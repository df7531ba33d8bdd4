"""The pictures of docs/model.md: what the model does beside what is published of it, drawn by the model.

python -m tests.sim.model_pictures [NAME ...]     some: cranking, tip-in, idle, shift, stop; `make pictures` calls it

Each function returns curves; grey is what is published, with its source beside it.
"""

import sys
from collections.abc import Callable
from math import sqrt
from typing import Final, NamedTuple

from hilbridge.bench.drive.charge_balance import owed
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ROAD, Engine, GearMode, InputData, RoadData, Vehicle, VehicleData

from ..program import CHECKOUT
from .dynamometer import GRIP, HEAVY, Load, Stand, spin
from .road import FULL, read
from .whole_cars import rolling

FOLDER: Final = CHECKOUT / "docs/pictures"

MPH: Final = 0.44704
STEP: Final = 0.001


class Curve(NamedTuple):
    name: str
    x: list[float]
    y: list[float]
    published: bool = False
    points: bool = False


class Picture(NamedTuple):
    x: str
    y: str
    curves: list[Curve]


def started(
    name: str, *, warm: bool, step: float = STEP, watch: Callable[[float, Vehicle], None] | None = None
) -> Vehicle:
    """Return a shipped car whose key is turned at once, 1.5 s later, on its brake."""
    vehicle = load_vehicle(name).build()
    vehicle.data.write(ROAD, RoadData.AMBIENT_TEMPERATURE, 20.0)
    if warm:
        vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    automatic = vehicle.gearbox.automated
    controls[InputData.BRAKE], controls[InputData.KEY] = FULL // 2, 1
    controls[InputData.CLUTCH] = 0 if automatic else FULL
    controls[InputData.AUTOMATIC_GEAR] = GearMode.PARK if automatic else 0
    for k in range(round(1.5 / step)):
        vehicle.step(step)
        if watch is not None:
            watch((k + 1) * step, vehicle)
        if vehicle.engine.sensor_working:
            controls[InputData.KEY] = 0
    return vehicle


def cranking() -> Picture:
    """Voltage of a start, beside the starting profile of ISO 16750-2, level I of 12 V: 8 V, then 9.5 V for 1 s."""
    curves = []
    for name in ("compact", "320d-g20"):
        t, volts = [-0.1, 0.0], [12.6, 12.6]

        def watch(now: float, vehicle: Vehicle, t: list[float] = t, volts: list[float] = volts) -> None:
            t.append(now)
            volts.append(vehicle.auxiliaries.electrics.voltage)

        started(name, warm=False, watch=watch)
        volts[0] = volts[1] = max(volts[2], 12.5)
        curves.append(Curve(name, t, volts))
    profile = Curve(
        "ISO 16750-2, level I",
        [-0.1, 0.0, 0.005, 0.02, 0.07, 1.07, 1.11, 1.5],
        [12.5, 12.5, 8.0, 8.0, 9.5, 9.5, 12.5, 12.5],
        published=True,
    )
    return Picture("s", "battery, V", [*curves, profile])


def crossley_cook(pressure: float, angle: float, speed: float) -> float:
    """Return dp/dt [bar/s] of Crossley and Cook, 1991, at bar, degrees of the plate, rad/s."""
    opening = 2.821 - 0.05231 * angle + 0.10299 * angle * angle - 0.00063 * angle * angle * angle
    flow = 1.0 if pressure <= 0.5 else 2.0 * sqrt(max(pressure - pressure * pressure, 0.0))
    pumped = -0.366 + 0.08979 * speed * pressure - 0.0337 * speed * pressure * pressure
    pumped += 0.0001 * speed * speed * pressure
    return 0.41328 * (opening * flow - pumped)


def angle_for(pressure: float, speed: float) -> float:
    """Return the angle of their plate [degrees] that holds a pressure [bar] at a speed [rad/s]."""
    low, high = 0.0, 60.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if crossley_cook(pressure, middle, speed) < 0.0:
            low = middle
        else:
            high = middle
    return low


def tip_in() -> Picture:
    """Pressure of the manifold as the plate opens at 2000 1/min, beside the simulation of Crossley and Cook."""
    settings = load_vehicle("compact").settings
    engine = Engine(settings.engine, GRIP, air=settings.auxiliary.air_path)
    spin(engine, 2000.0, settings.engine.inertia)
    engine.clutch_input, engine.throttle_input = 1.0, 0.2
    stand = Stand(engine, Load(HEAVY, 2000.0))
    stand.run(2.0)
    before = engine.sensor_manifold_pressure
    engine.throttle_input = 0.7
    t, kpa = [-0.1, 0.0], [before, before]
    for now in stand.steps(0.5):
        t.append(now)
        kpa.append(engine.sensor_manifold_pressure)
    speed = 2000.0 * 0.10471975511965977
    angle, pressure = angle_for(kpa[-1] / 100.0, speed), before / 100.0
    published = [before, before]
    for _ in t[2:]:
        pressure += crossley_cook(pressure, angle, speed) * STEP
        published.append(100.0 * pressure)
    curves = [
        Curve("compact, plate by its motor", t, kpa),
        Curve("Crossley and Cook, plate at once", t, published, published=True),
    ]
    return Picture("s", "manifold, kPa", curves)


def idle() -> Picture:
    """Fuel of warm idle over displacement, beside three cars of fact 861 of the US Department of Energy (Argonne).

    With what the 12 V battery gives meanwhile, or less what it takes.
    """
    litres, fuel, names = [], [], []
    for name in ("compact", "mx5-nd", "swift-sport-hybrid", "awd-estate", "320d-g20"):
        vehicle = started(name, warm=True, step=0.01)
        for _ in range(1200):
            vehicle.step(0.01)
        settings, electrics = vehicle.settings, vehicle.auxiliaries.electrics
        before = electrics.charge
        for _ in range(100):
            vehicle.step(0.01)
        debt = owed(settings, before, electrics.charge) or 0.0
        litres.append(settings.auxiliary.air_path.displacement)
        fuel.append(vehicle.engine.sensor_fuel_rate * 3.6 / settings.engine.fuel_density + 3600.0 * debt)
        names.append(name)
    curves = [Curve(name, [a], [b], points=True) for name, a, b in zip(names, litres, fuel, strict=True)]
    petrol = Curve("fact 861: petrol, diesel", [2.0, 4.6, 2.0], [0.61, 1.48, 0.64], published=True, points=True)
    return Picture("displacement, l", "warm idle, l/h", [*curves, petrol])


def shift() -> Picture:
    """Speed of the engine in the upshift from 2 to 3, beside ZF's ratios and the 200 ms that ZF names."""
    vehicle = started("320d-g20", warm=True)
    controls = vehicle.data.input
    controls[InputData.AUTOMATIC_GEAR], controls[InputData.THROTTLE] = GearMode.DRIVE, FULL // 2
    for _ in range(300):
        vehicle.step(STEP)
    controls[InputData.BRAKE] = 0
    rpm: list[float] = []
    begin = end = 0
    while len(rpm) < 8000 and not (end and len(rpm) > end + 300):
        vehicle.step(STEP)
        rpm.append(read(vehicle, VehicleData.ENGINE_RPM))
        gear, shifting = read(vehicle, VehicleData.GEARBOX_GEAR), read(vehicle, VehicleData.GEARBOX_SHIFTING)
        if gear == 2.0 and shifting == 1.0 and not begin:
            begin = len(rpm) - 1
        if gear == 3.0 and not end:
            end = len(rpm) - 1
    first = begin - 300
    t = [(k - begin) * STEP for k in range(first, len(rpm))]
    ratios = vehicle.settings.gearbox.ratios
    slope = (rpm[begin] - rpm[first]) / 300.0
    after = (rpm[begin] + 200.0 * slope) * ratios[2] / ratios[1]
    published = Curve("ZF: next ratio after 200 ms", [0.0, 0.2], [rpm[begin], after], published=True)
    return Picture("s", "engine, 1/min", [Curve("320d-g20, 2nd to 3rd gear", t, rpm[first:]), published])


def stop() -> Picture:
    """Speed over the way of a full braking, beside the stop that was measured: 108 ft from 60 mph (Edmunds, 2016)."""
    settings = load_vehicle("mx5-nd").settings
    vehicle = rolling(settings, 60.0 * MPH)
    vehicle.data.input[InputData.BRAKE] = FULL
    start = vehicle.chassis.pose.x
    way, speed = [0.0], [60.0 * MPH * 3.6]
    while speed[-1] > 0.1 and len(way) < 6000:
        vehicle.step(STEP)
        way.append(vehicle.chassis.pose.x - start)
        speed.append(3.6 * vehicle.chassis.sensor_speed)
    measured = 108 * 0.3048
    x = [measured * k / 100.0 for k in range(101)]
    even = [speed[0] * sqrt(1.0 - k / 100.0) for k in range(101)]
    curves = [Curve("mx5-nd, ABS", way, speed), Curve("Edmunds: 32.9 m, evenly", x, even, published=True)]
    return Picture("m", "km/h", curves)


PICTURES: Final = {"cranking": cranking, "tip-in": tip_in, "idle": idle, "shift": shift, "stop": stop}


def draw(name: str, picture: Picture) -> None:
    """Write a picture on white, 420 pixels wide, which pages of either kind show."""
    import matplotlib.pyplot as plt

    from hilbridge.base.plots.style import BLUE, GREEN, GREY, ORANGE, PURPLE, RED, finish, save

    figure, axes = plt.subplots(figsize=(4.4, 2.8), layout="constrained")
    colours = iter((BLUE, RED, GREEN, ORANGE, PURPLE))
    for curve in picture.curves:
        if curve.published:
            style = {"color": GREY, "linestyle": "--", "linewidth": 1.6}
        else:
            style = {"color": next(colours), "linewidth": 1.2}
        if curve.points:
            style |= {"linestyle": "none", "marker": "D" if curve.published else "o"}
        axes.plot(curve.x, curve.y, label=curve.name, **style)  # type: ignore[arg-type]
    finish(axes, picture.y)
    if picture.curves[0].points:
        axes.margins(x=0.1, y=0.15)
    axes.set_xlabel(picture.x)
    axes.legend(frameon=False, fontsize=8)
    save(figure, FOLDER / f"model-{name}.svg")
    plt.close(figure)


def main() -> None:
    for name in sys.argv[1:] or PICTURES:
        draw(name, PICTURES[name]())
        print(FOLDER.relative_to(CHECKOUT) / f"model-{name}.svg")


if __name__ == "__main__":
    main()
