"""A UDS server in a control unit of fakes, a tester that speaks bytes, and udsoncan's client, on the tick's time."""

from collections.abc import Callable, Collection
from typing import Any, cast

from udsoncan.client import Client
from udsoncan.connections import BaseConnection
from udsoncan.exceptions import TimeoutException
from udsoncan.typing import ClientConfig

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import FreezeFrame, Trouble
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.uds.memory_file import Segment
from hilbridge.bench.diagnostics.uds.server import UdsServer
from hilbridge.bench.diagnostics.uds.service import EcuInterface
from hilbridge.files.settings.uds import UdsSettings
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus

VIN = "WHB00000000000001"

PIDS = {0x0C: bytes.fromhex("1A F8"), 0x0D: bytes.fromhex("32")}
"""1726 rpm, 50 km/h."""

IDENTIFIERS = {
    "0100": {"from": "vehicle.EngineRpm", "scale": 0.25},
    "0101": {"from": "vehicle.Speed", "unit": "km/h", "length": 1},
    "0102": {"from": "vehicle.EngineLoad", "unit": "%", "length": 1},
    "0110": {"from": "input.Throttle", "unit": "%", "scale": 0.5, "length": 1, "control": True, "default": 0},
    "0111": {"from": "road.Slope", "unit": "%", "scale": 0.1, "signed": True, "control": True, "security": 1},
    "0112": {"from": "request.EngineTorque", "signed": True, "control": True},
    "F18C": {"text": "SERIAL-0001"},
    "F198": {"text": "WORKSHOP", "stored": True},
    "0120": {"data": "00 00", "stored": True, "security": 1},
}
MEMORY = [
    {"address": 0x1000, "data": "00 01 02 03 04 05 06 07"},
    {"address": 0x2000, "identifier": "F198"},
    {"address": 0x3000, "text": "SECRET", "security": 1},
]
ROUTINES = {"0200": {"kind": "self-test"}, "0201": {"kind": "consumption"}}
SECURITY = {"provider": "hilbridge.bench.diagnostics.uds.demo_security:key", "levels": [1, 3]}


class Memory:
    """A store of three codes: P0301 failing with a freeze frame, P0420 never tested, U0100 passed."""

    def __init__(self) -> None:
        self.recording = True
        self.clears = 0
        self.read_identifier: Callable[[int], bytes | None] = lambda _number: None
        self.readiness_groups = {"misfire": 0x11, "components": 0x12}
        self.cleared: list[list[str]] = []
        self.troubles = {
            "P0301": Trouble(TroubleCode("P0301", "misfire", failure_type=0x07), frame=FreezeFrame(dict(PIDS), 1)),
            "P0420": Trouble(TroubleCode("P0420", "catalyst")),
            "U0100": Trouble(TroubleCode("U0100", "lost communication", emission=False)),
        }
        self.troubles["P0301"].fail()
        self.troubles["U0100"].succeed()

    def clear(self, codes: Collection[str] | None = None, *, readiness: bool = False) -> None:
        names = list(self.troubles if codes is None else codes)
        self.cleared.append(names)
        self.clears += 1
        for name in names:
            self.troubles[name].clear()


class Holds:
    """Entries held over their sources: straight on the bus. Ratios go from -1 to 1."""

    def __init__(self) -> None:
        self.held: dict[str, float] = {}

    def set(self, entry: str, value: float, until: int | None = None) -> None:
        if entry in ("input.Throttle", "road.Slope") and abs(value) > 1:
            raise ConfigurationError("out of range")
        self.held[entry] = value

    def release(self, entry: str) -> None:
        if entry not in self.held:
            raise ConfigurationError("not held")
        del self.held[entry]


class Communication:
    """Keeps the switches of its transmission."""

    def __init__(self) -> None:
        self.switched: list[bool] = []

    def set_normal_transmission(self, enabled: bool) -> None:
        self.switched.append(enabled)


