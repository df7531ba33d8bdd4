"""Campaigns whose workers are started for them, by SLURM and over SSH; and clusters that cannot make the runs."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from hilbridge.commands.cli import main

from ..cluster import cluster
from ..program import PATIENCE
from ..ssh_server import program, ssh_server
from .killed_campaign import BENCH
from .killed_campaign import CAMPAIGN as STARTS
from .killed_campaign import SCENARIO as START

SCENARIO = """
steps:
  - set: {input.Key: 1}
  - after: 0.1
    expect: "vehicle.EngineRpm > 10"
"""

CAMPAIGN = """
bench: small.yaml
scenario: short.yaml
vary: {vehicle.engine.inertia: [0.3, 0.6]}
"""

SLURM = """
jobqueue:
  slurm:
    cores: 2
    memory: 1GB
    interface: lo
"""

MOST_KEPT = """
import select, sys
from distributed import Client

most = 0
client = Client(sys.argv[1])
print("watching", flush=True)
while not select.select([sys.stdin], [], [], 0.01)[0]:
    most = max(most, sum(bool(workers) for workers in client.who_has().values()))
print(most)
"""
"""Until its standard input is closed it looks how many answers the workers of a cluster keep; it prints the most."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a campaign, and the rows that this machine makes of it."""
    folder = tmp_path_factory.mktemp("campaign")
    (folder / "small.yaml").write_text(BENCH, encoding="utf-8")
    (folder / "short.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "starts.yaml").write_text(CAMPAIGN, encoding="utf-8")
    (folder / "slurm.yaml").write_text(SLURM, encoding="utf-8")
    assert main(["campaign", str(folder / "starts.yaml"), "--into", str(folder / "local")]) == 0
    return folder


def campaign(folder: Path, on: str, into: str, path: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """The command, with the programs of a folder before all others."""
    variables: Mapping[str, str] = os.environ if path is None else os.environ | {"PATH": f"{path}:{os.environ['PATH']}"}
    words = [sys.executable, "-m", "hilbridge", "campaign", str(folder / "starts.yaml"), "--into", str(folder / into)]
    return subprocess.run(
        [*words, "--on", on], env=variables, capture_output=True, text=True, timeout=2 * PATIENCE, check=False
    )


@pytest.mark.nightly
def test_workers_over_ssh_make_the_same_rows(folder: Path) -> None:
    """On two hosts; the server is asyncssh, the client OpenSSH."""
    with ssh_server(folder) as programs:
        made = campaign(folder, "ssh:one,two", "ssh", programs)
    assert (made.returncode, made.stderr.splitlines()[1:]) == (0, [])
    assert (folder / "ssh/rows.jsonl").read_bytes() == (folder / "local/rows.jsonl").read_bytes()


@pytest.mark.nightly
def test_jobs_of_slurm_make_the_same_rows(folder: Path) -> None:
    """`sbatch` starts the script of the job here; at the end the job is cancelled, and its keys have gone."""
    programs = folder / "slurm"
    programs.mkdir()
    program(
        programs / "sbatch",
        f'cp "$1" {programs}/job; setsid bash {programs}/job >{programs}/log 2>&1 & echo "Submitted batch job $!"',
    )
    program(programs / "scancel", f'kill -KILL -- "-$1"; echo "$1" >>{programs}/cancelled')
    made = campaign(folder, f"slurm:{folder}/slurm.yaml", "by-slurm", programs)
    assert (made.returncode, made.stderr.splitlines()[1:]) == (0, [])
    assert (folder / "by-slurm/rows.jsonl").read_bytes() == (folder / "local/rows.jsonl").read_bytes()
    assert len((programs / "cancelled").read_text().split()) == 1
    assert "#SBATCH --cpus-per-task=2" in (programs / "job").read_text()
    assert not [*(folder / "by-slurm").glob(".*")]


def test_a_worker_with_another_build_is_refused(folder: Path, tmp_path: Path) -> None:
    """Before the first run, with what differs: rows of two builds need not be the same."""
    other = tmp_path / "cantools-0.1.dist-info/METADATA"
    other.parent.mkdir()
    other.write_text("Metadata-Version: 2.1\nName: cantools\nVersion: 0.1\n")
    with cluster(folder, 1, {"PYTHONPATH": str(tmp_path)}) as workers:
        made = campaign(folder, f"dask://{workers.address}", "other")
    assert made.returncode == 2
    assert " has another build: cantools 0.1, not " in made.stderr
    assert (folder / "other/rows.jsonl").read_bytes() == b""


@pytest.mark.nightly
def test_a_worker_keeps_no_row_that_has_come(tmp_path: Path) -> None:
    """Or one that dies after ten thousand runs would have its half of them made again."""
    for name, text in (("small", BENCH), ("short", START), ("starts", STARTS.replace("POINTS", "16"))):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with (
        cluster(tmp_path, 1) as workers,
        subprocess.Popen(
            [sys.executable, "-c", MOST_KEPT, workers.address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as watcher,
    ):
        assert watcher.stdout is not None
        assert watcher.stdout.readline() == "watching\n"
        made = campaign(tmp_path, f"dask://{workers.address}", "results")
        most = watcher.communicate(timeout=PATIENCE)[0]
    assert made.returncode == 1, made.stderr  # some fail
    assert len((tmp_path / "results/rows.jsonl").read_bytes().splitlines()) == 32
    assert 0 < int(most) < 8


@pytest.mark.parametrize(
    ("on", "programs", "reason"),
    [
        ("dask://127.0.0.1:1", {}, "no scheduler answers at 127.0.0.1:1: "),
        ("slurm:slurm.yaml", {"sbatch": "echo no such account >&2; exit 1"}, "SLURM takes no job: no such account"),
        ("ssh:127.0.0.1", {"ssh": 'test "$6" = -G && echo hostname 127.0.0.1 || echo no key >&2'}, "127.0.0.1: no key"),
    ],
)
def test_a_cluster_that_does_not_answer_is_told(
    folder: Path, tmp_path: Path, on: str, programs: Mapping[str, str], reason: str
) -> None:
    for name, script in ({"scancel": "true"} | dict(programs)).items():
        program(tmp_path / name, script)
    made = campaign(folder, on.replace("slurm.yaml", str(folder / "slurm.yaml")), "nowhere", tmp_path)
    assert made.returncode == 2
    assert reason in made.stderr
    assert len(made.stderr.splitlines()) == 2
