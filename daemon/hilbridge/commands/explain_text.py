"""An explanation of lamps and needles as lines for people, on one screen, and as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rich.console import Console

from hilbridge.base.common.words import counted
from hilbridge.faces.explain.said import Said
from hilbridge.faces.explain.verdicts import STATES, FrameCause, State, Verdict

_STYLES: Final[dict[State, str]] = {
    "wrong": "bold red",
    "lit": "yellow",
    "no value": "yellow",
    "off": "dim",
    "good": "green",
}

_KINDS: Final = {"lamp": "lamp", "needle": "needle", "frame": "no lamp or needle known:"}

_MOST_LINES: Final = 3
"""Frames of one cause that have a line each."""

_TITLES: Final[dict[State, str]] = {
    "wrong": "wrong",
    "lit": "lit on purpose",
    "no value": "without a value, as it may have to be",
    "off": "not due now",
    "good": "nothing wrong from here",
}


@dataclass(slots=True)
class Explanation:
    """An explanation: its subject, its sources, and the verdicts. `codes` has a line for each answer of a cluster."""

    bench: str
    source: str
    verdicts: list[Verdict]
    profiles: dict[str, str]
    said: list[Said] = field(default_factory=list)
    codes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_wrong(self) -> bool:
        """Whether anything is wrong."""
        failed = any(one["wrong"] for one in self.codes)
        return failed or any(one.state == "wrong" for one in self.verdicts) or any(one.wrong for one in self.said)


def plain(explanation: Explanation) -> dict[str, Any]:
    """Return the explanation for JSON."""
    return {
        "bench": explanation.bench,
        "source": explanation.source,
        "wrong": explanation.is_wrong,
        "profiles": explanation.profiles,
        "verdicts": [one.plain() for one in explanation.verdicts],
        "cluster_says": [one._asdict() for one in explanation.said],
        "codes": explanation.codes,
        "notes": explanation.notes,
    }


def print_explanation(console: Console, explanation: Explanation) -> None:
    """Print what is wrong first, by cause; what is good in one line for each kind."""
    console.print(f"bench {explanation.bench}: {explanation.source}", style="bold")
    for bus, profile in explanation.profiles.items():
        console.print(f"bus {bus}: {profile}", soft_wrap=True)
    for state in STATES:
        verdicts = [one for one in explanation.verdicts if one.state == state]
        if verdicts:
            console.print(f"\n{_TITLES[state]}", style=_STYLES[state])
            for line in _good(verdicts) if state == "good" else _by_cause(verdicts):
                console.print(f"  {line}", soft_wrap=True)
    if explanation.said:
        console.print("\nthe cluster itself", style="bold")
        for said in explanation.said:
            console.print(f"  {said.report} {said.text}", style="red" if said.wrong else "", soft_wrap=True)
    if explanation.codes:
        console.print("\nits control unit", style="bold")
        for one in explanation.codes:
            console.print(f"  {one['about']}: {one['text']}", style="red" if one["wrong"] else "", soft_wrap=True)
    for note in explanation.notes:
        console.print(f"\n{note}", soft_wrap=True)


def _by_cause(verdicts: Sequence[Verdict]) -> list[str]:
    """Return a line for each frame and cause, with the lamps and needles that suffer from it."""
    found: dict[FrameCause, list[Verdict]] = {}
    for verdict in verdicts:
        for one in verdict.causes:
            found.setdefault(one, []).append(verdict)
    merged: dict[tuple[str, str, str], list[str]] = {}
    found = _joined(found)
    for (frame, cause), sufferers in found.items():
        named = [one for one in sufferers if one.kind != "frame"]
        merged.setdefault((_names(named) or "no lamp or needle known", *cause), []).append(frame)
    lines = []
    for (names, text, remedy), frames in merged.items():
        lines.append(f"{names}: {', '.join(frames)}: {text}" + (f" -> {remedy}" if remedy else ""))
    return lines


def _joined(found: dict[FrameCause, list[Verdict]]) -> dict[FrameCause, list[Verdict]]:
    """Join the frames that suffer from one cause, as a bus that is not armed, where they would fill the screen."""
    alike: dict[tuple[str, str], list[FrameCause]] = {}
    for one in found:
        alike.setdefault((one.cause.text, one.cause.remedy), []).append(one)
    joined: dict[FrameCause, list[Verdict]] = {}
    for some in alike.values():
        if len(some) <= _MOST_LINES:
            joined |= {one: found[one] for one in some}
            continue
        sufferers = list({id(verdict): verdict for one in some for verdict in found[one]}.values())
        joined[some[0]._replace(frame=counted(len(some), "frame"))] = sufferers
    return joined


def _good(verdicts: Sequence[Verdict]) -> list[str]:
    """Return a line for each kind."""
    lines = []
    for kind in dict.fromkeys(one.kind for one in verdicts):
        some = [one for one in verdicts if one.kind == kind]
        lines.append(_names(some))
    return lines


def _names(verdicts: Sequence[Verdict]) -> str:
    """Return lamps and needles by name: `lamps ABS, ESP; needle speedometer`."""
    parts = []
    for kind, word in _KINDS.items():
        names = [one.name for one in verdicts if one.kind == kind]
        if names:
            plural = "s" if len(names) > 1 and kind != "frame" else ""
            parts.append(f"{word}{plural} {', '.join(names)}")
    return "; ".join(parts)
