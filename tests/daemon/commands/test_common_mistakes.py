"""Mistakes that people make when they write a bench or a scenario, and the answer that helps.

Most are from a test with eight users, who typed 76 of them without looking into the reference.
"""

from pathlib import Path

import pytest

from hilbridge.commands.cli import main

EXPRESSIONS = {
    "vehicle.EngineRpm > 10 ? 1 : 0": "column 24: a choice is written a if c else b",
    "vehicle.Speed > 1 && input.Key > 0": "column 19: write 'and'",
    "input.Key > 0 || 1": "column 15: write 'or'",
    "!input.Key": "column 1: write 'not'",
    "input.Key = 1": "column 11: a comparison is written ==",
    "if vehicle.Speed > 1 then 2 else 3": "column 1: a choice is written a if c else b",
    "vehicle.EngineRpm > 500 rpm": "column 21: a number has no unit: write 500",
    "vehicle.Speed * 3,6 + 1": "a decimal comma? write 3.6",
    "vehicle.Speed vehicle.Speed": "not part of the language of expressions: + - * /",
}
BUSES = {
    "{can: {interface: socketcan, channel: vcan0, bitrate: 500k}}": "found the text '500k'; write 500000",
    "{can: {interface: socketcan, channel: vcan0, bitrate: 0.5 Mbit/s}}": "; write 500000",
    "{can: {interface: socketcan, channel: vcan0, bitrate: 500.000}}": "found the number 500.0; write 500000",
    "{can: {interface: socketcan, channel: vcan0, bitrate: 500}}": "bit/s, found 500; 500 kbit/s are 500000",
    "{can: {interface: socketcann, slcan: pty}}": "has an SLCAN port, and the interface is 'socketcann'",
    "{can: {interface: embedded, raw: {A: {id: 1, period: 10ms, data: '00'}}}}": "; write 10",
    "{can: {interface: embedded, raw: {A: {id: 1, period: 0.01 s, data: '00'}}}}": "; write 10",
    "{can: {interface: embedded, raw: {A: {id: 1, period: 100 Hz, data: '00'}}}}": "; write 10",
    "{can: {interface: embedded, raw: {A: {id: 1, period: 10 V, data: '00'}}}}": "found the text '10 V'\n",
    "{can: {interface: embedded, raw: {A: {id: 1, period: 10, data: '00', signals: {X: "
    "{bit: 0, width: 8, from: vehicle.Speed, scale: 3,6}}}}}}": "unknown key: a decimal comma? write 3.6",
    "{can: {interface: embedded, database: powertrain.dbc, messages: {EngineData1: {period: 10}, signals: "
    "{EngineSpeed: {constant: 5}}}}}": "unknown key; is 'signals' indented too little?",
}
CALCULATIONS = ("vehicle.EngineRpm * 2", "input.Key = 1", "not(input.Key)")
STEPS = {
    "set: {input.Throttle: 0,5}": "found nothing; a decimal comma? write 0.5",
    "set: {input.Throttle: 50%}": "'50%' of Throttle: write 0.5",
    "set: {vehicle.EngineRpm: 0}": "vehicle.EngineRpm is a result: it can be read, and not set",
    "set: {input.Key: sixth}": "unknown position of Key 'sixth'",
}


def answer(tmp_path: Path, capsys: pytest.CaptureFixture[str], buses: str, more: str = "") -> str:
    bench = tmp_path / "b.yaml"
    bench.write_text(f"name: b\nvehicle: compact\nbuses: {buses}\n{more}", encoding="utf-8")
    assert main(["check", str(bench)]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_in_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str], expression: str) -> None:
    raw = f"id: 1, period: 10, data: '00', signals: {{X: {{bit: 0, width: 8, expression: '{expression}'}}}}"
    told = answer(tmp_path, capsys, f"{{can: {{interface: embedded, raw: {{A: {{{raw}}}}}}}}}")
    assert EXPRESSIONS[expression] in told


@pytest.mark.parametrize("calculation", CALCULATIONS)
def test_a_calculation_in_place_of_an_entry(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], calculation: str
) -> None:
    messages = f"messages: {{EngineData1: {{signals: {{EngineRpm: {calculation}}}}}}}"
    told = answer(tmp_path, capsys, f"{{can: {{interface: embedded, database: powertrain.dbc, {messages}}}}}")
    assert f"EngineRpm.from: is a calculation, not an entry: write {{expression: {calculation}}}" in told


