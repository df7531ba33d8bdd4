"""Bytes of serial buses, in pieces of any size, with and without an echo: telegrams, LIN, or counted as damaged."""

from hilbridge.bench.lines.lin_line import LinBus
from hilbridge.bench.lines.lin_slave import LinSlave
from hilbridge.bench.lines.telegram_line import TelegramBus
from hilbridge.files.settings.lines import LinLine, TelegramLine
from vehiclesim.databus import DataBus

TICK = 5_000_000

_TELEGRAMS = {
    "Lamps": {"source": 0xD0, "destination": 0xBF, "data": "5B 00", "period": 50, "replies_to": [".. 03 D0 *"]}
}
_FRAMES = {"A": {"id": 0x10, "data": "01 02"}, "B": {"id": 0x21, "length": 2}, "C": {"id": 0x3D, "length": 8}}

SEEDS = [
    b"\x00\x07\xd0\x08\xbf\x5b\x40\x00\x04\x00\x00\x78\x60\x03\xd0\x5a\xe9",
    b"\x01\x01\xd0\x04\xbf\x5b\x00\x30",
    b"\x02\x03\x12\x34\x58\x00\x55\x61",
    b"\x03\x20\x00\x55\x50\x01\x02\xac",
    b"\x06\x03\x00\x55\x50\x00\x55\x61\x01\x02\x9b\x00\x55\x50\x00\x55\x7d",
]


def one_input(data: bytes) -> None:
    if len(data) <= 2:
        return
    echo, size = bool(data[0] & 1), data[1] + 1
    line: TelegramBus | LinBus | LinSlave
    bus = DataBus()
    if data[0] & 4:
        keys = {"protocol": "lin", "port": "pty", "master": False, "echo": echo, "frames": _FRAMES}
        line = LinSlave("lin", LinLine.model_validate(keys), TICK, ("lines", "lin"), bus)
    elif data[0] & 2:
        schedule = [{"frame": name, "time": 25} for name in _FRAMES]
        keys = {"protocol": "lin", "port": "pty", "echo": echo, "frames": _FRAMES, "schedule": schedule}
        line = LinBus("lin", LinLine.model_validate(keys), TICK, ("lines", "lin"), bus)
    else:
        keys = {"protocol": "telegrams", "port": "pty", "echo": echo, "telegrams": _TELEGRAMS}
        line = TelegramBus("kbus", TelegramLine.model_validate(keys), TICK, ("lines", "kbus"), bus)
    line.feed(b"", 0, "unplugged")
    for tick, start in enumerate(range(2, len(data), size)):
        line.feed(data[start : start + size], tick * TICK)
        line.publish(tick * TICK, None)
