"""Time to encode a frame from the data bus and from a mapping, compared with cantools' strict encoder.

The frames are those of powertrain.dbc with 8 bytes; the values are those of a car under way. The three encoders take
turns within one run and make the same bytes, so that their ratios hold on a busy machine too.
"""

from collections.abc import Iterator
from timeit import Timer
from typing import Any, Final

from hilbridge.base.resources import Kind, find
from hilbridge.runs.benchmarks.child import Samples
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result
from hilbridge.runs.benchmarks.rig import Measurement, Rig
from hilbridge.runs.benchmarks.step import car_under_way

_LOOPS: Final = 20
"""Rounds over all frames in a batch."""

_AIM: Final = Aim("at least", 10.0)

_BUS: Final = Quantity("encode_bus", "from the data bus", "µs", Aim("at most", 0.6))
_MAPPING: Final = Quantity("encode_mapping", "from a mapping", "µs")
_CANTOOLS: Final = Quantity("encode_cantools", "cantools, strict", "µs")
_BUS_RATIO: Final = Quantity("encode_bus_ratio", "cantools / data bus", "x", _AIM)
_MAPPING_RATIO: Final = Quantity("encode_mapping_ratio", "cantools / mapping", "x", _AIM)


def encoders() -> dict[str, list[tuple[Any, Any]]]:
    """Return function and argument for each frame, by the way of encoding."""
    from hilbridge.frames.codec.codec import compile_message
    from hilbridge.frames.codec.database import load_database
    from hilbridge.frames.codec.mapping import assign, sources_of

    channels = car_under_way().data.channels
    ways: dict[str, list[tuple[Any, Any]]] = {"bus": [], "mapping": [], "cantools": []}
    for message in load_database(find(Kind.DATABASE, "powertrain.dbc")).messages:
        if message.length == 8:
            codec = compile_message(message)
            encode = codec.bus_encoder(sources_of(assign(codec, {}, ())))
            values = message.decode(encode(channels), decode_choices=False)
            ways["bus"].append((encode, channels))
            ways["mapping"].append((codec.encode, values))
            ways["cantools"].append((message.encode, values))
    return ways


def sample(batches: int) -> Samples:
    """Return the duration per frame [µs], the mean of each batch, by the way of encoding; the ways take turns."""
    ways = encoders()
    timers = {way: _timer(calls) for way, calls in ways.items()}
    durations: Samples = {way: [] for way in ways}
    for _ in range(batches):
        for way, timer in timers.items():
            durations[way].append(1e6 * timer.timeit(_LOOPS) / _LOOPS / len(ways[way]))
    return durations


def _timer(calls: list[tuple[Any, Any]]) -> Timer:
    """Return a timer of the calls one after another, without a loop or a wrapper that would be timed too."""
    statement = "; ".join(f"f{index}(a{index})" for index in range(len(calls)))
    functions = {f"f{index}": function for index, (function, _) in enumerate(calls)}
    arguments = {f"a{index}": argument for index, (_, argument) in enumerate(calls)}
    return Timer(statement, globals=functions | arguments)


def _measure(rig: Rig) -> Iterator[Result]:
    durations = rig.sample(__file__, rig.effort.batches, rig.default)
    frames = _LOOPS * len(durations["bus"])
    yield _BUS.median(durations["bus"], frames)
    yield _MAPPING.median(durations["mapping"], frames)
    yield _CANTOOLS.median(durations["cantools"], frames)
    for quantity, way in ((_BUS_RATIO, "bus"), (_MAPPING_RATIO, "mapping")):
        yield quantity.median(
            [theirs / ours for theirs, ours in zip(durations["cantools"], durations[way], strict=True)]
        )


MEASUREMENT: Final = Measurement("frame of 8 bytes", (_BUS, _MAPPING, _CANTOOLS, _BUS_RATIO, _MAPPING_RATIO), _measure)
