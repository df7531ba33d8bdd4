"""A drive as a picture: speed and trace, engine and gear, pedals, fuel."""

from pathlib import Path

from hilbridge.drive.simulation import TOLERANCE, Drive
from hilbridge.drive.trace import KMH
from hilbridge.plots.style import BLUE, GREY, LINE, ORANGE, PALE, RED, finish, save


def plot(drive: Drive, title: str, path: Path) -> None:
    """Writes the picture; equal drives give equal files."""
    from matplotlib.figure import Figure

    data = drive.recording
    figure = Figure(figsize=(12, 9), layout="constrained")
    speed, engine, pedals, fuel = figure.subplots(4, 1, sharex=True, height_ratios=(3, 2, 2, 1))
    figure.suptitle(title)

    target = [value / KMH for value in data.target]
    band = TOLERANCE / KMH
    speed.fill_between(data.time, [v - band for v in target], [v + band for v in target], color=PALE, label="±2 km/h")
    speed.plot(data.time, target, color=GREY, linewidth=1.0, label="trace")
    speed.plot(data.time, [value / KMH for value in data.speed], color=BLUE, linewidth=LINE, label="vehicle")
    finish(speed, "speed, km/h", legend=True)

    engine.plot(data.time, data.rpm, color=BLUE, linewidth=LINE)
    finish(engine, "engine, rpm")
    gear = engine.twinx()
    gear.step(data.time, data.gear, where="post", color=GREY, linewidth=LINE)
    gear.set_ylabel("gear")
    gear.set_ylim(-0.5, max(data.gear, default=0) + 1.5)

    pedals.plot(data.time, data.throttle, color=BLUE, linewidth=LINE, label="throttle")
    pedals.plot(data.time, data.brake, color=RED, linewidth=LINE, label="brake")
    pedals.plot(data.time, data.clutch, color=ORANGE, linewidth=LINE, label="clutch")
    pedals.set_ylim(-0.05, 1.05)
    finish(pedals, "pedals", legend=True)

    fuel.plot(data.time, data.fuel, color=BLUE, linewidth=LINE)
    finish(fuel, "fuel, g")
    fuel.set_xlabel("time, s")
    save(figure, path)
