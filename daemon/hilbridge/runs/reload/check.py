"""Read a bench file again, in a process of its own, and report the result to the tick process.

    python -m hilbridge.runs.reload.check RESULT ARCHIVE OFFSET LENGTH FACTS FILE SEED

RESULT and ARCHIVE are descriptors. Into RESULT goes what transfer.py writes: the reason why the file is refused, or a
Candidate, which was built here once as the tick process will build it. The candidate's files are in ARCHIVE, behind the
entry of the running bench at OFFSET. SEED is that of the run, which the command line may have set.
"""

import signal
import sys
from dataclasses import replace

from hilbridge.base.common.lean_imports import lean_imports

if __name__ == "__main__":
    lean_imports()  # the imports that follow would load what this leaves out

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.bench.adapters import with_adapters
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.bench_archive import ArchivePlace, BenchArchive, archive_of
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.runs.reload.transfer import Candidate, write


def check(name: str, seed: int | None, bench_archive: BenchArchive) -> Candidate:
    """Load and build a bench. ConfigurationError, with file and line, where that cannot be."""
    file = with_adapters(load_bench(name))
    if seed is not None and file.settings.seed != seed:
        file = file.altered(seed=seed)
    try:
        wiring = Bench(file).wiring
    except ConfigurationError as error:
        raise file.locate(error) from error
    try:
        place = bench_archive.propose(archive_of(bundle(file)))
    except OSError as error:
        raise ConfigurationError(f"there is no memory for the files of the bench: {error.strerror}") from error
    return Candidate(replace(wiring.bench_files, logs={}, playlists=wiring.playlists), place)


def main(descriptor: int, bench_archive: BenchArchive, name: str, seed: int | None) -> None:
    """Check the bench file `name` and write the result into the memfd `descriptor`."""
    signal.pthread_sigmask(signal.SIG_BLOCK, DAEMON_SIGNALS)
    become_ordinary()
    result: Candidate | str
    try:
        result = check(name, seed, bench_archive)
    except ConfigurationError as error:
        result = str(error)
    write(result, descriptor)


if __name__ == "__main__":
    descriptor, archive, *place = map(int, sys.argv[1:6])
    name, seed = sys.argv[6:]
    main(descriptor, BenchArchive(archive, newest=ArchivePlace(*place)), name, None if seed == "-" else int(seed))
