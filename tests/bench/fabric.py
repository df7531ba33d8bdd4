"""Cost of the fabric for the daemon: a listener that hears all that a full bench publishes.

Slices with and without the listener take turns; without one the process of the fabric publishes nothing. Missed ticks
are counted by the daemon itself.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import Measurement, Rig

from ..fabric import STRANGER, free_port
from .benches import FULL
from .turns import by_turns

_PATIENCE: Final = 30.0
_PAUSE: Final = 0.1
"""[s]"""

_HEARD: Final = Quantity("fabric_samples", "samples for a listener", "1/s")
_MISSED: Final = Quantity("fabric_missed", "missed ticks, a listener", "%")
_ALONE: Final = Quantity("fabric_missed_none", "missed ticks, no listener", "%")
_BEYOND: Final = Quantity("fabric_missed_beyond", "missed ticks, listener - none", "%", Aim("at most", 0.0))


def _content(folder: Path) -> dict[str, Any]:
    """Return the full bench with a control socket and a fabric of its own."""
    own = {"control": {"socket": str(folder / "fabric.sock")}, "fabric": {"port": free_port(), "rate": 50}}
    return FULL.content(folder) | own


FABRIC: Final = FULL._replace(name="fabric", content=_content)


def _listen(port: int, seconds: float) -> float:
    """Hear all for some seconds; return samples per second."""
    command = [sys.executable, str(STRANGER), str(port), "count", "hilbridge/**", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    if done.returncode:
        raise UnavailableError(f"nothing is heard: {done.stderr.strip().splitlines()[-1]}")
    return int(done.stdout) / seconds


def _port(daemon: Daemon) -> int:
    """Return where the bench is found, once it is."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        for record in daemon.records("fabric"):
            return int(record["where"].rpartition(":")[2])
        time.sleep(_PAUSE)
    raise UnavailableError("the daemon is not on the fabric")


def _measure(rig: Rig) -> Iterator[Result]:
    daemon = rig.daemon(rig.default, FABRIC)
    port = _port(daemon)
    heard, alone, watched = [], [], []
    for each, at_rest, meanwhile in by_turns(rig.effort, daemon, lambda: _listen(port, rig.effort.slice)):
        heard.append(each)
        alone.append(at_rest)
        watched.append(meanwhile)
    yield _HEARD.median(heard)
    yield _MISSED.median(watched)
    yield _ALONE.median(alone)
    yield _BEYOND.median([more - less for more, less in zip(watched, alone, strict=True)])


MEASUREMENT: Final = Measurement("the fabric, a listener", (_HEARD, _MISSED, _ALONE, _BEYOND), _measure)
