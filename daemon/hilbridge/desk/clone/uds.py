"""Findings of the UDS services of a control unit (ISO 14229-1): sessions, identifiers, routines, trouble codes.

Secrets are not cloned: seeds and keys (27), authentication (29), secured transmission (84), what is read or done only
behind them, and pieces of memory or of software, which may hold any secret.
"""

from dataclasses import dataclass, field
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.desk.clone.exchange import Exchange
from hilbridge.desk.clone.finding import Notes, Record, hexadecimal, put
from hilbridge.desk.clone.others import OtherRequests, is_other
from hilbridge.desk.clone.snapshots import Snapshot

NOT_SUPPORTED: Final = 0x11
_NOT_IN_SESSION: Final = 0x7F
_DENIED: Final = (0x33, 0x34)
_SESSION, _RESET, _READ, _WRITE, _CONTROL, _ROUTINE, _CODES = 0x10, 0x11, 0x22, 0x2E, 0x2F, 0x31, 0x19
_SECURITY: Final = 0x27
_S3: Final = 5 * SECOND

SECRETS: Final = {
    0x27: "security access is not cloned, neither seeds nor keys: give it a key provider of your own (`security`)",
    0x29: "authentication is not cloned: it belongs to the real control unit and to who may open it",
    0x84: "secured data transmission is not cloned: its keys belong to the real control unit",
}
_CONTENTS: Final = {
    0x23: "memory is not cloned, as it may hold keys: write what you need into `memory`",
    0x35: "an upload is not cloned, as it may hold keys",
    0x34: "software that was programmed is not cloned",
    0x36: "software that was programmed is not cloned",
    0x3D: "memory that was written is not cloned",
}
_IDENTIFICATION: Final = range(0xF180, 0xF1A0)
"""Identifiers that say which control unit it is (ISO 14229-1, annex C)."""
_CAME_BEHIND: Final = "was read only after security access, and is not cloned"
BEHIND: Final = "is behind security access, and not cloned"


