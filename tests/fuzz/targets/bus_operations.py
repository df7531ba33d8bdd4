"""What an importer puts on a bus of a network unit: operations of FMI-LS-BUS, or what is answered as none."""

from hilbridge.desk.fmu.bus_terminal import LONGEST, BusTerminal
from hilbridge.frames.bus.bus import Bus

SEEDS = [
    bytes.fromhex("01 10000000 12000000 23010000 00 00 0200 0102 20000000 0c000000 23010000"),
    bytes.fromhex("00 11000000 1d000000 01000000 00 01 00 0c00 000102030405060708090a0b 42000000 08000000"),
    bytes.fromhex("01 31000000 0f000000 23010000 05 01 01 30000000 0c000000 23010000 41000000 09000000 03"),
    bytes.fromhex("01 12000000 17000000 01000000 00000300 00000000 0100 7f 01000000 0c000000 0200 aabb"),
]


def one_input(data: bytes) -> None:
    bus = Bus("powertrain")
    terminal = BusTerminal(bus, 500_000, 2_000_000, fd=True)
    terminal.notifications = bool(data[:1] > b"\0")
    bus.attach_link(terminal)
    terminal.give(data[1:])
    for t in range(0, 6_000_000, 1_000_000):
        terminal.poll(t)
        bus.exchange(t)
        terminal.give(terminal.take())
    if len(terminal.take()) > LONGEST:
        raise AssertionError("what waits has no bound")
