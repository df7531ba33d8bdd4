"""A control unit as its tester meets it while faults of diagnostics act on it.

    bus -> connection -> IsoTpServer -> FaultyUnit -> control unit       a request, which may never arrive
    bus <- FaultyChannel <- connection <- IsoTpServer <- FaultyUnit      its answer, late, and frame by frame

It is in their places from the first fault on, until the last one is over and all that was held back is sent. Without
a fault nothing is there, and nothing is asked of it.
"""

from dataclasses import dataclass, field
from typing import Final

from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.isotp.server import IsoTpServer
from hilbridge.bench.diagnostics.refusal import NEGATIVE, RESPONSE_PENDING, negative
from hilbridge.bench.faults.answer_frames import Shape
from hilbridge.bench.faults.faulty_channel import FaultyChannel
from hilbridge.bench.faults.unit_effect import UnitEffect

MOST_HELD: Final = 64
"""Answers held back at a time; further ones are dropped and counted."""


@dataclass(slots=True)
class _Storm:
    """Answers "response pending" that are still to come, one each `interval` [ns]; `left`: None without end."""

    left: int | None
    interval: int


@dataclass(slots=True)
class _Held:
    """An answer that is held back until `due` [ns], and then until the storms before it are over."""

    due: int
    answer: bytes
    causes: list[UnitEffect]
    storms: list[_Storm] = field(default_factory=list)

    def next(self) -> bytes:
        """Return what is due: the answer itself once there are no `storms`."""
        if not self.storms:
            return self.answer
        storm = self.storms[0]
        self.due += storm.interval
        if storm.left is not None:
            storm.left -= 1
            if storm.left == 0:
                del self.storms[0]
        service = self.answer[1] if self.answer[0] == NEGATIVE else self.answer[0] & ~0x40
        return negative(service, RESPONSE_PENDING)


