"""What a tester sends to the DoIP entity of its bench, over TCP and as datagrams.

The first byte says how many bytes come at once; its highest bit activates the routing before, so that requests get
through.
"""

from .packaged import Running

_CAR = Running("doip")
_ENTITY = _CAR.bench.wiring.doip
assert _ENTITY is not None

_ACTIVATION = bytes.fromhex("02FD0005000000070E000000000000")
SEEDS = [
    b"\xff" + bytes.fromhex("02FD8001000000060E0010103E00 02FD8001000000070E001010221234".replace(" ", "")),
    b"\xff" + bytes.fromhex("02FD8001000000060E00E4003E00 02FD8001000000060E0010011003".replace(" ", "")),
    b"\x07" + _ACTIVATION + bytes.fromhex("02FD000700000000 02FD0008000000020E00".replace(" ", "")),
    b"\x85" + bytes.fromhex("02FD8001FFFFFFFF0E001010") + bytes(40),
    b"\x7f" + bytes.fromhex("03FC000300000011") + b"WHBZZZ1EZSA000007",
]


def one_input(data: bytes) -> None:
    assert _ENTITY is not None
    first = data[0] if data else 0
    tester = _ENTITY.plug_in()
    if first & 0x80:
        tester.feed(_ACTIVATION, _CAR.t)
        _CAR.tick()
    size = (first & 0x7F) + 1
    for start in range(1, min(len(data), 1000), size):
        piece = data[start : start + size]
        _ENTITY.datagram(piece)
        tester.feed(piece, _CAR.t)
        _CAR.tick()
        tester.output.clear()
    _ENTITY.unplug(tester)
