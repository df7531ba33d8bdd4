"""A bench that is driven as a page drives it, by keys and with the clutch worked for it: the recording has it all."""

from pathlib import Path

import pytest

from hilbridge.base.clock import StopRequest
from hilbridge.boundary.record.recording import Recording
from hilbridge.client import Client
from hilbridge.commands.cli import main
from hilbridge.runs.campaign.recorded_inputs import recorded_inputs
from hilbridge.runs.run.replay import load_recorded

from ..program import DEMO, demo_bench, running


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """W is pressed in first gear and let go, then S; the wheel is left."""
    folder = tmp_path_factory.mktemp("keys")
    text = DEMO.read_text(encoding="utf-8")
    others = text[text.index("  - source: serial") : text.index("diagnostics:")]
    bench = demo_bench(
        folder, ("rate: 1000 ", "rate: 200 "), (others, f"control: {{socket: {folder}/ctl.sock, mode: '600'}}\n\n")
    )
    with running(bench, "--record", folder / "recording") as program:
        program.wait_for("ready")
        with Client(folder / "ctl.sock", by="viewer 1") as client:

            def hold(entry: str, value: float | str, rate: float | None = None) -> None:
                client.command("set", entry=entry, value=value, rate=rate, seconds=20, by="viewer 1")

            hold("input.Clutch", "automatic")
            hold("input.Handbrake", 0)
            hold("input.Key", "start")
            client.wait_until("vehicle.EngineWorking", 30)
            hold("input.Key", "on")
            hold("input.ManualGear", 1)
            hold("input.Throttle", 1, 1.6)
            client.wait_until("vehicle.Speed > 3", 30)
            hold("input.Throttle", 0, 2.5)
            hold("input.Brake", 1, 2.5)
            client.wait_until("vehicle.Speed == 0", 30)
            assert client.get("vehicle.EngineWorking") == 1
            client.give_back()
            client.command("stop")
        assert program.process.wait(60) == 0
    return folder / "recording"


def test_the_replay_has_the_same_frames(recording: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(recording)]) == 0
    assert "identical" in capfd.readouterr().out


def test_its_inputs_are_the_positions_that_the_pedals_went_through(recording: Path) -> None:
    """What `shrink` sets is what was, also where commands were the only inputs: never a rate, never `automatic`."""
    one = Recording(recording)
    finest = recorded_inputs(one, load_recorded(one), 10**18, StopRequest())[-1]
    held = [step["set"] for step in finest.steps if "set" in step]
    throttle = [values["input.Throttle"] for values in held if "input.Throttle" in values]
    clutch = [values["input.Clutch"] for values in held if "input.Clutch" in values]
    assert len(throttle) > 20
    assert sorted(throttle[:20]) == throttle[:20]
    assert max(throttle) <= 1.0
    assert {0.0, 1.0} & {*clutch}
    assert all(isinstance(value, float) for value in (*throttle, *clutch))
