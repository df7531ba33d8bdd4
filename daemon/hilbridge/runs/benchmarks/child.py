"""Calculations timed in a process of their own: with the requested build of the model, and with nothing else.

    python -m hilbridge.runs.benchmarks.child FILE COUNT

prints what `sample(COUNT)` of the Python file returns, as JSON.
"""

import json
import os
import runpy
import subprocess
import sys
from typing import Final, Literal, TypeAlias

from hilbridge.base import model_build
from hilbridge.runs.benchmarks.result import UnavailableError

Model: TypeAlias = Literal["interpreted", "compiled"]
"""A build of the vehicle model."""

Samples: TypeAlias = dict[str, list[float]]
"""Durations by what was timed."""

_TIMEOUT: Final = 300.0
"""[s]"""


def environment(model: Model) -> dict[str, str]:
    """Return the environment of a process that is to use this build."""
    others = {name: value for name, value in os.environ.items() if name != model_build.VARIABLE}
    return others | ({model_build.VARIABLE: "1"} if model == "interpreted" else {})


def sample(file: str, count: int, model: Model) -> Samples:
    """Return what `sample(count)` of a Python file returns in a new process; UnavailableError when that fails."""
    run = subprocess.run(
        [sys.executable, "-P", "-m", "hilbridge.runs.benchmarks.child", file, str(count)],
        env=environment(model),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
        process_group=0,  # Ctrl-C is for the parent, which then ends the child
    )
    if run.returncode:
        raise UnavailableError(f"the measuring process failed: {run.stderr.strip().rpartition(chr(10))[2]}")
    samples: Samples = json.loads(run.stdout)
    return samples


def main(file: str, count: int) -> None:
    """Measure, and print the samples."""
    model_build.honour_environment()
    samples: Samples = runpy.run_path(file)["sample"](count)
    sys.stdout.write(json.dumps(samples))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
