"""The speed of each bench on the virtual clock, beside the demo."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence

import pytest

from hilbridge.commands import benchmark
from hilbridge.runs.benchmarks import benches
from hilbridge.runs.benchmarks.benches import STAGES, Refused, Speed


def test_a_bench_has_a_speed_and_the_shares_of_all_stages() -> None:
    """Which are parts of one whole."""
    found = benches.measured("pedal-box", 1)
    assert found["times"] > 0
    assert tuple(found["shares"]) == STAGES
    assert sum(found["shares"].values()) == pytest.approx(1)
    assert found["shares"]["step"] > found["shares"]["write"]


def test_benches_stand_beside_the_mean_of_the_demo_before_and_after(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The slowest first; one that cannot be measured is named with its reason, and makes status 1."""
    times = iter((100.0, 180.0, 140.0))
    shares = dict.fromkeys(STAGES, 0.2)

    def speeds(names: Sequence[str], _seconds: int) -> Iterator[Speed | Refused]:
        for name in names:
            yield Refused(name, "no database") if name == "broken" else Speed(name, next(times), shares)

    monkeypatch.setattr(benchmark, "speeds", speeds)
    options = Namespace(benches=["quick", "broken"], quick=True, json=True)
    assert benchmark.run(options) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["refused"] == {"broken": "no database"}
    assert [(one["bench"], one["times"], one["of_demo"]) for one in told["benches"]] == [
        ("demo", 120.0, 1.0),
        ("quick", 180.0, 1.5),
    ]


def test_a_bench_that_does_not_exist_is_refused_with_the_words_of_the_program() -> None:
    (refused,) = benches.speeds(["nowhere"], 1)
    assert isinstance(refused, Refused)
    assert "nowhere" in refused.reason
