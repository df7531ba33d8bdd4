"""The CRC of what was programmed, worked out some bytes a tick."""

from collections.abc import Iterator
from typing import Final

from hilbridge.bench.diagnostics.uds.memory import Place
from hilbridge.files.settings.uds_memory import CrcSettings
from hilbridge.frames.protection.crc import DEFAULTS, start, update

_SLICE: Final = 2048
"""[byte] What goes into a CRC in one tick."""


class ImageCrc:
    """A CRC of places of memory; `size`: its bytes."""

    def __init__(self, settings: CrcSettings) -> None:
        given = settings.model_dump(include={"polynomial", "initial", "xor_out", "reflect"}, exclude_none=True)
        self._crc: Final = DEFAULTS[settings.algorithm]._replace(**given)
        self.size: Final = self._crc.width // 8

    def steps(self, place: Place) -> Iterator[bytes | None]:
        """Yield None for each slice of a place, then its CRC, high byte first."""
        register, take_in = start(self._crc), update(self._crc)
        for begin in range(0, place.length, _SLICE):
            register = take_in(register, place.region.read(place.start + begin, min(_SLICE, place.length - begin)))
            yield None
        yield (register ^ self._crc.xor_out).to_bytes(self.size, "big")
