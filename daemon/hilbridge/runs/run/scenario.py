"""The scenario that a run plays from its first tick on, and the verdict on it."""

from functools import partial
from typing import Final

from hilbridge.bench.scenario.build import build
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.page import Played
from hilbridge.bench.scenario.player import Player
from hilbridge.bench.scenario.report import Report
from hilbridge.bench.scenario.sampler import Sampler
from hilbridge.boundary.control.lines import execute
from hilbridge.files.configuration.scenariofile import ScenarioFile
from hilbridge.runs.run.preparation import RunOptions

UNDRIVEN: Final = "a scenario replaces the demo driver, and no step of this one has 'drive' or sets an entry of input"


class RunScenario:
    """A scenario file, built for the bench of a run."""

    def __init__(self, file: ScenarioFile, context: ScenarioContext, *, plots: bool) -> None:
        """`plots`: record what the steps name, for a picture. ConfigurationError: it does not fit the bench."""
        self._file: Final = file
        self._context: Final = context
        self._scenario: Final = build(file, context)
        self._sampler: Final = Sampler(file.settings.steps, context) if plots else None

    @property
    def over(self) -> bool:
        """Whether its last step is done."""
        return self._scenario.over

    def play(self, player: Player) -> None:
        """Hand the scenario to the player of the run."""
        start, begin = self._file.settings.start, None
        if start is not None:
            begin = partial(execute, self._context.obey, "begin", start=start.model_dump(), by=self._context.holder)
        player.play(self._file.name, self._scenario, self._sampler, begin)

    def report(self) -> Report:
        """End the scenario, where it has not come to its end, and return the verdict on each step."""
        self._scenario.finish()
        return Report.of(self._scenario, self._file)

    def picture(self) -> str:
        """Return the course of the values that the steps name as SVG; "" without `plots`. matplotlib draws it."""
        if self._sampler is None:
            return ""
        from hilbridge.bench.scenario.plot import plot_svg  # imports numpy

        return plot_svg(self._scenario, self._sampler)

    def conclude(self, options: RunOptions) -> bool:
        """Print the verdict, write the reports and the picture that are wanted; return whether it has passed."""
        from hilbridge.runs.run.verdict import announce, write_reports  # rich is in no tick process

        report = self.report()
        announce(report, UNDRIVEN if options.undriven and not report.passed else "")
        if self._sampler is not None and options.plot is not None:
            from hilbridge.bench.scenario.plot import plot  # imports numpy

            plot(self._file, self._scenario, self._sampler, options.plot)
        picture = self.picture() if options.pictured else ""
        write_reports([Played(report, options.command, picture)], options.reports, f"Scenario {report.name}")
        return report.passed
