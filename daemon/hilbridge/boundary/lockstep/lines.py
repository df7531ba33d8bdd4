"""The lines between a bench and a lockstep client, without any I/O. All times are [ns] since the start of the run.

bench    lockstep 1 NAME BUS INTERVAL    once: version of the protocol, and from one turn to the next; of a client with
                                         pins, on its first bus, and how many lines of pins follow
bench    read NAME NUMBER                what the client reads at a pin from now on
bench    drive NAME NUMBER               before the first turn: a pin that it drives
bench    T FRAME                         a frame that was on the bus at T, in SLCAN (boundary/links/slcan.py)
bench    done T                          it is T now, and the client's turn
client   FRAME                           a frame that goes onto the bus at T
client   drive NAME NUMBER               what it drives there from now on
client   done, or done T                 the turn is over; with its time, which the bench compares with its own
bench    end                             the run is over
"""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.base.common.errors import quoted
from hilbridge.boundary.links.slcan import LONGEST_LINE, format_frame, parse_frame
from hilbridge.frames.codec.frame import Frame

VERSION: Final = 1
END: Final = b"end\n"
MOST_FRAMES: Final = 4096
"""Frames of one turn; a full bus of 1 Mbit/s has nine in a millisecond."""

_DONE: Final = b"done"
_TIMED: Final = b"done "
_DRIVE: Final = b"drive "
_SHOWN: Final = 60
_WORDS_OF_PIN: Final = 3


class LineError(ValueError):
    """A line of a client is against the protocol; the message follows its name."""


def greeting(name: str, bus: str, interval: int, pins: Sequence[bytes] = ()) -> bytes:
    """Return the first line; with it those of the pins."""
    count = f" {len(pins)}" if pins else ""
    return f"lockstep {VERSION} {name} {bus} {interval}{count}\n".encode() + b"".join(pins)


def pin(word: str, name: str, number: int) -> bytes:
    """Return the line of a pin."""
    return f"{word} {name} {number}\n".encode()


def heard(t: int, frame: Frame) -> bytes:
    """Return the line of a frame that was on the bus; empty for an error frame, which SLCAN cannot express."""
    line = format_frame(frame)
    return b"%d %b\n" % (t, line[:-1]) if line else b""


def turn(t: int) -> bytes:
    """Return the line that gives the client its turn."""
    return b"done %d\n" % t


class TurnReader:
    """A reader of the lines of a client, in pieces of any size; what comes beyond `done` belongs to its next turn.

    `turn`: the line that has given it the turn at hand, without its end; `drive` takes a pin and its number.
    """

    def __init__(self, drive: Callable[[str, int], None] | None = None) -> None:
        self.turn = _DONE
        self._drive: Final = drive
        self._rest = b""
        self._frames: list[Frame] = []

    def feed(self, data: bytes) -> list[Frame] | None:
        """Take the next bytes; return the frames of the turn if it is over, else None. LineError: they are wrong."""
        *lines, rest = (self._rest + data).split(b"\n")
        for number, line in enumerate(lines, start=1):
            text = line.removesuffix(b"\r")
            if text in (_DONE, self.turn):
                frames, self._frames = self._frames, []
                self._rest = b"\n".join([*lines[number:], rest])
                return frames
            self._take(text)
        self._rest = rest
        if len(rest) > LONGEST_LINE + 1:
            raise LineError(f"has sent a line that is too long: {_shown(rest)}")
        return None

    def _take(self, text: bytes) -> None:
        frame = parse_frame(text)
        if frame is None:
            if self._drive is not None and text.startswith(_DRIVE) and _take_pin(text, self._drive):
                return
            if self.turn != _DONE and text[: len(_TIMED)] == _TIMED and text[len(_TIMED) :].isdigit():
                when = "past" if int(text[len(_TIMED) :][:20]) < int(self.turn[len(_TIMED) :]) else "future"
                raise LineError(f"has answered for the {when}: {_shown(text)} in the turn {_shown(self.turn)}")
            raise LineError(f"has sent {_shown(text)}, which is neither a frame nor 'done'")
        if len(self._frames) == MOST_FRAMES:
            raise LineError(f"has sent more than {MOST_FRAMES} frames in one turn")
        self._frames.append(frame)


def _take_pin(text: bytes, drive: Callable[[str, int], None]) -> bool:
    """Return whether a line is one of a pin. LineError: there is none like it."""
    words = text.split(b" ")
    if len(words) != _WORDS_OF_PIN or not words[2].isdigit() or not words[1].isascii():
        return False
    drive(words[1].decode(), int(words[2][:20]))
    return True


def _shown(text: bytes) -> str:
    return quoted(text.decode(errors="replace"), _SHOWN)