@dataclass(slots=True)
class UdsFindings:
    """Identifiers and routines by number, sessions with what they announced, trouble codes with their status.

    `refused` has services that do not exist, `answered` those that do. `written` are identifiers that service 2E wrote.
    """

    answered: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)
    sessions: dict[int, Record] = field(default_factory=dict)
    no_sessions: set[int] = field(default_factory=set)
    identifiers: dict[int, Record] = field(default_factory=dict)
    routines: dict[tuple[int, int], Record] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    codes: dict[int, int] = field(default_factory=dict)
    snapshots: list[Snapshot] = field(default_factory=list)
    others: OtherRequests = field(default_factory=OtherRequests)
    _session: int = 1
    _unlocked: bool = False
    _heard: int = 0

    def take(self, exchange: Exchange, notes: Notes) -> None:
        """Take a request with its answer."""
        service = exchange.request[0]
        self._follow(exchange)
        if is_other(exchange):
            if self._unlocked:
                notes.add(f"request {hexadecimal(exchange.request[:8])}", BEHIND, exchange.place)
            else:
                self.others.take(exchange)
            return
        self._count(exchange)
        refusal = exchange.refusal
        if service in SECRETS or service in _CONTENTS:
            if exchange.answer is not None and refusal not in (NOT_SUPPORTED, _NOT_IN_SESSION):
                notes.add(f"service {service:02X}", (SECRETS | _CONTENTS)[service], exchange.place)
            return
        if refusal in _DENIED:
            self._note_denied(exchange, notes)
        elif refusal is None and exchange.positive:
            self._learn(exchange, notes)
        elif service == _SESSION and refusal == 0x12:
            self.no_sessions.add(exchange.request[1] & 0x7F)

    def _count(self, exchange: Exchange) -> None:
        """Note whether the service of a request is there."""
        service, refusal = exchange.request[0], exchange.refusal
        if refusal is None:
            if exchange.positive or exchange.answer is not None:
                self.answered.add(service)
        elif refusal == NOT_SUPPORTED:
            self.refused.add(service)
        elif refusal != _NOT_IN_SESSION:
            self.answered.add(service)

    @property
    def open_identifiers(self) -> dict[int, Record]:
        """The identifiers that are no secret: they were read without security access, or are its identification."""
        return {
            number: record
            for number, record in sorted(self.identifiers.items())
            if number in _IDENTIFICATION or not record.unlocked
        }

    def _follow(self, exchange: Exchange) -> None:
        """Follow the session and security access of the control unit."""
        if exchange.t - self._heard > _S3:
            self._session, self._unlocked = 1, False
        self._heard = exchange.t
        data = exchange.positive
        if not data:
            return
        service = exchange.request[0]
        if service == _SESSION:
            self._session, self._unlocked = data[0], False
        elif service == _RESET:
            self._session, self._unlocked = 1, False
        elif service == _SECURITY and data[0] % 2 == 0:
            self._unlocked = True

    def _note_denied(self, exchange: Exchange, notes: Notes) -> None:
        service, request = exchange.request[0], exchange.request
        if service in (_READ, _WRITE, _CONTROL) and len(request) >= 3:
            number = int.from_bytes(request[1:3], "big")
            notes.add(f"service {service:02X}, {number:04X}", BEHIND, exchange.place)
        else:
            notes.add(f"service {service:02X}, {hexadecimal(request[1:4])}", BEHIND, exchange.place)

    def _learn(self, exchange: Exchange, notes: Notes) -> None:
        request, data, place = exchange.request, exchange.positive, exchange.place
        match request[0]:
            case 0x10:
                put(self.sessions, data[0] & 0x7F, data[1:], place)
            case 0x22:
                self._learn_identifiers(request, data, place, notes)
            case 0x2E if len(data) >= 2:
                self.written.add(int.from_bytes(data[:2], "big"))
            case 0x2F if len(data) >= 2:
                number = int.from_bytes(data[:2], "big")
                notes.add(
                    f"service 2F, {number:04X}", "what it moves is not known: give it `from` and `control`", place
                )
            case 0x31 if len(data) >= 3:
                self._learn_routine(data, place, notes)
            case 0x19:
                self._learn_codes(data, place, notes)

    def _learn_identifiers(self, request: bytes, data: bytes, place: str, notes: Notes) -> None:
        asked = [request[i : i + 2] for i in range(1, len(request) - 1, 2)]
        for index, number in enumerate(asked):
            if not data.startswith(number):
                notes.add("service 22", f"the answer to {hexadecimal(request[1:])} has no {number.hex()}", place)
                return
            end = len(data) if index == len(asked) - 1 else self._end(data, number, asked[index + 1])
            if end is None:
                notes.add("service 22", f"where {number.hex().upper()} ends in a joint answer is not known", place)
                return
            key = int.from_bytes(number, "big")
            put(self.identifiers, key, data[2:end], place, unlocked=self._unlocked)
            if key not in self.open_identifiers:
                notes.add(f"service 22, {key:04X}", _CAME_BEHIND, place)
            data = data[end:]

    def _end(self, data: bytes, number: bytes, following: bytes) -> int | None:
        """Return where an identifier ends before the following one: by its known length, or the only place."""
        known = self.identifiers.get(int.from_bytes(number, "big"))
        if known is not None and len(known.lengths) == 1:
            end = 2 + next(iter(known.lengths))
            return end if data[end : end + 2] == following else None
        return data.index(following, 2) if data.count(following, 2) == 1 else None

    def _learn_routine(self, data: bytes, place: str, notes: Notes) -> None:
        number = int.from_bytes(data[1:3], "big")
        if self._unlocked:
            notes.add(f"service 31, {number:04X}", BEHIND, place)
            return
        key = (number, data[0])
        record = self.routines.setdefault(key, Record(place))
        record.seen.append(data[3:])

    def _learn_codes(self, data: bytes, place: str, notes: Notes) -> None:
        match data[0]:
            case 0x02 | 0x0A:
                for i in range(2, len(data) - 3, 4):
                    number = int.from_bytes(data[i : i + 3], "big")
                    self.codes[number] = data[i + 3] if data[0] == 0x02 else self.codes.get(number, data[i + 3])
            case 0x04 if len(data) > 5:
                self.snapshots.append(Snapshot(data[1:], place))
            case 0x06 if len(data) > 5:
                about = f"code {data[1:4].hex().upper()}"
                notes.add(about, f"what its extended data mean is not known: {hexadecimal(data[5:])}", place)
