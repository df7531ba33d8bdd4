"""How fast each bench runs on the virtual clock, beside the demo, and which stage of its ticks takes how much of that.

    × real time = virtual time / processor time

Each bench has a process of its own, with neither ports nor observer. First its ticks run as a run's do; then the same
bench goes on with a clock around each stage, and these times are the shares. The demo is measured before all others and
after them, and its mean is what they are compared with: other load of the machine does not count as processor time, but
fills its caches.

python -m hilbridge.runs.benchmarks.benches BENCH SECONDS
"""

import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter_ns, process_time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hilbridge.base import model_build
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.runs.benchmarks.child import environment

if TYPE_CHECKING:
    pass

DEMO: Final = "demo"
STAGES: Final = ("sample", "step", "serve", "publish", "write")
"""The stages of a tick, in their order (runs/loop.py)."""

_WARM_UP: Final = 2
"""[s] of the run before the first tick that counts: the engine starts."""

_TIMEOUT: Final = 600.0


class Speed(NamedTuple):
    """The speed of a bench: times real time, and the share of each stage in the time of its ticks."""

    bench: str
    times: float
    shares: dict[str, float]


class Refused(NamedTuple):
    """A bench that cannot be measured here, and why."""

    bench: str
    reason: str


def speeds(benches: Sequence[str], seconds: int) -> Iterator[Speed | Refused]:
    """Measure benches one after the other, each over so many seconds of the run."""
    for bench in benches:
        model: Any = "compiled" if model_build.is_compiled() else "interpreted"
        words = [sys.executable, "-P", "-m", "hilbridge.runs.benchmarks.benches", bench, str(seconds)]
        run = subprocess.run(
            words, env=environment(model), stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=_TIMEOUT, check=False, process_group=0,
        )  # fmt: skip
        if run.returncode:
            yield Refused(bench, run.stderr.strip().rpartition("\n")[2] or f"status {run.returncode}")
        else:
            yield Speed(bench, **json.loads(run.stdout))


class _Timed:
    """The stages of a tick, with the time [ns] that each has taken."""

    def __init__(self, stages: Any) -> None:
        self.taken: Final = dict.fromkeys(STAGES, 0)
        self.sample = self._timed("sample", stages.sample)
        self.step = self._timed("step", stages.step)
        self.serve = self._timed("serve", stages.serve)
        self.publish = self._timed("publish", stages.publish)
        self.write = self._timed("write", stages.write)

    def _timed(self, name: str, stage: Callable[..., None]) -> Callable[..., None]:
        taken = self.taken

        def call(*arguments: Any) -> None:
            begun = perf_counter_ns()
            stage(*arguments)
            taken[name] += perf_counter_ns() - begun

        return call


def measured(name: str, seconds: int) -> dict[str, Any]:
    """Return the speed of a bench in this process, as keys of `Speed`. ConfigurationError: it cannot be built."""
    from hilbridge.base.clock import StopRequest, VirtualClock
    from hilbridge.base.common.units import SECOND
    from hilbridge.boundary.observe.reporter import VIRTUAL_PACE
    from hilbridge.runs import loop
    from hilbridge.runs.benchmarks.tick import headless

    bench, stages = headless(name, VIRTUAL_PACE)

    class Until(VirtualClock):
        """A virtual clock that goes on when its end is moved."""

        end = 0

        def wait(self) -> bool:
            return self.t + self.period < self.end and super().wait()

    clock, timed = Until(bench.settings.period), _Timed(stages)

    def run(length: int, of: Any) -> float:
        clock.end = clock.t + length * SECOND
        begun = process_time()
        loop.run(clock, of, StopRequest())
        return process_time() - begun

    gc.disable()  # as in a run
    run(_WARM_UP, stages)
    times = seconds / run(seconds, stages)
    run(max(1, seconds // 2), timed)
    whole = sum(timed.taken.values())
    return {"times": times, "shares": {name: taken / whole for name, taken in timed.taken.items()}}


def main(name: str, seconds: str) -> int:
    """Measure, and print the speed as JSON; return the exit status."""
    model_build.honour_environment()
    try:
        sys.stdout.write(json.dumps(measured(name, int(seconds))))
    except ConfigurationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
