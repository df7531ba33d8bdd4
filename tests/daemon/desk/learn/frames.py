"""Series of frames for the tests: signals that walk, with a protection of a bench file filled in."""

import random
from typing import Any

import numpy as np

from hilbridge.desk.learn.log import Series
from hilbridge.files.settings.protection import ProtectionSettings
from hilbridge.frames.protection import build_protector

MILLISECONDS = 1_000_000


def series(data: np.ndarray | list[bytes], identifier: int = 0x123, period: int = 10) -> Series:
    """Frames of one identifier, every `period` ms."""
    rows = data if isinstance(data, np.ndarray) else np.frombuffer(b"".join(data), np.uint8).reshape(len(data), -1)
    return Series(identifier, False, np.arange(len(rows)) * period * MILLISECONDS, rows, {})


def protected(
    protection: Any, length: int = 8, count: int = 600, identifier: int = 0x123, still: tuple[int, ...] = ()
) -> Series:
    """Frames whose bytes jump, but for those that stay `still`, with a protection as a bench file writes it."""
    rng = random.Random(identifier)
    protector = build_protector([ProtectionSettings.model_validate(protection)], None, identifier, length, ())
    assert protector is not None
    content = bytearray(rng.randrange(256) for _ in range(length))
    rows = []
    for _ in range(count):
        for byte in range(length):
            if byte not in still and rng.random() < 0.4:
                content[byte] = rng.randrange(256)
        row = bytearray(content)
        protector.protect(row)
        rows.append(bytes(row))
    return series(rows, identifier)
