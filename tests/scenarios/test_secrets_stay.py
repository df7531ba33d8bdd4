"""The secrets of a bench stay on it: they are in nothing that leaves it."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.boundary.observe.bench_archive import archive_of
from hilbridge.boundary.record.zipped import write_zip
from hilbridge.commands.cli import main
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle

from ..program import hilbridge, running

PAGE, METRICS = "token-of-the-page-7c1d", "token-of-the-metrics-9b"

OTHER = f"""metrics:
  port: 1
  token: >-
    {METRICS}"""

BENCH = f"""
name: guarded
vehicle: compact
rate: 100
state: none
cockpit: {{port: 0, token: &page {PAGE}}}
{OTHER}
buses:
  powertrain: {{interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}}
"""

SCENARIO = """
steps:
  - set: {input.Key: 1}
  - after: 0.1
    expect: "vehicle.EngineRpm > 100000"
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    (tmp_path / "short.yaml").write_text(SCENARIO, encoding="utf-8")
    file = tmp_path / "guarded.yaml"
    file.write_text(BENCH, encoding="utf-8")
    return file


def leaks(content: bytes) -> list[str]:
    """The secrets that are in a content, or in an archive that it is."""
    found = [token for token in (PAGE, METRICS) if token.encode() in content or token.encode("utf-16-le") in content]
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            found += [token for name in archive.namelist() for token in leaks(archive.read(name))]
    return found


def files(folder: Path) -> Iterator[Path]:
    return (each for each in folder.rglob("*") if each.is_file())


def test_a_recording_lacks_them_and_repeats_to_the_byte(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So does its zip. Its files are for their owner alone. A copy needs a secret anew where something is opened."""
    run = hilbridge("run", bench, "--clock", "virtual", "--duration", "0.5", "--no-web", "--record", tmp_path / "made")
    assert run.returncode == 0, run.stderr
    assert not leaks((run.stdout + run.stderr).encode())
    write_zip(tmp_path / "made", tmp_path / "made.zip")
    assert {each.name: leaks(each.read_bytes()) for each in (*files(tmp_path / "made"), tmp_path / "made.zip")} == {
        each.name: [] for each in (*files(tmp_path / "made"), tmp_path / "made.zip")
    }
    assert {each.stat().st_mode & 0o777 for each in files(tmp_path / "made/bench")} == {0o600}
    assert main(["replay", str(tmp_path / "made")]) == 0
    assert capsys.readouterr().out.startswith("identical")
    copy = tmp_path / "made/bench/bench.yaml"
    assert main(["check", str(copy)]) == 0
    capsys.readouterr()
    for words in (["run", str(copy), "--clock", "virtual", "--duration", "0.1"], ["run", str(copy), "--no-web"]):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert "token: this secret was left out when the bench was copied: write one here" in said


def test_a_campaign_lacks_them(bench: Path, tmp_path: Path) -> None:
    """Its files, its rows, its recordings, its reports."""
    (tmp_path / "starts.yaml").write_text(f"bench: {bench.name}\nscenario: short.yaml\n", encoding="utf-8")
    reports = [word for kind in ("html", "xml") for word in ("--report", str(tmp_path / f"results/all.{kind}"))]
    words = ["campaign", tmp_path / "starts.yaml", "--into", tmp_path / "results", *reports]
    made = hilbridge(*words)
    assert made.returncode == 1, made.stderr
    assert [each.name for each in (tmp_path / "results/recordings").iterdir()]
    assert [each for each in files(tmp_path / "results") if leaks(each.read_bytes())] == []
    assert not leaks((made.stdout + made.stderr).encode())


@pytest.mark.parametrize("key", ["bench.cockpit.token", "bench.metrics.token"])
def test_a_secret_is_no_value_of_a_command_or_a_campaign(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    """They would be in rows, reports and lists of processes."""
    (tmp_path / "starts.yaml").write_text(
        f"bench: {bench.name}\nscenario: short.yaml\nvary: {{{key}: [{PAGE}]}}\n", encoding="utf-8"
    )
    assert main(["campaign", str(tmp_path / "starts.yaml"), "--into", str(tmp_path / "results")]) == 2
    assert main(["run", str(bench), "--clock", "virtual", "--duration", "1", "--set", f"{key}={PAGE}"]) == 2
    said = capsys.readouterr().err
    assert said.count(f"{key} is a secret, which belongs into the bench file") == 2
    assert not leaks(said.encode())
    assert not (tmp_path / "results").exists()


def test_what_is_said_of_the_bench_lacks_them(bench: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["check", str(bench)], ["check", str(bench), "--json"], ["values", str(bench)], ["schema"]):
        main(words)
    said = capsys.readouterr()
    assert "guarded" in said.out
    assert not leaks((said.out + said.err).encode())
    assert not leaks(archive_of(bundle(load_bench(str(bench)))))
    assert not leaks(repr(load_bench(str(bench)).settings).encode())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OTHER, f"metrics: {METRICS}"),
        (OTHER, f"metrics: ['{METRICS}']"),
        (OTHER, f"metrics: {{tokn: {METRICS}}}"),
        (OTHER, f"metrics: {{port: 1, token: [{METRICS}]}}"),
        (OTHER, f"metrics: {{port: 1, token: '{METRICS} and more'}}"),
        (OTHER, f"metrics: {{port: 1, token: {{{METRICS}: 1}}}}"),
        (f"token: &page {PAGE}", f"token: &page {PAGE}: 7"),
        (f"token: &page {PAGE}", f"token: '{PAGE}"),
        (f"token: &page {PAGE}", f"token: {{a: {PAGE}, b}}, token: {PAGE}"),
    ],
    ids=range(9),
)
def test_errors_do_not_repeat_them(bench: Path, capsys: pytest.CaptureFixture[str], old: str, new: str) -> None:
    """Whatever is wrong with the line where one stands."""
    assert old in BENCH
    bench.write_text(BENCH.replace(old, new), encoding="utf-8")
    for words in (["check", str(bench)], ["check", str(bench), "--json"]):
        assert main(words) != 0
    said = capsys.readouterr()
    assert "guarded.yaml" in said.out + said.err
    assert not leaks((said.out + said.err).encode())


def test_a_running_bench_says_neither(bench: Path, tmp_path: Path) -> None:
    """In its log, its status, its event list, and a recording that begins and reloads while it runs."""
    text = BENCH.replace(OTHER, "") + f"control: {{socket: {tmp_path}/control.sock}}\n"
    bench.write_text(text, encoding="utf-8")
    with running(bench, page=True) as program:
        url = program.wait_for("cockpit")["url"]
        assert not leaks(url.encode())
        made, talk = tmp_path / "made", ("ctl", "--bench", tmp_path / "control.sock")
        for words in (("status",), ("--json", "status"), ("record", "start", made), ("reload",), ("record", "stop")):
            said = hilbridge(*talk, *words)
            assert said.returncode == 0, said.stderr
            assert not leaks((said.stdout + said.stderr).encode())
        program.stop()
        assert not leaks(json.dumps(program.records).encode())
    assert [each for each in files(tmp_path) if each != bench and leaks(each.read_bytes())] == []
