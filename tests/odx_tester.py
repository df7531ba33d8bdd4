"""odxtools as a tester: it encodes each request of a variant, and decodes what the bench answers."""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import odxtools.exceptions
from odxtools.database import Database
from odxtools.dataobjectproperty import DataObjectProperty

CHANGING = (0x04, 0x10, 0x11, 0x14, 0x27, 0x28, 0x2E, 0x31, 0x85)
"""Services that change what later ones find: they come last."""


class Asked(NamedTuple):
    """A service with the request that was sent, its answer, and what odxtools makes of that: parameters, or why not."""

    name: str
    request: bytes
    answer: bytes
    decoded: dict[str, Any]
    error: str = ""


def load(path: Any, *, strict: bool = True) -> Database:
    """Return a database as odxtools reads it."""
    odxtools.exceptions.strict_mode = strict
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error" if strict else "ignore")
            database = Database(use_weakrefs=False)
            database.add_pdx_file(path)
            database.refresh()
            return database
    finally:
        odxtools.exceptions.strict_mode = True


def talk(layer: Any, ask: Callable[[bytes], bytes]) -> Iterator[Asked]:
    """Ask each service of a variant, and decode its answer."""
    services = sorted(
        layer.services, key=lambda one: bytes(one.request.coded_const_prefix())[:1] in map(_byte, CHANGING)
    )
    for service in services:
        values = {one.short_name: _value(one) for one in service.request.parameters if one.is_required}
        request = bytes(service.encode_request(**values))
        answer = ask(request)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                decoded = _decoded(service, answer)
        except Exception as error:  # noqa: BLE001 - odxtools raises many kinds
            yield Asked(service.short_name, request, answer, {}, f"{type(error).__name__}: {error}")
        else:
            yield Asked(service.short_name, request, answer, decoded)


def _byte(number: int) -> bytes:
    return bytes((number,))


def _decoded(service: Any, answer: bytes) -> dict[str, Any]:
    if answer[0] == 0x7F:
        raise ValueError(f"refused with {answer[2]:02X}")
    return dict(service.positive_responses[0].decode(answer))


def _value(parameter: Any) -> Any:
    """Return a value that a parameter may have."""
    dop = parameter.dop
    assert isinstance(dop, DataObjectProperty), parameter
    coded = dop.diag_coded_type
    if coded.base_data_type.value == "A_BYTEFIELD":
        return bytes((coded.get_static_bit_length() or 0) // 8)
    if "STRING" in coded.base_data_type.value:
        return "A" * ((coded.get_static_bit_length() or 0) // 8)
    raw = next(one for one in range(256) if dop.compu_method.is_valid_internal_value(one))
    return dop.compu_method.convert_internal_to_physical(raw)


def first_bytes(layer: Any) -> set[int]:
    """Return the services of a variant by number."""
    return {service.request.coded_const_prefix()[0] for service in layer.services}


def identifiers(layer: Any) -> set[int]:
    """Return the identifiers that a variant reads."""
    prefixes = [bytes(service.request.coded_const_prefix()) for service in layer.services]
    return {int.from_bytes(one[1:3], "big") for one in prefixes if one[0] == 0x22 and len(one) == 3}


def codes(layer: Any) -> set[int]:
    """Return the trouble codes of a variant, in the three bytes of UDS."""
    dops = [
        dop for dop in layer.diag_data_dictionary_spec.dtc_dops if dop.diag_coded_type.get_static_bit_length() == 24
    ]
    return {code.trouble_code for dop in dops for code in dop.dtcs}
