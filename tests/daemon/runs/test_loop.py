"""The order of a tick, and what happens to missed ticks."""

from hilbridge.base.clock import Clock, RealClock, StopRequest, Timer
from hilbridge.base.common.units import MILLISECOND
from hilbridge.runs.loop import CatchUp, run


class ScriptedClock(Clock):
    """Ticks with given numbers of missed ticks before them."""

    def __init__(self, missed: list[int], period: int = MILLISECOND) -> None:
        super().__init__(period, period)
        self.lateness = 7
        self._script = iter(missed)

    def wait(self) -> bool:
        missed = next(self._script, None)
        if missed is None:
            return False
        self.missed = missed
        self.t += (1 + missed) * self.period
        return True


class Recorder:
    """Notes every call of a stage."""

    def __init__(self, stop: StopRequest | None = None, stop_at: int = -1) -> None:
        self.calls: list[tuple[object, ...]] = []
        self._stop = stop
        self._stop_at = stop_at

    def sample(self, t: int) -> None:
        self.calls.append(("sample", t))

    def step(self) -> None:
        self.calls.append(("step",))

    def serve(self, t: int) -> None:
        self.calls.append(("serve", t))

    def publish(self, t: int) -> None:
        self.calls.append(("publish", t))
        if self._stop is not None and t == self._stop_at:
            self._stop.requested = True

    def write(self, clock: Clock) -> None:
        self.calls.append(("write", clock.t, clock.missed, clock.lateness))


def test_a_tick_reads_steps_answers_sends_and_records_in_this_order() -> None:
    stages = Recorder()
    run(ScriptedClock([0]), stages, StopRequest())
    assert stages.calls == [("sample", 0), ("step",), ("serve", 0), ("publish", 0), ("write", 0, 0, 7)]


def test_missed_ticks_are_integrated_but_frames_go_once() -> None:
    """Three missed ticks: four model steps, one of everything else."""
    stages = Recorder()
    run(ScriptedClock([3]), stages, StopRequest())
    assert [call[0] for call in stages.calls] == ["sample", *["step"] * 4, "serve", "publish", "write"]


def test_a_gap_of_more_than_20_ms_is_a_time_jump() -> None:
    """The model integrates 20 missed ticks of 1 ms and not one more."""
    stages = Recorder()
    run(ScriptedClock([500]), stages, StopRequest())
    assert stages.calls.count(("step",)) == 21


def test_a_slow_bench_integrates_at_least_one_missed_tick() -> None:
    """At 10 Hz a period is longer than 20 ms; one missed tick is still made up."""
    stages = Recorder()
    run(ScriptedClock([2], period=100 * MILLISECOND), stages, StopRequest())
    assert stages.calls.count(("step",)) == 2


def test_a_stop_request_ends_the_loop_after_the_tick_is_complete() -> None:
    stop = StopRequest()
    stages = Recorder(stop, stop_at=2 * MILLISECOND)
    run(ScriptedClock([0] * 10), stages, stop)
    assert stages.calls[-1] == ("write", 2 * MILLISECOND, 0, 7)


def taken(missed: list[int], period: int = MILLISECOND) -> tuple[list[int], int]:
    """What is made up for, tick by tick, and what is left out in all."""
    catch_up, t, made_up = CatchUp(period), -period, []
    for one in missed:
        t += (1 + one) * period
        if one:
            made_up.append(catch_up.take(one, t))
    return made_up, catch_up.left_out


def test_what_is_made_up_for_and_what_is_a_jump() -> None:
    """20 ms at most, and one tick at least."""
    assert taken([5]) == ([5], 0)
    assert taken([20]) == ([20], 0)
    assert taken([500]) == ([20], 480)
    assert taken([3], 100 * MILLISECOND) == ([1], 2)


def test_what_was_made_up_for_comes_back_with_the_ticks_that_are_on_time() -> None:
    """After 15 ms and 5 ms there is nothing left; each tick on time gives one back, up to 20 ms."""
    assert taken([15, 15, 15]) == ([15, 5, 0], 25)
    assert taken([20, *[0] * 7, 9]) == ([20, 7], 2)
    assert taken([20, *[0] * 100, 30]) == ([20, 20], 10)


def test_a_model_that_is_too_slow_does_not_take_the_time_of_more_than_every_second_tick() -> None:
    """A step of 1.05 periods: of 5,000 ticks more than 2,500 are done. Made up for without end, it would be 250."""
    time = FakeTime()
    clock = RealClock(MILLISECOND, 5_000 * MILLISECOND, timer=Timer(time.read, time.sleep))
    stages = Slow(time, 1_050_000)
    run(clock, stages, StopRequest())
    assert 2_500 < stages.ticks < 4_800


class FakeTime:
    """A clock that only moves when somebody sleeps or works."""

    def __init__(self) -> None:
        self.now = 0

    def read(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += round(seconds * 1e9)


class Slow(Recorder):
    """Stages of which the step takes time [ns]."""

    def __init__(self, time: FakeTime, duration: int) -> None:
        super().__init__()
        self.ticks = 0
        self._time = time
        self._duration = duration

    def step(self) -> None:
        self._time.now += self._duration

    def write(self, clock: Clock) -> None:
        self.ticks += 1
