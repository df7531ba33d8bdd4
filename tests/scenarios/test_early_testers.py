"""A tester that is there before the bench: it is refused until somebody answers, and then gets its answer."""

import random
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from ..program import PATIENCE, demo_bench, running

GREETINGS = {
    "ELM327": (b"ATI\r", b"\r>"),
    "SLCAN": (b"V\r", b"V1010\r"),
    "socketcand": (b"", b"< hi >"),
}
"""What is sent at once, and the end of the answer."""


def quiet_ports(count: int) -> list[int]:
    """Free ports of loopback, below those that the kernel gives to connections: one could meet itself there."""
    found = list[int]()
    while len(found) < count:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            found.append(port)
    return found


def test_the_first_connection_that_is_not_refused_is_answered(tmp_path: Path) -> None:
    """It need not wait for the bench to be built: when a port opens, the control socket is there, which comes last."""
    ports = dict(zip(GREETINGS, quiet_ports(len(GREETINGS)), strict=True))
    control = tmp_path / "control.sock"
    bench = demo_bench(
        tmp_path,
        ("rate: 1000 ", f"control: {{socket: {control}}}\nrate: 1000 "),
        ("slcan: 0", f"slcan: {ports['SLCAN']}\n    socketcand: {ports['socketcand']}"),
        ("ways: [0, pty]", f"ways: [{ports['ELM327']}]"),
    )
    with running(bench) as program, ExitStack() as stack:
        clients = dict[str, socket.socket]()
        deadline = time.monotonic() + PATIENCE
        while len(clients) < len(ports):
            assert time.monotonic() < deadline, "the ports do not open"
            for name in ports.keys() - clients.keys():
                with suppress(ConnectionRefusedError):
                    clients[name] = stack.enter_context(socket.create_connection(("127.0.0.1", ports[name]), PATIENCE))
                    assert control.is_socket(), name
                    clients[name].sendall(GREETINGS[name][0])
            time.sleep(0.001)
        for name, client in clients.items():
            answer = b""
            while not answer.endswith(GREETINGS[name][1]):
                piece = client.recv(4096)
                assert piece, (name, answer)
                answer += piece
        program.wait_for("ready")
        program.stop()
