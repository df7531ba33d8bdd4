"""The end of a run in a few lines, for people; the log as JSON has every counter."""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.base.common.words import counted
from hilbridge.boundary.observe.events import Fields

_MOST_BUSES: Final = 3
"""Lines of buses; the last one says how many more there are."""


def summary(name: str, seconds: float, statistics: Fields) -> list[str]:
    """Return how a run of a bench went: time, ticks, times of the tick, frames of each bus, and what was lost."""
    minutes, rest = divmod(int(seconds), 60)
    ran = f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    lines = [f"{name} ran for {ran}: {counted(statistics['ticks'], 'tick')}, {statistics['missed_ticks']:,} missed"]
    if "lateness_us" in statistics:
        parts = (("late", "lateness_us"), ("tick", "tick_us"))
        lines.append("; ".join(f"{word} {_figures(statistics[key])}" for word, key in parts if key in statistics))
    buses = list(statistics["buses"].items())
    shown = buses if len(buses) <= _MOST_BUSES else buses[: _MOST_BUSES - 1]
    lines += [_bus(bus, numbers, statistics["gates"].get(bus, {})) for bus, numbers in shown]
    if len(shown) < len(buses):
        lines.append(f"and {counted(len(buses) - len(shown), 'more bus', 'more buses')}")
    return [*lines, *_losses(statistics)]


def _figures(times: Mapping[str, float]) -> str:
    return f"p50 {times['p50']:,.0f}, p99 {times['p99']:,.0f}, at most {times['max']:,.0f} µs"


def _bus(name: str, numbers: Mapping[str, int], gate: Mapping[str, int]) -> str:
    held_back = sum(count for reason, count in gate.items() if reason != "passed")
    lost = f", {numbers['lost']:,} lost" if numbers["lost"] else ""
    received, out = counted(numbers["received"], "frame"), gate.get("passed", 0)
    return f"{name}: {received} in, {out:,} out, {held_back:,} held back{lost}"


def _losses(statistics: Mapping[str, Any]) -> list[str]:
    """Return a line of what went wrong beside the frames, if anything did."""
    observer, reload = statistics["observer"], statistics["reload"]
    counts = {
        "seconds overloaded": round(statistics["overload"]["seconds"]),
        "frames late": statistics["frames_late"],
        "events of the log lost": observer["events_lost"],
        "restarts of the observer": observer["restarts"],
        "reloads refused": reload["refused"],
        "faults injected": sum(statistics["faults"].values()),
    }
    words = [f"{count:,} {what}" for what, count in counts.items() if count]
    return [", ".join(words)] if words else []
