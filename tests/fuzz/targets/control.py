"""Lines of a client of the control socket: each is refused, or handed on as a short command that the tick can read.

The first byte says how many bytes come at once.
"""

import atexit
import json
import socket
import struct

from hilbridge.base.common.control_line import LONGEST_LINE
from hilbridge.boundary.control.commands import ScenarioStart, parse, parse_step
from hilbridge.boundary.control.server import LONGEST_COMMAND, Server
from hilbridge.boundary.links.control_socket import SocketFile

from ...awkward_lines import AWKWARD, SET, STATUS
from .packaged import scratch_file

_SCENARIO = {
    "command": "scenario-start",
    "name": "x",
    "scenario": {"steps": [{"expect": "1"}, {"set": {"road.Slope": 1}}]},
}
_FAULT = {"command": "fault-add", "fault": {"kind": "link", "bus": "can", "effect": "down", "for": 1}}
SEEDS = [
    b"\xff" + b"\n".join((SET, STATUS, json.dumps(_FAULT).encode(), json.dumps(_SCENARIO).encode(), b"")),
    *(b"\x10" + line[:1000] + b"\n" for line in AWKWARD.values()),
]
_PATH = scratch_file("control.sock")
_FILE = SocketFile(_PATH, 0o600)
_TICK, _THEIRS = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
_TICK.setblocking(False)
_SERVER = Server(_FILE.listener, _THEIRS)
for _one in (_TICK, _THEIRS, _FILE):
    atexit.register(_one.close)


def one_input(data: bytes) -> None:
    size = 1 + (data[0] if data else 0)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(_PATH))
        for start in range(1, len(data), size):
            client.sendall(data[start : start + size])
            _turn()
    for _ in range(4 + data.count(b"\n")):
        _turn()


def _turn() -> None:
    assert _SERVER.serve(0.0)
    while True:
        try:
            datagram = _TICK.recv(LONGEST_LINE + 4)
        except BlockingIOError:
            return
        number, line = struct.unpack_from("<I", datagram)[0], datagram[4:]
        if number and line:
            head, *steps = line.split(b"\n")
            assert isinstance(parse(head), ScenarioStart) or len(line) <= LONGEST_COMMAND
            for step in steps:
                parse_step(step)
            _TICK.send(struct.pack("<IB", number, 1) + b"{}")
