"""Messages that tools for heavy-duty OBD ask for early (SAE J1939-73), beside trouble_reports.py.

    DM24  64950  SPNs: those in the frames of the control unit, in freeze frames, with test results (4 bytes each)
    DM25  64951  expanded freeze frames: length, code, and the SPNs of DM24 for freeze frames, in their order
    DM27  64898  all codes that are pending, emission-related or not
    DM29  40448  how many codes are pending (emission-related, all), light the indicator, did so, are permanent
    DM30  41984  scaled test results, on DM7: test, SPN and FMI, SLOT, value, maximum, minimum (12 bytes each)
    DM31  41728  the lamps of each code: code (4 bytes), lamps (2 bytes)
    DM56  64711  model year and engine family: network.py

    DM24   a bit that is 0: 0 expanded freeze frame, 1 data stream, 2 scaled test results; 3 (rationality) is always 1
    DM7    test 247 of an SPN with FMI 31: all its tests; 246 of SPN 5846 with FMI 31: all tests; 250: one test
    DM30   FB00 with limits FFFF: not completed; a missing limit: FFFF

Layouts and the order of requests: public decoders and steps of etools' J1939-84 (DM5, DM24, VI, DM56, DM19, DM20, CI,
DM11, DM21, DM7/DM30, DM5, DM26, DM1, DM2, DM6, DM12, DM23, DM28, DM27, DM29, DM31, DM25). SLOTs: J1939DA as published
there.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.bench.diagnostics.dtc.monitors import Monitor, Monitors
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.dtc.trouble import Trouble
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import Lamps, StoreSource, code_of, message
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.transport.transport_frames import LONGEST

DM7: Final = 0xE300
DM24: Final = 0xFDB6
DM25: Final = 0xFDB7
DM27: Final = 0xFD82
DM29: Final = 0x9E00
DM30: Final = 0xA400
DM31: Final = 0xA300

ALL_OF_AN_SPN: Final = 247
ALL_TESTS: Final = 246
ONE_TEST: Final = 250
SPN_OF_ALL: Final = 5846
FMI_OF_ALL: Final = 31

_NOT_COMPLETED: Final = 0xFB00
_NO_LIMIT: Final = 0xFFFF
_HIGHEST: Final = 0xFAFF
_MOST: Final = 0xFA
_NOTHING: Final = b"\x00" * 5 + b"\xff" * 3

_STREAM: Final = 0b0010
_FRAME: Final = 0b0001
_TESTS: Final = 0b0100


_BROUGHT: Final = ("mapped", "by name", "constant")
"""Origins of signals that have a value of the bench."""


class Slot(NamedTuple):
    """Scaling of a number of 16 bits: value = raw · scale + offset."""

    number: int
    scale: float
    offset: float


SLOTS: Final[Mapping[int, Slot]] = {
    0x05: Slot(502, 0.0000305, 0.0),
    0x1E: Slot(502, 0.0000305, 0.0),
    0x16: Slot(68, 0.03125, -273.0),
    0x2F: Slot(496, 0.01, 0.0),
    0xAF: Slot(387, 0.01, -321.27),
}
"""By unit and scaling id of SAE J1979: the SLOT of its unit that holds its values; a test with another is left out."""


class FrozenSpn(NamedTuple):
    """An SPN of a freeze frame: `width` [byte], and its raw number from the data bytes of a PID."""

    spn: int
    width: int
    pid: int
    raw: Callable[[int], float]


FROZEN: Final[Sequence[FrozenSpn]] = (
    FrozenSpn(190, 2, 0x0C, lambda data: data * 2),
    FrozenSpn(84, 2, 0x0D, lambda data: data * 256),
    FrozenSpn(92, 1, 0x04, lambda data: data * 100 / 255),
    FrozenSpn(110, 1, 0x05, lambda data: data),
    FrozenSpn(513, 1, 0x62, lambda data: data),
    FrozenSpn(91, 1, 0x49, lambda data: data * 250 / 255),
    FrozenSpn(51, 1, 0x11, lambda data: data * 250 / 255),
    FrozenSpn(105, 1, 0x0F, lambda data: data),
    FrozenSpn(108, 1, 0x33, lambda data: data * 2),
    FrozenSpn(171, 2, 0x46, lambda data: (data + 233) * 32),
    FrozenSpn(175, 2, 0x5C, lambda data: (data + 233) * 32),
    FrozenSpn(168, 2, 0x42, lambda data: data / 50),
    FrozenSpn(96, 1, 0x2F, lambda data: data * 250 / 255),
)
"""The values of the freeze frame of OBD-II as SPNs of J1939-71, which dbc/j1939.dbc scales."""


def spns_of(frames: Iterable[PlannedFrame]) -> dict[int, int]:
    """Return the SPNs that the frames of a node bring a value of, with their bytes."""
    found: dict[int, int] = {}
    for frame in frames:
        if frame.outgoing.codec is not None:
            signals = frame.outgoing.codec.signals
            given = [one.signal for one in frame.outgoing.assignments if one.origin in _BROUGHT]
            found |= {spn: -(-signals[name].length // 8) for name in given if (spn := signals[name].spn)}
    return found


def hd_reports(monitors: Monitors, stream: Mapping[int, int]) -> dict[int, Callable[[], bytes]]:
    """Return the messages by their PGN; `stream`: the SPNs in frames, with their bytes."""
    store = monitors.store
    source = StoreSource(store)
    return {
        DM24: lambda: supported(stream, has_frames=bool(store.snapshot()), tests=_tests(monitors.monitors.values())),
        DM25: lambda: expanded_frames(store.troubles.values()),
        DM27: lambda: _pending(store, source),
        DM29: lambda: _counts(store),
        DM31: lambda: lamps_of_codes(store.troubles.values()),
    }


def supported(stream: Mapping[int, int], *, has_frames: bool, tests: Iterable[Monitor]) -> bytes:
    """Return DM24: freeze frame SPNs first, in their order there, then the others."""
    widths = {one.spn: one.width for one in FROZEN} if has_frames else {}
    frozen = set(widths)
    tested = {monitor.code.spn for monitor in tests if monitor.code.spn is not None}
    widths = widths | {spn: width for spn, width in sorted(stream.items()) if spn not in widths}
    widths = widths | {spn: 0 for spn in sorted(tested) if spn not in widths}
    content = b""
    for spn, width in widths.items():
        flags = 0x1F ^ (_FRAME * (spn in frozen) | _STREAM * (spn in stream) | _TESTS * (spn in tested))
        content += bytes((spn & 0xFF, spn >> 8 & 0xFF, spn >> 16 << 5 | flags, width))
    return content[: LONGEST // 4 * 4] or b"\x00\x00\x1f\x00"


def expanded_frames(troubles: Iterable[Trouble]) -> bytes:
    """Return DM25: the frames in the order in which they were stored, as many as fit into a message."""
    stored = sorted(
        (trouble.frame.order, code.data + _frozen(trouble.frame.values))
        for trouble in troubles
        if trouble.frame is not None and (code := code_of(trouble)) is not None
    )
    frames = [bytes((len(frame),)) + frame for _, frame in stored]
    return b"".join(frames[: LONGEST // len(frames[0])]) if frames else _NOTHING


def _frozen(values: Mapping[int, bytes]) -> bytes:
    """Return the SPNs of a frame; none of them where it was stored without values."""
    if not values:
        return b""
    content = b""
    for one in FROZEN:
        data, highest = values.get(one.pid), (0xFA << 8 * (one.width - 1)) | (0xFF if one.width > 1 else 0)
        raw = (1 << 8 * one.width) - 1 if not data else min(round(one.raw(int.from_bytes(data, "big"))), highest)
        content += raw.to_bytes(one.width, "little")
    return content


def _pending(store: TroubleStore, source: StoreSource) -> bytes:
    found = [code_of(trouble) for trouble in store.troubles.values() if trouble.pending]
    return message(source.lamps(), [code for code in found if code is not None])


def _counts(store: TroubleStore) -> bytes:
    told = [one for one in store.troubles.values() if one.code.spn is not None]
    counts = (
        sum(one.pending and one.code.emission for one in told),
        sum(one.pending for one in told),
        sum(one.confirmed and one.indicator for one in told),
        sum(one.confirmed and not one.indicator and one.code.emission for one in told),
        sum(one.permanent for one in told),
    )
    return bytes(min(count, _MOST) for count in counts).ljust(8, b"\xff")


def lamps_of_codes(troubles: Iterable[Trouble]) -> bytes:
    """Return DM31: the codes that are active or pending, each with the lamps that it requests."""
    content = b""
    for trouble in troubles:
        code = code_of(trouble)
        if code is None or not (trouble.pending or trouble.confirmed):
            continue
        active = trouble.confirmed and trouble.failing
        lamps = Lamps(malfunction=trouble.indicator, warning=active and not trouble.code.emission)
        content += code.data + lamps.data
    return content[: LONGEST // 6 * 6].ljust(8, b"\xff") if content else _NOTHING


def _tests(monitors: Iterable[Monitor]) -> list[Monitor]:
    """Return the monitors whose results DM30 can tell: with an SPN, and a unit that has a SLOT."""
    return [
        one
        for one in monitors
        if one.code.spn is not None and one.settings.result is not None and one.settings.result.unit in SLOTS
    ]


class TestResults:
    """The answer to DM7 of one control unit."""

    __test__ = False

    def __init__(self, monitors: Monitors) -> None:
        self._monitors: Final = monitors

    def answer(self, request: bytes) -> bytes | None:
        """Return DM30; None: there is no such test, or DM7 wants something else."""
        if len(request) < 4:
            return None
        test, fmi = request[0], request[3] & 0x1F
        spn = request[1] | request[2] << 8 | request[3] >> 5 << 16
        known = {name: one for name, one in self._monitors.monitors.items() if one in _tests([one])}
        if test == ALL_OF_AN_SPN and fmi == FMI_OF_ALL:
            wanted = {name: one for name, one in known.items() if one.code.spn == spn}
        elif test == ALL_TESTS and (spn, fmi) == (SPN_OF_ALL, FMI_OF_ALL):
            wanted = known
        elif test == ONE_TEST:
            wanted = {name: one for name, one in known.items() if (one.code.spn, one.code.fmi) == (spn, fmi)}
        else:
            return None
        results = [self._result(test, name, one) for name, one in wanted.items()]
        return b"".join(results[: LONGEST // 12]) or None

    def _result(self, test: int, name: str, monitor: Monitor) -> bytes:
        spn, settings = monitor.code.spn or 0, monitor.settings
        assert settings.result is not None  # noqa: S101 - `_tests` has looked
        slot = SLOTS[settings.result.unit]
        numbers = [_NOT_COMPLETED, _NO_LIMIT, _NO_LIMIT]
        if monitor.last is not None and name in self._monitors.store.readiness.completed:
            limits = (settings.maximum, settings.minimum)
            numbers = [_scaled(slot, monitor.last)]
            numbers += [_NO_LIMIT if limit is None else _scaled(slot, limit) for limit in limits]
        head = bytes((test, spn & 0xFF, spn >> 8 & 0xFF, spn >> 16 << 5 | monitor.code.fmi))
        return head + b"".join(one.to_bytes(2, "little") for one in (slot.number, *numbers))


def _scaled(slot: Slot, value: float) -> int:
    """Return the raw number of a value, held between 0 and FAFF."""
    return round(min(max((value - slot.offset) / slot.scale, 0), _HIGHEST))
