"""The Python interface: a bench inside a test."""

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import can
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.client import AnyClient
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import NegativeAnswerError, VirtualBench

from ...program import database, demo_bench

BUS = "powertrain"


def idling(bench: VirtualBench) -> None:
    """Starts the engine."""
    bench.set("input.Key", 1)
    bench.advance_until("vehicle.EngineWorking")
    bench.set("input.Key", 0)
    bench.advance(2.0)


def test_time_goes_on_when_the_test_says_so(bench: VirtualBench) -> None:
    """In whole ticks; nothing moves in between."""
    assert bench.time == 0
    bench.advance(1.5)
    assert bench.time == 1.5
    bench.advance(1e-6)
    assert bench.time == 1.501


def test_nobody_drives_but_the_test(bench: VirtualBench) -> None:
    """The demo driver of the bench would start the engine after 1.5 s."""
    bench.advance(5.0)
    assert bench.read("input.Key") == -1
    with VirtualBench("demo", demo_driver=True) as driven:
        driven.advance(5.0)
        assert driven.read("vehicle.EngineRpm") > 500


def test_entries_are_set_and_released(bench: VirtualBench) -> None:
    bench.set("input.Throttle", 0.5)
    bench.set("road.Slope", 0.1, seconds=0.1)
    bench.advance(0.05)
    assert (bench.read("input.Throttle"), bench.read("road.Slope")) == (0.5, 0.1)
    bench.release("input.Throttle")
    bench.advance(0.1)
    assert (bench.read("input.Throttle"), bench.read("road.Slope")) == (0, 0)


def test_waiting_for_a_condition(bench: VirtualBench) -> None:
    bench.set("input.Key", 1)
    assert 0.1 < bench.advance_until("vehicle.EngineRpm > 500", timeout=3) < 3
    with pytest.raises(TimeoutError, match=r"Speed > 1: not within 0\.1 s"):
        bench.advance_until("vehicle.Speed > 1", timeout=0.1)


def test_frames_are_those_of_the_plan(bench: VirtualBench) -> None:
    """100 a second, from the moment on that the bus says so; with the values that cantools reads."""
    idling(bench)
    before = len(bench.frames(BUS, "EngineData1"))
    bench.advance(1.0)
    frames = bench.frames(BUS, "EngineData1")
    assert len(frames) - before == 100
    assert {round(1000 * (b.t - a.t)) for a, b in pairwise(frames)} == {10}
    expected = database().decode_message("EngineData1", frames[-1].data, decode_choices=False)
    assert isinstance(expected, dict)
    assert dict(frames[-1].signals) == expected
    assert frames[-1]["EngineRpm"] == pytest.approx(bench.read("vehicle.EngineRpm"), abs=0.5)


def test_waiting_for_a_frame(bench: VirtualBench) -> None:
    """The next one, or the next one that fits; those of before do not count."""
    bench.advance(0.5)
    assert bench.wait_for(BUS, "EngineData1").t >= 0.5
    bench.set("input.Key", 1)
    fast = bench.wait_for(BUS, "EngineData1", lambda heard: heard["EngineRpm"] > 500, timeout=3.0)
    assert fast["EngineRpm"] > 500
    with pytest.raises(TimeoutError, match=r"no EngineData1 on powertrain within 0\.1 s; 10 came that do not fit"):
        bench.wait_for(BUS, "EngineData1", lambda heard: heard["EngineRpm"] > 9000, timeout=0.1)


def test_an_injected_frame_is_one_from_outside(bench: VirtualBench) -> None:
    """Throttle of DriverInputs is an input of the demo bench; it times out after 500 ms."""
    bench.inject(BUS, "DriverInputs", Throttle=40)
    bench.advance(0.01)
    assert bench.read("input.Throttle") == pytest.approx(0.4)
    assert bench.parts.buses[BUS].received == 1
    bench.advance(1.0)
    assert bench.read("input.Throttle") == 0


