"""What the engine did when a fault was found: the data bytes of each PID (SAE J1979, service 02)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FreezeFrame:
    """`values`: data bytes by PID, all of one tick. `order`: the how-manieth frame it was."""

    values: dict[int, bytes]
    order: int

    def export(self) -> dict[str, object]:
        """As JSON data; bytes in hexadecimal."""
        return {"order": self.order, "values": {f"{pid:02X}": data.hex() for pid, data in self.values.items()}}
