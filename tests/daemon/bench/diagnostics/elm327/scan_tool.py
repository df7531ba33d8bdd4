"""A scan tool at an interpreter, on a bus with two ECUs whose answers are known: the car of the data sheet's examples.

The engine (7E8, or 10 hex) knows the VIN 1D4GP00R55B123456 and a calibration id, the transmission (7E9, 18 hex) less.
"""

from collections.abc import Mapping
from typing import Any

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.elm327.adapters import Adapters
from hilbridge.bench.diagnostics.elm327.chip import build_chip
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.files.settings.diagnostics import Elm327Settings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from vehiclesim.channels import AuxiliaryData, InputData
from vehiclesim.databus import DataBus

ENGINE = {
    "0100": "4100BE3FA813",
    "0105": "41057B",
    "010C": "410C1AF8",
    "0902": "490201" + b"1D4GP00R55B123456".hex(),
    "0904": "490401" + "35363032383934394143" + "000000000000",
    "2E1234" + "AA" * 20: "6E1234",
}
TRANSMISSION = {"0100": "410080000000", "0904": "490401" + "35363032383935344143" + "000000000000"}


class Ecu:
    """Answers what it knows after `delay` ticks."""

    def __init__(self, answers: Mapping[str, str], delay: int = 0) -> None:
        self.requests: list[str] = []
        self.delay = delay
        self._answers = answers
        self._later: list[tuple[int, bytes]] = []
        self._t = 0

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.requests.append(payload.hex().upper())
        answer = self._answers.get(self.requests[-1])
        if answer is None:
            return None
        if self.delay:
            self._later.append((t + self.delay * MILLISECOND, bytes.fromhex(answer)))
            return None
        return bytes.fromhex(answer)

    def poll(self, t: int) -> bytes | None:
        if self._later and t >= self._later[0][0]:
            return self._later.pop(0)[1]
        return None

    def keep_alive(self, t: int) -> None:
        pass

    @property
    def idle(self) -> bool:
        return not self._later

    @property
    def answering(self) -> bool:
        return bool(self._later)


class Car:
    """The bus, the ECUs on it with 11 or 29 bits, the data bus with the battery, and the adapters plugged in."""

    def __init__(self, extended: bool = False, bitrate: int = 500_000, **options: Any) -> None:
        """`options` of the ELM327, as in a bench file."""
        self.bus = Bus("powertrain")
        self.bus.attach(self)
        self.data = DataBus()
        self.data.auxiliary[AuxiliaryData.BATTERY_VOLTAGE] = 12_640
        self.data.input[InputData.KEY] = 0
        self.engine, self.transmission = Ecu(ENGINE), Ecu(TRANSMISSION)
        addresses = (
            (Address.normal_fixed_29bit(0xF1, 0x10), Address.normal_fixed_29bit(0xF1, 0x18))
            if extended
            else (Address.normal_11bit(0x7E0, 0x7E8), Address.normal_11bit(0x7E1, 0x7E9))
        )
        self.server = IsoTpServer(
            self.bus,
            list(zip(addresses, (self.engine, self.transmission), strict=True)),
            IsoTpParameters(padding=0),
            lambda _t: self.data.input[InputData.KEY] >= 0,
        )
        self.usable = True
        settings = Elm327Settings.model_validate({"bus": "powertrain", **options})
        self.adapters = Adapters(self.bus, self.data, build_chip(settings), bitrate, lambda _: self.usable)
        self.frames: list[Frame] = []
        self.t = 0

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)

    def tick(self) -> None:
        """As in the daemon: frames go round, requests are answered, answers go round."""
        self.bus.exchange(self.t)
        self.server.poll(self.t)
        self.bus.exchange(self.t)
        self.adapters.poll(self.t)
        self.bus.exchange(self.t)
        self.t += MILLISECOND


class ScanTool:
    """Types on one adapter of the car."""

    def __init__(self, car: Car, *setup: str) -> None:
        self.car = car
        self.elm = car.adapters.plug_in()
        for command in setup:
            assert self.ask(command) == ["OK"]

    def type(self, text: str) -> None:
        self.elm.feed(text.encode("latin-1"), self.car.t)

    def read(self) -> str:
        text = self.elm.output.decode("latin-1")
        self.elm.output.clear()
        return text

    def transcript(self, line: str) -> str:
        """What the adapter says to a line up to its prompt, as it is."""
        self.type(f"{line}\r")
        for _ in range(20_000):
            if self.elm.output.endswith(b">"):
                return self.read()
            self.car.tick()
        raise AssertionError(f"no prompt after {line!r}: {self.read()!r}")

    def ask(self, line: str) -> list[str]:
        """The lines of the answer, without echo, and without the space after the last byte."""
        text = self.transcript(line).replace("\n", "").removesuffix(">")
        return [part.rstrip(" ") for part in text.removeprefix(f"{line}\r").split("\r") if part]
