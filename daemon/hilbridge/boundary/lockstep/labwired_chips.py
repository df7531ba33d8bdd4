"""The microcontrollers that the package labwired emulates, as its files describe them; it is not imported here."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, Sought
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.boundary.lockstep.labwired_pins import Wire
from hilbridge.files.settings.boards import BoardSettings
from hilbridge.files.settings.lockstep import LockstepClient

_EXTRA: Final = "labwired"
_CONTROLLERS: Final = ("bxcan", "fdcan")
_PORT: Final = re.compile(r"gpio_?([a-k])$")
_PINS: Final = 16
"""Pins of a port: 0 is PA0, 16 PB0, and so on."""

_FIRST_FAMILY: Final = "stm32f1"
_MEGAHERTZ: Final = 1_000_000


class Machine(NamedTuple):
    """A microcontroller: the file that describes it, the clock of its core [Hz], its CAN controllers by bus, pins."""

    chip: Path
    clock: int
    controllers: list[str]
    pins: dict[str, dict[str, Wire]]

    @classmethod
    def of(cls, client: LockstepClient, board: BoardSettings | None = None) -> "Machine":
        """Return that of a client. ConfigurationError, by key: there is none like it here."""
        folder = _folder()
        chips = {file.stem: file for file in sorted(folder.glob("stm32*.yaml"))}
        if client.chip is None:
            raise ConfigurationError(f"is missing: which microcontroller is it? One of {_with_can(chips)}", ("chip",))
        if client.chip not in chips:
            words = f"labwired has no microcontroller {client.chip!r}"
            raise ConfigurationError(words, ("chip",), Sought(client.chip, list(chips)))
        described = _described(chips[client.chip])
        there = _can(described)
        if not there:
            raise ConfigurationError(
                f"{client.chip} has no CAN controller in labwired, as {_with_can(chips)}", ("chip",)
            )
        for i, name in enumerate(client.controllers or ()):
            if name not in there:
                words = f"{client.chip} has the CAN controllers {', '.join(there)}, not {name!r}"
                raise ConfigurationError(words, ("controllers", i))
        if len(there) < len(client.buses):
            words = f"has no controller in {client.chip}: labwired has {', '.join(there)} of it"
            raise ConfigurationError(words, ("bus", len(there)))
        clock = described["cpu_hz"] if client.clock is None else round(client.clock * _MEGAHERTZ)
        controllers = client.controllers or there[: len(client.buses)]
        return cls(chips[client.chip], clock, controllers, _wires(described, board))

    def words(self) -> list[str]:
        """Return the words for emulator.py."""
        pins = " ".join(wire.word(way, name) for way, wires in self.pins.items() for name, wire in wires.items())
        return [str(self.chip), str(self.clock), pins, *self.controllers]


def _folder() -> Path:
    found = find_spec("labwired")
    if found is None or found.origin is None:
        words = f"needs the package labwired: {extra_remedy(_EXTRA)}"
        raise ConfigurationError(words, ("firmware",), may_pass=True)
    return Path(found.origin).with_name("configs") / "chips"


def _described(file: Path) -> dict[str, Any]:
    from yaml import CSafeLoader, load  # only where there is such a client

    described: dict[str, Any] = load(file.read_bytes(), CSafeLoader)
    return described


def _can(described: dict[str, Any]) -> list[str]:
    return [each["id"] for each in described["peripherals"] if each["type"] in _CONTROLLERS]


def _with_can(chips: dict[str, Path]) -> str:
    return ", ".join(name for name, file in chips.items() if _can(_described(file)))


def _wires(described: dict[str, Any], board: BoardSettings | None) -> dict[str, dict[str, Wire]]:
    """Return the pins that the firmware reads and drives, by name. ConfigurationError, by key: one cannot be."""
    ports = {
        found[1]: (each["id"], each["base_address"], each.get("config", {}).get("profile") == _FIRST_FAMILY)
        for each in described["peripherals"]
        if (found := _PORT.match(each["id"]))
    }
    found_wires: dict[str, dict[str, Wire]] = {"read": {}, "drive": {}}
    if board is None:
        return found_wires
    for way, kind, pins in (("read", "digital", board.channels), ("drive", "switch", board.measures)):
        for name, one in pins.items():
            letter = chr(ord("a") + one.pin // _PINS)
            if one.kind != kind:
                words = f"pin {name}: of an emulated microcontroller only kind '{kind}' can be, not '{one.kind}'"
                raise ConfigurationError(words, ("board",))
            if letter not in ports:
                words = f"pin {name}: there is no {one.pin}, for it has the ports {', '.join(sorted(ports)).upper()}"
                raise ConfigurationError(words, ("board",))
            port, address, is_first = ports[letter]
            found_wires[way][name] = Wire(port, address, one.pin % _PINS, is_first)
    return found_wires
