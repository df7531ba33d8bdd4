"""Frames from outside, on a bench with inputs, OBD-II, UDS and one with J1939: counted or answered, never more.

Each frame is 3 bytes of head and its data: which bench and identifier, how many ticks pass after it, how long it is.
"""

from hilbridge.frames.codec.frame import EXTENDED, Frame

from .packaged import Running

_BENCHES = [(Running("diagnostics"), "powertrain"), (Running("truck"), "truck"), (Running("demo"), "powertrain")]
_IDENTIFIERS = [
    *(0x180, 0x7DF, 0x7E0, 0x7E1, 0x7E8),
    *(EXTENDED | each for each in (0x18DB33F1, 0x18DA10F1, 0x18DA18F1)),
    *(EXTENDED | each for each in (0x18EAFF00, 0x18EA0000, 0x0C000003, 0x18EEFF00, 0x18EC00F9, 0x18EB00F9)),
]
SEEDS = [
    bytes([0, 1, 8]) + bytes.fromhex("02010C0000000000") + bytes([3, 1, 8]) + bytes.fromhex("0322F19000000000"),
    bytes([6, 0, 8]) + bytes.fromhex("100A22F190F18CF1") + bytes([6, 9, 8]) + bytes.fromhex("2195010000000000"),
    bytes([24, 2, 3]) + bytes.fromhex("EBFE00") + bytes([30, 2, 8]) + bytes.fromhex("FF00207D7D7D7D7D"),
]


def one_input(data: bytes) -> None:
    rest = data[:2000]
    while len(rest) > 3:
        choice, ticks, length = rest[:3]
        content, rest = rest[3 : 3 + length % 9], rest[3 + length % 9 :]
        running, bus = _BENCHES[choice % len(_BENCHES)]
        identifier = _IDENTIFIERS[choice // len(_BENCHES) % len(_IDENTIFIERS)]
        running.bench.buses[bus].transmit(Frame(identifier, content), running.links[bus])
        for _ in range(ticks % 16):
            running.tick()
