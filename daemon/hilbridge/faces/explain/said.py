"""Sentences about what a cluster says itself, from part `cluster` of the status: shown against sent."""

from typing import Any, NamedTuple

from hilbridge.faces.explain.causes import Row, Status


class Said(NamedTuple):
    """A sentence about a report of a bus: whether the cluster shows something else than it was sent, or is silent.

    `signal`: the one that it is about, "" for the whole report.
    """

    bus: str
    report: str
    signal: str
    text: str
    wrong: bool


def sentences(status: Status) -> list[Said]:
    """Return what the clusters of a running bench say, signal by signal."""
    return [
        said
        for bus, cluster in status["cluster"].items()
        for report in cluster["reports"]
        for said in _of_report(bus, report)
    ]


def _of_report(bus: str, report: Row) -> list[Said]:
    title = f"{report['report']} ({report['id']})"
    if not report["count"]:
        return [Said(bus, title, "", "the cluster has not sent it", report["missing"])]
    if report["missing"]:
        return [Said(bus, title, "", f"the cluster has been silent for {report['silent_ms']:.0f} ms", wrong=True)]
    return [Said(bus, title, signal["signal"], _text(signal), signal["differs"]) for signal in report["signals"]]


def _text(signal: Row) -> str:
    says = f"{signal['signal']}: cluster says {_value(signal['says'], signal['unit'])}"
    if signal["compared"] is None:
        return says
    verdict = "differs by more than" if signal["differs"] else "within"
    wanted, allowed = _value(signal["compared"], signal["unit"]), _value(signal["allowed"], signal["unit"])
    return f"{says}, we send {wanted} ({verdict} {allowed})"


def _value(value: Any, unit: str) -> str:
    return "nothing" if value is None else f"{value:.4g} {unit}".rstrip()
