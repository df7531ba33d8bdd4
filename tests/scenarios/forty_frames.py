"""Forty protected frames on two buses, run by the real program, and judged frame by frame from its recording."""

from collections import Counter
from pathlib import Path

from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]

from ..bench.benches import BUSES, FIRST_IDENTIFIER, FORTY, PERIODS
from ..program import record

MOST_IN_A_TICK = 3


def run_and_judge(folder: Path, seconds: int) -> None:
    """Every interval is the period, every counter goes on by one, every checksum is that of crccheck.

    Counter: the high half of byte 6, 0 to 15. Checksum: byte 7, CRC-8 of SAE J1850 over the bytes before. No tick of
    1 ms has more than three frames, on both buses together.
    """
    frames = record(FORTY.write(folder), folder / "recording", seconds)
    periods = {FIRST_IDENTIFIER + number: period for number, period in enumerate(PERIODS)}
    assert (len(periods), len(BUSES), min(periods.values()), max(periods.values())) == (20, 2, 10, 1000)
    ticks: Counter[int] = Counter()
    sent: Counter[tuple[int, int]] = Counter()
    last: dict[tuple[int, int], int] = {}
    for frame in frames:
        tick = round(frame.timestamp * 1000)
        assert isinstance(frame.channel, int)
        key = frame.channel, frame.arbitration_id
        assert tick == last.get(key, tick - periods[key[1]]) + periods[key[1]]
        assert frame.data[6] >> 4 == sent[key] % 16
        assert frame.data[7] == Crc8SaeJ1850.calc(frame.data[:7])
        last[key] = tick
        ticks[tick] += 1
        sent[key] += 1
    assert max(ticks.values()) <= MOST_IN_A_TICK
    assert sent == {
        (bus, identifier): 1000 * seconds // period for bus in (0, 1) for identifier, period in periods.items()
    }
