"""Reads a bench file anew, in a process of its own, and tells the tick process what has become of it.

    python -m hilbridge.reload_check DESCRIPTOR FILE SEED

The answer lies in the memfd at DESCRIPTOR, pickled: the words of what is wrong, or a Candidate, which was built here
once as the tick process will build it. SEED is that of the run, which the command line may have set.
"""

import os
import pickle
import signal
import sys

from hilbridge.app import Bench
from hilbridge.child_process import KEPT_AWAY
from hilbridge.configuration.benchfile import load_bench
from hilbridge.configuration.bundle import bundle
from hilbridge.errors import ConfigurationError
from hilbridge.materials import Candidate
from hilbridge.observe.dossier import archive_of
from hilbridge.ordinary import become_ordinary


def check(name: str, seed: int | None) -> Candidate:
    """ConfigurationError, with file and line, for what cannot be."""
    file = load_bench(name)
    if seed is not None and file.settings.seed != seed:
        file = file.altered(seed=seed)
    try:
        return Candidate(Bench(file).wiring.materials, archive_of(bundle(file)))
    except ConfigurationError as error:
        raise file.locate(error) from error


def main(descriptor: int, name: str, seed: int | None) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    become_ordinary()
    answer: Candidate | str
    try:
        answer = check(name, seed)
    except ConfigurationError as error:
        answer = str(error)
    with os.fdopen(descriptor, "wb") as memory:
        pickle.dump(answer, memory, pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], None if sys.argv[3] == "-" else int(sys.argv[3]))
