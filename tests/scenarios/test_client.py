"""A program of one's own drives a bench through `hilbridge.client`."""

import asyncio
from pathlib import Path

import pytest

from hilbridge.client import AsyncClient, Client, ConfigurationError

from ..program import DEMO_DRIVER, demo_bench, running


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Without the demo driver: what happens is the client's doing."""
    file = demo_bench(tmp_path, (DEMO_DRIVER, ""))
    with file.open("a", encoding="utf-8") as text:
        text.write(f"\ncontrol: {{socket: {tmp_path}/ctl.sock, mode: '600'}}\n")
    return file


def test_a_client_does_what_ctl_does(bench: Path, tmp_path: Path) -> None:
    """The engine is started, a fault put in and taken out, a recording made, the file read again, the run ended."""
    with running(bench) as program, Client(tmp_path / "ctl.sock") as client:
        program.wait_for("ready")
        assert client.get("vehicle.EngineRpm") == 0.0
        client.set("input.Key", 1)
        assert 0.0 < client.wait_until("vehicle.EngineRpm > 500", timeout=30.0) < 30.0
        client.release("input.Key")
        number = client.fault("frame powertrain.EngineData1 drop", seconds=600)
        assert [one["fault"] for one in client.status("faults")["faults"]] == [number]
        client.clear(number)
        client.arm("powertrain", armed=False)
        assert not client.status("buses")["buses"]["powertrain"]["armed"]
        client.arm()
        assert client.record(tmp_path / "recording") == tmp_path / "recording"
        assert client.stop_recording() == tmp_path / "recording"
        with bench.open("a", encoding="utf-8") as text:
            text.write("\nrate: 500\n")
        with pytest.raises(ConfigurationError, match="reload refused"):
            client.reload()
        client.stop()
        program.wait_for("stopped")


def test_a_client_plays_a_scenario_and_gets_the_verdicts(bench: Path, tmp_path: Path) -> None:
    (tmp_path / "start.yaml").write_text(
        "steps:\n"
        "  - set: {input.Key: 1}\n"
        "  - wait: {until: vehicle.EngineRpm > 500, timeout: 30}\n"
        "  - expect: vehicle.EngineRpm > 20000\n"
    )
    (tmp_path / "wrong.yaml").write_text("steps:\n  - arm: {body: true}\n")

    async def story() -> None:
        async with AsyncClient(tmp_path / "ctl.sock") as client:
            report = await client.scenario(tmp_path / "start.yaml")
            assert [row.outcome.value for row in report.rows] == ["passed", "passed", "failed"]
            assert [row.line for row in report.rows] == [2, 3, 4]
            with pytest.raises(ConfigurationError, match=r"wrong.yaml:2: steps\[0\]\.arm\.body: "):
                await client.scenario(tmp_path / "wrong.yaml")

    with running(bench) as program:
        program.wait_for("ready")
        asyncio.run(story())
