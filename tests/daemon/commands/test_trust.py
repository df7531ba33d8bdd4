"""Python code that a bench, a vehicle or a recording names runs here after somebody has trusted it, and not before."""

import io
import json
import sys
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.trust import gate, store
from hilbridge.boundary.observe.bench_archive import BenchArchive
from hilbridge.commands import cli
from hilbridge.runs.reload.check import check
from hilbridge.testing import VirtualBench

from ...program import hilbridge

BENCH = """
name: own
vehicle: ./car.yaml
buses: {one: {interface: embedded, database: powertrain.dbc}}
diagnostics:
  units:
    ecm:
      unit: engine
      bus: one
      uds:
        memory: [{address: 0x1000, data: CAFE, security: 1}]
        security: {provider: 'keys.py:key'}
"""

CAR = "name: car\ncomponents:\n  - {type: 'parts.py:Part'}\n"

RAN = "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"
"""Code that leaves a file beside it when it runs."""

KEYS = RAN + "def key(level, seed):\n    return seed\n"
PARTS = RAN + "from vehiclesim import Component\nclass Part(Component):\n    pass\n"


class Terminal(io.StringIO):
    """A terminal with somebody who types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test begins as a process does."""
    monkeypatch.setattr(gate, "_GATE", gate._Gate())


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    for name, text in (("bench.yaml", BENCH), ("car.yaml", CAR), ("keys.py", KEYS), ("parts.py", PARTS)):
        (tmp_path / name).write_text(text)
    return tmp_path / "bench.yaml"


def ran(bench: Path) -> list[str]:
    """What has run."""
    return sorted(file.stem for file in bench.parent.glob("*.ran"))


def types(monkeypatch: pytest.MonkeyPatch, text: str) -> Terminal:
    """Somebody types on a terminal; return what they see."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stdin", Terminal(text))
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


@pytest.mark.parametrize(
    "words", [["check"], ["run", "--clock", "virtual", "--duration", "1"], ["explain"], ["doctor"]]
)
def test_where_nobody_can_answer_code_is_refused(
    bench: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A service, a pipe: status 2 (of doctor 1), with file, line and key, and nothing of it has run."""
    assert cli.main([words[0], str(bench), *words[1:]]) == (1 if words == ["doctor"] else 2)
    said = "".join(capsys.readouterr())
    assert "car.yaml:3: components[0].type: " in said
    assert "code that nobody has trusted here; read it, then: hilbridge trust FILE" in said
    assert not ran(bench)


def test_a_key_provider_that_is_not_trusted_opens_nothing(bench: Path) -> None:
    """There is no bench at all then: not one whose security access has no key, or another."""
    (bench.parent / "car.yaml").write_text("name: car\n")
    with pytest.raises(ConfigurationError, match=r"ecm\.uds\.security\.provider: .*keys\.py' is code that nobody"):
        VirtualBench(bench)
    assert not ran(bench)


