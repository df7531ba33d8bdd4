"""Designs: which values are combined with which."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.campaignfile import load_campaign
from hilbridge.runs.campaign.design import count, points

HEAD = "bench: demo\nscenario: launch\n"


def design(tmp_path: Path, text: str) -> list[dict[str, Any]]:
    file = tmp_path / "campaign.yaml"
    file.write_text(HEAD + text, encoding="utf-8")
    settings = load_campaign(file).settings
    made = [*points(settings)]
    assert len(made) == count(settings)
    assert made == [*points(settings)], "the same points each time"
    return made


def test_a_grid_has_every_combination_the_last_key_fastest(tmp_path: Path) -> None:
    made = design(tmp_path, "vary: {a: [x, y], b: {from: 1, to: 100, steps: 3, scale: log}}")
    assert made == [{"a": a, "b": b} for a in ("x", "y") for b in (1.0, 10.0, 100.0)]


def test_whole_values_are_whole(tmp_path: Path) -> None:
    assert design(tmp_path, "vary: {a: {from: 0, to: 5, steps: 3, whole: true}}") == [{"a": 0}, {"a": 2}, {"a": 5}]


@pytest.mark.parametrize("kind", ["latin-hypercube", "sobol"])
def test_each_slice_of_every_dimension_has_one_point(tmp_path: Path, kind: str) -> None:
    """So of both designs by their definition: McKay et al. 1979; Owen 1995 on scrambled (0, m, 1)-nets."""
    made = design(
        tmp_path,
        f"vary: {{a: {{from: 0, to: 16}}, b: {{from: 16, to: 32}}, c: [l, r]}}\ndesign: {{kind: {kind}, runs: 16}}",
    )
    for key, first in (("a", 0), ("b", 16)):
        assert sorted(int(point[key]) - first for point in made) == list(range(16))
    assert sorted(point["c"] for point in made) == ["l"] * 8 + ["r"] * 8


def test_another_seed_makes_another_sample(tmp_path: Path) -> None:
    text = "vary: {{a: {{from: 0, to: 1}}}}\ndesign: {{kind: random, runs: 3, seed: {}}}"
    first, second = (design(tmp_path, text.format(seed)) for seed in (1, 2))
    assert first != second
    assert all(0 <= point["a"] < 1 for point in first)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("vary: {a: {from: 2, to: 1}}", "campaign.yaml:3: vary.a.to: must be above 'from', 2"),
        ("vary: {a: {from: 0, to: 1, scale: log, steps: 2}}", "vary.a.from: must be above 0 on a logarithmic scale"),
        ("vary: {a: {from: 0, to: 1}}", "vary.a: needs 'steps' in a grid"),
        ("vary: {a: []}", "campaign.yaml:3: vary.a"),
        ("design: {runs: 7}", "design.runs: a grid has as many runs as its values have combinations"),
        ("design: {kind: random}", "design.runs: is needed for the design random"),
        ("design: {kind: random, runs: 2}", "design.kind: the design random has no key to vary"),
        ("vary: {a: [1]}\ndesign: {kind: sobol, runs: 12}", "design.runs: needs a power of two: 8 or 16"),
        ("seeds: 0", "campaign.yaml:3: seeds: needs one seed at least"),
        ("seeds: [3, -1]", "campaign.yaml:3: seeds[1]: must be at least 0, found -1"),
        ("seeds: 100000000000", "campaign.yaml:3: seeds: must be at most 1000000, found 100000000000"),
        ("repeat: 3", "campaign.yaml:3: repeat: unknown key"),
    ],
)
def test_a_wrong_design_is_told_with_its_line(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InvalidFileError) as caught:
        design(tmp_path, text)
    assert reason in str(caught.value)
