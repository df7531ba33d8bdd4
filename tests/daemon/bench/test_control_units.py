"""The control units of a bench: who has power, whose lamp is lit, and what is seen of the inputs."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.commands.ctl_status import print_status
from hilbridge.testing import VirtualBench

LAMP = "auxiliary.IndicatorLamp"
ONE_TRIP, TRANSMISSION_ONE_TRIP, UNRELATED = "P2111", "P0218", "P1219"
"""Of the engine and of the transmission: confirmed in the first driving cycle. The third is not emission-related."""


@pytest.fixture
def car() -> Iterator[VirtualBench]:
    """Key on, engine off: no monitor has a verdict of its own."""
    with VirtualBench("diagnostics") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.5)
        yield bench


def fail(car: VirtualBench, ecu: str, code: str) -> None:
    car.command("trouble-set", ecu=ecu, code=code)
    car.advance(0.01)


@pytest.mark.parametrize(("ecu", "code"), [("engine", ONE_TRIP), ("transmission", TRANSMISSION_ONE_TRIP)])
def test_the_lamp_is_lit_by_any_control_unit(car: VirtualBench, ecu: str, code: str) -> None:
    """In the tick of the verdict; clearing that unit's codes puts it out."""
    assert car.read(LAMP) == 0
    fail(car, ecu, code)
    assert car.read(LAMP) == 1
    car.command("trouble-clear", ecu="transmission" if ecu == "engine" else "engine")
    car.advance(0.01)
    assert car.read(LAMP) == 1
    car.command("trouble-clear", ecu=ecu)
    car.advance(0.01)
    assert car.read(LAMP) == 0


def test_one_of_two_lamps_is_enough(car: VirtualBench) -> None:
    fail(car, "engine", ONE_TRIP)
    fail(car, "transmission", TRANSMISSION_ONE_TRIP)
    car.command("trouble-clear", ecu="engine")
    car.advance(0.01)
    assert car.read(LAMP) == 1


def test_a_code_that_is_not_emission_related_lights_nothing(car: VirtualBench) -> None:
    fail(car, "engine", UNRELATED)
    assert car.read(LAMP) == 0


def test_a_pending_code_lights_nothing(car: VirtualBench) -> None:
    """P0300 takes two driving cycles."""
    fail(car, "engine", "P0300")
    assert car.read(LAMP) == 0


def test_without_power_nobody_answers(car: VirtualBench) -> None:
    """Control units have power from terminal 15 on; the session they were in is gone afterwards."""
    car.uds(bytes.fromhex("10 03"))
    assert car.uds(bytes.fromhex("22 F1 86")) == bytes.fromhex("62 F1 86 03")
    car.set("input.Key", -1)
    car.advance(0.1)
    with pytest.raises(TimeoutError):
        car.uds(bytes.fromhex("3E 00"))
    car.set("input.Key", 0)
    car.advance(0.1)
    assert car.uds(bytes.fromhex("22 F1 86")) == bytes.fromhex("62 F1 86 01")


@pytest.mark.parametrize("demo_driver", [False, True])
def test_a_pedal_that_falls_silent_is_a_fault_unless_a_demo_driver_takes_over(*, demo_driver: bool) -> None:
    """A script that ends leaves no lit lamp on a bench that drives by itself."""
    with VirtualBench("demo", demo_driver=demo_driver) as bench:
        bench.set("input.Key", 0)
        for _ in range(25):
            bench.inject("powertrain", "DriverInputs", Throttle=40)
            bench.advance(0.02)
        assert bench.read("input.Throttle") == pytest.approx(0.4, abs=0.01)
        bench.advance(3.0)
        assert bench.read(LAMP) == (0 if demo_driver else 1)


def test_units_take_turns_with_their_monitors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each looks every tenth of a second, and no two in the same tick: many units make no tick long."""
    looks: dict[str, list[int]] = {}
    with VirtualBench("car-network") as bench:
        for ecu in bench.parts.wiring.control_units.ecus:
            times = looks.setdefault(ecu.name, [])
            monkeypatch.setattr(ecu, "advance", times.append)
        bench.advance(1.0)
    ticks = [t // 1_000_000 for times in looks.values() for t in times]
    assert len(looks) == 7
    assert len(set(ticks)) == len(ticks) >= 7 * 8
    assert {after - before for times in looks.values() for before, after in pairwise(times)} == {100_000_000}


def test_the_status_says_where_each_unit_is_and_whether_it_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """Key off: only the units on terminal 30 are awake. A session is the tester's until it ends."""
    with VirtualBench("car-network") as bench:
        bench.set("input.Key", -1)
        bench.advance(0.1)
        bench.uds(b"\x10\x03", ecu="cluster")
        status = bench.command("status", parts=["layouts", "values", "units", "inputs"])
    units = status["units"]
    assert units["lamps"]["addresses"] == ["6F1 72 -> 672 F1"]
    assert (units["cluster"]["bus"], units["cluster"]["power"], units["cluster"]["session"]) == (
        "comfort",
        "battery",
        3,
    )
    assert [name for name, unit in units.items() if unit["awake"]] == ["cluster", "lamps"]
    counted = {"ticks": 0, "missed_ticks": 0, "overload": {"percent": 0, "seconds": 0.0}}
    print_status(status | counted | {"buses": {}, "recording": None, "scenario": None})
    told = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "cluster comfort 714 -> 77E awake 03" in told
    assert "engine drive 7E0 -> 7E8 asleep 01" in told


def test_an_identifier_that_the_bench_sends_besides_is_doubted(tmp_path: Path) -> None:
    """The tester's requests, or the answers, would be mixed with frames of the car."""
    (tmp_path / "desk.yaml").write_text("""
name: desk
vehicle: compact
buses:
  one: {interface: embedded, raw: {Mine: {id: 0x77E, period: 10, data: ""}, Other: {id: 0x714, period: 10, data: ""}}}
  two: {interface: embedded}
diagnostics:
  units:
    cluster: {unit: cluster, bus: one}
    same: {unit: cluster, bus: two}
""")
    with VirtualBench(tmp_path / "desk.yaml") as bench:
        (first, second) = [one for one in bench.parts.wiring.warnings() if "units" in one]
    assert "diagnostics.units.cluster.addresses[0]: 714 is the identifier of Other too" in first
    assert "diagnostics.units.cluster.addresses[0]: 77E is the identifier of Mine too" in second
