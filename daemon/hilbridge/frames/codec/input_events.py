"""The events of an input device of Linux: their names, and the records in which a bench takes them in.

    ABS_X, ABS_RZ ...            an axis
    BTN_TRIGGER, KEY_ENTER ...   a button, a key: 1 while pressed
    ABS_HAT0X-, ABS_HAT0X+       one direction of a hat, as a button
    KEY_0x2f0, ABS_0x28          by number, where there is no name

A record is kind (16 bit), code (16), value (32, signed), little-endian: a struct input_event without its time, which is
that of the tick. Names and numbers are those of linux/input-event-codes.h.
"""

import struct
from typing import Final, NamedTuple

from hilbridge.files.settings.input_signals import fields_of
from hilbridge.files.settings.inputs import EvdevInput

RECORD: Final = struct.Struct("<HHi")

SYN: Final = 0x00
KEY: Final = 0x01
ABS: Final = 0x03
"""Kinds of events."""

SYN_REPORT: Final = 0
SYN_DROPPED: Final = 3
"""Codes of SYN: a sample is complete; the kernel's queue has overflowed."""

MINIMUM: Final = 0x100
MAXIMUM: Final = 0x101
OPENING: Final = 0x102
"""Kinds that no kernel sends, each with the code of an axis: the ends of its range, and its value at opening."""

AXES: Final = 0x40
KEYS: Final = 0x300
"""The numbers of codes of each kind."""


class EventCode(NamedTuple):
    """The meaning of a name; `direction` of a hat: -1 or +1, else 0."""

    kind: int
    code: int
    direction: int = 0

    @property
    def is_hat(self) -> bool:
        """Whether it is a hat, which has three positions and no travel."""
        return self.kind == ABS and _FIRST_HAT <= self.code <= _LAST_HAT


_FIRST_HAT: Final = 0x10
_LAST_HAT: Final = 0x17

_NAMES: Final = {
    (ABS, "ABS_"): {
        0x00: "X Y Z RX RY RZ THROTTLE RUDDER WHEEL GAS BRAKE",
        _FIRST_HAT: "HAT0X HAT0Y HAT1X HAT1Y HAT2X HAT2Y HAT3X HAT3Y PRESSURE DISTANCE TILT_X TILT_Y TOOL_WIDTH",
        0x20: "VOLUME PROFILE",
        0x28: "MISC",
    },
    (KEY, "KEY_"): {
        1: "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL"
        " A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT SLASH RIGHTSHIFT"
        " KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4"
        " KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
        86: "102ND F11 F12",
        96: "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT"
        " DELETE MACRO MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE",
        183: "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24",
    },
    (KEY, "BTN_"): {
        0x100: "0 1 2 3 4 5 6 7 8 9",
        0x110: "LEFT RIGHT MIDDLE SIDE EXTRA FORWARD BACK TASK",
        0x120: "TRIGGER THUMB THUMB2 TOP TOP2 PINKIE BASE BASE2 BASE3 BASE4 BASE5 BASE6",
        0x12F: "DEAD",
        0x130: "SOUTH EAST C NORTH WEST Z TL TR TL2 TR2 SELECT START MODE THUMBL THUMBR",
        0x150: "GEAR_DOWN GEAR_UP",
        0x220: "DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT",
        0x2C0: " ".join(f"TRIGGER_HAPPY{number}" for number in range(1, 41)),
    },
}
_BY_CODE: Final = {
    (kind, first + number): prefix + name
    for (kind, prefix), runs in _NAMES.items()
    for first, names in runs.items()
    for number, name in enumerate(names.split())
}
_BY_NAME: Final = {name: code for code, name in _BY_CODE.items()} | {
    "BTN_A": (KEY, 0x130),
    "BTN_B": (KEY, 0x131),
    "BTN_X": (KEY, 0x133),
    "BTN_Y": (KEY, 0x134),
}
_BY_NUMBER: Final = {"ABS_0x": (ABS, AXES), "KEY_0x": (KEY, KEYS), "BTN_0x": (KEY, KEYS)}

NAMES: Final = tuple(_BY_NAME)
"""All names, for messages."""


def find_event(name: str) -> EventCode | None:
    """Return what a name stands for, None if it is none."""
    direction = {"-": -1, "+": 1}.get(name[-1:], 0)
    place = _BY_NAME.get(name[:-1] if direction else name) or _by_number(name)
    if place is None:
        return None
    event = EventCode(*place, direction)
    return None if direction and not event.is_hat else event


def _by_number(name: str) -> tuple[int, int] | None:
    kind, codes = _BY_NUMBER.get(name[:6], (0, 0))
    digits = name[6:]
    if not digits.isalnum() or len(digits) > len("2ff"):
        return None
    try:
        code = int(digits, 16)
    except ValueError:
        return None
    return (kind, code) if code < codes else None


def event_name(kind: int, code: int) -> str:
    """Return the name of an axis or a button."""
    return _BY_CODE.get((kind, code)) or f"{'ABS' if kind == ABS else 'BTN'}_{code:#x}"


def event_codes(settings: EvdevInput) -> set[tuple[int, int]]:
    """Return the kinds and codes of the axes and buttons that an input wants; its source has checked the names."""
    fields = (field for name, signal in settings.signals.items() for field in fields_of(name, signal))
    return {event[:2] for field in fields if (event := find_event(field)) is not None}
