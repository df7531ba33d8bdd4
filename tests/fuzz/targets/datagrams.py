"""Datagrams of games, in every layout and use: samples, or counted as what they are not."""

from hilbridge.base.common.datagrams import pack
from hilbridge.base.resources import Kind, names
from hilbridge.bench.inputs.udp import UdpSource
from hilbridge.files.configuration.layouts import load_layout
from hilbridge.files.settings import UdpInput

_LAYOUTS = {name: load_layout(name).settings for name in names(Kind.LAYOUT)}
_SOURCES = [
    UdpSource(UdpInput.model_validate({"source": "udp", "port": 1, "layout": name, "use": use}), layout)
    for name, layout in _LAYOUTS.items()
    for use in ("driver", "vehicle")
    if getattr(layout, use)
]
SEEDS = [
    *(bytes([number]) + bytes(size) for number in range(len(_SOURCES)) for size in (64, 92, 96, 232, 256, 264, 311)),
    b'\x03{"game": {"paused": false}, "truck": {"speed": 71.2, "displayedGear": 9, "blinkerLeftActive": true}}',
    b"\x0aspeed=71.2 rpm=1500 gear=N throttle=30 ignition=1",
]


def one_input(data: bytes) -> None:
    if data:
        source = _SOURCES[data[0] % len(_SOURCES)]
        before = source.accepted + source.rejected
        source.feed(pack([data[1:]]), 0)
        assert source.accepted + source.rejected == before + 1
        source.feed(data[1:], 1)
