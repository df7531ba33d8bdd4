"""The output of firmware in lockstep, for runs without a log."""

import sys

from hilbridge.base.common.terminal import printable
from hilbridge.boundary.lockstep.lockstep import Lockstep


def print_said(lockstep: Lockstep) -> None:
    """Print on stderr what the clients have printed since the last call."""
    for name, line, _ in lockstep.said:
        sys.stderr.write(f"{name}: {printable(line)}\n")
    lockstep.said.clear()