def test_trust_is_given_to_all_that_a_bench_names(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From then on every command runs it, until it changes; `trust` alone lists it."""
    assert cli.main(["trust", str(bench)]) == 0
    assert capsys.readouterr().out == "".join(f"trusted: {bench.parent}/{name}.py\n" for name in ("parts", "keys"))
    assert cli.main(["check", str(bench)]) == 0
    assert ran(bench) == ["keys", "parts"]
    capsys.readouterr()
    assert cli.main(["trust"]) == 0
    assert [line.split("  ")[1] for line in capsys.readouterr().out.splitlines()] == [
        f"{bench.parent}/{name}.py" for name in ("parts", "keys")
    ]
    (bench.parent / "keys.py").write_text(KEYS + "\n")
    assert cli.main(["check", str(bench)]) == 2


def test_a_vehicle_or_a_python_file_is_trusted_alone(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trust", str(bench.with_name("car.yaml"))]) == 0
    assert ran(bench) == ["parts"]
    assert cli.main(["trust", str(bench.with_name("keys.py"))]) == 0
    assert ran(bench) == ["parts"]
    assert cli.main(["check", str(bench)]) == 0
    assert cli.main(["trust", "demo"]) == 0
    assert cli.main(["trust", str(bench.with_name("none.py"))]) == 2
    assert "none.py cannot be read" in capsys.readouterr().err


def test_trust_is_taken_away(bench: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["trust", str(bench)]) == 0
    assert cli.main(["trust", "--forget", str(bench.with_name("keys.py"))]) == 0
    assert cli.main(["trust", "--forget", str(bench.with_name("keys.py"))]) == 1
    monkeypatch.setattr(gate, "_GATE", gate._Gate())
    assert cli.main(["check", str(bench)]) == 2
    assert "keys.py' is code" in capsys.readouterr().err


def test_the_option_trusts_and_remembers(bench: Path) -> None:
    assert cli.main(["check", "--trust", str(bench)]) == 0
    assert len(store.entries()) == 2
    assert cli.main(["check", str(bench)]) == 0


def test_a_campaign_runs_the_code_that_the_option_trusts(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also that of control units, of which only the building of a bench knows; without it no run is begun."""
    (bench.parent / "short.yaml").write_text("steps: [{set: {input.Key: 1}}]\n")
    campaign = bench.with_name("campaign.yaml")
    campaign.write_text("bench: bench.yaml\nscenario: short.yaml\n")
    assert cli.main(["campaign", str(campaign)]) == 2
    assert not campaign.with_suffix(".results").exists()
    assert cli.main(["campaign", "--trust", str(campaign)]) == 0
    assert len(store.entries()) == 2
    assert capsys.readouterr().out.startswith("1 passed; ")


def test_on_a_terminal_it_is_asked_and_yes_is_remembered(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each file, before anything of it runs."""
    shown = types(monkeypatch, "y\nyes\n")
    assert cli.main(["check", str(bench)]) == 0
    assert shown.getvalue().count("It would run with all your rights") == 2
    assert f"'{bench.parent}/keys.py'\nTrust it as it is now? [y/N]" in shown.getvalue()
    shown = types(monkeypatch, "")
    assert cli.main(["check", str(bench)]) == 0
    assert not shown.getvalue()


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "maybe\n"])
def test_anything_but_yes_is_no(bench: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    types(monkeypatch, answer)
    assert cli.main(["check", str(bench)]) == 2
    assert not ran(bench)
    assert not store.entries()


def test_a_reload_refuses_and_never_asks(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even of a run on a terminal: its check is a process of its own, without one; and the tick asks nobody."""
    shown = types(monkeypatch, "y\ny\n")
    with pytest.raises(ConfigurationError, match=r"car\.yaml:3: components\[0\]\.type: .*nobody has trusted"):
        check(str(bench), None, BenchArchive.create({}))
    assert not shown.getvalue()
    assert not ran(bench)


def test_doctor_says_which_code_a_bench_has(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error that names the remedy while it is not trusted."""
    assert cli.main(["trust", str(bench.with_name("car.yaml"))]) == 0
    capsys.readouterr()
    assert cli.main(["doctor", str(bench), "--json"]) == 1
    told = {one["text"]: one["remedy"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert f"{bench.parent}/parts.py is trusted" in told
    assert told[f"{bench.parent}/keys.py is not trusted here"] == f"read it, then: hilbridge trust {bench}"


def test_a_recording_of_a_stranger_is_replayed_when_its_code_is_trusted(
    bench: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its bench has copies of the code. One without code is replayed at once."""
    virtual = ["--clock", "virtual", "--duration", "0.02", "--record"]
    assert cli.main(["run", str(bench), "--trust", *virtual, str(tmp_path / "own")]) == 0
    assert cli.main(["run", "demo", *virtual, str(tmp_path / "demo")]) == 0
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "stranger"))
    monkeypatch.setattr(gate, "_GATE", gate._Gate())
    assert cli.main(["replay", str(tmp_path / "own")]) == 2
    assert "parts.py' is code that nobody has trusted here" in capsys.readouterr().err
    assert cli.main(["replay", str(tmp_path / "demo")]) == 0
    assert cli.main(["trust", str(tmp_path / "own")]) == 0
    assert cli.main(["replay", str(tmp_path / "own")]) == 0


def test_modules_of_the_working_directory_are_not_found(bench: Path) -> None:
    """`python -m` would put it before all others: its yaml.py would be imported before any bench is read."""
    folder = bench.parent
    (folder / "car.yaml").write_text("name: car\n")
    bench.write_text(BENCH.replace("keys.py:key", "keys:key"))
    (folder / "yaml.py").write_text(RAN)
    run = hilbridge("check", "bench.yaml", cwd=folder)
    assert run.returncode == 2
    assert "cannot import keys: no file of a package that is installed" in run.stderr
    assert not ran(bench)
