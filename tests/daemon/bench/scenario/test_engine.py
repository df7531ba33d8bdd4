"""When steps begin and end, and what becomes of the scenario. A tick is 10 ms."""

from pathlib import Path

from .stages import TICK, Rig


def test_steps_follow_each_other(tmp_path: Path) -> None:
    """What is done takes no time; what is observed after it is observed in the next tick, which knows the change."""
    rig = Rig(
        tmp_path,
        """
        {set: {road.Slope: 0.1}}
        {set: {road.HeadWind: 5}}
        {expect: "road.Slope == 0.1"}
        {always: "road.HeadWind == 5", for: 0.05}
        {expect: "road.Slope == 0.1"}
        """,
    )
    rig.tick(20)
    assert rig.verdicts() == ["passed"] * 5
    assert rig.times() == [(0, 0), (0, 0), (1, 1), (1, 6), (6, 6)]
    assert rig.scenario.over
    assert rig.scenario.verdict == "passed"
    assert rig.scenario.duration == 6 * TICK


def test_a_step_begins_at_a_time_or_after_a_time(tmp_path: Path) -> None:
    rig = Rig(
        tmp_path,
        """
        {set: {road.Slope: 0.1}, after: 0.02}
        {set: {road.Slope: 0.2}, at: 0.1}
        {set: {road.Slope: 0.3}, after: 0.05}
        """,
    )
    rig.tick(20)
    assert rig.times() == [(2, 2), (10, 10), (15, 15)]
    assert [command["value"] for _, command in rig.commands] == [0.1, 0.2, 0.3]


def test_a_step_that_cannot_begin_in_time_fails(tmp_path: Path) -> None:
    """The step is played all the same, and the scenario continues."""
    rig = Rig(
        tmp_path,
        """
        {always: "1", for: 0.1}
        {set: {road.Slope: 0.2}, at: 0.05}
        """,
    )
    rig.tick(20)
    assert rig.verdicts() == ["passed", "failed"]
    assert rig.scenario.verdicts[1].seen == "began 0.05 s late, for the step before it lasted so long"
    assert len(rig.commands) == 1


def test_a_failed_expectation_does_not_end_the_scenario(tmp_path: Path) -> None:
    rig = Rig(
        tmp_path,
        """
        {expect: "road.Slope > 1"}
        {expect: "road.Slope < 1"}
        """,
    )
    rig.tick(3)
    assert rig.verdicts() == ["failed", "passed"]
    assert rig.scenario.verdict == "failed"


def test_a_wait_in_vain_ends_the_scenario(tmp_path: Path) -> None:
    """Background steps are cut off, or judged by what was seen so far; the rest is not reached."""
    rig = Rig(
        tmp_path,
        """
        {always: "1", for: 10, background: true}
        {always: "1", background: true}
        {wait: {until: "road.Slope > 1", timeout: 0.1}}
        {set: {road.Slope: 0.1}}
        """,
    )
    rig.tick(20)
    assert rig.verdicts() == ["cut off", "passed", "failed", "not reached"]
    assert rig.scenario.over
    assert rig.commands == []


def test_a_refused_command_ends_the_scenario(tmp_path: Path) -> None:
    rig = Rig(
        tmp_path,
        """
        {fault: {kind: link, bus: can, effect: down}}
        {expect: "1"}
        """,
    )
    rig.refusal = "64 faults wait or are active already"
    rig.tick(3)
    assert rig.verdicts() == ["failed", "not reached"]
    assert rig.scenario.verdicts[0].seen == rig.refusal


def test_the_background_goes_on_beside_the_others(tmp_path: Path) -> None:
    """The scenario waits for what has an end of its own, and for nothing else."""
    rig = Rig(
        tmp_path,
        """
        {always: "1", background: true}
        {set: {road.Slope: 0.5}, over: 0.1, background: true}
        {expect: "road.Slope > 0.2", within: 1}
        """,
    )
    rig.tick(30)
    assert rig.verdicts() == ["passed"] * 3
    assert rig.times() == [(0, 10), (0, 10), (0, 5)]


def test_what_is_over_stays_over(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{expect: "1"}')
    rig.tick(5)
    assert rig.scenario.advance(rig.t + TICK)
    assert rig.times() == [(0, 0)]


def test_a_run_that_is_interrupted_has_not_passed(tmp_path: Path) -> None:
    rig = Rig(tmp_path, '{always: "1", for: 5}\n{expect: "1"}')
    rig.tick(10)
    rig.scenario.finish()
    assert rig.verdicts() == ["cut off", "not reached"]
    assert rig.scenario.verdict == "failed"
