"""Datagrams of games become samples, or are counted as what they are not."""

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.datagrams import pack
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.resources import Kind, names
from hilbridge.bench.inputs.udp import UdpSource
from hilbridge.files.configuration.layouts import load_layout
from hilbridge.files.settings import UdpInput
from hilbridge.files.settings.layouts import LayoutSettings

from ....games import GameCar, codemasters, ets2, forza, outgauge, outsim, simhub

CAR = GameCar(time=12.5, speed=25.0, rpm=3210.0, gear=3, throttle=0.6, brake=0.2, clutch=0.4, steer=0.5)

PACKERS: dict[str, list[Callable[[GameCar], bytes]]] = {
    "outgauge": [outgauge, lambda car: outgauge(car, 7)],
    "forza": [lambda car, size=size: forza(car, size) for size in (311, 324, 331)],  # type: ignore[misc]
    "codemasters": [lambda car: codemasters(car, 64), codemasters],
    "ets2": [ets2],
    "simhub": [simhub],
}
"""The ways to pack a whole dashboard, by layout."""

DASHBOARDS = [(name, packer) for name, packers in PACKERS.items() for packer in packers]


def source(name: str, **keys: Any) -> UdpSource:
    one = UdpInput.model_validate({"source": "udp", "port": 4444, "layout": name, **keys})
    return UdpSource(one, load_layout(name).settings)


def values(one: UdpSource) -> dict[str, float]:
    """The values of the controls that count, in their units."""
    return {
        binding.control.name: binding.control.to_value(value)
        for binding, value, fresh in zip(one.bindings, one.values, one.fresh, strict=True)
        if fresh
    }


@pytest.mark.parametrize(("name", "packer"), DASHBOARDS)
def test_the_pedals_and_gears_of_each_game(name: str, packer: Callable[[GameCar], bytes]) -> None:
    one = source(name, use="driver")
    one.feed(pack([packer(CAR)]), 0)
    found = values(one)
    assert one.rejected == 0
    assert found["Throttle"] == pytest.approx(0.6, abs=0.002)
    assert found["Brake"] == pytest.approx(0.2, abs=0.002)
    assert found["Clutch"] == pytest.approx(0.4, abs=0.002)
    assert (found["ManualGear"], found["Key"]) == (3, 0)
    assert found.get("Steer", 0.5) == pytest.approx(0.5, abs=0.005)
    for time, gear in ((13.0, -1), (14.0, 0)):
        one.feed(pack([packer(GameCar(time=time, gear=gear))]), 0)
        assert values(one)["ManualGear"] == gear


@pytest.mark.parametrize(("name", "packer"), [*DASHBOARDS, ("outsim", outsim), ("forza", lambda car: forza(car, 232))])
def test_speed_and_engine_speed_of_each_game(name: str, packer: Callable[[GameCar], bytes]) -> None:
    """In the units of the entries: 25 m/s, whatever the game sends; OutSim and the sled have the car's velocity."""
    fields = {"body.CruiseSpeed": {"field": "speed"}}
    if name != "outsim":
        fields["request.EngineRpm"] = {"field": "rpm"}
    one = source(name, signals=fields)
    one.feed(pack([packer(CAR)]), 0)
    assert values(one)["body.CruiseSpeed"] == pytest.approx(25.0, abs=0.01)
    assert values(one).get("request.EngineRpm", 3210.0) == pytest.approx(3210.0, abs=0.5)


def test_lamps_of_outgauge() -> None:
    one = source("outgauge", use="driver")
    one.feed(pack([outgauge(GameCar(main_beam=True, handbrake=True))]), 0)
    found = values(one)
    assert (found["body.MainBeam"], found["body.ParkingBrake"], found["Handbrake"]) == (1, 1, 1)
    assert (found["body.TurnSignal"], found["body.HazardLights"]) == (0, 0)


def test_a_lamp_that_blinks_is_a_lever_that_stays() -> None:
    """A turn signal of 1.5 Hz is dark for a third of a second; 0.8 s after the last flash the lever is back."""
    one = source("outgauge", use="driver")
    levers = []
    for tick in range(400):  # of 10 ms
        t = tick * 10 * MILLISECOND
        lit = tick < 200 and tick % 66 < 33
        one.feed(pack([outgauge(GameCar(time=1.0 + tick / 100, left=lit))]), t)
        levers.append(values(one)["body.TurnSignal"])
    last_flash = max(tick for tick in range(200) if tick % 66 < 33)
    assert levers[: last_flash + 80] == [1] * (last_flash + 80)
    assert levers[last_flash + 82 :] == [0] * (400 - last_flash - 82)


