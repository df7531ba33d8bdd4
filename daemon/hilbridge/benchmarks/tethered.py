"""The daemon as a measurement starts it: `hilbridge`, which ends in good order as soon as whoever measures is gone.

python -P -m hilbridge.benchmarks.tethered PARENT run FILE ...
"""

import signal
import sys

from hilbridge.cli import main
from hilbridge.process.child_process import die_with

if __name__ == "__main__":
    die_with(int(sys.argv[1]), signal.SIGTERM)
    sys.exit(main(sys.argv[2:]))
