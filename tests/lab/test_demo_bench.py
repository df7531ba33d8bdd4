"""The demo bench on a real CAN interface, used with the tools that every CAN user has: cansend and candump."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cantools
import pytest
import yaml
from cantools.database.can import Database

from hilbridge.base.resources import Kind, find

CHANNEL = "vcan0"
TICKS_PER_SECOND = 100
"""A system call of the lab's kernel takes 55 µs; the demo's 1000 Hz are for real machines."""

STEP_LIMIT = 150
"""Driver frames sent, ten a second, before a step of the drive counts as failed."""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """The packaged demo with the changes that its comments name: interface and channel.

    It is slower, without a page, and in the class of ordinary programs: the kernel has one processor, which it shares
    with other tests, and cansend has to come to its turn.
    """
    settings = yaml.safe_load(find(Kind.BENCH, "demo").read_text(encoding="utf-8"))
    settings |= {"rate": TICKS_PER_SECOND, "realtime": {"scheduler": "other"}, "cockpit": {"enabled": False}}
    bus = settings["buses"]["powertrain"]
    bus["interface"] = "socketcan"
    bus["channel"] = CHANNEL
    del bus["slcan"]
    path = tmp_path / "bench.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path


@pytest.fixture
def database() -> Database:
    loaded = cantools.database.load_file(find(Kind.DATABASE, "powertrain.dbc"))
    assert isinstance(loaded, Database)
    return loaded


@pytest.fixture
def candump(tmp_path: Path) -> Iterator[Path]:
    """The growing log of a `candump -L`."""
    log = tmp_path / "candump.log"
    with log.open("w", encoding="ascii") as output:
        dump = subprocess.Popen(["stdbuf", "--output=L", "candump", "-L", CHANNEL], stdout=output)
        yield log
        dump.terminate()
        dump.wait(timeout=10)


@pytest.fixture
def daemon(bench: Path, candump: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A running `hilbridge run`; it has `candump` from its first frame."""
    with (tmp_path / "daemon.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "hilbridge", "run", str(bench), "--duration", "120"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        yield process
        process.kill()
        process.wait(timeout=10)


def engine_speeds(log: Path, database: Database, newest: int | None = None) -> list[float]:
    """EngineRpm of every frame in a candump log that carries it: `(time) vcan0 100#0011…`; or of the newest lines."""
    carrier = next(
        message for message in database.messages if any(signal.name == "EngineRpm" for signal in message.signals)
    )
    speeds = []
    for line in log.read_text(encoding="ascii").splitlines(keepends=True)[-newest if newest else None :]:
        if not line.endswith("\n"):
            break  # still being written
        identifier, _, data = line.split()[2].partition("#")
        if int(identifier, 16) == carrier.frame_id:
            decoded = database.decode_message(carrier.frame_id, bytes.fromhex(data), decode_choices=False)
            assert isinstance(decoded, dict)
            speeds.append(float(str(decoded["EngineRpm"])))
    return speeds


def drive_until(reached: float, controls: dict[str, float], database: Database, log: Path) -> bool:
    """Sends controls (pedals in %) with cansend, ten times a second, until the engine turns faster than `reached`."""
    message = database.get_message_by_name("DriverInputs")
    at_rest = {each.name: 0.0 for each in message.signals}
    frame = f"{message.frame_id:03X}#{message.encode(at_rest | controls).hex()}"
    for _ in range(STEP_LIMIT):
        subprocess.run(["cansend", CHANNEL, frame], check=True, timeout=10)
        time.sleep(0.1)
        if any(speed > reached for speed in engine_speeds(log, database, newest=50)):
            return True
    return False


def test_cansend_starts_and_revs_the_engine_that_candump_sees(
    daemon: subprocess.Popen[bytes], candump: Path, database: Database, tmp_path: Path
) -> None:
    """Key and pedal go in as DriverInputs frames; the engine speed that comes out rises to idle, then far above."""
    log = tmp_path / "daemon.log"
    assert drive_until(500.0, {"Key": 1, "Clutch": 100}, database, candump), log.read_text(encoding="utf-8")
    assert drive_until(3000.0, {"Clutch": 100, "Throttle": 80}, database, candump), log.read_text(encoding="utf-8")
    speeds = engine_speeds(candump, database)
    first_idle = next(index for index, speed in enumerate(speeds) if speed > 500.0)
    first_high = next(index for index, speed in enumerate(speeds) if speed > 3000.0)
    assert speeds[0] < 500.0
    assert first_idle < first_high

    daemon.send_signal(signal.SIGINT)
    assert daemon.wait(timeout=30) == 0
