"""Run pytest, and the few tests that fail once more, alone: `python -m tests.again ARGUMENTS`, those of pytest.

Tests of programs in real time share the machine with one another and with whatever else runs there. One that fails in
company and passes alone is named in a line of its own, so that whoever reads it can mend it, and is no reason to hold
a change back; CPython's `regrtest --rerun` does the same. One that fails again has failed; of many none is tried.
"""

import subprocess
import sys
from collections.abc import Sequence

import pytest

MOST = 10
"""Failing tests that are tried again; more have another reason than their company."""

ALONE = "passed only alone:"


class Failures:
    """The plugin that notes which tests failed, in which phase ever, and the paths that pytest was given."""

    def __init__(self) -> None:
        self.tests: dict[str, None] = {}
        self.paths: list[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        self.paths = config.args

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.tests[report.nodeid] = None


def main(arguments: Sequence[str]) -> int:
    """Return pytest's exit status; 0 when each of at most MOST tests that failed has passed alone."""
    failures = Failures()
    status = int(pytest.main(list(arguments), plugins=[failures]))
    if status != pytest.ExitCode.TESTS_FAILED or len(failures.tests) > MOST:
        return status
    options = [one for one in arguments if one not in failures.paths]
    for test in failures.tests:
        print(f"\nagain, alone: {test}", flush=True)
        if subprocess.run([sys.executable, "-m", "pytest", *options, "-n", "0", test], check=False).returncode:
            return status
    for test in failures.tests:
        print(f"{ALONE} {test}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
