"""Who holds each control, and what is on the bus when nobody does."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.inputs.arbiter import DEMO, REPORT_BURST, SILENCE, Arbiter
from hilbridge.bench.inputs.binding import bind, build_conditioner
from hilbridge.bench.inputs.controls import INPUT_CONTROLS, Control, require_control
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.bench.inputs.source import REPORT_INTERVAL, Source
from hilbridge.files.settings import InputSignal
from vehiclesim.channels import NAN, BodyData, InputData, RequestData, RoadData, SettingsData
from vehiclesim.databus import DataBus


class Board(Source):
    """A source with a time-out of 500 ms that says what a test makes it say."""

    def __init__(self, name: str, signals: Sequence[str], timeout: float = 500.0, **safe: float | str) -> None:
        bindings = bind({signal: InputSignal(safe=safe.get(signal)) for signal in signals}, ())
        super().__init__(name, bindings, list(map(build_conditioner, bindings)), timeout=timeout)

    def say(self, t: int, *readings: float) -> None:
        self._accept(readings, t)

    def garble(self, t: int) -> None:
        self._reject("garbled", t)


class Chauffeur:
    """A demo driver that sits at full throttle in third gear."""

    controls: tuple[Control, ...] = tuple(
        INPUT_CONTROLS[index] for index in (InputData.THROTTLE, InputData.MANUAL_GEAR, InputData.KEY)
    )

    def __init__(self) -> None:
        self.values = [0, 0, -1]
        self.due = 0
        self.begins: list[int] = []
        self.drives: list[int] = []

    def begin(self, t: int) -> None:
        self.begins.append(t)

    def drive(self, t: int) -> None:
        self.drives.append(t)
        self.values = [10000, 3, 0]


class Bench:
    """An arbiter, its bus and what it reported."""

    def __init__(self, *sources: Source, driver: Chauffeur | None = None) -> None:
        self.bus = DataBus()
        self.events: list[tuple[str, str, object]] = []
        self.arbiter = Arbiter(self.bus, sources, self, driver)
        self.arbiter.rest()

    def info(self, t: int, event: str, **fields: object) -> None:
        self.events.append(("info", event, fields.get("source")))

    def warning(self, t: int, event: str, **fields: object) -> None:
        self.events.append(("warning", event, fields.get("source")))

    def at(self, t: int) -> list[int]:
        """The Input channel after the tick of time t."""
        self.arbiter.sample(t)
        return list(self.bus.input)


def test_before_any_source_has_spoken_everything_is_at_rest() -> None:
    bench = Bench(Board("board", ["Throttle", "Key"]))
    rest = [0] * 10
    rest[InputData.AUTOMATIC_GEAR] = 3
    rest[InputData.KEY] = -1
    assert list(bench.bus.input) == rest
    assert bench.at(5 * SECOND) == rest
    assert bench.events == []


def test_the_highest_fresh_source_that_sets_a_control_holds_it() -> None:
    high, low = Board("high", ["Throttle"]), Board("low", ["Throttle", "Brake"])
    bench = Bench(high, low)
    low.say(0, 0.2, 0.3)
    assert bench.at(0)[InputData.THROTTLE] == 2000
    high.say(0, 0.9)
    now = bench.at(0)
    assert (now[InputData.THROTTLE], now[InputData.BRAKE]) == (9000, 3000)


def test_after_a_time_out_the_next_source_holds_the_control_and_then_nobody() -> None:
    high, low = Board("high", ["Throttle"]), Board("low", ["Throttle"], timeout=800)
    bench = Bench(high, low)
    high.say(0, 0.9)
    low.say(0, 0.2)
    throttle = [bench.at(t * MILLISECOND)[InputData.THROTTLE] for t in (500, 501, 800, 801)]
    assert throttle == [9000, 2000, 2000, 0]


def test_a_source_that_keeps_saying_the_same_stays_fresh() -> None:
    board = Board("board", ["Throttle"])
    bench = Bench(board)
    for t in range(0, 5 * SECOND, 400 * MILLISECOND):
        board.say(t, 0.5)
        assert bench.at(t)[InputData.THROTTLE] == 5000
    assert [name for _, name, _ in bench.events] == ["input active"]


def test_after_a_time_out_pedals_are_released_levers_stay_and_the_starter_is_let_go() -> None:
    board = Board("board", ["Throttle", "ManualGear", "AutomaticGear", "Key", "settings.AbsOverride"])
    bench = Bench(board)
    board.say(0, 0.5, 4, 4, 1, 2)
    bench.at(0)
    now = bench.at(SECOND)
    assert now[InputData.THROTTLE] == 0
    assert (now[InputData.MANUAL_GEAR], now[InputData.AUTOMATIC_GEAR], now[InputData.KEY]) == (4, 4, 0)
    assert bench.bus.settings[SettingsData.ABS_OVERRIDE] == 0


def test_the_bench_file_may_name_the_safe_values() -> None:
    board = Board("board", ["Throttle", "Brake", "Key"], Throttle="hold", Brake=0.25, Key=-1)
    bench = Bench(board)
    board.say(0, 0.5, 0.9, 1)
    bench.at(0)
    now = bench.at(SECOND)
    assert (now[InputData.THROTTLE], now[InputData.BRAKE], now[InputData.KEY]) == (5000, 2500, -1)


def test_time_outs_and_takeovers_are_reported_once_each() -> None:
    board = Board("board", ["Throttle"])
    bench = Bench(board)
    board.say(0, 0.5)
    for t in range(0, 2 * SECOND, 10 * MILLISECOND):
        bench.at(t)
    board.say(2 * SECOND, 0.5)
    bench.at(2 * SECOND)
    assert bench.events == [
        ("info", "input active", "board"),
        ("warning", "input timed out", "board"),
        ("info", "input active", "board"),
    ]


def test_a_source_that_sends_what_cannot_be_used_is_reported_and_changes_nothing() -> None:
    board = Board("board", ["Throttle"])
    bench = Bench(board)
    board.garble(0)
    assert bench.at(0)[InputData.THROTTLE] == 0
    assert bench.events == [("warning", "input cannot be used", "board")]


def test_paddle_steps_add_up_on_the_bus_until_the_vehicle_takes_them() -> None:
    board = Board("board", ["GearShift"])
    bench = Bench(board)
    for t, level in enumerate([0, 1, 0, 1, 0]):
        board.say(t, level)
        bench.at(t)
    assert bench.bus.input[InputData.GEAR_SHIFT] == 2
    bench.bus.input[InputData.GEAR_SHIFT] = 0
    board.say(5, -1)
    assert bench.at(5)[InputData.GEAR_SHIFT] == -1


def test_steps_of_two_samples_in_one_tick_both_count() -> None:
    board = Board("board", ["GearShift"])
    bench = Bench(board)
    for level in (0, 1, 0, 1):
        board.say(0, level)
    assert bench.at(0)[InputData.GEAR_SHIFT] == 2


def test_steps_of_a_source_that_does_not_hold_the_paddle_are_lost() -> None:
    """For good: the source does not shift with them when it holds the paddle later."""
    high, low = Board("high", ["GearShift"]), Board("low", ["GearShift"], timeout=5000)
    bench = Bench(high, low)
    for t, level in enumerate([0, 1]):
        high.say(t, 0)
        low.say(t, level)
        bench.at(t)
    assert bench.at(SECOND)[InputData.GEAR_SHIFT] == 0
    low.say(SECOND, 0)
    low.say(SECOND, 1)
    assert bench.at(SECOND)[InputData.GEAR_SHIFT] == 1


def test_what_an_arbiter_takes_over_it_loses_as_the_one_before_would() -> None:
    """A reload takes the source of a lever away: the lever stays where it was, the pedal is released."""
    board = Board("board", ["Throttle", "ManualGear", "Brake"], Brake="hold")
    before = Bench(board)
    board.say(0, 0.5, 4, 0.75)
    before.at(0)
    after = Bench(Board("other", ["Throttle"]))
    after.bus = before.bus
    after.arbiter = Arbiter(before.bus, (), after)
    after.arbiter.take_over(before.arbiter)
    now = after.at(MILLISECOND)
    places = (InputData.THROTTLE, InputData.MANUAL_GEAR, InputData.BRAKE)
    assert [now[place] for place in places] == [0, 4, 7500]


def test_an_arbiter_that_takes_over_lets_the_same_driver_drive_on() -> None:
    """He does not begin anew, and the controls that nobody else holds stay his."""
    driver, board = Chauffeur(), Board("board", ["road.Slope"])
    before = Bench(board, driver=driver)
    board.say(0, 0.1)
    before.at(0)
    after = Bench(board, driver=driver)
    after.arbiter.take_over(before.arbiter)
    assert after.at(MILLISECOND)[InputData.THROTTLE] == 10000
    assert driver.begins == [0]
    assert after.events == []  # what was reported before is no news


def test_settings_that_no_source_sets_are_never_written() -> None:
    board = Board("board", ["settings.AbsOverride"])
    bench = Bench(board)
    bench.bus.settings[SettingsData.TCS_OVERRIDE] = 2
    board.say(0, 1)
    bench.at(0)
    assert bench.bus.settings[SettingsData.ABS_OVERRIDE : SettingsData.TCS_OVERRIDE + 1] == [1, 0, 2]


def test_a_request_without_a_source_is_no_request() -> None:
    board = Board("ecu", ["request.EngineTorqueLimit"])
    bench = Bench(board)
    board.say(0, 80)
    bench.at(0)
    assert bench.bus.request[RequestData.ENGINE_TORQUE_LIMIT] == 80_000
    bench.at(SECOND)
    assert bench.bus.request[RequestData.ENGINE_TORQUE_LIMIT] == NAN


def test_what_nobody_holds_is_left_to_others() -> None:
    """After a loss the safe value is written once; a road profile or a fault may then write the entry."""
    board = Board("board", ["road.Slope", "Throttle"])
    bench = Bench(board)
    board.say(0, 0.1, 0.1)
    bench.at(0)
    bench.at(SECOND)
    bench.bus.road[RoadData.SLOPE] = 500
    board.say(2 * SECOND, 0.0, 0.2)
    board.fresh[0] = False
    bench.at(2 * SECOND)
    assert (bench.bus.road[RoadData.SLOPE], bench.bus.input[InputData.THROTTLE]) == (500, 2000)


def test_a_source_that_comes_and_goes_is_not_reported_at_its_rate() -> None:
    """A sample every 600 ms, a time-out of 500 ms, for five minutes: a burst, then two lines in ten seconds at most."""
    board = Board("board", ["Throttle"])
    bench = Bench(board)
    for t in range(0, 300 * SECOND, 100 * MILLISECOND):
        if t % (600 * MILLISECOND) == 0:
            board.say(t, 0.5)
        bench.at(t)
    assert len(bench.events) <= REPORT_BURST + 2 * (300 * SECOND // REPORT_INTERVAL)


def test_what_waited_to_be_reported_is_reported_as_it_is_in_the_end() -> None:
    board = Board("board", ["Throttle"])
    bench = Bench(board)
    for n in range(10):
        board.say(n * SECOND, 0.5)
        bench.at(n * SECOND)
        bench.at(n * SECOND + 600 * MILLISECOND)
    assert len(bench.events) == REPORT_BURST == 6
    bench.at(9 * SECOND + 2 * REPORT_INTERVAL)
    assert bench.events[-1] == ("warning", "input timed out", "board")


def test_pedal_tracks_that_differ_are_reported_and_limp_and_again_when_they_agree() -> None:
    tracks = [{"field": "a", "minimum": 0, "maximum": 1}, {"field": "b", "minimum": 0, "maximum": 1}]
    signal = InputSignal.model_validate({"tracks": tracks, "limp": 0.1, "recovery": 200})
    bindings = bind({"Throttle": signal}, ())
    board = Source("pedal", bindings, list(map(build_conditioner, bindings)), timeout=500.0)
    bench = Bench(board)
    throttle = []
    for tick in range(100):
        share = 0.0 if tick > 60 else 0.8
        board._accept((share, share / 2 if 20 <= tick < 40 else share), tick * 10 * MILLISECOND)
        throttle.append(bench.at(tick * 10 * MILLISECOND)[InputData.THROTTLE])
    assert throttle == [8000] * 20 + [4000] * 10 + [1000] * 31 + [0] * 39
    assert bench.events == [
        ("info", "input active", "pedal"),
        ("warning", "pedal tracks differ", "pedal"),
        ("info", "pedal tracks agree again", "pedal"),
    ]
    assert [(monitor.failed, monitor.failures) for monitor in board.monitors] == [(False, 1)]


def test_the_holdings_say_who_has_each_control() -> None:
    high, low = Board("high", ["Throttle", "road.Slope"]), Board("low", ["Throttle", "Brake"])
    bench = Bench(high, low, driver=Chauffeur())
    bench.at(0)
    rows = {row.control: row for row in bench.arbiter.control_states()}
    assert (rows["Throttle"].source, rows["Throttle"].value, rows["Brake"].source) == ("demo driver", 1.0, "")
    assert "road.Slope" not in rows
    high.say(1, 0.25, 0.05)
    low.say(1, 0.5, 0.75)
    bench.at(1)
    rows = {row.control: row for row in bench.arbiter.control_states()}
    assert [rows[name].source for name in ("Throttle", "Brake", "Key", "road.Slope")] == ["high", "low", "", "high"]
    assert [rows[name].value for name in ("Throttle", "Brake", "Key", "road.Slope")] == [0.25, 0.75, -1.0, 0.05]


# -- the demo driver --------------------------------------------------------------------------------------------------


def test_the_demo_driver_drives_from_the_first_tick_while_nobody_else_speaks() -> None:
    driver = Chauffeur()
    bench = Bench(Board("board", ["Throttle"]), driver=driver)
    assert bench.at(0)[InputData.THROTTLE] == 10000
    bench.at(MILLISECOND)
    assert (driver.begins, driver.drives) == ([0], [0, MILLISECOND])


def test_a_fresh_source_replaces_the_demo_driver_whole() -> None:
    """What the source does not set goes to rest: the gear to neutral, the key to off."""
    board = Board("board", ["Throttle"])
    bench = Bench(board, driver=Chauffeur())
    assert bench.at(0)[InputData.MANUAL_GEAR] == 3
    board.say(1, 0.1)
    now = bench.at(1)
    assert (now[InputData.THROTTLE], now[InputData.MANUAL_GEAR], now[InputData.KEY]) == (1000, 0, -1)


def test_the_demo_driver_returns_ten_seconds_after_the_last_good_sample() -> None:
    driver = Chauffeur()
    board = Board("board", ["Throttle", "ManualGear", "settings.AbsOverride"])
    bench = Bench(board, driver=driver)
    bench.at(0)
    board.say(SECOND, 0.5, 2, 1)
    for t in range(SECOND, SECOND + SILENCE, 50 * MILLISECOND):
        bench.at(t)
    assert (bench.bus.input[InputData.THROTTLE], bench.bus.input[InputData.MANUAL_GEAR]) == (0, 2)
    assert bench.at(SECOND + SILENCE)[InputData.THROTTLE] == 10000
    assert driver.begins == [0, SECOND + SILENCE]
    assert [name for _, name, _ in bench.events if name.startswith("demo")] == [
        "demo driver drives",
        "demo driver yields",
        "demo driver drives",
    ]


def test_a_demo_driver_that_yields_leaves_no_lights_on_and_no_side_indicating() -> None:
    """What it has set of the body goes to rest; what it does not set stays as others have left it."""

    class Lit(Chauffeur):
        controls = (require_control("body.DippedBeam"), require_control("body.TurnSignal"))

        def drive(self, t: int) -> None:
            self.values = [1, 2]

    board = Board("board", ["Throttle"])
    bench = Bench(board, driver=Lit())
    bench.bus.body[BodyData.WIPER] = 3
    bench.at(0)
    places = (BodyData.DIPPED_BEAM, BodyData.TURN_SIGNAL, BodyData.WIPER)
    assert [bench.bus.body[place] for place in places] == [1, 2, 3]
    assert {state.control: state.source for state in bench.arbiter.control_states()}["body.DippedBeam"] == DEMO
    board.say(1, 0.5)
    bench.at(1)
    assert [bench.bus.body[place] for place in places] == [0, 0, 3]


def test_a_demo_driver_that_returns_finds_the_drivers_controls_at_rest_and_the_others_as_they_were() -> None:
    """Also those of the driver that he does not set: a held brake is let go, a slope stays."""
    board = Board("board", ["Brake", "road.Slope"], 500.0, **{"Brake": "hold", "road.Slope": "hold"})
    bench = Bench(board, driver=Chauffeur())
    board.say(0, 0.75, 0.1)
    bench.at(0)
    bench.at(SECOND)
    assert (bench.bus.input[InputData.BRAKE], bench.bus.road[RoadData.SLOPE]) == (7500, 1000)
    bench.bus.road[RoadData.SLOPE] = 500  # a road profile goes on
    bench.at(SILENCE)
    assert (bench.bus.input[InputData.BRAKE], bench.bus.road[RoadData.SLOPE]) == (0, 500)
    assert bench.bus.input[InputData.THROTTLE] == 10000


def test_the_demo_driver_waits_for_a_source_whose_time_out_is_longer_than_the_silence() -> None:
    driver = Chauffeur()
    board = Board("board", ["Throttle"], timeout=60_000)
    bench = Bench(board, driver=driver)
    board.say(0, 0.5)
    bench.at(0)
    assert bench.at(SILENCE + SECOND)[InputData.THROTTLE] == 5000
    assert bench.at(61 * SECOND)[InputData.THROTTLE] == 10000


def test_a_request_or_a_road_does_not_send_the_demo_driver_away() -> None:
    board = Board("ecu", ["request.EngineTorqueLimit", "road.Slope"])
    bench = Bench(board, driver=Chauffeur())
    bench.at(0)
    board.say(1, 80, 0.1)
    assert bench.at(1)[InputData.THROTTLE] == 10000
    assert bench.bus.road[RoadData.SLOPE] == 1000


def test_what_a_command_holds_stands_over_the_demo_driver_who_drives_on() -> None:
    holds, driver = Overrides(), Chauffeur()
    bench = Bench(holds, driver=driver)
    bench.at(0)
    holds.set("Throttle", 0.2)
    now = bench.at(1)
    assert (now[InputData.THROTTLE], now[InputData.MANUAL_GEAR]) == (2000, 3)
    holds.release("Throttle")
    assert bench.at(2)[InputData.THROTTLE] == 10000
    assert driver.begins == [0]


def test_between_two_control_steps_of_the_demo_driver_its_values_stay() -> None:
    """It is not asked again before it is due, but what was held meanwhile is its value again after the release."""
    holds, driver = Overrides(), Chauffeur()
    bench = Bench(holds, driver=driver)
    bench.at(0)
    driver.due = SECOND
    assert bench.at(1)[InputData.THROTTLE] == 10000
    assert driver.drives == [0]
    holds.set("Throttle", 0.2)
    assert bench.at(2)[InputData.THROTTLE] == 2000
    holds.release("Throttle")
    assert bench.at(3)[InputData.THROTTLE] == 10000
    bench.at(SECOND)
    assert driver.drives[-1] == SECOND


# -- against the rule, tick by tick ----------------------------------------------------------------------------------

SAYINGS = st.lists(st.tuples(st.integers(0, 400), st.sampled_from(["high", "low"]), st.integers(0, 100)), max_size=40)


@given(SAYINGS)
def test_working_only_on_news_gives_what_deciding_anew_in_every_tick_would(sayings: list[tuple[int, str, int]]) -> None:
    """The rule, written down plainly: newest sample of the highest source that is at most 100 ms old, else 0."""
    boards = {name: Board(name, ["Throttle"], timeout=100) for name in ("high", "low")}
    bench = Bench(*boards.values())
    script: dict[int, list[tuple[str, int]]] = {}
    for tick, name, percent in sayings:
        script.setdefault(tick, []).append((name, percent))
    last: dict[str, tuple[int, int]] = {}
    for tick in range(520):
        for name, percent in script.get(tick, []):
            boards[name].say(tick * MILLISECOND, percent / 100)
            last[name] = (tick, percent * 100)
        fresh = [last[name][1] for name in ("high", "low") if name in last and tick - last[name][0] <= 100]
        assert bench.at(tick * MILLISECOND)[InputData.THROTTLE] == (fresh[0] if fresh else 0)
