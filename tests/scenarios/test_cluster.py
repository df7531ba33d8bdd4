"""The packaged bench of an MQB cluster, by the real program: a cluster would believe all that it hears.

Checksums are judged by crccheck, with AUTOSAR's parameters of E2E profile 2 and the data ids of opendbc or of the bench
file, and once more by opendbc's own function; values are read by cantools.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import can
import pytest
import yaml
from crccheck.crc import Crc8Base  # type: ignore[import-untyped]
from opendbc.car.volkswagen.mqbcan import (  # type: ignore[import-untyped]
    VOLKSWAGEN_MQB_MEB_CONSTANTS,
    volkswagen_mqb_meb_checksum,
)

from ..program import CHECKOUT, database, decoded, record

SECONDS = 100.0
BENCH = CHECKOUT / "config/benches/cluster.yaml"
PROFILE = CHECKOUT / "config/clusters/vw-mqb.yaml"
MESSAGES = database("vw_mqb_cluster")
PROTECTED = [one for one in MESSAGES.messages if "CHECKSUM" in one.signal_tree and one.senders != ["CLUSTER"]]
PULSES_PER_METRE = 44.7


class Crc8H2F(Crc8Base):  # type: ignore[misc]  # crccheck has no types
    """AUTOSAR CRC-8 H2F: polynomial 0x2F, from 0xFF, inverted at the end."""

    _poly = 0x2F
    _initvalue = 0xFF
    _xor_output = 0xFF


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[can.Message]:
    """A drive of the demo driver from the first key to the second."""
    folder = tmp_path_factory.mktemp("cluster")
    bench = folder / "bench.yaml"
    bench.write_text(BENCH.read_text(encoding="utf-8").replace("name: cluster", "name: cluster\nstate: none"))
    return record(bench, folder / "recording", SECONDS)


def of(frames: list[can.Message], name: str) -> list[can.Message]:
    identifier = MESSAGES.get_message_by_name(name).frame_id
    return [frame for frame in frames if frame.arbitration_id == identifier]


def series(frames: list[can.Message], name: str, signal: str) -> list[tuple[float, float]]:
    """Time and value of a signal, as cantools decodes it."""
    message = MESSAGES.get_message_by_name(name)
    return [(frame.timestamp, decoded(message, frame)[signal]) for frame in of(frames, name)]


def changes(values: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Where a signal takes another value."""
    for (_, before), (t, now) in pairwise(values):
        if now != before:
            yield t, now


def unwrapped(values: list[tuple[float, float]], modulus: int) -> float:
    """How far a counter that goes round and round went in all."""
    return sum((now - before) % modulus for (_, before), (_, now) in pairwise(values))


def data_ids(identifier: int, name: str) -> list[int]:
    """What opendbc has, else what the profile gives."""
    known: list[int] | None = VOLKSWAGEN_MQB_MEB_CONSTANTS.get(identifier)
    if known is not None:
        return known
    settings: Any = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))
    protection = settings["bus"]["messages"][name]["protection"]
    given: list[int] = protection[0]["checksum"]["data_ids"]
    return given


@pytest.mark.parametrize("name", [message.name for message in PROTECTED])
def test_every_counter_and_every_checksum_is_right(frames: list[can.Message], name: str) -> None:
    """The counter goes on by one, 15 is followed by 0, over the whole drive; no frame has a wrong checksum."""
    message = MESSAGES.get_message_by_name(name)
    secret = data_ids(message.frame_id, name)
    sent = of(frames, name)
    assert len(sent) > 100
    counters = [frame.data[1] & 0x0F for frame in sent]
    assert counters == [number % 16 for number in range(len(sent))]
    for frame, counter in zip(sent, counters, strict=True):
        assert frame.data[0] == Crc8H2F.calc([*frame.data[1:], secret[counter]])


def test_opendbc_judges_alike(frames: list[can.Message]) -> None:
    """For the six of its identifiers that the bench sends."""
    known = [message for message in PROTECTED if message.frame_id in VOLKSWAGEN_MQB_MEB_CONSTANTS]
    assert len(known) == 6
    for message in known:
        for frame in of(frames, message.name):
            expected = volkswagen_mqb_meb_checksum(frame.arbitration_id, None, frame.data)
            assert frame.data[0] == expected


def test_every_frame_of_the_ignition_keeps_its_period(frames: list[can.Message]) -> None:
    """While terminal 15 stays on: time stamps of an identifier are its cycle time apart."""
    on = [t for t, key in changes(series(frames, "Klemmen_Status_01", "ZAS_Kl_15")) if not key]
    first_drive = [frame for frame in frames if frame.timestamp < on[0]]
    for message in MESSAGES.messages:
        if message.senders == ["CLUSTER"] or message.name == "Klemmen_Status_01":
            continue
        times = [round(frame.timestamp * 1e6) for frame in of(first_drive, message.name)]
        assert message.cycle_time
        assert {later - earlier for earlier, later in pairwise(times)} == {message.cycle_time * 1000}


