"""`hilbridge doctor` finds what a bench lacks on this machine, and says how to get it."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hilbridge.commands.cli import main


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """A bench that runs anywhere."""
    (tmp_path / "car.yaml").write_text("name: car\n")
    file = tmp_path / "bench.yaml"
    file.write_text("name: test\nvehicle: ./car.yaml\n")
    return file


@pytest.fixture
def used_port() -> Iterator[int]:
    """A loopback TCP port that another program has."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def examine(capsys: pytest.CaptureFixture[str], bench: Path) -> tuple[int, Any]:
    status = main(["doctor", str(bench), "--json"])
    return status, json.loads(capsys.readouterr().out)


def errors(report: Any) -> list[str]:
    return [finding["subject"] for finding in report["findings"] if finding["state"] == "error"]


def test_a_bench_that_needs_nothing_can_run(capsys: pytest.CaptureFixture[str], bench: Path) -> None:
    """Exit status 0, whatever warnings this machine deserves."""
    status, report = examine(capsys, bench)
    assert (status, report["can_run"], errors(report)) == (0, True, [])
    assert {finding["state"] for finding in report["findings"]} <= {"good", "warning"}
    assert (Path(report["documents"]) / "README.md").is_file()


@pytest.mark.parametrize(
    ("lines", "subject"),
    [
        ("buses:\n  one: {interface: socketcan, channel: hbnone0, wait: required}\n", "interface hbnone0"),
        ("inputs:\n  - {source: serial, port: /dev/null/none, signals: {Key: {}}}\n", "serial port /dev/null/none"),
    ],
)
def test_what_a_bench_needs_and_the_machine_lacks_is_an_error_with_a_remedy(
    capsys: pytest.CaptureFixture[str], bench: Path, lines: str, subject: str
) -> None:
    """Exit status 1."""
    bench.write_text(bench.read_text() + lines)
    status, report = examine(capsys, bench)
    assert (status, report["can_run"], errors(report)) == (1, False, [subject])
    assert all(finding["remedy"] for finding in report["findings"] if finding["state"] == "error")


def test_a_port_that_another_program_has_is_an_error(
    capsys: pytest.CaptureFixture[str], bench: Path, used_port: int
) -> None:
    """The same bench can run when the port is free."""
    bench.write_text(f"{bench.read_text()}buses:\n  one: {{interface: embedded, slcan: {used_port}}}\n")
    status, report = examine(capsys, bench)
    assert (status, errors(report)) == (1, [f"TCP port {used_port}"])


@pytest.mark.parametrize(
    "lines",
    [
        "inputs:\n  - {source: serial, port: pty, signals: {Key: {}}}\n",
        "buses:\n  one: {interface: embedded, slcan: [0, pty]}\n  two: {interface: virtual, channel: 0}\n",
    ],
)
def test_what_the_daemon_makes_itself_is_not_asked_for(
    capsys: pytest.CaptureFixture[str], bench: Path, lines: str
) -> None:
    """Pseudo terminals, any free port, and interfaces of plain Python."""
    bench.write_text(bench.read_text() + lines)
    assert examine(capsys, bench)[0] == 0


@pytest.mark.parametrize(
    ("lines", "state", "reason"),
    [
        ("{interface: slcan, channel: /dev/hb-none}", "awaited", "No such file or directory"),
        ("{interface: slcan, channel: /dev/hb-none, wait: required}", "error", "and the bench requires it"),
        ("{interface: virtual, channel: 0, options: {no_such_parameter: 1}}", "error", "'no_such_parameter'"),
    ],
)
def test_a_channel_that_does_not_open_is_found_with_its_reason(
    capsys: pytest.CaptureFixture[str], bench: Path, lines: str, state: str, reason: str
) -> None:
    """Tried in a helper process, as a run would, which awaits what may come late; the driver alone may well load."""
    bench.write_text(f"{bench.read_text()}buses:\n  one: {lines}\n")
    status, report = examine(capsys, bench)
    (finding,) = (finding for finding in report["findings"] if finding["state"] not in ("good", "warning"))
    assert (finding["state"], reason in finding["text"], bool(finding["remedy"])) == (state, True, True)
    assert finding["subject"].startswith("channel ")
    assert (status, report["can_run"]) == ((1, False) if state == "error" else (0, True))
    if state == "awaited":
        assert main(["doctor", str(bench)]) == 0
        verdict = f"\nbench {bench} can run here; awaited, as late as it comes: channel /dev/hb-none\n"
        assert capsys.readouterr().out.endswith(verdict)


def test_an_error_in_the_bench_file_is_a_finding_each(capsys: pytest.CaptureFixture[str], bench: Path) -> None:
    """The machine is examined all the same."""
    bench.write_text(f"{bench.read_text()}rate: 60\nseed: -1\n")
    status, report = examine(capsys, bench)
    assert (status, errors(report)) == (1, [f"bench {bench}"] * 2)
    texts = [finding["text"] for finding in report["findings"] if finding["state"] == "error"]
    assert [text.split(": ")[0] for text in texts] == [f"{bench}:3", f"{bench}:4"]


def test_a_bench_that_is_not_there_is_a_finding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With what would be right instead."""
    status, report = examine(capsys, tmp_path / "nothing.yaml")
    assert (status, errors(report)) == (1, [f"bench {tmp_path}/nothing.yaml"])


def test_the_printed_report_ends_with_the_verdict(capsys: pytest.CaptureFixture[str], bench: Path) -> None:
    """One line per finding, the remedy below it."""
    assert main(["doctor", str(bench)]) == 0
    assert capsys.readouterr().out.endswith(f"\nbench {bench} can run here\n")
    bench.write_text("name: test\n")
    assert main(["doctor", str(bench)]) == 1
    output = capsys.readouterr().out
    assert f"{bench}:1: vehicle: is missing" in output
    assert output.endswith(f"\nbench {bench} cannot run here; errors: 1\n")
