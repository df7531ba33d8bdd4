"""The control units of a bench as an ODX document (ISO 22901-1, model version 2.2.0): a base variant for each.

number     a data object of its own for each way of writing; a scale is LINEAR, physical = (offset + factor · raw) / 1
bytes      A_BYTEFIELD of a fixed length, printable ones A_ASCIISTRING, with their content as default; what follows
           without a fixed length ends with the message
codes      END-OF-PDU-FIELD of a structure with a DTC-DOP, which has the trouble codes of the unit
sessions   a state chart; a service that is not in all of them has its states as conditions
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.desk.odx.messages import Number, Part, Service

XSI: Final = "{http://www.w3.org/2001/XMLSchema-instance}"
CAN: Final = "hilbridge_can"
_LONGEST_NAME: Final = 128
_MOST_BITS: Final = 32


class Unit(NamedTuple):
    """A control unit: its services, sessions and codes, and its identifiers on CAN where it has normal addressing."""

    name: str
    title: str
    services: Sequence[Service]
    sessions: Sequence[int]
    codes: Sequence[TroubleCode]
    request: int | None = None
    answer: int | None = None


def document(name: str, units: Iterable[Unit]) -> ET.Element:
    """Return the ODX document of a bench."""
    root = root_of("DIAG-LAYER-CONTAINER", f"DLC.{name}", name)
    variants = _add(root[0], "BASE-VARIANTS")
    for unit in units:
        _Variant(unit).write(variants)
    ET.indent(root, " ")
    return root


def root_of(category: str, identity: str, name: str) -> ET.Element:
    """Return a document with one category, which has a name."""
    root = ET.Element("ODX", {"MODEL-VERSION": "2.2.0", f"{XSI}noNamespaceSchemaLocation": "odx.xsd"})
    one = _add(root, category, ID=identity)
    _add(one, "SHORT-NAME", short_name(name))
    return root


def short_name(text: str) -> str:
    """Return a text as a short name: letters, digits and underscores, 128 at most."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")[:_LONGEST_NAME] or "unnamed"


