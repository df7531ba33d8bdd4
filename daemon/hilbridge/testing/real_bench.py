"""A bench on hardware inside a test: a daemon of its own or one that runs, and the buses beside it."""

import math
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.trust.gate import everything_trusted
from hilbridge.bench.bench import Bench
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.client import Client
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.testing.any_bench import AnyBench
from hilbridge.testing.daemon_process import DaemonProcess
from hilbridge.testing.real_wire import RealWire, interface_of
from hilbridge.testing.wire import Wire
from vehiclesim.databus import DataBus

_LOOK: Final = 50 * MILLISECOND
"""[ns] between two looks at the values, which take the daemon some milliseconds each."""

_NAP: Final = 0.001
"""[s] between two looks at the buses."""

_PTY: Final = "pseudo terminal "


def _driven(start: Mapping[str, float]) -> tuple[float, int | None] | None:
    """Return speed [km/h] and gear to begin with. ConfigurationError: it needs more than a drive."""
    if others := sorted(start.keys() - {"speed", "gear"}):
        raise ConfigurationError(
            f"a bench in real time cannot begin with {', '.join(others)}: that is for the first tick of a virtual one"
        )
    gear = start.get("gear")
    return (start.get("speed", 0.0), None if gear is None else int(gear)) if start else None


class RealBench(AnyBench):
    """A bench in real time, with the methods of `AnyBench`: the same test runs on hardware.

    A daemon is started for the test, without its demo driver and its page, and ended after it. `attach`: it is one that
    runs already, by the name of its bench or the path of its control socket; what the test holds and breaks there is
    given back at the end, and a demo driver of it goes on driving until the test holds something.

    Hardware is listen-only until it is armed, by the bench file or by `arm`. `buses`: parameters of python-can by bus,
    where the test needs an adapter of its own; CAN interfaces of the kernel and SLCAN ports of the bench it finds.

    `start`: as of a virtual bench, but the car is driven to 'speed' and 'gear', which takes its time; no other key.

    ConfigurationError: an error in the files, the daemon does not start, or a bus cannot be reached.
    """

    def __init__(
        self,
        bench: str | PathLike[str] = "demo",
        *,
        seed: int | None = None,
        demo_driver: bool = False,
        arm: bool = False,
        attach: str | PathLike[str] | None = None,
        buses: Mapping[str, Mapping[str, Any]] | None = None,
        start: Mapping[str, float] | None = None,
        trust: bool = False,
    ) -> None:
        begin = _driven(start or {})
        with everything_trusted() if trust else nullcontext():
            file = load_bench(fspath(bench))
            super().__init__(Bench(file))
        options = [*([] if demo_driver else ["--no-demo-driver"]), *(["--trust"] if trust else [])]
        self._daemon: Final = None if attach is not None else DaemonProcess(file.path, seed, options)
        self._real_wires: Final[dict[str, RealWire]] = {}
        self._data: Final = DataBus()
        self._data.declare(self._parts.vehicle.data.entries)
        self._looked = -_LOOK
        self._began: Final = time.monotonic_ns()
        try:
            self._client: Final = Client(attach if self._daemon is None else self._daemon.control_socket())
            self._open(file, dict(buses or {}), arm=arm)
            if begin is not None:
                self.drive(*begin)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the buses, and end the daemon; one that ran before gets back what the test held and broke."""
        for wire in self._real_wires.values():
            wire.close()
        self._real_wires.clear()
        if self._daemon is not None:
            self._daemon.end()
        elif hasattr(self, "_client"):
            self._client.release()
            self._client.clear()
        if hasattr(self, "_client"):
            self._client.close()
        self._parts.close()

    @property
    def data(self) -> DataBus:
        return self._data

    def write_serial(self, data: bytes, port: int = 0) -> None:
        if not isinstance(data, bytes | bytearray):
            raise TypeError(f"write_serial takes bytes, as a serial line does: b{data!r}")
        ports = list(self._client.status("statistics")["ports"])
        if not 0 <= port < len(ports):
            raise ConfigurationError(f"the bench has {len(ports)} serial inputs; there is no number {port}")
        if not ports[port].startswith(_PTY):
            raise ConfigurationError(
                f"{ports[port]} is the board's line: no test can write there; set the entry instead"
            )
        with Path(ports[port].removeprefix(_PTY)).open("wb", buffering=0) as line:
            line.write(data)

    def keep(self, folder: str | PathLike[str], seconds: float = 10.0) -> list[Path]:
        files = super().keep(folder, seconds)
        if self._daemon is not None:
            files.append(self._daemon.copy_log(Path(folder, "daemon.log")))
        return files

    # -- inside -------------------------------------------------------------------------------------------------

    def _open(self, file: BenchFile, given: dict[str, Mapping[str, Any]], *, arm: bool) -> None:
        status = self._client.status("buses")
        if status["bench"] != file.settings.name:
            raise ConfigurationError(f"the bench {status['bench']} runs there, not {file.settings.name}")
        for name, settings in file.settings.buses.items():
            if arm and not status["buses"][name]["armed"]:
                self._client.arm(name)
            parameters = given.get(name) or interface_of(name, settings, status["buses"][name]["link"])
            self._real_wires[name] = RealWire(name, parameters, self._began)

    def _now(self) -> int:
        return time.monotonic_ns() - self._began

    def _run(self, duration: int, goal: Callable[[], bool] | None = None) -> bool:
        end = self._now() + duration
        while True:
            t = self._now()
            self._prepare(t)
            for wire in self._real_wires.values():
                wire.poll(t)
            if t >= self._looked + _LOOK:
                self._refresh()
                self._history.sample(t, self._data)
            if goal is not None and goal():
                return True
            if t >= end:
                return False
            time.sleep(_NAP)

    def _refresh(self) -> None:
        for path, one in self._client.values().entries.items():
            place = self._data.entries.find(path)
            if place is not None:
                self._data.write(*place, math.nan if one.value is None else one.value)
        self._looked = self._now()

    def _exchange(self, command: Command) -> Answer:
        return self._client.exchange(command)

    def _play(self, name: str, scenario: dict[str, Any], *, keep: bool) -> list[dict[str, Any]]:
        self._client.command("scenario-start", scenario=scenario, name=name, keep=keep)
        while self._client.status("scenario")["scenario"]["state"] == "running":
            self._run(_LOOK)
        verdicts: list[dict[str, Any]] = self._client.status("verdicts")["verdicts"]
        return verdicts

    def _wires(self) -> Mapping[str, Wire]:
        return self._real_wires
