"""A bench file: any text is a bench that can be built, or an error with its place, never anything else."""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench

from .packaged import CHECKOUT, scratch_file

SEEDS = [
    (CHECKOUT / "config/benches" / f"{name}.yaml").read_bytes() for name in ("demo", "cluster", "diagnostics", "truck")
]
_FILE = scratch_file("fuzzed.yaml")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        Bench(load_bench(str(_FILE)))
