"""Addresses of ISO-TP connections: the CAN identifiers of tester and ECU, and the byte that precedes every frame.

| addressing (ISO 15765-2:2016, 10.3) | request | answer | functional request | first byte |
|---|---|---|---|---|
| normal, 11-bit (ISO 15765-4) | 7E0 … 7E7 | 8 above the request | 7DF | |
| normal, 29-bit | any | any | any | |
| normal fixed, 29-bit | 18DA TA SA | 18DA SA TA | 18DB 33 SA | |
| extended | any | any | any | target address |
| mixed, 11-bit | any | any | any | address extension |
| mixed, 29-bit | 18CE TA SA | 18CE SA TA | 18CD 33 SA | address extension |

TA is the target address of the request (the ECU), SA its source address (the tester).
"""

from typing import Final, NamedTuple

from hilbridge.files.settings.units import ALL_UNITS, MIXED, NORMAL_FIXED, TESTER, AddressSettings
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, STANDARD_MASK

ALL_11BIT: Final = 0x7DF
"""Identifier of functional requests of OBD, 11-bit."""

_NORMAL_FIXED: Final = NORMAL_FIXED | EXTENDED
_NORMAL_FIXED_FUNCTIONAL: Final = 0x18DB0000 | EXTENDED
_MIXED: Final = MIXED | EXTENDED
_MIXED_FUNCTIONAL: Final = 0x18CD0000 | EXTENDED

_FUNCTIONAL: Final = {False: ALL_11BIT, True: _NORMAL_FIXED_FUNCTIONAL | ALL_UNITS << 8 | TESTER}
"""Identifier of functional requests of OBD, by whether the address has 29 bits."""


class Address(NamedTuple):
    """The address of an ECU: the identifiers that it receives requests on, and the one that it answers on.

    Identifiers include their EXTENDED flag. A prefix (no or one byte) precedes the data of every frame of its
    direction.
    """

    request_id: int
    response_id: int
    functional_id: int | None = None  # None: physical requests only
    request_prefix: bytes = b""
    response_prefix: bytes = b""
    functional_prefix: bytes = b""

    @classmethod
    def normal_11bit(cls, request_id: int, response_id: int, functional_id: int | None = ALL_11BIT) -> "Address":
        """Return an address of 11-bit identifiers without prefix."""
        return cls(request_id, response_id, functional_id)

    @classmethod
    def normal_fixed_29bit(cls, source: int, target: int, functional: int = ALL_UNITS) -> "Address":
        """Return the address for requests from `source`, the tester, to `target`, the ECU."""
        return cls(
            _NORMAL_FIXED | target << 8 | source,
            _NORMAL_FIXED | source << 8 | target,
            _NORMAL_FIXED_FUNCTIONAL | functional << 8 | source,
        )

    @classmethod
    def mixed_29bit(cls, source: int, target: int, extension: int, functional: int = ALL_UNITS) -> "Address":
        """Return the address for requests from `source`, the tester, to `target`, with an address extension."""
        prefix = bytes((extension,))
        return cls(
            _MIXED | target << 8 | source,
            _MIXED | source << 8 | target,
            _MIXED_FUNCTIONAL | functional << 8 | source,
            prefix,
            prefix,
            prefix,
        )

    def describe(self) -> str:
        """Return "7E0 -> 7E8", with the address bytes where there are any: "6F1 12 -> 612 F1"."""
        request = _described(self.request_id, self.request_prefix)
        return f"{request} -> {_described(self.response_id, self.response_prefix)}"

    def mirrored(self) -> "Address":
        """Return the address of the tester: it receives the answers of the ECU, and no functional requests."""
        return Address(self.response_id, self.request_id, None, self.response_prefix, self.request_prefix)


def address_of(settings: AddressSettings) -> Address:
    """Return the address that the bench file describes."""
    functional = ALL_UNITS if settings.functional_target is None else settings.functional_target
    if settings.address is not None:
        if settings.extension is None:
            return Address.normal_fixed_29bit(settings.source, settings.address, functional)
        return Address.mixed_29bit(settings.source, settings.address, settings.extension, functional)
    assert settings.request is not None  # noqa: S101 - the settings have checked it
    assert settings.answer is not None  # noqa: S101
    request, answer = _can_id(settings.request), _can_id(settings.answer)
    if settings.target is not None:
        prefixes = bytes((settings.target,)), bytes((settings.source,))
        if settings.functional_target is None:
            return Address(request, answer, None, *prefixes)
        shared = request if settings.functional is None else _can_id(settings.functional)
        return Address(request, answer, shared, *prefixes, bytes((settings.functional_target,)))
    to_all = None if settings.functional is None else _can_id(settings.functional)
    if settings.extension is not None:
        prefix = bytes((settings.extension,))
        return Address(request, answer, to_all, prefix, prefix, prefix)
    if "functional" not in settings.model_fields_set:
        to_all = _FUNCTIONAL[bool(request & EXTENDED)]
    return Address(request, answer, to_all)


def _described(can_id: int, prefix: bytes) -> str:
    identifier = f"{can_id & EXTENDED_MASK:0{8 if can_id & EXTENDED else 3}X}"
    return f"{identifier} {prefix.hex().upper()}".rstrip()


def _can_id(identifier: int) -> int:
    return identifier | (EXTENDED if identifier > STANDARD_MASK else 0)
