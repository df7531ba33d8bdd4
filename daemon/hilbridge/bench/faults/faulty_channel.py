"""An ISO-TP connection of a control unit while faults act on it: its frames pass here on their way to the bus."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.bench.diagnostics.isotp.frames import (
    CONTINUE,
    OVERFLOW,
    WAIT,
    FirstFrame,
    FlowControl,
    SingleFrame,
    decode,
)
from hilbridge.bench.diagnostics.refusal import NEGATIVE, RESPONSE_PENDING
from hilbridge.bench.faults.answer_frames import CHANGES, Place, Shape
from hilbridge.bench.faults.unit_effect import UnitEffect
from hilbridge.frames.codec.frame import EXTENDED, STANDARD_MASK, Frame

if TYPE_CHECKING:
    from hilbridge.bench.faults.faulty_unit import FaultyUnit

_CONSECUTIVE: Final = 2
_FLOW_CONTROL: Final = 3


@dataclass(slots=True)
class _Waiting:
    """A flow control that is kept back; "wait" is sent `left` times before it, None: without end."""

    effect: UnitEffect
    frame: Frame
    left: int | None
    due: int  # [ns] when something is sent next


class FaultyChannel:
    """The frames of one connection. `begun` [ns]: when its last answer began."""

    def __init__(self, unit: "FaultyUnit", connection: IsoTpConnection) -> None:
        self.begun = -1
        self._unit: Final = unit
        self._connection: Final = connection
        self._bus: Final = connection.transmit
        self._head: Final = len(connection.address.response_prefix)
        self._hitting: list[UnitEffect] = []  # the answer that is being sent
        self._number = 0  # of its frame
        self._left = 0  # [bytes] of it that are still to come
        self._swapped: list[Frame] = []
        self._waiting: _Waiting | None = None
        connection.divert(self._transmit, self._take_flow_control)

    def leave(self) -> None:
        """Give the connection back to its bus."""
        self._release()
        self._connection.straighten()

    def remove(self, effect: UnitEffect) -> None:
        """End an effect: what it keeps back is sent."""
        self._hitting = [one for one in self._hitting if one is not effect]
        if effect.settings.effect == "swapped-frames":
            self._release()
        if self._waiting is not None and self._waiting.effect is effect:
            self._waiting.left, self._waiting.due = 0, 0
            self.poll(self._unit.now)

    def is_busy_with(self, effect: UnitEffect) -> bool:
        """Return whether the answer that is being sent is hit by an effect, or a request is kept waiting by it."""
        sent = self._connection.sending and effect in self._hitting
        return sent or (self._waiting is not None and self._waiting.effect is effect)

    def reset(self) -> None:
        """Forget the messages in progress."""
        self._hitting, self._swapped, self._waiting = [], [], None
        self._connection.reset()

    def say(self, message: bytes) -> None:
        """Send a single frame."""
        self._bus(self._connection.encoder.single(message))

    def poll(self, t: int) -> None:
        """Send flow control that is due."""
        waiting = self._waiting
        if waiting is None:
            return
        if not self._connection.receiver.receiving:
            self._waiting = None
            return
        self._connection.receiver.wait_longer(t)
        if t < waiting.due:
            return
        if waiting.left == 0:
            self._waiting = None
            self._bus(waiting.frame)
            return
        if waiting.left is not None:
            waiting.left -= 1
        waiting.due = t + waiting.effect.time("interval")
        self._bus(self._with_status(waiting.frame, WAIT))

    # -- in the place of the bus --------------------------------------------------------------------------------

    def _transmit(self, frame: Frame) -> None:
        """Take a frame of the connection."""
        if self._unit.is_deaf:
            return
        if frame.data[self._head] >> 4 == _FLOW_CONTROL:
            self._send_flow_control(frame)
            return
        place = self._place(frame)
        frames = [frame]
        for one in tuple(self._hitting):
            settings = one.settings
            if settings.effect == "reset" and place.number == settings.get("frame"):
                self._unit.crash(one)
                return
            if settings.effect == "swapped-frames":
                frames = self._swap(frames, place, settings.get("frame"))
            elif settings.effect in CHANGES:
                change = CHANGES[settings.effect]
                frames = [each for present in frames for each in change(present, place, settings)]
        for each in frames:
            self._bus(each)

    def _place(self, frame: Frame) -> Place:
        """Return the place of a frame in its answer; the first one decides what hits the answer."""
        data, head = frame.data, self._head
        match decode(data, head):
            case SingleFrame() as single:
                end = head + (1 if data[head] else 2) + len(single.data)
                self._left = 0
                self._begin(single.data, Shape(frame, Place(0, head, end, True), 1, end < len(data)))
            case FirstFrame() as first:
                end = len(data)
                self._left = first.length - len(first.data)
                full, rest = divmod(self._left, len(data) - head - 1)
                self._begin(first.data, Shape(frame, Place(0, head, end, False), 1 + full + (rest > 0), rest > 0))
            case _:
                self._number += 1
                end = min(head + 1 + self._left, len(data))
                self._left -= end - head - 1
        return Place(self._number, head, end, self._left <= 0)

    def _begin(self, answer: bytes, shape: Shape) -> None:
        """Begin an answer, from its first bytes and the shape of its frames."""
        self._release()
        self.begun = self._unit.now
        self._number = 0
        pending = answer[0] == NEGATIVE and answer[-1] == RESPONSE_PENDING
        self._hitting = [] if pending else self._unit.hitting("answer", answer, shape)

    def _swap(self, frames: list[Frame], place: Place, number: int) -> list[Frame]:
        """Keep the frames of a number back until those of the next one have been sent."""
        if place.number == number and not place.last:
            self._swapped = frames
            return []
        if place.number == number + 1:
            frames, self._swapped = frames + self._swapped, []
        return frames

    def _release(self) -> None:
        kept, self._swapped = self._swapped, []
        for frame in kept:
            self._bus(frame)

    # -- flow control -------------------------------------------------------------------------------------------

    def _send_flow_control(self, frame: Frame) -> None:
        """Take flow control that the unit sends: the first fault that hits it decides what becomes of it."""
        hitting = self._unit.hitting("reception", self._connection.receiver.received)
        if not hitting or frame.data[self._head] & 0x0F != CONTINUE:
            self._bus(frame)
            return
        effect = hitting[0]
        match effect.settings.effect:
            case "overflow":
                self._connection.receiver.reset()
                self._bus(self._with_status(frame, OVERFLOW))
            case "foreign-flow-control":
                can_id = effect.settings.get("can_id")
                self._bus(frame._replace(can_id=can_id | (EXTENDED if can_id > STANDARD_MASK else 0)))
            case "wait":
                self._waiting = _Waiting(effect, frame, effect.settings.get("count"), self._unit.now)
                self.poll(self._unit.now)
            case _:  # no-flow-control
                pass

    def _with_status(self, frame: Frame, status: int) -> Frame:
        data = bytearray(frame.data)
        data[self._head] = _FLOW_CONTROL << 4 | status
        return frame._replace(data=bytes(data))

    def _take_flow_control(self, control: FlowControl, t: int) -> None:
        """Take flow control of the tester, which the unit may misunderstand."""
        for one in self._hitting:
            if one.settings.effect == "wrong-pace":
                size, pause = one.settings.block_size, one.settings.st_min
                control = control._replace(
                    block_size=control.block_size if size is None else size,
                    separation=control.separation if pause is None else round(pause * MILLISECOND),
                )
        self._connection.sender.flow_control(control, t)
