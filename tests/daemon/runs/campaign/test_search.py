"""The search of a campaign: the same tries each time, closer to the border by and by; wrong files are told."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from hilbridge.commands.cli import main
from hilbridge.files.settings.campaign import SearchSettings
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.search import guide, search
from hilbridge.runs.campaign.shrink import Failing
from hilbridge.runs.campaign.trials import ScenarioData, Trials
from vehiclesim.entries import STANDARD

SETTINGS = {"inputs": {"input.Brake": {"from": 0, "to": 1}, "input.Throttle": {"from": 0, "to": 1}}}


class Peak(Trials):
    """A bench without a bench: the margin is the distance of the last brake and throttle from one point."""

    def __init__(self, radius: float) -> None:
        self.asked: list[ScenarioData] = []
        self.radius = radius

    def rows(self, scenarios: Any) -> list[Row]:
        self.asked += scenarios
        return [self._row(each) for each in scenarios]

    def _row(self, scenario: ScenarioData) -> Row:
        last = {"input.Brake": 0.0, "input.Throttle": 0.0}
        for step in scenario["steps"]:
            last |= step.get("set", {})
        margin = abs(last["input.Brake"] - 0.83) + abs(last["input.Throttle"] - 0.27) - self.radius
        failed = {"verdict": "failed", "reason": "line 2: safe: at 0.000 s: after 1 s"}
        row: Row = {"figures": {"margin": margin}, "verdict": "passed", "reason": ""}
        return row | (failed if margin < 0 else {})


def found(radius: float, tries: int, seed: int = 0) -> tuple[Peak, bool]:
    settings = SearchSettings.model_validate({**SETTINGS, "tries": tries, "seed": seed, "changes": 3})
    base = Failing([{"name": "safe", "background": True, "always": "input.Brake < 1"}], 0, "failed", {})
    peak = Peak(radius)
    return peak, search(settings, base, [0], peak).failing is not None


def test_a_small_region_is_found_that_chance_alone_would_miss() -> None:
    """Its area is 0.02 % of all: 300 points of chance would hit it in 6 % of searches."""
    assert sum(found(0.01, 300, seed)[1] for seed in range(10)) >= 6


def test_the_tries_are_those_of_the_seed() -> None:
    first, again, other = (found(0.001, 40, seed)[0].asked for seed in (1, 1, 2))
    assert first == again != other


def test_the_guide_is_the_margin_of_all_conditions() -> None:
    both = guide(["input.Brake < 0.5", "input.Throttle < 0.7"], STANDARD)["margin"]["of"]
    assert both == "min(((0.5) - (input.Brake)), ((0.7) - (input.Throttle)))"
    assert guide(["input.Brake < 0.5 and " * 40 + "input.Brake < 1"], STANDARD) == {}


@pytest.mark.parametrize(
    ("campaign", "reason"),
    [
        ({"vary": {"a": [1]}}, "vary: a search changes inputs alone"),
        ({"seeds": 2}, "seeds: a search has one"),
        ({"bench": ["demo", "truck"]}, "bench: a search has one"),
        ({"search": {"inputs": {}}}, "search.inputs"),
        ({"search": {"inputs": {"input.Brak": [1]}, "tries": 1}}, "input.Brak"),
        ({"scenario": "quiet.yaml"}, "quiet.yaml has no step 'always' with 'background: true'"),
    ],
)
def test_a_wrong_search_is_told(
    campaign: dict[str, Any], reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    steps = [{"background": True, "always": "input.Brake < 0.5"}, {"set": {"input.Key": 0}}]
    (tmp_path / "loud.yaml").write_text(yaml.safe_dump({"steps": steps}), encoding="utf-8")
    (tmp_path / "quiet.yaml").write_text(yaml.safe_dump({"steps": steps[1:]}), encoding="utf-8")
    content = {"bench": "demo", "scenario": "loud.yaml", "search": SETTINGS} | campaign
    (tmp_path / "hunt.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    assert main(["campaign", str(tmp_path / "hunt.yaml")]) == 2
    assert reason in capfd.readouterr().err
    assert not (tmp_path / "hunt.results").exists()
