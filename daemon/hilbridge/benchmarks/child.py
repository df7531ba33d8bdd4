"""Calculations are timed in a process of their own: with the build of the model that is asked for, and nothing else.

    python -m hilbridge.benchmarks.child MODULE COUNT

prints what `hilbridge.benchmarks.MODULE.sample(COUNT)` returns, as JSON.
"""

import importlib
import json
import os
import subprocess
import sys
from typing import Final, Literal, TypeAlias

from hilbridge import model_build
from hilbridge.benchmarks.result import UnavailableError

Model: TypeAlias = Literal["interpreted", "compiled"]
"""A build of the vehicle model."""

Samples: TypeAlias = dict[str, list[float]]
"""Durations by what was timed."""

_PATIENCE: Final = 300.0
"""[s]"""


def environment(model: Model) -> dict[str, str]:
    """The environment of a process that shall use this build."""
    others = {name: value for name, value in os.environ.items() if name != model_build.VARIABLE}
    return others | ({model_build.VARIABLE: "1"} if model == "interpreted" else {})


def sample(module: str, count: int, model: Model) -> Samples:
    """What the module's `sample(count)` returns in a new process; UnavailableError when that fails."""
    command = [sys.executable, "-P", "-m", "hilbridge.benchmarks.child", module, str(count)]
    run = subprocess.run(
        command,
        env=environment(model),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
        process_group=0,  # Ctrl-C is for the parent, which then ends the child
    )
    if run.returncode:
        raise UnavailableError(f"the measuring process failed: {run.stderr.strip().rpartition(chr(10))[2]}")
    samples: Samples = json.loads(run.stdout)
    return samples


def main(module: str, count: int) -> None:
    """Measures, and prints."""
    model_build.honour_environment()
    samples: Samples = importlib.import_module(f"hilbridge.benchmarks.{module}").sample(count)
    sys.stdout.write(json.dumps(samples))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
