"""A profile of a cluster: any text makes a bench that can be built, or an error with its place."""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.profiles import load_profile

from .packaged import CHECKOUT, scratch_file

_CLUSTERS = CHECKOUT / "config/clusters"
SEEDS = [(_CLUSTERS / f"{name}.yaml").read_bytes() for name in ("vw-pq", "bmw-e9x", "hyundai-kia", "dash-link")]
_FILE = scratch_file("fuzzed.yaml")
_BENCH = _FILE.with_name("bench.yaml")
_BENCH.write_text("name: fuzzed\nvehicle: compact\nbuses: {can: {interface: embedded, profile: fuzzed.yaml}}\n")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        assert load_profile(str(_FILE)).headline
    with suppress(ConfigurationError):
        Bench(load_bench(str(_BENCH)))
