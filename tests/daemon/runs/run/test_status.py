"""What a run answers when it is asked how it is."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from hilbridge.base.common.rows import Layout
from hilbridge.base.common.statistics import Histogram
from hilbridge.bench.bench import Bench
from hilbridge.bench.views import OF_RUN, VIEWS
from hilbridge.boundary.control.commands import FaultList, Status
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About, encode_part_status
from hilbridge.boundary.observe.metrics import MetricsInput, expose
from hilbridge.boundary.observe.notices import ObserverWork
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Durations, Rings
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings.faults import LinkFault
from hilbridge.runs.run.measured import measured_layouts
from hilbridge.runs.run.status import RunStatus


class Rig(NamedTuple):
    """A run's status, and what it is of."""

    bench: Bench
    rings: Rings
    reporter: Reporter
    status: RunStatus


@pytest.fixture
def rig() -> Iterator[Rig]:
    """The demo bench, at rest; nobody records, and no scenario is played."""
    bench = Bench(load_bench("demo"))
    bench.connect()
    rings = Rings.create(About("demo", "1", 1000, 0).encode(), SNAPSHOT_LAYOUT.size, 4096)
    reporter = Reporter(rings, bench.vehicle.data)
    observation = {
        "rings": rings,
        "reporter": reporter,
        "process": SimpleNamespace(restarts=2),
        "recording": SimpleNamespace(status=lambda: None, home="recordings"),
        "last_end": None,
    }
    others = {
        "observation": SimpleNamespace(**observation),
        "clock": SimpleNamespace(t=0),
        "endpoints": SimpleNamespace(cockpit=None, control=None, fabric=None, xcp=SimpleNamespace(restarts=1)),
        "overload": SimpleNamespace(status=lambda: {"percent": 20}),
        "reload": SimpleNamespace(statistics=lambda: {"adopted": 3}, status=lambda: {"last": None}),
        "player": SimpleNamespace(status=lambda: None, verdicts=lambda: [{"title": "step"}] * 20),
    }
    yield Rig(bench, rings, reporter, RunStatus(bench=bench, **cast(Any, others)))
    rings.close()


def status(rig: Rig, *parts: str) -> Any:
    question = Status(command="status", parts=list(parts) or None)
    return json.loads(b"".join(rig.status.answer(question)))


def test_the_usual_answer_has_all_that_a_person_wants_to_know(rig: Rig) -> None:
    """Lateness and step time of the run, what it counts, how the bench is, and what is recorded and played."""
    rig.rings.step_time.record(50_000)
    rig.reporter.snapshot(0, 4, 0)
    answer = status(rig)
    assert (answer["ticks"], answer["missed_ticks"], answer["overload"]) == (1, 4, {"percent": 20})
    assert answer["tick_us"]["max"] == 50.0
    assert (answer["reload"], answer["observer"]) == ({"adopted": 3}, {"restarts": 2, "events_lost": 0})
    assert {"bench", "values", "buses", "inputs", "faults", "troubles", "recording", "scenario"} <= answer.keys()
    assert answer["recording"] is answer["scenario"] is None


def test_what_is_wrong_with_the_run_is_told_in_words(rig: Rig) -> None:
    """As the line of `systemctl status` has it, for the page and `hilbridge service`."""
    words = {"stored state": "the state is NOT STORED: the log has the reason"}
    assert status(rig, "service")["service"]["troubles"] == {}
    rig.status._troubles = lambda: words  # type: ignore[misc]
    assert status(rig, "service")["service"]["troubles"] == words


def test_a_part_stands_before_the_counters_of_the_same_name(rig: Rig) -> None:
    """`buses` says more of a bus than the statistics do."""
    assert set(status(rig, "statistics")["buses"]["powertrain"]) == {"received", "transmitted", "lost"}
    assert {"link", "armed", "gate"} <= set(status(rig, "statistics", "buses")["buses"]["powertrain"])


def test_what_a_bus_that_is_not_armed_holds_back_is_told_by_frame(rig: Rig) -> None:
    """A count of its own, so that what left is the difference."""
    rig.bench.gates["powertrain"].armed = False
    frame = rig.bench.wiring.plan.frames[0]
    frame.send(b"", 0)
    rig.bench.gates["powertrain"].armed = True
    frame.send(b"", 1)
    row = status(rig, "frames")["frames"][0]
    assert (row["sent"], row["held_back"], row["armed"]) == (2, 1, True)
    rig.bench.gates["powertrain"].armed = False
    assert status(rig, "frames")["frames"][0]["armed"] is False
    assert status(rig, "traffic")["traffic"]["unarmed"] == ["powertrain"]


