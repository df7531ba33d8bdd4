"""The transfer of memory between tester and control unit: what services 34, 35, 36 and 37 share.

    34, 35   begins a transfer of a place, in blocks
    36       takes or gives the next block, numbered 01 to FF, then from 00 on
    37       ends it when all of it was transferred

A change of session ends it; a region of flash that was being programmed is then not valid.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.refusal import INCORRECT_LENGTH, REQUEST_OUT_OF_RANGE, VOLTAGE_TOO_LOW, Refusal
from hilbridge.bench.diagnostics.uds.memory import Memory, Place
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession
from hilbridge.files.settings.uds_memory import ProgrammingSettings

_LONGEST_FORMAT: Final = 0x20
"""lengthFormatIdentifier: the longest block is told in two bytes."""

_SHORTEST: Final = 4


class Transfer:
    """The transfer of one control unit. `voltage` returns the supply [V].

    `place` is what is being transferred (None: nothing), `done` how many of its bytes; `downloads` tells the direction.
    `last` is the place of the last download that is complete. In another format than 00 its length is not known before.
    """

    def __init__(
        self,
        session: DiagnosticSession,
        settings: ProgrammingSettings,
        memory: Memory,
        voltage: Callable[[], float],
    ) -> None:
        self.memory: Final = memory
        self.settings: Final = settings
        self.write_time: Final = round(settings.write_time * MILLISECOND)
        self.erase_time: Final = round(settings.erase_time * MILLISECOND)
        self.place: Place | None = None
        self.downloads = False
        self.done = 0
        self.block = 0
        self.last: Place | None = None
        self._coded = False
        self._formats: Final = frozenset(int(one, 16) for one in settings.formats)
        self._voltage: Final = voltage
        session.on_change("transfer", self.end)

    def begin(self, place: Place, *, downloads: bool, coded: bool = False) -> bytes:
        """Begin a transfer; return what 34 and 35 answer: the longest request 36, with service and number."""
        self.place, self.downloads, self.done, self.block, self._coded = place, downloads, 0, 0, coded
        return bytes((_LONGEST_FORMAT,)) + self.settings.block_length.to_bytes(2, "big")

    @property
    def is_complete(self) -> bool:
        """Whether all was transferred."""
        return self.place is not None and (self.done == self.place.length or (self._coded and self.done > 0))

    def end(self) -> None:
        """End the transfer, complete or not."""
        self.place = None

    def require_voltage(self) -> None:
        """Refuse to change flash while the supply is too low."""
        if self.settings.lowest_voltage is not None and self._voltage() < self.settings.lowest_voltage:
            raise Refusal(VOLTAGE_TOO_LOW)

    def requested_place(self, data: bytes, *, downloads: bool) -> Place:
        """Return the place that a request 34 or 35 names after the format of its data.

        Refusal: shorter than one byte of each (13), a format that is not taken (31), or no place (memory.py).
        """
        if len(data) < _SHORTEST:
            raise Refusal(INCORRECT_LENGTH)
        if data[0] and not (downloads and data[0] in self._formats):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return self.memory.only_place(data[1:])
