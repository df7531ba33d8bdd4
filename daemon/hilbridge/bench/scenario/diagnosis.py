"""Steps that ask control units: a UDS request, a PID of OBD-II, the state of a trouble code.

A request is sent by ISO-TP, with a command for each frame, so that a recording has it. Frames of the answer are taken
at the end of the tick that carries them.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.client import IsoTpClient
from hilbridge.bench.scenario.context import ScenarioContext, ScenarioDiagnostics
from hilbridge.bench.scenario.engine import Ending, seconds
from hilbridge.bench.scenario.pattern import bytes_pattern, test_of
from hilbridge.bench.scenario.sending import CommandedSender, can_id
from hilbridge.files.settings.scenario_wire import DtcSettings, EcuCodeSettings, ObdSettings, UdsSettings, Unit
from hilbridge.frames.bus.bus import Node
from hilbridge.frames.bus.frame_listener import FrameListener
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.frame import Frame

DIAGNOSTIC_TIMEOUT: Final = 5 * SECOND
"""[ns] for an answer: P2* of ISO 14229-2."""

_NEGATIVE: Final = 0x7F
_PENDING: Final = 0x78
_POSITIVE: Final = 0x40
_LIVE_DATA: Final = 0x01
_SHOWN: Final = 24
"""Bytes of an answer that are shown."""

Judge = Callable[[bytes], tuple[bool, str]]
"""A function that judges an answer: whether it is the expected one, and what it says, for people."""


class _Wire(CommandedSender):
    """The place of a tester on a bus. Frames wait in `arrived` until the end of the tick."""

    def __init__(self, bus: str, context: ScenarioContext) -> None:
        super().__init__(bus, context.obey)
        self.arrived: Final[list[tuple[Frame, int]]] = []
        self._listener: Final[FrameListener] = context.listener(bus)

    def attach(self, node: Node) -> None:
        """Do nothing: frames are handed on at the end of the tick."""

    def open(self) -> None:
        self._listener.receivers.append(self._receive)

    def close(self) -> None:
        self._listener.receivers.remove(self._receive)

    def _receive(self, frame: Frame, t: int) -> None:
        self.arrived.append((frame, t))


class Request:
    """Sends a request to a control unit and has its answer judged; `within` [ns] it must come.

    A pending response (7F xx 78) gives the control unit that time once more.
    """

    acts: Final = True
    endless: Final = False

    def __init__(self, payload: bytes, wire: _Wire, address: Address, within: int, judge: Judge) -> None:
        self._payload: Final = payload
        self._wire: Final = wire
        self._address: Final = address
        self._client: Final = IsoTpClient(wire, [address])
        self._within: Final = within
        self._judge: Final = judge
        self._begin = 0
        self._due = 0

    def begin(self, t: int) -> None:
        self._begin, self._due = t, t + self._within
        self._wire.open()
        self._client.request(self._payload, self._address, t)

    def evaluate(self, t: int) -> Ending | None:
        for frame, arrived in self._wire.arrived:
            self._client.receive(frame, arrived)
        self._wire.arrived.clear()
        self._client.poll(t)
        for answer in self._client.take():
            if answer.payload[0] == _NEGATIVE and answer.payload[-1] == _PENDING:
                self._due = t + self._within
                continue
            passed, said = self._judge(answer.payload)
            return self._over(Ending(passed, f"after {seconds(t - self._begin)}: {said}"))
        if t < self._due:
            return None
        return self._over(Ending(passed=False, seen=f"no answer in {seconds(t - self._begin)}"))

    def close(self, t: int) -> Ending | None:
        self._wire.close()
        return None

    def _over(self, ending: Ending) -> Ending:
        self._wire.close()
        return ending


def build_uds(settings: UdsSettings, within: int, context: ScenarioContext, place: KeyPath) -> Request:
    """Return the activity. ConfigurationError, with the key path: the bench has no such control unit."""
    service, refused = settings.payload[0], settings.refused
    pattern = bytes_pattern(f"{service | _POSITIVE:02X}*" if settings.answer is None else settings.answer)

    def judge(answer: bytes) -> tuple[bool, str]:
        if refused is not None:
            return answer == bytes((_NEGATIVE, service, refused)), _text(answer)
        return pattern.fullmatch(answer) is not None, _text(answer)

    bus, address = _way(settings, context, place)
    return Request(settings.payload, _Wire(bus, context), address, within, judge)


def build_obd(settings: ObdSettings, within: int, context: ScenarioContext, place: KeyPath) -> Request:
    """Return the activity. ConfigurationError, with the key path: no such control unit, or PID of one value."""
    head = bytes((_LIVE_DATA | _POSITIVE, settings.pid))
    pattern = bytes_pattern("*" if settings.data is None else settings.data)
    read = None if settings.value is None else _value_reader(settings, context, place)

    def judge(answer: bytes) -> tuple[bool, str]:
        if not answer.startswith(head) or pattern.fullmatch(answer[len(head) :]) is None:
            return False, _text(answer)
        return (True, _text(answer)) if read is None else read(answer)

    bus, address = _way(settings, context, place)
    return Request(bytes((_LIVE_DATA, settings.pid)), _Wire(bus, context), address, within, judge)


def _value_reader(settings: ObdSettings, context: ScenarioContext, place: KeyPath) -> Judge:
    """Return the judge of the value of a PID, which the database of the bench's own scan tool protocol describes."""
    codec = _diagnostics(context, place).pids
    names = [name for name in codec.signals if name.startswith(f"S01PID{settings.pid:02X}_")]
    if settings.value is None or len(names) != 1:
        raise ConfigurationError(f"PID {settings.pid:02X} has {len(names)} values; use 'data'", (*place, "value"))
    name = names[0]
    test, unit = test_of(codec.signals[name], settings.value, (*place, "value")), codec.signals[name].unit or ""

    def judge(answer: bytes) -> tuple[bool, str]:
        frame = (bytes((len(answer),)) + answer).ljust(codec.length, b"\0")
        value = codec.decode_available(frame).get(name)
        said = "not available" if value is None else f"{value:g} {unit}".rstrip()
        return test.holds(value, None), f"{name.partition('_')[2]} = {said}"

    return judge


