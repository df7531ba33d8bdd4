"""Read an ODX file in a process of its own, and write the keys that it means as JSON.

    python -m hilbridge.files.odx.child DESCRIPTION <FILE

DESCRIPTION is JSON: variant, and what the bench has by itself. Memory and processor time are bounded before the file is
looked at. odxtools (MIT) does the reading; where a file breaks the standard it goes on, and its complaint is a line of
the result.
"""

import io
import json
import logging
import resource
import sys
import warnings
from collections.abc import Iterable
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, hint, quoted
from hilbridge.base.process.limits import lower_limit
from hilbridge.files.odx.package import LARGEST, documents

MEMORY: Final = 2 << 30
"""[byte] Of the data of this process."""

SECONDS: Final = 120
"""Processor time of this process."""

MOST_COMPLAINTS: Final = 100
_SYSTEMS: Final = "PCBU"


class _Complaints(logging.Handler):
    """The complaints of odxtools about a file, each sentence once."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Final[dict[str, None]] = {}

    def emit(self, record: logging.LogRecord) -> None:
        if len(self.found) < MOST_COMPLAINTS:
            self.found[quoted(record.getMessage(), 200)] = None


def read(content: bytes, variant: str | None, own: Iterable[str], *, obd: bool, vin: bool) -> dict[str, Any]:
    """Return the keys of a variant, and an account of what was read. ConfigurationError: the file cannot be used."""
    found = documents(content)
    try:
        import odxtools.exceptions
    except ImportError:
        reason = "needs odxtools: pip install 'hilbridge[odx]'"
        raise ConfigurationError(reason) from None
    complaints = _Complaints()
    logging.getLogger().addHandler(complaints)
    logging.getLogger("odxtools").addHandler(complaints)
    odxtools.exceptions.strict_mode = False
    warnings.simplefilter("ignore")
    try:
        layer = _variant(_database(found), variant)
        return {**_translated(layer, own, obd=obd, vin=vin), "complaints": list(complaints.found)}
    except ConfigurationError:
        raise
    except Exception as error:  # noqa: BLE001 - of a file that breaks the standard odxtools makes anything
        words = quoted(f"{type(error).__name__}: {error}", 200)
        first = f"; before that: {next(iter(complaints.found))}" if complaints.found else ""
        raise ConfigurationError(f"cannot be understood: {words}{first}") from None


def _database(found: dict[str, bytes | None]) -> Any:
    from xml.etree import ElementTree as ET

    from odxtools.database import Database

    database = Database(use_weakrefs=False)
    for name, text in found.items():
        if text is None:
            database.add_auxiliary_file(name, io.BytesIO())
        else:
            database.add_odx_xml_tree(ET.fromstring(text))  # noqa: S314 - `documents` has refused declared types
    database.refresh()
    return database


def _variant(database: Any, name: str | None) -> Any:
    """Return a variant by its name, or the only one. ConfigurationError: there is none, or there are several."""
    layers = {one.short_name: one for one in [*database.base_variants, *database.ecu_variants]}
    if name is None:
        candidates = [one.short_name for one in [*database.ecu_variants] or [*database.base_variants]]
        if len(candidates) != 1:
            named = f"choose one by 'variant': {', '.join(candidates)}" if candidates else "it has no control unit"
            raise ConfigurationError(f"has {len(candidates)} variants: {named}")
        name = candidates[0]
    if name not in layers:
        words = hint(name, list(layers))
        raise ConfigurationError(f"has no variant {quoted(name)}{f': {words}' if words else ''}")
    return layers[name]


def _translated(layer: Any, own: Iterable[str], *, obd: bool, vin: bool) -> dict[str, Any]:
    from odxtools.singleecujob import SingleEcuJob

    from hilbridge.files.odx.layout import UnreadableError
    from hilbridge.files.odx.translation import Translator

    translator = Translator(set(own), obd=obd, vin=vin)
    result = translator.result
    stated = 0
    for one in layer.diag_comms:
        if isinstance(one, SingleEcuJob):
            result.services += 1
            result.unread[one.short_name] = "is a job, a program of the tester"
            continue
        stated += bool(one.pre_condition_state_refs)
        try:
            translator.add(one.short_name, one)
        except UnreadableError as error:
            result.unread[one.short_name] = str(error)
        except Exception as error:  # noqa: BLE001 - of a file that breaks the standard odxtools makes anything
            result.unread[one.short_name] = quoted(f"{type(error).__name__}: {error}", 200)
    _read_codes(layer, result)
    keys = translator.finish()
    if address := _address(layer):
        keys["addresses"] = [address]
    return {
        "variant": layer.short_name,
        "keys": keys,
        "services": result.services,
        "by_server": len(result.by_server),
        "counts": {
            "identifier": len(result.identifiers),
            "session": len(result.sessions),
            "routine": len(result.routines),
            "code": len(result.codes),
            "answer": len(result.answers),
        },
        "unread": result.unread,
        "valueless": result.valueless,
        "stated": stated,
        "names": result.names,
    }


def _read_codes(layer: Any, result: Any) -> None:
    """Read the trouble codes: of three bytes those of UDS, of two those of OBD-II."""
    for dop in layer.diag_data_dictionary_spec.dtc_dops:
        three = (dop.diag_coded_type.get_static_bit_length() or 24) > 16
        for dtc in dop.dtcs:
            number, failure = divmod(dtc.trouble_code, 0x100) if three else (dtc.trouble_code, 0)
            name = f"trouble code {dtc.short_name}"
            if not 0 <= number <= 0xFFFF:
                result.unread[name] = "has more than three bytes"
                continue
            code = f"{_SYSTEMS[number >> 14]}{number & 0x3FFF:04X}"
            if code in result.codes and result.codes[code]["failure_type"] != failure:
                result.unread[name] = f"{code} is there with failure type {result.codes[code]['failure_type']:02X}"
                continue
            text = str(getattr(dtc.text, "text", dtc.text) or dtc.short_name).strip() or dtc.short_name
            result.codes[code] = {"text": text[:100], "failure_type": failure, "emission": False}


def _address(layer: Any) -> dict[str, int] | None:
    """Return the identifiers on CAN, as far as the file has both."""
    try:
        request, answer = layer.get_can_receive_id(), layer.get_can_send_id()
    except Exception:  # noqa: BLE001 - see above; an address is a key of the bench then
        return None
    known = isinstance(request, int) and isinstance(answer, int)
    return {"request": request, "answer": answer} if known else None


def main() -> int:
    """Bound this process, read the file from the standard input, and write the result."""
    for kind, most in ((resource.RLIMIT_DATA, MEMORY), (resource.RLIMIT_CPU, SECONDS)):
        lower_limit(kind, most)
    asked = json.loads(sys.argv[1])
    try:
        result = read(sys.stdin.buffer.read(LARGEST + 1), **asked)
    except ConfigurationError as error:
        result = {"error": error.message}
    except MemoryError:
        result = {"error": f"needs more than {MEMORY >> 30} GiB of memory to be read"}
    sys.stdout.write(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
