"""A bench of a stranger runs no code by a name that it gives, whatever command reads it."""

import json
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.commands.cli import main
from hilbridge.runs.campaign.play import play
from hilbridge.runs.reload.check import check
from hilbridge.testing import VirtualBench

from ..daemon.runs.campaign.campaigns import runs

BENCH: Final = """
name: gift
vehicle: {vehicle}
buses: {{one: {{interface: embedded, database: powertrain.dbc}}}}
{line}
"""

SHELL: Final = "!!python/object/apply:os.system ['touch PWNED']"

LEAVES: Final = "import os\nos.system('touch PWNED')\nclass Unit:\n    receive = tick = os.system\n"


def client(name: str) -> str:
    """Return the lines of a lockstep client by a name, with arguments that leave a file where they are called."""
    arguments = json.dumps([SHELL if "yaml" in name else "touch PWNED"])
    return f"lockstep: {{a: {{bus: one, python: {json.dumps(name)}, arguments: {arguments}}}}}"


def unit(settings: str) -> str:
    return f"diagnostics: {{units: {{ecm: {{unit: engine, bus: one, uds: {{{settings}}}}}}}}}"


def protected(function: str) -> str:
    checksum = f'{{at: {{bit: 0, width: 8}}, algorithm: hook, function: "{function}"}}'
    return f"frames: [{{id: 0x123, bus: one, data: 0000, period: 10, protection: [{{checksum: {checksum}}}]}}]"


LINES: Final = {
    "lockstep": client("yaml:unsafe_load"),
    "lockstep, deep": client("yaml.constructor:UnsafeConstructor"),
    "lockstep, dotted": client("yaml:YAMLObject.from_yaml"),
    "lockstep, own": client("hilbridge.commands.cli:main"),
    "lockstep, of Python": client("os:system"),
    "lockstep, beside": client("gift:Unit"),
    "lockstep, a file": client("gift.py:Unit"),
    "lockstep, a program": "lockstep: {a: {bus: one, program: gift.py}}",
    "keys": unit('security: {provider: "yaml:unsafe_load"}'),
    "keys, beside": unit('security: {provider: "gift:key"}'),
    "authentication": unit('authentication: {function: "yaml:unsafe_load"}'),
    "identifiers": unit('identifiers: {"0100": {hook: "yaml:unsafe_load"}}'),
    "routines": unit('routines: {"0300": {hook: "gift:Unit"}}'),
    "checksums": protected("yaml:unsafe_load"),
}

EVERYWHERE: Final = pytest.mark.parametrize("line", LINES.values(), ids=LINES)
SOME: Final = pytest.mark.parametrize(
    "line", [LINES[each] for each in ("lockstep", "lockstep, a file", "keys, beside")]
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: that of the stranger's files, with a package that calls itself installed."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())
    monkeypatch.chdir(tmp_path)
    about = tmp_path / "gift-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: gift\nVersion: 1.0\n")
    (about / "RECORD").write_text("gift.py,,\n")
    (about / "entry_points.txt").write_text("[hilbridge_lockstep]\na = gift:Unit\n[hilbridge_keys]\nb = gift:key\n")
    (tmp_path / "gift.py").write_text(LEAVES)
    return tmp_path


def bench(folder: Path, line: str, vehicle: str = "compact") -> Path:
    file = folder / "evil.yaml"
    file.write_text(BENCH.format(line=line, vehicle=vehicle))
    return file


def nothing_ran(folder: Path) -> bool:
    return not (folder / "PWNED").exists() and not store.entries()


@EVERYWHERE
@pytest.mark.parametrize(
    "words",
    [
        ["check"],
        ["run", "--clock", "virtual", "--duration", "0.1"],
        ["run", "--pace", "lockstep", "--duration", "0.1"],
    ],
    ids=["check", "virtual", "lockstep"],
)
def test_no_command_runs_it(folder: Path, line: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, with the line and the key."""
    if "lockstep" in words:
        line += "\nlockstep: {a: {bus: one, socket: here, timeout: 0.1}}" if "lockstep" not in line else ""
    assert main([words[0], str(bench(folder, line)), *words[1:]]) == 2
    assert "evil.yaml:5: " in capsys.readouterr().err
    assert nothing_ran(folder)


@SOME
def test_no_campaign_runs_it(folder: Path, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor a worker that gets its files from elsewhere: its run is refused."""
    bench(folder, line)
    (folder / "short.yaml").write_text("steps: [{set: {input.Key: 1}}]\n")
    (folder / "campaign.yaml").write_text("bench: evil.yaml\nscenario: short.yaml\n")
    assert main(["campaign", "campaign.yaml"]) == 2
    assert "evil.yaml:5: " in capsys.readouterr().err
    (folder / "evil.yaml").write_text(BENCH.format(line="", vehicle="compact"))
    files, (run,) = runs(folder, "bench: evil.yaml\nscenario: short.yaml\n")
    (received,) = (each for each in files.rglob("*.yaml") if "name: gift" in each.read_text())
    received.write_text(BENCH.format(line=line.replace("gift.py", str(folder / "gift.py")), vehicle="compact"))
    assert play(files, run)["verdict"] == "refused"
    assert nothing_ran(folder)


@SOME
def test_no_recording_and_no_reload_runs_it(folder: Path, line: str) -> None:
    """Nor a test of somebody who has not said that its code is his."""
    file = bench(folder, "")
    assert main(["run", str(file), "--clock", "virtual", "--duration", "0.02", "--record", "of"]) == 0
    (recorded,) = (folder / "of").rglob("bench.yaml")
    recorded.write_text(BENCH.format(line=line, vehicle="compact"))
    assert main(["replay", "of"]) == (0 if "lockstep" in line else 2)  # it plays what a unit under test has sent
    bench(folder, line)
    if "lockstep" not in line:  # a reload and a test of one's own start no units under test
        for read in (partial(check, str(file), None, BenchArchive.create({})), partial(VirtualBench, file)):
            with pytest.raises(ConfigurationError, match=r"evil\.yaml:5: "):
                read()
    assert nothing_ran(folder)


@pytest.mark.parametrize("kind", ["blocks", "components"])
@pytest.mark.parametrize("name", ["yaml:unsafe_load", "os:system", "gift:Unit", "gift.py:Unit", "vehiclesim:Vehicle"])
def test_no_vehicle_runs_it(folder: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the settings of the file as its arguments."""
    settings = json.dumps({"stream": 1, "command": 2})
    part = f"- {{name: a, type: '{name}', settings: {settings}}}"
    (folder / "car.yaml").write_text(
        f"name: car\n{kind}:\n  {part if kind == 'blocks' else part.replace('name: a, ', '')}\n"
    )
    assert main(["check", str(bench(folder, "", "./car.yaml"))]) == 2
    assert "car.yaml:3: " in capsys.readouterr().err
    assert nothing_ran(folder)


@pytest.mark.parametrize("name", ["yaml:unsafe_load", "yaml:YAMLObject"])
def test_what_is_trusted_is_still_no_unit(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The function is trusted, and is not called: it is no class with the methods of a unit."""
    assert main(["run", str(bench(folder, client(name))), "--pace", "lockstep", "--trust", "--duration", "0.1"]) == 2
    said = capsys.readouterr().err
    assert "has no class unsafe_load" in said or "YAMLObject has no method receive" in said
    assert [entry.label.split(" of ")[0] for entry in store.entries()] == [name]
    assert not (folder / "PWNED").exists()
