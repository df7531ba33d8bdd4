"""Reads a bench file anew, in a process of its own, and tells the tick process what has become of it.

    python -m hilbridge.reload.check ANSWER DOSSIER OFFSET LENGTH FACTS FILE SEED

ANSWER and DOSSIER are descriptors. The answer is what handover.py writes: the words of what is wrong, or a Candidate,
which was built here once as the tick process will build it. Its files are in the dossier then, behind the entry at
OFFSET, which is of what runs. SEED is that of the run, which the command line may have set.
"""

import signal
import sys
from dataclasses import replace

from hilbridge.bench.bench import Bench
from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.benchfile import load_bench
from hilbridge.configuration.bundle import bundle
from hilbridge.observe.bench_archive import ArchivePlace, BenchArchive, archive_of
from hilbridge.process.child_process import KEPT_AWAY
from hilbridge.process.scheduling import become_ordinary
from hilbridge.reload.transfer import Candidate, hand_over


def check(name: str, seed: int | None, bench_archive: BenchArchive) -> Candidate:
    """ConfigurationError, with file and line, for what cannot be."""
    file = load_bench(name)
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
    signal.pthread_sigmask(signal.SIG_BLOCK, KEPT_AWAY)
    become_ordinary()
    answer: Candidate | str
    try:
        answer = check(name, seed, bench_archive)
    except ConfigurationError as error:
        answer = str(error)
    hand_over(answer, descriptor)


if __name__ == "__main__":
    answer, descriptor, *place = map(int, sys.argv[1:6])
    name, seed = sys.argv[6:]
    main(answer, BenchArchive(descriptor, newest=ArchivePlace(*place)), name, None if seed == "-" else int(seed))
