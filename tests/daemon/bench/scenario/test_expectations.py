"""Steps that wait for or expect a condition on the data bus, or a frame. A tick is 10 ms."""

from pathlib import Path

from hilbridge.frames.codec.frame import Frame

from .stages import Rig
from .test_pattern import engine_data


def test_an_expectation_at_a_moment_tells_the_values(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{expect: "road.Slope > 0.1 and vehicle.EngineRpm > 500"}')
    rig.put("road.Slope", 0.25)
    rig.put("vehicle.EngineRpm", 400)
    rig.tick(2)
    assert rig.verdicts() == ["failed"]
    assert rig.scenario.verdicts[0].seen == "road.Slope = 0.25, vehicle.EngineRpm = 400 rpm"


def test_what_is_not_available_does_not_hold(tmp_path: Path) -> None:
    """Neither a condition nor its opposite."""
    rig = Rig(tmp_path, '{expect: "request.EngineRpm < 100"}\n{expect: "request.EngineRpm >= 100"}')
    rig.tick(2)
    assert rig.verdicts() == ["failed", "failed"]
    assert rig.scenario.verdicts[0].seen == "request.EngineRpm is not available"


def test_a_repeat_is_left_when_its_condition_holds(tmp_path: Path) -> None:
    """After the round in which it does; the other rounds are not needed, and the scenario can pass."""
    steps = '{repeat: {times: 4, until: "road.Slope > 0.15", steps: [{set: {road.Slope: "${0.1 * i}"}}]}}'
    rig = Rig(tmp_path, steps + '\n{expect: "road.Slope == 0.2"}')
    rig.tick(10)
    assert rig.verdicts() == ["passed"] * 4 + ["not needed"] * 4 + ["passed"]
    assert rig.scenario.verdict == "passed"
    assert rig.scenario.verdicts[1].seen == "road.Slope = 0.1"


def test_a_repeat_whose_condition_never_holds_fails(tmp_path: Path) -> None:
    steps = '{repeat: {times: 2, until: "road.Slope > 0.5", steps: [{set: {road.Slope: "${0.1 * i}"}}]}}'
    rig = Rig(tmp_path, steps)
    rig.tick(10)
    assert rig.verdicts() == ["passed", "passed", "passed", "failed"]


def test_within_a_time(tmp_path: Path) -> None:
    """The last tick of the time counts; with the condition the step is over."""
    rig = Rig(tmp_path, '{expect: "road.Slope > 0.1", within: 0.05}\n{expect: "road.Slope > 0.5", within: 0.05}')
    rig.tick(5)
    rig.put("road.Slope", 0.2)
    rig.tick(20)
    assert rig.verdicts() == ["passed", "failed"]
    assert rig.times() == [(0, 5), (5, 10)]
    assert rig.scenario.verdicts[1].seen == "after 0.05 s: road.Slope = 0.2"


def test_always_fails_at_the_first_exception(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{always: "road.Slope < 0.1", for: 0.1}')
    rig.tick(3)
    rig.put("road.Slope", 0.2)
    rig.tick()
    rig.put("road.Slope", 0)
    rig.tick(10)
    assert rig.times() == [(0, 3)]
    assert rig.scenario.verdicts[0].seen == "after 0.03 s: road.Slope = 0.2"


def test_a_frame_comes_within_a_time(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{frame: {bus: can, message: EngineData1, signals: {EngineRpm: "> 500"}}, within: 0.1}')
    rig.tick(3)
    rig.bus.transmit(engine_data(EngineRpm=400), None)
    rig.tick()
    rig.bus.transmit(engine_data(EngineRpm=800), None)
    rig.tick()
    assert rig.times() == [(0, 4)]
    assert rig.scenario.verdicts[0].seen == "after 0.04 s: EngineRpm = 800"


def test_a_frame_that_does_not_come(tmp_path: Path) -> None:
    """The report distinguishes missing frames from wrong values."""
    step = '{frame: {bus: can, message: EngineData1, signals: {EngineRpm: "> 500"}}, within: 0.05}'
    rig = Rig(tmp_path, f"{step}\n{step}")
    rig.tick(6)
    for rpm in (300, 400):
        rig.bus.transmit(engine_data(EngineRpm=rpm), None)
    rig.bus.transmit(Frame(0x123, b""), None)
    rig.tick(10)
    assert rig.verdicts() == ["failed", "failed"]
    assert [one.seen for one in rig.scenario.verdicts] == [
        "no can.EngineData1 in 0.05 s",
        "2 came that do not fit; the last: EngineRpm = 400",
    ]


OCCASION = """
{always: "1", background: true}
{frame: {bus: can, message: 0x7E0, data: "03 22 *"}, within: 0.1, occasion: 0.05}
{expect: "1"}
"""


def test_a_frame_without_an_occasion_is_not_tried(tmp_path: Path) -> None:
    """It is awaited from the first frame of its identifier on; the scenario ends, and has neither passed nor failed."""
    rig = Rig(tmp_path, OCCASION)
    for t in range(30):
        if t in (8, 10):
            rig.bus.transmit(Frame(0x7E0, bytes.fromhex("023E000000000000")), None)
        rig.tick()
    assert rig.verdicts() == ["passed", "not tried", "not reached"]
    assert rig.times()[1] == (0, 13)
    assert rig.scenario.verdict == "not tried"
    assert rig.scenario.verdicts[1].seen == "2 came that do not fit; the last: 02 3e 00 00 00 00 00 00"


def test_a_silent_sender_is_told_from_one_without_an_occasion(tmp_path: Path) -> None:
    rig = Rig(tmp_path, OCCASION)
    rig.tick(30)
    assert rig.verdicts() == ["passed", "silent", "not reached"]
    assert rig.times()[1] == (0, 10)
    assert rig.scenario.verdict == "not tried"
    assert rig.scenario.verdicts[1].seen == "no can.0x7E0 in 0.1 s"


def test_an_occasion_that_comes_is_a_step_that_passed(tmp_path: Path) -> None:
    rig = Rig(tmp_path, OCCASION)
    rig.tick(8)
    rig.bus.transmit(Frame(0x7E0, bytes.fromhex("023E000000000000")), None)
    rig.tick(4)
    rig.bus.transmit(Frame(0x7E0, bytes.fromhex("0322F19000000000")), None)
    rig.tick(10)
    assert rig.verdicts() == ["passed", "passed", "passed"]
    assert rig.scenario.verdict == "passed"


def test_a_failure_outweighs_a_missing_occasion(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{expect: "0"}' + OCCASION)
    rig.tick(30)
    assert rig.verdicts() == ["failed", "passed", "silent", "not reached"]
    assert rig.scenario.verdict == "failed"


def test_a_frame_of_before_does_not_count(tmp_path: Path) -> None:
    """What was on the bus in the tick in which the step begins is past."""
    rig = Rig(tmp_path, "{frame: {bus: can, message: EngineData1}, within: 0.02}")
    rig.bus.transmit(engine_data(), None)
    rig.tick(5)
    assert rig.verdicts() == ["failed"]


def test_absence(tmp_path: Path) -> None:
    """Ends with the first frame that fits; others may come."""
    step = "{absent: {bus: can, message: EngineData1, signals: {EngineRpm: 0}}, for: 0.05}"
    rig = Rig(tmp_path, f"{step}\n{step}")
    rig.tick()
    rig.bus.transmit(engine_data(EngineRpm=800), None)
    rig.tick(6)
    rig.bus.transmit(engine_data(), None)
    rig.tick(5)
    assert rig.verdicts() == ["passed", "failed"]
    assert [one.seen for one in rig.scenario.verdicts] == ["none in 0.05 s", "after 0.02 s: EngineRpm = 0"]


def test_absence_in_the_background_lasts_to_the_end(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{absent: {bus: can, message: 0x3D0}, background: true}\n{always: "1", for: 0.1}')
    rig.tick(20)
    assert rig.verdicts() == ["passed", "passed"]
    assert rig.scenario.verdicts[0].seen == "none in 0.1 s"
