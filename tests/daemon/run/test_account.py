"""What a run answers when it is asked how it is."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hilbridge.bench.bench import Bench
from hilbridge.configuration.benchfile import load_bench
from hilbridge.control.commands import FaultList, Part, Status
from hilbridge.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.run.account import Account, Subjects
from hilbridge.settings.faults import LinkFault


@pytest.fixture
def told() -> Iterator[Subjects]:
    """The demo bench, at rest; nobody records, and no scenario is played."""
    bench = Bench(load_bench("demo"))
    bench.open_nothing()
    rings = Rings.create(About("demo", "1", 1000, 0).encode(), SNAPSHOT_LAYOUT.size, 4096)
    others = {
        "observer": SimpleNamespace(restarts=2),
        "reload": SimpleNamespace(statistics=lambda: {"adopted": 3}),
        "recording": SimpleNamespace(describe=lambda: None),
        "play": SimpleNamespace(describe=lambda: None, verdicts=lambda: [{"title": "step"}] * 20),
    }
    yield Subjects(bench, rings, Reporter(rings, bench.vehicle.data), **cast(Any, others))
    rings.close()


def status(told: Subjects, *parts: Part) -> Any:
    question = Status(command="status", parts=list(parts) or None)
    return json.loads(b"".join(Account(told).answer(question)))


def test_the_usual_answer_has_all_that_a_person_wants_to_know(told: Subjects) -> None:
    """How punctual the run is, what it counts, how the bench is, and what is recorded and played."""
    told.rings.step_time.record(50_000)
    told.reporter.snapshot(0, 4, 0)
    answer = status(told)
    assert (answer["ticks"], answer["missed_ticks"]) == (1, 4)
    assert answer["tick_us"]["max"] == 50.0
    assert (answer["reload"], answer["observer"]) == ({"adopted": 3}, {"restarts": 2, "events_lost": 0})
    assert {"bench", "values", "buses", "inputs", "faults", "troubles", "recording", "scenario"} <= answer.keys()
    assert answer["recording"] is answer["scenario"] is None


def test_a_part_stands_before_the_counters_of_the_same_name(told: Subjects) -> None:
    """`buses` says more of a bus than the statistics do."""
    assert set(status(told, "statistics")["buses"]["powertrain"]) == {"received", "transmitted", "lost"}
    assert {"link", "armed", "gate"} <= set(status(told, "statistics", "buses")["buses"]["powertrain"])


def test_only_what_is_asked_for_is_told(told: Subjects) -> None:
    assert status(told, "verdicts")["verdicts"] == [{"title": "step"}] * 20
    assert status(told, "faults").keys() == {"bench", "vehicle", "rate_hz", "faults"}


def test_faults_are_listed_alone(told: Subjects) -> None:
    """Each with what it is and how it goes."""
    told.bench.faults.add(LinkFault(kind="link", bus="powertrain", effect="down", at=5), 0)
    answer = json.loads(b"".join(Account(told).answer(FaultList(command="fault-list"))))
    ((only, (fault,)),) = answer.items()
    assert (only, fault["state"], fault["begin"]) == ("faults", "waiting", 5.0)


def test_an_answer_is_made_when_its_pieces_are_asked_for(told: Subjects) -> None:
    """So the tick that gets the question pays for its first piece only."""
    pieces = Account(told).answer(Status(command="status", parts=["statistics"]))
    begun = next(pieces)
    told.reporter.ticks = 77
    assert json.loads(begun + b"".join(pieces))["ticks"] == 77
