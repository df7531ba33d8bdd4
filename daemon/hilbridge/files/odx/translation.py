"""The services of an ECU variant as keys of a control unit.

    22 DDDD            an identifier of the UDS server        10 ss    a session
    2E DDDD ...        `stored` of that identifier            31 0f RRRR    a routine
    11 14 19 28 3E 85  by the UDS server                      27 29 2A 2C 34 ...    by the server, where the bench has
                                                              its keys: a secret, a memory
    others             `answers`: a pattern of requests, and the first positive response

A session supports exactly the services of the file. What is in none of these is in `unread`, with the reason.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from hilbridge.files.odx.layout import Layout, Placed, UnreadableError, lay_out

Keys = dict[str, Any]

_SERVED: Final = {
    0x11: {1, 2, 3},
    0x14: set[int](),
    0x19: {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E},
    0x28: {0, 1, 2, 3},
    0x3E: {0},
    0x85: {1, 2},
}
"""Services of every UDS server, with sub-functions."""

_BY_KEYS: Final = {
    0x23: "memory",
    0x24: "scaling",
    0x27: "security",
    0x29: "authentication",
    0x2A: "periodic",
    0x2C: "dynamic",
    0x34: "programming",
    0x35: "programming",
    0x36: "programming",
    0x37: "programming",
    0x3D: "memory",
    0x86: "events",
}
"""Services that the UDS server has with a key of `uds`, which no file of this kind can give."""

_OBD: Final = range(0x01, 0x0B)
_LAST_SESSION: Final = 0x7E
_SESSION, _SOFTWARE, _VIN = 0xF186, 0xF195, 0xF190
"""Identifiers that the UDS server has keys of its own for."""
_PIDS: Final = range(0xF400, 0xF500)
_OF_OBD: Final = range(0xF400, 0xF900)
"""Identifiers of SAE J1979-2, which a unit with OBD-II answers by itself; those of PIDs cannot be settings."""
_ROUTINE: Final = {1: "start", 2: "stop", 3: "results"}


@dataclass
class Translation:
    """Everything that was read, as keys; `unread`: the reason by service; `valueless`: fields without a value."""

    services: int = 0
    by_server: list[str] = field(default_factory=list)
    identifiers: dict[str, Keys] = field(default_factory=dict)
    sessions: list[str] = field(default_factory=list)
    routines: dict[str, Keys] = field(default_factory=dict)
    answers: dict[str, Keys] = field(default_factory=dict)
    codes: dict[str, Keys] = field(default_factory=dict)
    unread: dict[str, str] = field(default_factory=dict)
    valueless: int = 0
    names: dict[str, str] = field(default_factory=dict)
    """Names by request, as far as it is constant: `22 F190`."""


@dataclass(frozen=True, slots=True)
class _Service:
    """A service: the constant bytes that its request begins with, and the layouts of both messages."""

    prefix: bytes
    request: Layout
    response: Layout

    @property
    def is_constant(self) -> bool:
        """Whether its request is one only."""
        return len(self.prefix) == self.request.length and not self.request.open


class Translator:
    """Translates service by service. `own`: keys of `uds` that the bench has; `obd`: it has OBD-II."""

    def __init__(self, own: Collection[str], *, obd: bool, vin: bool) -> None:
        self.result: Final = Translation()
        self._own: Final = own
        self._obd: Final = obd
        self._given: Final = {_SESSION, *(_OF_OBD if obd else ()), *((_VIN,) if vin else ())}
        self._software: str | None = None
        self._listed: Final[dict[str, None]] = {}
        self._written: Final[dict[str, tuple[str, _Service]]] = {}

    def add(self, name: str, service: Any) -> None:
        """Read a service of odxtools. UnreadableError: it cannot be said by keys."""
        self.result.services += 1
        if service.request is None:
            raise UnreadableError("it has no request")
        request = lay_out(service.request.parameters)
        prefix = _prefix(request)
        if not prefix or prefix[0] & 0x40:
            raise UnreadableError("its request begins with no constant service")
        self.result.names.setdefault(prefix.hex(" ").upper(), name)
        answer = next(iter(service.positive_responses), None)
        if self._is_served(name, prefix, request):
            self.result.by_server.append(name)
            _require_standard(prefix, answer)
            return
        if answer is None:
            raise UnreadableError("it has no positive response")
        self._translate(name, _Service(prefix, request, lay_out(answer.parameters)))

    def _is_served(self, name: str, prefix: bytes, request: Layout) -> bool:
        """Return whether the server answers such a request, as the bench file is."""
        sid, sub = prefix[0], prefix[1] & 0x7F if len(prefix) > 1 else None
        if sid in _OBD and self._obd:
            return True
        if sid == 0x2F:
            raise UnreadableError("needs an entry of the data bus: 'control' of an identifier")
        if (key := _BY_KEYS.get(sid)) is not None and key not in self._own:
            raise UnreadableError(f"needs '{key}' of 'uds', which no file of this kind has")
        subfunctions = _SERVED.get(sid)
        if key is not None or (sid == 0x14 and request.length == 4):
            self._listed[f"{sid:02X}"] = None
        elif subfunctions and sub in subfunctions:
            self._listed[f"{sid:02X} {sub:02X}"] = None
        elif not (sid == 0x22 and len(prefix) == 3 and int.from_bytes(prefix[1:], "big") in self._given):
            return False
        else:
            self._listed["22"] = None
        return True

    def _translate(self, name: str, service: _Service) -> None:
        prefix = service.prefix
        number = prefix[1:3].hex().upper()
        if prefix[0] == 0x22 and len(prefix) == 3 and service.is_constant and self._starts(service, b"\x62"):
            self._listed["22"] = None
            if int(number, 16) == _SOFTWARE:
                self._add_software(name, service)
                return
            if int(number, 16) in _PIDS:
                self._add_answer(service)
                return
            self.result.identifiers[number] = self._record(service, 3)
        elif prefix[0] == 0x2E and len(prefix) >= 3:
            self._written[number] = (name, service)
        elif self._is_session(service):
            self.result.sessions.append(f"{prefix[1]:02X}")
            self._listed[f"10 {prefix[1]:02X}"] = None
        elif prefix[0] == 0x31 and len(prefix) == 4 and prefix[1] in _ROUTINE and self._starts(service, b"\x71"):
            self._add_routine(service)
            self._listed[f"31 {prefix[1]:02X}"] = None
        else:
            self._add_answer(service)

    def _add_software(self, name: str, service: _Service) -> None:
        """Read the version of the software, a text for which the server has a key."""
        texts = [part.raw for part in service.response.parts if part.start >= 24 and isinstance(part.raw, bytes)]
        text = b"".join(texts).rstrip(b"\0").decode("ascii", "replace")
        if text and text.isprintable() and text.isascii():
            self._software = text
        self.result.by_server.append(name)

    def _starts(self, service: _Service, sid: bytes) -> bool:
        """Return whether the response begins with its service and the constant bytes of the request behind it."""
        head = _prefix(service.response, service)
        return head.startswith(sid + service.prefix[1:])

    def _is_session(self, service: _Service) -> bool:
        prefix = service.prefix
        known = prefix[0] == 0x10 and len(prefix) == 2 and 0 < prefix[1] <= _LAST_SESSION and service.is_constant
        return known and service.response.length == 6 and self._starts(service, b"\x50")

    def _add_routine(self, service: _Service) -> None:
        routine = self.result.routines.setdefault(service.prefix[2:4].hex().upper(), {})
        option = service.request.length - 4
        if service.prefix[1] == 1 and option:
            routine["option"] = option
        elif option:
            raise UnreadableError("bytes follow in a stop, or in a request of results")
        fields = self._fields(service, 4)
        routine[_ROUTINE[service.prefix[1]]] = fields

    def _add_answer(self, service: _Service) -> None:
        pattern, words = _pattern(service)
        head: list[str] = []
        length = 0
        for part in service.response.parts:
            if part.start != 8 * length or part.width % 8:
                break
            if part.kind == "echo":
                head.append(_echo(part, words))
            elif part.kind == "const" and not part.keys:
                head.append(_const(part).hex(" ").upper())
            else:
                break
            length += part.width // 8
        if not head:
            raise UnreadableError("its response begins with no constant service")
        reply: Keys = {"data": " ".join(head)}
        if fields := self._fields(service, length):
            reply["fields"] = fields
            reply["length"] = service.response.length - length
        elif service.response.length > length:
            reply["data"] += " 00" * (service.response.length - length)
        if service.prefix[0] == 0x10 and len(service.prefix) == 2 and 0 < service.prefix[1] <= _LAST_SESSION:
            reply["enters"] = f"{service.prefix[1]:02X}"
        if pattern in self.result.answers:
            raise UnreadableError("another service has the same request")
        self.result.answers[pattern] = reply

    def _record(self, service: _Service, head: int) -> Keys:
        """Return an identifier: the fields of the response behind `head` bytes."""
        fields = self._fields(service, head)
        length = service.response.length - head
        if not length:
            raise UnreadableError("the length of its data is not in the file")
        return {"fields": fields, "length": length} if fields else {"data": " ".join(["00"] * length)}

    def _fields(self, service: _Service, head: int) -> dict[str, Keys]:
        fields: dict[str, Keys] = {}
        for part in service.response.parts:
            if part.start < 8 * head or part.kind == "reserved":
                continue
            one = part
            if part.kind == "echo":
                content = service.prefix[part.source : part.source + part.width // 8]
                if len(content) < part.width // 8:
                    raise UnreadableError(f"{part.name} is of the request, behind values")
                one = Placed(part.name, part.start, part.width, "const", content)
            name = _free(one.name, fields)
            fields[name] = _field(one, head)
            self.result.valueless += not one.valued
        return fields

    def finish(self) -> Keys:
        """Return the keys of the unit."""
        for number, (name, service) in self._written.items():
            try:
                self._store(number, service)
            except UnreadableError as error:
                self.result.unread[name] = str(error)
        keys: Keys = {}
        result = self.result
        if result.answers:
            keys["answers"] = result.answers
        if result.codes:
            keys["codes"] = result.codes
        if self._listed or result.codes:
            uds: Keys = {}
            if result.identifiers:
                uds["identifiers"] = result.identifiers
            if result.routines:
                uds["routines"] = result.routines
            services = sorted(self._listed) or ["3E"]
            numbers = sorted({"01", *result.sessions})
            if self._software is not None:
                uds["software"] = self._software
            uds["sessions"] = {number: {"services": services} for number in numbers}
            if "03" not in numbers:
                uds["sessions"]["03"] = None
            keys["uds"] = uds
        return keys

    def _store(self, number: str, service: _Service) -> None:
        """Let service 2E write an identifier; one that no service reads is as the request lays it out."""
        length = service.request.length - 3
        known = self.result.identifiers.get(number)
        if int(number, 16) in self._given:
            raise UnreadableError(f"{number} is given by the server, and constant")
        if service.request.open or length < 1:
            raise UnreadableError("the length of what is written is not fixed")
        if known is None:
            known = self.result.identifiers[number] = {"data": " ".join(["00"] * length)}
        elif known.get("length", length) != length:
            raise UnreadableError(f"it writes {length} bytes, where {known['length']} are read")
        known["stored"] = True
        self._listed["2E"] = None


def _require_standard(prefix: bytes, answer: Any) -> None:
    """Refuse a response that does not begin as ISO 14229-1 lays it out: with service and sub-function."""
    subfunctions = _SERVED.get(prefix[0], ())
    wanted = bytes((prefix[0] | 0x40,)) + (prefix[1:2] if subfunctions else b"")
    try:
        told = wanted if answer is None else _prefix(lay_out(answer.parameters))[: len(wanted)]
    except UnreadableError as error:
        raise UnreadableError(f"the server answers {wanted.hex(' ').upper()}; in the file {error}") from None
    if not wanted.startswith(told):
        reason = f"the server answers {wanted.hex(' ').upper()}, the file says {told.hex(' ').upper()}"
        raise UnreadableError(reason)


def _prefix(layout: Layout, service: _Service | None = None) -> bytes:
    """Return the constant whole bytes that a message begins with; of a response, those of its request too."""
    content = bytearray()
    for part in layout.parts:
        if part.start != 8 * len(content) or part.width % 8:
            break
        if part.kind == "const":
            content += _const(part)
            continue
        end = part.source + part.width // 8
        if part.kind != "echo" or service is None or end > len(service.prefix):
            break
        content += service.prefix[part.source : end]
    return bytes(content)


def _const(part: Placed) -> bytes:
    """Return the bytes of a constant."""
    if isinstance(part.raw, bytes):
        return part.raw
    order = "little" if part.keys.get("order") == "little" else "big"
    return (int(part.raw) & (1 << part.width) - 1).to_bytes(part.width // 8, order)  # type: ignore[arg-type]


def _field(part: Placed, head: int) -> Keys:
    """Return the settings of a field, whose place is counted behind `head` bytes."""
    place: Keys = {"byte": part.start // 8 - head}
    if isinstance(part.raw, bytes):
        return {"data": part.raw.hex(" ").upper(), **place}
    if part.keys.get("float") or part.keys.get("order") == "little":
        place["length"] = part.width // 8
    else:
        place |= {"bit": 7 - part.start % 8, "bits": part.width}
    constant = part.raw * part.keys.get("scale", 1) + part.keys.get("offset", 0)
    return {"constant": constant, **place, **part.keys}


def _free(name: str, fields: Collection[str]) -> str:
    """Return a name that no field has."""
    number = 1
    own = name
    while own in fields:
        number += 1
        own = f"{name}_{number}"
    return own


def _pattern(service: _Service) -> tuple[str, list[str]]:
    """Return the pattern of a request, and its words: a byte each, with a name where the response repeats it."""
    request = service.request
    known = [0] * request.length
    value = [0] * request.length
    for part in request.parts:
        if part.kind != "const":
            continue
        number = part.raw if isinstance(part.raw, int) else int.from_bytes(_const(part), "big")
        if part.keys.get("order") == "little":
            number = int.from_bytes(_const(part), "big")
        for index in range(part.width):
            bit = part.start + index
            mask = 0x80 >> bit % 8
            known[bit // 8] |= mask
            value[bit // 8] |= mask if int(number) >> part.width - 1 - index & 1 else 0
    wanted = {
        byte
        for part in service.response.parts
        if part.kind == "echo"
        for byte in range(part.source, part.source + part.width // 8)
    }
    words = [
        f"{{b{byte}}}" if byte in wanted and mask != 0xFF else _digits(mask, bits)
        for byte, (mask, bits) in enumerate(zip(known, value, strict=True))
    ]
    return " ".join([*words, *(["*"] if request.open else [])]), words


def _digits(mask: int, bits: int) -> str:
    """Return the two digits of a byte, `?` for one that is not wholly given."""
    pairs = zip(f"{bits:02X}", (4, 0), strict=True)
    return "".join(digit if mask >> shift & 0xF == 0xF else "?" for digit, shift in pairs)


def _echo(part: Placed, words: list[str]) -> str:
    """Return the bytes of the request that a response repeats: constant ones, or names of captured ones."""
    repeated = words[part.source : part.source + part.width // 8]
    if len(repeated) < part.width // 8:
        raise UnreadableError(f"{part.name} repeats what the request does not surely have")
    return " ".join(repeated)
