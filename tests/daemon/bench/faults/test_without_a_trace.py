"""Faults of diagnostics of any kind, alone and together: nothing raises, and afterwards nothing is left of them."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hilbridge.files.settings.diagnostic_faults import KINDS, Effect
from hilbridge.files.settings.faults import FaultSettings

from .unit_rig import FUNCTIONAL, REQUEST, UnitRig

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "delay": st.sampled_from([0, 1, 7.5, 40]),
    "jitter": st.sampled_from([0, 3, 30]),
    "count": st.integers(1, 5),
    "interval": st.sampled_from([0.1, 1, 10]),
    "code": st.integers(1, 0xFF),
    "frame": st.integers(1, 5),
    "value": st.integers(0, 0xFF),
    "length": st.sampled_from([0, 1, 2, 5, 8]),
    "amount": st.integers(-20, 20).filter(bool) | st.sampled_from([-4095, 4095]),
    "block_size": st.integers(0, 3),
    "st_min": st.sampled_from([0, 0.5, 5]),
    "can_id": st.sampled_from([0, 0x7E9, 0x7FF, 0x18DAF110]),
    "data": st.binary(min_size=1, max_size=7).map(bytes.hex),
}
SELECTING: dict[str, st.SearchStrategy[Any]] = {
    "service": st.sampled_from([0x22, 0x2E, 0x31, 0x3E]),
    "identifier": st.sampled_from([0xF190, 0x0201]),
    "every": st.integers(1, 3),
    "probability": st.sampled_from([0.3, 1]),
    "requests": st.integers(1, 3),
}
NEEDLESS: dict[Effect, dict[str, Any]] = {"wrong-pace": {"block_size": 1}}
FAULTS: TypeAdapter[FaultSettings] = TypeAdapter(FaultSettings)


@st.composite
def faults(draw: st.DrawFn) -> FaultSettings:
    """Any fault of diagnostics, with any of its keys."""
    effect = draw(st.sampled_from(list(KINDS)))
    kind = KINDS[effect]
    keys = {key: draw(VALUES[key]) for key in kind.needs} | NEEDLESS.get(effect, {})
    keys |= {key: draw(VALUES[key]) for key in kind.has if draw(st.booleans())}
    if kind.moment != "always":
        keys |= {key: draw(value) for key, value in SELECTING.items() if draw(st.booleans())}
    times = {"at": draw(st.sampled_from([0, 0.003, 0.02])), "for": draw(st.sampled_from([0.001, 0.02, 0.1, None]))}
    return FAULTS.validate_python({"kind": "diagnostics", "unit": "brakes", "effect": effect, **keys, **times})


messages = st.sampled_from(
    [
        "03 22 F1 90", "02 3E 00", "02 3E 80", "04 31 01 02 01", "10 0A 2E F1 90 01 02 03", "21 04 05 06 07",
        "30 00 00", "30 01 05", "31 00 00", "32 00 00", "02 10 03", "03 7F 22 78",
    ]
)  # fmt: skip
talk = st.lists(
    st.tuples(
        messages | st.binary(max_size=8).map(bytes.hex), st.sampled_from([REQUEST, FUNCTIONAL]), st.integers(0, 12)
    ),
    max_size=25,
)
QUESTIONS = ("03 22 F1 90", "02 3E 00", "04 31 01 02 01", "10 0A 2E F1 90 01 02 03", "21 04 05 06 07", "03 22 01 00")


def lived_through(rig: UnitRig, said: list[tuple[str, int, int]]) -> None:
    for text, can_id, ticks in said:
        rig.send(text, can_id)
        rig.play(ticks)
        rig.awake = ticks != 11  # a tick without power


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(faults(), min_size=1, max_size=4), talk, st.booleans())
def test_nothing_raises_and_nothing_is_left(
    given_faults: list[FaultSettings], said: list[tuple[str, int, int]], polite: bool
) -> None:
    """Whatever the faults are and the tester says, the ticks go on, twice the same; afterwards answers are as ever."""
    disturbed, again, untouched = UnitRig(*given_faults, seed=5), UnitRig(*given_faults, seed=5), UnitRig()
    for rig in (disturbed, again, untouched):
        rig.polite = polite
        lived_through(rig, said)
        rig.awake = True
        rig.injector.clear(None, rig.tick * 1_000_000)
        rig.play(1200)  # whoever waits for a frame has given up
        rig.polite = True
    assert (disturbed.sent, disturbed.others) == (again.sent, again.others)
    for question in QUESTIONS:
        assert disturbed.ask(question, 10) == untouched.ask(question, 10)
    (connection,) = disturbed.server.connections(disturbed.ecu)
    assert connection.sender.transmit == connection.transmit


@given(faults())
def test_a_fault_is_what_its_words_say_again(fault: FaultSettings) -> None:
    """As a command carries it: through JSON and back."""
    sent = json.loads(fault.model_dump_json(by_alias=True, exclude_unset=True))
    assert FAULTS.validate_python(sent) == fault


@pytest.mark.parametrize("effect", KINDS)
def test_every_kind_is_among_them(effect: Effect) -> None:
    """The strategy knows each key of each kind."""
    assert {*KINDS[effect].needs, *KINDS[effect].has} <= set(VALUES)