def test_speed_and_distance_agree(frames: list[can.Message]) -> None:
    """The way by the pulses of ESP_24 is the integral of ESP_21's speed, to 1 %; so are the wheels' pulses to 2 %.

    The wheels' differ by the slip of the tyres.
    """
    speed = series(frames, "ESP_21", "ESP_v_Signal")
    way = sum((v + w) / 2 / 3.6 * (u - t) for (t, v), (u, w) in pairwise(speed) if u - t < 0.021)
    assert way > 300
    assert unwrapped(series(frames, "ESP_24", "ESP_Wegimp_VA"), 2048) / PULSES_PER_METRE == pytest.approx(way, rel=0.01)
    (_, circumference), *_ = series(frames, "ESP_20", "BR_Reifenumfang")
    (_, teeth), *_ = series(frames, "ESP_20", "ESP_Zaehnezahl")
    for signal in ("ESP_Wegimpuls_HL", "ESP_Wegimpuls_HR"):
        pulses = unwrapped(series(frames, "ESP_10", signal), 1001)
        assert pulses / teeth * circumference / 1000 == pytest.approx(way, rel=0.02)


def test_no_pulse_counter_runs_back_or_jumps(frames: list[can.Message]) -> None:
    """Between two frames of 50 ms the pulses are those of the speed, to a metre a second and one pulse."""
    speed = series(frames, "ESP_24", "ESP_m_Raddrehz")
    pulses = series(frames, "ESP_24", "ESP_Wegimp_VA")
    for (before, now), (t, v), (u, _) in zip(pairwise(pulses), speed, speed[1:], strict=False):
        expected = v / 3.6 * (u - t) * PULSES_PER_METRE
        assert (now[1] - before[1]) % 2048 == pytest.approx(expected, abs=(u - t) * PULSES_PER_METRE + 1)


def test_the_key_speaks_first_and_last(frames: list[can.Message]) -> None:
    """Klemmen_Status_01 is the first frame of all; after the drive it tells for a second that the key is out.

    All others go once more and are silent.
    """
    key = series(frames, "Klemmen_Status_01", "ZAS_Kl_S")
    assert frames[0].arbitration_id == 0x3C0
    off = next(t for t, value in changes(key) if not value)
    on = next(t for t, value in changes(key) if value and t > off)
    told = [t for t, value in key if not value and t < on]
    assert told[-1] == pytest.approx(off + 1.0, abs=0.05)
    assert len(told) == 21
    late = Counter(frame.arbitration_id for frame in frames if told[0] <= frame.timestamp < on)
    assert {count for identifier, count in late.items() if identifier != 0x3C0} == {1}


@pytest.mark.parametrize(
    ("name", "lamp", "seconds"),
    [
        ("Airbag_01", "AB_Lampe", 4.0),
        ("ESP_24", "ABS_Lampe", 3.0),
        ("Motor_26", "MO_Systemlampe", 3.0),
        ("LH_EPS_01", "EPS_Fehlerlampe", 2.0),
    ],
)
def test_lamps_shine_after_the_ignition(frames: list[can.Message], name: str, lamp: str, seconds: float) -> None:
    """For the time of their bulb check, counted from terminal 15, and no longer in this drive."""
    values = series(frames, name, lamp)
    assert values[0][1] == 1
    went_out, value = next(changes(values))
    cycle = MESSAGES.get_message_by_name(name).cycle_time
    assert cycle
    assert value == 0
    assert seconds <= went_out - frames[0].timestamp <= seconds + cycle / 1000


def test_fuel_and_needles_follow_the_engine(frames: list[can.Message]) -> None:
    """The MIL goes out once the engine works, the oil lamp when the oil has its pressure, within 2 s.

    Injected fuel adds up to millilitres.
    """
    works, lit = next(changes(series(frames, "Motor_26", "MO_OBD2_Lampe")))
    assert lit == 0
    assert all(t < works + 2.0 for t, value in series(frames, "Motor_26", "WIV_Oeldr_Warn_Motor") if value)
    assert max(value for _, value in series(frames, "Motor_04", "MO_Anzeigedrehz")) > 2000
    assert 20_000 < unwrapped(series(frames, "Motor_04", "MO_KVS"), 32768) < 200_000


def test_the_identification_number_is_never_sent(frames: list[can.Message]) -> None:
    """Nor anything else that the profile does not name."""
    known = {message.frame_id for message in MESSAGES.messages if message.senders != ["CLUSTER"]}
    raw: Any = yaml.safe_load(PROFILE.read_text(encoding="utf-8"))["bus"]["raw"]
    assert {frame.arbitration_id for frame in frames} == known | {frame["id"] for frame in raw.values()}
    assert 0x6B4 not in known
