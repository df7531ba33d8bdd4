"""Electric cars as apps ask them: the templates of config/units through can-isotp, decoded by formulas of other people.

    meatpiHQ/wican-fw    vehicle_profiles: what is asked, and expressions over the bytes of all frames as they came:
                         Bn byte n with the protocol bytes, [Bn:Bm] several, Bn:k a bit
    JejuSoul             OBD-PIDs-for-HKMC-EVs, Kona and Niro: letters from a on for the bytes behind 62 and identifier
    iternio/ev-obd-pids  volkswagen/MEB.json: letters from A on for the bytes behind 62 and identifier
    nickn17/evDash       CarVWID3.cpp, as a project cites it that has checked its factors against logs of cars
    fesch/CanZE          assets/ZOE/_Fields.csv: first and last bit of the whole answer, resolution, offset
    OBDb/BMW-i3          signalsets/v3/default.json: first bit behind 62 and identifier, bits, divisor, what is added
    nickn17/evDash       CarBmwI3.cpp: requests in its order; bytes with what fills up a last frame; places, divisor
    commaai/opendbc      the program itself, which knows a car by the answer of its steering

The templates were written from a fourth, Open-Vehicle-Monitoring-System-3. What only that one decodes has its formula
here as (place behind service and identifier, length, factor).
"""

import math
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import isotp
import pytest

from hilbridge.testing import VirtualBench

from .virtual_tester import VirtualTester, time_of

BENCH = """
name: electric-apps
rate: 100
vehicle: leaf-ze1
buses:
  leaf: {interface: embedded}
  kona: {interface: embedded}
  zoe: {interface: embedded}
  golf: {interface: embedded}
  id: {interface: embedded}
  i3: {interface: embedded}
  tesla: {interface: embedded}
inputs: [{source: demo-driver}]
diagnostics:
  units:
    leaf-battery: {unit: leaf-battery, bus: leaf}
    leaf-charger: {unit: leaf-charger, bus: leaf}
    kona-battery: {unit: kona-battery, bus: kona}
    kona-vmcu: {unit: kona-vmcu, bus: kona}
    zoe-battery: {unit: zoe-battery, bus: zoe}
    zoe-evc: {unit: zoe-evc, bus: zoe}
    e-golf-battery: {unit: e-golf-battery, bus: golf}
    id-battery: {unit: id-battery, bus: id}
    id-gateway: {unit: id-gateway, bus: id}
    i3-battery: {unit: i3-battery, bus: i3}
    i3-cluster: {unit: i3-cluster, bus: i3}
    model-3-steering: {unit: model-3-steering, bus: tesla}
"""

CHARGE, VOLTAGE, CURRENT = "100 * electric.TractionCharge", "electric.TractionVoltage", "electric.TractionCurrent"
AIR, TWELVE, ODOMETER = "road.AmbientTemperature", "auxiliary.BatteryVoltage", "round(auxiliary.Odometer / 1000)"

