"""`hilbridge benchmark` says what it measured, what it aimed at, and what it could not measure."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ...program import PATIENCE, hilbridge

NAMES = [
    *("step_interpreted", "step_compiled"),
    *("encode_bus", "encode_mapping", "encode_cantools", "encode_bus_ratio", "encode_mapping_ratio"),
    *("tick_computation_interpreted_p50", "tick_computation_interpreted_p99"),
    *("tick_computation_compiled_p50", "tick_computation_compiled_p99"),
    *("lockstep_turn_class", "lockstep_turn_program", "lockstep_turn_bare"),
    *("virtual_throughput_interpreted", "virtual_tick_ratio_interpreted"),
    *("virtual_throughput_compiled", "virtual_tick_ratio_compiled"),
    *("tick_interpreted_p50", "tick_interpreted_p99", "tick_compiled_p50", "tick_compiled_p99"),
    "memory_resident",
    "start_up",
    *("idle_processor_mazda_rx8", "idle_memory_mazda_rx8"),
    *("idle_processor_without_page_mazda_rx8", "idle_memory_without_page_mazda_rx8"),
    *("idle_processor_vw_mqb", "idle_memory_vw_mqb"),
    *("idle_processor_without_page_vw_mqb", "idle_memory_without_page_vw_mqb"),
    *("lateness_p50", "cyclictest_p50", "lateness_ratio_p50"),
    *("lateness_p99", "cyclictest_p99", "lateness_ratio_p99"),
    *("lateness_p99_9", "cyclictest_p99_9", "lateness_ratio_p99_9"),
]


@pytest.fixture(scope="module")
def report() -> Any:
    """What a quick run prints as JSON."""
    run = hilbridge("benchmark", "--quick", "--json")
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


@pytest.mark.nightly
def test_the_report_says_where_and_how_it_was_measured(report: Any) -> None:
    assert (report["complete"], report["quick"]) == (True, True)
    assert {"hilbridge", "python", "kernel", "processors", "load_average"} <= report["machine"].keys()


@pytest.mark.nightly
def test_the_names_of_the_results_stay(report: Any) -> None:
    """Programs compare reports by them, so they are there even where nothing could be measured."""
    assert list(report["results"]) == NAMES


@pytest.mark.nightly
def test_a_result_has_a_value_or_the_reason_why_not(report: Any) -> None:
    """All but what a compiled model, or cyclictest is needed for can be measured anywhere."""
    for name, result in report["results"].items():
        assert result.keys() == {"value", "unit", "spread", "samples", "aim", "met", "note"}
        if result["value"] is None:
            assert result["note"]
            assert result["samples"] == 0
            assert any(word in name for word in ("compiled", "cyclictest", "ratio"))
        else:
            assert result["value"] > 0
            assert result["samples"] > 0


@pytest.mark.nightly
def test_the_aims_are_stated_beside_the_results(report: Any) -> None:
    """The figures that the project has set itself."""
    aims = {name: result["aim"] for name, result in report["results"].items() if result["aim"]}
    assert aims == {
        "step_interpreted": {"at_most": 150},
        "step_compiled": {"at_most": 10},
        "encode_bus": {"at_most": 0.6},
        "encode_bus_ratio": {"at_least": 10},
        "encode_mapping_ratio": {"at_least": 10},
        "lockstep_turn_program": {"at_most": 30},
        "virtual_throughput_compiled": {"at_least": 150},
        "tick_interpreted_p50": {"at_most": 80},
        "memory_resident": {"at_most": 80},
        "start_up": {"at_most": 1.5},
        "lateness_ratio_p99": {"at_most": 1.5},
    }


@pytest.mark.nightly
def test_percentiles_of_one_thing_rise(report: Any) -> None:
    results = report["results"]
    assert results["lateness_p50"]["value"] <= results["lateness_p99"]["value"] <= results["lateness_p99_9"]["value"]
    assert results["tick_interpreted_p50"]["value"] <= results["tick_interpreted_p99"]["value"]


def command_of(process: int | str) -> str:
    """The words of a process's command line; empty when it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text().replace("\0", " ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def child_of(process: int, word: str) -> str:
    """Waits for a child process that has this word in its command line."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            if word in command_of(child):
                return child
        time.sleep(0.01)
    raise AssertionError(f"{word} was not started")


def test_interrupted_it_prints_what_it_has() -> None:
    """Exit status 130, a report that says it is not complete, no traceback, and no process is left behind."""
    command = [sys.executable, "-m", "hilbridge", "benchmark", "--quick", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        measuring = child_of(process.pid, "/encode.py ")
        os.kill(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, "")
    report = json.loads(output)
    assert (report["complete"], list(report["results"])) == (False, NAMES[: NAMES.index("encode_bus")])
    deadline = time.monotonic() + PATIENCE
    while command_of(measuring):
        assert time.monotonic() < deadline
        time.sleep(0.01)
