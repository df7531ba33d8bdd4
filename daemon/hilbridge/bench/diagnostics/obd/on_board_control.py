"""Service 08: request control of an on-board system, test or component (SAE J1979).

    08 base (up to six)           48  base mask ...
    08 TID, up to five bytes      48  TID data

Data and conditions of each test are those of the bench file; the vehicle model has no evaporative system, so that
nothing moves in it.

    a condition does not hold     the code of the condition, by default 22
    no tests at all               11, as without the service
"""

from collections.abc import Mapping
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.diagnostics.condition import Conditions
from hilbridge.bench.diagnostics.obd.support import answer_known, is_base, mask
from hilbridge.bench.diagnostics.refusal import SERVICE_NOT_SUPPORTED, Refusal
from hilbridge.files.settings.units import ControlSettings
from vehiclesim.databus import DataBus

_MOST_BYTES: Final = 6
"""The bytes of a request: the test id, and data A to E."""


class OnBoardControl:
    """Service 08 of one control unit."""

    def __init__(self, settings: Mapping[str, ControlSettings], data: DataBus, place: KeyPath) -> None:
        """`place`: key path of the settings. ConfigurationError: a condition cannot be understood."""
        self._tests: Final = {
            int(key, 16): (one.content, Conditions(one.conditions, data, (*place, key, "conditions")))
            for key, one in settings.items()
        }

    def answer(self, request: bytes) -> bytes:
        if not self._tests:
            raise Refusal(SERVICE_NOT_SUPPORTED)
        if not 0 < len(request) <= _MOST_BYTES:
            raise Refusal
        if is_base(request[0]):
            return answer_known(request, self._mask)
        if request[0] not in self._tests:
            raise Refusal
        data, conditions = self._tests[request[0]]
        conditions.require()
        return request[:1] + data

    def _mask(self, number: int) -> bytes | None:
        return mask(number, self._tests) if is_base(number) else None
