"""The handler of the commands that are inputs of a run: a line in, a line out.

A command takes effect with the next tick. A recording holds every line with its tick, so that a replay does the same.
Commands that are no inputs go elsewhere (dispatcher.py).
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Protocol

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.commands import (
    Arm,
    Ask,
    Begin,
    Command,
    FaultAdd,
    FaultClear,
    GiveBack,
    Release,
    ReloadCommand,
    Send,
    Set,
    SetDate,
    Stop,
    TroubleClear,
    TroubleSet,
    TuneEngine,
    parse,
)
from hilbridge.boundary.control.lines import refusal
from hilbridge.files.settings.dtc import TestOutcome
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.files.settings.start import StartSettings
from hilbridge.frames.codec.frame import Frame


class OverrideTarget(Protocol):
    """The values at which commands hold entries of the data bus."""

    def set(self, entry: str, value: float | str, until: int | None, by: str | None, rate: float | None) -> None:
        """Hold an entry at a value [its unit], or a position by its name, for a client until a time [ns].

        `rate` [1/s]: a pedal moves there.

        ConfigurationError: impossible.
        """

    def set_all(self, values: Mapping[str, float | str], until: int | None, by: str | None) -> None:
        """Hold entries as `set` does. ConfigurationError: one of them is impossible; none is held then."""

    def release(self, entry: str | None) -> None:
        """Return an entry, or all, to the inputs. ConfigurationError: it is not held."""

    def release_of(self, by: str) -> None:
        """Return the entries that someone holds, if any, to the inputs."""


class CommandedBench(Protocol):
    """A bench whose vehicle can begin in motion, and which can ask the control units behind its buses."""

    def begin(self, start: StartSettings, t: int, by: str | None) -> None:
        """Put the vehicle into a state at `t` [ns]. ConfigurationError, with the key: it is too late, or impossible."""

    def set_date(self, date: datetime, t: int, *, smoothly: bool) -> None:
        """Set the date of the run at `t` [ns]. ConfigurationError: there is no such date."""

    def ask(self, bus: str, question: bytes, t: int) -> int:
        """Ask on a bus at `t` [ns]; return the question's number. ConfigurationError: that is not possible."""


class Armable(Protocol):
    """A bus or an output that does not transmit until it is armed."""

    armed: bool


class Transmitter(Protocol):
    """A bus on which a frame can be put."""

    def transmit(self, frame: Frame, origin: None) -> None:
        """Transmit a frame as an outside sender."""


class Faults(Protocol):
    """The injected faults."""

    def add(self, settings: FaultSettings, t: int, by: str | None) -> int:
        """Add a fault of a client from a time [ns] on; return its number.

        ConfigurationError, with its key: that is impossible.
        """

    def clear(self, number: int | None, t: int) -> None:
        """End a fault, or all. ConfigurationError: there is no such fault."""

    def clear_of(self, by: str, t: int) -> None:
        """End the faults that someone has added, if any."""


class TroubleCodes(Protocol):
    """The trouble codes of all control units."""

    def set(self, ecu: str, code: str, result: TestOutcome, t: int) -> None:
        """Report the result of the test of a code at `t` [ns]. ConfigurationError: no such control unit or code."""

    def clear(self, ecu: str | None) -> None:
        """Clear the codes of one control unit, or all. ConfigurationError: no such control unit."""


class Engine(Protocol):
    """The engine that runs."""

    def tune(self, values: Mapping[str, Any]) -> None:
        """Drive the engine of the vehicle file with other values. ConfigurationError, with its key: that cannot be."""


class Host(Protocol):
    """The requests to the daemon as a whole."""

    def request_stop(self) -> None:
        """End the run in good order."""

    def request_reload(self) -> int:
        """Read the bench file again; return the number of the request."""


class CommandHandler:
    """The handler of commands in JSON, a line each; the answer is `{}`, a number, or `{"error": reason}`."""

    def __init__(
        self,
        host: Host,
        bench: CommandedBench,
        overrides: OverrideTarget,
        gates: Mapping[str, Armable],
        buses: Mapping[str, Transmitter],
        faults: Faults,
        trouble_codes: TroubleCodes,
        engine: Engine,
    ) -> None:
        self._host: Final = host
        self._bench: Final = bench
        self._overrides: Final = overrides
        self._gates: Final = gates
        self._buses: Final = buses
        self._faults: Final = faults
        self._trouble_codes: Final = trouble_codes
        self._engine: Final = engine

    def handle(self, line: bytes, t: int) -> bytes:
        """Carry out a line that came in at `t` [ns] and return its answer; no line raises."""
        try:
            answer = self._execute(parse(line), t)
        except ConfigurationError as error:
            answer = refusal(error)
        return json.dumps(answer).encode()

    def _execute(self, command: Command, t: int) -> dict[str, Any]:
        match command:
            case ReloadCommand():
                return {"request": self._host.request_reload()}
            case Stop():
                self._host.request_stop()
            case Begin() | SetDate():
                self._begin_or_set(command, t)
            case Set() | Release() | GiveBack():
                self._hold(command, t)
            case Arm() | Send() | Ask():
                return self._use_bus(command, t)
            case FaultAdd():
                return {"fault": self._faults.add(command.fault, t, command.by)}
            case FaultClear():
                self._faults.clear(command.number, t)
            case TuneEngine():
                self._engine.tune(command.values)
            case TroubleSet() | TroubleClear():
                self._change_trouble_codes(command, t)
            case _:
                raise ConfigurationError(f"{command.command}: only a run of its own can do that")
        return {}

    def _begin_or_set(self, command: Begin | SetDate, t: int) -> None:
        match command:
            case Begin():
                self._bench.begin(command.start, t, command.by)
            case SetDate():
                self._bench.set_date(datetime.fromisoformat(command.date), t, smoothly=command.smoothly)

    def _hold(self, command: Set | Release | GiveBack, t: int) -> None:
        match command:
            case Set():
                until = None if command.seconds is None else t + round(command.seconds * 1e9)
                if command.also:
                    if command.rate is not None:
                        raise ConfigurationError("a rate is for one entry, not for several", ("rate",))
                    self._overrides.set_all(command.values, until, command.by)
                else:
                    self._overrides.set(command.entry, command.value, until, command.by, command.rate)
            case Release():
                self._overrides.release(command.entry)
            case GiveBack():
                self._overrides.release_of(command.by)
                self._faults.clear_of(command.by, t)

    def _use_bus(self, command: Arm | Send | Ask, t: int) -> dict[str, Any]:
        match command:
            case Arm():
                self._gate(command.bus).armed = command.armed
            case Ask():
                return {"request": self._bench.ask(command.bus, bytes.fromhex(command.request), t)}
            case Send() if command.bus in self._buses:
                self._buses[command.bus].transmit(command.frame, None)
            case _:
                raise self._unknown(command.bus)
        return {}

    def _change_trouble_codes(self, command: TroubleSet | TroubleClear, t: int) -> None:
        if isinstance(command, TroubleSet):
            self._trouble_codes.set(command.ecu, command.code, command.result, t)
        else:
            self._trouble_codes.clear(command.ecu)

    def _gate(self, name: str | None) -> Armable:
        if name is None:
            if len(self._gates) != 1:
                raise ConfigurationError(f"name the bus: there is {', '.join(self._gates) or 'none'}")
            return next(iter(self._gates.values()))
        if name not in self._gates:
            raise self._unknown(name)
        return self._gates[name]

    def _unknown(self, bus: str) -> ConfigurationError:
        return ConfigurationError(f"there is no bus {bus!r} (there is {', '.join(self._gates) or 'none'})")
