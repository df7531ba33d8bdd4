"""What is counted in the parts of a bench, a part at a time."""

import json

from hilbridge.bench.bench import Bench
from hilbridge.common.statistics import Histogram
from hilbridge.configuration.benchfile import load_bench
from hilbridge.observe.events import About, encode_tally
from hilbridge.observe.metrics import Facts, expose
from hilbridge.observe.rings import Durations
from hilbridge.observe.work import Work
from hilbridge.run.tally import Tally

PARTS = ["buses", "ports", "inputs", "testers", "troubles", "skipped", "restarts"]


def demo() -> Bench:
    bench = Bench(load_bench("demo"))
    bench.open_nothing()
    return bench


def test_each_part_has_its_turn() -> None:
    """Again and again, in the same order; so every part is told once a second when it is asked ten times."""
    tally = Tally(demo(), lambda: {"observer": 2})
    told = [tally.next() for _ in range(2 * len(PARTS))]
    assert [name for name, _ in told] == PARTS * 2
    assert len(PARTS) <= 10
    assert dict(told)["restarts"] == {"observer": 2}


def test_counters_go_on() -> None:
    """Frames of the plan are on the bus that they were sent on; nothing was told twice."""
    bench = demo()
    tally = Tally(bench, dict)
    before = tally.next()[1]
    for tick in range(100):
        t = tick * bench.settings.period
        bench.sample(t)
        bench.step()
        bench.serve(t)
        bench.publish(t)
    after = dict(tally.next() for _ in PARTS)["buses"]
    for name, bus in bench.buses.items():
        assert before[name]["frames"]["transmitted"] == 0
        assert after[name]["frames"]["transmitted"] == bus.transmitted > 0
        assert after[name]["trouble"] == ""


def test_everything_that_is_told_becomes_a_metric() -> None:
    """As JSON, through the ring: the metrics know every part by its keys."""
    tally = Tally(demo(), lambda: {"observer": 0})
    told: dict[str, object] = {}
    for _ in PARTS:
        told |= json.loads(encode_tally(*tally.next()))
    nothing = Durations(Histogram(), Histogram(), Histogram())
    text = expose(Facts(About("demo", "1", 1000, 0), None, nothing, told, [], 0, Work(0, None)), "")[0].decode()
    for sample in (
        'hilbridge_bus_up{bus="powertrain"} 1.0',
        "hilbridge_input_samples_total{source=",
        'hilbridge_trouble_codes{state="confirmed",unit="engine"} 0.0',
        'hilbridge_process_restarts_total{process="observer"} 0.0',
    ):
        assert sample in text
