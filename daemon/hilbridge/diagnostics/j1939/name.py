"""The NAME of a control unit: who it is, whatever its address (SAE J1939-81, 4.1.1).

| bits | | |
|---|---|---|
| 63 | arbitrary address capable | takes another address when it loses its own |
| 62…60 | industry group | 1: on-highway |
| 59…56 | vehicle system instance | |
| 55…49 | vehicle system | |
| 48 | reserved | 0 |
| 47…40 | function | 0 engine, 3 transmission, 9 brakes, 12 and 13 retarder of engine and driveline |
| 39…35 | function instance | |
| 34…32 | ECU instance | |
| 31…21 | manufacturer | |
| 20…0 | identity number | |

It is sent lowest byte first. Of two that want one address the lower NAME, as a number, wins.
"""

from typing import Final, NamedTuple

LENGTH: Final = 8
"""[byte]"""

ENGINE: Final = 0
RETARDERS: Final = (12, 13)
"""Functions: retarder of the engine, of the driveline."""


class Name(NamedTuple):
    """The fields of a NAME, highest bits first."""

    arbitrary_address: bool = False
    industry_group: int = 1
    system_instance: int = 0
    system: int = 0
    function: int = 0
    function_instance: int = 0
    ecu_instance: int = 0
    manufacturer: int = 0
    identity: int = 0

    @property
    def value(self) -> int:
        """The number that decides contentions."""
        return (
            self.arbitrary_address << 63
            | self.industry_group << 60
            | self.system_instance << 56
            | self.system << 49
            | self.function << 40
            | self.function_instance << 35
            | self.ecu_instance << 32
            | self.manufacturer << 21
            | self.identity
        )

    @property
    def data(self) -> bytes:
        """The eight bytes of an Address Claimed frame."""
        return self.value.to_bytes(LENGTH, "little")
