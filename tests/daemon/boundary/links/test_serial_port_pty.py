"""The pty behaves like a serial port that is never unplugged."""

import os
import select

import serial

from hilbridge.boundary.links.serial_port import BYTES_PER_TICK, PseudoTerminal

PATIENCE = 10.0
"""[s]"""


def hear(port: PseudoTerminal) -> bytes:
    """What is read once the port's descriptor says that there is something."""
    assert select.select([port.descriptor], [], [], PATIENCE)[0]
    return port.poll(0)


def test_bytes_arrive_as_they_were_written() -> None:
    """No echo, no translation of line ends or control characters; nothing there is no error."""
    port = PseudoTerminal()
    try:
        assert port.poll(0) == b""
        assert not select.select([port.descriptor], [], [], 0)[0]
        with serial.Serial(port.name, 115200) as board:
            board.write(bytes(range(256)))
            board.flush()
            assert hear(port) == bytes(range(256))
    finally:
        port.close()


def test_writers_come_and_go() -> None:
    """A program that closes its end, as a shell's echo does, leaves the port usable."""
    port = PseudoTerminal()
    try:
        for line in (b"throttle=1\n", b"throttle=2\n"):
            descriptor = os.open(port.name, os.O_WRONLY | os.O_NOCTTY)
            os.write(descriptor, line)
            os.close(descriptor)
            assert hear(port) == line
    finally:
        port.close()


def test_a_flood_is_taken_in_portions() -> None:
    """One tick reads BYTES_PER_TICK at most; the rest waits in the kernel, and the counter has seen it all."""
    port = PseudoTerminal()
    try:
        descriptor = os.open(port.name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        written = 0
        taken = 0
        for _ in range(64):
            try:
                written += os.write(descriptor, b"x" * 4096)
            except BlockingIOError:
                part = hear(port)
                assert 0 < len(part) <= BYTES_PER_TICK
                taken += len(part)
        while taken < written:
            taken += len(hear(port))
        os.close(descriptor)
        assert taken == written == port.statistics.received
        assert written > BYTES_PER_TICK
    finally:
        port.close()
