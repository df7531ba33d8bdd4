"""A tour of a cluster: every lamp and needle in turn; the person before it here reads frames by what is published."""

from collections.abc import Mapping

import pytest

from hilbridge.faces.explain.tour import BETTER, Answer, Step, proposals, report, steps_of, walk
from hilbridge.files.configuration.known import Known
from hilbridge.testing import VirtualBench

from ...bench.lines.peers import KbusReader


@pytest.fixture(scope="module")
def answers() -> tuple[list[Step], list[Answer]]:
    """The answers of a tour of an E46 whose engine lamp is broken and whose fuel nobody can read."""
    with VirtualBench("cluster-bmw-e46") as bench:
        kbus = KbusReader()

        def look(step: Step, model: Mapping[str, float]) -> str | None:
            bench.advance(0.6)
            kbus.telegrams.clear()
            kbus.feed(bench.read_serial("kbus"))
            if step.name == "engine":  # MIL: bit 1 of byte 0 of 0x545; this cluster's bulb is broken
                assert bench.frames("cluster", "DME4")[-1].data[0] & 2
                return "no"
            if step.name == "EML":
                return "yes" if bench.frames("cluster", "DME4")[-1].data[0] & 16 else "no"
            if step.kind == "missing":
                heard = bench.frames("cluster", step.frames[0])
                return "no" if heard and heard[-1].t > bench.time - 0.3 else "yes"
            if step.name == "body.MainBeam on":
                return "yes" if any(one.startswith("D0 08 BF 5B 05") for one in kbus.telegrams) else "no"
            if step.name == "rev counter":
                frame = bench.frames("cluster", "DME1")[-1].data
                return f"{int.from_bytes(frame[2:4], 'little') / 6.4:.0f}"
            return ""

        steps = steps_of(bench.parts)
        return steps, list(walk(bench, steps, look))


def test_each_lamp_needle_and_value_has_a_step(answers: tuple[list[Step], list[Answer]]) -> None:
    steps, given = answers
    assert [one.step for one in given] == steps
    kinds = {(step.kind, step.name) for step in steps}
    assert {
        ("lamp", "engine"),
        ("missing", "ABS, ASC"),
        ("needle", "rev counter"),
        ("entry", "body.MainBeam on"),
    } <= kinds
    assert ("needle", "turn signals") in kinds  # of the K-bus
    assert not any("Odometer" in value for step in steps for value in step.values)


def test_what_is_moved_reaches_the_cluster_and_ends(answers: tuple[list[Step], list[Answer]]) -> None:
    _, given = answers
    seen = {(one.step.kind, one.step.name): one.seen for one in given}
    assert seen["lamp", "EML"] == seen["missing", "ABS, ASC"] == seen["entry", "body.MainBeam on"] == "yes"
    assert seen["lamp", "engine"] == "no"
    turns = [one for one in given if one.step.name == "rev counter"]
    assert len(turns) == 2  # the car stands, and drives
    for one in turns:
        assert float(one.seen) == pytest.approx(one.model["vehicle.EngineRpm"], rel=0.1)


def test_a_report_says_what_it_holds_and_proposes_better_letters(answers: tuple[list[Step], list[Answer]]) -> None:
    steps, given = answers
    told = report("desk", "bmw-e46", "E46 2001", "2026-11-27", given[:5], len(steps) - 5)
    assert told["counts"]["not taken"] == len(steps) - 5
    assert sum(told["counts"].values()) == len(steps)
    assert set(told) == {"hilbridge_tour", "bench", "profile", "unit", "date", "counts", "answers"}
    known = [
        Known("ASC3", "B", "bench", None),
        Known("DME4", "guess", "nowhere", None),
        Known("kbus.Lamps", "C", "bench", None),
    ]
    found = proposals(given, known, "E46 2001", "2026-11-27")
    assert found["ASC3"] == {"confidence": "A", "seen": "bench", "source": "tour of 2026-11-27, E46 2001"}
    assert found["kbus.Lamps"]["confidence"] == "B"
    assert "DME4" not in found  # one of its lamps was denied
    assert BETTER["guess"] == BETTER["any bytes"] == "C"


def test_a_tour_ends_when_it_is_told_to_and_leaves_nothing_moved() -> None:
    with VirtualBench("cluster-bmw-e46") as bench:
        first, second = steps_of(bench.parts)[:2]
        given = list(walk(bench, [first, second], lambda step, _: "yes" if step is first else None))
        assert [one.step for one in given] == [first]
        bench.advance(0.1)
        assert {one.state for one in bench.parts.wiring.faults.status()} == {"over"}
