"""Listening to a bus: the first frame that satisfies a condition, and the newest signals of a message."""

import math
from pathlib import Path

from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.frame_listener import FrameListener, FrameSearch, NewestSignals
from hilbridge.frames.codec.codec import CompiledMessage, compile_message
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import Frame

DBC = Path(__file__).parents[4] / "dbc/powertrain.dbc"


def engine_data() -> CompiledMessage:
    return compile_message(load_database(DBC).message("EngineData1"))


def test_every_receiver_gets_every_frame_of_the_bus() -> None:
    bus, listener = Bus("can"), FrameListener()
    bus.attach(listener)
    first: list[Frame] = []
    second: list[Frame] = []
    listener.receivers.append(lambda frame, t: first.append(frame))
    listener.receivers.append(lambda frame, t: second.append(frame))
    bus.transmit(Frame(0x100, b"\x01"), None)
    bus.exchange(5)
    assert first == second == [Frame(0x100, b"\x01")]


def test_a_search_ends_with_the_first_frame_that_satisfies_it() -> None:
    """Frames of other messages do not count; after the frame is found nothing counts."""
    search = FrameSearch(lambda frame: frame.can_id == 0x100, lambda frame, t: frame.data[0] > 1)
    for t, (can_id, value) in enumerate([(0x200, 9), (0x100, 0), (0x100, 1), (0x100, 2), (0x100, 0), (0x100, 3)]):
        search.receive(Frame(can_id, bytes((value,))), t)
    assert search.found == (Frame(0x100, b"\x02"), 3)
    assert (search.others, search.last) == (2, Frame(0x100, b"\x01"))


def test_signals_are_those_of_the_newest_frame() -> None:
    """Before the first frame, and for a signal that is not available, NaN; a frame that is too short is ignored."""
    codec = engine_data()
    newest = NewestSignals(codec)
    assert math.isnan(newest.value("EngineRpm"))
    for rpm in (800.0, 1200.0):
        newest.receive(Frame(codec.can_id, codec.encode({"EngineRpm": rpm})), 0)
        assert newest.value("EngineRpm") == rpm
    newest.receive(Frame(codec.can_id, b""), 0)
    newest.receive(Frame(codec.can_id ^ 1, codec.encode({"EngineRpm": 500.0})), 0)
    assert newest.value("EngineRpm") == 1200.0
    assert math.isnan(newest.value("NoSuchSignal"))
