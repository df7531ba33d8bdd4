"""Engines: what is wrong with the words that choose one is told before anything is started."""

import re
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.runs.campaign import engines

from .campaigns import planned


@pytest.mark.parametrize(
    ("on", "reason"),
    [
        ("mars", "--on is local, dask://HOST:PORT, slurm:FILE or ssh:HOST,HOST, not 'mars'"),
        ("ssh:", "not 'ssh:'"),
        ("ssh:node1,-oProxyCommand=x", "'-oProxyCommand=x' is no host"),
        ("ssh:,", "',' names no host"),
        ("slurm:nowhere.yaml", "nowhere.yaml"),
        ("slurm:{jobqueue: {pbs: {}}}", "slurm.yaml:1: jobqueue: needs the key 'slurm', and no other"),
        ("slurm:{jobqueue: {slurm: {cores: 2}}}", "slurm.yaml:1: jobqueue.slurm: 'memory' of a job is missing"),
        ("slurm:{jobqueue: {slurm: {cores: 2, memory: 1GB, wall-time: 1}}}", "unknown key; did you mean 'walltime'?"),
        ("slurm:{jobqueue: {slurm: {cores: 2, memory: 1GB}}}", "needs sbatch of SLURM on this machine"),
    ],
)
def test_a_wrong_engine_is_refused(tmp_path: Path, on: str, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if "{" in on:
        (tmp_path / "slurm.yaml").write_text(on.removeprefix("slurm:"), encoding="utf-8")
        on = f"slurm:{tmp_path}/slurm.yaml"
    campaign = planned(tmp_path)
    with pytest.raises(ConfigurationError, match=re.escape(reason)):
        next(engines.rows(campaign, campaign.runs, tmp_path, on, None))


@pytest.mark.parametrize(
    ("on", "package"), [("dask://x:1", "distributed"), ("slurm:x", "dask_jobqueue"), ("ssh:x", "cryptography")]
)
def test_a_missing_package_is_told_with_what_installs_it(
    tmp_path: Path, on: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None if name == package else name)
    campaign = planned(tmp_path)
    with pytest.raises(ConfigurationError, match=f"needs the package {package}: .* pip install .*distributed"):
        engines.rows(campaign, campaign.runs, tmp_path, on, None)
