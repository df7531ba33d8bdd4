"""The counters of a serial bus."""

from dataclasses import dataclass


@dataclass(slots=True)
class LineStatistics:
    """Counters since the start of the run; they only ever grow."""

    passed: int = 0
    """Telegrams, or frames of LIN, that went out; those with an echo when it was right."""
    unarmed: int = 0
    """Those that were held back because the line is not armed."""
    heard: int = 0
    """Telegrams, or answers of other nodes, that were believed."""
    damaged: int = 0
    """Those that were not: wrong checksum, wrong length, bytes in between."""
    collisions: int = 0
    """Times that other bytes came back than were sent."""
    silent: int = 0
    """Times that nothing, or not all, of what was sent came back."""
    repeated: int = 0
    """Further attempts after one of these."""
    lost: int = 0
    """Telegrams that were given up after all their attempts."""
    unanswered: int = 0
    """Headers of LIN that no node answered, or this one too late."""
    others: int = 0
    """Headers of LIN with an identifier of no frame of the line."""
    flooded: int = 0
    """Bytes that were not read: more than the line can carry."""
