"""A database file: any text is a database, a part of one, or a ConfigurationError; what it has can be encoded."""

from contextlib import suppress

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import load_database

from .packaged import CHECKOUT, scratch_file

SEEDS = [
    *((CHECKOUT / "dbc" / name).read_bytes() for name in ("powertrain.dbc", "vw_mqb_cluster.dbc")),
    b"""VERSION ""
BU_: A
BO_ 1 M: 8 A
 SG_ X M : 0|4@1+ (1,0) [0|9] "" A
 SG_ Y m1 : 7|16@0- (0.5,-3) [0|0] "m/s" A
""",
]
_FILE = scratch_file("fuzzed.dbc")


def one_input(data: bytes) -> None:
    _FILE.write_bytes(data)
    with suppress(ConfigurationError):
        database = load_database(_FILE)
        for message in database.messages:
            if not message.is_container:
                codec = compile_message(message)
                codec.decode(codec.encode({}))
