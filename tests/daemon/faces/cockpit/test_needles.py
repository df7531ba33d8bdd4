"""What frames say that move needles: by hand, from bytes of the project's database and of a multiplexed raw frame."""

from collections.abc import Mapping

import pytest

from hilbridge.boundary.observe.carried_frames import CarriedFrame, encode
from hilbridge.faces.cockpit.decoding import Decoder
from hilbridge.faces.cockpit.needles import Needles

from ....program import CHECKOUT

DECODERS = {"powertrain": Decoder([CHECKOUT / "dbc/powertrain.dbc"])}
RPM = {"entry": "vehicle.EngineRpm", "bus": "powertrain", "message": "EngineData1", "signal": "EngineRpm"}
MUX = {
    "id": 0x200, "data": "00 00 00", "period": 10,
    "signals": {
        "Page": {"bit": 0, "width": 8, "in_turn": [1, 2]},
        "Kmh": {"bit": 8, "width": 16, "page": 1, "from": "vehicle.Speed"},
        "Other": {"bit": 8, "width": 16, "page": 2, "constant": 7},
    },
}  # fmt: skip


def needles(*gauges: Mapping[str, object]) -> Needles:
    made = Needles(("powertrain",))
    made.adopt([{"factor": 1.0, "offset": 0.0, **gauge} for gauge in gauges])
    return made


def frame(data: str, t: int = 5_000_000, can_id: int = 0x100, bus: int = 0) -> CarriedFrame:
    return CarriedFrame(t, can_id, bus, bytes.fromhex(data))


@pytest.mark.parametrize(
    ("factor", "offset", "value"),
    [(1.0, 0.0, 1000.0), (0.5, 40.0, 1920.0), (2.0, -1000.0, 1000.0)],
)
def test_the_line_of_a_gauge_is_undone(factor: float, offset: float, value: float) -> None:
    """4000 quarters of an rpm are 1000: (1000 - offset) / factor, with the time of the frame in ms."""
    made = needles(RPM | {"factor": factor, "offset": offset})
    assert made.read(encode([frame("A00F" + 12 * "0")]), DECODERS) == [(5.0, value)]


@pytest.mark.parametrize(
    "one", [frame("A00F000000000000", bus=1), frame("A00F000000000000", can_id=0x7FF), frame("A0")]
)
def test_what_no_database_knows_or_is_too_short_says_nothing(one: CarriedFrame) -> None:
    assert needles(RPM).read(encode([one]), DECODERS) == [None]


def test_another_page_leaves_what_was_read_with_its_time() -> None:
    made = needles({"entry": "vehicle.Speed", "bus": "powertrain", "message": "Pages", "signal": "Kmh"})
    decoders = {"powertrain": Decoder([], {"Pages": MUX})}
    assert made.read(encode([frame("02FFFF", 1_000_000, 0x200)]), decoders) == [None]
    assert made.read(encode([frame("013200", 2_000_000, 0x200)]), decoders) == [(2.0, 50.0)]
    assert made.read(encode([frame("02FFFF", 3_000_000, 0x200)]), decoders) == [(2.0, 50.0)]


def test_nothing_is_read_before_there_are_databases_and_then_it_is() -> None:
    made, record = needles(RPM), encode([frame("A00F" + 12 * "0")])
    assert made.read(None, DECODERS) == [None]
    assert made.read(record, {}) == [None]
    assert made.read(record, DECODERS) == [(5.0, 1000.0)]


def test_a_reload_begins_anew() -> None:
    made, record = needles(RPM), encode([frame("A00F" + 12 * "0")])
    made.read(record, DECODERS)
    made.adopt([])
    assert made.read(record, DECODERS) == []
