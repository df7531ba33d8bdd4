"""What a lockstep client writes: the frames of its turns, or a line that is refused in words."""

from contextlib import suppress

from hilbridge.boundary.lockstep.lines import LineError, TurnReader, heard

SEEDS = [
    b"\x04t1008001122334455667\ndone\n",
    b"\x10T18DAF1108021001000000\r\nd1008\ndone\nB1234567FF\ndone\n",
    b"\x01hello\n",
    b"\x07drive lamp 1\ndrive valve 1500\ndone\n",
]


def one_input(data: bytes) -> None:
    reader, size = TurnReader(lambda _name, _value: None), (data[0] if data else 0) + 1
    with suppress(LineError):
        for start in range(1, len(data), size):
            for frame in reader.feed(data[start : start + size]) or []:
                heard(0, frame)
