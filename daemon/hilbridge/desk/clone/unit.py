"""A control unit as its talk shows it: addresses, transport protocol, times, and what its services said."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, Final

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.frames import CONTINUE, FlowControl
from hilbridge.desk.clone.exchange import Exchange, exchanges_of
from hilbridge.desk.clone.finding import Notes, Record, hexadecimal
from hilbridge.desk.clone.obd import LAST_SERVICE, ObdFindings
from hilbridge.desk.clone.pairing import Pair, standard_request
from hilbridge.desk.clone.snapshots import layouts
from hilbridge.desk.clone.uds import UdsFindings
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.files.settings.uds import ACTIVE_SESSION, MIRRORED
from hilbridge.files.settings.units import TESTER
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

_STANDARD_NAMES: Final = {0x7E8: "engine", 0x7E9: "transmission", 0x10: "engine", 0x18: "transmission"}
_OBD_PREFIX: Final = 0x18DA
_VIN: Final = 0xF190
_OF_OBD: Final = range(0xF400, 0xF900)
"""Identifiers by which SAE J1979-2 reads PIDs, monitors and InfoTypes."""
_DYNAMIC: Final = range(0xF200, 0xF400)
"""Identifiers that testers define by service 2C."""
_SETTINGS_OF_ITS_OWN: Final = {
    0x2A: "periodic identifiers are not cloned: give it `periodic`",
    0x86: "events are not cloned: give it `events`",
}


class ClonedUnit:
    """A control unit as it was found. `pairs` are its addresses; `exchanges` all requests to it."""

    def __init__(self, name: str, pairs: Sequence[Pair]) -> None:
        self.name: Final = name
        self.pairs: Final = list(pairs)
        self.exchanges: Final[list[Exchange]] = []
        self.obd: Final = ObdFindings()
        self.uds: Final = UdsFindings()
        self.notes: Final = Notes()
        self.names: Final[dict[bytes, str]] = {}
        """By the constant bytes that a request begins with, from a diagnostic database."""
        self.code_texts: Final[dict[str, str]] = {}

    def name_of(self, request: bytes) -> str:
        """Return what a diagnostic database calls a request; nothing for one that it does not have."""
        beginnings = (request[:length] for length in range(len(request), 0, -1))
        return next((self.names[one] for one in beginnings if one in self.names), "")

    def listen(self, pair: Pair, log: str, start: int) -> None:
        """Take the talk on one of its addresses; `log` names the log, which begins at `start` [ns]."""
        exchanges, lost = exchanges_of(pair, log, start)
        for exchange in exchanges:
            if exchange.request[0] <= LAST_SERVICE:
                self.obd.take(exchange, self.notes)
            else:
                self.uds.take(exchange, self.notes)
            if exchange.answer is None and not exchange.functional and not _is_suppressed(exchange.request):
                self.notes.add("no answer", f"to {hexadecimal(exchange.request[:8])}", exchange.place)
        self.exchanges.extend(exchanges)
        if lost:
            self.notes.add("answers", f"{lost} belong to no request that was seen in {log}")
        broken = pair.answer.broken + (0 if pair.request is None else pair.request.broken)
        if broken:
            self.notes.add("messages", f"{broken} are broken off in {log}: frames are missing")

    def conclude(self) -> None:
        """Note what contradicts itself, and what a bench cannot have, once all logs were listened to."""
        self.uds.others.conclude(self.notes)
        if len({(one.block_size, one.separation) for one in self._controls}) > 1:
            self.notes.add("flow control", "block size or separation time change; the last ones are kept")
        told, record = self.obd.vin, self.uds.identifiers.get(_VIN)
        if told and record is not None and told.encode() != record.value:
            self.notes.add(
                "VIN", f"service 09 says {told}, identifier F190 says {hexadecimal(record.value)}", record.place
            )
        for number, record in self.uds.open_identifiers.items():
            if number in MIRRORED and not self.obd.services:
                self.notes.add(f"identifier {number:04X}", "mirrors a PID, and was seen without OBD-II", record.place)
        for snapshot in layouts(self.uds.snapshots, self._length_of)[1]:
            about = f"code {snapshot.code:06X}"
            told = f"its snapshot holds identifiers of unknown length: {hexadecimal(snapshot.data[4:])}"
            self.notes.add(about, told, snapshot.place)
        if self.uds.codes or self.obd.codes:
            self.notes.add("codes", "what finds them is in no log: give them `monitors`, or set them by command")
        for service, text in _SETTINGS_OF_ITS_OWN.items():
            if service in self.uds.answered:
                self.notes.add(f"service {service:02X}", text)

    @property
    def identifiers(self) -> dict[int, Record]:
        """The identifiers that become settings: not those that a server gives by itself, nor what is a secret."""
        given = {ACTIVE_SESSION, *MIRRORED, *(_OF_OBD if self.obd.services else ())}
        given |= set(_DYNAMIC) if 0x2C in self.uds.answered else set()
        if self.vin is not None:
            given.add(_VIN)
        return {number: one for number, one in self.uds.open_identifiers.items() if number not in given and one.value}

    @property
    def snapshots(self) -> dict[int, dict[int, list[int]]]:
        """The identifiers of the snapshots, by trouble code of three bytes and record number."""
        return layouts(self.uds.snapshots, self._length_of)[0]

    def _length_of(self, identifier: int) -> int | None:
        """Return the length [byte] of an identifier that the talk read, by service 22 or as a PID."""
        record = self.uds.identifiers.get(identifier)
        if record is None and identifier in MIRRORED:
            record = self.obd.pids.get(identifier - MIRRORED.start)
        return next(iter(record.lengths)) if record is not None and len(record.lengths) == 1 else None

    @property
    def _controls(self) -> list[FlowControl]:
        return [control for pair in self.pairs for _, control in pair.answer.controls if control.status == CONTINUE]

    @property
    def certainty(self) -> Certainty:
        """How sure its addresses are."""
        return min(pair.certainty for pair in self.pairs)

    @property
    def addresses(self) -> list[dict[str, Any]]:
        """Its addresses as the bench file has them."""
        return [_address(pair) for pair in self.pairs]

    @property
    def transport(self) -> dict[str, Any]:
        """Its parameters of ISO-TP, as far as they were seen."""
        settings: dict[str, Any] = {}
        if controls := self._controls:
            settings["block_size"] = controls[-1].block_size
            settings["st_min"] = controls[-1].separation / MILLISECOND
        padding = sum((pair.answer.padding for pair in self.pairs), start=type(self.pairs[0].answer.padding)())
        if padding:
            settings["padding"] = padding.most_common(1)[0][0]
        longest = max(pair.answer.longest for pair in self.pairs)
        if longest > CLASSIC_LENGTH:
            settings["frame_size"] = longest
        return settings

    @property
    def delays(self) -> tuple[float, float, int] | None:
        """Median and longest time [ms] to an answer, and how many answers came after "response pending"."""
        times = [one.delay / MILLISECOND for one in self.exchanges if one.delay is not None and not one.functional]
        if not times:
            return None
        return median(times), max(times), sum(one.pending > 0 for one in self.exchanges)

    @property
    def vin(self) -> str | None:
        """The vehicle identification number (ISO 3779): that of service 09, else identifier F190."""
        record = self.uds.identifiers.get(_VIN)
        vin = self.obd.vin or (record.value.decode("ascii", errors="replace") if record is not None else "")
        valid = len(vin) == 17 and vin.isascii() and vin.isalnum() and vin.isupper() and not set(vin) & set("IOQ")
        return vin if valid else None


def units_of(pairs: Iterable[Pair]) -> list[ClonedUnit]:
    """Return the control units of a talk; addresses that ISO 15765-4 gives to the same one are put together."""
    grouped: dict[str, list[Pair]] = {}
    for pair in pairs:
        grouped.setdefault(_name(pair), []).append(pair)
    return [ClonedUnit(name, of_unit) for name, of_unit in grouped.items()]


def _name(pair: Pair) -> str:
    identifier = pair.answer.can_id & EXTENDED_MASK
    if pair.request is not None and standard_request(pair.answer.can_id) == pair.request.can_id > EXTENDED:
        identifier = identifier & ~0xFF00 | TESTER << 8  # the same unit, whichever tester asks it
    if pair.answer.prefix:
        request = pair.request.prefix if pair.request is not None else b""
        return f"unit_{identifier:X}_{request.hex().upper()}"
    number = identifier & 0xFF if identifier >> 16 == _OBD_PREFIX else identifier
    return _STANDARD_NAMES.get(number, f"unit_{identifier:X}")


def _address(pair: Pair) -> dict[str, Any]:
    answer = pair.answer.can_id
    identifier = answer & EXTENDED_MASK
    request = standard_request(answer) if pair.request is None else pair.request.can_id
    assert request is not None  # noqa: S101 - a pair without a request is one of the standards
    to_all = [one.can_id & EXTENDED_MASK for one in pair.functional]
    if answer & EXTENDED and request == standard_request(answer):
        fixed: dict[str, Any] = {"address": identifier & 0xFF}
        if identifier >> 8 & 0xFF != 0xF1:
            fixed["source"] = identifier >> 8 & 0xFF
        if pair.answer.prefix:
            fixed["extension"] = pair.answer.prefix[0]
        return fixed
    settings: dict[str, Any] = {"request": request & EXTENDED_MASK, "answer": identifier}
    if pair.answer.prefix and pair.request is not None:
        if pair.answer.prefix == pair.request.prefix:
            settings["extension"] = pair.answer.prefix[0]
        else:
            settings |= {"target": pair.request.prefix[0], "source": pair.answer.prefix[0]}
    elif to_all and to_all[0] not in (0x7DF, 0x18DB33F1):
        settings["functional"] = to_all[0]
    return settings


def _is_suppressed(request: bytes) -> bool:
    """Return whether a request asks for no positive answer (ISO 14229-1, 8.2.2)."""
    return len(request) > 1 and request[0] in _WITH_SUBFUNCTION and bool(request[1] & 0x80)


_WITH_SUBFUNCTION: Final = frozenset(bytes.fromhex("10 11 19 27 28 29 2C 31 3E 83 85 86 87"))
