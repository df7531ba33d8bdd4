"""The signals of a database in many frames at once: raw numbers from a table of bytes, and physical values.

    value = raw · factor + offset

as cantools computes it, to the last bit. Bit numbers as in frames/codec/layout.py. A signal of a page is there only in
frames whose multiplexer has one of its numbers; one beyond the end of a shorter frame is not.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from cantools.database.can import Message, Signal
from numpy.typing import NDArray

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.logs.frames import Block
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.container import opened
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.transport.reassembly import PACKETS, Reassembly

Values = NDArray[Any]
Mask = NDArray[np.bool_]
Lengths = NDArray[np.int64]
_WORD: Final = 64


class Column(NamedTuple):
    """A signal as a column: its name, its unit and its kind of numbers."""

    name: str
    unit: str
    kind: Any


class SignalReader:
    """A reader of one signal: the first of its bytes, how many, and the shift of its last bit to the right."""

    def __init__(self, signal: Signal) -> None:
        self.signal: Final = signal
        self.big: Final = signal.byte_order == "big_endian"
        start, length = signal.start, signal.length
        first = 8 * (start // 8) + 7 - start % 8 if self.big else start
        self.byte: Final = first // 8
        self.count: Final = (first + length - 1) // 8 - self.byte + 1
        self.shift: Final = 8 * self.count - first % 8 - length if self.big else first % 8
        scale, offset = signal.conversion.scale, signal.conversion.offset
        self.scale, self.offset = scale, offset
        whole = isinstance(scale, int) and isinstance(offset, int) and not signal.is_float
        self.same: Final = scale == 1 and offset == 0
        self.kind: Any = np.float64
        if whole and self.same:
            self.kind = np.int64 if signal.is_signed or length < _WORD else np.uint64

    def raw(self, table: NDArray[np.uint8]) -> Values:
        """Return the raw numbers in a table of bytes, a row for each frame; the table is wide enough."""
        places = range(self.byte, self.byte + self.count)
        low = np.zeros(len(table), np.uint64)
        high = np.zeros(len(table), np.uint64)
        for number, place in enumerate(reversed(places) if self.big else places):
            byte = table[:, place].astype(np.uint64)
            if number < 8:
                low |= byte << np.uint64(8 * number)
            else:
                high = byte
        bits = low >> np.uint64(self.shift)
        if self.count > 8 and self.shift:
            bits |= high << np.uint64(_WORD - self.shift)
        length = self.signal.length
        if length < _WORD:
            bits &= np.uint64((1 << length) - 1)
        if self.signal.is_float:
            kinds = {16: (np.uint16, np.float16), 32: (np.uint32, np.float32), 64: (np.uint64, np.float64)}
            whole, kind = kinds[length]
            return bits.astype(whole).view(kind).astype(np.float64)
        if self.signal.is_signed:
            spare = np.int64(_WORD - length)
            return (bits << spare.astype(np.uint64)).view(np.int64) >> spare
        return bits if self.kind is np.uint64 or length == _WORD else bits.view(np.int64)

    def physical(self, raw: Values) -> Values:
        """Return the values of raw numbers."""
        if self.same:
            return raw.astype(self.kind, copy=False)
        return raw.astype(np.float64) * self.scale + self.offset


class DecodedMessage:
    """A message of a database, with the columns of its signals; those that cannot be read are in `left_out`."""

    def __init__(self, message: Message) -> None:
        """ConfigurationError: a message that cannot be read, such as a container."""
        codec: CompiledMessage = compile_message(message)
        self.mask: Final = codec.mask
        self.matched: Final = codec.matched
        self.left_out: Final = codec.left_out
        self.length: Final = message.length
        self.is_long: Final = codec.is_long
        self.header: Final = codec.header
        self._layouts: Final = [SignalReader(one) for one in message.signals if one.name not in codec.left_out]
        self._by_name: Final = {one.signal.name: one for one in self._layouts}
        self.name: Final = message.name
        self.signals: Final = len(self._layouts)

    def columns(self) -> list[Column]:
        """Return the columns; a name on several pages is one."""
        found: dict[str, Column] = {}
        for layout in self._layouts:
            name = layout.signal.name
            kind = layout.kind if name not in found or found[name].kind is layout.kind else np.float64
            found[name] = Column(name, layout.signal.unit or "", kind)
        return list(found.values())

    def decode(
        self, table: NDArray[np.uint8], lengths: Lengths | None = None
    ) -> Iterator[tuple[str, Values, Mask | None]]:
        """Yield each signal's name, values and where it is; None: in every frame.

        `lengths`: of the frames, where the table is wider than some of them.
        """
        masks: dict[str, Mask | None] = {}
        for layout in self._layouts:
            end = layout.byte + layout.count
            if end > table.shape[1]:
                continue
            where = self._where(layout.signal, table, masks)
            if lengths is not None:
                there = lengths >= end
                where = there if where is None else where & there
            yield layout.signal.name, layout.physical(layout.raw(table)), where

    def _where(self, signal: Signal, table: NDArray[np.uint8], masks: dict[str, Mask | None]) -> Mask | None:
        """Return in which frames the page of a signal is selected."""
        if not signal.multiplexer_ids or signal.multiplexer_signal is None:
            return None
        selector = self._by_name[signal.multiplexer_signal]
        if selector.byte + selector.count > table.shape[1]:
            return np.zeros(len(table), np.bool_)
        key = signal.multiplexer_signal
        if key not in masks:
            masks[key] = self._where(selector.signal, table, masks)
        chosen = np.isin(selector.raw(table), np.array(signal.multiplexer_ids))
        outer = masks[key]
        return chosen if outer is None else chosen & outer


Rows = NDArray[np.int64]
Found = tuple[DecodedMessage, Rows, NDArray[np.uint8]]
"""A message, the rows of its frames in their block, and their bytes as a table."""


class SignalDecoder:
    """A decoder of blocks by the messages of databases.

    `left_out` has what cannot be read; `unknown` counts frames of no message, `short` those with bytes missing.
    Messages that came in packets of J1939 are put together where a database has such; their row is the last packet's.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.left_out: dict[str, str] = {}
        self.unknown: dict[int, int] = {}
        self.short: dict[int, int] = {}
        self._by_mask: dict[int, dict[int, DecodedMessage]] = {}
        self._whole: list[Frame] = []
        self._reassembly: Final = Reassembly(lambda frame, _: self._whole.append(frame))
        self._has_long = False
        self._containers: dict[int, dict[int, DecodedMessage]] = {}
        for message in messages:
            if message.is_container:
                continue
            try:
                decoded = DecodedMessage(message)
            except ConfigurationError as error:
                self.left_out[message.name] = error.message
                continue
            self._has_long = self._has_long or decoded.is_long
            self.left_out |= {f"{message.name}.{name}": why for name, why in decoded.left_out.items()}
            if decoded.header is not None:
                self._containers.setdefault(decoded.matched, {}).setdefault(decoded.header, decoded)
                continue
            self._by_mask.setdefault(decoded.mask, {}).setdefault(decoded.matched, decoded)

    @property
    def incomplete(self) -> int:
        """Messages of J1939 of which packets are missing."""
        return self._reassembly.incomplete + self._reassembly.pending

    @property
    def can_decode(self) -> bool:
        """Whether there is a message that can be read."""
        return bool(self._by_mask or self._containers)

    def find(self, can_id: int) -> DecodedMessage | None:
        """Return the message of an identifier with its flag."""
        for mask, messages in self._by_mask.items():
            if (found := messages.get(can_id & mask)) is not None:
                return found
        return None

    def decode(self, block: Block) -> Iterator[Found]:
        """Yield frames by message: their rows in the block, and their bytes as a table."""
        packets = np.isin(block.can_ids >> 16 & 0x3FF, PACKETS) & (block.can_ids & EXTENDED != 0)
        for rows, table in block.groups():
            if not (self._has_long and packets[rows[0]]):
                yield from self._known(int(block.can_ids[rows[0]]), rows, table)
        if self._has_long and packets.any():
            yield from self._long(block, np.flatnonzero(packets))

    def _known(self, can_id: int, rows: Rows, table: NDArray[np.uint8]) -> Iterator[Found]:
        if can_id in self._containers:
            yield from self._inside(can_id, rows, table)
            return
        message = self.find(can_id)
        if message is None:
            self.unknown[can_id] = self.unknown.get(can_id, 0) + len(rows)
            return
        if table.shape[1] < message.length:
            self.short[can_id] = self.short.get(can_id, 0) + len(rows)
        yield message, rows, table

    def _inside(self, can_id: int, rows: Rows, table: NDArray[np.uint8]) -> Iterator[Found]:
        """Yield the messages in the frames of a container."""
        found: dict[tuple[int, int], list[tuple[int, bytes]]] = {}
        for row, data in zip(rows.tolist(), table, strict=True):
            for header, content in opened(data.tobytes()).items():
                found.setdefault((header, len(content)), []).append((row, content))
        for (header, length), parts in found.items():
            message = self._containers[can_id].get(header)
            if message is None:
                self.unknown[can_id] = self.unknown.get(can_id, 0) + len(parts)
                continue
            if length < message.length:
                self.short[can_id] = self.short.get(can_id, 0) + len(parts)
            inner = np.frombuffer(b"".join(data for _, data in parts), np.uint8).reshape(-1, length)
            yield message, np.array([row for row, _ in parts]), inner

    def _long(self, block: Block, rows: Rows) -> Iterator[Found]:
        """Yield the messages that end in a block, by identifier and length; one may have begun in the block before."""
        offsets = block.offsets
        ends: dict[tuple[int, int], list[tuple[int, bytes]]] = {}
        for row in rows.tolist():
            data = block.data[offsets[row] : offsets[row] + int(block.lengths[row])].tobytes()
            frame = Frame(int(block.can_ids[row]), data, int(block.flags[row]))
            self._reassembly.receive(frame, int(block.times[row]))
            for whole in self._whole:
                ends.setdefault((whole.can_id, len(whole.data)), []).append((row, whole.data))
            self._whole.clear()
        for (can_id, length), found in ends.items():
            table = np.frombuffer(b"".join(data for _, data in found), np.uint8).reshape(-1, length)
            yield from self._known(can_id, np.array([row for row, _ in found]), table)