def test_both_lamps_are_the_hazard_lights() -> None:
    for name, packer in (("outgauge", outgauge), ("ets2", ets2)):
        one = source(name, use="driver")
        one.feed(pack([packer(GameCar(left=True, right=True))]), 0)
        assert (values(one)["body.HazardLights"], values(one)["body.TurnSignal"]) == (1, 0)


def test_boost_is_converted() -> None:
    one = source("forza", signals={"body.CruiseSpeed": {"field": "boost", "unit": "m/s"}})
    one.feed(pack([forza(CAR)]), 0)
    assert values(one)["body.CruiseSpeed"] == pytest.approx(1.0, abs=0.001)


@pytest.mark.parametrize(
    ("name", "datagram", "reason"),
    [
        ("outgauge", outgauge(CAR)[:-1], "wrong_size"),
        ("outgauge", outgauge(CAR) + b"\0" * 5, "wrong_size"),
        ("outgauge", b"", "wrong_size"),
        ("outgauge", outgauge(GameCar(throttle=math.nan)), "out_of_range"),
        ("outgauge", outgauge(GameCar(brake=math.inf)), "out_of_range"),
        ("outgauge", outgauge(GameCar(throttle=7.0)), "out_of_range"),
        ("forza", forza(GameCar(driving=False)), "paused"),
        ("ets2", ets2(GameCar(driving=False)), "paused"),
        ("ets2", b'{"truck": {"gameThrottle": "full"}}', "garbage"),
        ("ets2", b'{"truck": {"gameThrottle": NaN}}', "garbage"),
        ("ets2", b'{"truck": [1]}', "incomplete"),
        ("ets2", b"{", "garbage"),
        ("simhub", b"throttle=full gear=3", "garbage"),
        ("simhub", b"\xff" * 40, "incomplete"),
    ],
)
def test_what_is_no_sample_is_counted_and_keeps_nothing_alive(name: str, datagram: bytes, reason: str) -> None:
    one = source(name, use="driver")
    one.feed(pack([datagram]), 0)
    assert one.rejections == {reason: 1}
    assert values(one) == {}


def test_a_datagram_that_is_not_newer_counts_as_nothing() -> None:
    """Twice the same, and one that was overtaken; after a new start of the game its time begins anew."""
    one = source("outgauge", use="driver")
    times = [5.0, 5.0, 5.1, 5.05, 5.2, 0.1, 0.2]
    one.feed(pack([outgauge(GameCar(time=time, throttle=time / 10)) for time in times]), 0)
    assert (one.accepted, one.rejections) == (5, {"not_newer": 2})
    assert values(one)["Throttle"] == pytest.approx(0.02)


@pytest.mark.parametrize(("time", "refused"), [(4.0, 1), (3.999, 0)])
def test_a_game_began_anew_when_its_time_is_more_than_a_second_back(time: float, refused: int) -> None:
    one = source("outgauge", use="driver")
    one.feed(pack([outgauge(GameCar(time=when)) for when in (5.0, time)]), 0)
    assert one.rejections.get("not_newer", 0) == refused


def test_a_game_without_a_clock_is_always_new() -> None:
    """BeamNG.drive sends time 0."""
    one = source("outgauge", use="driver")
    one.feed(pack([outgauge(GameCar(time=0.0))] * 3), 0)
    assert one.accepted == 3


def test_what_is_cut_off_is_no_datagram() -> None:
    one = source("outgauge", use="driver")
    one.feed(pack([outgauge(CAR)]) + pack([outgauge(CAR)])[:50], 0)
    assert (one.accepted, one.rejected) == (1, 0)


