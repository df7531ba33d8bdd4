"""Steps that change something. They give commands, so that a recording contains them and a replay repeats them."""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.bench.inputs.controls import Control
from hilbridge.bench.scenario.engine import Ending
from hilbridge.boundary.control.lines import HandleCommand, execute
from hilbridge.files.settings.scenario import ALL
from vehiclesim.databus import DataBus

RAMP_PERIOD: Final = 10_000_000
"""[ns] Time between two values of a ramp: a hundred a second are as smooth as feet."""

DONE: Final = Ending(passed=True)


class _Action:
    """An action that is complete in the tick in which it begins."""

    acts: Final = True
    endless: Final = False

    def evaluate(self, t: int) -> Ending | None:
        return DONE

    def close(self, t: int) -> Ending | None:
        return None


class SendCommands(_Action):
    """Gives commands one after the other, each with its name and keys."""

    def __init__(self, obey: HandleCommand, commands: list[tuple[str, dict[str, Any]]]) -> None:
        self._obey: Final = obey
        self._commands: Final = commands

    def begin(self, t: int) -> None:
        for command, keys in self._commands:
            execute(self._obey, command, **keys)


class AddFault(_Action):
    """Adds a fault, and stores its number under the name of the step."""

    def __init__(
        self, obey: HandleCommand, by: str, fault: dict[str, Any], name: str | None, numbers: dict[str, int]
    ) -> None:
        self._obey: Final = obey
        self._by: Final = by
        self._fault: Final = fault
        self._name: Final = name
        self._numbers: Final = numbers

    def begin(self, t: int) -> None:
        number: int = execute(self._obey, "fault-add", fault=self._fault, by=self._by)["fault"]
        if self._name is not None:
            self._numbers[self._name] = number


class ClearFault(_Action):
    """Ends the fault of a step, or every fault."""

    def __init__(self, obey: HandleCommand, name: str, numbers: Mapping[str, int]) -> None:
        self._obey: Final = obey
        self._name: Final = name
        self._numbers: Final = numbers

    def begin(self, t: int) -> None:
        execute(self._obey, "fault-clear", number=None if self._name == ALL else self._numbers[self._name])


class CommandedControls:
    """Holds controls by commands, for `by`; a control at the wanted value needs no further command."""

    def __init__(self, obey: HandleCommand, by: str) -> None:
        self._obey: Final = obey
        self._by: Final = by
        self._held: Final[dict[Control, int]] = {}

    def hold(self, control: Control, raw: int) -> None:
        """Hold a control at a bus integer."""
        if self._held.get(control) != raw:
            self._held[control] = raw
            execute(self._obey, "set", entry=control.name, value=control.to_value(raw), by=self._by)


class Ramp:
    """A linear ramp: value = from + (to - from)·(t - begin)/duration.

    `from` is the value of an entry when the step begins. An entry that is not available then gets its final value.
    """

    acts: Final = True
    endless: Final = False

    def __init__(
        self, data: DataBus, targets: Mapping[Control, float], duration: int, controls: CommandedControls
    ) -> None:
        self._data: Final = data
        self._targets: Final = targets
        self._duration: Final = duration
        self._commanded: Final = controls
        self._lines: Final[list[tuple[Control, float, float]]] = []
        self._begin = 0
        self._due = 0

    def begin(self, t: int) -> None:
        self._begin = self._due = t
        for control, target in self._targets.items():
            start = self._data.read(control.channel, control.index)
            self._lines.append((control, target if start != start else start, target))

    def evaluate(self, t: int) -> Ending | None:
        share = min((t - self._begin) / self._duration, 1.0)
        if t < self._due and share < 1:
            return None
        self._due = t + RAMP_PERIOD
        for control, start, target in self._lines:
            self._commanded.hold(control, control.to_bus(start + (target - start) * share))
        return DONE if share == 1 else None

    def close(self, t: int) -> Ending | None:
        return None
