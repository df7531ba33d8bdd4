"""Draws the wiring of a receiver from its profile: what is on this side, which pin it goes to, what to know about it.

    hilbridge                         receiver
    CAN high  ------------------  black 9    CAN high, 500 kbit/s ...

A pin without an end on this side, such as a lamp that nothing moves, is drawn without a wire.
"""

from collections.abc import Iterator
from html import escape
from typing import Any, Final, NamedTuple

from hilbridge.files.settings.profiles import ProfileSettings

ROW: Final = 26
_TOP: Final = 64
_LEFT: Final = 290
_PIN: Final = 440
_PIN_WIDTH: Final = 210
_FONT: Final = 'font-family="sans-serif" font-size="13"'
_CHARACTER: Final = 7
"""[px] of a character of 13 px, at most."""


class Wire(NamedTuple):
    """One wire: its end here, empty for none; the pin; and what to know about it."""

    end: str
    pin: str
    text: str


def wires_of(settings: ProfileSettings) -> list[Wire]:
    """Return the wires of a profile in its order, each end here with its kind: `wires.Speed: frequency at pin 5`."""
    return [
        Wire("" if wire.to is None else _end(settings, wire.to), str(pin), wire.text)
        for pin, wire in settings.wiring.items()
    ]


def _end(settings: ProfileSettings, to: str) -> str:
    if to in settings.lines:
        line = settings.lines[to]
        return f"{to}: {line.get('protocol')} at {line.get('baudrate', 9600)} bit/s"
    board, _, name = to.partition(".")
    channel: Any = settings.boards.get(board, {}).get("channels", {}).get(name)
    return to if channel is None else f"{to}: {channel.get('kind')} at pin {channel.get('pin')}"


def picture(title: str, settings: ProfileSettings) -> str:
    """Return the wiring as an SVG picture, which any browser shows and prints."""
    wires = wires_of(settings)
    width = _PIN + _PIN_WIDTH + 20 + _CHARACTER * max((len(wire.text) for wire in wires), default=0)
    height = _TOP + ROW * len(wires) + 20
    box = f'x="{_PIN}" y="{_TOP - 8}" width="{_PIN_WIDTH}" height="{ROW * len(wires) + 8}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {_FONT}>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="10" y="24" font-size="16">{escape(title)}</text>',
        '<text x="10" y="48" font-weight="bold">hilbridge</text>',
        f'<text x="{_PIN + 8}" y="48" font-weight="bold">receiver</text>',
        f'<rect {box} fill="none" stroke="black"/>',
    )
    drawn = (line for number, wire in enumerate(wires) for line in _drawn(number, wire))
    return "\n".join([*head, *drawn, "</svg>", ""])


def _drawn(number: int, wire: Wire) -> Iterator[str]:
    y = _TOP + ROW * number + 14
    if wire.end:
        yield f'<text x="10" y="{y}">{escape(wire.end)}</text>'
        yield f'<path d="M {_LEFT} {y - 4} H {_PIN}" stroke="{_colour(wire.end)}" stroke-width="2"/>'
    yield f'<text x="{_PIN + 8}" y="{y}">{escape(wire.pin)}</text>'
    yield f'<text x="{_PIN + _PIN_WIDTH + 10}" y="{y}">{escape(wire.text)}</text>'


def _colour(end: str) -> str:
    return {"12 V": "red", "ground": "black", "CAN high": "darkorange", "CAN low": "green"}.get(end, "blue")
