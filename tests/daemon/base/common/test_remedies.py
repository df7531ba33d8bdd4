"""Remedies name commands that work where they are read."""

import subprocess
import sys

from hilbridge.base.common.remedies import extra_remedy


def test_the_packages_of_an_extra_are_named_for_this_environment() -> None:
    """hilbridge itself may be a checkout that no index has; its environment has the packages already."""
    remedy = extra_remedy("plot")
    assert remedy.startswith(f"{sys.executable} -m pip install 'matplotlib")
    assert "hilbridge[" not in remedy
    done = subprocess.run(
        f"{remedy} --no-index --quiet", shell=True, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