def test_a_cyclic_frame_goes_on_until_it_is_sent_anew(bench: VirtualBench) -> None:
    bench.inject(BUS, "DriverInputs", every=0.02, Throttle=40)
    bench.advance(2.0)
    assert bench.read("input.Throttle") == pytest.approx(0.4)
    assert len(bench.frames(BUS, "DriverInputs")) == 100
    bench.inject(BUS, "DriverInputs", Throttle=20)
    bench.advance(0.4)
    assert bench.read("input.Throttle") == pytest.approx(0.2)
    assert len(bench.frames(BUS, "DriverInputs")) == 101


def test_a_serial_input_is_fed_by_the_test(bench: VirtualBench) -> None:
    for _ in range(20):
        bench.write_serial(b"throttle=1023 key=0\n")
        bench.advance(0.02)
    assert bench.read("input.Throttle") == 1


def test_obd_and_uds(bench: VirtualBench) -> None:
    """PID 0C is the speed in quarters; 09 02 the VIN, in several frames; a service that is not there is refused."""
    idling(bench)
    assert int.from_bytes(bench.obd(0x0C)) / 4 == pytest.approx(bench.read("vehicle.EngineRpm"), abs=1)
    assert bench.obd(0x02, service=0x09)[1:] == b"WHBZZZ1EZSA000007"
    assert bench.uds(b"\x22\xf1\x90") == b"\x62\xf1\x90WHBZZZ1EZSA000007"
    assert bench.uds(b"\x23\x11\x00\x01")[0] == 0x7F
    with pytest.raises(NegativeAnswerError, match="service 23 is refused with 11"):
        bench.obd(0x11, service=0x23)
    bench.set("input.Key", -1)
    bench.advance(0.1)
    with pytest.raises(TimeoutError, match="no answer to 01 0c"):
        bench.obd(0x0C)


def test_faults_hit_what_is_outside(bench: VirtualBench) -> None:
    """As words or as keys; a cut link is silent in both directions."""
    number = bench.fault(f"link {BUS} down", seconds=0.5)
    bench.advance(0.1)
    before = len(bench.frames(BUS))
    bench.inject(BUS, "DriverInputs", Throttle=40)
    bench.advance(0.2)
    assert bench.read("input.Throttle") == 0
    assert len(bench.frames(BUS)) - before == 1  # only our own
    bench.clear(number)
    bench.wait_for(BUS, "EngineData1", timeout=0.05)
    bench.fault({"kind": "frame", "bus": BUS, "message": "EngineData1", "effect": "drop"}, frames=3)
    bench.advance(1.0)
    assert bench.command("fault-list")["faults"][-1]["hits"] == 3


def test_another_sender_of_an_own_identifier_is_counted(bench: VirtualBench) -> None:
    """EngineData1 (0x100) is the bench's own: a control unit that sends it is a conflict. DriverInputs is its own."""
    bench.advance(0.5)
    assert bench.command("status", parts=["buses"])["buses"][BUS]["id_conflicts"] == {}
    for _ in range(3):
        bench.send(BUS, Frame(0x100, bytes(8)))
        bench.inject(BUS, "DriverInputs", Throttle=40)
        bench.advance(0.1)
    assert bench.command("status", parts=["buses"])["buses"][BUS]["id_conflicts"] == {"0x100": 3}


class Echo:
    """Answers each frame of one identifier with another, and says something every tick of a time."""

    def __init__(self, heard: int, said: int) -> None:
        self.heard, self.said = heard, said
        self.ticks: list[float] = []

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        return [Frame(self.said, frame.data)] if frame.can_id == self.heard else []

    def tick(self, t: float) -> Iterable[Frame]:
        self.ticks.append(t)
        return [Frame(0x100, b"")] if len(self.ticks) == 1 else []


def test_units_hear_each_other_and_the_bench_hears_them(tmp_path: Path) -> None:
    with VirtualBench(demo_bench(tmp_path)) as bench:
        one, other = Echo(0x100, 0x5A1), Echo(0x5A1, 0x5A2)
        bench.attach(BUS, one)
        bench.attach(BUS, other)
        bench.advance(0.005)
        said = [heard.frame.can_id for heard in bench.frames(BUS) if heard.frame.can_id in (0x5A1, 0x5A2)]
        assert said.count(0x5A1) == said.count(0x5A2) >= 1
        assert one.ticks == [0, 0.001, 0.002, 0.003, 0.004]
        assert bench.parts.buses[BUS].received >= 3


