"""Service 06: the results of the monitors, and their limits.

    06 MID                     46  MID test unit value minimum maximum (two bytes each; for each test of the monitor)
    06 base (up to six)        46  base mask ...

Monitors A2 to AD are the misfires of cylinders 1 to 12 (dtc/misfires.py): test 0B the mean of the last ten driving
cycles, 0C the present one; any count is within their limits.

Before the first result since the codes were cleared, value and limits are 0 (SAE J1979). Numbers are scaled by the
unit and scaling id, 0x01 to 0x7F without and 0x81 to 0xFE with a sign; they saturate at the ends of their range. A
missing limit is the end of the range.
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.dtc.misfires import MisfireCounts
from hilbridge.bench.diagnostics.dtc.monitor_status import Readiness
from hilbridge.bench.diagnostics.dtc.monitors import Monitor
from hilbridge.bench.diagnostics.obd.scaling_units import SIGNED, UNITS
from hilbridge.bench.diagnostics.obd.support import answer_known, is_base, mask
from hilbridge.bench.diagnostics.refusal import Refusal
from hilbridge.files.settings.dtc import TestResultSettings

_CYLINDERS: Final = 0xA1
_MEAN: Final = 0x0B
_PRESENT: Final = 0x0C
_COUNTS: Final = 0x24
"""Misfires by cylinder: the monitor before that of cylinder 1, the tests, and the unit."""


class MonitorResults:
    """Service 06 of one control unit."""

    def __init__(self, monitors: Mapping[str, Monitor], readiness: Readiness, misfires: MisfireCounts) -> None:
        """ConfigurationError: a unit and scaling id that is not in `UNITS`."""
        self._readiness: Final = readiness
        self._misfires: Final = misfires
        self._tests: Final[dict[int, list[tuple[str, Monitor, TestResultSettings]]]] = {}
        for name, monitor in monitors.items():
            result = monitor.settings.result
            if result is not None:
                if result.unit not in UNITS:
                    reason = f"unknown unit and scaling id 0x{result.unit:02X}"
                    raise ConfigurationError(reason, ("monitors", name, "result", "unit"))
                self._tests.setdefault(result.monitor, []).append((name, monitor, result))

    def answer(self, request: bytes) -> bytes:
        if len(request) > 1 and not all(map(is_base, request)):
            raise Refusal  # one monitor at a time
        if len(request) == 1 and (results := self._results(request[0])):
            return b"".join(results)
        return answer_known(request, self._mask)

    def read(self, number: int) -> bytes | None:
        """Return what identifier F6xx of UDS holds (SAE J1979-2): a mask, or the results without the monitor's number.

        None: there is no such monitor.
        """
        results = self._results(number)
        return b"".join(result[1:] for result in results) if results else self._mask(number)

    def _mask(self, number: int) -> bytes | None:
        if not is_base(number):
            return None
        return mask(number, {*self._tests, *(_CYLINDERS + n for n in self._misfires.counts)})

    def _results(self, number: int) -> list[bytes]:
        """Return the results of a monitor, each with its number; none: there is no such monitor."""
        results = [self._result(*test) for test in self._tests.get(number, ())]
        cylinder = number - _CYLINDERS
        if cylinder in self._misfires.counts:
            for test, counts in ((_MEAN, self._misfires.means), (_PRESENT, self._misfires.counts)):
                value = scaled(_COUNTS, counts[cylinder]).to_bytes(2, "big")
                results.append(bytes((number, test, _COUNTS)) + value + b"\x00\x00\xff\xff")
        return results

    def _result(self, name: str, monitor: Monitor, result: TestResultSettings) -> bytes:
        numbers = [0, 0, 0]
        if monitor.last is not None and name in self._readiness.completed:
            low, high = _ends(result.unit)
            minimum, maximum = monitor.settings.minimum, monitor.settings.maximum
            numbers = [
                scaled(result.unit, monitor.last),
                low if minimum is None else scaled(result.unit, minimum),
                high if maximum is None else scaled(result.unit, maximum),
            ]
        words = b"".join((number & 0xFFFF).to_bytes(2, "big") for number in numbers)
        return bytes((result.monitor, result.test, result.unit)) + words


def scaled(unit: int, value: float) -> int:
    """Return the raw number of a value, limited to 16 bits."""
    factor, offset = UNITS[unit]
    low, high = _ends(unit)
    return round(min(max((value - offset) / factor, low), high))


def _ends(unit: int) -> tuple[int, int]:
    return (-0x8000, 0x7FFF) if unit & SIGNED else (0, 0xFFFF)
