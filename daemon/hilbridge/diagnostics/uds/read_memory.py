"""Service 23, read memory by address: `23 LA address length`; L and A are the sizes of length and address in bytes.

The memory consists of the regions of the bench file; it is not the memory of this computer. A request reads from one
region.

    less than one byte each             13
    L or A is 0, L above 4, A above 5   31
    another length than LA requires     13
    not inside one region, or length 0  31
    security access needed              33
    too long for an answer              14
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.diagnostics.uds.dids import ConstantIdentifier, Identifiers
from hilbridge.diagnostics.uds.service import NOT_DEFAULT, DiagnosticSession, UdsService
from hilbridge.settings.uds import MemorySettings

_SHORTEST: Final = 3
_LENGTH_SIZES: Final = range(1, 5)
_ADDRESS_SIZES: Final = range(1, 6)


class MemoryRegion(NamedTuple):
    """A region of memory."""

    address: int
    read: Callable[[], bytes]
    security: int


class ReadMemoryByAddress(UdsService):
    """Service 23 for `regions`."""

    sid = 0x23
    sessions = NOT_DEFAULT

    def __init__(self, session: DiagnosticSession, regions: Sequence[MemoryRegion]) -> None:
        super().__init__(session)
        self._regions: Final = regions

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        if len(data) < _SHORTEST:
            raise Refusal(INCORRECT_LENGTH)
        length_size, address_size = divmod(data[0], 16)
        if length_size not in _LENGTH_SIZES or address_size not in _ADDRESS_SIZES:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self.require_length(data, 1 + address_size + length_size)
        address = int.from_bytes(data[1 : 1 + address_size], "big")
        length = int.from_bytes(data[1 + address_size :], "big")
        for region in self._regions:
            start = address - region.address
            content = region.read()
            if 0 <= start < start + length <= len(content):
                self.require_security(region.security)
                return content[start : start + length]
        raise Refusal(REQUEST_OUT_OF_RANGE)


def build_memory(settings: Sequence[MemorySettings], identifiers: Identifiers, place: KeyPath) -> list[MemoryRegion]:
    """Return the regions.

    ConfigurationError: two of them overlap, or one refers to an identifier without bytes of its own.
    """
    regions: list[MemoryRegion] = []
    for index, piece in enumerate(settings):
        content = (
            ConstantIdentifier(piece.content)
            if piece.identifier is None
            else identifiers.find(int(piece.identifier, 16))
        )
        if not isinstance(content, ConstantIdentifier):
            raise ConfigurationError("is no identifier with 'text' or 'data'", (*place, index, "identifier"))
        end = piece.address + len(content.data)
        if any(piece.address < one.address + len(one.read()) and one.address < end for one in regions):
            raise ConfigurationError("overlaps with an earlier piece", (*place, index, "address"))
        regions.append(MemoryRegion(piece.address, content.read, piece.security))
    return regions
