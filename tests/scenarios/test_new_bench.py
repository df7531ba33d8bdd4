"""From a database to frames: `hilbridge new`, `check` and `run`, as a maker types them."""

import shutil
from importlib.resources import files
from pathlib import Path

import cantools.database
import pytest

from hilbridge.commands.cli import main
from hilbridge.testing import VirtualBench

OPENDBC = Path(str(files("opendbc"))) / "dbc"


@pytest.mark.parametrize(
    ("database", "message", "rpm", "resolution"),
    [("vw_pq", "Motor_1", "Motordrehzahl", 0.25), ("bmw_e9x_e8x", "AccPedal", "EngineSpeed", 0.25)],
)
def test_the_drafted_bench_shows_the_engine_of_the_model(
    database: str, message: str, rpm: str, resolution: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The frames on the bus, decoded by cantools, have the engine speed that the model has in the same tick."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(OPENDBC / f"{database}.dbc", "car.dbc")
    assert main(["new", "--from", "car.dbc", "my.yaml"]) == 0
    assert main(["check", "my.yaml"]) == 0
    assert main(["run", "my.yaml", "--clock", "virtual", "--duration", "5"]) == 0
    layout = cantools.database.load_file("car.dbc", strict=False).get_message_by_name(message)  # type: ignore[union-attr]
    highest = 0.0
    with VirtualBench("my.yaml") as bench:
        bench.set("input.Key", 1)
        bench.advance(1)
        bench.set("input.Key", 0)
        bench.set("input.Throttle", 0.3)
        for _ in range(10):
            bench.advance(0.1)
            frame = bench.wait_for("can", message)
            shown = layout.decode(frame.data)
            assert isinstance(shown, dict)
            assert shown[rpm] == pytest.approx(bench.read("vehicle.EngineRpm"), abs=resolution)
            highest = max(highest, float(shown[rpm]))  # type: ignore[arg-type]
    assert highest > 1500
