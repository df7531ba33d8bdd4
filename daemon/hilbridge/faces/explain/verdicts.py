"""The verdict on each lamp and each needle of the clusters of a bench, from the frames that it depends on.

    wrong     a frame that it depends on is missing, late, false, or says nothing
    lit       the content of a frame lights the lamp, as the model or the bulb check wants it
    no value  a value in a frame is not available: as it should be, such as a consumption at rest, or not
    off       its frames are not due: their terminals are off
    good      nothing is wrong that can be seen from here

What can be seen is what the bench sends. Whether the cluster agrees, only the cluster knows: a lamp whose frames the
bench file does not name is in no verdict.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from hilbridge.faces.explain.causes import Cause, Row, Status, frame_causes

Kind: TypeAlias = Literal["lamp", "needle", "frame"]
"""`frame`: one of which no lamp and no needle is known."""

State: TypeAlias = Literal["wrong", "lit", "no value", "off", "good"]

STATES: Final[tuple[State, ...]] = ("wrong", "lit", "no value", "off", "good")


class FrameCause(NamedTuple):
    """A cause, and the frame that it is of."""

    frame: str
    cause: Cause


class Verdict(NamedTuple):
    """A lamp or a needle of the cluster on a bus, the frames that it depends on, and why it is as it is.

    `told`: a signal of the frames is known to light the lamp. Where none is, a frame that keeps it dark may light it as
    well, by what its bytes say.
    """

    bus: str
    kind: Kind
    name: str
    state: State
    frames: tuple[str, ...]
    causes: tuple[FrameCause, ...]
    told: bool = False

    def plain(self) -> dict[str, Any]:
        """Return the verdict for JSON."""
        causes = [{"frame": one.frame, "text": one.cause.text, "remedy": one.cause.remedy} for one in self.causes]
        return {**self._asdict(), "causes": causes}


CausesOf: TypeAlias = Callable[[Row], Sequence[Cause]]
"""A function that returns what is wrong with a frame, given its row of part `lamps`."""


def judge_status(status: Status, *, running: bool) -> list[Verdict]:
    """Return the verdicts on a bench whose status it is (`causes.PARTS`), running or never begun."""
    return judge(status["lamps"]["frames"], lambda row: frame_causes(row, status, running=running), asleep=running)


def judge(rows: Sequence[Row], causes_of: CausesOf, *, asleep: bool) -> list[Verdict]:
    """Return the verdicts, lamps and needles in the order of their frames.

    `asleep`: a frame whose terminals are off is not expected.
    """
    wrong = {_key(row): [FrameCause(_title(row), cause) for cause in causes_of(row)] for row in rows}
    verdicts = []
    for bus, kind, name, own in _instruments(rows):
        awake = [row for row in own if row["awake"] or not asleep]
        reasons: dict[State, list[FrameCause]] = {
            "wrong": [cause for row in awake for cause in wrong[_key(row)]],
            "lit": [FrameCause(_title(row), _lit(row, name)) for row in awake if kind == "lamp" and name in row["lit"]],
            "no value": [FrameCause(_title(row), cause) for row in awake for cause in _empty(row)],
            "off": [] if awake else [FrameCause(_title(row), _terminals_off(row)) for row in own],
        }
        state: State = next((state for state, causes in reasons.items() if causes), "good")
        causes = [cause for some in reasons.values() for cause in some]
        told = kind == "lamp" and any(name in row["lights"] for row in own)
        verdicts.append(Verdict(bus, kind, name, state, tuple(map(_title, own)), tuple(causes), told))
    return verdicts


def _instruments(rows: Sequence[Row]) -> Iterator[tuple[str, Kind, str, list[Row]]]:
    """Yield each lamp and needle with its frames, then the frames for which none is known."""
    found: dict[tuple[str, Kind, str], list[Row]] = {}
    for row in rows:
        lamps: Iterable[str] = dict.fromkeys([*row["darkens"], *row["lights"]])
        named: list[tuple[Kind, str]] = [("lamp", lamp) for lamp in lamps] + [("needle", one) for one in row["feeds"]]
        for kind, name in named or [("frame", row["message"])]:
            found.setdefault((row["bus"], kind, name), []).append(row)
    order = {"lamp": 0, "needle": 1, "frame": 2}
    for (bus, kind, name), own in sorted(found.items(), key=lambda item: order[item[0][1]]):
        yield bus, kind, name, own


def _lit(row: Row, lamp: str) -> Cause:
    if row["bulb_check"]:
        return Cause(f"lit by {row['lit'][lamp]}, perhaps for the bulb check, which is under way")
    return Cause(f"lit by {row['lit'][lamp]}")


def _empty(row: Row) -> Iterator[Cause]:
    for signal in row["unavailable"]:
        yield Cause(f"the value of {signal} is not available")


def _terminals_off(row: Row) -> Cause:
    return Cause(f"not sent: terminal {' or '.join(row['terminals'])} is off")


def _title(row: Mapping[str, Any]) -> str:
    return f"{row['message']} ({row['id']})"


def _key(row: Row) -> tuple[str, str]:
    return row["bus"], row["message"]
