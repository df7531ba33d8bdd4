"""A client that sends as much as a 1 Mbit/s bus can carry, into the running daemon, in real time."""

import socket
import time
from pathlib import Path

from ..program import demo_bench, running

FRAMES_PER_BURST = 80
BURSTS = 200
PERIOD = 0.01
"""[s] of a burst: 8,000 frames of 8 bytes a second."""


def test_no_frame_of_a_full_bus_is_lost(tmp_path: Path) -> None:
    """At 1 kHz ticks, over SLCAN: every frame that was sent has been received, and none was malformed."""
    with running(demo_bench(tmp_path)) as program:
        with socket.create_connection(("127.0.0.1", program.slcan_port()), timeout=10) as client:
            client.sendall(b"O\r")
            start = time.monotonic()
            for burst in range(BURSTS):
                lines = (b"t7008%016X\r" % (burst * FRAMES_PER_BURST + number) for number in range(FRAMES_PER_BURST))
                client.sendall(b"".join(lines))
                drain(client)
                time.sleep(max(0.0, start + (burst + 1) * PERIOD - time.monotonic()))
            client.sendall(b"C\r")
            client.shutdown(socket.SHUT_WR)
            while client.recv(1 << 16):  # until everything was read and the connection is closed
                pass
        final = program.stop()
    assert final["links"]["powertrain"]["received"] == BURSTS * FRAMES_PER_BURST
    assert "errors" not in final["links"]["powertrain"]


def drain(client: socket.socket) -> None:
    """Reads what the daemon has sent: answers, and the frames of the bench."""
    client.setblocking(False)
    try:
        while client.recv(1 << 16):
            pass
    except BlockingIOError:
        pass
    client.settimeout(10)
