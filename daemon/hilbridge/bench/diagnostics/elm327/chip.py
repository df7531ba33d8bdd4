"""One ELM327 as a thing: what it calls itself, and the memory that outlives a reset and a change of client.

The memory lasts as long as the run:

    programmable parameters     AT PP, a value and whether it is in force, for each of 48 numbers
    identifier                  AT @3, once; AT @2 shows it
    a byte                      AT SD, AT RD
    calibration of the voltage  AT CV

In force after the next reset (AT Z, WS, D) are:

| number | sets the default of | |
|---|---|---|
| 01 02 09 24 25 29 | headers, long messages, echo, formatting, flow control, data length | 00 on, FF off |
| 03 04 06 26 | time-out, adaptive timing, address of the tester, padding | the value |
| 2B | bit rate of protocol A | 500 kbit/s by the value |
| 2C 2D, 2E 2F | options and bit rate of protocols B and C | as in AT PB |

The other numbers set up circuits, power supply and serial line, which do not exist here: they are stored. Source:
ELM327 data sheet, "Programmable Parameters".
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hilbridge.bench.diagnostics.elm327.protocols import CanProtocol, DataFormat, user_protocol
from hilbridge.bench.diagnostics.elm327.session import TIMEOUT_UNIT, Setup
from hilbridge.files.settings.diagnostics import Elm327Settings, StnSettings

_FACTORY: Final = bytes.fromhex(
    "FF FF FF 32 01 FF F1 09 FF 00 0A FF 68 0D 9A D5"
    "0D 00 FF 32 50 0A FF 6D 00 62 FF FF 03 0F FF FF"
    "FF FF FF FF 00 00 00 FF FF FF 38 02 E0 04 80 0A"
)
"""Values as delivered, by number."""

ALL: Final = 0xFF
"""The number that stands for every parameter, to switch them on or off."""

_IN_A_ROW: Final = 4
_ON: Final = 0x00


class ProgrammableParameters:
    """The programmable parameters: values, and which of them are in force."""

    def __init__(self) -> None:
        self._values: Final = bytearray(_FACTORY)
        self._on: Final = [False] * len(_FACTORY)

    def set(self, number: int, value: int) -> bool:
        """Set a value, which comes into force when it is switched on; return False if the number does not exist."""
        if number >= len(self._values):
            return False
        self._values[number] = value
        return True

    def switch(self, number: int, *, on: bool) -> bool:
        """Put a value, or `ALL`, into force or out of it; return False if the number does not exist."""
        if number != ALL and number >= len(self._on):
            return False
        for each in range(len(self._on)) if number == ALL else (number,):
            self._on[each] = on
        return True

    def __getitem__(self, number: int) -> int:
        """The value in force."""
        return self._values[number] if self._on[number] else _FACTORY[number]

    def lines(self) -> Iterator[str]:
        """Return the lines of AT PPS: number, value, N for on or F for off."""
        cells = [
            f"{number:02X}:{value:02X} {'N' if self._on[number] else 'F'}" for number, value in enumerate(self._values)
        ]
        for start in range(0, len(cells), _IN_A_ROW):
            yield "  ".join(cells[start : start + _IN_A_ROW])

    def setup(self) -> Setup:
        """Return the options after a reset."""
        setup = Setup(
            echo=self[0x09] == _ON,
            headers=self[0x01] == _ON,
            long_messages=self[0x02] == _ON,
            timeout=self[0x03] * TIMEOUT_UNIT,
            adaptive=min(self[0x04], 2),
            tester=self[0x06] if self._on[0x06] else None,
            formatting=self[0x24] == _ON,
            padding=self[0x26],
            data_length=self[0x29] == _ON,
        )
        setup.flow_control.enabled = self[0x25] == _ON
        return setup

    def protocols(self) -> dict[str, CanProtocol]:
        """Return the protocols A, B and C, as far as their options mean something."""
        wanted = {
            "A": user_protocol(DataFormat.J1939, self[0x2B]),
            "B": user_protocol(self[0x2C], self[0x2D]),
            "C": user_protocol(self[0x2E], self[0x2F]),
        }
        return {number: protocol for number, protocol in wanted.items() if protocol is not None}


@dataclass(slots=True)
class Chip:
    """One ELM327. `stn`: it is an STN11xx, which knows ST commands too; `eager`: it does not wait like the chip."""

    identity: str
    description: str
    stn: StnSettings | None
    eager: bool
    parameters: ProgrammableParameters = field(default_factory=ProgrammableParameters)
    identifier: str | None = None
    saved_byte: int = 0
    calibration: float = 1.0  # shown voltage by true voltage


def build_chip(settings: Elm327Settings) -> Chip:
    """Build the ELM327 that the bench file describes."""
    return Chip(settings.identity, settings.description, settings.stn, settings.waiting == "answer")
