"""Every command of README.md and of the tour works as written there.

Each is either run here, from a folder that looks like a checkout after `make run`, or named with the reason why not.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from hilbridge.commands import GROUPS

from ..program import CHECKOUT, demo_bench, running

README: Final = "".join((CHECKOUT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/tour.md"))

WORDS: Final = {
    "[BENCH]": "demo",
    "BENCH": "demo",
    "DIR": "run",
    "TARGETS": "mx5-nd",
    "VEHICLE": "mx5-nd",
    "[WORD]": "gear",
    "[NAME]": "bmw-f",
    "SOURCE": "vw_mqb_cluster.dbc",
    "FILE": "drafted.yaml",
    "[FILE]": "scenario",
}
"""The words that README's table leaves open, and what is put in their place."""

ALONE: Final = (
    "hilbridge run [BENCH] --clock virtual --duration 60 --record DIR",
    "hilbridge run demo --clock virtual --scenario launch --plot launch.svg",
    "hilbridge check BENCH",
    "hilbridge explain BENCH",
    "hilbridge replay DIR",
    "hilbridge export DIR",
    "hilbridge fit TARGETS",
    "hilbridge engine VEHICLE",
    "hilbridge engine VEHICLE --plot FILE.svg",
    "hilbridge values [WORD]",
    "hilbridge presets [NAME]",
    "hilbridge profiles",
    "hilbridge profiles [NAME]",
    "hilbridge new --from SOURCE FILE",
    "hilbridge new --from cluster my.yaml",
    "hilbridge new --from demo demo.yaml",
    "hilbridge --help",
    "hilbridge manual",
    "hilbridge schema [FILE]",
)
"""Commands that need no running bench, in an order in which each finds what it reads."""

LIVE: Final = (
    ".venv/bin/hilbridge ctl status",
    ".venv/bin/hilbridge ctl get vehicle.EngineRpm auxiliary.FuelShare",
    ".venv/bin/hilbridge ctl set road.Slope 0.08",
    ".venv/bin/hilbridge ctl fault add physics fault.Misfire value=0.2",
    ".venv/bin/hilbridge ctl trouble fail engine P0420 --hold",
)
"""Commands to a running demo."""

NOT_RUN: Final = {
    "make run": "needs the network; its extras are checked below",
    "make test": "this is it; .ci/run",
    "make release": "needs a clean commit; tests/packaging",
    "hilbridge demo": "runs until it is ended; tests/packaging/test-install, tests/daemon/commands/test_demo.py",
    "hilbridge run --open": "opens a browser; tests/scenarios/test_next_run.py",
    "make benchmark": "measures for minutes; tests/bench",
    "make docs": "installs; .ci/run",
    "make deb": "needs Debian's packaging tools; tests/lab/systemd",
    "make install": "tests/packaging",
    ".venv/bin/python rev.py": "run below as a file",
    ".venv/bin/python scan.py": "run below as a file",
    ".venv/bin/python -m pip install obd": "needs the network",
    'while sleep 0.1; do echo "throttle=300 key=1"; done > /dev/pts/5': "never ends; tests/scenarios/test_pedal_box.py",
    "sudo modprobe vcan": "needs root",
    "sudo ip link add dev vcan0 type vcan": "needs root; tests/lab",
    "sudo ip link set vcan0 up": "needs root; tests/lab",
    ".venv/bin/hilbridge run mybench.yaml": "needs vcan; the file is made and checked below",
    "candump vcan0": "needs vcan; tests/lab",
    "while sleep 0.1; do cansend vcan0 180#7D00000000004000; done": "needs vcan; tests/lab",
    "hilbridge doctor mybench.yaml": "its exit status is that of this machine; tests/daemon/commands/test_doctor.py",
    "hilbridge doctor [BENCH]": "its exit status is that of this machine; tests/daemon/commands/test_doctor.py",
    "hilbridge trust [FILE]": "needs code of the reader; tests/daemon/commands/test_trust.py",
    "hilbridge calibrate BENCH": "needs hands at a pedal; tests/daemon/commands/test_calibrate.py",
    "hilbridge check mybench.yaml": "run below with the file that sed makes",
    "hilbridge drive VEHICLE --cycle NEDC": "takes minutes with the interpreted model; test_drive.py, tests/cycles",
    "hilbridge perform VEHICLE": "takes minutes with the interpreted model; tests/daemon/desk/perform, tests/compiled",
    "hilbridge fmu VEHICLE": "writes 10 MB; tests/fmi",
    "hilbridge fmu --bench BENCH": "needs a C compiler; tests/fmi",
    "hilbridge a2l BENCH": "needs a bench with `xcp`; tests/daemon/commands/test_a2l.py",
    "hilbridge page": "tests/scenarios/test_next_run.py",
    "hilbridge run [BENCH]": "runs until it is ended; tests/scenarios/test_lifecycle.py",
    "hilbridge run …": "the heading of the table of benches; tests/daemon/bench/test_packaged_benches.py",
    "hilbridge mcp": "serves an assistant until it leaves; tests/daemon/faces/mcp",
    "hilbridge vss": "needs a databroker; tests/vss, tests/daemon/commands/test_vss.py",
    "hilbridge top": "needs a terminal; tests/scenarios/test_top.py",
    "hilbridge ctl …": "the row of all actions; tests/scenarios/test_control.py",
    "hilbridge ctl arm": "needs a bus on hardware; tests/scenarios/test_control.py",
    "hilbridge benchmark": "measures for minutes; tests/bench",
    "hilbridge bisect DIR CONDITION": "needs a condition; tests/scenarios/test_bisect.py",
    "hilbridge shrink …": "needs a run that fails; tests/scenarios/test_shrink.py",
    "hilbridge new --from car.dbc my.yaml": "needs a database of the reader; tests/scenarios/test_new_bench.py",
    "hilbridge learn LOG -o FILE": "needs a log of the reader; tests/scenarios/test_learn.py",
    "hilbridge learn drive.log -o my.yaml": "needs a log of the reader; tests/scenarios/test_learn.py",
    "hilbridge export drive.log columns.parquet --dbc car.dbc": "needs a log of the reader; tests/daemon/boundary/logs",
    "hilbridge lockstep header": "tests/scenarios/test_firmware.py and the guide compile what it prints",
    "hilbridge clone LOG … -o FILE": "needs a log of the reader; docs/guides/clone-a-car.md",
    "hilbridge clone talk.log -o my.yaml": "needs a log of the reader; docs/guides/clone-a-car.md",
    "hilbridge export DIR FILE": "run above with a file of its own",
    "hilbridge campaign FILE": "docs/guides/campaign.md",
    "hilbridge service": "needs systemd; tests/daemon/commands/test_service.py",
    "hilbridge mend [FILE]": "runs until the file is right; tests/daemon/commands/test_mend.py",
    "hilbridge state …": "the row of all actions; tests/daemon/commands/test_state.py",
    "hilbridge lab": "needs a fabric; docs/guides/lab.md",
    "hilbridge lockstep …": "the row of all actions; tests/scenarios/test_firmware.py",
    "hilbridge completion SHELL": "tests/daemon/commands/test_manual.py",
    "hilbridge plot DIR vehicle.Speed …": "stands for any entries; tests/scenarios/test_values_export.py",
}
"""Commands that are not run as they are, with the reason or the place where they are tested."""


