"""The end of a run by a signal, and what is refused before it begins."""

import signal
import subprocess
import sys
from pathlib import Path

from ..program import PATIENCE

RUN = """
import sys
import hilbridge.runs.run.run as run
from hilbridge.commands.cli import main
run._LONGEST_END = -1.0  # [s] of the processor, as if they were over
sys.exit(main(["run", "demo", "--clock", "virtual", "--log", "json", "--duration", "1e6"]))
"""


def test_an_end_that_takes_too_much_of_the_processor_is_cut_short(tmp_path: Path) -> None:
    """On the virtual clock; the recording is complete, and the log says what was left out."""
    with subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE, text=True, cwd=tmp_path) as program:
        assert program.stdout is not None
        while "demo driver drives" not in program.stdout.readline():
            pass
        program.send_signal(signal.SIGTERM)
        rest, _ = program.communicate(timeout=PATIENCE)
    assert program.returncode == 0
    assert "the end of the run was cut short" in rest
    assert "its 5 s would take more than -1 s of the processor" in rest
    assert '"event": "stopped"' in rest.splitlines()[-1]


def test_a_recording_that_is_there_is_found_before_a_client_is_started(tmp_path: Path) -> None:
    """Also before a port is open; the unit under test would leave its mark."""
    taken, mark = tmp_path / "taken", tmp_path / "mark"
    taken.mkdir()
    (taken / "manifest.json").write_text("{}", encoding="utf-8")
    bench = tmp_path / "bench.yaml"
    bench.write_text(
        "name: desk\nvehicle: compact\nbuses: {can: {interface: embedded}}\nstate: none\n"
        f"lockstep: {{unit: {{bus: can, socket: {mark}, timeout: 60}}}}\n",
        encoding="utf-8",
    )
    words = ["run", str(bench), "--clock", "virtual", "--duration", "1", "--record", str(taken)]
    done = subprocess.run(
        [sys.executable, "-m", "hilbridge", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"hilbridge: {taken} already holds a recording (manifest.json): name another directory\n"
    assert not mark.exists()


def test_a_run_that_is_aborted_leaves_its_stacks(tmp_path: Path) -> None:
    """As the watchdog of systemd ends it: where each thread was is on stderr, and the status says the signal."""
    bench = tmp_path / "aborted.yaml"
    bench.write_text("name: aborted\nvehicle: compact\ncontrol: {enabled: false}\nbuses: {a: {interface: embedded}}\n")
    command = [sys.executable, "-m", "hilbridge", "run", str(bench), "--no-web"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        assert any("ready" in line for line in process.stdout)
        process.send_signal(signal.SIGABRT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGABRT
    assert said.startswith("Fatal Python error: Aborted\n")
    assert 'commands/run.py", line ' in said  # of compiled modules there is no line
