"""Bounds of a process: its own where it was given more, those that it was given where they are lower."""

import resource
import subprocess
import sys

import pytest

SHOWN = """
import resource
from hilbridge.base.process.limits import lower_limit
lower_limit(resource.RLIMIT_CPU, 60)
lower_limit(resource.RLIMIT_DATA, 1 << 30)
print(resource.getrlimit(resource.RLIMIT_CPU)[0], resource.getrlimit(resource.RLIMIT_DATA)[0])
"""


@pytest.mark.parametrize(
    ("kind", "given", "shown"),
    [
        (None, 0, f"60 {1 << 30}"),
        (resource.RLIMIT_CPU, 20, f"20 {1 << 30}"),
        (resource.RLIMIT_DATA, 1 << 29, f"60 {1 << 29}"),
    ],
)
def test_a_hard_limit_that_is_lower_stays(kind: int | None, given: int, shown: str) -> None:
    """Linux refuses a soft limit above the hard one with EINVAL (setrlimit(2)), for root too."""

    def limit() -> None:
        if kind is not None:
            resource.setrlimit(kind, (given, given))

    done = subprocess.run(
        [sys.executable, "-c", SHOWN], preexec_fn=limit, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == shown
