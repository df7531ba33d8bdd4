"""The log is played against its own clone: each request again, in its order, its answer beside that of the log.

The bench ticks on a virtual clock of its own, with the engine at idle. A pause shorter than the session time S3 (ISO
14229-2) is shortened, for what a unit answers does not hang on it; a longer one ends the sessions as it did in the car.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.desk.clone.clone import Cloned
from hilbridge.desk.clone.exchange import PENDING, Exchange
from hilbridge.desk.clone.finding import Record
from hilbridge.desk.clone.known_pids import is_live
from hilbridge.desk.clone.pairing import NEGATIVE
from hilbridge.desk.clone.unit import ClonedUnit
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.start import StartSettings

MOST: Final = 20_000
"""Requests of a unit that are played."""

_READ: Final = 0x22
SECRET: Final = (0x27, 0x29, 0x84)
"""Services that carry seeds and keys."""
_LOCKED: Final = (0x33, 0x34)
_CODES: Final = (0x02, 0x03, 0x07, 0x0A, 0x14, 0x19, 0x04)
_UNKNOWN: Final = (0x11, 0x12, 0x31)
_CURRENT: Final = 0x01

_S3: Final = 5 * SECOND
_LONG: Final = 6 * SECOND
_SHORT: Final = 10 * MILLISECOND
_SILENCE: Final = 50 * MILLISECOND
"""[ns] after which no answer is expected any more where the log has none."""
_LATEST: Final = 2 * SECOND


class Played(NamedTuple):
    """A request of the log with the answer of the clone; None: it was silent."""

    exchange: Exchange
    answer: bytes | None

    @property
    def is_equal(self) -> bool:
        return self.answer == self.exchange.answer

    @property
    def is_refused(self) -> bool:
        """Whether the clone has no such service or identifier (11, 12, 31)."""
        return self.answer is not None and self.answer[0] == NEGATIVE and self.answer[2] in _UNKNOWN


class _Heard:
    """The end of a connection that keeps the answers of a control unit, but for "response pending"."""

    sending: Final = False
    busy: Final = False

    def __init__(self) -> None:
        self.answers: Final[list[bytes]] = []

    def send(self, message: bytes, _t: int) -> bool:
        if not (len(message) == 3 and message[0] == NEGATIVE and message[2] == PENDING):
            self.answers.append(message)
        return True

    def poll(self, _t: int) -> None:
        return

    def reset(self) -> None:
        return


class _Stand:
    """A bench in ticks."""

    def __init__(self, bench: Bench) -> None:
        self._bench: Final = bench
        self.period: Final = bench.settings.period
        self.t = -self.period

    def tick(self) -> None:
        self.t += self.period
        self._bench.sample(self.t)
        self._bench.step()
        self._bench.serve(self.t)
        self._bench.publish(self.t)

    def run(self, duration: int) -> None:
        for _ in range(max(1, duration // self.period)):
            self.tick()


def play(cloned: Cloned, text: str) -> dict[str, list[Played]]:
    """Return each request that is played, by control unit; `text` is that of the bench file."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "clone.yaml")
        file.write_text(text, encoding="utf-8")
        bench = Bench(load_bench(str(file)))
    stand, reached = _Stand(bench), bench.wiring.control_units.by_messages
    stand.tick()
    bench.begin(StartSettings(), stand.t, None)
    stand.run(SECOND)
    heard = {unit.name: _Heard() for unit in cloned.units}
    ways: dict[str, Any] = {name: reached[name].join(one) for name, one in heard.items()}
    found: dict[str, list[Played]] = {unit.name: [] for unit in cloned.units}
    last: tuple[str, int] | None = None
    for name, exchange in _in_order(cloned):
        if last is not None:
            pause = exchange.t - last[1]
            stand.run(min(pause, _SHORT) if exchange.log == last[0] and 0 <= pause < _S3 else _LONG)
        last = exchange.log, exchange.t
        answers = heard[name].answers
        answers.clear()
        reached[name].request(ways[name], exchange.request, exchange.functional, stand.t)
        wait = _SILENCE if exchange.answer is None else max(_LATEST, 2 * (exchange.delay or 0))
        for _ in range(wait // stand.period):
            stand.tick()
            if answers:
                break
        found[name].append(Played(exchange, answers[0] if answers else None))
    return found


def _in_order(cloned: Cloned) -> Iterator[tuple[str, Exchange]]:
    """Yield the requests of all units in the order in which they came, log after log."""
    order = {path.name: number for number, (path, _) in enumerate(cloned.logs)}
    asked = [(unit.name, one) for unit in cloned.units for one in unit.exchanges[:MOST]]
    yield from sorted(asked, key=lambda each: (order[each[1].log], each[1].t))


def reason(unit: ClonedUnit, played: Played) -> str:
    """Return why the clone answers otherwise, if that is known; empty: it is not."""
    request, answer = played.exchange.request, played.exchange.answer
    record = _record(unit, request)
    if request[0] in SECRET:
        return "secrets are not cloned"
    if played.exchange.refusal in _LOCKED:
        return "it is behind security access, and not cloned"
    if request[0] in _CODES:
        return "codes are set by command, scenario or monitors"
    if record is not None and record.changes:
        return "it changes in the log: give it an origin"
    if request[0] == _CURRENT and len(request) > 1 and all(is_live(unit.obd.role, pid) for pid in request[1:]):
        return "it follows the vehicle"
    return "nothing of it was cloned" if answer is not None and played.is_refused else ""


def _record(unit: ClonedUnit, request: bytes) -> Record | None:
    """Return what is known of the identifier or PID that a request reads, if it reads one alone."""
    if request[0] == _READ and len(request) == 3:
        return unit.uds.identifiers.get(int.from_bytes(request[1:]))
    return unit.obd.pids.get(request[1]) if request[0] == _CURRENT and len(request) == 2 else None


def mark(unit: ClonedUnit, played: list[Played]) -> None:
    """Take "sure" from what the clone has answered otherwise."""
    for one in played:
        if one.is_equal:
            continue
        request = one.exchange.request
        unit.uds.others.refuted.add(request)
        if (record := _record(unit, request)) is not None:
            record.refuted = True
