"""`hilbridge explain`: of a run, of a plan, with the trouble codes of the cluster; its status says if all is well."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from hilbridge.commands.cli import main
from hilbridge.testing import VirtualBench

from ....control_door import ControlDoor
from .cluster import bench_file, bmw_cluster


@contextmanager
def running(folder: Path, *changes: tuple[str, str]) -> Iterator[tuple[Path, VirtualBench]]:
    """The bench with a control socket; a tenth of a second passes before each command."""
    socket = folder / "desk.sock"
    file = bench_file(folder, ("name: desk\n", f"name: desk\ncontrol: {{socket: {socket}}}\n"), *changes)
    ended = Event()
    with VirtualBench(file) as bench:
        server = ControlDoor(socket)

        def handle(line: bytes) -> bytes:
            bench.advance(0.1)
            answer: dict[str, Any] = json.loads(bench.obey(line))
            return json.dumps({"time": bench.time, **answer}).encode()

        def serve() -> None:
            while not ended.wait(0.001):
                server.turn(handle)

        thread = Thread(target=serve)
        bench.set("input.Key", 0)
        bench.advance(4)
        thread.start()
        try:
            yield file, bench
        finally:
            ended.set()
            thread.join()
            server.close()


def explained(*words: Any) -> int:
    return main(["explain", *map(str, words)])


def test_a_run_is_explained_lamp_by_lamp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One screen; status 1 while something is wrong, and the frame is named with its lamps."""
    silent = ("        period: 100\n        signals:\n          Speed shown", "        signals:\n          Speed shown")
    with running(tmp_path, silent) as (file, bench):
        assert explained(file) == 0
        printed = capsys.readouterr().out
        assert "lamps ABS, ESP, brake" in printed
        assert "needles speedometer, rev counter" in printed
        assert "no lamp or needle known: Quiet" in printed
        bench.fault("frame dash.Brakes checksum wrong=random")
        assert explained(file) == 1
        (line,) = [line for line in capsys.readouterr().out.splitlines() if "fault" in line]
        assert line == (
            "  lamps ABS, ESP, brake: Brakes (0x212): fault 1: frame dash.Brakes checksum random"
            " -> hilbridge ctl fault clear 1"
        )
        assert explained(file, "--json", "--lamp", "esp") == 1
        (verdict,) = json.loads(capsys.readouterr().out)["verdicts"]
        assert (verdict["name"], verdict["state"], verdict["frames"]) == ("ESP", "wrong", ["Brakes (0x212)"])
        assert explained(file, "--lamp", "speedometer") == 0
        assert explained(file, "--lamp", "abz") == 2
        assert "did you mean ABS?" in capsys.readouterr().err


def test_the_plan_is_explained_without_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And said to be no more; codes cannot be read then."""
    file = bench_file(tmp_path)
    assert explained(file) == 0
    assert "not running: only what the plan shows" in capsys.readouterr().out
    assert explained(file, "--codes") == 2
    assert "is not running" in capsys.readouterr().err


def test_codes_and_identification_are_read_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With their text where it is known; what the unit refuses is said, and is no error."""
    unit = bmw_cluster({"22F187": "62F187" + b"9123456".hex(), "19028D": "5902FF01710089D1010840"})
    with running(tmp_path) as (file, bench):
        bench.attach("dash", unit)
        assert explained(file, "--codes") == 1
    printed = capsys.readouterr().out
    assert "  spare part number: 9123456\n" in printed
    assert "  serial number: refused: request out of range (31)\n" in printed
    assert "  P0171-00 [017100]: System too lean, bank 1 (failing, confirmed, warning lamp)\n" in printed
    assert "  U1101-08 [D10108]: text not known (not failing)\n" in printed
    assert {request[0] for request in unit.asked} == {0x19, 0x22}


def test_a_unit_that_does_not_answer_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path, ("target: 0x60", "target: 0x60, identifiers: []")) as (file, _):
        assert explained(file, "--codes") == 1
    assert "no answer to 19 02 8d on bus dash" in capsys.readouterr().out


def test_a_frame_of_which_no_lamp_is_known_is_named_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path) as (file, bench):
        bench.fault("frame dash.Quiet drop")
        assert explained(file) == 1
    assert "  no lamp or needle known: Quiet (0x420): fault 1: " in capsys.readouterr().out
