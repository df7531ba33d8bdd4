"""The controls of the driver that are lost: what the monitors of a control unit see of the inputs."""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.bench.inputs.source import Source

_WATCHED: Final = ("Throttle", "Brake", "Clutch")
"""Controls whose loss sets a trouble code."""


def observers_of(sources: Sequence[Source], *, relieved: bool) -> dict[str, Callable[[], float]]:
    """Return what monitors see of the inputs: a control that was held is lost, pedal tracks disagree; 1 or 0.

    `relieved`: a demo driver takes over from a source that falls silent, so nothing is lost with the end of a script.
    """
    observers: dict[str, Callable[[], float]] = {}
    for name in _WATCHED:
        positions = [
            (source, position)
            for source in sources
            for position, binding in enumerate(source.bindings)
            if binding.control.name == name
        ]
        watched = () if relieved else tuple(positions)
        observers[f"{name}.lost"] = lambda watched=watched: float(_is_lost(watched))  # type: ignore[misc]  # bound now
    tracks = [monitor for source in sources for monitor in source.monitors if monitor.control.name == "Throttle"]
    observers["Throttle.tracks"] = lambda: float(any(monitor.failed for monitor in tracks))
    return observers


def _is_lost(positions: Sequence[tuple[Source, int]]) -> bool:
    """Return whether a source has sent the control, and none holds it now. `positions`: the control in each source."""
    heard = any(source.heard is not None for source, _ in positions)
    return heard and not any(source.fresh[position] for source, position in positions)