@pytest.mark.parametrize("buses", BUSES)
def test_a_bus_as_people_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], buses: str) -> None:
    assert BUSES[buses] in answer(tmp_path, capsys, buses)


def test_a_list_without_its_dashes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(tmp_path, capsys, "{can: {interface: embedded}}", "inputs:\n  source: keyboard\n")
    assert "inputs: needs a list, found keys with values; begin each of its items with '- '" in told


def test_an_identifier_with_a_digit_too_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is possible, so the bench runs, with a word."""
    bench = tmp_path / "b.yaml"
    for extended, told in (("", True), (", extended: true", False)):
        raw = f"{{A: {{id: 0x3D00, period: 10, data: '00'{extended}}}}}"
        buses = f"{{can: {{interface: embedded, raw: {raw}}}}}"
        bench.write_text(f"name: b\nvehicle: compact\nbuses: {buses}\n", encoding="utf-8")
        assert main(["check", str(bench)]) == 0
        assert ("the identifier 0x3D00 has 29 bits" in " ".join(capsys.readouterr().out.split())) is told


@pytest.mark.parametrize("step", STEPS)
def test_a_step_as_people_write_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str) -> None:
    scenario = tmp_path / "s.yaml"
    scenario.write_text(f"steps:\n  - {step}\n", encoding="utf-8")
    assert main(["check", "demo", str(scenario)]) == 2
    assert STEPS[step] in capsys.readouterr().err


def test_a_suite_is_checked_scenario_by_scenario(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of scenarios, on the bench beside it."""
    for name, key in (("a", "input.Key: 1"), ("b", "input.Key: 0")):
        (tmp_path / f"{name}.yaml").write_text(f"steps:\n  - set: {{{key}}}\n", encoding="utf-8")
    assert main(["check", "demo", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert all(f"scenario {tmp_path}/{name}.yaml: 1 step, which fit bench demo" in told for name in "ab")
    (tmp_path / "b.yaml").write_text("steps:\n  - set: {input.Kex: 0}\n", encoding="utf-8")
    assert main(["check", "demo", str(tmp_path)]) == 2
    assert f"{tmp_path}/b.yaml:2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rn"], "unknown: 'rn'; did you mean 'run'?"),
        (["schema", "bnch"], "unknown: 'bnch'; did you mean 'bench'?"),
        (["ctl", "sett"], "unknown: 'sett'; did you mean 'set'?"),
        (["frobnicate"], "unknown: 'frobnicate'; hilbridge --help lists them"),
        (["run", "nosuch.yaml"], "no bench 'nosuch.yaml' (there is no such file); looked in "),
        (["run", "vw"], "no bench 'vw' (did you mean 'cluster-vw-mqb' or 'cluster-vw-pq'?)"),
        (["new", "--from", "nope.dbc", "x.yaml"], "no database 'nope.dbc' (there is no such file)"),
        (["trust", "nofile.yaml"], "no bench 'nofile.yaml' (there is no such file)"),
        (["check", "nix.dbc"], "no bench 'nix.dbc' (there is no such file)"),
        (["run", "demo", "--clok", "virtual"], "unrecognized arguments: --clok virtual; did you mean '--clock'?"),
        (["run", "demo", "--durration=5"], "unrecognized arguments: --durration=5; did you mean '--duration'?"),
        (["run", "demo", "twice"], "unrecognized arguments: twice\n"),
        (["presets", "nosuch"], "unknown preset 'nosuch'; `hilbridge presets` lists all"),
    ],
)
def test_a_name_that_does_not_exist(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Five names at most, and near ones."""
    try:
        assert main(words) == 2
    except SystemExit as end:  # argparse
        assert end.code == 2  # noqa: PT017
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("words", "found"), [("profiles golf", "vw-mqb vw-pq"), ("presets audi", "vw-mlb vw-mqb")])
def test_a_word_finds_what_is_about_it(words: str, found: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in found.split())
    assert "honda" not in told
