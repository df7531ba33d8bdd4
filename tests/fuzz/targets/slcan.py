"""What an SLCAN client writes: frames, commands and their answers, or lines that are counted as malformed."""

from hilbridge.boundary.links.slcan import SlcanSession, format_frame

SEEDS = [b"\x05S6\rO\rt1008001122334455667\r", b"\x20O\rT18DAF1108021001000000\rd1008\rZ1\rF\rV\rN\rC\r"]


def one_input(data: bytes) -> None:
    session, size = SlcanSession(), (data[0] if data else 0) + 1
    for start in range(1, len(data), size):
        frames, _ = session.feed(data[start : start + size])
        for frame in frames:
            format_frame(frame)
