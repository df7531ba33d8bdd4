"""`hilbridge new` writes a bench file and checks it."""

from pathlib import Path

import pytest
import yaml

from hilbridge.commands.cli import main


def test_a_packaged_database_becomes_a_bench(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is written, and the report of `check` printed."""
    file = tmp_path / "desk.yaml"
    assert main(["new", "--from", "vw_mqb_cluster.dbc", str(file), "--bus", "comfort"]) == 0
    assert "bus comfort: embedded" in capsys.readouterr().out
    settings = yaml.safe_load(file.read_text())
    assert (settings["name"], settings["buses"]["comfort"]["database"]) == ("desk", "vw_mqb_cluster.dbc")


def test_without_a_file_the_text_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing else with it."""
    assert main(["new", "--from", "cluster"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["name"] == "my-cluster"


def test_a_file_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless that is asked for."""
    file = tmp_path / "desk.yaml"
    file.write_text("mine")
    assert main(["new", "--from", "cluster", str(file)]) == 2
    assert "is there already; --force overwrites it" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert main(["new", "--from", "cluster", str(file), "--force"]) == 0
    assert "name: desk" in file.read_text()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--from", "cluster", "--node", "BODY"], "--node belongs to a database"),
        (["--from", "cluster", "--bus", "can"], "--bus belongs to a database"),
        (["--from", "cluster", "--bitrate", "500000"], "--bitrate belongs to a database"),
        (["--from", "cluster", "--channel", "can0"], "belongs to an --interface"),
        (["--from", "clutser"], "did you mean 'cluster'"),
        (["--from", "nowhere.dbc"], "no database 'nowhere.dbc'"),
        (["--from", "powertrain.dbc", "--node", "HILBRIGE"], "did you mean HILBRIDGE"),
        (["--from", "cluster", "no/such/folder.yaml"], "cannot write"),
    ],
)
def test_what_cannot_be_is_refused(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, with the reason."""
    assert main(["new", *words]) == 2
    assert reason in capsys.readouterr().err