def _add(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    named = {key.replace("_", "-"): value for key, value in attributes.items()}
    one = ET.SubElement(parent, tag, named)
    one.text = text
    return one


class _Names:
    """Short names, each once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def free(self, text: str) -> str:
        own = name = short_name(text)
        number = 1
        while own in self._taken:
            number += 1
            own = f"{name[: _LONGEST_NAME - 6]}_{number}"
        self._taken.add(own)
        return own


class _Variant:
    def __init__(self, unit: Unit) -> None:
        self._unit: Final = unit
        self._id: Final = short_name(unit.name)
        self._objects: Final[dict[tuple[object, ...], str]] = {}
        self._units: Final[dict[str, str]] = {}
        self._dops: Final = ET.Element("DATA-OBJECT-PROPS")
        self._code_dops: Final = ET.Element("DTC-DOPS")
        self._structures: Final = ET.Element("STRUCTURES")
        self._lists: Final = ET.Element("END-OF-PDU-FIELDS")
        self._comms: Final = ET.Element("DIAG-COMMS")
        self._requests: Final = ET.Element("REQUESTS")
        self._responses: Final = ET.Element("POS-RESPONSES")

    def write(self, parent: ET.Element) -> None:
        variant = _add(parent, "BASE-VARIANT", ID=self._id)
        _add(variant, "SHORT-NAME", self._id)
        _add(variant, "LONG-NAME", self._unit.title)
        names = _Names()
        for service in self._unit.services:
            self._service(service, names.free(service.name))
        refusals = self._refusals()
        spec = _add(variant, "DIAG-DATA-DICTIONARY-SPEC")
        spec.extend(one for one in (self._code_dops, self._dops, self._structures, self._lists) if len(one))
        if self._units:
            known = _add(_add(spec, "UNIT-SPEC"), "UNITS")
            for text, identity in self._units.items():
                one = _add(known, "UNIT", ID=identity)
                _add(one, "SHORT-NAME", identity.rpartition(".")[2])
                _add(one, "DISPLAY-NAME", text)
        variant.extend((self._comms, self._requests, self._responses, refusals))
        if self._unit.sessions:
            variant.append(self._states())
        if self._unit.request is not None and self._unit.answer is not None:
            self._address(variant, self._unit.request, self._unit.answer)

    def _service(self, service: Service, name: str) -> None:
        one = _add(self._comms, "DIAG-SERVICE", ID=f"{self._id}.DC.{name}", SEMANTIC=service.semantic)
        _add(one, "SHORT-NAME", name)
        inside = [number for number in self._unit.sessions if number in service.sessions]
        if inside and len(inside) < len(self._unit.sessions):
            states = _add(one, "PRE-CONDITION-STATE-REFS")
            for number in inside:
                _add(states, "PRE-CONDITION-STATE-REF", ID_REF=f"{self._id}.ST.{number:02X}")
        _add(one, "REQUEST-REF", ID_REF=f"{self._id}.RQ.{name}")
        _add(_add(one, "POS-RESPONSE-REFS"), "POS-RESPONSE-REF", ID_REF=f"{self._id}.PR.{name}")
        _add(_add(one, "NEG-RESPONSE-REFS"), "NEG-RESPONSE-REF", ID_REF=f"{self._id}.NR.Refusal")
        for parent, tag, prefix, parts in (
            (self._requests, "REQUEST", "RQ", service.request),
            (self._responses, "POS-RESPONSE", "PR", service.response),
        ):
            message = _add(parent, tag, ID=f"{self._id}.{prefix}.{name}")
            _add(message, "SHORT-NAME", f"{prefix}_{name}"[:_LONGEST_NAME])
            self._parameters(message, parts)

    def _parameters(self, message: ET.Element, parts: Sequence[Part]) -> None:
        parameters, names = _add(message, "PARAMS"), _Names()
        for part in parts:
            kind = {"const": "CODED-CONST", "echo": "MATCHING-REQUEST-PARAM"}.get(part.kind, "VALUE")
            one = _add(parameters, "PARAM", **{f"{XSI}type": kind})
            _add(one, "SHORT-NAME", names.free(part.name))
            first, last = part.start, part.start + max(part.width, 1) - 1
            _add(one, "BYTE-POSITION", str(first // 8))
            bit = 7 - (first % 8 + part.width - 1 if part.number and part.number.little else last) % 8
            if part.width and part.kind != "codes" and (part.width % 8 or bit):
                _add(one, "BIT-POSITION", str(bit))
            if part.kind == "const":
                self._constant(one, part)
            elif part.kind == "echo":
                _add(one, "REQUEST-BYTE-POS", str(part.source))
                _add(one, "BYTE-LENGTH", str(part.width // 8))
            else:
                text = part.raw.decode("ascii") if _is_text(part.raw) else part.raw.hex().upper()
                if part.raw:
                    _add(one, "PHYSICAL-DEFAULT-VALUE", text)
                _add(one, "DOP-REF", ID_REF=self._object(part))

    def _constant(self, parameter: ET.Element, part: Part) -> None:
        """Write constant bytes: a number where it fits into 32 bits, else bytes."""
        if part.width <= _MOST_BITS:
            _add(parameter, "CODED-VALUE", str(int.from_bytes(part.raw, "big")))
            _coded(parameter, "A_UINT32", part.width)
        else:
            _add(parameter, "CODED-VALUE", part.raw.hex().upper())
            _coded(parameter, "A_BYTEFIELD", part.width)

    def _object(self, part: Part) -> str:
        """Return the data object of a part, which is written with the first part that needs it."""
        if part.kind == "codes":
            return self._code_list(part.width)
        text = _is_text(part.raw)
        key = (part.kind, part.number or (part.width, text))
        if key not in self._objects:
            name = f"DOP_{len(self._objects) + 1}"
            self._objects[key] = f"{self._id}.{name}"
            self._write_object(name, self._objects[key], part, text=text)
        return self._objects[key]

    def _write_object(self, name: str, identity: str, part: Part, *, text: bool) -> None:
        one = _add(self._dops, "DATA-OBJECT-PROP", ID=identity)
        _add(one, "SHORT-NAME", name)
        number = part.number
        if number is not None:
            self._write_number(one, number)
            return
        _identical(one)
        if part.kind == "rest":
            coded = _add(one, "DIAG-CODED-TYPE", BASE_DATA_TYPE="A_BYTEFIELD", TERMINATION="END-OF-PDU")
            coded.set(f"{XSI}type", "MIN-MAX-LENGTH-TYPE")
            _add(coded, "MIN-LENGTH", "0")
        else:
            _coded(one, "A_ASCIISTRING" if text else "A_BYTEFIELD", part.width)
        _add(one, "PHYSICAL-TYPE", BASE_DATA_TYPE="A_UNICODE2STRING" if text else "A_BYTEFIELD")

    def _write_number(self, one: ET.Element, number: Number) -> None:
        identical = number.scale == 1 and number.offset == 0
        if identical:
            _identical(one)
        else:
            method = _add(one, "COMPU-METHOD")
            _add(method, "CATEGORY", "LINEAR")
            scale = _add(_add(_add(method, "COMPU-INTERNAL-TO-PHYS"), "COMPU-SCALES"), "COMPU-SCALE")
            coefficients = _add(scale, "COMPU-RATIONAL-COEFFS")
            numerator = _add(coefficients, "COMPU-NUMERATOR")
            _add(numerator, "V", repr(number.offset))
            _add(numerator, "V", repr(number.scale))
            _add(_add(coefficients, "COMPU-DENOMINATOR"), "V", "1")
        raw = "A_INT32" if number.signed else "A_UINT32"
        if number.floating:
            raw = f"A_FLOAT{number.width}"
        coded = _coded(one, raw, number.width)
        if number.little:
            coded.set("IS-HIGHLOW-BYTE-ORDER", "false")
        _add(one, "PHYSICAL-TYPE", BASE_DATA_TYPE=raw if identical else "A_FLOAT64")
        if number.unit:
            identity = self._units.setdefault(number.unit, f"{self._id}.U.unit_{len(self._units) + 1}")
            _add(one, "UNIT-REF", ID_REF=identity)

    def _code_list(self, width: int) -> str:
        """Return the list of trouble codes of two bytes, or of three with a status."""
        identity = f"{self._id}.codes_{width}"
        if any(one.get("ID") == identity for one in self._lists):
            return identity
        dop = _add(self._code_dops, "DTC-DOP", ID=f"{self._id}.dtc_{width}")
        _add(dop, "SHORT-NAME", f"dtc_{width}")
        _coded(dop, "A_UINT32", width)
        _add(dop, "PHYSICAL-TYPE", BASE_DATA_TYPE="A_UINT32")
        _identical(dop)
        dtcs, names = _add(dop, "DTCS"), _Names()
        for code in self._unit.codes:
            if width == 16 and not code.emission:
                continue
            one = _add(dtcs, "DTC", ID=f"{self._id}.dtc_{width}.{code.j2012}")
            _add(one, "SHORT-NAME", names.free(code.j2012))
            _add(one, "TROUBLE-CODE", str(code.number if width == 16 else int.from_bytes(code.uds, "big")))
            _add(one, "DISPLAY-TROUBLE-CODE", code.j2012)
            _add(one, "TEXT", code.text)
        structure = _add(self._structures, "STRUCTURE", ID=f"{self._id}.code_{width}")
        _add(structure, "SHORT-NAME", f"code_{width}")
        parts = [Part("dtc", 0, width)]
        parameters = _add(structure, "PARAMS")
        for part in parts:
            one = _add(parameters, "PARAM", **{f"{XSI}type": "VALUE"})
            _add(one, "SHORT-NAME", part.name)
            _add(one, "BYTE-POSITION", "0")
            _add(one, "DOP-REF", ID_REF=f"{self._id}.dtc_{width}")
        if width == 24:
            one = _add(parameters, "PARAM", **{f"{XSI}type": "VALUE"})
            _add(one, "SHORT-NAME", "status")
            _add(one, "BYTE-POSITION", "3")
            _add(one, "DOP-REF", ID_REF=self._object(Part("status", 24, 8, number=Number(8))))
        codes = _add(self._lists, "END-OF-PDU-FIELD", ID=identity)
        _add(codes, "SHORT-NAME", f"codes_{width}")
        _add(codes, "BASIC-STRUCTURE-REF", ID_REF=f"{self._id}.code_{width}")
        return identity

    def _refusals(self) -> ET.Element:
        refusals = ET.Element("NEG-RESPONSES")
        one = _add(refusals, "NEG-RESPONSE", ID=f"{self._id}.NR.Refusal")
        _add(one, "SHORT-NAME", "Refusal")
        parts = [
            Part("sid", 0, 8, "const", b"\x7f"),
            Part("requested", 8, 8, "echo", source=0),
            Part("code", 16, 8, number=Number(8)),
        ]
        self._parameters(one, parts)
        return refusals

    def _states(self) -> ET.Element:
        charts = ET.Element("STATE-CHARTS")
        chart = _add(charts, "STATE-CHART", ID=f"{self._id}.SC.sessions")
        _add(chart, "SHORT-NAME", "sessions")
        _add(chart, "SEMANTIC", "SESSION")
        _add(chart, "START-STATE-SNREF", SHORT_NAME="session_01")
        states = _add(chart, "STATES")
        for number in self._unit.sessions:
            state = _add(states, "STATE", ID=f"{self._id}.ST.{number:02X}")
            _add(state, "SHORT-NAME", f"session_{number:02X}")
        return charts

    def _address(self, variant: ET.Element, request: int, answer: int) -> None:
        refs = _add(variant, "COMPARAM-REFS")
        one = _add(refs, "COMPARAM-REF", ID_REF=f"{CAN}.CP_UniqueRespIdTable", DOCREF=CAN, DOCTYPE="COMPARAM-SUBSET")
        value = _add(one, "COMPLEX-VALUE")
        for number in (request, answer):
            _add(value, "SIMPLE-VALUE", str(number))


def addresses() -> ET.Element:
    """Return the communication parameters that the variants use: identifiers of requests and answers on CAN."""
    root = root_of("COMPARAM-SUBSET", CAN, CAN)
    subset = root[0]
    subset.set("CATEGORY", "TRANS")
    kinds = {"PARAM-CLASS": "UNIQUE_ID", "CPTYPE": "STANDARD", "CPUSAGE": "ECU-COMM"}
    dops = ET.Element("DATA-OBJECT-PROPS")
    table = ET.SubElement(
        _add(subset, "COMPLEX-COMPARAMS"), "COMPLEX-COMPARAM", {"ID": f"{CAN}.CP_UniqueRespIdTable"} | kinds
    )
    _add(table, "SHORT-NAME", "CP_UniqueRespIdTable")
    for name in ("CP_CanPhysReqId", "CP_CanRespUSDTId"):
        one = ET.SubElement(table, "COMPARAM", {"ID": f"{CAN}.{name}"} | kinds)
        _add(one, "SHORT-NAME", name)
        _add(one, "PHYSICAL-DEFAULT-VALUE", "0")
        _add(one, "DATA-OBJECT-PROP-REF", ID_REF=f"{CAN}.identifier")
    dop = _add(dops, "DATA-OBJECT-PROP", ID=f"{CAN}.identifier")
    _add(dop, "SHORT-NAME", "identifier")
    _identical(dop)
    _coded(dop, "A_UINT32", 32)
    _add(dop, "PHYSICAL-TYPE", BASE_DATA_TYPE="A_UINT32")
    subset.append(dops)
    ET.indent(root, " ")
    return root


def _coded(parent: ET.Element, base: str, width: int) -> ET.Element:
    one = _add(parent, "DIAG-CODED-TYPE", BASE_DATA_TYPE=base)
    one.set(f"{XSI}type", "STANDARD-LENGTH-TYPE")
    _add(one, "BIT-LENGTH", str(width))
    return one


def _identical(parent: ET.Element) -> None:
    _add(_add(parent, "COMPU-METHOD"), "CATEGORY", "IDENTICAL")


def _is_text(content: bytes) -> bool:
    """Return whether bytes are a text that XML keeps: printable, and without spaces at its ends."""
    return bool(content) and all(0x20 <= one < 0x7F for one in content) and content.strip() == content


def index(files: Mapping[str, str]) -> ET.Element:
    """Return the catalogue of a package: its files by name, with their kinds."""
    root = ET.Element("CATALOG", {"F-DTD-VERSION": "ODX-2.2.0"})
    _add(root, "SHORT-NAME", "hilbridge")
    blocks = _add(root, "ABLOCKS")
    for name, kind in files.items():
        block = _add(blocks, "ABLOCK", UPD="NEW")
        _add(block, "SHORT-NAME", short_name(name))
        _add(_add(block, "FILES"), "FILE", name, MIME_TYPE=f"application/x-asam.odx.{kind}")
    ET.indent(root, " ")
    return root
