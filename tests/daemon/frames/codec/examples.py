"""Signals and messages for the tests of this folder, in few words; and random ones."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from cantools.database.can import Message, Signal
from cantools.database.conversion import BaseConversion
from hypothesis import assume
from hypothesis import strategies as st


def signal(name: str, start: int, length: int, *, order: str = "little_endian", signed: bool = False,
           scale: float = 1, offset: float = 0, floating: bool = False, choices: dict[int, str] | None = None,
           **further: Any) -> Signal:  # fmt: skip
    conversion = BaseConversion.factory(scale, offset, OrderedDict(choices) if choices else None, floating)
    return Signal(name, start, length, order, signed, conversion=conversion, **further)  # type: ignore[arg-type]


def message(*signals: Signal, length: int = 8, **further: Any) -> Message:
    return Message(0x123, "Example", length, list(signals), **further)


def bits_of(start: int, length: int, order: str) -> list[int]:
    """The bits of a signal in order, walked one by one as the DBC format numbers them."""
    if order == "little_endian":
        return list(range(start, start + length))
    bits = [start]
    while len(bits) < length:
        bits.append(bits[-1] - 1 if bits[-1] % 8 else bits[-1] + 15)
    return bits


CONVERSIONS = st.one_of(
    st.just((1, 0)),
    st.tuples(st.integers(-20, 20).filter(bool), st.integers(-1000, 1000)),
    st.tuples(st.sampled_from([0.1, 0.25, 0.001, 1.5, -0.5, 1 / 256]), st.sampled_from([0, -40, 0.5, 273.15, -1e4])),
)


@dataclass
class Drawing:
    """A message while it is being drawn. Signals that exclude each other may share bits: each has its own `taken`."""

    draw: Any
    length: int
    signals: list[Signal] = field(default_factory=list)

    def add(self, taken: set[int], **multiplexing: Any) -> None:
        """One more signal, if the place drawn for it is free."""
        floating = self.draw(st.integers(0, 5)) == 0
        length = self.draw(st.sampled_from([16, 32, 64]) if floating else st.integers(1, min(64, 8 * self.length)))
        order = self.draw(st.sampled_from(["little_endian", "big_endian"]))
        start = self.draw(st.integers(0, 8 * self.length - 1))
        if self.draw(st.booleans()):  # on a byte's edge
            start = start // 8 * 8 + (0 if order == "little_endian" else 7)
        bits = bits_of(start, length, order)
        if max(bits) >= 8 * self.length or taken & set(bits):
            return
        taken.update(bits)
        scale, offset = self.draw(CONVERSIONS)
        named = not floating and length >= 3 and self.draw(st.booleans())
        self.signals.append(
            signal(
                f"S{len(self.signals)}", start, length, order=order, scale=scale, offset=offset, floating=floating,
                signed=not floating and self.draw(st.booleans()),
                choices={1: "One", 2: "Two", 3: "SNA"} if named else None, **multiplexing,
            )
        )  # fmt: skip

    def add_multiplexer(self, name: str, start: int, taken: set[int], **multiplexing: Any) -> None:
        self.signals.append(signal(name, start, 4, is_multiplexer=True, **multiplexing))
        taken.update(range(start, start + 4))

    def finish(self) -> Message:
        return message(*self.signals, length=self.length)


@st.composite
def plain_messages(draw: Any) -> Message:
    drawing = Drawing(draw, draw(st.sampled_from([1, 2, 3, 5, 8, 8, 8, 8, 12, 48, 64])))
    taken: set[int] = set()
    for _ in range(draw(st.integers(0, 12))):
        drawing.add(taken)
    return drawing.finish()


@st.composite
def multiplexed_messages(draw: Any) -> Message:
    """A multiplexer with up to three pages, some with a further one inside; and maybe a second one beside it."""
    drawing = Drawing(draw, draw(st.sampled_from([4, 8, 8, 16])))
    common: set[int] = set()
    drawing.add_multiplexer("Page", 0, common)
    if second := draw(st.booleans()):
        drawing.add_multiplexer("Other", 4, common)
    common.update(range(8, 12))  # kept free for the multiplexer inside a page
    drawing.add(common)
    used = set(common)
    for page in draw(st.lists(st.integers(0, 15), min_size=1, max_size=3, unique=True)):
        ids = {"multiplexer_signal": "Page", "multiplexer_ids": [page]}
        on_page = set(common)
        if draw(st.booleans()):
            name = f"Inner{page}"
            drawing.add_multiplexer(name, 8, on_page, **ids)
            shared = set(on_page)
            drawing.add(shared, multiplexer_signal=name, multiplexer_ids=[0, 1])
            for inner in (0, 1):
                alone = set(shared)
                drawing.add(alone, multiplexer_signal=name, multiplexer_ids=[inner])
                on_page |= alone
        else:
            drawing.add(on_page, **ids)
            drawing.add(on_page, **ids)
        used |= on_page
    if second:
        for pages in ([1, 2], [2, 3]):
            drawing.add(used, multiplexer_signal="Other", multiplexer_ids=pages)
    return drawing.finish()


def raw_limits(one: Signal) -> tuple[int, int]:
    highest = (1 << one.length - one.is_signed) - 1
    return (-highest - 1 if one.is_signed else 0), highest


@st.composite
def encodable(draw: Any) -> tuple[Message, dict[str, Any]]:
    """A message and values for all its signals, none of which cantools refuses."""
    drawn = draw(st.one_of(plain_messages(), multiplexed_messages()))
    values: dict[str, Any] = {}
    for one in drawn.signals:
        lowest, highest = raw_limits(one)
        if one.is_multiplexer:
            children = [other for other in drawn.signals if other.multiplexer_signal == one.name]
            pages = {page for child in children for page in child.multiplexer_ids}
            values[one.name] = draw(st.sampled_from(sorted(pages))) if pages else draw(st.integers(0, 15))
        elif one.is_float:
            values[one.name] = one.conversion.raw_to_scaled(draw(st.floats(-1e4, 1e4)))
        elif one.choices and draw(st.booleans()):
            values[one.name] = draw(st.sampled_from(["One", "Two", "SNA"]))
        else:
            raw = draw(st.integers(lowest, highest))
            values[one.name] = one.conversion.raw_to_scaled(raw, decode_choices=False)
            # above 2^53 a float rounds, and the last value of 64 bits beyond what cantools packs
            assume(lowest <= one.conversion.scaled_to_raw(values[one.name]) <= highest)
            if lowest < raw < highest and one.length < 40:
                values[one.name] += draw(st.sampled_from([0, 0.25, -0.25, 0.5])) * one.scale
    return drawn, values