def test_signals_of_the_bench_go_before_those_of_the_layout() -> None:
    one = source("outgauge", use="driver", signals={"Throttle": {"field": "brake"}, "Retarder": {"field": "gear"}})
    one.feed(pack([outgauge(CAR)]), 0)
    assert values(one)["Throttle"] == pytest.approx(0.2)
    assert values(one)["Retarder"] == 3


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({}, "give 'use' or 'signals'"),
        ({"use": "driver", "layout": "outsim"}, "outsim has none for 'use: driver'"),
        ({"signals": {"Throttle": {"field": "trottle"}}}, "field of outgauge 'trottle': did you mean throttle"),
        ({"signals": {"Brake": {"field": "rpm"}}}, "rpm"),
    ],
)
def test_mistakes_of_an_input(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        source(keys.pop("layout", "outgauge"), **keys)


OWN = """
title: mine
sources: [me]
byte_order: big
sizes: [24]
fields:
  name: {offset: 0, type: text, length: 4}
  a: {offset: 4, type: i16, scale: 0.5, add: 3}
  b: {offset: 8, type: f64, unit: km/h}
  c: {offset: 16, type: u64, bit: 62, bits: 2}
"""


def test_a_layout_of_ones_own(tmp_path: Path) -> None:
    """Types, byte order, scale, bits and text: each value worked out by hand."""
    Path(tmp_path, "mine.yaml").write_text(OWN)
    layout = load_layout(str(tmp_path / "mine.yaml")).settings
    signals = {
        "AutomaticGear": {"field": "name"},
        "ManualGear": {"field": "a"},
        "body.CruiseSpeed": {"field": "b"},
        "body.TurnSignal": {"field": "c"},
    }
    one = UdpSource(UdpInput.model_validate({"source": "udp", "port": 1, "layout": "m", "signals": signals}), layout)
    one.feed(pack([struct.pack(">4shxxdQ", b"R\0?!", -8, 36.0, 2 << 62)]), 0)
    assert values(one) == {"AutomaticGear": 2, "ManualGear": -1, "body.CruiseSpeed": 10, "body.TurnSignal": 2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": []}, "needs 'sizes'"),
        ({"form": "csv", "sizes": []}, "needs 'columns'"),
        ({"sizes": [20]}, "behind the end"),
        ({"gaps": {"30": {"at": 4, "length": 2}}}, "none of 'sizes'"),
        ({"fields": {"a": {}}}, "needs 'offset'"),
        ({"fields": {"a": {"offset": 0, "constant": 1}}}, "does not go with 'offset'"),
        ({"fields": {"a": {"offset": 0, "bit": 3}}}, "unsigned"),
        ({"fields": {"a": {"magnitude": ["x"]}}}, "no field 'x'"),
        ({"when": {"x": 1}}, "no field 'x'"),
        ({"time": "x"}, "no field 'x'"),
    ],
)
def test_mistakes_of_a_layout(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        LayoutSettings.model_validate({**yaml.safe_load(OWN), **change}, strict=True)


LAYOUTS = {name: load_layout(name).settings for name in names(Kind.LAYOUT)}
USES = [(name, use) for name, layout in LAYOUTS.items() for use in ("driver", "vehicle") if getattr(layout, use)]


@settings(max_examples=40)
@given(st.data())
def test_any_bytes_are_survived_by_every_layout(data: st.DataObject) -> None:
    """Bytes of the right and of any length, and texts: nothing raises, and every value that counts is in its range."""
    for name, use in USES:
        layout = LAYOUTS[name]
        one = UdpSource(UdpInput.model_validate({"source": "udp", "port": 1, "layout": name, "use": use}), layout)
        lengths = st.sampled_from(layout.sizes) if layout.sizes else st.integers(0, 300)
        size = data.draw(lengths)
        datagrams = [data.draw(st.binary(min_size=size, max_size=size)), data.draw(st.binary(max_size=400))]
        member = st.one_of(st.floats(width=32), st.text(max_size=5), st.booleans(), st.none(), st.integers())
        keys = st.sampled_from([field.name or key for key, field in layout.fields.items()])
        members = data.draw(st.dictionaries(keys, member, max_size=4))
        datagrams += [json.dumps(members).encode(), " ".join(f"{k}={v}" for k, v in members.items()).encode()]
        one.feed(pack(datagrams) + data.draw(st.binary(max_size=5)), 0)
        assert one.accepted + one.rejected >= len(datagrams)
        for binding, value in zip(one.bindings, one.values, strict=True):
            control = binding.control
            assert value == control.rest or control.lowest <= control.to_value(value) <= control.highest
