"""What a client says, and what it makes of the answers; no socket and no waiting."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hilbridge.client import ConfigurationError, EntryValue, talks
from hilbridge.client.talks import Talk

from .daemon import entries


def carry_out(talk: Talk[Any], answers: Iterable[dict[str, Any]]) -> tuple[Any, list[Any]]:
    """The result of a talk, and what was said; waits are among it."""
    said: list[Any] = []
    left = iter(answers)
    answer: dict[str, Any] | None = None
    while True:
        try:
            said.append(talk.send(answer))
        except StopIteration as end:
            return end.value, said
        answer = {} if isinstance(said[-1], float) else next(left)


def test_values_are_chosen_by_path_with_their_units() -> None:
    values, said = carry_out(talks.values("vehicle.EngineRpm"), [entries(2.5, vehicle_EngineRpm=800.0, input_Key=1.0)])
    assert values == (2.5, {"vehicle.EngineRpm": EntryValue(800.0, "rpm")})
    assert said == [{"command": "status", "parts": ["entries"]}]


def test_an_unknown_entry_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(ConfigurationError, match=r"'vehicle.EngineRmp': did you mean vehicle.EngineRpm\?"):
        carry_out(talks.get("vehicle.EngineRmp"), [entries(0.0, vehicle_EngineRpm=800.0)])


def test_what_is_not_available_is_not_a_number() -> None:
    value, _ = carry_out(talks.get("vehicle.FuelConsumption"), [entries(0.0, vehicle_FuelConsumption=None)])
    assert value != value


def test_a_wait_takes_the_time_of_the_run() -> None:
    """The condition is that of bench files; it does not hold while a value is not available."""
    answers = [entries(t, vehicle_EngineRpm=rpm) for t, rpm in ((1.0, None), (1.1, 499.0), (1.75, 501.0))]
    took, said = carry_out(talks.wait_until("vehicle.EngineRpm > 500", 60.0), answers)
    assert took == 0.75
    assert [isinstance(one, float) for one in said] == [False, True, False, True, False]


def test_a_wait_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hilbridge.client.talks.time.monotonic", iter((100.0, 102.0, 106.0)).__next__)
    with pytest.raises(TimeoutError, match=r"vehicle.EngineRpm > 500: not within 5 s"):
        carry_out(talks.wait_until("vehicle.EngineRpm > 500", 5.0), [entries(0.0, vehicle_EngineRpm=0.0)] * 2)


def test_a_reload_has_the_outcome_of_its_own_request() -> None:
    """Older outcomes are those of other requests."""
    before = {"reload": {"last": {"request": 1, "outcome": "reloaded"}}}
    after = {"reload": {"last": {"request": 2, "outcome": "refused", "reason": "rate: needs a restart"}}}
    outcome, _ = carry_out(talks.reload(), [{"request": 2}, {"reload": {"last": None}}, before, after])
    assert outcome["outcome"] == "refused"
    with pytest.raises(ConfigurationError, match="reload refused: rate: needs a restart"):
        carry_out(talks.adopt(), [{"request": 2}, after])


def test_a_reload_without_an_outcome_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talks, "RELOAD_TIMEOUT", -1.0)
    with pytest.raises(ConfigurationError, match="the reload is not over after"):
        carry_out(talks.reload(), [{"request": 2}, {"reload": {"last": None}}])


def test_a_recording_has_begun_when_it_is_being_written() -> None:
    states = [{"recording": {"begun": begun, "error": ""}} for begun in (False, True)]
    folder, said = carry_out(talks.start_recording("out"), [{"recording": "/runs/1"}, *states])
    assert folder == Path("/runs/1")
    assert said[0] == {"command": "record-start", "folder": str(Path("out").absolute())}


def test_a_recording_that_fails_says_why() -> None:
    failed = {"recording": {"begun": True, "error": "no space left on device"}}
    with pytest.raises(ConfigurationError, match="no space left"):
        carry_out(talks.start_recording(None), [{"recording": "/runs/1"}, failed])


def test_a_fault_is_said_in_words_or_keys() -> None:
    wanted = {"kind": "link", "bus": "powertrain", "effect": "down", "for": 2}
    for what in ("link powertrain down", {"kind": "link", "bus": "powertrain", "effect": "down"}):
        number, said = carry_out(talks.add_fault(what, {"seconds": 2}), [{"fault": 7}])
        assert (number, said) == (7, [{"command": "fault-add", "fault": wanted, "by": None}])
