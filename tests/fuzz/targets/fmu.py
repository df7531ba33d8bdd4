"""An FMU of a stranger: any bytes are one that can be unpacked, or a ConfigurationError; nothing leaves its folder."""

import tempfile
from contextlib import suppress
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.fmu.description import read_description
from hilbridge.files.fmu.package import read_package, unpack

from ...fmus import description, members, pack

SEEDS = [
    *(pack(members(version)) for version in (2, 3)),
    *(description(version, units={"u": "rad/s"}).encode() for version in (2, 3)),
]


def one_input(data: bytes) -> None:
    with suppress(ConfigurationError):
        read_description(data)
    with suppress(ConfigurationError), tempfile.TemporaryDirectory() as folder:
        unpack(read_package(data), Path(folder, "unit"))
        assert {one.name for one in Path(folder).iterdir()} <= {"unit"}
