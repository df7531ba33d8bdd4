"""Workers that SLURM starts, as jobs that dask-jobqueue writes and submits."""

import asyncio
import math
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from logging import getLogger
from pathlib import Path
from typing import Any, Final

import dask

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, nearest
from hilbridge.files.configuration.yamlfile import YamlFile

_PROGRAMS: Final = ("sbatch", "scancel")
_PLACE: Final = ("jobqueue", "slurm")
_NO_PAGE: Final = "127.0.0.1:0"
"""Where the page of a scheduler is served that no one has asked for."""

_LOOK: Final = 0.05
"""[s]"""


@contextmanager
def started_by_slurm(path: Path, folder: Path, workers: int | None, security: Any) -> Iterator[Any]:
    """Start a scheduler for a block, and submit the jobs of its workers.

    `folder`: one that the nodes see as well, for their keys; `workers`: runs at a time, which decides how many jobs
    there are; None: one job.

    ConfigurationError: the file is wrong, or SLURM takes no job.
    """
    from dask_jobqueue.slurm import SLURMCluster

    settings = _settings(path, dask.config.get("jobqueue.slurm"))
    for program in _PROGRAMS:
        if shutil.which(program) is None:
            raise ConfigurationError(f"--on slurm: needs {program} of SLURM on this machine")
    with tempfile.TemporaryDirectory(prefix=".keys-", dir=settings.get("shared-temp-directory", folder)) as keys:
        settings["shared-temp-directory"] = str(Path(keys).resolve())
        cluster = _submitted(SLURMCluster, path, settings, workers, security)
        with cluster:
            yield cluster


def _submitted(kind: Any, path: Path, settings: dict[str, Any], workers: int | None, security: Any) -> Any:
    """Return a cluster whose jobs SLURM has taken."""
    settings["scheduler-options"] = {"dashboard_address": _NO_PAGE, **settings.get("scheduler-options", {})}
    getLogger("tornado.application").setLevel("CRITICAL")  # what a job fails with is told here, and once
    dask.config.set({f"jobqueue.slurm.{key}": value for key, value in settings.items()})  # for later jobs as well
    try:
        with warnings.catch_warnings(action="ignore"):
            cluster = kind(security=security)
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error
    jobs = math.ceil((workers or 1) / settings["cores"])
    try:
        cluster.scale(jobs=jobs)
        cluster.sync(_settled, cluster, jobs)
        cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)  # so that a job that ends is followed by another
    except RuntimeError as error:
        cluster.shutdown_on_close = False
        with suppress(AssertionError):  # it wants that every job had begun
            cluster.close()
        words = " ".join(str(error).partition("stderr:")[2].split()) or str(error)
        raise ConfigurationError(f"SLURM takes no job: {words}") from error
    return cluster


def _settings(path: Path, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a file, by the keys of dask-jobqueue. InvalidFileError: they are wrong."""
    file = YamlFile.load(path)
    settings: Any = file.data
    for depth, key in enumerate(_PLACE, 1):
        if not isinstance(settings, dict) or list(settings) != [key]:
            place = _PLACE[: depth - 1]
            raise InvalidFileError([file.problem(place, f"needs the key {key!r}, and no other")])
        settings = settings[key]
    problems = [
        file.problem((*_PLACE, key), f"unknown key{_meant(key, known)}") for key in settings or {} if key not in known
    ]
    for key, kind in (("cores", int), ("memory", str)):
        if type((settings or {}).get(key)) is not kind:
            words = f"{key!r} of a job is missing, such as `cores: 16` and `memory: 32GB`"
            problems.append(file.problem(_PLACE, words))
    if problems:
        raise InvalidFileError(problems)
    return dict(settings)


def _meant(key: str, known: Mapping[str, Any]) -> str:
    near = nearest(key, known)
    return "" if near is None else f"; did you mean {near!r}?"


async def _settled(cluster: Any, jobs: int) -> None:
    """Wait until SLURM has been asked for all jobs. RuntimeError: it has taken one of them neither then nor now."""
    while len(cluster.workers) < jobs:
        await asyncio.sleep(_LOOK)
    for job in list(cluster.workers.values()):
        await job
