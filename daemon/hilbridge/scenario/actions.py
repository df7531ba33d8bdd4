"""Steps that change something. All of it goes by way of commands, so a recording has it and a replay repeats it."""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.control.client import HandleCommand, execute
from hilbridge.inputs.controls import Control
from hilbridge.scenario.engine import Ending
from hilbridge.settings.scenario import ALL
from vehiclesim.databus import DataBus

RAMP_PERIOD: Final = 10_000_000
"""[ns] between two values of a ramp: a hundred a second are as smooth as feet are."""

DONE: Final = Ending(passed=True)


class _Action:
    """Done in the moment it begins."""

    acts: Final = True
    endless: Final = False

    def look(self, t: int) -> Ending | None:
        return DONE

    def close(self, t: int) -> Ending | None:
        return None


class SendCommands(_Action):
    """Gives commands, one after the other: each its name and keys."""

    def __init__(self, obey: HandleCommand, commands: list[tuple[str, dict[str, Any]]]) -> None:
        self._obey: Final = obey
        self._commands: Final = commands

    def begin(self, t: int) -> None:
        for command, keys in self._commands:
            execute(self._obey, command, **keys)


class AddFault(_Action):
    """Adds a fault, and remembers its number under the name of the step."""

    def __init__(self, obey: HandleCommand, fault: dict[str, Any], name: str | None, numbers: dict[str, int]) -> None:
        self._obey: Final = obey
        self._fault: Final = fault
        self._name: Final = name
        self._numbers: Final = numbers

    def begin(self, t: int) -> None:
        number: int = execute(self._obey, "fault-add", fault=self._fault)["fault"]
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
    """Holds controls by commands; one that stands there already needs none."""

    def __init__(self, obey: HandleCommand) -> None:
        self._obey: Final = obey
        self._held: Final[dict[Control, int]] = {}

    def hold(self, control: Control, raw: int) -> None:
        """Holds a control at a bus integer."""
        if self._held.get(control) != raw:
            self._held[control] = raw
            execute(self._obey, "set", entry=control.name, value=control.to_value(raw))


class Ramp:
    """value = from + (to - from)·(t - begin)/duration, from where each entry is when the step begins.

    An entry that is not available then goes to its end at once.
    """

    acts: Final = True
    endless: Final = False

    def __init__(self, data: DataBus, targets: Mapping[Control, float], duration: int, obey: HandleCommand) -> None:
        self._data: Final = data
        self._targets: Final = targets
        self._duration: Final = duration
        self._obey: Final = obey
        self._lines: Final[list[tuple[Control, float, float]]] = []
        self._hand = CommandedControls(obey)
        self._begin = 0
        self._due = 0

    def begin(self, t: int) -> None:
        self._begin = self._due = t
        for control, target in self._targets.items():
            start = self._data.read(control.channel, control.index)
            self._lines.append((control, target if start != start else start, target))

    def look(self, t: int) -> Ending | None:
        share = min((t - self._begin) / self._duration, 1.0)
        if t < self._due and share < 1:
            return None
        self._due = t + RAMP_PERIOD
        for control, start, target in self._lines:
            self._hand.hold(control, control.to_bus(start + (target - start) * share))
        return DONE if share == 1 else None

    def close(self, t: int) -> Ending | None:
        return None
