"""The daemon of a measurement."""

import os
import select
import subprocess
import sys
from pathlib import Path

MEASUREMENT = """
import signal
from hilbridge.runs.benchmarks.rig import QUICK, Rig
with Rig(QUICK) as rig:
    print(rig.daemon("interpreted").pid, flush=True)
    signal.pause()
"""


def test_it_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    """In good order, also when that one has no chance to end it: SIGTERM ends a Python program on the spot."""
    command, environment = [sys.executable, "-c", MEASUREMENT], os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as measurement:
        assert measurement.stdout is not None
        daemon = os.pidfd_open(int(measurement.stdout.readline()))
        measurement.terminate()
        ended, _, _ = select.select([daemon], [], [], 30)
        assert ended == [daemon]
        os.close(daemon)
    (log,) = tmp_path.glob("*/log")
    assert '"event": "stopped"' in log.read_text(encoding="utf-8")
