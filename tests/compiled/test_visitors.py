"""A minute with all kinds of visitors, which each build repeats to the byte."""

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME, PORT, SERIAL, TOOL, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.runs.benchmarks.child import Model, environment

from ..program import hilbridge

MINUTE = 60 * SECOND
MINUTES = 1

PATIENCE = 300.0
"""[s] of the wall clock, for a recording."""

FEWEST_FRAMES = 20_000
"""What the bench sends cyclically in that time, nearly."""

DRIVER, ALL_UNITS, ENGINE = 0x180, 0x7DF, 0x7E0
"""Identifiers of what comes in: DriverInputs of powertrain.dbc, requests to all control units and to the engine's."""

MODELS: tuple[Model, ...] = get_args(Model)


def recorded(folder: Path, model: Model) -> Path:
    """The recording that visited_drive.py makes with this build."""
    folder.mkdir()
    command = [sys.executable, "-m", "tests.compiled.visited_drive", str(folder), str(MINUTES)]
    run = subprocess.run(command, env=environment(model), capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert run.returncode == 0, run.stdout[-1000:] + run.stderr
    return folder / "recording"


def replayed(directory: Path, model: Model) -> dict[str, Any]:
    """What `hilbridge replay --json` says with this build."""
    run = hilbridge("replay", directory, "--json", env=environment(model))
    assert run.returncode == 0, run.stdout + run.stderr
    outcome: dict[str, Any] = json.loads(run.stdout)
    return outcome


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> dict[Model, Path]:
    """One by each build, made at the same time."""
    folder = tmp_path_factory.mktemp("recordings")
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda model: recorded(folder / model, model), MODELS)
        return dict(zip(MODELS, made, strict=True))


@pytest.mark.parametrize("model", MODELS)
def test_everything_has_come_in(recordings: dict[Model, Path], model: Model) -> None:
    """Drivers and requests on CAN, lines and plugs of a board, scan tools, commands: in every minute."""
    recording = Recording(recordings[model])
    assert recording.manifest["software"]["model"] == model
    kinds, received = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for t, kind, payload in recording.records():
        minute = t // MINUTE
        kinds[minute, kind] += 1
        if kind == FRAME and (record := FrameRecord.decode(payload)).received:
            received[minute, record.frame.can_id] += 1
    for minute in range(MINUTES):
        assert all(kinds[minute, kind] for kind in (SERIAL, PORT, TOOL, COMMAND)), kinds
        assert all(received[minute, can_id] for can_id in (DRIVER, ALL_UNITS, ENGINE)), received


@pytest.mark.parametrize("model", MODELS)
def test_each_build_repeats_what_the_other_has_recorded(recordings: dict[Model, Path], model: Model) -> None:
    """To the byte, up to the end."""
    (other,) = set(MODELS) - {model}
    outcome = replayed(recordings[other], model)
    assert (outcome["identical"], outcome["end"], outcome["changed_files"]) == (True, "", [])
    assert "model" in outcome["builds"]
    assert outcome["frames"] == Recording(recordings[other]).manifest["frames"] > FEWEST_FRAMES
