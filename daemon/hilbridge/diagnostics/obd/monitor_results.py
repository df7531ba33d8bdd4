"""Service 06: the results of the monitors, and their limits.

    06 MID                     46  MID test unit value minimum maximum (two bytes each; for each test of the monitor)
    06 base (up to six)        46  base mask ...

Before the first result since the codes were cleared, value and limits are 0 (SAE J1979). Numbers are scaled by the
unit and scaling id, 0x01 to 0x7F without and 0x81 to 0xFE with a sign; they saturate at the ends of their range. A
missing limit is the end of the range.
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.diagnostics.dtc.monitor_status import Readiness
from hilbridge.diagnostics.dtc.monitors import Monitor
from hilbridge.diagnostics.obd.scaling_units import SIGNED, UNITS
from hilbridge.diagnostics.obd.support import answer_known, is_base, mask
from hilbridge.diagnostics.refusal import Refusal
from hilbridge.settings.dtc import TestResultSettings


class MonitorResults:
    """Service 06 of one control unit."""

    def __init__(self, monitors: Mapping[str, Monitor], readiness: Readiness) -> None:
        """ConfigurationError: a unit and scaling id that is not in `UNITS`."""
        self._readiness: Final = readiness
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
        if len(request) == 1 and request[0] in self._tests:
            return b"".join(self._result(*test) for test in self._tests[request[0]])
        return answer_known(request, self._mask)

    def read(self, number: int) -> bytes | None:
        """Return what identifier F6xx of UDS holds (SAE J1979-2): a mask, or the results without the monitor's number.

        None: there is no such monitor.
        """
        if number not in self._tests:
            return self._mask(number)
        return b"".join(self._result(*test)[1:] for test in self._tests[number])

    def _mask(self, number: int) -> bytes | None:
        return mask(number, self._tests) if is_base(number) else None

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
