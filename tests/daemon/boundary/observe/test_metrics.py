"""The metrics as Prometheus reads them: parsed by its own client library."""

import json
import math
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse

from hilbridge.base.common.rows import Layout
from hilbridge.base.common.statistics import Histogram
from hilbridge.base.process.last_end import LastEnd
from hilbridge.bench.bench import Bench
from hilbridge.boundary.observe.events import About, Fields, Snapshot
from hilbridge.boundary.observe.metrics import EDGES, MetricsInput, expose
from hilbridge.boundary.observe.notices import ObserverWork, RecordingWork
from hilbridge.boundary.observe.rings import Durations
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.runs.run.measured import measured_layouts
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.entries import ENTRIES

LAYOUTS = {part: Layout.of_plain(plain) for part, plain in measured_layouts(Bench(load_bench("demo"))).items()}

PART_STATUS: Fields = {
    "gateway": {"up": {"route": "a to b", "taken": 9, "forwarded": 8, "replaced": 0, "too_long": 0, "lost": 1}},
    "buses": {
        "one": {
            "trouble": "down",
            "down_s": 12.0,
            "armed": False,
            "received": 3,
            "transmitted": 5,
            "lost": 1,
            "gate": {"passed": 7, "unarmed": 5},
            "counters": {"sent": 7, "replaced": 1},
            "id_conflicts": {"0x280": 3},
        }
    },
    "ports": {"pedal port 1": {"trouble": "", "down_s": 0.0, "counters": {"received": 99}}},
    "sources": {"pedals": {"accepted": 10, "rejected": {"checksum": 2}}},
    "testers": {"engine": {"events": {"requests": 4}}},
    "codes": {"engine": {"indicator": True, "failing": 0, "pending": 0, "confirmed": 1, "permanent": 0}},
    "plan": {"one": {"skipped": 6, "limited": {"Gear": {"Ratio": 8}}}},
    "outputs": {"board": {"trouble": "", "armed": False, "gate": {"unarmed": 6}, "counters": {}}},
    "lines": {"k": {"trouble": "", "armed": False, "gate": {"unarmed": 2}, "counters": {}}},
    "fmu": {"car": {"trouble": "gone", "step": 0.001, "counters": {"answers": 9, "late": 2}}},
    "processes": {"observer": {"restarts": 1}},
}


def whole(part_status: Fields) -> Fields:
    """Each row with all fields of its layout: those that a test does not name are nothing."""
    nothing: Fields = {part: {key: {} for key in layout.fields} for part, layout in LAYOUTS.items()}
    return {part: {name: nothing[part] | row for name, row in rows.items()} for part, rows in part_status.items()}


STARTED = 1_700_000_000_500_000_000


def facts(lateness: Histogram | None = None, part_status: Fields | None = None, **values: int) -> MetricsInput:
    channels = [[0] * len(entries) for entries in ENTRIES]
    for name, raw in values.items():
        channels[VEHICLE][getattr(VehicleData, name)] = raw
    snapshot = Snapshot(2_500_000_000, 2490, 10, 0, 0, 0, 0, 0, 25, tuple(map(tuple, channels)))
    durations = Durations(lateness or Histogram(), Histogram(), Histogram())
    work = ObserverWork(3, RecordingWork(100, 4096, 2))
    return MetricsInput(
        About('a "bench"', "1.2", 1000, STARTED),
        snapshot,
        durations,
        LAYOUTS,
        whole(part_status or {}),
        [],
        0,
        work,
    )


def samples(one: MetricsInput) -> dict[tuple[str, ...], float]:
    """By name and the values of the labels, in order of the alphabet."""
    text = expose(one, "")[0].decode()
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in parse(text)
        for sample in family.samples
    }


def test_ticks_and_values_of_the_vehicle() -> None:
    """Counters end in _total; a value that is not available is NaN."""
    read = samples(facts(ENGINE_RPM=2_350_500, SPEED=NAN))
    assert read["hilbridge_ticks_total",] == 2490
    assert read["hilbridge_ticks_missed_total",] == 10
    assert read["hilbridge_run_time_seconds",] == 2.5
    assert read["hilbridge_start_time_seconds",] == STARTED / 1e9
    assert read["hilbridge_engine_speed_rpm",] == 2350.5
    assert math.isnan(read["hilbridge_vehicle_speed_meters_per_second",])


def test_the_end_of_the_run_before_is_told_where_it_is_known() -> None:
    """By its result and its status or signal, as labels."""
    one = facts()
    assert not any(name == "hilbridge_last_end_info" for name, *_ in samples(one))
    about = one.about._replace(last_end=LastEnd("watchdog", "ABRT"))
    assert samples(one._replace(about=about))["hilbridge_last_end_info", "ABRT", "watchdog"] == 1


