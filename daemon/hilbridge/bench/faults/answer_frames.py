"""The effects of faults of diagnostics on the frames of an answer, one function for each effect.

A function takes a frame of the answer and returns what is sent in its place: nothing, another frame, several of them.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from hilbridge.base.common.frame_lengths import CLASSIC_LENGTH
from hilbridge.bench.diagnostics.isotp.parameters import PADDING
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault, Effect
from hilbridge.frames.codec.frame import FD, Frame


class Place(NamedTuple):
    """The place of a frame in its answer.

    `number`: 0 for a single or first frame, then the number of the consecutive frame. `last`: no frame follows. Of its
    data, `head` is the place of the byte that says what kind of frame it is, `end` that behind the answer's last byte.
    """

    number: int
    head: int
    end: int
    last: bool


class Shape(NamedTuple):
    """The shape of an answer, known when its `first` frame is sent.

    `place`: of that frame. `number`: of all its frames. `padded`: the last one is not full.
    """

    first: Frame
    place: Place
    number: int
    padded: bool


Change: TypeAlias = Callable[[Frame, Place, DiagnosticsFault], list[Frame]]


def _lost(frame: Frame, place: Place, settings: DiagnosticsFault) -> list[Frame]:
    return [] if place.number == settings.get("frame") else [frame]


def _doubled(frame: Frame, place: Place, settings: DiagnosticsFault) -> list[Frame]:
    return [frame, frame] if place.number == settings.get("frame") else [frame]


def _wrong_sequence(frame: Frame, place: Place, settings: DiagnosticsFault) -> list[Frame]:
    if place.number != settings.get("frame"):
        return [frame]
    return [_with(frame, place.head, 0x20 | (place.number + 1) & 0x0F)]


def _second_unit(frame: Frame, place: Place, _settings: DiagnosticsFault) -> list[Frame]:
    last = frame.data[place.end - 1 : place.end]
    return [_with(frame, place.end - 1, last[0] ^ 0xFF) if last else frame, frame]


def _wrong_padding(frame: Frame, place: Place, settings: DiagnosticsFault) -> list[Frame]:
    fill = bytes((settings.get("value"),))
    return [frame._replace(data=frame.data[: place.end].ljust(len(frame.data), fill))]


def _wrong_dlc(frame: Frame, _place: Place, settings: DiagnosticsFault) -> list[Frame]:
    wanted: int = settings.get("length")
    length = wanted if frame.flags & FD else min(wanted, CLASSIC_LENGTH)
    return [frame._replace(data=frame.data[:length].ljust(length, bytes((PADDING,))))]


def _wrong_length(frame: Frame, place: Place, settings: DiagnosticsFault) -> list[Frame]:
    return [frame if place.number else _announcing(frame, place.head, settings.get("amount"))]


CHANGES: Final[Mapping[Effect, Change]] = {
    "lost-frame": _lost,
    "doubled-frame": _doubled,
    "wrong-sequence": _wrong_sequence,
    "second-unit": _second_unit,
    "wrong-padding": _wrong_padding,
    "wrong-dlc": _wrong_dlc,
    "wrong-length": _wrong_length,
}


def takes_effect(settings: DiagnosticsFault, shape: Shape) -> bool:
    """Return whether an effect changes anything of an answer: whether that has the frame, padding or length for it."""
    match settings.effect:
        case "reset" | "lost-frame" | "doubled-frame" | "wrong-sequence":
            return bool(settings.get("frame") < shape.number)
        case "swapped-frames":
            return bool(settings.get("frame") + 1 < shape.number)
        case "wrong-pace":
            return shape.number > 1
        case "wrong-padding" if shape.number > 1:
            return shape.padded
        case "wrong-padding" | "wrong-dlc" | "wrong-length":
            return CHANGES[settings.effect](shape.first, shape.place, settings) != [shape.first]
        case _:
            return True


def _with(frame: Frame, position: int, byte: int) -> Frame:
    """Return the frame with another byte, as far as it reaches."""
    data = bytearray(frame.data)
    if position < len(data):
        data[position] = byte
    return frame._replace(data=bytes(data))


def _announcing(frame: Frame, head: int, amount: int) -> Frame:
    """Return a single or first frame that announces another length, in the bits that it has for that.

    A first frame keeps to lengths that need one: from 8 on, below it would say that four more bytes hold the length.
    """
    data = frame.data
    if len(data) < head + 2:
        return frame
    kind, low = data[head] >> 4, data[head] & 0x0F
    if kind == 0 and low:
        return _with(frame, head, (low + amount) & 0x0F)
    if kind == 0:
        return _with(frame, head + 1, (data[head + 1] + amount) & 0xFF)
    size, mask = (4, 0xFFFF_FFFF) if not low and not data[head + 1] else (2, 0x0FFF)
    begin = head + 2 if size == 4 else head
    length = int.from_bytes(data[begin : begin + size], "big")
    told = max(max((length & mask) + amount, CLASSIC_LENGTH) & mask, CLASSIC_LENGTH)
    changed = (length & ~mask | told).to_bytes(size, "big")
    return frame._replace(data=data[:begin] + changed + data[begin + size :])
