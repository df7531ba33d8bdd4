"""Writes the pages of a frame that rotates as signals of a raw frame: the selector in turn, and each page's bytes."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from hilbridge.desk.learn.learn import LearnedFrame

_LONGEST_RUN: Final = 6
"""Bytes that a signal may have, so that its constant is exact."""


def page_signals(frame: LearnedFrame) -> dict[str, dict[str, Any]]:
    """Return the signals of a frame whose pages rotate, by name; none where they cannot be told apart by whole bytes.

    A counter that is the selector as well fills its bits itself, so such pages are left to the user.
    """
    found = frame.multiplexer
    if found is None or not found.rotates or len(found.pages) < 2:
        return {}
    taken = frame.protection.filled | found.field.mask(frame.series.length)
    contents = np.frombuffer(b"".join(found.contents), np.uint8).reshape(len(found.pages), -1)
    differing = (contents & ~found.field.mask(frame.series.length) != contents[0] & ~taken).any(axis=0)
    if (frame.protection.filled & found.field.mask(frame.series.length)).any() or (taken[differing] != 0).any():
        return {}
    signals: dict[str, dict[str, Any]] = {"Page": {**found.field.settings(), "in_turn": list(found.pages)}}
    for page, content in zip(found.pages, found.contents, strict=True):
        for run in _runs([int(byte) for byte in np.flatnonzero(differing)]):
            number = int.from_bytes(content[run[0] : run[-1] + 1], "little")
            place = {"bit": 8 * run[0], "width": 8 * len(run)}
            signals[f"Page{page}Byte{run[0]}"] = {**place, "page": page, "constant": number}
    return signals


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Return runs of neighbouring bytes that are not too long."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1 and len(runs[-1]) < _LONGEST_RUN:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
