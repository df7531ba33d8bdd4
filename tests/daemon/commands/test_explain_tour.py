"""`hilbridge explain --tour`: its questions at the terminal, and the report that survives its end."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client.sync_client import Client
from hilbridge.commands.cli import main
from hilbridge.commands.explain_tour import tour
from hilbridge.testing import VirtualBench


@pytest.fixture
def desk() -> Iterator[VirtualBench]:
    with VirtualBench("cluster-bmw-e46") as bench:
        yield bench


def answered(bench: VirtualBench, path: Path, *words: str) -> int:
    """Take a tour whose person leaves after some answers, as at the end of a terminal."""
    said = iter(words)

    def ask(_question: str) -> str:
        bench.advance(0.1)
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    return tour(bench.parts, cast("Client", bench), path, ask)


def test_what_was_answered_is_kept_when_the_person_leaves(
    desk: VirtualBench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tour.json"
    assert answered(desk, path, "E46 2001", "y", "NO", "a little", "") == 1
    told: dict[str, Any] = json.loads(path.read_text())
    assert (told["unit"], told["profile"]) == ("E46 2001", "bmw-e46")
    assert [one["outcome"] for one in told["answers"]] == ["yes", "no", "read", "left out"]
    assert told["answers"][2]["seen"] == "a little"
    assert told["counts"]["not taken"] > 20
    assert set(told["proposes"]) == {"ASC1"}  # DME4 was denied
    assert "not as they should: engine" in capsys.readouterr().out
    with pytest.raises(ConfigurationError, match="is there already"):
        answered(desk, path, "E46")


def test_a_cluster_that_hears_nothing_is_not_asked(desk: VirtualBench, tmp_path: Path) -> None:
    desk.parts.wiring.lines.lines["kbus"].armed = False
    with pytest.raises(ConfigurationError, match="kbus is not armed"):
        answered(desk, tmp_path / "tour.json", "E46")
    assert not (tmp_path / "tour.json").exists()


def test_a_bench_that_does_not_run_has_no_tour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "cluster-bmw-e46", "--tour"]) == 2
    assert "is not running" in capsys.readouterr().err
