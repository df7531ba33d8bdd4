"""A CAN log: any text is learned from, or refused with its place, never anything else."""

from contextlib import suppress

from hilbridge.common.errors import ConfigurationError
from hilbridge.draft.from_database import Way
from hilbridge.learn.bench_writer import write_bench
from hilbridge.learn.learn import learn
from hilbridge.learn.log import read_frames

from .packaged import scratch_file

_COUNTED = "".join(
    f"({tick / 100:.2f}) can0 1A0#{tick * 7 % 256:02X}{tick % 16:02X}{tick // 9:04X}\n" for tick in range(60)
)

SEEDS = [
    _COUNTED.encode(),
    b"(1.0) can0 123#0102\n(1.1) can1 123#R\n(1.2) can0 20000080#0000000000000000\n(1.3) can0 18FEF100##3A5A5\n",
    b"",
]
_FILE = scratch_file("fuzzed.log")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        write_bench(learn(read_frames(_FILE, None), []), "fuzzed", "can", Way(), rest_bus=False)
