"""python-can's socketcand interface on the running demo, both ways, and its frames in a replay."""

from pathlib import Path

import can
import pytest

from ..program import PATIENCE, demo_bench, hilbridge, running


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    return demo_bench(tmp_path, ("slcan: 0", "slcan: 0\n    socketcand: 0"))


def test_python_can_sends_and_receives_and_a_replay_has_it(bench: Path, tmp_path: Path) -> None:
    """OBD by hand: a request, its answer, and the cyclic frames of the bus; all of it repeats to the byte."""
    with running(bench, "--record", tmp_path / "recording") as program:
        port = int(program.wait_for("bus open")["link"].rsplit(":", 1)[1])
        program.wait_for("ready")
        with can.Bus(interface="socketcand", host="127.0.0.1", port=port, channel="powertrain") as bus:
            request = can.Message(arbitration_id=0x7DF, is_extended_id=False, data=b"\x02\x01\x00\0\0\0\0\0")
            bus.send(request)
            seen = set[int]()
            while 0x7E8 not in seen or len(seen) < 3:
                message = bus.recv(PATIENCE)
                assert message is not None
                seen.add(message.arbitration_id)
        program.stop()
    replay = hilbridge("replay", tmp_path / "recording")
    assert replay.returncode == 0, replay.stdout + replay.stderr
