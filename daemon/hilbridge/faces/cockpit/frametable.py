"""The table of frames: the daemon's counters of the frames it sends, joined with the frames seen on the buses.

There is one row for each identifier and direction: the frames of the plan in its order, then all others. Counters and
checksums are judged by the daemon: a sent frame shows the numbers that went out, a received input frame whether it is
valid.
"""

import struct
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.bus.traffic import TIMES
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK

if TYPE_CHECKING:  # they bring cantools along
    from hilbridge.faces.cockpit.decoding import Decoder, KnownMessage

Row = dict[str, Any]

_Key = tuple[str, int]
"""A bus and an identifier without flag, as the status names it."""


class FrameTable:
    """Builder of the table's rows; keeps the last verdict on each input frame until the next one."""

    def __init__(self) -> None:
        self.decoders: Mapping[str, Decoder] = {}
        """Decoders by bus; empty until they are loaded."""
        self._verdicts: Final[dict[str, tuple[int, dict[str, int], str]]] = {}

    def rows(self, frames: list[Row], traffic: Row, arrivals: Mapping[str, list[Any]] | None = None) -> list[Row]:
        """Return the rows for the parts `frames`, `traffic` and `arrivals` of a status."""
        intervals = {
            (bus, can_id, received): intervals_of(count, times)
            for bus, rows in (arrivals or {}).items()
            for can_id, received, count, times in rows
        }
        planned: dict[_Key, Row] = {(frame["bus"], int(frame["id"], 16)): frame for frame in frames}
        inputs = {(one["bus"], one["message"]): one for one in traffic.get("inputs", ())}
        seen: dict[_Key, Row] = {}
        others: list[Row] = []
        for bus, sightings in traffic.get("buses", {}).items():
            for can_id, received, count, last, data in sightings:
                row = self._row(bus, can_id, data)
                row |= {"received": received, "count": count, "last_ms": last}
                row["intervals"] = intervals.get((bus, can_id, received), [])
                place = (bus, can_id & EXTENDED_MASK)
                if not received and place in planned:
                    seen[place] = row
                    continue
                if received:
                    row["check"] = self._judge(inputs.get((bus, row["message"])))
                else:
                    row["armed"] = bus not in traffic.get("unarmed", ())
                others.append(row)
        return [*(self._sent(frame, seen.get(place)) for place, frame in planned.items()), *others]

    def _row(self, bus: str, can_id: int, data: str) -> Row:
        known = self._find(bus, can_id)
        return {
            "bus": bus,
            "id": f"0x{can_id & EXTENDED_MASK:0{8 if can_id & EXTENDED else 3}X}",
            "message": known.codec.name if known else "",
            "cycle_ms": known.cycle if known else None,
            "data": data,
            "signals": known.signals(bytes.fromhex(data)) if known else [],
            "check": ["none", ""],
        }

    def _find(self, bus: str, can_id: int) -> "KnownMessage | None":
        decoder = self.decoders.get(bus)
        return decoder.find(can_id) if decoder else None

    def _sent(self, frame: Row, seen: Row | None) -> Row:
        """Return the row of a planned frame. `seen`: the row of its last appearance on the bus."""
        row: Row = {"data": "", "signals": [], "check": ["none", ""], "received": False} | (seen or {}) | frame
        row["count"] = frame["sent"] - frame["held_back"]
        if seen is not None:
            # a fault loses frames that the plan has sent
            row |= {"id": seen["id"], "seen": seen["count"], "seen_ms": seen["last_ms"]}
        row["signals"] = [*row["signals"], *([event, "on", "", ""] for event in frame.get("events") or ())]
        if frame["protection"]:
            data = bytes.fromhex(row["data"])
            numbers = [role + _number(data, runs) for role, runs in frame["protection"].items()]
            row["check"] = ["good", ", ".join(numbers)]
            row["roles"] = {byte: role for role, runs in frame["protection"].items() for byte, *_ in runs}
        return row

    def _judge(self, source: Row | None) -> list[str]:
        """Return the daemon's verdict on the newest frames of an input: valid, or the reason why not."""
        if source is None:
            return ["none", ""]
        key = f"{source['bus']}.{source['message']}"
        accepted, rejected, verdict = self._verdicts.get(key, (0, {}, ""))
        worse = [reason for reason, count in source["rejected"].items() if count > rejected.get(reason, 0)]
        if worse:
            verdict = worse[-1].replace("_", " ")
        elif source["accepted"] > accepted:
            verdict = ""
        self._verdicts[key] = (source["accepted"], source["rejected"], verdict)
        if verdict:
            return ["bad", f"invalid: {verdict}"]
        return ["good", "valid"] if source["protected"] else ["none", "nothing to check"]


def intervals_of(count: int, times: str) -> list[float]:
    """Return the intervals [ms] between the last frames of an identifier, oldest first, from the part `arrivals`."""
    kept = struct.unpack(f"<{TIMES}q", bytes.fromhex(times))
    last = [kept[number % TIMES] for number in range(max(count - TIMES, 0), count)]
    return [round((after - before) / MILLISECOND, 3) for before, after in pairwise(last)]


def _number(data: bytes, runs: Sequence[Sequence[int]]) -> str:
    """Return the number that lies in runs of bits, after a blank; nothing where the frame has not been seen whole."""
    if any(byte >= len(data) for byte, *_ in runs):
        return ""
    return f" {sum((data[byte] & mask) >> target << source for byte, target, source, mask in runs)}"
