"""The instrument clusters, or other control units, behind the buses of a bench: what they say, and questions to them.

They change nothing of what the bench sends, but for the frames of a question, and of a reply to what they send.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.cluster_rows import ClusterRow
from hilbridge.bench.dialogue import Dialogue
from hilbridge.bench.questioner import Questioner
from hilbridge.bench.reported_frames import ReportedFrames
from hilbridge.files.settings import BenchSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.plan.plan import FramePlan
from vehiclesim.entries import Entries


class Clusters:
    """The reports and the questioner of each bus whose settings have `reports` or `diagnostics`."""

    def __init__(self, settings: BenchSettings, buses: Mapping[str, Bus], entries: Entries, plan: FramePlan) -> None:
        """Build them; they join the buses. `entries`: of the data bus; `plan`: of frames, some of which are replies.

        ConfigurationError, with the key path: signals or expressions are wrong.
        """
        self._dialogue: Final = Dialogue(settings, plan)
        self._reports: Final[dict[str, ReportedFrames]] = {}
        self._questioners: Final[dict[str, Questioner]] = {}
        for name, bus in settings.buses.items():
            if bus.reports:
                reports = self._reports[name] = ReportedFrames(bus.reports, ("buses", name, "reports"), entries)
                buses[name].attach(reports, reports.hears)
            if bus.diagnostics is not None:
                self._questioners[name] = Questioner(buses[name], bus.diagnostics)
        self._polled: Final = tuple(self._questioners.values())

    def ask(self, bus: str, question: bytes, t: int) -> int:
        """Ask on a bus at `t` [ns]; return the question's number. ConfigurationError: see Questioner; no such bus."""
        if bus not in self._questioners:
            reason = f"bus {bus!r} does not say who answers: it has no 'diagnostics'"
            raise ConfigurationError(reason, ("bus",))
        return self._questioners[bus].ask(question, t)

    def poll(self, t: int) -> None:
        """Send what is due of replies and questions, and take answers; called once a tick."""
        self._dialogue.poll(t)
        for questioner in self._polled:
            questioner.poll(t)

    def take_over(self, before: "Clusters") -> None:
        """Continue in the place of another one, after a reload."""
        self._dialogue.take_over(before._dialogue)
        for name, questioner in self._questioners.items():
            if name in before._questioners:
                questioner.take_over(before._questioners[name])

    def status(self, channels: Channels, t: int) -> Iterator[tuple[str, ClusterRow]]:
        """Yield the status of each bus that has any, at `t` [ns]."""
        for name in {**self._reports, **self._questioners}:
            reports, questioner = self._reports.get(name), self._questioners.get(name)
            yield (
                name,
                ClusterRow(
                    [] if reports is None else reports.status(channels, t),
                    None if questioner is None else questioner.status(),
                ),
            )
