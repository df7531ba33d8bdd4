"""A control unit with faults of diagnostics on one bus, ticked by hand; its tester is the test."""

from typing import Any

from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.dtc.monitors import Monitors
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.parameters import ISO_15765_2, IsoTpParameters
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.bench.faults.effects import FaultTargets
from hilbridge.bench.faults.injector import Injector
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus

from .rig import fault

REQUEST, ANSWER, FUNCTIONAL = 0x700, 0x708, 0x7DF
ADDRESS = Address.normal_11bit(REQUEST, ANSWER)
ROUTINE_LASTS = 5
"""[ms]"""

LONG = bytes(range(20))


def of_unit(effect: str, **settings: Any) -> FaultSettings:
    return fault(kind="diagnostics", unit="brakes", effect=effect, **settings)


class Uds:
    """Answers 22 F190 with 20 bytes, 31 after a while, and anything else with what it was asked."""

    def __init__(self) -> None:
        self.carried_out: list[bytes] = []
        self.told: list[str] = []
        self.application_runs = True
        self._later: tuple[int, bytes] | None = None

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.carried_out.append(payload)
        if payload[0] == 0x31:
            self._later = t + ROUTINE_LASTS * MILLISECOND, bytes((0x71,)) + payload[1:]
            return None
        answer = bytes((payload[0] | 0x40,)) + payload[1:]
        return answer + LONG if payload == b"\x22\xf1\x90" else answer

    def poll(self, t: int) -> bytes | None:
        if self._later is None or t < self._later[0]:
            return None
        (_, answer), self._later = self._later, None
        return answer

    @property
    def idle(self) -> bool:
        return self._later is None

    @property
    def answering(self) -> bool:
        return self._later is not None

    def keep_alive(self, t: int) -> None:
        pass

    def end_session(self) -> None:
        self.told.append("session ends")

    def restart(self) -> None:
        self.told.append("restart")
        self._later = None


class UnitRig:
    """Frames of the unit in `sent` as (tick of 1 ms, bytes); `others` are those with another identifier."""

    def __init__(
        self,
        *faults: FaultSettings,
        seed: int = 0,
        parameters: IsoTpParameters = ISO_15765_2,
        address: Address = ADDRESS,
    ) -> None:
        self._address = address
        self._flags = parameters.flags
        self.sent: list[tuple[int, bytes]] = []
        self.others: list[tuple[int, Frame]] = []
        self.awake = True
        self.polite = True
        """Whether the tester sends flow control for what is long."""

        self.tick = 0
        self.bus = Bus("can")
        self.bus.attach_observer(self._note)
        self.uds = Uds()
        monitors = Monitors({}, TroubleStore({}, data := DataBus()), data)
        self.ecu = Ecu("brakes", monitors, addresses=[address], uds=self.uds)
        reached = [(address, self.ecu) for address in self.ecu.addresses]
        self.server = IsoTpServer(self.bus, reached, parameters, lambda _t: self.awake)
        units = {"brakes": (self.ecu, self.server)}
        fd = [self.ecu.bus] if parameters.flags else []
        self.parts = FaultTargets((), {"can": self.bus}, {}, Overrides("fault"), units=units, fd=fd)
        self.injector = Injector(faults, RunSeed(seed), self.parts, self)

    def info(self, t: int, event: str, **fields: Any) -> None:
        """Take a line of the log."""

    def warning(self, t: int, event: str, **fields: Any) -> None:
        """Take a line of the log."""

    def _note(self, _t: int, _bus: int, _received: bool, frame: Frame) -> None:
        request, answer, head = self._address.request_id, self._address.response_id, len(self._address.response_prefix)
        if frame.can_id == answer:
            self.sent.append((self.tick, frame.data))
            if len(frame.data) > head and frame.data[head] >> 4 == 1 and self.polite:
                self.send("30 00 00")
        elif frame.can_id not in (request, self._address.functional_id):
            self.others.append((self.tick, frame))

    def send(self, text: str, can_id: int | None = None) -> None:
        """Put a frame of the tester on the bus, to the address of the unit by itself."""
        if can_id is None:
            frame = Frame(self._address.request_id, self._address.request_prefix + bytes.fromhex(text), self._flags)
        else:
            frame = Frame(can_id, bytes.fromhex(text), self._flags)
        self.bus.transmit(frame, None)

    def play(self, ticks: int) -> None:
        for _ in range(ticks):
            t = self.tick * MILLISECOND
            self.injector.poll(t)
            self.bus.exchange(t)
            self.server.poll(t)
            self.bus.exchange(t)
            self.tick += 1

    def ask(self, text: str, ticks: int = 1) -> list[tuple[int, str]]:
        """What comes to a frame within so many ticks: the tick after the request, and the bytes."""
        begin, known = self.tick, len(self.sent)
        self.send(text)
        self.play(ticks)
        return [(tick - begin, data.hex(" ")) for tick, data in self.sent[known:]]