class TroubleState:
    """Expects that a trouble code reaches a state `within` a time [ns]; 0: now."""

    acts: Final = False
    endless: Final = False

    def __init__(self, settings: DtcSettings, diagnostics: ScenarioDiagnostics, within: int) -> None:
        self._settings: Final = settings
        self._diagnostics: Final = diagnostics
        self._within: Final = within
        self._begin = 0

    def begin(self, t: int) -> None:
        self._begin = t

    def evaluate(self, t: int) -> Ending | None:
        states = self._states()
        wanted = "confirmed" if self._settings.state == "stored" else self._settings.state
        passed, lasted = not states if wanted == "absent" else wanted in states, t - self._begin
        if not passed and lasted < self._within:
            return None
        return Ending(passed, f"after {seconds(lasted)}: {', '.join(states) or 'absent'}")

    def close(self, t: int) -> Ending | None:
        return None

    def _states(self) -> list[str]:
        stored = self._diagnostics.troubles.status()[self._settings.ecu].stored
        return next((row.states for row in stored if row.code == self._settings.code), [])


def build_dtc(settings: DtcSettings, within: int, context: ScenarioContext, place: KeyPath) -> TroubleState:
    """Return the activity; `within` [ns]. ConfigurationError, with the key path: no such control unit or code."""
    check_code(settings, context, place)
    return TroubleState(settings, _diagnostics(context, place), within)


def check_code(settings: EcuCodeSettings, context: ScenarioContext, place: KeyPath) -> None:
    """ConfigurationError, with the key path: the bench has no such control unit, or that has no such code."""
    check_ecu(settings.ecu, context, (*place, "ecu"))
    known = _diagnostics(context, place).troubles.codes()[settings.ecu]
    if settings.code not in known:
        raise unknown(f"code of {settings.ecu}", settings.code, known, (*place, "code"))


def check_ecu(name: str | None, context: ScenarioContext, place: KeyPath) -> None:
    """ConfigurationError, with the key path: no control unit of the bench that has trouble codes has this name."""
    known = _diagnostics(context, place).troubles.codes()
    if name is not None and name not in known:
        raise unknown("control unit", name, known, place)


def _diagnostics(context: ScenarioContext, place: KeyPath) -> ScenarioDiagnostics:
    if context.diagnostics is None:
        raise ConfigurationError("the bench has no diagnostic control units; see its 'diagnostics'", place)
    return context.diagnostics


def _way(settings: Unit, context: ScenarioContext, place: KeyPath) -> tuple[str, Address]:
    """Return the bus and the address of a control unit."""
    if settings.bus is not None and settings.request_id is not None and settings.response_id is not None:
        context.check_bus(settings.bus, (*place, "bus"))
        return settings.bus, Address(can_id(settings.request_id), can_id(settings.response_id))
    diagnostics = _diagnostics(context, place)
    name = next(iter(diagnostics.ways)) if settings.ecu is None else settings.ecu
    if name not in diagnostics.ways:
        raise unknown("control unit", name, diagnostics.ways, (*place, "ecu"))
    return diagnostics.ways[name]


def _text(answer: bytes) -> str:
    shown = answer[:_SHOWN].hex(" ").upper()
    return shown if len(answer) <= _SHOWN else f"{shown} … ({len(answer)} bytes)"
