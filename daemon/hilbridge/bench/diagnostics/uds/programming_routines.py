"""The routines of programming (ISO 14229-1, annex F.1), in the sessions in which service 34 is supported.

    FF00 erase memory        option: format address length (memory.py) of flash; none: all flash
    FF01 check dependencies  no option; whether all flash is valid, so that there is an application again
    check of an image        its identifier and option are in the settings (ImageCheckSettings)

The status is 00 for done or in order, 01 for not in order. "Response pending" is sent while one of them takes its time.

    another length               13
    not in this session          31
    no flash, or no place        31
    security access needed       33
    a download has begun         22
    no download to check         24
    the supply is too low        93
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from hilbridge.bench.diagnostics.refusal import (
    CONDITIONS_NOT_CORRECT,
    INCORRECT_LENGTH,
    REQUEST_OUT_OF_RANGE,
    REQUEST_SEQUENCE_ERROR,
    SECURITY_ACCESS_DENIED,
    Refusal,
)
from hilbridge.bench.diagnostics.uds.image_crc import ImageCrc
from hilbridge.bench.diagnostics.uds.memory import Memory, Place, place_of
from hilbridge.bench.diagnostics.uds.routines import Routine
from hilbridge.bench.diagnostics.uds.service import Answer, DiagnosticSession, UdsService, answer_from
from hilbridge.bench.diagnostics.uds.transfer import Transfer
from hilbridge.files.settings.uds_memory import CHECK_DEPENDENCIES, ERASE, ImageCheckSettings

_IN_ORDER: Final = b"\x00"
_NOT_IN_ORDER: Final = b"\x01"

_ALL: Final = object()
"""A mark that equals no slice."""


class ProgrammingRoutine(Routine):
    """A routine that is there where service 34 is. `status` is the last one, for its results."""

    option: int | None = None

    def __init__(self, session: DiagnosticSession, download: UdsService, transfer: Transfer) -> None:
        self._session: Final = session
        self._download: Final = download
        self._transfer: Final = transfer
        self._status: bytes | None = None

    @property
    def _memory(self) -> Memory:
        return self._transfer.memory

    def start(self, option: bytes, t: int) -> Answer:
        if self._session.active not in self._download.sessions:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        self._status = None
        return self._begin(option, t)

    def results(self) -> bytes:
        if self._status is None:
            raise Refusal(REQUEST_SEQUENCE_ERROR)
        return self._status

    def end(self) -> None:
        self._status = None

    def _begin(self, option: bytes, t: int) -> Answer:
        raise NotImplementedError

    def _finish(self, *, in_order: bool) -> bytes:
        self._status = _IN_ORDER if in_order else _NOT_IN_ORDER
        return self._status

    def _require_access(self, place: Place) -> None:
        """Refuse a place that is no flash, or whose security level is not unlocked."""
        if not place.region.flash:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if not self._session.permits(place.region.writing_level):
            raise Refusal(SECURITY_ACCESS_DENIED)


class EraseMemory(ProgrammingRoutine):
    """FF00; the flash is not valid from its start on."""

    def _begin(self, option: bytes, t: int) -> Answer:
        transfer = self._transfer
        places = (
            [self._memory.only_place(option)] if option else [Place(one, 0, one.length) for one in self._memory.flash]
        )
        for place in places:
            self._require_access(place)
        if transfer.place is not None:
            raise Refusal(CONDITIONS_NOT_CORRECT)
        transfer.require_voltage()
        for place in places:
            self._memory.invalidate(place.region)
        slices = chain.from_iterable(region.erase(begin, length) for region, begin, length in places)
        done = answer_from(t + transfer.erase_time, lambda: self._finish(in_order=True))
        return lambda now: done(now) if next(slices, _ALL) is _ALL else None


class CheckDependencies(ProgrammingRoutine):
    """FF01."""

    option = 0

    def _begin(self, option: bytes, t: int) -> Answer:
        valid = all(region.valid for region in self._memory.flash)
        if valid and not self._memory.application:
            self._memory.application = True
            self._memory.changes += 1
        return self._finish(in_order=valid)


class CheckImage(ProgrammingRoutine):
    """The comparison of a CRC, some bytes a tick; flash that is in order is valid from then on."""

    def __init__(
        self, settings: ImageCheckSettings, session: DiagnosticSession, download: UdsService, transfer: Transfer
    ) -> None:
        super().__init__(session, download, transfer)
        self._stored: Final = settings.crc == "stored"
        self._crc: Final = ImageCrc(settings)
        self._size: Final = self._crc.size

    def _begin(self, option: bytes, t: int) -> Answer:
        checks = list(self._stored_checks(option) if self._stored else self._sent_check(option))
        for place, _ in checks:
            self._require_access(place)
        steps = self._steps(checks)
        return lambda _now: next(steps)

    def _sent_check(self, option: bytes) -> Iterator[tuple[Place, bytes]]:
        if len(option) == self._size:
            if self._transfer.last is None:
                raise Refusal(REQUEST_SEQUENCE_ERROR)
            yield self._transfer.last, option
            return
        address, length, wanted = place_of(option)
        if len(wanted) != self._size:
            raise Refusal(INCORRECT_LENGTH)
        yield self._memory.find(address, length), wanted

    def _stored_checks(self, option: bytes) -> Iterator[tuple[Place, bytes]]:
        if option:
            raise Refusal(INCORRECT_LENGTH)
        for region in self._memory.flash:
            end = region.length - self._size
            yield Place(region, 0, end), region.read(end, self._size)

    def _steps(self, checks: list[tuple[Place, bytes]]) -> Iterator[bytes | None]:
        """Yield None for each slice, then the status."""
        in_order = True
        for place, wanted in checks:
            passed = False
            for crc in self._crc.steps(place):
                passed = crc == wanted
                if crc is None:
                    yield None
            place.region.valid |= passed
            in_order = in_order and passed
        self._memory.changes += 1
        yield self._finish(in_order=in_order)


def programming_routines(
    session: DiagnosticSession, download: UdsService, transfer: Transfer
) -> dict[int, ProgrammingRoutine]:
    """Return the routines of a control unit that can be programmed, by number."""
    check = transfer.settings.check
    routines: dict[str, ProgrammingRoutine] = {
        ERASE: EraseMemory(session, download, transfer),
        CHECK_DEPENDENCIES: CheckDependencies(session, download, transfer),
    }
    if check is not None:
        routines[check.routine] = CheckImage(check, session, download, transfer)
    return {int(key, 16): routine for key, routine in routines.items()}
