"""A drive as a picture: speed and trace, engine and gear, pedals, fuel."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hilbridge.drive.simulation import TOLERANCE, Drive
from hilbridge.drive.trace import KMH
from hilbridge.errors import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS: Final = (".svg", ".png")

_INK: Final = {"trace": "#888888", "speed": "#0b5fa5", "brake": "#c0392b", "clutch": "#d68910", "band": "#dddddd"}


def check_plot(path: Path) -> None:
    """ConfigurationError, before anything is driven, for a picture that cannot be made."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"a plot is written as {' or '.join(FORMATS)}, not '{path.name}'")
    if not path.parent.is_dir():
        raise ConfigurationError(f"there is no folder {path.parent} for the plot")
    if find_spec("matplotlib") is None:
        raise ConfigurationError(
            "a plot needs the package matplotlib; the extra 'plot' brings it: pip install 'hilbridge[plot]'"
        )


def plot(drive: Drive, title: str, path: Path) -> None:
    """Writes the picture; equal drives give equal files."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    data = drive.recording
    figure = Figure(figsize=(12, 9), layout="constrained")
    speed, engine, pedals, fuel = figure.subplots(4, 1, sharex=True, height_ratios=(3, 2, 2, 1))
    figure.suptitle(title)

    target = [value / KMH for value in data.target]
    band = TOLERANCE / KMH
    speed.fill_between(
        data.time, [v - band for v in target], [v + band for v in target], color=_INK["band"], label="±2 km/h"
    )
    speed.plot(data.time, target, color=_INK["trace"], linewidth=1.0, label="trace")
    speed.plot(data.time, [value / KMH for value in data.speed], color=_INK["speed"], linewidth=0.8, label="vehicle")
    _finish(speed, "speed, km/h", legend=True)

    engine.plot(data.time, data.rpm, color=_INK["speed"], linewidth=0.8)
    _finish(engine, "engine, rpm")
    gear = engine.twinx()
    gear.step(data.time, data.gear, where="post", color=_INK["trace"], linewidth=0.8)
    gear.set_ylabel("gear")
    gear.set_ylim(-0.5, max(data.gear, default=0) + 1.5)

    pedals.plot(data.time, data.throttle, color=_INK["speed"], linewidth=0.8, label="throttle")
    pedals.plot(data.time, data.brake, color=_INK["brake"], linewidth=0.8, label="brake")
    pedals.plot(data.time, data.clutch, color=_INK["clutch"], linewidth=0.8, label="clutch")
    pedals.set_ylim(-0.05, 1.05)
    _finish(pedals, "pedals", legend=True)

    fuel.plot(data.time, data.fuel, color=_INK["speed"], linewidth=0.8)
    _finish(fuel, "fuel, g")
    fuel.set_xlabel("time, s")

    with rc_context({"svg.hashsalt": "hilbridge"}):
        try:
            figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix.lower() == ".svg" else {})
        except OSError as error:
            raise ConfigurationError(f"the plot {path} cannot be written: {error.strerror}") from None


def _finish(axes: "Axes", label: str, *, legend: bool = False) -> None:
    axes.set_ylabel(label)
    axes.grid(visible=True, linewidth=0.3)
    axes.margins(x=0.0)
    if legend:
        axes.legend(loc="upper left", ncols=3, frameon=False)
