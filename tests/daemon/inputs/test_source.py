"""What the bench file may say about a source, how long a source is fresh, and how paddles are counted."""

import pytest

from hilbridge.errors import ConfigurationError
from hilbridge.inputs.source import COMPLAINT_INTERVAL, Source, bind
from hilbridge.settings import InputSignal

MILLISECOND = 1_000_000


class Board(Source):
    """Says what a test makes it say."""

    def __init__(self, **signals: InputSignal) -> None:
        bindings = bind(signals, ())
        super().__init__("board", bindings, [1.0] * len(bindings), 500.0, ("garbled",))

    def say(self, *readings: float | None, t: int = 0) -> None:
        self._accept(readings, t)

    def garble(self, t: int) -> None:
        self._reject("garbled", t)


@pytest.mark.parametrize(
    ("name", "signal", "message"),
    [
        ("Trottle", {}, "unknown input 'Trottle'"),
        ("vehicle.Speed", {}, "unknown input 'vehicle.Speed'"),
        ("ManualGear", {"minimum": 0, "maximum": 5}, "ManualGear has positions"),
        ("Throttle", {"safe": 2}, "safe value 2 of Throttle is not within 0..1"),
        ("GearShift", {"safe": 0}, "GearShift takes steps"),
        ("Key", {"safe": 1}, "the starter must not stay on"),
    ],
)
def test_what_cannot_be_bound_is_refused_with_its_place(name: str, signal: dict[str, float], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as error:
        bind({name: InputSignal.model_validate(signal)}, ("inputs", 2))
    assert error.value.place[:4] == ("inputs", 2, "signals", name)


def test_a_control_is_set_once_by_a_source() -> None:
    with pytest.raises(ConfigurationError, match="Throttle is set twice"):
        bind({"Throttle": InputSignal(), "input.Throttle": InputSignal()}, ())


def test_a_field_has_the_name_of_its_input_unless_it_is_named() -> None:
    bindings = bind({"settings.AbsOverride": InputSignal(), "Brake": InputSignal(field="Brk_Pdl")}, ())
    assert [binding.field for binding in bindings] == ["AbsOverride", "Brk_Pdl"]


def test_a_control_is_fresh_until_its_last_good_sample_is_older_than_the_time_out() -> None:
    board = Board(Throttle=InputSignal(), Brake=InputSignal())
    assert (board.fresh, board.due) == ([False, False], None)
    board.say(0.5, 0.0, t=100 * MILLISECOND)
    board.say(0.5, None, t=200 * MILLISECOND)
    assert board.due == 600 * MILLISECOND + 1
    board.expire(600 * MILLISECOND)
    assert board.fresh == [True, True]
    board.expire(600 * MILLISECOND + 1)
    assert (board.fresh, board.due) == ([True, False], 700 * MILLISECOND + 1)


def test_bad_samples_keep_no_source_alive() -> None:
    board = Board(Throttle=InputSignal())
    board.say(0.5, t=0)
    board.garble(t=400 * MILLISECOND)
    board.expire(501 * MILLISECOND)
    assert board.fresh == [False]


def test_the_same_sample_again_is_no_news() -> None:
    board = Board(Throttle=InputSignal())
    board.say(0.5)
    board.news = False
    board.say(0.5, t=1)
    assert (board.news, board.heard, board.accepted) == (False, 1, 2)


@pytest.mark.parametrize(
    ("levels", "steps"),
    [
        ([0, 1, 1, 1, 0], 1),
        ([0, 1, 0, 1, 0], 2),
        ([0, -1, -1, 0], -1),
        ([0, 1, 0, -1], 0),
        ([0, 1, -1, -1], 0),
        ([1, 1, 1], 0),
        ([1, 0, 1], 1),
    ],
)
def test_each_turn_of_a_paddle_to_one_side_is_one_step(levels: list[int], steps: int) -> None:
    """However often the level is repeated; a level that is there from the start is none."""
    board = Board(GearShift=InputSignal())
    for level in levels:
        board.say(level)
    assert board.steps == steps


def test_a_paddle_that_is_pressed_when_its_source_comes_back_is_no_step() -> None:
    board = Board(GearShift=InputSignal())
    board.say(0, t=0)
    board.expire(600 * MILLISECOND)
    board.say(1, t=700 * MILLISECOND)
    assert board.steps == 0


def test_all_bad_samples_are_counted_but_one_in_ten_seconds_is_reported() -> None:
    board = Board(Throttle=InputSignal())
    complaints = []
    for t in range(0, 2 * COMPLAINT_INTERVAL, COMPLAINT_INTERVAL // 50):
        board.garble(t)
        complaints.append(board.complaint)
        board.complaint = None
    assert board.rejected == 100
    assert [i for i, complaint in enumerate(complaints) if complaint == "garbled"] == [0, 50]
