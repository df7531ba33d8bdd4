"""The GPIO pins of an emulated microcontroller. Its emulator imports this, so it imports nothing.

What labwired can be told from outside is the level of an input; what can be seen is the register of an output.
"""

from typing import Final, NamedTuple

_OUTPUT: Final = 1


class Wire(NamedTuple):
    """A pin: the port, its base address, its number there, and whether the registers are those of an STM32F1."""

    port: str
    address: int
    pin: int
    is_first: bool

    def word(self, way: str, name: str) -> str:
        """Return a pin of a name, and whether it is read or driven, as a word."""
        return f"{way},{name},{self.port},{self.address},{self.pin},{self.is_first:d}"

    @classmethod
    def parse(cls, word: str) -> "tuple[str, str, Wire]":
        """Return what `word` was made of."""
        way, name, port, address, pin, is_first = word.split(",")
        return way, name, cls(port, int(address), int(pin), is_first == "1")

    def registers(self) -> tuple[int, int]:
        """Return the addresses of its mode and of its output (ST RM0008 chapter 9, RM0090 chapter 8)."""
        if self.is_first:
            return self.address + 4 * (self.pin // 8), self.address + 0x0C
        return self.address, self.address + 0x14

    def level(self, mode: int, output: int) -> int:
        """Return what it drives, of the contents of these registers: 0 as long as it is no output."""
        drives = mode >> 4 * (self.pin % 8) & 3 if self.is_first else mode >> 2 * self.pin & 3 == _OUTPUT
        return output >> self.pin & 1 if drives else 0
