"""Carries out the commands that are inputs of a run: a line in, a line out.

What a command changes takes effect with the next tick. A recording holds every line with its tick, so that a replay
does the same. What is no input is taken care of elsewhere (reception.py).
"""

import json
from collections.abc import Mapping
from typing import Any, Final, Protocol

from hilbridge.common.errors import ConfigurationError
from hilbridge.control.commands import (
    Arm,
    Command,
    FaultAdd,
    FaultClear,
    Release,
    Reload,
    Set,
    Stop,
    TroubleClear,
    TroubleSet,
    error_text,
    parse,
)
from hilbridge.settings.faults import FaultSettings

Answer = dict[str, Any]


class Overrides(Protocol):
    """What keeps entries of the data bus where a command put them."""

    def set(self, entry: str, value: float, until: int | None) -> None:
        """Holds an entry at a value [its unit] until a time [ns]. ConfigurationError where that cannot be."""

    def release(self, entry: str | None) -> None:
        """Gives an entry, or all, back to the inputs. ConfigurationError for one that is not held."""


class Armable(Protocol):
    """A bus that listens only until it is armed."""

    armed: bool


class Faults(Protocol):
    """What goes wrong on purpose."""

    def add(self, settings: FaultSettings, t: int) -> int:
        """A fault from a time [ns] on; its number. ConfigurationError, with its key, where that cannot be."""

    def clear(self, number: int | None, t: int) -> None:
        """Ends a fault, or all. ConfigurationError for one that there is not."""


class TroubleCodes(Protocol):
    """The trouble codes of all control units."""

    def set(self, ecu: str, code: str, t: int) -> None:
        """A test has failed, at `t` [ns]. ConfigurationError: no such control unit or code."""

    def clear(self, ecu: str | None) -> None:
        """Clears those of one control unit, or all. ConfigurationError: no such control unit."""


class Host(Protocol):
    """What the daemon as a whole can do."""

    def request_stop(self) -> None:
        """Ends the run in good order."""

    def request_reload(self) -> None:
        """Reads the bench file anew."""


class CommandHandler:
    """Takes commands as lines of JSON and answers each with one: `{}`, a fault's number, or `{"error": reason}`."""

    def __init__(
        self, host: Host, hold: Overrides, buses: Mapping[str, Armable], faults: Faults, troubles: TroubleCodes
    ) -> None:
        self._host: Final = host
        self._hold: Final = hold
        self._buses: Final = buses
        self._faults: Final = faults
        self._troubles: Final = troubles

    def handle(self, line: bytes, t: int) -> bytes:
        """The answer to a line that came in at `t` [ns]; nothing that it holds raises."""
        try:
            answer = self._execute(parse(line), t)
        except ConfigurationError as error:
            answer = {"error": error_text(error)}
        return json.dumps(answer).encode()

    def _execute(self, command: Command, t: int) -> Answer:
        match command:
            case Reload():
                self._host.request_reload()
            case Stop():
                self._host.request_stop()
            case Set():
                until = None if command.seconds is None else t + round(command.seconds * 1e9)
                self._hold.set(command.entry, command.value, until)
            case Release():
                self._hold.release(command.entry)
            case Arm():
                self._bus(command.bus).armed = command.armed
            case FaultAdd():
                return {"fault": self._faults.add(command.fault, t)}
            case FaultClear():
                self._faults.clear(command.number, t)
            case TroubleSet() | TroubleClear():
                self._change(command, t)
            case _:
                raise ConfigurationError(f"{command.command}: only a run of its own can do that")
        return {}

    def _change(self, command: TroubleSet | TroubleClear, t: int) -> None:
        if isinstance(command, TroubleSet):
            self._troubles.set(command.ecu, command.code, t)
        else:
            self._troubles.clear(command.ecu)

    def _bus(self, name: str) -> Armable:
        if name not in self._buses:
            raise ConfigurationError(f"there is no bus {name!r} (there is {', '.join(self._buses) or 'none'})")
        return self._buses[name]
