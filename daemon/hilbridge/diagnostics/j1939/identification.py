"""What a control unit says of itself on request (SAE J1939-71): VI, SOFT, CI. Text fields end with `*`.

VI    65260  vehicle identification: VIN*
SOFT  65242  software identification: number of fields, then each field and *
CI    65259  component identification: make*model*serial number*unit number*
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from hilbridge.settings.j1939 import J1939NodeSettings

VI: Final = 0xFEEC
SOFT: Final = 0xFEDA
CI: Final = 0xFEEB

_MAKE: Final = "HILBR"
"""Five characters, as VMRS codes of makers have."""


def identification(settings: J1939NodeSettings, vin: str | None, model: str) -> Mapping[int, Callable[[], bytes]]:
    """The payloads by PGN; `model` is the name of the control unit."""
    payloads = {
        SOFT: bytes((len(settings.software),)) + _fields(*settings.software),
        CI: _fields(_MAKE, model, str(settings.identity), ""),
    }
    if vin is not None:
        payloads[VI] = _fields(vin)
    return {pgn: partial(bytes, payload) for pgn, payload in payloads.items()}


def _fields(*texts: str) -> bytes:
    return "".join(f"{text}*" for text in texts).encode("ascii")
