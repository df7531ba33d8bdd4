"""Frames in words: by the project's databases, against cantools."""

import pytest
from cantools.database.can import Message
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.faces.cockpit.decoding import NOTHING, Decoder, load_decoders
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import BENCH, bundle
from hilbridge.frames.codec.frame import EXTENDED

from ....program import CHECKOUT, database

POWERTRAIN = Decoder([CHECKOUT / "dbc/powertrain.dbc"])
J1939 = Decoder([CHECKOUT / "dbc/j1939.dbc"])


@given(st.sampled_from(database().messages), st.binary(min_size=8, max_size=8))
def test_numbers_are_those_of_cantools(message: Message, data: bytes) -> None:
    """To seven digits; what has a name is shown by it."""
    known = POWERTRAIN.find(message.frame_id)
    assert known is not None
    expected = message.decode(data[: message.length])
    assert isinstance(expected, dict)
    shown = {signal.name: signal.value for signal in known.signals(data[: message.length])}
    assert shown.keys() == expected.keys()
    for name, value in expected.items():
        if not isinstance(value, int | float):
            assert shown[name] == str(value)
        elif shown[name] != NOTHING:
            assert float(shown[name]) == pytest.approx(value, rel=1e-6)


def test_units_are_the_databases() -> None:
    known = POWERTRAIN.find(0x100)
    assert known is not None
    assert known.signals(bytes(8))[0] == ("EngineRpm", "0", "rpm", "0")


@pytest.mark.parametrize("source", [0x00, 0x27])
def test_a_parameter_group_is_known_from_any_source_address(source: int) -> None:
    """J1939-71, EEC1, PGN 61444: engine speed in bytes 4 and 5, 0.125 rpm a bit; FFFF is not available."""
    known = J1939.find(0x0CF00400 | source | EXTENDED)
    assert known is not None
    assert known.codec.name == "EEC1"
    shown = {signal.name: signal.value for signal in known.signals(bytes.fromhex("FFFFFF 401F FFFFFF"))}
    assert shown["EngineSpeed"] == "1000"
    assert shown["ActualEnginePercentTorque"] == NOTHING


def test_what_is_no_message_has_no_signals() -> None:
    """Another identifier; the same with another length of identifier; a frame that is too short."""
    assert POWERTRAIN.find(0x7FF) is None
    assert POWERTRAIN.find(0x100 | EXTENDED) is None
    known = POWERTRAIN.find(0x100)
    assert known is not None
    assert known.signals(b"\x00") == []


def test_a_bus_without_a_database_that_can_be_read_decodes_nothing() -> None:
    """The others have theirs."""
    buses = b"buses: {a: {database: [broken.dbc]}, b: {interface: embedded}, c: {database: [good.dbc]}}"
    good = (CHECKOUT / "dbc/powertrain.dbc").read_bytes()
    decoders = load_decoders({BENCH: buses, "broken.dbc": b"no database", "good.dbc": good})
    assert [decoders[bus].find(0x100) is None for bus in "abc"] == [True, True, False]


def test_the_files_of_a_bench_are_those_of_its_bundle() -> None:
    """Several databases of a bus, in the order of the bench file."""
    file = load_bench(str(CHECKOUT / "config/benches/truck.yaml"))
    decoder = load_decoders(bundle(file))["truck"]
    known = decoder.find(0x0CF00400 | EXTENDED)
    assert known is not None
    assert known.codec.name == "EEC1"


def test_frames_of_a_profile_are_shown_with_their_names_and_signals() -> None:
    """Without a database: the bench file places the signals. 0x0FA0 steps of 0.25 rpm are 1000 rpm."""
    known = load_decoders(bundle(load_bench("cluster-mazda-rx8")))["cluster"].find(0x201)
    assert known is not None
    assert (known.codec.name, known.cycle) == ("Engine", 20)
    shown = {signal.name: signal.value for signal in known.signals(bytes.fromhex("0F A0 FF FF 27 10 00 FF"))}
    assert shown == {"EngineSpeed": "1000", "Speed": "0", "Pedal": "0"}
