"""Events of an input device, any bytes and any order: samples, or counted as what they are not."""

from hilbridge.bench.inputs.events import EventSource
from hilbridge.files.settings import EvdevInput

_SIGNALS = {
    "Steer": {"field": "ABS_X", "curve": [[0, 0], [0.1, 0], [1, 1]]},
    "Throttle": {"field": "ABS_Z", "minimum": 255, "maximum": 0, "smoothing": 10},
    "Brake": {"tracks": [{"field": field, "minimum": 0, "maximum": 99} for field in ("ABS_Y", "ABS_RZ")]},
    "ManualGear": {"buttons": {"BTN_TRIGGER": 1, "ABS_HAT0X-": "R"}},
    "body.DippedBeam": {"toggles": {"BTN_THUMB": "on"}},
}
_WHEEL = EventSource(EvdevInput.model_validate({"source": "evdev", "device": "wheel", "signals": _SIGNALS}))
SEEDS = [
    b"\x08\x03\x00\x02\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
    b"\x10\x00\x01\x00\x00\x00\x00\x00\x00\x01\x01\x00\x00\xff\x00\x00\x00",
    b"\x28\x02\x01\x00\x00\x40\x00\x00\x00\x01\x00\x20\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
]


def one_input(data: bytes) -> None:
    if len(data) > 1:
        size = data[0] + 1
        _WHEEL.feed(b"", 0, "unplugged")
        _WHEEL.feed(b"", 0)
        for number, start in enumerate(range(1, len(data), size)):
            _WHEEL.feed(data[start : start + size], number)
            _WHEEL.expire(number)
        assert -10000 <= _WHEEL.values[0] <= 10000
        assert all(0 <= value <= 10000 for value in _WHEEL.values[1:3])
