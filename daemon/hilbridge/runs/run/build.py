"""A bench that is built as a run would build it, and is not run."""

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.boundary.fmu.opening import require_fmus
from hilbridge.boundary.lockstep.opening import require_code
from hilbridge.files.configuration.benchfile import BenchFile


def build(file: BenchFile) -> Bench:
    """Return the bench of a file, whose lockstep clients and FMUs are there; none is started.

    ConfigurationError, with the place in the file: it cannot be built, or names code that is not trusted or not there.
    """
    try:
        bench = Bench(file)
        require_code(file.settings.lockstep, file.settings.boards)
        require_fmus(file.settings)
    except ConfigurationError as error:
        raise file.locate(error) from error
    return bench
