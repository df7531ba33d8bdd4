"""An OBD-II server: requests for service 01 taken from a CAN bus, answers put on it (ISO 15765-4, 11-bit).

Requests come on 7DF (functional: to whoever can answer) and 7E0 (physical: to this ECU), answers go out on 7E8. A
request that was received before `serve` is answered by it, from the values of that tick. Only single frames are
spoken: an answer that does not fit into one is not given (and counted) until there is an ISO-TP layer.

    service 01, some PID supported      positive answer with the supported ones, in the order of the request
    service 01, no PID supported        functional: silence; physical: 7F 01 12
    another service                     functional: silence; physical: 7F sid 11
    not a request in a single frame     silence

Silence on functional requests that nobody can answer is what SAE J1979 demands on CAN; the negative answer on
physical ones is what ECUs give. ISO 15765-4 wants eight data bytes in a request too, but shorter frames that hold
all of it are answered, because many test programs send them. With the ignition off (key -1) the ECU is asleep: it
neither hears nor answers.
"""

from dataclasses import dataclass
from typing import Final, Protocol

from hilbridge.frames.bus import Bus
from hilbridge.frames.frame import Frame
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus

FUNCTIONAL_REQUEST: Final = 0x7DF
PHYSICAL_REQUEST: Final = 0x7E0
ANSWER: Final = 0x7E8

PADDING: Final = 0xCC
"""Fills an answer up to eight bytes: the value that ISO 15765-2:2016 recommends, for few stuff bits on the wire."""

MAXIMUM_REQUESTS: Final = 32
"""Requests kept for one tick; what comes beyond is dropped and counted."""

CURRENT_DATA: Final = 0x01
"""The service."""

_LONGEST: Final = 7
"""Bytes that a single frame carries."""

_POSITIVE: Final = 0x40
_NEGATIVE: Final = 0x7F
_SERVICE_NOT_SUPPORTED: Final = 0x11
_SUBFUNCTION_NOT_SUPPORTED: Final = 0x12


class CurrentData(Protocol):
    """Service 01 of one ECU."""

    def advance(self, t: int) -> None:
        """Once a tick, before questions are asked: for what is counted over time."""

    def read(self, pid: int) -> bytes | None:
        """The data bytes of a PID, or None where it is not supported."""


@dataclass(slots=True)
class ObdStatistics:
    """What happened to the requests so far."""

    answered: int = 0
    refused: int = 0  # negative answer
    unsupported: int = 0  # functional, nothing to say
    malformed: int = 0  # not a request in a single frame
    too_long: int = 0  # the answer would not have fitted
    dropped: int = 0  # too many in one tick


class ObdServer:
    """The engine's ECU as a scan tool sees it: a node of `bus`."""

    def __init__(self, bus: Bus, data: DataBus, current_data: CurrentData) -> None:
        self.statistics: Final = ObdStatistics()
        self._bus: Final = bus
        self._data: Final = data
        self._current_data: Final = current_data
        self._requests: list[Frame] = []
        bus.attach(self)

    def receive(self, frame: Frame, t: int) -> None:
        """Keeps a request until `serve`."""
        if frame.can_id not in (FUNCTIONAL_REQUEST, PHYSICAL_REQUEST) or self._asleep():
            return
        if len(self._requests) < MAXIMUM_REQUESTS:
            self._requests.append(frame)
        else:
            self.statistics.dropped += 1

    def serve(self, t: int) -> None:
        """Answers the requests of this tick [ns]."""
        self._current_data.advance(t)
        if not self._requests:
            return
        requests, self._requests = self._requests, []
        for frame in requests:
            answer = self._answer(_single_frame(frame), physical=frame.can_id == PHYSICAL_REQUEST)
            if answer:
                data = bytes((len(answer), *answer)).ljust(8, bytes((PADDING,)))
                self._bus.transmit(Frame(ANSWER, data), self)

    def _asleep(self) -> bool:
        return self._data.input[InputData.KEY] < 0

    def _answer(self, request: bytes, *, physical: bool) -> bytes:
        """The answer to a request, empty where there is none."""
        if not request:
            self.statistics.malformed += 1
            return b""
        service = request[0]
        if service != CURRENT_DATA:
            return self._refusal(service, _SERVICE_NOT_SUPPORTED, physical)
        answer = bytes((_POSITIVE | service,))
        for pid in dict.fromkeys(request[1:]):
            value = self._current_data.read(pid)
            if value is not None:
                answer += bytes((pid,)) + value
        if len(answer) == 1:
            return self._refusal(service, _SUBFUNCTION_NOT_SUPPORTED, physical)
        if len(answer) > _LONGEST:
            self.statistics.too_long += 1
            return b""
        self.statistics.answered += 1
        return answer

    def _refusal(self, service: int, code: int, physical: bool) -> bytes:
        if not physical:
            self.statistics.unsupported += 1
            return b""
        self.statistics.refused += 1
        return bytes((_NEGATIVE, service, code))


def _single_frame(frame: Frame) -> bytes:
    """The request in an ISO-TP single frame of classic CAN (0L, then L bytes), empty where there is none.

    A first byte of 40…7F marks an answer, not a request, and service 01 asks for one PID at least.
    """
    length = frame.data[0] if frame.data else 0
    if frame.flags or not 0 < length <= _LONGEST or len(frame.data) <= length:
        return b""
    request = frame.data[1 : 1 + length]
    return b"" if request[0] & _POSITIVE or request == bytes((CURRENT_DATA,)) else request
