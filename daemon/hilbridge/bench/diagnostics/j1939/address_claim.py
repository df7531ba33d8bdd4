"""NAME and address claim of a control unit (SAE J1939-81): how it gets an address, defends it, and loses it.

    start                     claim the preferred address
    claimed 0…127, 248…253    the address may be used at once
    claimed 128…247           the address may be used after 250 ms without a contender
    contender, higher NAME    repeat the claim, keep the address
    contender, lower NAME     arbitrary address capable: claim the next free address of 128…247
                              otherwise, or when none is free: Cannot Claim, and no frame until the next start
    request for the claim     answered with the claim, or with Cannot Claim
    commanded address         claim the commanded address, unless it is claimed already

Cannot Claim is sent with the null address, after a delay of 0.6 ms times 0…255. The standard asks for a pseudo-random
number; the sum of the bytes of the NAME is used, so that a run can be repeated.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, NEVER
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import GLOBAL, HIGHEST_ADDRESS, NULL_ADDRESS, Identifier

LENGTH: Final = 8
"""[byte]"""

ENGINE: Final = 0
BRAKES: Final = 9
RETARDERS: Final = (12, 13)
"""Functions: retarder of the engine, of the driveline."""


class Name(NamedTuple):
    """The NAME of a control unit, which identifies it independently of its address (SAE J1939-81, 4.1.1).

    | bits | field | |
    |---|---|---|
    | 63 | arbitrary address capable | claims another address when it loses its own |
    | 62…60 | industry group | 1: on-highway |
    | 59…56 | vehicle system instance | |
    | 55…49 | vehicle system | |
    | 48 | reserved | 0 |
    | 47…40 | function | 0 engine, 3 transmission, 9 brakes, 12 and 13 retarder of engine and driveline |
    | 39…35 | function instance | |
    | 34…32 | ECU instance | |
    | 31…21 | manufacturer code | |
    | 20…0 | identity number | |

    It is sent lowest byte first. Of two contenders for one address the lower NAME, as a number, wins.
    """

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
        """The NAME as a number, which decides contentions."""
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


ADDRESS_CLAIMED: Final = 0xEE00
COMMANDED_ADDRESS: Final = 0xFED8

CONTENTION: Final = 250 * MILLISECOND
"""[ns] Time in which other units may contend for a claimed address."""

FREE_ADDRESSES: Final = range(128, 248)
"""Addresses without preferred use, for units that have lost their own."""

_DELAY_STEP: Final = 600_000
"""[ns]"""

_PRIORITY: Final = 6


class AddressClaim:
    """The address of one control unit.

    `address` is the one that it may use, or None; `lost` counts lost contentions.
    """

    def __init__(
        self, name: Name, preferred: int, send: Callable[[Frame], None], on_change: Callable[[int | None], None]
    ) -> None:
        """`on_change` is called with every new value of `address`."""
        self.address: int | None = None
        self.lost = 0  # contentions
        self._name: Final = name
        self._preferred: Final = preferred
        self._send: Final = send
        self._on_change: Final = on_change
        self._claimed: int | None = None
        self._others: Final[set[int]] = set()
        self._usable: int | None = None  # [ns] when the claimed address may be used
        self._refusal: int | None = None  # [ns] when Cannot Claim is due
        self._delay: Final = sum(name.data) % 256 * _DELAY_STEP

    def start(self, t: int) -> None:
        """Claim the preferred address: the unit is switched on at `t` [ns]."""
        self._others.clear()
        self._claim(self._preferred, t)

    def stop(self) -> None:
        """Release the address: the unit is switched off."""
        self._claimed = self._usable = self._refusal = None
        self._use(None)

    def receive(self, source: int, data: bytes, t: int) -> None:
        """Take a claim of another unit for the address `source`, or its Cannot Claim."""
        if len(data) != LENGTH or source > HIGHEST_ADDRESS:
            return
        self._others.add(source)
        if source != self._claimed:
            return
        contender = int.from_bytes(data, "little")
        if contender > self._name.value:
            self._send_claim(source)
        elif contender < self._name.value:
            self.lost += 1
            self._lose(t)

    def answer_request(self, t: int) -> None:
        """Answer a request for Address Claimed."""
        if self._claimed is not None:
            self._send_claim(self._claimed)
        elif self._refusal is None:
            self._refusal = t + self._delay

    def take_commanded_address(self, payload: bytes, t: int) -> None:
        """Take Commanded Address: a NAME and its new address."""
        if len(payload) != LENGTH + 1 or payload[:LENGTH] != self._name.data:
            return
        if payload[LENGTH] <= HIGHEST_ADDRESS and payload[LENGTH] != self._claimed:
            self._claim(payload[LENGTH], t)

    @property
    def due(self) -> int:
        """The time [ns] at which `poll` has something to do; NEVER: at none."""
        usable = NEVER if self._usable is None else self._usable
        return usable if self._refusal is None else min(usable, self._refusal)

    def poll(self, t: int) -> None:
        """Do what is due at `t` [ns]."""
        if self._usable is not None and t >= self._usable:
            self._usable = None
            self._use(self._claimed)
        if self._refusal is not None and t >= self._refusal:
            self._refusal = None
            self._send_claim(NULL_ADDRESS)

    def _claim(self, address: int, t: int) -> None:
        self._use(None)
        self._claimed = address
        self._refusal = None
        self._usable = t + CONTENTION if address in FREE_ADDRESSES else None
        self._send_claim(address)
        if self._usable is None:
            self._use(address)

    def _lose(self, t: int) -> None:
        free = next((address for address in FREE_ADDRESSES if address not in self._others), None)
        if self._name.arbitrary_address and free is not None:
            self._claim(free, t)
            return
        self._claimed = self._usable = None
        self._refusal = t + self._delay
        self._use(None)

    def _use(self, address: int | None) -> None:
        if address != self.address:
            self.address = address
            self._on_change(address)

    def _send_claim(self, address: int) -> None:
        self._send(Frame(Identifier(_PRIORITY, ADDRESS_CLAIMED, GLOBAL, address).can_id, self._name.data))
