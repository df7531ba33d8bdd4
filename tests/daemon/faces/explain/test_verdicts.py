"""The verdict on a lamp or a needle names the frame that is to blame, and what mends it."""

from pathlib import Path

import pytest

from hilbridge.faces.explain.causes import PARTS, unit_faults
from hilbridge.faces.explain.verdicts import Verdict, judge_status
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from .cluster import desk, status


def verdicts(bench: VirtualBench, *, running: bool = True) -> dict[str, Verdict]:
    """The verdicts by name."""
    return {one.name: one for one in judge_status(status(bench, *PARTS), running=running)}


def driving(bench: VirtualBench) -> None:
    """The key is on, and the bulb check is over."""
    bench.set("input.Key", 0)
    bench.advance(4)


def blame(bench: VirtualBench, name: str) -> list[tuple[str, str]]:
    """The frames that a verdict names, with the words."""
    return [(one.frame, one.cause.text) for one in verdicts(bench)[name].causes]


def test_nothing_is_wrong_with_a_bench_that_sends_all(bench: VirtualBench) -> None:
    """Lamps, needles, and frames for which none is known."""
    driving(bench)
    assert {name: (one.kind, one.state, one.frames) for name, one in verdicts(bench).items()} == {
        "ABS": ("lamp", "good", ("Brakes (0x212)",)),
        "ESP": ("lamp", "good", ("Brakes (0x212)",)),
        "brake": ("lamp", "good", ("Brakes (0x212)",)),
        "speedometer": ("needle", "good", ("Speed (0x201)",)),
        "rev counter": ("needle", "good", ("Speed (0x201)",)),
        "Quiet": ("frame", "good", ("Quiet (0x420)",)),
    }


def test_without_its_terminal_a_frame_is_not_expected(bench: VirtualBench) -> None:
    """Its lamps are off, and the terminal is named."""
    bench.advance(1)
    assert (verdicts(bench)["ABS"].state, verdicts(bench)["Quiet"].state) == ("off", "good")
    assert blame(bench, "ABS") == [("Brakes (0x212)", "not sent: terminal 15 is off")]


def test_a_lamp_that_the_model_or_the_bulb_check_lights_is_lit_on_purpose(bench: VirtualBench) -> None:
    """The signal is named; nothing is wrong."""
    bench.set("input.Key", 0)
    bench.advance(1)
    assert verdicts(bench)["brake"].state == "lit"
    (cause,) = blame(bench, "brake")
    assert cause[0] == "Brakes (0x212)"
    assert cause[1].startswith("lit by BrakeLamp")
    assert "bulb check" in cause[1]
    bench.advance(3)
    bench.fault("signal dash.Brakes.AbsLamp stuck value=1")
    bench.advance(0.2)
    assert any("AbsLamp" in text for _, text in blame(bench, "ABS"))


@pytest.mark.parametrize(
    "fault",
    [
        "frame dash.Brakes drop",
        "frame dash.Brakes delay delay=200",
        "frame dash.Brakes duplicate",
        "frame dash.Brakes length length=3",
        "frame dash.Brakes counter wrong=freeze",
        "frame dash.Brakes checksum wrong=random",
        "signal dash.Brakes.AbsLamp stuck value=1",
    ],
)
def test_a_fault_on_a_frame_is_named_with_its_lamps(bench: VirtualBench, fault: str) -> None:
    """And how it is cleared; the other frames are not blamed."""
    driving(bench)
    number = bench.fault(fault)
    bench.advance(0.5)
    found = verdicts(bench)
    for lamp in ("ABS", "ESP"):
        assert found[lamp].state == "wrong"
        assert {one.frame for one in found[lamp].causes} == {"Brakes (0x212)"}
        assert any(one.cause.remedy == f"hilbridge ctl fault clear {number}" for one in found[lamp].causes)
    assert found["speedometer"].state == "good"
    bench.clear(number)
    bench.advance(0.5)
    assert verdicts(bench)["ABS"].state == "good"