def test_the_parts_of_the_bench() -> None:
    """A time series for each bus, direction, reason, source, control unit."""
    read = samples(facts(part_status=PART_STATUS))
    wanted = {
        ("hilbridge_bus_frames_total", "one", "received"): 3,
        ("hilbridge_bus_frames_total", "one", "transmitted"): 5,
        ("hilbridge_bus_frames_lost_total", "one"): 1,
        ("hilbridge_bus_up", "one"): 0,
        ("hilbridge_bus_armed", "one"): 0,
        ("hilbridge_link_events_total", "one", "sent"): 7,
        ("hilbridge_gate_held_back_total", "one", "unarmed"): 5,
        ("hilbridge_route_frames_total", "forwarded", "up"): 8,
        ("hilbridge_route_frames_total", "lost", "up"): 1,
        ("hilbridge_id_conflicts_total", "0x280", "one"): 3,
        ("hilbridge_port_up", "pedal port 1"): 1,
        ("hilbridge_port_events_total", "pedal port 1", "received"): 99,
        ("hilbridge_input_samples_total", "pedals"): 10,
        ("hilbridge_input_rejections_total", "checksum", "pedals"): 2,
        ("hilbridge_diagnostics_total", "engine", "requests"): 4,
        ("hilbridge_trouble_codes", "confirmed", "engine"): 1,
        ("hilbridge_trouble_codes", "engine", "pending"): 0,
        ("hilbridge_malfunction_indicator", "engine"): 1,
        ("hilbridge_process_restarts_total", "observer"): 1,
        ("hilbridge_frames_skipped_total", "one"): 6,
        ("hilbridge_values_limited_total", "Gear", "Ratio", "one"): 8,
        ("hilbridge_fmu_up", "car"): 0,
        ("hilbridge_fmu_step_seconds", "car"): 0.001,
        ("hilbridge_fmu_events_total", "answers", "car"): 9,
        ("hilbridge_fmu_events_total", "car", "late"): 2,
        ("hilbridge_recording_bytes",): 4096,
        ("hilbridge_recording_lost_total",): 2,
        ("hilbridge_log_lines_lost_total",): 3,
    }
    assert wanted.items() <= read.items()


def test_the_histogram_counts_exactly_below_each_edge() -> None:
    """Each edge is 2^k or 1.5 · 2^k ns; one nanosecond less counts below it, the edge itself above."""
    lateness = Histogram()
    for edge in EDGES:
        lateness.record(edge - 1)
        lateness.record(edge)
    read = samples(facts(lateness))
    buckets = {key[1]: value for key, value in read.items() if key[0] == "hilbridge_tick_lateness_seconds_bucket"}
    assert [buckets.pop("+Inf"), read["hilbridge_tick_lateness_seconds_count",]] == [2 * len(EDGES)] * 2
    assert [round(float(edge) * 1e9) for edge in buckets] == list(EDGES)
    assert list(buckets.values()) == list(range(1, 2 * len(EDGES), 2))


def test_the_sum_is_near_the_true_one() -> None:
    lateness = Histogram()
    values = [n * n * 37 for n in range(1, 2000)]
    for value in values:
        lateness.record(value)
    read = samples(facts(lateness))
    assert read["hilbridge_tick_lateness_seconds_sum",] == pytest.approx(sum(values) / 1e9, rel=0.016)


def test_who_asks_for_openmetrics_gets_it() -> None:
    """Its strict parser takes all of it, the same families."""
    text, content_type = expose(facts(part_status=PART_STATUS), "application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text")
    families: list[Metric] = list(parse_openmetrics(text.decode()))  # type: ignore[no-untyped-call]  # it has no types
    assert {family.name for family in families} >= {"hilbridge_ticks", "hilbridge_bus_frames", "hilbridge_bus_up"}
    assert all(family.name.startswith("hilbridge") and family.documentation for family in families)


def test_what_was_not_told_yet_is_no_error() -> None:
    """Right after a start, or when the observer was started again."""
    empty = facts()._replace(snapshot=None, work=ObserverWork(0, None))
    assert not any(name.startswith(("hilbridge_ticks", "hilbridge_bus_up")) for name, *_ in samples(empty))


MONITORING = Path(__file__).parents[4] / "systemd/monitoring"


def shipped_texts() -> dict[str, list[str]]:
    """By alert and by panel: the expression, and the words that name labels in double braces."""
    rules = yaml.safe_load((MONITORING / "hilbridge-alerts.yaml").read_text(encoding="utf-8"))
    panels = json.loads((MONITORING / "hilbridge-dashboard.json").read_text(encoding="utf-8"))["panels"]
    alerts = {rule["alert"]: [rule["expr"], *rule["annotations"].values()] for rule in rules["groups"][0]["rules"]}
    return alerts | {
        f"{panel['title']} {target['refId']}": [target["expr"], target["legendFormat"]]
        for panel in panels
        for target in panel["targets"]
    }


@pytest.mark.parametrize("texts", shipped_texts().values(), ids=shipped_texts())
def test_alerts_and_dashboard_name_what_is_exported(texts: list[str]) -> None:
    """Every series of an expression, and every label in its words; `up` and `instance` are Prometheus' own."""
    labels: dict[str, set[str]] = {"up": set()}
    for family in parse(expose(facts(part_status=PART_STATUS), "")[0].decode()):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    series = re.findall(r"\b(?:hilbridge_\w+|up(?=\{))", texts[0])
    assert series
    assert {*series} <= labels.keys()
    known = {"instance"}.union(*(labels[name] for name in series))
    assert {*re.findall(r"\{\{ ?(?:\$labels\.)?([a-z]+) ?\}\}", " ".join(texts[1:]))} <= known
