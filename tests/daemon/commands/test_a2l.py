"""`hilbridge a2l` writes the A2L file of a bench."""

from pathlib import Path

import pytest

from hilbridge.commands.cli import main

BENCH = "name: described\nvehicle: compact\ninputs: [{source: demo-driver}]\n"


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    file = tmp_path / "bench.yaml"
    file.write_text(BENCH + "xcp: {port: 5580, write: true}\n", encoding="utf-8")
    return file


def test_a_new_file_is_written(bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that is there is left as it is."""
    file = tmp_path / "bench.a2l"
    assert main(["a2l", str(bench), "-o", str(file)]) == 0
    assert "tcp port 5580 of 127.0.0.1" in capsys.readouterr().out
    content = file.read_bytes()
    assert content.startswith(b"ASAP2_VERSION 1 61\n")
    assert "°C" in content.decode("latin-1")
    assert main(["a2l", str(bench), "-o", str(file)]) == 2
    assert "exists" in capsys.readouterr().err
    assert file.read_bytes() == content


def test_a_bench_without_a_slave_has_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text(BENCH, encoding="utf-8")
    assert main(["a2l", str(file), "-o", str(tmp_path / "x.a2l")]) == 2
    assert "no XCP slave" in capsys.readouterr().err
    assert not (tmp_path / "x.a2l").exists()


def test_a_port_that_is_not_known_is_in_no_file(
    bench: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write_text(BENCH + "xcp: {port: 0}\n", encoding="utf-8")
    assert main(["a2l", str(bench), "-o", str(tmp_path / "x.a2l")]) == 2
    assert "xcp.port is 0" in capsys.readouterr().err
    assert not (tmp_path / "x.a2l").exists()