WICAN = [
    ("leaf", 0x79B, 0x7BB, "2101", "((B39*65536)+[B41:B42])/10000", CHARGE),
    ("leaf", 0x79B, 0x7BB, "2101", "((B44*65536)+[B45:B46])/10000", "110"),
    ("leaf", 0x79B, 0x7BB, "2104", "B6", AIR),
    ("leaf", 0x79B, 0x7BB, "2104", "B10", AIR),
    ("leaf", 0x79B, 0x7BB, "2104", "B17", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B10/2", CHARGE),
    ("kona", 0x7E4, 0x7EC, "220101", "[B19:B20]/10", VOLTAGE),
    ("kona", 0x7E4, 0x7EC, "220101", "B21", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B22", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B23", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B25", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B26", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B27", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B30", AIR),
    ("kona", 0x7E4, 0x7EC, "220101", "B31/50", f"{VOLTAGE} / 98"),
    ("kona", 0x7E4, 0x7EC, "220101", "B34/50", f"{VOLTAGE} / 98"),
    ("kona", 0x7E4, 0x7EC, "220101", "B38*0.1", TWELVE),
    ("kona", 0x7E4, 0x7EC, "220105", "[B34:B35]/10", "100"),
    ("kona", 0x7E4, 0x7EC, "220105", "B41/2", CHARGE),
    ("kona", 0x7E4, 0x7EC, "220105", "[B37:B38]/10", "100"),
    ("kona", 0x7E2, 0x7EA, "2101", "B10:3", "vehicle.Speed > 0.1"),
    ("kona", 0x7E2, 0x7EA, "2101", "B10:0", "vehicle.Speed <= 0.1"),
    ("kona", 0x7E2, 0x7EA, "2102", "B30", "100 * auxiliary.BatteryCharge"),
    ("golf", 0x7E5, 0x7ED, "22028C", "((B4-20)*10)/22", CHARGE),
    ("golf", 0x7E5, 0x7ED, "22028C", "B4/2.5", f"8 + 88 * ({CHARGE}) / 100"),
    ("id", 0x17FC007B, 0x17FE007B, "22028C", "(((B4*20.4)/46)-6.4)", CHARGE),
    ("id", 0x17FC007B, 0x17FE007B, "22028C", "B4*0.4425-6.1947", CHARGE),
    ("id", 0x17FC007B, 0x17FE007B, "222A0B", "((B4/2)-40)", AIR),
    ("id", 0x17FC0076, 0x17FE0076, "22295A", "[B4:B6]", ODOMETER),
]
FRAMES = {("leaf", "2101"): 8, ("leaf", "2104"): 5, ("kona", "220101"): 9, ("kona", "220105"): 7}
"""How many frames wican waits for: the digit behind the request."""

JEJUSOUL = [
    ("220101", "e/2", CHARGE),
    ("220101", "((Signed(k)*256)+l)/10", CURRENT),
    ("220101", "((m*256)+n)/10", VOLTAGE),
    ("220101", "Signed(o)", AIR),
    ("220101", "Signed(p)", AIR),
    ("220101", "Signed(t)", AIR),
    ("220101", "Signed(w)", AIR),
    ("220101", "x/50", f"{VOLTAGE} / 98"),
    ("220101", "z/50", f"{VOLTAGE} / 98"),
    ("220101", "ad*0.1", TWELVE),
    ("220101", "((aq*16777216)+(ar*65536)+(a_s*256)+at)/10", "electric.EnergyUsed"),
    ("220102", "e/50", f"{VOLTAGE} / 98"),
    ("220102", "aj/50", f"{VOLTAGE} / 98"),
    ("220103", "e/50", f"{VOLTAGE} / 98"),
    ("220104", "aj/50", f"{VOLTAGE} / 98"),
    ("220105", "((z*256)+aa)/10", "100"),
    ("220105", "Signed(x)", AIR),
    ("220105", "af/2", CHARGE),
    ("220105", "ai/50", f"{VOLTAGE} / 98"),
    ("220105", "aj/50", f"{VOLTAGE} / 98"),
]

ABRP = [
    ("221E3D", "((A<<32)+(B<<16)+(C<<8)+D-150000)/100*-1", f"-{CURRENT}"),
    ("221E3B", "((A*256)+B)/4", VOLTAGE),
    ("22028C", "1.12*A/2.5-7.16", CHARGE),
    ("227448", "A>>2&1", "0"),
    ("227448", "A&1", "1"),
]

EVDASH = [
    ("221E33", 2, lambda raw: raw / 4096, f"{VOLTAGE} / 108"),
    ("221E34", 2, lambda raw: raw / 4096, f"{VOLTAGE} / 108"),
    ("221E3D", 4, lambda raw: (raw - 150000) / 100, CURRENT),
    ("222A0B", 1, lambda raw: raw / 2 - 40, AIR),
]

CANZE = [
    (0x79B, 0x7BB, "2103", 192, 207, 0.01, 0, CHARGE),
    *((0x79B, 0x7BB, "2104", 32 + 24 * n, 39 + 24 * n, 1, 40, AIR) for n in range(12)),
    (0x79B, 0x7BB, "2104", 600, 607, 1, 40, AIR),
    (0x79B, 0x7BB, "2141", 16, 31, 0.001, 0, f"{VOLTAGE} / 96"),
    (0x79B, 0x7BB, "2141", 688, 703, 0.001, 0, f"{VOLTAGE} / 96"),
    (0x79B, 0x7BB, "2142", 544, 559, 0.001, 0, f"{VOLTAGE} / 96"),
    (0x7E4, 0x7EC, "222002", 24, 39, 0.02, 0, CHARGE),
    (0x7E4, 0x7EC, "222005", 24, 39, 0.01, 0, TWELVE),
    (0x7E4, 0x7EC, "222006", 24, 47, 1, 0, ODOMETER),
    (0x7E4, 0x7EC, "223203", 24, 39, 0.5, 0, VOLTAGE),
    (0x7E4, 0x7EC, "223204", 24, 39, 0.25, 32768, f"-{CURRENT}"),
    (0x7E4, 0x7EC, "223206", 24, 31, 1, 0, "100"),
]

OVMS = [
    ("leaf", 0x79B, 0x7BB, "2101", 53, 28, 2, lambda raw: raw / 102.4, "90"),
    ("leaf", 0x79B, 0x7BB, "2102", 198, 0, 2, lambda raw: raw / 1000, f"{VOLTAGE} / 96"),
    ("leaf", 0x79B, 0x7BB, "2102", 198, 190, 2, lambda raw: raw / 1000, f"{VOLTAGE} / 96"),
    ("leaf", 0x79B, 0x7BB, "2104", 31, 0, 2, lambda raw: -0.102 * (raw - 710), AIR),
    ("leaf", 0x79B, 0x7BB, "2104", 31, 6, 2, lambda raw: raw, "65535"),
    ("leaf", 0x79B, 0x7BB, "2106", 26, 0, 24, lambda raw: raw, "0"),
    ("leaf", 0x79B, 0x7BB, "2161", 331, 2, 2, lambda raw: raw / 100, "95"),
    ("leaf", 0x797, 0x79A, "2181", 21, 0, 17, lambda raw: raw, str(int.from_bytes(b"SJNFAAZE1U0000001", "big"))),
    ("leaf", 0x797, 0x79A, "221203", 5, 0, 2, lambda raw: raw, "12"),
    ("kona", 0x7E2, 0x7EA, "1A80", 42, 14, 17, lambda raw: raw, str(int.from_bytes(b"KNACC81GFK5000001", "big"))),
    ("golf", 0x7E5, 0x7ED, "221E3B", 5, 0, 2, lambda raw: raw / 4, VOLTAGE),
    ("golf", 0x7E5, 0x7ED, "221E3D", 5, 0, 2, lambda raw: (raw - 2044) / -4, CURRENT),
    ("golf", 0x7E5, 0x7ED, "221E33", 5, 0, 2, lambda raw: raw / 4096, f"{VOLTAGE} / 88"),
    ("golf", 0x7E5, 0x7ED, "222A0B", 5, 0, 2, lambda raw: raw / 64, AIR),
    ("golf", 0x7E5, 0x7ED, "2202BD", 7, 1, 3, lambda raw: raw, ODOMETER),
]

OBDB = [
    (0x07, "226335", 24, 8, 1, 0, "95"),
    (0x07, "22DD68", 0, 16, 100, 0, VOLTAGE),
    (0x07, "22DD69", 0, -32, 100, 0, f"-{CURRENT}"),
    (0x07, "22DDBC", 0, 16, 10, 0, CHARGE),
    (0x07, "22DDBC", 16, 16, 10, 0, "100"),
    (0x07, "22DDBC", 32, 16, 10, 0, "0"),
    (0x07, "22DDC0", 0, -16, 100, 0, AIR),
    (0x07, "22DDC0", 16, -16, 100, 0, AIR),
    (0x07, "22DF71", 0, 16, 1, 0, "96"),
    (0x07, "22DF71", 16, 8, 1, 0, "12"),
    (0x07, "22DF71", 24, 8, 1, 0, "8"),
    (0x07, "22DFA0", 32, 16, 100, 0, "120"),
    (0x07, "22DFA0", 80, 16, 10000, 0, f"{VOLTAGE} / 96"),
    (0x07, "22DFA0", 128, -16, 100, 0, AIR),
    (0x07, "22DFA0", 192, 16, 100, 0, CHARGE),
    (0x60, "22D107", 0, 16, 10, 0, "3.6 * vehicle.Speed"),
    (0x60, "22D10D", 0, 32, 1, 0, ODOMETER),
    (0x60, "22D10D", 32, 32, 1, 0, ODOMETER),
    (0x60, "22D112", 0, 8, 2, -40, AIR),
]
"""Bits with a sign are negative."""

EVDASH_I3 = {
    (0x60, "22D107"): (2, {(0, 2): (10, "3.6 * vehicle.Speed")}),
    (0x60, "22D10D"): (8, {(4, 8): (1, ODOMETER)}),
    (0x60, "22D114"): (1, {(0, 1): (1, "0")}),
    (0x07, "22DDBF"): (8, {(0, 2): (1000, f"{VOLTAGE} / 96"), (2, 4): (1000, f"{VOLTAGE} / 96")}),
    (0x07, "22DDC0"): (8, {(0, 2): (100, AIR), (2, 4): (100, AIR), (4, 6): (100, AIR)}),
    (0x07, "22DD69"): (8, {(0, 4): (100, f"-{CURRENT}")}),
    (0x07, "22DDB4"): (2, {(0, 2): (100, VOLTAGE)}),
    (0x07, "22DDBC"): (8, {(0, 2): (10, CHARGE), (2, 4): (10, "100"), (4, 6): (10, "0")}),
}
"""By request: bytes that it takes an answer by, with those that fill up a last frame; first and last byte."""
NOT_KNOWN_I3 = ((0x07, "22DD7B"), (0x07, "22DD7C"), (0x07, "22DD6C"))
"""What evDash asks of these units besides, and no other source decodes."""


class Car:
    """The bench with a tester for each address; `truth` is a value of the model at the time of the last answer."""

    def __init__(self, bench: VirtualBench) -> None:
        self.bench = bench
        self._testers: dict[tuple[str, int], VirtualTester] = {}

    def ask(
        self, bus: str, request_id: int, answer_id: int, request: str, address: isotp.Address | None = None
    ) -> tuple[bytes, bytes]:
        """The answer, and the bytes of all of its frames."""
        key = (bus, answer_id)
        if key not in self._testers:
            if address is None:
                bits = isotp.AddressingMode.Normal_29bits if request_id > 0x7FF else isotp.AddressingMode.Normal_11bits
                address = isotp.Address(bits, txid=request_id, rxid=answer_id)
            self._testers[key] = VirtualTester(self.bench, address, {})
            self.bench.attach(bus, self._testers[key])
        tester = self._testers[key]
        tester.heard.clear()
        tester.specific_send(bytes.fromhex(request))
        return tester.specific_wait_frame(1.0), b"".join(data for _, data in tester.heard)

    def truth(self, text: str) -> float:
        values = re.sub(r"[a-z]+\.\w+", lambda found: repr(self.bench.read(found[0])), text)
        return float(eval(values))


@pytest.fixture(scope="module")
def car(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Car]:
    """It goes 40 km/h, at 17 degrees, and has gone a kilometre."""
    file: Path = tmp_path_factory.mktemp("bench") / "electric.yaml"
    file.write_text(BENCH, encoding="utf-8")
    with VirtualBench(file, seed=3) as bench, time_of(bench):
        bench.set("road.AmbientTemperature", 17)
        bench.set("input.Key", 0)
        bench.drive(40)
        bench.advance(100)
        assert bench.read("auxiliary.Odometer") > 1000
        yield Car(bench)


def near(value: float, truth: float) -> bool:
    """Within what the scales of the answers allow, and what changes while an answer is on its way."""
    return math.isclose(value, truth, rel_tol=0.02, abs_tol=0.06)


@pytest.mark.parametrize(("bus", "to", "back", "request_", "formula", "truth"), WICAN)
def test_wican_reads_the_values_of_the_model(
    car: Car, bus: str, to: int, back: int, request_: str, formula: str, truth: str
) -> None:
    answer, frames = car.ask(bus, to, back, request_)
    assert answer[0] == int(request_[:2], 16) + 0x40
    if (bus, request_) in FRAMES:
        assert len(frames) == 8 * FRAMES[bus, request_]
    text = re.sub(
        r"\[B(\d+):B(\d+)\]", lambda f: str(int.from_bytes(frames[int(f[1]) : int(f[2]) + 1], "big")), formula
    )
    text = re.sub(r"B(\d+):(\d)", lambda f: str(frames[int(f[1])] >> int(f[2]) & 1), text)
    text = re.sub(r"B(\d+)", lambda f: str(frames[int(f[1])]), text)
    assert near(eval(text), car.truth(truth))


@pytest.mark.parametrize(("request_", "formula", "truth"), ABRP)
def test_abrp_reads_the_values_of_the_model(car: Car, request_: str, formula: str, truth: str) -> None:
    data = car.ask("id", 0x17FC007B, 0x17FE007B, request_)[0][3:]
    assert near(eval(formula, {}, dict(zip("ABCD", data, strict=False))), car.truth(truth))


@pytest.mark.parametrize(("request_", "width", "formula", "truth"), EVDASH)
def test_evdash_reads_the_values_of_the_model(
    car: Car, request_: str, width: int, formula: Callable[[int], float], truth: str
) -> None:
    data = car.ask("id", 0x17FC007B, 0x17FE007B, request_)[0][3:]
    assert len(data) == width
    assert near(formula(int.from_bytes(data, "big")), car.truth(truth))


@pytest.mark.parametrize(("request_", "formula", "truth"), JEJUSOUL)
def test_torque_reads_the_values_of_the_model(car: Car, request_: str, formula: str, truth: str) -> None:
    data = car.ask("kona", 0x7E4, 0x7EC, request_)[0][3:]
    letters = [chr(97 + n) for n in range(26)]
    names = [*letters, *(f"a{one}" for one in letters)]
    values = {"a_s" if name == "as" else name: byte for name, byte in zip(names, data, strict=False)}
    signed: Callable[[int], int] = lambda byte: byte - 256 if byte > 127 else byte  # noqa: E731 - a function of Torque
    assert near(eval(formula, {"Signed": signed}, values), car.truth(truth))


@pytest.mark.parametrize(("to", "back", "request_", "first", "last", "resolution", "offset", "truth"), CANZE)
def test_canze_reads_the_values_of_the_model(
    car: Car, to: int, back: int, request_: str, first: int, last: int, resolution: float, offset: int, truth: str
) -> None:
    """It enters session C0 of each unit before."""
    assert car.ask("zoe", to, back, "10C0")[0] == b"\x50\xc0"
    answer, _ = car.ask("zoe", to, back, request_)
    whole = int.from_bytes(answer, "big")
    raw = whole >> 8 * len(answer) - 1 - last & (1 << last - first + 1) - 1
    assert near((raw - offset) * resolution, car.truth(truth))


@pytest.mark.parametrize(("bus", "to", "back", "request_", "length", "place", "width", "formula", "truth"), OVMS)
def test_ovms_reads_the_values_of_the_model(
    car: Car,
    bus: str,
    to: int,
    back: int,
    request_: str,
    length: int,
    place: int,
    width: int,
    formula: Callable[[int], float],
    truth: str,
) -> None:
    """It takes no answer of another length."""
    answer, _ = car.ask(bus, to, back, request_)
    assert len(answer) == length
    data = answer[len(request_) // 2 :]
    assert near(formula(int.from_bytes(data[place : place + width], "big")), car.truth(truth))


def i3(unit: int) -> isotp.Address:
    return isotp.Address(
        isotp.AddressingMode.Extended_11bits, txid=0x6F1, rxid=0x600 + unit, target_address=unit, source_address=0xF1
    )


@pytest.mark.parametrize(("unit", "request_", "first", "width", "divisor", "added", "truth"), OBDB)
def test_obdb_reads_the_values_of_the_model(
    car: Car, unit: int, request_: str, first: int, width: int, divisor: int, added: int, truth: str
) -> None:
    data = car.ask("i3", 0x6F1, 0x600 + unit, request_, i3(unit))[0][3:]
    bits = int.from_bytes(data, "big") >> 8 * len(data) - first - abs(width) & (1 << abs(width)) - 1
    if width < 0 and bits >> -width - 1:
        bits -= 1 << -width
    assert near(bits / divisor + added, car.truth(truth))


def test_evdash_reads_the_values_of_a_bmw(car: Car) -> None:
    """It takes a single frame by its length, and of several all bytes behind the first three."""
    for (unit, request), (length, fields) in EVDASH_I3.items():
        answer, frames = car.ask("i3", 0x6F1, 0x600 + unit, request, i3(unit))
        parts = [frames[at + 1 : at + 8] for at in range(0, len(frames), 8)]
        whole = answer if len(parts) == 1 else parts[0][2:] + b"".join(part[1:] for part in parts[1:])
        assert len(whole) == 3 + length, request
        for (first, last), (divisor, truth) in fields.items():
            value = int.from_bytes(whole[3 + first : 3 + last], "big", signed=request in ("22DD69", "22DDC0"))
            assert near(value / divisor, car.truth(truth)), request
    for unit, request in NOT_KNOWN_I3:
        assert car.ask("i3", 0x6F1, 0x600 + unit, request, i3(unit))[0] == b"\x7f\x22\x31"


def test_openpilot_knows_a_model_3(car: Car) -> None:
    """By its own requests, and its table of versions."""
    tesla: Any = import_module("opendbc.car.tesla.values")
    versions: Any = import_module("opendbc.car.fw_versions")
    (query,) = tesla.FW_QUERY_CONFIG.requests
    told = b""
    for request, expected in zip(query.request, query.response, strict=True):
        answer, _ = car.ask("tesla", 0x730, 0x730 + query.rx_offset, request.hex())
        assert answer.startswith(expected)
        told = answer.removeprefix(expected)
    found = versions.match_fw_to_car_exact({(0x730, None): {told}}, "tesla", log=False)
    assert found == {tesla.CAR.TESLA_MODEL_3}


def test_what_no_app_asks_is_not_supported(car: Car) -> None:
    """Also by the units that have no UDS server: service 21 with another identifier, and another service."""
    assert car.ask("leaf", 0x79B, 0x7BB, "2199")[0] == b"\x7f\x21\x11"
    assert car.ask("leaf", 0x79B, 0x7BB, "22F190")[0] == b"\x7f\x22\x11"
    assert car.ask("zoe", 0x7E4, 0x7EC, "2101")[0] == b"\x7f\x21\x11"