def test_a_bus_that_is_not_armed_darkens_nothing(bench: VirtualBench) -> None:
    driving(bench)
    bench.command("arm", bus="dash", armed=False)
    assert blame(bench, "ABS") == [("Brakes (0x212)", "bus dash is not armed: nothing leaves")]


def test_a_link_that_is_down_is_named(bench: VirtualBench) -> None:
    driving(bench)
    bench.fault("link dash down")
    bench.advance(0.1)
    ((_, text),) = blame(bench, "speedometer")
    assert text.startswith("bus dash: ")


def test_another_sender_of_the_identifier_is_named(bench: VirtualBench) -> None:
    """With the number of its frames."""
    driving(bench)
    bench.send("dash", Frame(0x212, bytes(7)), every=0.02)
    bench.advance(0.1)
    ((_, text),) = blame(bench, "ABS")
    assert text.startswith("somebody else on the bus sends 0x212 too: ")


def test_a_frame_that_the_gate_never_passes_is_named(tmp_path: Path) -> None:
    """Without a run too."""
    with desk(tmp_path, ("    bitrate: 500000", "    bitrate: 500000\n    never_send: [0x212]")) as bench:
        found = verdicts(bench, running=False)
        ((frame, cause),) = found["ABS"].causes
        assert (frame, cause.text) == ("Brakes (0x212)", "never sent: 0x212 is in 'never_send'")
        assert found["speedometer"].state == "good"


def test_a_value_that_is_not_available_is_named(tmp_path: Path) -> None:
    """With its signal and where it comes from; a substitute is a value. It is no fault: the model means it."""
    unknown = ("from: vehicle.EngineRpm", "from: vehicle.FuelConsumption")
    with desk(tmp_path, unknown) as bench:
        driving(bench)
        assert verdicts(bench)["rev counter"].state == "no value"
        ((_, text),) = blame(bench, "rev counter")
        assert text == "the value of Rpm (vehicle.FuelConsumption) is not available"
    with desk(tmp_path, (unknown[0], f"{unknown[1]}, substitute: 0")) as bench:
        driving(bench)
        assert verdicts(bench)["rev counter"].state == "good"


def test_values_of_the_bench_itself_are_values_too(tmp_path: Path) -> None:
    """A frame and a report may carry what the bench file declares by itself."""
    own = ("buses:\n  dash:", "custom:\n  Lamp: {unit: '1', range: [0, 1]}\nbuses:\n  dash:")
    frame = ("from: vehicle.AbsEngaged", "from: custom.Lamp")
    with desk(tmp_path, own, frame, ("compare: abs(vehicle.Speed) * 3.6", "compare: custom.Lamp")) as bench:
        driving(bench)
        assert verdicts(bench)["ABS"].state == "good"
        bench.set("custom.Lamp", 1)
        bench.advance(0.1)
        assert blame(bench, "ABS") == [("Brakes (0x212)", "lit by AbsLamp (custom.Lamp)")]


def test_a_frame_that_keeps_no_period_is_late(bench: VirtualBench) -> None:
    """One in a hundred, or the mean; a shorter interval, as after a wake-up, is not late."""
    driving(bench)
    known = status(bench, *PARTS)
    counted = next(row for row in known["frames"] if row["message"] == "Brakes")
    for mean, longest, ticks, late in ((50, 50, 0, False), (50, 50, 49, False), (50, 80, 30, True), (60, 60, 10, True)):
        counted["period_ms"] = {"shortest": 1, "mean": mean, "longest": longest, "deviation_p99_ticks": ticks}
        found = {one.name: one for one in judge_status(known, running=True)}
        assert (found["ABS"].state == "wrong") is late, (mean, longest, ticks)


def test_a_fault_of_what_a_control_unit_answers_is_named() -> None:
    """While it acts, with what ends it; those of frames stand at their lamps."""
    rows = [
        {"fault": 1, "state": "active", "what": "frame dash.Brakes drop"},
        {"fault": 2, "state": "active", "what": "diagnostics engine late delay=500 ms"},
        {"fault": 3, "state": "over", "what": "diagnostics engine missing"},
    ]
    assert unit_faults(rows) == ["fault 2 acts: diagnostics engine late delay=500 ms (hilbridge ctl fault clear 2)"]