def test_the_run_adds_what_a_bench_without_a_run_leaves_out(rig: Rig) -> None:
    """Each part of the run when it is requested, and never unasked."""
    for part in OF_RUN:
        answer = status(rig, part)
        assert ("ticks" if part == "statistics" else part) in answer
        assert not answer.keys() & {*OF_RUN} - {part, "reload"}


def test_only_what_is_asked_for_is_told(rig: Rig) -> None:
    assert status(rig, "verdicts")["verdicts"] == [{"title": "step"}] * 20
    assert status(rig, "faults").keys() == {"protocol", "bench", "vehicle", "rate_hz", "time", "faults"}


def test_faults_are_listed_alone(rig: Rig) -> None:
    """Each with what it is and how it goes."""
    rig.bench.wiring.faults.add(LinkFault(kind="link", bus="powertrain", effect="down", at=5), 0)
    answer = json.loads(b"".join(rig.status.answer(FaultList(command="fault-list"))))
    ((only, (fault,)),) = answer.items()
    assert (only, fault["state"], fault["begin"]) == ("faults", "waiting", 5.0)


def test_an_answer_is_made_when_its_pieces_are_asked_for(rig: Rig) -> None:
    """So the tick that gets the question pays for its first piece only."""
    pieces = rig.status.answer(Status(command="status", parts=["statistics"]))
    begun = next(pieces)
    rig.reporter.ticks = 77
    assert json.loads(begun + b"".join(pieces))["ticks"] == 77


ABSENT = {"doip", "fmu", "lines", "xcp"}
"""Parts that the bench has not."""

MEASURED = [*(part for part, view in VIEWS.items() if view.is_measured and part not in ABSENT), "processes"]


def test_each_part_is_measured_in_its_turn(rig: Rig) -> None:
    """Again and again, in the same order; so every part is reported within two seconds when ten are in each."""
    parts = [rig.status.next_measured() for _ in range(2 * len(MEASURED))]
    assert [name for name, _ in parts] == MEASURED * 2
    assert {"buses", "ports", "sources", "testers", "codes", "plan", "processes"} <= set(MEASURED)
    assert len(MEASURED) <= 20
    assert dict(parts)["processes"] == {"observer": {"restarts": 2}, "xcp": {"restarts": 1}}


def test_counters_of_the_metrics_go_on(rig: Rig) -> None:
    """Frames of the plan are on the bus that they were sent on; nothing was counted twice."""
    bench = rig.bench
    before = rig.status.next_measured()[1]
    for tick in range(100):
        t = tick * bench.settings.period
        bench.sample(t)
        bench.step()
        bench.serve(t)
        bench.publish(t)
    after = dict(rig.status.next_measured() for _ in MEASURED)["buses"]
    for name in bench.buses:
        sent = sum(row.sent for row in bench.wiring.plan.statistics() if row.bus == name)
        assert before[name]["transmitted"] == 0
        assert after[name]["transmitted"] == sent > 0
        assert after[name]["trouble"] == ""


def test_everything_that_is_measured_becomes_a_metric(rig: Rig) -> None:
    """As JSON, through the ring: the metrics know every part by its keys."""
    parts: dict[str, object] = {}
    for _ in MEASURED:
        parts |= json.loads(encode_part_status(*rig.status.next_measured()))
    layouts = {part: Layout.of_plain(plain) for part, plain in measured_layouts(rig.bench).items()}
    nothing = Durations(Histogram(), Histogram(), Histogram())
    text = expose(
        MetricsInput(About("demo", "1", 1000, 0), None, nothing, layouts, parts, [], 0, ObserverWork(0, None)), ""
    )[0].decode()
    for sample in (
        'hilbridge_bus_up{bus="powertrain"} 1.0',
        'hilbridge_bus_frames_total{bus="powertrain",direction="transmitted"} 0.0',
        "hilbridge_input_samples_total{source=",
        'hilbridge_trouble_codes{state="confirmed",unit="engine"} 0.0',
        'hilbridge_process_restarts_total{process="observer"} 2.0',
    ):
        assert sample in text
