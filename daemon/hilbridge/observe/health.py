"""How the run is, for those who ask every few seconds whether it still lives.

    healthy   ticks go on, and half of those that were due in the last second or so were done (TickHealth)
    ready     healthy, and every bus and port is open

Judged by what lies in shared memory, so that a tick process that hangs cannot claim to be well.
"""

from typing import Final

from hilbridge.observe.events import Fields, Snapshot
from hilbridge.process.notify import TickHealth

SHORTEST: Final = 1_000_000_000
"""[ns] of the observer's clock from one judgement to the next, and without any tick until the run counts as hung."""

_TICKS: Final = 3
"""Or so many ticks, where these take longer."""


class ProcessHealth:
    """`look` again and again; times are those of the observer's clock [ns]."""

    def __init__(self, now: int, period: float) -> None:
        """`period` [ns] of a tick, by the same clock."""
        self._window: Final = max(SHORTEST, round(_TICKS * period))
        self._health: Final = TickHealth()
        self._now = now
        self._judged = now
        self._moved = now  # when the number of ticks was last seen to grow
        self._ticks = 0
        self._is_good = True

    def look(self, now: int, snapshot: Snapshot | None) -> None:
        """Takes the newest snapshot; judges once in a while."""
        self._now = now
        if snapshot is None:
            return
        if snapshot.ticks != self._ticks:
            self._ticks = snapshot.ticks
            self._moved = now
        if now - self._judged >= self._window:
            self._judged = now
            self._is_good = self._health.is_good(snapshot.ticks, snapshot.missed)

    def ailments(self) -> list[str]:
        """Why the run is not healthy, in words; empty while it is."""
        silence = self._now - self._moved
        if not self._ticks:
            return ["no tick was done yet"]
        if silence >= self._window:
            return [f"no tick for {silence / 1e9:.0f} s"]
        return [] if self._is_good else ["fewer than half of the ticks are done"]

    def obstacles(self, tally: Fields) -> list[str]:
        """Why the run is not ready; `tally` is what was last told of the parts of the bench."""
        ways = [(f"bus {name}", bus) for name, bus in tally.get("buses", {}).items()]
        ways += tally.get("ports", {}).items()
        return self.ailments() + [f"{name}: {way['trouble']}" for name, way in ways if way["trouble"]]
