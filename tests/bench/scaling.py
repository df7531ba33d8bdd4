"""Simulates a campaign on more processors than there are here: what saturates first.

    python -m tests.bench.scaling    prints the table of docs/scaling.md, which says where the figures come from

Three kinds of servers stand in a row: the scheduler handles one task after the other, a core makes the runs of a task,
and the command that was typed keeps the rows of one task after the other.
"""

import heapq
from typing import Final, NamedTuple

RUN: Final = 0.325
"""[s] of processor for a run of ten seconds."""
SCHEDULED: Final = 0.0006
"""[s] of the scheduler's processor for a task."""
KEPT: Final = 0.00055
"""[s] of the command for the rows of a task: 0.39 ms of processor, 0.16 ms until the disk has them."""

CORES: Final = (1, 100, 10_000)
BATCHES: Final = (1, 10, 100)
_ROUNDS: Final = 8
"""Tasks for each core: the beginning and the end count little then."""
_BUSY: Final = 0.95


class Outcome(NamedTuple):
    """Runs a second, and the shares of the time in which cores, scheduler and command work."""

    rate: float
    cores: float
    scheduler: float
    command: float

    @property
    def saturated(self) -> str:
        """What works all the time."""
        shares = {"the cores": self.cores, "the scheduler": self.scheduler, "the command": self.command}
        return max(shares, key=lambda name: shares[name]) if max(shares.values()) >= _BUSY else "nothing quite"


def simulate(cores: int, batch: int, run: float = RUN, scheduled: float = SCHEDULED, kept: float = KEPT) -> Outcome:
    """Simulate tasks of `batch` runs each, all known from the beginning; times in seconds."""
    tasks = _ROUNDS * cores
    free = [0.0] * cores
    scheduler = command = 0.0
    for _ in range(tasks):
        scheduler = max(scheduler, heapq.heappop(free)) + scheduled
        end = scheduler + batch * run
        heapq.heappush(free, end)
        command = max(command, end) + kept
    work = tasks / command
    return Outcome(work * batch, work * batch * run / cores, work * scheduled, work * kept)


def table() -> str:
    """Return the table of the page."""
    lines = ["| cores | runs a task | runs a second | cores busy | scheduler busy | command busy | full first |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for cores in CORES:
        for batch in BATCHES:
            outcome = simulate(cores, batch)
            shares = " | ".join(f"{share:.0%}" for share in outcome[1:])
            lines.append(f"| {cores:,} | {batch} | {outcome.rate:,.1f} | {shares} | {outcome.saturated} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
