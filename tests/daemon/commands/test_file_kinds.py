"""Any file of ours is checked, whatever kind it is."""

import json
from pathlib import Path

import pytest
from tests.program import demo_bench

from hilbridge.base.resources import Kind, find, names
from hilbridge.commands.cli import main
from hilbridge.commands.file_kinds import KINDS, kind_of

SHIPPED = [(kind, name) for kind, one in KINDS.items() if one.place is not None for name in names(one.place)]

FILES = {
    "vehicle.yaml": ("name: mine\nengine: {inertia: 0.2}\nbody: {mass: 1200}\n", "body", "vehicle"),
    "sprint.yaml": ("steps:\n  - set: {input.Key: 1}\n", "steps", "scenario"),
    "many.yaml": ("bench: demo\nscenario: launch\nseeds: 3\n", "seeds", "campaign"),
}
"""A file, and a key of it which is then misspelt."""


@pytest.mark.parametrize(("kind", "name"), SHIPPED)
def test_the_kind_of_a_shipped_file_is_told_by_its_keys(tmp_path: Path, kind: str, name: str) -> None:
    place = KINDS[kind].place
    assert place is not None
    copy = tmp_path / "copy.yaml"
    copy.write_bytes(find(place, name).read_bytes())
    assert kind_of(str(copy)) == kind


@pytest.mark.parametrize("file", FILES)
def test_a_wrong_file_is_judged_as_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str], file: str) -> None:
    """A key that is misspelt is named with its line, and not those that a bench lacks."""
    content, key, kind = FILES[file]
    path = tmp_path / file
    path.write_text(content.replace(key, f"{key}x") + "purpose: none\n" * (kind != "vehicle"), encoding="utf-8")
    assert main(["check", str(path)]) == 2
    told = capsys.readouterr().err
    assert f"{key}x: unknown key; did you mean '{key}'?" in told
    assert "powertrain" not in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["compact"], "vehicle compact: "),
        (["launch"], "scenario launch: 14 steps; whether a bench has what they name: hilbridge check BENCH launch"),
        (["vw-pq"], "profile vw-pq: VW PQ25"),
        (["abs"], "unit abs: template with the keys "),
        (["outgauge"], "layout outgauge: "),
        (["mx5-nd"], "vehicle mx5-nd: "),
        ([str(find(Kind.ENGINE, "mx5-nd"))], ": targets of an engine"),
    ],
)
def test_what_a_file_holds_is_told(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 0
    assert told in capsys.readouterr().out


def test_a_scenario_is_tried_on_the_bench_beside_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = str(demo_bench(tmp_path))
    assert main(["check", bench, "launch"]) == 0
    assert "scenario launch: 14 steps, which fit bench " in capsys.readouterr().out
    scenario = tmp_path / "wrong.yaml"
    scenario.write_text("steps:\n  - send: {bus: nosuch, frame: 123#00}\n", encoding="utf-8")
    assert main(["check", bench, str(scenario)]) == 2
    assert f"{scenario}:2: steps[0].send" in capsys.readouterr().err


def test_programs_get_kind_and_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "launch", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "scenario"
    assert main(["check", "demo", "game"]) == 2
    assert "one bench at a time" in capsys.readouterr().err
