"""Findings of the OBD-II services of a control unit: SAE J1979, services 01 to 0A."""

from dataclasses import dataclass, field
from typing import Final

from hilbridge.bench.diagnostics.obd.pids import STANDARDS
from hilbridge.bench.diagnostics.obd.support import is_base
from hilbridge.desk.clone.exchange import Exchange
from hilbridge.desk.clone.finding import Notes, Record, put
from hilbridge.desk.clone.known_pids import standard_length

LAST_SERVICE: Final = 0x0A

_VIN, _IDS, _NUMBERS, _NAME = 0x02, 0x04, 0x06, 0x0A
_STANDARD: Final = 0x1C
_CODES: Final = {0x03: "confirmed", 0x07: "pending", 0x0A: "permanent"}
_ENGINE_SPEED: Final = 0x0C
_ID_LENGTH: Final = 16
_LETTERS: Final = "PCBU"


@dataclass(slots=True)
class ObdFindings:
    """PIDs of service 01 and InfoTypes of service 09 by number; `codes` by the services that told them."""

    services: set[int] = field(default_factory=set)
    pids: dict[int, Record] = field(default_factory=dict)
    supported: set[int] = field(default_factory=set)
    types: dict[int, Record] = field(default_factory=dict)
    codes: dict[str, set[str]] = field(default_factory=dict)

    @property
    def vin(self) -> str | None:
        """The vehicle identification number."""
        return _text(self.types[_VIN].value[1:]) if _VIN in self.types else None

    @property
    def calibrations(self) -> list[tuple[str, int | None]]:
        """The calibration ids with their verification numbers."""
        if _IDS not in self.types:
            return []
        content = self.types[_IDS].value[1:]
        ids = [_text(content[i : i + _ID_LENGTH]) for i in range(0, len(content), _ID_LENGTH)]
        checks = self.types[_NUMBERS].value[1:] if _NUMBERS in self.types else b""
        numbers = [int.from_bytes(checks[i : i + 4], "big") for i in range(0, len(checks) - 3, 4)]
        return [(one, numbers[i] if i < len(numbers) else None) for i, one in enumerate(ids) if one]

    @property
    def name(self) -> str | None:
        """The text of the name of the control unit, without its acronym."""
        return _text(self.types[_NAME].value[6:]) if _NAME in self.types else None

    @property
    def role(self) -> str:
        """The role of the control unit: the transmission where its name says so, or where it has no engine speed."""
        name = self.types[_NAME].value[1:5] if _NAME in self.types else b""
        if name.startswith(b"TC"):
            return "transmission"
        known = self.supported | set(self.pids)
        return "engine" if name.startswith(b"EC") or _ENGINE_SPEED in known or not known else "transmission"

    @property
    def standard(self) -> str | None:
        """The requirements that it was designed to."""
        if _STANDARD not in self.pids:
            return None
        number = self.pids[_STANDARD].value[0]
        return next((words for words, known in STANDARDS.items() if known == number), None)

    def take(self, exchange: Exchange, notes: Notes) -> None:
        """Take a request of services 01 to 0A with its answer."""
        service, data = exchange.request[0], exchange.positive
        if not data and service not in _CODES:
            return
        self.services.add(service)
        if service == 0x01 and len(exchange.request) == 2:
            self._take_pid(exchange.request[1], data, exchange.place, notes)
        elif service == 0x09 and len(data) > 1 and len(exchange.request) == 2:
            if not is_base(data[0]):
                put(self.types, data[0], data[1:], exchange.place)
        elif service in _CODES and data:
            for code in _codes(data[1:], data[0]):
                self.codes.setdefault(code, set()).add(_CODES[service])
        elif service == 0x01:
            self._take_joint(exchange.request[1:], data, exchange.place, notes)

    def _take_joint(self, asked: bytes, data: bytes, place: str, notes: Notes) -> None:
        """Take a joint answer apart: it has those of the requested PIDs that are there, in their order."""
        while data:
            index = asked.find(data[0])
            length = self._length_of(data[0])
            if length is None and index == len(asked) - 1:  # the last one takes the rest
                length = len(data) - 1
            if index < 0 or length is None or 1 + length > len(data):
                notes.add("service 01", f"where PID {data[0]:02X} ends in a joint answer is not known", place)
                return
            end = 1 + length
            self._take_pid(data[0], data[:end], place, notes)
            asked, data = asked[index + 1 :], data[end:]

    def _length_of(self, pid: int) -> int | None:
        """Return the length [byte] of the data of a PID: as it was answered alone, or that of the standard."""
        record = self.pids.get(pid)
        return next(iter(record.lengths)) if record is not None and len(record.lengths) == 1 else standard_length(pid)

    def _take_pid(self, pid: int, data: bytes, place: str, notes: Notes) -> None:
        if not data or data[0] != pid or len(data) < 2:
            return
        if is_base(pid):
            bits = int.from_bytes(data[1:5].ljust(4, b"\0"), "big")
            self.supported |= {pid + 1 + i for i in range(32) if bits & 1 << 31 - i} - {pid + 32}
            return
        put(self.pids, pid, data[1:], place)
        if pid == _STANDARD and self.standard is None:
            notes.add("PID 1C", f"{data[1]:02X} is the number of no requirements, and not cloned", place)


def code_of(number: int) -> str:
    """Return a trouble code of two bytes as SAE J2012 writes it: P0301."""
    return f"{_LETTERS[number >> 14]}{number >> 12 & 3}{number & 0xFFF:03X}"


def _codes(data: bytes, count: int) -> list[str]:
    numbers = [int.from_bytes(data[i : i + 2], "big") for i in range(0, min(len(data) - 1, 2 * count), 2)]
    return [code_of(number) for number in numbers if number]


def _text(data: bytes) -> str:
    text = data.strip(b"\0 ").decode("ascii", errors="replace")
    return text if text.isprintable() and text.isascii() else ""
