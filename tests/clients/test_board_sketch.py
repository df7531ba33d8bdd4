"""The sketch and its core compile without a warning for the boards they are meant for, and survive any line."""

import random
import subprocess
from pathlib import Path

import pytest

from hilbridge.frames.codec.board_packets import ENGINE, HELLO, SETUP, VALUES, packet

from .board.host_board import HERE, SOURCES, STRICT


def test_the_core_survives_random_lines_under_the_sanitizers(tmp_path: Path) -> None:
    """Random bytes with many ends, and sound packets cut, joined and repeated; a bad access or overflow ends it."""
    program = tmp_path / "noise"
    sources = [str(SOURCES / "hb_core.c"), str(HERE / "noise.c")]
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
    subprocess.run(["cc", "-O1", *STRICT, *sanitizers, *sources, "-o", str(program)], check=True, timeout=120)
    rng = random.Random(17)
    sound = [packet(HELLO, b"\1"), packet(VALUES, rng.randbytes(48)), packet(ENGINE, rng.randbytes(12))]
    sound += [packet(ENGINE, rng.randbytes(8) + b"\xff\xff\xff\xff"), packet(VALUES, b"\xff\xff\xff\x7f" * 12)]
    for kind in range(20):
        facts = (
            bytes([kind % 6, kind, kind]) + rng.randbytes(4) + bytes([1, 0, 0, 0, rng.choice([2, 120, 255]), 0, 0, 0])
        )
        sound.append(packet(SETUP, facts + rng.randbytes(rng.choice([0, 1, 15, 32]))))
    line = b"".join(rng.choice([*sound, rng.randbytes(rng.randrange(90)), b"\0"]) for _ in range(6000))
    noise = b"".join(bytes([rng.randrange(256) if rng.random() < 0.02 else 1, byte]) for byte in line)
    done = subprocess.run([program], input=noise, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]


@pytest.mark.parametrize("part", ["atmega328p", "atmega2560"])
def test_it_compiles_for_the_microcontrollers(part: str, tmp_path: Path) -> None:
    """The core with all warnings, the sketch against declarations of the Arduino language."""
    strict = [f"-mmcu={part}", "-Os", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}", "-c"]
    core = [*strict, "-std=c99", str(SOURCES / "hb_core.c"), "-o", str(tmp_path / "core.o")]
    subprocess.run(["avr-gcc", *core], check=True, timeout=120)
    sketch = ["-x", "c++", "-std=gnu++11", "-DF_CPU=16000000UL", f"-I{HERE}", str(SOURCES / "hilbridge_board.ino")]
    subprocess.run(["avr-g++", *strict, *sketch, "-o", str(tmp_path / "sketch.o")], check=True, timeout=120)