def commands() -> set[str]:
    """The commands of the page: indented lines of shell, and what stands in backticks and begins with a program."""
    begin = r"(?:\.venv/bin/|sudo |make |hilbridge |candump |while )"
    text = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    lines = re.findall(rf"^    ({begin}.*?)(?:\s+#.*)?$", text, re.MULTILINE)
    programs = re.findall(r"run with (\S+ \S+\.py)$", README, re.MULTILINE)
    return {*lines, *re.findall(rf"`({begin}[^`]*)`", text), *programs}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as after `make run`: the configuration beside `.venv/bin`."""
    folder = tmp_path_factory.mktemp("checkout")
    (folder / "config").symlink_to(CHECKOUT / "config")
    (folder / ".venv").symlink_to(Path(sys.executable).parents[1])
    return folder


def shell(command: str, folder: Path) -> str:
    environment = os.environ | {"PATH": f"{folder}/.venv/bin:{os.environ['PATH']}"}
    run = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, f"{command}: {run.stdout}{run.stderr}"
    return run.stdout


def test_every_command_is_run_or_has_a_reason() -> None:
    """A command that joins the page joins one of the lists."""
    parts = {"hilbridge run [BENCH] --clock virtual --duration 60 --record DIR", "hilbridge export DIR"}
    with_plot = "hilbridge engine VEHICLE --plot FILE.svg"
    assert commands() == {*ALONE, *LIVE, *NOT_RUN} - parts - {with_plot}
    for words in ("--clock virtual --duration 60 --record DIR", "`--plot FILE.svg` draws"):
        assert words in README


def test_every_command_has_its_row() -> None:
    """As README says of the tour."""
    rows = set(re.findall(r"^\| `hilbridge (\w+)", README, re.MULTILINE))
    assert rows >= {name for group in GROUPS.values() for name in group}


def test_make_run_installs_what_the_commands_need() -> None:
    """The page has packages of its own; what `fit` and `--plot` lack they name (tests/packaging/smoke.py)."""
    assert "--editable '.[cockpit]'" in (CHECKOUT / "Makefile").read_text()


@pytest.mark.parametrize("command", ALONE)
def test_a_command_that_needs_no_bench(command: str, checkout: Path) -> None:
    """The words that are left open are filled in."""
    filled = " ".join(WORDS.get(word, word) for word in command.split())
    if "DIR" in command and "--record" not in command:
        run = checkout / "run"
        if not run.exists():
            shell("hilbridge run demo --clock virtual --duration 5 --record run", checkout)
    if "export" in command:
        filled += f" {checkout}/run.blf"
    assert shell(filled, checkout)


def test_the_bench_on_vcan_is_made_by_sed(checkout: Path) -> None:
    """And `check` accepts it, on the interface that README names."""
    (sed,) = re.findall(r"^    (sed .*?\\\n.*?)$", README, re.MULTILINE)
    shell(sed, checkout)
    assert "vcan0" in shell("hilbridge check mybench.yaml", checkout)


def test_commands_and_programs_beside_a_running_demo(checkout: Path, tmp_path: Path) -> None:
    """Status, a slope, a fault, a python-can program and python-OBD, with the ports of this run in the text."""
    with running(demo_bench(tmp_path)) as program:
        slcan, scan_tool = str(program.slcan_port()), str(program.scan_tool_port())
        socket = program.wait_for("control socket open")["path"]
        program.wait_for("ready")
        for command in LIVE:
            shell(command.replace("ctl", f"ctl --bench {socket}"), checkout)
        for name, code in re.findall(r"```python\n# save as (\S+);.*?\n(.*?)```", README, re.DOTALL):
            (checkout / name).write_text(code.replace("29536", slcan).replace("35000", scan_tool))
            printed = shell(f".venv/bin/python {name}", checkout)
            assert name != "scan.py" or "revolutions_per_minute" in printed
        program.stop()
