"""The effect of a fault of diagnostics: which messages of its control unit it hits, and how long it is at work."""

from typing import TYPE_CHECKING, Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.refusal import NEGATIVE
from hilbridge.bench.faults.answer_frames import Shape, takes_effect
from hilbridge.bench.faults.fault import HitSelector
from hilbridge.files.settings.diagnostic_faults import KINDS, DiagnosticsFault, Moment

if TYPE_CHECKING:
    from hilbridge.bench.faults.faulty_unit import FaultyUnit

_ANSWER: Final = 0x40
_OBD: Final = range(0x01, 0x0B)
_READ_IDENTIFIERS: Final = 0x22
_ROUTINE_CONTROL: Final = 0x31


class UnitEffect:
    """An effect on a control unit."""

    def __init__(self, settings: DiagnosticsFault, selector: HitSelector, unit: "FaultyUnit") -> None:
        self.settings: Final = settings
        self.selector: Final = selector
        self.moment: Final[Moment] = KINDS[settings.effect].moment
        self._unit: Final = unit

    def begin(self) -> None:
        self.selector.still_at_work = self._is_at_work
        self._unit.add(self)

    def end(self) -> None:
        self._unit.remove(self)

    def time(self, key: str) -> int:
        """Return a time [ns] of the settings, which have it in ms."""
        milliseconds: float = self.settings.get(key)
        return round(milliseconds * MILLISECOND)

    def _is_at_work(self) -> bool:
        """Return whether something that the effect has caused still lasts."""
        return self._unit.is_busy_with(self)

    def hits(self, message: bytes, shape: Shape | None = None) -> bool:
        """Return whether a request, an answer, or the beginning of one is hit.

        An answer in which the effect would change nothing, by its `shape`, is none: the fault waits for another one.
        """
        fits = shape is None or takes_effect(self.settings, shape)
        return fits and concerns(self.settings, message) and self.selector.selects()


def concerns(settings: DiagnosticsFault, message: bytes) -> bool:
    """Return whether a request or an answer, or the beginning of one, is of the service and identifier of a fault.

    One of the identifiers of a request must be the fault's, or the first one of an answer; a refusal has none.
    """
    if not message:
        return False
    service, data = message[0], message[1:]
    if service == NEGATIVE:
        service, data = message[1] if len(message) > 1 else service, b""
    answer, service = service & _ANSWER, service & ~_ANSWER
    if settings.service not in (None, service):
        return False
    return settings.identifier is None or settings.identifier in _identifiers(service, data, answer=bool(answer))


def _identifiers(service: int, data: bytes, *, answer: bool) -> list[int]:
    size = 1 if service in _OBD else 2
    if service == _ROUTINE_CONTROL:
        data = data[1:]
    if answer or service not in (*_OBD, _READ_IDENTIFIERS):
        data = data[:size]
    return [int.from_bytes(data[i : i + size], "big") for i in range(0, len(data) - size + 1, size)]