class FaultyUnit:
    """A control unit with faults, at one server: an application in the place of the unit."""

    def __init__(self, unit: Ecu, server: IsoTpServer) -> None:
        self.now = 0
        """The time [ns] of the last tick in which the unit had power."""

        self._unit: Final = unit
        self._server: Final = server
        self._channels: list[FaultyChannel] = []
        self._effects: tuple[UnitEffect, ...] = ()
        self._held: Final[list[_Held]] = []
        self._later: list[UnitEffect] = []  # that hit the answer which the unit itself gives later
        self._deaf: tuple[int, UnitEffect] | None = None  # [ns] when it hears again
        self._session_ends: tuple[int, UnitEffect] | None = None  # [ns]
        self._babbles: dict[UnitEffect, int] = {}  # [ns] when next

    # -- faults begin and end -----------------------------------------------------------------------------------

    def add(self, effect: UnitEffect) -> None:
        """Let an effect act."""
        if not self._channels:
            self._channels = [FaultyChannel(self, one) for one in self._server.connections(self._unit)]
            self._server.substitute(self._unit, self, self.reset)
        self._effects = (*self._effects, effect)
        if effect.moment == "always":
            self._babbles[effect] = 0

    def remove(self, effect: UnitEffect) -> None:
        """End an effect: what it holds back goes out from the next tick on."""
        self._effects = tuple(one for one in self._effects if one is not effect)
        self._babbles.pop(effect, None)
        self._later = [one for one in self._later if one is not effect]
        for held in self._held:
            if effect in held.causes:
                held.due = 0
                held.storms.clear()
        for channel in self._channels:
            channel.remove(effect)
        if self._deaf is not None and self._deaf[1] is effect:
            self._deaf = None
        if self._session_ends is not None and self._session_ends[1] is effect:
            self._session_ends = None
        self._leave_if_over()

    def is_busy_with(self, effect: UnitEffect) -> bool:
        """Return whether something that the effect has caused still lasts."""
        lasting = [one[1] for one in (self._deaf, self._session_ends) if one is not None]
        return (
            effect in lasting
            or effect in self._later
            or any(effect in held.causes for held in self._held)
            or any(channel.is_busy_with(effect) for channel in self._channels)
        )

    def reset(self) -> None:
        """Forget what is held back: the unit has no power, or was reset."""
        self._held.clear()
        self._later = []
        self._deaf = self._session_ends = None
        for channel in self._channels:
            channel.reset()
        self._leave_if_over()

    def _leave_if_over(self) -> None:
        if self._channels and not self._effects and not self._held:
            for channel in self._channels:
                channel.leave()
            self._channels = []
            self._server.substitute(self, self._unit)

    # -- in the place of the unit -------------------------------------------------------------------------------

    @property
    def idle(self) -> bool:
        return False

    @property
    def answering(self) -> bool:
        return bool(self._held or self._later) or self._unit.answering

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        """Return the answer to a request, or None for no answer or a later one."""
        self.now = t
        if self._deaf is not None:
            return None
        hitting = self.hitting("request", payload)
        refusal = next((one for one in hitting if one.settings.effect == "refuse"), None)
        for one in hitting:
            if one.settings.effect == "lost-session":
                self._session_ends = t + one.time("delay"), one
        self._later = [one for one in hitting if one.settings.effect in ("late", "missing", "pending")]
        if refusal is not None:
            answer: bytes | None = negative(payload[0], refusal.settings.get("code"))
        else:
            answer = self._unit.request(payload, functional, t)
        if answer is None:
            if self._unit.idle:
                self._later = []
            return None
        return self._on_its_way(answer, t)

    def keep_alive(self, t: int) -> None:
        """Restart S3 of the unit at `t` [ns]: a request or an answer is under way."""
        self._unit.keep_alive(t)

    def poll(self, t: int) -> bytes | None:
        """Return an answer that is due; called once a tick."""
        self.now = t
        if self._held:
            self._unit.keep_alive(t)
        if self._deaf is not None and t >= self._deaf[0]:
            self._deaf = None
        if self._session_ends is not None and t >= self._session_ends[0]:
            self._session_ends = None
            self._unit.end_session()
        self._babble(t)
        for channel in self._channels:
            channel.poll(t)
        answer = self._unit.poll(t)
        if answer is None and self._unit.idle:
            self._later = []
        said = None if answer is None else self._on_its_way(answer, t)
        said = self._next(t) if said is None else said
        self._leave_if_over()
        return said

    # -- for the channels ---------------------------------------------------------------------------------------

    def hitting(self, moment: str, message: bytes, shape: Shape | None = None) -> list[UnitEffect]:
        """Return the effects that hit a message, or the beginning of one; of an answer its `shape` is known."""
        return [one for one in self._effects if one.moment == moment and one.hits(message, shape)]

    @property
    def is_deaf(self) -> bool:
        """Whether the unit is restarting: it hears and says nothing."""
        return self._deaf is not None

    def crash(self, effect: UnitEffect) -> None:
        """Reset the unit in the middle of its work."""
        self.reset()
        self._unit.restart()
        self._deaf = self.now + effect.time("delay"), effect

    # -- answers ------------------------------------------------------------------------------------------------

    def _on_its_way(self, answer: bytes, t: int) -> bytes | None:
        """Return an answer that no fault holds back; `_later` are those that hit it."""
        causes = self._later
        pending = answer[0] == NEGATIVE and answer[-1] == RESPONSE_PENDING
        if not pending:
            self._later = []
        if not causes:
            return answer
        held = _Held(t, answer, causes)
        for one in causes:
            settings = one.settings
            if settings.effect == "missing":
                return None
            if settings.effect == "late":
                share = one.selector.random.random() if settings.get("jitter") else 0.0
                held.due += one.time("delay") + round(one.time("jitter") * share)
            elif not pending:
                held.storms.append(_Storm(settings.get("count"), one.time("interval")))
        if len(self._held) < MOST_HELD:
            self._held.append(held)
        else:
            self._server.statistics.dropped += 1
        return self._next(t)

    def _next(self, t: int) -> bytes | None:
        held = min(self._held, key=lambda one: one.due, default=None)
        if held is None or held.due > t:
            return None
        if not held.storms:
            self._held.remove(held)
        return held.next()

    def _babble(self, t: int) -> None:
        for effect, due in self._babbles.items():
            if t >= due and self._channels:
                self._babbles[effect] = t + effect.time("interval")
                effect.selector.hits += 1
                channel = max(self._channels, key=lambda one: one.begun)
                channel.say(bytes.fromhex(effect.settings.get("data")))
