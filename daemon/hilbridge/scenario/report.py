"""What became of the steps of a scenario, for whoever reports it: played in this process, or by a running bench."""

from typing import Any, NamedTuple, Self

from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.scenario.engine import Outcome, Scenario


class Row(NamedTuple):
    """A step: its line in the file, and its times [ns] of the run, None for what was not reached."""

    line: int
    title: str
    outcome: Outcome
    seen: str
    begin: int | None
    end: int | None


class Report(NamedTuple):
    """All steps in order, and how long it took [ns]."""

    rows: tuple[Row, ...]
    duration: int

    @property
    def passed(self) -> bool:
        """Every step has."""
        return all(row.outcome is Outcome.PASSED for row in self.rows)

    @classmethod
    def of(cls, scenario: Scenario, file: ScenarioFile) -> Self:
        """Of a scenario that was played here."""
        rows = [
            Row(_line(file, i), one.step.title, one.outcome, one.seen, one.begin, one.end)
            for i, one in enumerate(scenario.verdicts)
        ]
        return cls(tuple(rows), scenario.duration)

    @classmethod
    def of_verdicts(cls, verdicts: list[dict[str, Any]], file: ScenarioFile) -> Self:
        """Of what a running bench says (Play.verdicts)."""
        rows = [
            Row(_line(file, i), one["title"], Outcome(one["outcome"]), one["seen"], one["begin"], one["end"])
            for i, one in enumerate(verdicts)
        ]
        begins = [row.begin for row in rows if row.begin is not None]
        ends = [row.end for row in rows if row.end is not None]
        return cls(tuple(rows), max(ends, default=0) - min(begins, default=0))


def _line(file: ScenarioFile, step: int) -> int:
    return file.line(("steps", step))