def test_two_benches_are_the_same_to_the_byte() -> None:
    """With the same seed and chance in a fault; another seed gives other bytes."""

    def run(seed: int) -> list[tuple[float, Frame]]:
        with VirtualBench("demo", seed=seed, demo_driver=True) as bench:
            bench.fault(f"signal {BUS}.EngineData1.EngineRpm noise value=50")
            bench.advance(2.0)
            return [(heard.t, heard.frame) for heard in bench.frames(BUS)]

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_what_there_is_not(bench: VirtualBench) -> None:
    """Is an error that names what may have been meant."""
    for call, hint in (
        (lambda: bench.read("vehicle.Sped"), "did you mean vehicle.Speed"),
        (lambda: bench.set("input.Throtle", 1), "did you mean input.Throttle"),
        (lambda: bench.set("input.Throttle", 2), "not within 0..1"),
        (lambda: bench.frames("powertrian"), "did you mean powertrain"),
        (lambda: bench.wait_for(BUS, "EngineData"), "unknown message of powertrain.dbc"),
        (lambda: bench.inject(BUS, "DriverInputs", Throtle=1), "did you mean Throttle"),
        (lambda: bench.obd(0x0C, ecu="body"), "unknown control unit 'body'"),
        (lambda: bench.write_serial(b"", port=1), "the bench has 1 serial inputs"),
        (lambda: bench.fault("frame powertrain.EngineData1 dorp"), "did you mean 'drop'"),
    ):
        with pytest.raises(ConfigurationError, match=hint):
            call()
    with pytest.raises(ConfigurationError, match="no bench 'dmeo'"):
        VirtualBench("dmeo")


def test_a_scenario_is_played_and_gives_back_what_it_held(bench: VirtualBench) -> None:
    """As `hilbridge run --scenario` plays it: the verdicts stand with the lines of the file."""
    report = bench.play("launch")
    assert report.passed
    assert [row.line for row in report.rows] == sorted(row.line for row in report.rows)
    assert bench.read("vehicle.Speed") < 0.1
    assert bench.command("status", parts=["inputs"])["inputs"][0]["source"] != "scenario launch"


