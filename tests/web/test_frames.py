"""Frames of a bench in a page are those of the daemon, byte for byte; the oracle is `hilbridge run`."""

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "build/web"
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not (FOLDER / "index.html").exists(), reason="make web")

PROGRAM = """
from page_bench import candump, make_bench
bench = make_bench({bench!r}, demo_driver=True)
bench.advance({seconds})
print(candump(bench), end="")
"""


def in_page(program: str) -> str:
    """What a Python program prints in the page's Pyodide."""
    command = ["node", str(HERE / "run_in_node.mjs"), str(FOLDER)]
    return subprocess.run(command, input=program, stdout=subprocess.PIPE, text=True, check=True, timeout=120).stdout


def of_daemon(bench: str, seconds: float, folder: Path) -> str:
    """The candump of a run on the virtual clock; a line ends with T or R for a frame that the daemon sent or got."""
    program = [sys.executable, "-m", "hilbridge"]
    run = ["run", bench, "--clock", "virtual", "--duration", str(seconds), "--record", str(folder / "run")]
    export = ["export", str(folder / "run"), str(folder / "run.log")]
    for command in (run, export):
        subprocess.run([*program, *command], check=True, capture_output=True, timeout=120)
    lines = (folder / "run.log").read_text(encoding="utf-8").splitlines()
    return "".join(f"{line.removesuffix(' T')}\n" for line in lines)


@pytest.mark.parametrize("bench", ["demo", "cluster-vw-pq"])
def test_the_frames_are_those_of_the_daemon(bench: str, tmp_path: Path) -> None:
    expected = of_daemon(bench, 3, tmp_path)
    assert expected.count("\n") > 500
    assert in_page(PROGRAM.format(bench=bench, seconds=3)) == expected
