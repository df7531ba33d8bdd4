"""What several targets use: the packaged benches, built once, with nothing opened; a file to write to."""

import atexit
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.links.link import Link
from hilbridge.files.configuration.benchfile import load_bench

CHECKOUT = Path(__file__).parents[3]


def as_json(content: Any) -> bytes:
    """A seed that is an object of JSON."""
    return json.dumps(content).encode()


def scratch_file(name: str) -> Path:
    """In a folder of its own, which goes with the process."""
    folder = tempfile.mkdtemp(prefix="hilbridge-fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder) / name


class Running:
    """A bench whose ticks are made by hand; the vehicle stands still, the key is turned by the demo driver."""

    def __init__(self, name: str, rate: int = 100) -> None:
        self.bench = Bench(load_bench(name))
        self.bench.connect()
        self.t = 0
        self._period = 1000 // rate * MILLISECOND
        self.bench.wiring.arbiter.sample(0)
        self.bench.step()

    @property
    def links(self) -> dict[str, Link]:
        return self.bench.links

    def tick(self) -> None:
        """All of a tick but the step of the vehicle."""
        self.bench.sample(self.t)
        self.bench.serve(self.t)
        self.bench.publish(self.t)
        self.t += self._period
