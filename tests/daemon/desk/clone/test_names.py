"""Names of requests and codes come from ODX documents into a clone: written by hand, and read by odxtools."""

import json
from pathlib import Path

import pytest

from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench

from ....odx_files import DOCUMENT, DOPS, SERVICES, document, package

TALK = """
74A#0322F187
7B4#0662F187414243
74A#0322010A
7B4#0462010A05
74A#0431010203
7B4#0571010203AA
74A#022105
7B4#03610507
74A#02A107
7B4#03E10709
74A#031902FF
7B4#075902FF41001409
"""
OTHER = """
7E0#0322F18C
7E8#0662F18C414243
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "unit.pdx").write_bytes(package({"box.odx-d": DOCUMENT, "job.jar": b"program"}))
    return written(tmp_path, TALK)


def written(folder: Path, talk: str) -> Path:
    lines = talk.split()
    path = folder / "talk.log"
    path.write_text("".join(f"({1 + 0.01 * n:.6f}) can0 {line}\n" for n, line in enumerate(lines)))
    return path


def test_requests_and_codes_have_the_names_of_the_file(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name is that of the constant beginning of a request: A1 of any channel; 22 010A is not in the file."""
    bench = tmp_path / "clone.yaml"
    assert main(["clone", str(log), "--odx", str(tmp_path / "unit.pdx"), "-o", str(bench)]) == 0
    said = capsys.readouterr().out
    assert "unit.pdx, unit: names 5 of 6 requests of unit_7B4, and 3 trouble codes" in said
    text = bench.read_text()
    for line, name in (("F187: {", "read_part"), ('"0203": {', "start_test"), ('"21 05": {', "local_block")):
        assert f"# {name}" in next(one for one in text.splitlines() if line in one), name
    assert "# any_channel, likely" in text
    assert '"010A": {data: "05"}' in text
    assert load_bench(str(bench)).settings.diagnostics.units["unit_7B4"].codes["C0100"].text == "fault 410014"
    assert main(["clone", str(log), "--odx", str(tmp_path / "unit.pdx"), "--json"]) == 0
    names = json.loads(capsys.readouterr().out)["units"]["unit_7B4"]["names"]
    assert names["22 F1 87"] == "read_part"
    assert "22 01 0A" not in names


def test_a_file_says_by_its_addresses_of_which_unit_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `hilbridge export` wrote of a bench has them; the names in it are those that odxtools lists."""
    log = written(tmp_path, TALK + OTHER)
    assert main(["export", "diagnostics", str(tmp_path / "car.pdx")]) == 0
    assert main(["clone", str(log), "--odx", f"{tmp_path}/car.pdx#engine"]) == 0
    assert "car.pdx, engine: names 1 of 1 request of engine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("{}/unit.pdx", "unit.pdx: of which control unit? write UNIT="),
        ("door={}/unit.pdx", "unknown control unit 'door'"),
        ("{}/unit.pdx#door", "has no variant 'door'"),
        ("{}/nowhere.pdx", "cannot be read: No such file"),
    ],
)
def test_what_is_not_clear_is_refused(
    log: Path, tmp_path: Path, source: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, TALK + OTHER)
    assert main(["clone", str(log), "--odx", source.format(tmp_path), "-o", str(tmp_path / "clone.yaml")]) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "clone.yaml").exists()
    assert main(["clone", str(log), "--odx", f"unit_7B4={tmp_path}/unit.pdx"]) == 0


def test_a_name_is_no_line_of_the_bench(tmp_path: Path) -> None:
    """Whatever a file calls its services, it stays a comment."""
    services = {"read_part": SERVICES["read_part"]}
    text = document(services, DOPS).replace(
        "<SHORT-NAME>read_part</SHORT-NAME>", "<SHORT-NAME>a\n      vin: &#x2028;vin: *x #</SHORT-NAME>"
    )
    (tmp_path / "unit.odx-d").write_text(text)
    log = written(tmp_path, TALK)
    assert main(["clone", str(log), "--odx", str(tmp_path / "unit.odx-d"), "-o", str(tmp_path / "clone.yaml")]) == 0
    assert load_bench(str(tmp_path / "clone.yaml")).settings.diagnostics.units["unit_7B4"].vin is None