class Tester:
    """`ask` sends a request in hexadecimal at the time `t` and gives the answer the same way, "" for silence."""

    __test__ = False

    def __init__(
        self,
        store: TroubleStore | None = None,
        *,
        images: dict[str, list[Segment]] | None = None,
        transmit: Callable[[Frame], None] = lambda _frame: None,
        **settings: Any,
    ) -> None:
        """`store`: of trouble codes, in place of `Memory`. `images`: what the files of memory hold."""
        self.t = 0
        self.bus = DataBus()
        self.memory = Memory()
        self.holds = Holds()
        self.communication = Communication()
        self.nvram = Nvram()
        self.unit = EcuInterface(
            data=self.bus,
            troubles=self.memory if store is None else store,
            overrides=self.holds,
            communication=self.communication,
            read_obd=lambda number: PIDS.get(number - 0xF400),
            vin=VIN,
            images=images or {},
            transmit=transmit,
            nvram=self.nvram,
        )
        given = {"identifiers": IDENTIFIERS, "memory": MEMORY, "routines": ROUTINES, "security": SECURITY} | settings
        self.server = UdsServer(UdsSettings.model_validate(given), self.unit, ("uds",))

    def ask(self, request: str, *, functional: bool = False) -> str:
        return spelt(self.server.request(bytes.fromhex(request), functional, self.t))

    def wait(self, milliseconds: int) -> list[tuple[int, str]]:
        """Ticks of 1 ms; what the server says in them, with the time since now [ms]."""
        heard = []
        for elapsed in range(1, milliseconds + 1):
            self.t += MILLISECOND
            answer = self.server.poll(self.t)
            if answer is not None:
                heard.append((elapsed, spelt(answer)))
        return heard

    def extended(self) -> "Tester":
        """The same in the extended session."""
        assert self.ask("10 03").startswith("50 03")
        return self

    def programming(self) -> "Tester":
        """The same in the programming session, level 1 unlocked."""
        assert self.ask("10 02").startswith("50 02")
        self._unlock(1)
        return self

    def unlocked(self, level: int = 1) -> "Tester":
        """The same with security access; the key is worked out here."""
        self.extended()
        self._unlock(level)
        return self

    def _unlock(self, level: int) -> None:
        seed = bytes.fromhex(self.ask(f"27 {level:02X}"))[2:]
        assert self.ask(f"27 {level + 1:02X} {bytes(byte ^ 0x5A + level for byte in seed).hex()}")[:2] == "67"

    def client(self, **config: Any) -> Client:
        """udsoncan's client on this server."""
        client = Client(Wire(self))
        client.set_configs(cast(ClientConfig, config))
        return client


def spelt(answer: bytes | None) -> str:
    return "" if answer is None else answer.hex(" ").upper()


class Wire(BaseConnection):
    """udsoncan's connection: nothing waits, ticks pass until there is an answer or the client's time is over."""

    def __init__(self, tester: Tester) -> None:
        super().__init__("wire")
        self._tester = tester
        self._answers: list[bytes] = []

    def open(self) -> "Wire":
        return self

    def close(self) -> None:
        pass

    def is_open(self) -> bool:
        return True

    def empty_rxqueue(self) -> None:
        self._answers.clear()

    def specific_send(self, payload: bytes, timeout: float | None = None) -> None:
        self._keep(self._tester.server.request(payload, False, self._tester.t))

    def specific_wait_frame(self, timeout: float | None = None) -> bytes:
        for _ in range(round((timeout or 0) * 1000)):
            if self._answers:
                break
            self._tester.t += MILLISECOND
            self._keep(self._tester.server.poll(self._tester.t))
        if not self._answers:
            raise TimeoutException  # the client says what it waited for
        return self._answers.pop(0)

    def _keep(self, answer: bytes | None) -> None:
        if answer is not None:
            self._answers.append(answer)


def answers(function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """What udsoncan understood of a positive answer; it raises on a negative or malformed one."""
    response = function(*arguments, **named)
    assert response is not None
    assert response.positive
    return response.service_data
