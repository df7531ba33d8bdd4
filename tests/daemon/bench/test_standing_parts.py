"""Control units, inputs, clusters and faults as parts: in the table, in the tick, in the status, over a reload."""

from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from hilbridge.base.common.rows import Layout, layout_of, table_of
from hilbridge.bench.bench_files import load_bench_files
from hilbridge.bench.diagnostics.rows import MemoryRow
from hilbridge.bench.kinds import KINDS, NO_PARTS, STANDING
from hilbridge.bench.parts.part import Stage
from hilbridge.bench.views import VIEWS
from hilbridge.boundary.links.poller import Ready
from hilbridge.commands.ctl_status import print_status
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.settings import BenchSettings
from hilbridge.testing import VirtualBench

STAGES = get_args(Stage)


def test_each_section_of_a_bench_file_makes_one_part_or_says_why_it_makes_none() -> None:
    sections = [*(key for kind in KINDS for key in kind.sections), *NO_PARTS]
    assert sorted(sections) == sorted(BenchSettings.model_fields)
    assert [key for key, one in NO_PARTS.items() if len(one.reason.split()) < 5] == []


def test_each_part_has_its_key_in_the_status_and_every_bench_has_the_standing_ones(tmp_path: Path) -> None:
    file = tmp_path / "bench.yaml"
    file.write_text("{name: bare, rate: 100, vehicle: compact}", encoding="utf-8")
    assert {kind.key for kind in KINDS} | {key for kind in KINDS for key in kind.tables} <= VIEWS.keys()
    with VirtualBench(file) as bench:
        assert {kind.key for kind in STANDING} <= bench.parts.wiring.parts.keys()


def test_the_stages_of_a_tick_are_called_in_their_order_and_each_part_in_the_order_of_the_table() -> None:
    """Faults first; inputs are decided once all have heard, and testers answered after the step of the vehicle."""
    with VirtualBench("car-network") as bench:
        wiring, called = bench.parts.wiring, []
        stages = {step: (stage, part) for part, one in wiring.parts.items() for stage, step in one.stages().items()}
        for stage in STAGES:
            for step in getattr(wiring.steps, stage):
                assert stages[step][0] == stage
                called.append(stages[step])
        noted: list[str] = []
        for stage in STAGES:
            setattr(wiring.steps, stage, (partial(_note, noted, stage), *getattr(wiring.steps, stage)))
        bench.advance(1 / bench.parts.settings.rate)
    order = [kind.key for kind in KINDS]
    for stage in STAGES:
        parts = [part for one, part in called if one == stage]
        assert parts == sorted(parts, key=order.index)
    assert {("begin", "faults"), ("sample", "inputs"), ("serve", "units"), ("serve", "cluster")} <= {*called}
    assert noted == list(STAGES)


def _note(noted: list[str], stage: str, _t: int, _ready: Ready) -> None:
    noted.append(stage)


def test_the_trouble_codes_are_a_table_of_every_status(capsys: pytest.CaptureFixture[str]) -> None:
    """The indicator of each control unit, and the codes that it has stored."""
    with VirtualBench("car-network") as bench:
        bench.command("trouble-set", ecu="engine", code="P0301", result="stored")
        bench.advance(0.1)
        status = bench.command("status", parts=["usual", "layouts", "codes"])
    whole = {"ticks": 0, "missed_ticks": 0, "overload": {"percent": 0, "seconds": 0.0}}
    print_status(status | whole | {"recording": None, "scenario": None})
    printed = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["engine", "on", "P0301"] in printed
    assert status["troubles"]["engine"]["stored"][0]["code"] == "P0301"
    counts = {
        (family.name, labels): number for family, labels, number in VIEWS["codes"].layout.samples(status["codes"])
    }
    assert counts["malfunction_indicator", ("engine",)] == 1
    assert counts["trouble_codes", ("engine", "confirmed")] == 1


def test_a_list_of_rows_is_shown_by_the_first_field_of_each() -> None:
    layout = layout_of(MemoryRow, "control unit")
    rows = {"engine": {"indicator": False, "stored": [{"code": "P0301", "text": "misfire"}, {"code": "P0420"}]}}
    assert table_of("troubles", layout.plain(), rows).cells == [("engine", "off", "P0301, P0420")]
    assert Layout.of_plain(layout.plain()) == layout


def test_a_reload_continues_them() -> None:
    """A stored code, a fault that is active and a control that is held are there after it, as before."""
    with VirtualBench("car-network") as bench:
        bench.command("trouble-set", ecu="engine", code="P0301", result="stored")
        bench.fault("link comfort down")
        bench.set("input.Throttle", 0.25)
        bench.advance(0.1)
        asked = ["units", "codes", "faults", "inputs", "cluster"]
        before = bench.command("status", parts=asked)
        parts = bench.parts
        parts.adopt(load_bench_files(load_bench("car-network")), parts.now)
        after = bench.command("status", parts=asked)
    assert after == before
    assert before["faults"]
    assert before["codes"]["engine"]["confirmed"] == 1