def test_a_step_that_fails_is_in_the_report(bench: VirtualBench, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text("steps:\n  - expect: vehicle.EngineRpm > 500\n  - arm: {body: true}\n")
    with pytest.raises(ConfigurationError, match=r"wrong.yaml:3: steps\[1\].arm.body"):
        bench.play(file)
    file.write_text("steps:\n  - expect: vehicle.EngineRpm > 500\n")
    assert not bench.play(file).passed


@pytest.mark.parametrize(("speed", "gear"), [(50.0, None), (80.0, 4)])
def test_the_car_is_brought_to_a_speed(bench: VirtualBench, speed: float, gear: int | None) -> None:
    """Within 3 km/h, in the gear that was asked for; the pedals are the test's from then on."""
    bench.drive(speed, gear)
    assert bench.read("vehicle.Speed") * 3.6 == pytest.approx(speed, abs=3.0)
    if gear is not None:
        assert bench.read("vehicle.GearboxGear") == gear
    bench.set("input.Throttle", 0.0)
    bench.set("input.Brake", 1.0)
    bench.advance_until("vehicle.Speed < 0.1", timeout=20.0)


def test_a_speed_that_the_car_does_not_have_is_said(bench: VirtualBench) -> None:
    with pytest.raises(TimeoutError, match=r"the car goes \d+\.\d km/h, not 400"):
        bench.drive(400.0, acceleration=20.0)


def test_a_trace_is_driven_as_a_step_of_a_scenario_says(bench: VirtualBench) -> None:
    """By points, within a tolerance; what the step does not allow is refused with its reason."""
    bench.drive(points=[(0, 0), (2, 0), (8, 25), (12, 25)], tolerance=2)
    assert bench.get("vehicle.Speed") * 3.6 == pytest.approx(25.0, abs=2.0)
    with pytest.raises(ConfigurationError, match="needs either 'speed', 'cycle' or 'points'"):
        bench.drive(50.0, cycle="nedc")


def test_values_of_the_files_are_set() -> None:
    """As `hilbridge run --set` does, bench and vehicle; any other key is refused."""
    with VirtualBench("demo", set={"vehicle.body.mass": 1400, "bench.rate": 100}) as heavy:
        assert (heavy.parts.vehicle.settings.body.mass, heavy.parts.settings.rate) == (1400.0, 100)
    with pytest.raises(ConfigurationError, match="'mass' is a key of neither file"):
        VirtualBench("demo", set={"mass": 1400})


def test_it_has_the_verbs_of_a_client(bench: VirtualBench) -> None:
    """A script for a running bench runs in a test; what needs a daemon is refused."""
    verbs = {name for name in dir(AnyClient) if not name.startswith("_")}
    assert verbs <= set(dir(bench))
    bench.set("input.Key", 1)
    assert bench.wait_until("vehicle.EngineRpm > 500") < 3.0
    assert bench.values("vehicle.EngineRpm").entries["vehicle.EngineRpm"].value == bench.get("vehicle.EngineRpm")
    assert bench.values().time == pytest.approx(bench.time)
    assert list(bench.status("buses")["buses"]) == [BUS]
    bench.arm(BUS, armed=False)
    assert not bench.status("buses")["buses"][BUS]["armed"]
    with pytest.raises(ConfigurationError, match="make another one"):
        bench.reload()
    with pytest.raises(ConfigurationError, match="only a run"):
        bench.record()


def test_values_have_a_history(bench: VirtualBench) -> None:
    """Every 10 ms, in the unit of the entry; the last one is that of now."""
    bench.set("road.Slope", 0.05)
    bench.advance(1.0)
    bench.set("road.Slope", 0.08)
    bench.advance(1.0)
    course = bench.history("road.Slope")
    assert len(course.times) == 200
    assert course.times[:3] == pytest.approx([0.0, 0.01, 0.02])
    assert set(course.values) == {0.05, 0.08}
    assert course.values[-1] == 0.08
    assert len(bench.history("road.Slope", 0.5).times) == 50


def test_the_frames_so_far_are_written_in_any_format(bench: VirtualBench, tmp_path: Path) -> None:
    """python-can reads them back; an extension that is none is refused."""
    bench.set("input.Key", 0)
    bench.advance(1.0)
    assert bench.record(tmp_path / "all.blf") == tmp_path / "all.blf"
    messages = list(can.BLFReader(tmp_path / "all.blf"))
    assert len(messages) == len(bench.frames(BUS))
    late = bench.record(tmp_path / "late.log", 0.5).read_text().splitlines()
    assert 0 < len(late) < len(messages)
    with pytest.raises(ConfigurationError, match=r"\.blf, \.asc"):
        bench.record(tmp_path / "all.txt")


def test_what_explains_a_failure_is_kept(bench: VirtualBench, tmp_path: Path) -> None:
    """Frames, a picture of the values that the test has named, and what the test has done, when."""
    idling(bench)
    bench.read("auxiliary.FuelShare")
    files = bench.keep(tmp_path / "kept")
    assert [file.name for file in files] == ["frames.blf", "log.txt", "values.svg"]
    assert len(list(can.BLFReader(files[0]))) > 100
    assert '"set", "entry": "input.Key", "value": 1' in files[1].read_text()
    assert "auxiliary.FuelShare" in files[2].read_text()
    assert bench.keep(tmp_path / "kept") == files


def test_text_for_a_serial_line_is_refused_with_the_remedy(bench: VirtualBench) -> None:
    with pytest.raises(TypeError, match="write_serial takes bytes"):
        bench.write_serial("throttle=300\n")  # type: ignore[arg-type]
